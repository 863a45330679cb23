#include "test/support/order_checker/order_checker.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

uintptr_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

MarkKind KindOf(TimelineObserver::AccessKind kind) {
  switch (kind) {
    case TimelineObserver::AccessKind::kRead:
      return MarkKind::kRead;
    case TimelineObserver::AccessKind::kWrite:
      return MarkKind::kWrite;
    case TimelineObserver::AccessKind::kReadWrite:
      return MarkKind::kReadWrite;
  }
  return MarkKind::kReadWrite;
}

// What it is that two uses of the same bytes are not ordered.
Defect DefectOf(MarkKind kind, MarkKind earlier) {
  if (kind == MarkKind::kAllocate) return Defect::kReusedTooEarly;
  if (earlier == MarkKind::kAllocate) return Defect::kUseBeforeAllocation;
  if (kind == MarkKind::kFree) return Defect::kUseAfterFree;
  return Defect::kUnordered;
}

// A number that no other thread of the process has or had, as identifiers of threads come back.
uint64_t ThreadNumber() {
  static std::atomic<uint64_t> num_threads{0};
  // relaxed: nothing but the number is passed on.
  static thread_local const uint64_t number =
      num_threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return number;
}

}  // namespace

OrderChecker::OrderChecker(Options options) : options_(options) {
  timelines_.push_back({.name = "host"});
  spaces_.emplace_back().name = "host memory";
}

OrderChecker::~OrderChecker() {
  if (num_found_ == 0) return;
  std::fprintf(stderr, "order checker: %zu reports that nobody has taken\n", num_found_);
  for (const Found& found : found_) {
    std::fprintf(stderr, "  %s\n", found.report.ToString().c_str());
  }
  std::abort();
}

std::vector<OrderReport> OrderChecker::TakeReports() {
  std::lock_guard lock(mutex_);
  std::vector<OrderReport> reports;
  for (Found& found : found_) reports.push_back(std::move(found.report));
  found_.clear();
  num_found_ = 0;
  return reports;
}

size_t OrderChecker::num_found() const {
  std::lock_guard lock(mutex_);
  return num_found_;
}

TimelineObserver::Timeline OrderChecker::AddTimeline(std::string_view name) {
  std::lock_guard lock(mutex_);
  timelines_.push_back({.name = std::string(name)});
  return static_cast<Timeline>(timelines_.size() - 1);
}

TimelineObserver::Space OrderChecker::AddSpace(std::string_view name, const void* begin,
                                               size_t size_bytes) {
  std::lock_guard lock(mutex_);
  SpaceState& space = spaces_.emplace_back();
  space.name = name;
  space.begin = AddressOf(begin);
  space.end = space.begin + size_bytes;
  // Who had these addresses before gave them back.
  spaces_[kHostMemory].shadow.Clear(space.begin, space.end);
  return static_cast<Space>(spaces_.size() - 1);
}

void OrderChecker::RemoveSpace(Space space) {
  std::lock_guard lock(mutex_);
  spaces_[space] = {.name = std::move(spaces_[space].name)};
}

void OrderChecker::Use(Timeline timeline, std::string_view operation,
                       std::span<const Access> accesses) {
  std::lock_guard lock(mutex_);
  Mark mark = Begin(Enter(timeline), operation, MarkKind::kRead);
  for (const Access& access : accesses) {
    mark.kind = KindOf(access.kind);
    UseOne(mark, access);
  }
}

void OrderChecker::Allocate(Timeline timeline, std::string_view operation, Space space,
                            const void* address, size_t size_bytes) {
  std::lock_guard lock(mutex_);
  Mark mark = Begin(Enter(timeline), operation, MarkKind::kAllocate);
  uintptr_t begin = AddressOf(address), end = begin + std::max<size_t>(size_bytes, 1);
  if (!CheckSpace(mark, space, begin, end)) return;
  MakeRoom(mark, space, begin, end);
  MarkBytes(mark, space, begin, end);
  spaces_[space].blocks[begin] = {.end = end, .size_bytes = size_bytes, .allocated = mark};
}

