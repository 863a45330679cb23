#include "event_record.h"
#include "stream.h"

namespace tfrt::sim {
namespace internal {

void EventRecord::Happen(const Status& error) {
  if (error.ok()) {
    done.emplace();
  } else {
    done.SetError(error);
  }
  // A thread that found it missing under the lock is waiting by now.
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

Status EventRecord::Await() {
  if (!HasHappened()) {
    AwaitScope scope;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return HasHappened(); });
  }
  return done.IsError() ? done.GetError() : OkStatus();
}

void EventRecord::SeenByHost() {
  {
    std::lock_guard lock(host->mutex);
    host->positions.Join(seen);
  }
  if (observer) observer->Wait(TimelineObserver::kCallingThread, event);
}

}  // namespace internal

Status Event::Wait() const {
  if (!record_) return OkStatus();
  Status status = record_->Await();
  record_->SeenByHost();
  return status;
}

bool Event::Poll() const {
  if (!record_) return true;
  if (!record_->HasHappened()) return false;
  record_->SeenByHost();
  return true;
}

AsyncValueRef<Chain> Event::done() const {
  return record_ ? record_->done.CopyRef() : GetReadyChain();
}

}  // namespace tfrt::sim
