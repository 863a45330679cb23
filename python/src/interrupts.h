// Ctrl-C while the main thread is in the runtime, where Python's handler of signals cannot run.
#ifndef TFRT_PYTHON_INTERRUPTS_H_
#define TFRT_PYTHON_INTERRUPTS_H_

#include <functional>

#include "gil.h"

namespace tfrt::python {

// Cancels more than the contexts at a SIGINT: called once, by another thread, while the call goes
// on.
using CancelCall = std::function<void()>;

// Encloses a call of the runtime that may take long. It acts on the main thread, if the handler of
// SIGINT is Python's own. From 0.1 s after the call's begin on, the signal cancels what all
// contexts run, and calls `cancel`. Scopes may nest. Without the lock.
class InterruptScope {
 public:
  // `cancel` may be null; outlives this.
  explicit InterruptScope(const CancelCall* cancel = nullptr);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  struct Watch* const watch_;  // null: it is not the main thread's
  const CancelCall* const cancel_;
  const CancelCall* outer_ = nullptr;  // of the call that this one is in
};

// The same, and gives the interpreter's lock to others.
class LongCall {
 private:
  GilRelease release_;
  InterruptScope scope_;  // ends before the lock is taken back
};

// After such a call, with the lock: throws KeyboardInterrupt if one was cancelled. Contexts run
// again.
void RaiseIfInterrupted();

// Returns what `call` does, without the lock. Throws KeyboardInterrupt.
template <typename Call>
auto CallWithoutLock(Call call) {
  auto result = [&] {
    LongCall waits;
    return call();
  }();
  RaiseIfInterrupted();
  return result;
}

// To be called by the import, and by an `atexit` function, by the main thread with the lock.
void InitInterrupts();
void EndInterrupts();
// In the child after a fork.
void ForgetInterrupts();

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_INTERRUPTS_H_