void OrderChecker::Free(Timeline timeline, std::string_view operation, Space space,
                        const void* address) {
  std::lock_guard lock(mutex_);
  Mark mark = Begin(Enter(timeline), operation, MarkKind::kFree);
  uintptr_t begin = AddressOf(address);
  if (!CheckSpace(mark, space, begin, begin + 1)) return;
  auto& blocks = spaces_[space].blocks;
  auto found = blocks.find(begin);
  if (found == blocks.end()) {
    return Report(Defect::kFreeOfNoBlock, mark, nullptr, space, begin, begin + 1);
  }
  Block& block = found->second;
  if (block.freed) {
    return Report(Defect::kDoubleFree, mark, &*block.freed, space, begin, block.end);
  }
  MarkBytes(mark, space, begin, block.end);
  block.freed = mark;
  if (space == kHostMemory) {  // Its next owner need not tell.
    spaces_[space].shadow.Clear(begin, block.end);
    blocks.erase(found);
  }
}

TimelineObserver::Event OrderChecker::Record(Timeline timeline) {
  std::lock_guard lock(mutex_);
  events_[++last_event_] = timelines_[Enter(timeline)].clock;
  return last_event_;
}

void OrderChecker::Wait(Timeline timeline, Event event) {
  std::lock_guard lock(mutex_);
  Timeline entered = Enter(timeline);
  auto found = events_.find(event);
  if (found == events_.end()) {
    Mark mark = Begin(entered, StrCat("wait for event ", event), MarkKind::kRead);
    return Report(Defect::kUnknownEvent, mark, nullptr, kHostMemory, 0, 0);
  }
  timelines_[entered].clock.Join(found->second);
}

void OrderChecker::Forget(Event event) {
  std::lock_guard lock(mutex_);
  events_.erase(event);
}

TimelineObserver::Timeline OrderChecker::HostTimeline() {
  if (options_.host_threads == Options::HostThreads::kOne) return 0;
  auto [found, is_new] = timeline_of_thread_.try_emplace(ThreadNumber(), 0);
  if (is_new) {
    found->second = static_cast<Timeline>(timelines_.size());
    timelines_.push_back({.name = StrCat("host thread ", timeline_of_thread_.size())});
  }
  return found->second;
}

TimelineObserver::Timeline OrderChecker::Enter(Timeline timeline) {
  Timeline host = HostTimeline();
  if (timeline == kCallingThread) return host;
  timelines_[timeline].clock.Join(timelines_[host].clock);
  return timeline;
}

Mark OrderChecker::Begin(Timeline timeline, std::string_view operation, MarkKind kind) {
  operations_.push_back({std::string(operation), timeline});
  return {kind, timeline, timelines_[timeline].clock.Advance(timeline), operations_.size() - 1};
}

void OrderChecker::UseOne(const Mark& mark, const Access& access) {
  if (access.size_bytes == 0) return;
  uintptr_t begin = AddressOf(access.address), end = begin + access.size_bytes;
  if (!CheckSpace(mark, access.space, begin, end)) return;
  if (access.space != kHostMemory && !CheckBlock(mark, access.space, begin, end)) return;
  if (options_.report_reads_of_unwritten && mark.kind != MarkKind::kWrite) {
    if (auto unwritten = spaces_[access.space].shadow.FindUnwritten(begin, end)) {
      Report(Defect::kReadOfUnwritten, mark, &unwritten->earlier, access.space, unwritten->begin,
             unwritten->end);
    }
  }
  MarkBytes(mark, access.space, begin, end);
}

bool OrderChecker::CheckSpace(const Mark& mark, Space space, uintptr_t begin, uintptr_t end) {
  // A use that runs out of the memory of a device is one that runs out of its block.
  Space actual = SpaceOf(begin, space == kHostMemory ? end : begin + 1);
  if (actual == space) return true;
  Report(Defect::kWrongMemory, mark, nullptr, actual, begin, end, spaces_[space].name);
  return false;
}

