#include "program_cache.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tfrt::function {
namespace {

// How much a type says: sizes and ranks that are known.
size_t KnownSizes(const CallType& type) {
  size_t known = 0;
  for (const ArgumentType& argument : type.arguments) {
    if (!argument.dims) continue;
    ++known;
    for (int64_t size : *argument.dims) known += size >= 0;
  }
  return known;
}

}  // namespace

ProgramCache::Table::Table(std::span<const std::shared_ptr<const Entry>> entries)
    : mask(std::bit_ceil(entries.size() * 2 + 2) - 1), places(mask + 1) {
  for (const auto& entry : entries) {
    uint64_t at = entry->hash & mask;
    while (places[at]) at = (at + 1) & mask;
    places[at] = entry.get();
  }
}

ProgramCache::~ProgramCache() { delete table_.load(std::memory_order_relaxed); }

RCReference<Program> ProgramCache::Find(const CallKey& key) const {
  const uint64_t hash = key.Hash();
  const std::span<const uint64_t> words = key.words();
  EpochReader reader;
  // seq_cst: see EpochReader.
  const Table* table = table_.load(std::memory_order_seq_cst);
  if (!table) return nullptr;
  for (uint64_t at = hash & table->mask;; at = (at + 1) & table->mask) {
    const Entry* entry = table->places[at];
    if (!entry) return nullptr;
    if (entry->hash == hash && std::ranges::equal(entry->words, words)) return entry->program;
  }
}

RCReference<Program> ProgramCache::FindServing(const CallType& type) const {
  const RCReference<Program>* best = nullptr;
  for (const RCReference<Program>& program : programs_) {
    if (!program->type().Admits(type)) continue;
    if (!best || KnownSizes(program->type()) > KnownSizes((*best)->type())) best = &program;
  }
  return best ? *best : nullptr;
}

void ProgramCache::Publish() {
  const Table* old =
      table_.exchange(entries_.empty() ? nullptr : new Table(entries_), std::memory_order_seq_cst);
  if (old) garbage_.Add([old] { delete old; });
  garbage_.Collect();
}

void ProgramCache::AddKey(const CallKey& key, RCReference<Program> program) {
  const uint64_t hash = key.Hash();
  for (const auto& entry : entries_) {
    if (entry->hash == hash && std::ranges::equal(entry->words, key.words())) return;
  }
  if (entries_.size() >= kMaxKeys) {
    // The older half: those that are called still come back, for the price of a search.
    std::vector<std::shared_ptr<const Entry>> forgotten(entries_.begin(),
                                                        entries_.begin() + kMaxKeys / 2);
    entries_.erase(entries_.begin(), entries_.begin() + kMaxKeys / 2);
    Publish();
    garbage_.Add([forgotten = std::move(forgotten)] {});
  }
  auto entry = std::make_shared<Entry>();
  entry->hash = hash;
  entry->words.assign(key.words().begin(), key.words().end());
  entry->program = std::move(program);
  entries_.push_back(std::move(entry));
  Publish();
}

void ProgramCache::Forget(const Program& program) {
  std::vector<std::shared_ptr<const Entry>> forgotten;
  std::erase_if(entries_, [&](std::shared_ptr<const Entry>& entry) {
    if (entry->program.get() != &program) return false;
    forgotten.push_back(std::move(entry));
    return true;
  });
  Publish();
  garbage_.Add([forgotten = std::move(forgotten)] {});
  garbage_.Collect();
}

RCReference<Program> ProgramCache::TakeOldest() {
  auto oldest = std::ranges::min_element(
      programs_, {}, [](const RCReference<Program>& program) { return program->last_use(); });
  if (oldest == programs_.end()) return nullptr;
  RCReference<Program> taken = std::move(*oldest);
  programs_.erase(oldest);
  Forget(*taken);
  return taken;
}

std::vector<RCReference<Program>> ProgramCache::TakeAll() {
  std::vector<std::shared_ptr<const Entry>> forgotten = std::exchange(entries_, {});
  Publish();
  garbage_.Add([forgotten = std::move(forgotten)] {});
  garbage_.Collect();
  return std::exchange(programs_, {});
}

}  // namespace tfrt::function
