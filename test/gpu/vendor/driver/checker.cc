#include "checker.h"

#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "reports.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda_double {
namespace {

// Names the defect if two uses of the same bytes are not ordered.
const char* DefectOf(MarkKind kind, MarkKind earlier) {
  if (kind == MarkKind::kAllocate) return "reused too early";
  if (earlier == MarkKind::kAllocate) return "use before allocation";
  if (kind == MarkKind::kFree || earlier == MarkKind::kFree) return "use after free";
  return "unordered";
}

std::string Bytes(const Allocation& allocation, uint64_t begin, uint64_t end) {
  return StrCat("bytes ", begin - allocation.begin, " to ", end - allocation.begin, " of ",
                allocation.Name());
}

void Poison(const Allocation& allocation, int value) {
  if (!IsHost(allocation.kind)) std::memset(allocation.data, value, allocation.size_bytes);
}

}  // namespace

Checker::Checker() { timelines_.push_back("host"); }

uint32_t Checker::AddTimeline(std::string name) {
  std::lock_guard lock(mutex_);
  timelines_.push_back(std::move(name));
  return static_cast<uint32_t>(timelines_.size() - 1);
}

uint64_t Checker::AddOperation(std::string_view name, uint32_t timeline, uint64_t nth) {
  std::lock_guard lock(mutex_);
  auto [found, is_new] =
      name_numbers_.try_emplace(std::string(name), static_cast<uint32_t>(names_.size()));
  if (is_new) names_.emplace_back(name);
  operations_.push_back({found->second, timeline, nth});
  return operations_.size() - 1;
}

void Checker::Allocate(const Stamp& stamp, const std::shared_ptr<Allocation>& allocation) {
  std::lock_guard lock(mutex_);
  uint64_t begin = allocation->begin, end = begin + allocation->size_bytes;
  // Earlier memory at this address has been freed, or the address would not have been given again.
  auto next = resident_.lower_bound(begin);
  if (next != resident_.begin()) {
    auto before = std::prev(next);
    if (before->second->begin + before->second->size_bytes > begin) resident_.erase(before);
  }
  while (next != resident_.end() && next->first < end) next = resident_.erase(next);
  resident_[begin] = allocation;
  // That a pool's block is free is for the program to order; that an address is, for the device.
  if (!allocation->reuses_block) shadow_.Clear(begin, end);
  MarkBytes(stamp, *allocation, {begin, end, MarkKind::kAllocate});
  allocation->state = Allocation::State::kLive;
  allocation->changed_by = stamp.operation;
  Poison(*allocation, kFreshPoison);
}

void Checker::Free(const Stamp& stamp, Allocation& allocation) {
  std::lock_guard lock(mutex_);
  if (allocation.state != Allocation::State::kLive) {
    bool freed = allocation.state == Allocation::State::kFreed;
    return ReportLocked(
        stamp, freed ? "double free" : "use before allocation",
        StrCat("frees ", allocation.Name(),
               freed ? StrCat(", which ", NameLocked(allocation.changed_by), " freed already")
                     : ", whose allocation has not run yet"));
  }
  MarkBytes(stamp, allocation,
            {allocation.begin, allocation.begin + allocation.size_bytes, MarkKind::kFree});
  allocation.state = Allocation::State::kFreed;
  allocation.changed_by = stamp.operation;
  allocation.defined.Clear();
  // Other memory of devices goes back to the system, and its use is a fault.
  if (allocation.kind == MemoryKind::kPool) Poison(allocation, kFreedPoison);
  if (IsHost(allocation.kind)) {  // The address may be anybody's from now on.
    shadow_.Clear(allocation.begin, allocation.begin + allocation.size_bytes);
    auto found = resident_.find(allocation.begin);
    if (found != resident_.end() && found->second.get() == &allocation) resident_.erase(found);
  }
}

void Checker::Discard(Allocation& allocation) {
  std::lock_guard lock(mutex_);
  allocation.state = Allocation::State::kFreed;
  shadow_.Clear(allocation.begin, allocation.begin + allocation.size_bytes);
  auto found = resident_.find(allocation.begin);
  if (found != resident_.end() && found->second.get() == &allocation) resident_.erase(found);
}

bool Checker::CheckLive(const Stamp& stamp, const Allocation& allocation) {
  std::lock_guard lock(mutex_);
  switch (allocation.state) {
    case Allocation::State::kLive:
      return true;
    case Allocation::State::kPending:
      ReportLocked(stamp, "use before allocation",
                   StrCat("uses ", allocation.Name(),
                          ", whose allocation has not run yet; nothing "
                          "orders this command behind it"));
      return false;
    case Allocation::State::kFreed:
      ReportLocked(stamp, "use after free",
                   StrCat("uses ", allocation.Name(), ", which ", NameLocked(allocation.changed_by),
                          " has freed; no wait makes the free the last of the two"));
      return false;
  }
  return false;
}

std::shared_ptr<Allocation> Checker::Find(uint64_t address) {
  std::lock_guard lock(mutex_);
  auto found = resident_.upper_bound(address);
  if (found == resident_.begin()) return nullptr;
  const std::shared_ptr<Allocation>& allocation = std::prev(found)->second;
  return allocation->Holds(address, 1) ? allocation : nullptr;
}

