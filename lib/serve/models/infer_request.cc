#include "infer_request.h"

namespace tfrt::serve {

void InferCancel::Cancel() {
  std::function<void()> action;
  {
    std::lock_guard lock(mutex_);
    is_cancelled_ = true;
    action = std::exchange(action_, nullptr);
  }
  if (action) action();
}

bool InferCancel::is_cancelled() const {
  std::lock_guard lock(mutex_);
  return is_cancelled_;
}

bool InferCancel::SetAction(std::function<void()> action) {
  std::function<void()> old;  // destroyed after the lock: it may own the request
  std::lock_guard lock(mutex_);
  if (is_cancelled_) return false;
  old = std::exchange(action_, std::move(action));
  return true;
}

}  // namespace tfrt::serve