bool OrderChecker::CheckBlock(const Mark& mark, Space space, uintptr_t begin, uintptr_t end) {
  auto& blocks = spaces_[space].blocks;
  auto found = blocks.upper_bound(begin);
  if (found == blocks.begin() || std::prev(found)->second.end <= begin) {
    Report(Defect::kUseBeforeAllocation, mark, nullptr, space, begin, end);
    return false;
  }
  const auto& [block_begin, block] = *std::prev(found);
  if (block.freed) {
    Report(Defect::kUseAfterFree, mark, &*block.freed, space, begin, end);
    return false;
  }
  if (end > block_begin + block.size_bytes) {
    Report(Defect::kOutOfBounds, mark, nullptr, space, begin, end);
    return false;
  }
  return true;
}

void OrderChecker::MarkBytes(const Mark& mark, Space space, uintptr_t begin, uintptr_t end) {
  const VectorClock& clock = timelines_[mark.timeline].clock;
  for (const auto& conflict : spaces_[space].shadow.Use(begin, end, mark, clock)) {
    Report(DefectOf(mark.kind, conflict.earlier.kind), mark, &conflict.earlier, space,
           conflict.begin, conflict.end);
  }
}

void OrderChecker::MakeRoom(const Mark& mark, Space space, uintptr_t begin, uintptr_t end) {
  auto& blocks = spaces_[space].blocks;
  auto at = blocks.upper_bound(begin);
  if (at != blocks.begin() && std::prev(at)->second.end > begin) --at;
  while (at != blocks.end() && at->first < end) {
    uintptr_t block_begin = at->first;
    Block block = at->second;
    if (!block.freed) {
      Report(Defect::kReusedTooEarly, mark, &block.allocated, space, std::max(begin, block_begin),
             std::min(end, block.end));
    }
    at = blocks.erase(at);
    // What is left of a free block stays known as free.
    if (block.freed && block.end > end) blocks.emplace(end, block);
    if (block.freed && block_begin < begin) {
      block.end = begin;
      blocks.emplace(block_begin, block);
    }
  }
}

void OrderChecker::Report(Defect defect, const Mark& mark, const Mark* earlier, Space space,
                          uintptr_t begin, uintptr_t end, std::string_view needed_memory) {
  uint64_t other = earlier ? earlier->operation : mark.operation;
  uint64_t offset = begin - spaces_[space].begin, size_bytes = end - begin;
  // One stretch is one report, also where it consists of several segments.
  for (auto found = found_.rbegin(); found != found_.rend(); ++found) {
    OrderReport& report = found->report;
    if (found->operation != mark.operation) break;
    if (found->earlier_operation != other || report.defect != defect ||
        report.memory != spaces_[space].name) {
      continue;
    }
    if (offset < report.begin || offset > report.begin + report.size_bytes) continue;
    report.size_bytes = std::max(report.size_bytes, offset + size_bytes - report.begin);
    return;
  }
  ++num_found_;
  if (found_.size() == kMaxReports) return;
  OrderReport report{.defect = defect,
                     .operation = operations_[mark.operation].name,
                     .use = VerbOf(mark.kind),
                     .timeline = timelines_[mark.timeline].name,
                     .memory = spaces_[space].name,
                     .begin = offset,
                     .size_bytes = size_bytes,
                     .needed_memory = std::string(needed_memory)};
  if (earlier) {
    report.earlier_operation = operations_[earlier->operation].name;
    report.earlier_use = VerbOf(earlier->kind);
    report.earlier_timeline = timelines_[earlier->timeline].name;
  }
  found_.push_back({std::move(report), mark.operation, other});
}

TimelineObserver::Space OrderChecker::SpaceOf(uintptr_t begin, uintptr_t end) const {
  for (Space space = 1; space < spaces_.size(); ++space) {
    if (begin < spaces_[space].end && end > spaces_[space].begin) return space;
  }
  return kHostMemory;
}

}  // namespace tfrt