std::string Checker::Neighbours(uint64_t address) {
  std::lock_guard lock(mutex_);
  auto next = resident_.upper_bound(address);
  if (next != resident_.begin()) {
    const Allocation& before = *std::prev(next)->second;
    uint64_t end = before.begin + before.size_bytes;
    if (address - end < 65536) {
      return StrCat("the address is ", address - end, " bytes behind the end of ", before.Name());
    }
  }
  if (next != resident_.end() && next->first - address < 65536) {
    return StrCat("the address is ", next->first - address, " bytes before ", next->second->Name());
  }
  return "no allocation is near the address";
}

void Checker::Use(const Stamp& stamp, Allocation& allocation, std::span<const MemoryUse> uses,
                  bool check_defined) {
  std::lock_guard lock(mutex_);
  bool keeps_defined = !IsHost(allocation.kind) && !allocation.all_defined;
  for (const MemoryUse& use : uses) {
    if (use.begin == use.end) continue;
    if (keeps_defined && check_defined && use.kind != MarkKind::kWrite) {
      if (auto gap = allocation.defined.FirstGap(use.begin, use.end)) {
        ReportLocked(stamp, "read of unwritten",
                     StrCat("reads ", Bytes(allocation, gap->first, gap->second),
                            ", which nothing has written since ", NameLocked(allocation.changed_by),
                            " allocated them"));
      }
    }
    MarkBytes(stamp, allocation, use);
  }
  if (!keeps_defined) return;
  for (const MemoryUse& use : uses) {
    if (use.kind != MarkKind::kRead && use.begin != use.end) {
      allocation.defined.Add(use.begin, use.end);
    }
  }
}

void Checker::ReadDefined(const Allocation& allocation, uint64_t begin, uint64_t end,
                          uint64_t* bits) {
  std::lock_guard lock(mutex_);
  auto set = [&](uint64_t from, uint64_t to) {
    for (uint64_t at = from - begin; at < to - begin;) {
      uint64_t low = at % 64, count = std::min<uint64_t>(64 - low, to - begin - at);
      uint64_t ones = count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
      bits[at / 64] |= ones << low;
      at += count;
    }
  };
  if (IsHost(allocation.kind) || allocation.all_defined) return set(begin, end);
  allocation.defined.ForEach(begin, end, set);
}

void Checker::Undefine(Allocation& allocation, uint64_t begin, uint64_t end) {
  std::lock_guard lock(mutex_);
  if (!IsHost(allocation.kind) && !allocation.all_defined) allocation.defined.Remove(begin, end);
}

void Checker::HostUse(const Stamp& stamp, uint64_t begin, uint64_t end, bool writes) {
  std::lock_guard lock(mutex_);
  auto next = resident_.upper_bound(begin);
  if (next != resident_.begin()) --next;
  for (; next != resident_.end() && next->first < end; ++next) {
    Allocation& allocation = *next->second;
    uint64_t from = std::max(begin, allocation.begin);
    uint64_t to = std::min(end, allocation.begin + allocation.size_bytes);
    if (from >= to) continue;
    MarkBytes(stamp, allocation, {from, to, writes ? MarkKind::kWrite : MarkKind::kRead});
  }
}

void Checker::Report(const Stamp& stamp, std::string_view kind, std::string_view text) {
  std::lock_guard lock(mutex_);
  ReportLocked(stamp, kind, text);
}

std::string Checker::NameOf(uint64_t operation) const {
  std::lock_guard lock(mutex_);
  return NameLocked(operation);
}

std::string Checker::NameLocked(uint64_t number) const {
  const Operation& operation = operations_[number];
  return StrCat("'", names_[operation.name], "' (", timelines_[operation.timeline],
                operation.timeline == kHostTimeline ? ", call " : ", command ", operation.nth, ")");
}

void Checker::MarkBytes(const Stamp& stamp, const Allocation& allocation, const MemoryUse& use) {
  Mark mark{use.kind, stamp.timeline, stamp.step, stamp.operation};
  auto conflicts = shadow_.Use(use.begin, use.end, mark, stamp.clock);
  // One stretch with one other command is one report, also where it consists of several segments.
  for (size_t i = 0; i < conflicts.size();) {
    const auto& first = conflicts[i];
    uint64_t end = first.end;
    size_t next = i + 1;
    while (next < conflicts.size() &&
           conflicts[next].earlier.operation == first.earlier.operation) {
      end = conflicts[next++].end;
    }
    const Operation& earlier = operations_[first.earlier.operation];
    std::string missing =
        earlier.timeline == kHostTimeline
            ? StrCat("the call of the host must come before this command is enqueued")
            : StrCat("an event recorded on ", timelines_[earlier.timeline], " behind command ",
                     earlier.nth, " that ", timelines_[stamp.timeline], " waits for before this");
    ReportLocked(stamp, DefectOf(use.kind, first.earlier.kind),
                 StrCat(VerbOf(use.kind), " ", Bytes(allocation, first.begin, end), ", which ",
                        NameLocked(first.earlier.operation), " ", VerbOf(first.earlier.kind),
                        "; nothing orders the two; missing: ", missing));
    i = next;
  }
}

void Checker::ReportLocked(const Stamp& stamp, std::string_view kind, std::string_view text) {
  TheReports().Add(StrCat(kind, ": ", NameLocked(stamp.operation), " ", text));
}

}  // namespace tfrt::gpu::cuda_double
