// Ops that are scheduled and not over: how many there may be, and how to wait for them.

#include <mutex>
#include <utility>
#include <vector>

#include "context_impl.h"
#include "lib/runtime/host/timeline.h"
#include "node.h"
#include "op_scope.h"
#include "steps.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/yield_point.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::eager {

Status Context::Impl::CountBegin(uint8_t* epoch) {
  // relaxed: a number. A call that is made while the epoch changes may be counted in either; Wait
  // waits for both.
  uint64_t pending = pending_.load(std::memory_order_relaxed);
  while (true) {
    if (CountOf(pending) >= options.max_pending) [[unlikely]] {
      TFRT_RETURN_IF_ERROR(AwaitRoom());
      pending = pending_.load(std::memory_order_relaxed);
      continue;
    }
    *epoch = epoch_.load(std::memory_order_relaxed) & 1;
    if (pending_.compare_exchange_weak(pending, pending + OneOf(*epoch), std::memory_order_relaxed))
        [[likely]] {
      return OkStatus();
    }
  }
}

Status Context::Impl::AwaitRoom() {
  if (host->work_queue().IsInWorkerThread() || IsRunningNode()) {
    return ResourceExhaustedError(
        StrCat("the context has ", options.max_pending,
               " pending ops, the most it may have (ContextOptions::max_pending), and this thread, "
               "which runs its ops, must not wait for room"));
  }
  AsyncValueRef<Chain> room;
  {
    std::lock_guard lock(wait_mutex_);
    // relaxed: a node that ends afterwards finds the mark in the word that it changes.
    uint64_t pending = pending_.fetch_or(kRoomIsAwaited, std::memory_order_relaxed);
    if (CountOf(pending) < options.max_pending) return OkStatus();
    if (!room_) room_ = MakeUnconstructedAsyncValueRef<Chain>();
    room = room_.CopyRef();
  }
  Step step(RecordsSteps(), kStallStep, {0, "wait"});
  AsyncValue* value = room.GetAsyncValue();
  AwaitOnTop(host, {&value, 1});
  return OkStatus();
}

void Context::Impl::CountEnd(uint8_t epoch) {
  // acq_rel: whoever waits sees what the node did.
  uint64_t pending = pending_.load(std::memory_order_relaxed);
  while (CountOf(pending, epoch) > 1 && (pending & kRoomIsAwaited) == 0) {
    TFRT_YIELD_POINT(room_is_not_awaited);
    if (pending_.compare_exchange_weak(pending, pending - OneOf(epoch), std::memory_order_acq_rel,
                                       std::memory_order_relaxed)) {
      return;
    }
  }
  // This may be the last one. A waiter takes the lock before it goes on and destroys the context.
  std::lock_guard lock(wait_mutex_);
  pending = pending_.fetch_sub(OneOf(epoch), std::memory_order_acq_rel);
  if ((pending & kRoomIsAwaited) != 0 && CountOf(pending) <= options.max_pending) {
    pending_.fetch_and(~kRoomIsAwaited, std::memory_order_relaxed);
    if (room_) std::exchange(room_, nullptr).AsPtr().emplace();
  }
  if (CountOf(pending, epoch) > 1 || !idle_[epoch]) return;
  std::exchange(idle_[epoch], nullptr).AsPtr().emplace();
}

void Context::Impl::BoundUploads(RCReference<AsyncValue> copy, size_t size_bytes) {
  // Not the copy itself: what is noted here must keep no memory.
  auto enqueued = MakeUnconstructedAsyncValueRef<Chain>();
  copy->AndThen([enqueued = enqueued.CopyRef()] { enqueued.emplace(); });
  std::vector<AsyncValueRef<Chain>> oldest;
  {
    std::lock_guard lock(uploads_mutex_);
    uploads_.push_back({std::move(enqueued), size_bytes});
    upload_bytes_ += size_bytes;
    while (uploads_.front().enqueued.IsAvailable() || upload_bytes_ > max_upload_bytes_) {
      upload_bytes_ -= uploads_.front().size_bytes;
      oldest.push_back(std::move(uploads_.front().enqueued));
      uploads_.pop_front();
      if (uploads_.empty()) break;
    }
  }
  std::vector<AsyncValue*> awaited;
  for (const AsyncValueRef<Chain>& each : oldest) {
    if (!each.IsAvailable()) awaited.push_back(each.GetAsyncValue());
  }
  if (awaited.empty() || host->work_queue().IsInWorkerThread() || IsRunningNode()) return;
  Step step(RecordsSteps(), kStallStep, {0, "wait"});
  AwaitOnTop(host, awaited);
}

void Context::Impl::Wait() {
  AwaitNodes();
  std::vector<AsyncValueRef<Chain>> events;
  std::vector<AsyncValue*> awaited;
  for (const ContextDevice& device : devices) {
    for (Timeline* timeline : device.device->timelines()) {
      events.push_back(timeline->Record()->done());
      awaited.push_back(events.back().GetAsyncValue());
    }
  }
  if (!awaited.empty()) AwaitOnTop(host, awaited);
  if (!log) return;
  AsyncValueRef<Chain> written = log->Written();
  AsyncValue* value = written.GetAsyncValue();
  AwaitOnTop(host, {&value, 1});
}

void Context::Impl::AwaitNodes() {
  std::unique_lock lock(wait_mutex_);
  // Earlier calls are counted in this epoch or, if they came late, in the one before. An epoch
  // begins when nothing is left of the last but one. So both are over in one of two cases: this
  // epoch is no longer the present one and has nothing left, or the one after the next has begun.
  // relaxed: changed under the lock.
  const uint64_t arrival = epoch_.load(std::memory_order_relaxed);
  while (true) {
    uint64_t now = epoch_.load(std::memory_order_relaxed);
    if (now >= arrival + 2) return;
    uint8_t last = (now + 1) & 1;
    // acquire: sees what the nodes did.
    if (CountOf(pending_.load(std::memory_order_acquire), last) == 0) {
      if (now > arrival) return;
      epoch_.store(now + 1, std::memory_order_relaxed);
      continue;
    }
    if (!idle_[last]) idle_[last] = MakeUnconstructedAsyncValueRef<Chain>();
    AsyncValueRef<Chain> idle = idle_[last].CopyRef();
    lock.unlock();
    // Not asleep: this may be the only thread that runs tasks, or one of few.
    AsyncValue* value = idle.GetAsyncValue();
    AwaitOnTop(host, {&value, 1});
    lock.lock();  // the last node has left CountEnd
  }
}

}  // namespace tfrt::eager
