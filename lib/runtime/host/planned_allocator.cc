#include "planned_allocator.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

namespace tfrt {
namespace {

size_t RoundUp(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

}  // namespace

PlannedAllocator::~PlannedAllocator() {
  if (arena_) upstream_->DeallocateBytes(arena_, arena_size_);
}

void PlannedAllocator::BeginRun(std::span<const int64_t> key) {
  std::lock_guard lock(mutex_);
  statistics_.from_arena = statistics_.from_upstream = 0;
  auto found = std::ranges::find_if(
      plans_, [&](const Plan& plan) { return std::ranges::equal(plan.key, key); });
  statistics_.plan_bytes = statistics_.lower_bound_bytes = 0;
  is_recording_ = found == plans_.end();
  if (is_recording_) {
    plan_ = nullptr;
    recorded_ = {.key = {key.begin(), key.end()}};
    recorded_blocks_.clear();
    now_ = 0;
    return;
  }
  // The latest is the last.
  if (found + 1 != plans_.end()) std::rotate(found, found + 1, plans_.end());
  plan_ = &plans_.back();
  statistics_.plan_bytes = plan_->size;
  statistics_.lower_bound_bytes = plan_->lower_bound;
  if (plan_->size > arena_size_) GrowArena(plan_->size);
  taken_.assign(plan_->requests.size(), false);
  next_ = 0;
}

void PlannedAllocator::EndRun() {
  std::lock_guard lock(mutex_);
  if (is_recording_) MakePlan();
  is_recording_ = false;
  plan_ = nullptr;
}

void PlannedAllocator::AbandonRun() {
  std::lock_guard lock(mutex_);
  if (is_recording_) recorded_ = {};
  is_recording_ = false;
  plan_ = nullptr;
}

void* PlannedAllocator::AllocateBytes(size_t size_bytes, size_t alignment) {
  // In the arena a block of no bytes takes one, so that no two blocks begin at the same place.
  const size_t planned_size = std::max<size_t>(size_bytes, 1);
  {
    std::lock_guard lock(mutex_);
    if (plan_ && alignment <= kAlignment) {
      if (void* block = TakePlanned(planned_size)) {
        ++statistics_.from_arena;
        // relaxed: the caller has the allocator already.
        users_.fetch_add(1, std::memory_order_relaxed);
        return block;
      }
    }
    ++statistics_.from_upstream;
  }
  void* block = upstream_->AllocateBytes(size_bytes, alignment);
  if (!block) return nullptr;
  users_.fetch_add(1, std::memory_order_relaxed);
  std::lock_guard lock(mutex_);
  if (is_recording_) RecordRequest(block, planned_size);
  return block;
}

void PlannedAllocator::DeallocateBytes(void* block, size_t size_bytes) {
  if (!block) return;
  bool is_in_arena;
  {
    std::lock_guard lock(mutex_);
    is_in_arena = IsInArena(block);
    if (is_in_arena) {
      auto offset = static_cast<size_t>(static_cast<char*>(block) - arena_);
      auto found = std::ranges::find(live_, offset, &LiveBlock::begin);
      assert(found != live_.end() && "a block is given back twice");
      *found = live_.back();
      live_.pop_back();
    } else if (is_recording_) {
      RecordReturn(block);
    }
  }
  if (!is_in_arena) upstream_->DeallocateBytes(block, size_bytes);
  DropUser();
}

void PlannedAllocator::RecordRequest(const void* block, size_t size) {
  std::vector<Request>& requests = recorded_.requests;
  if (requests.size() == kMaxPlanned) return;
  recorded_blocks_[block] = requests.size();
  requests.push_back({.size = size, .begin = now_++});
}

void PlannedAllocator::RecordReturn(const void* block) {
  auto found = recorded_blocks_.find(block);
  if (found == recorded_blocks_.end()) return;
  recorded_.requests[found->second].end = now_++;
  recorded_blocks_.erase(found);
}

// The next request of the plan, or one a little later when threads make theirs in another order.
void* PlannedAllocator::TakePlanned(size_t size) {
  constexpr size_t kWindow = 16;
  std::vector<Request>& requests = plan_->requests;
  while (next_ < requests.size() && taken_[next_]) ++next_;
  const size_t end = std::min(requests.size(), next_ + kWindow);
  for (size_t i = next_; i < end; ++i) {
    if (taken_[i] || requests[i].size != size) continue;
    taken_[i] = true;
    const size_t offset = requests[i].offset;
    if (offset == kNotPlanned || offset + size > arena_size_ || !IsFree(offset, offset + size)) {
      return nullptr;
    }
    live_.push_back({offset, offset + size});
    return arena_ + offset;
  }
  return nullptr;
}

bool PlannedAllocator::IsFree(size_t begin, size_t end) const {
  return std::ranges::none_of(
      live_, [&](const LiveBlock& live) { return live.begin < end && begin < live.end; });
}

void PlannedAllocator::GrowArena(size_t size) {
  // Blocks in the old arena stay there; such runs do without a plan until they are freed.
  if (!live_.empty()) return;
  if (arena_) upstream_->DeallocateBytes(arena_, arena_size_);
  arena_ = static_cast<char*>(upstream_->AllocateBytes(size, kAlignment));
  arena_size_ = arena_ ? size : 0;
}

void PlannedAllocator::MakePlan() {
  recorded_blocks_.clear();
  Place(&recorded_);
  statistics_.plan_bytes = recorded_.size;
  statistics_.lower_bound_bytes = recorded_.lower_bound;
  if (plans_.size() == kMaxPlans) plans_.pop_front();
  plans_.push_back(std::move(recorded_));
  recorded_ = {};
}

size_t PlannedAllocator::PlaceInOrder(std::span<const size_t> order,
                                      std::vector<Request>& requests) {
  size_t total = 0;
  std::vector<size_t> by_offset;  // placed ones
  for (size_t i : order) {
    Request& request = requests[i];
    const size_t size = RoundUp(request.size, kAlignment);
    size_t offset = 0;
    for (size_t j : by_offset) {
      const Request& other = requests[j];
      if (other.begin > request.end || request.begin > other.end) continue;
      if (other.offset >= offset + size) break;
      offset = std::max(offset, other.offset + RoundUp(other.size, kAlignment));
    }
    request.offset = offset;
    auto at = std::ranges::upper_bound(by_offset, offset, {},
                                       [&](size_t j) { return requests[j].offset; });
    by_offset.insert(at, i);
    total = std::max(total, offset + size);
  }
  return total;
}

// Each at the lowest offset where no placed one lies that lives at the same time: the largest
// first, those first that take most of space and time, or in the order of the run. The best is
// taken.
void PlannedAllocator::Place(Plan* plan) {
  std::vector<Request>& requests = plan->requests;
  std::vector<size_t> order;
  std::vector<std::pair<size_t, std::ptrdiff_t>> events;
  for (size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].end == SIZE_MAX) continue;
    order.push_back(i);
    auto size = static_cast<std::ptrdiff_t>(RoundUp(requests[i].size, kAlignment));
    events.push_back({requests[i].begin, size});
    events.push_back({requests[i].end, -size});
  }
  std::ranges::sort(events);
  std::ptrdiff_t in_use = 0;
  for (const auto& [time, size] : events) {
    in_use += size;
    plan->lower_bound = std::max(plan->lower_bound, static_cast<size_t>(in_use));
  }
  auto size_of = [&](size_t i) { return requests[i].size; };
  auto area_of = [&](size_t i) {
    return static_cast<double>(requests[i].size) *
           static_cast<double>(requests[i].end - requests[i].begin);
  };
  std::vector<std::vector<size_t>> orders(3, order);
  std::ranges::stable_sort(orders[0], std::greater<>(), size_of);
  std::ranges::stable_sort(orders[1], std::greater<>(), area_of);
  plan->size = SIZE_MAX;
  for (const std::vector<size_t>& each : orders) {
    std::vector<Request> placed = requests;
    const size_t size = PlaceInOrder(each, placed);
    if (size >= plan->size) continue;
    plan->size = size;
    requests = std::move(placed);
    if (size == plan->lower_bound) break;
  }
}

PlannedAllocator::Statistics PlannedAllocator::statistics() const {
  std::lock_guard lock(mutex_);
  Statistics result = statistics_;
  result.arena_bytes = arena_size_;
  return result;
}

}  // namespace tfrt
