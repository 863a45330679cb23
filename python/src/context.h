// Contexts and scopes as Python has them. Scopes belong to the code that enters them (a context
// variable), not to threads. A thread that has entered none has that of the default context.
#ifndef TFRT_PYTHON_CONTEXT_H_
#define TFRT_PYTHON_CONTEXT_H_

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gil.h"
#include "tfrt/eager/context.h"

namespace tfrt::python {

namespace nb = nanobind;

// A context and what must live as long. Shared by its Python object, scopes and threads that call
// ops in it. The last owner's thread waits for its ops.
class ContextHolder {
 public:
  ContextHolder(std::unique_ptr<eager::Context> context, bool is_fifo)
      : context_(std::move(context)), is_fifo_(is_fifo) {}
  ~ContextHolder();

  // Null in a fork of the process that made it.
  eager::Context* context() const { return is_of_this_process() ? context_.get() : nullptr; }
  bool is_of_this_process() const { return fork_ == fork_generation(); }
  bool is_closed() const { return closed_.load(std::memory_order_relaxed); }
  // FailedPrecondition if it is closed, or of the process that this one was forked from.
  Status Check() const;
  // The context, or the error of Check.
  StatusOr<eager::Context*> Get() const;
  // No call runs in it any more; those that have begun are waited for.
  void Close();
  bool is_fifo() const { return is_fifo_; }
  // The program's cancellation, which lasts until it restarts. Throws the error of Check.
  void Cancel();
  void Restart();
  // The cancellation by an interrupt.
  void Interrupt();
  void EndInterrupt();
  // Keeps objects that live as long as the context: texts of ops.
  void Keep(std::shared_ptr<const void> thing) { kept_.push_back(std::move(thing)); }

 private:
  std::vector<std::shared_ptr<const void>> kept_;  // goes after the context
  std::unique_ptr<eager::Context> context_;
  const uint32_t fork_ = fork_generation();
  const bool is_fifo_;
  std::atomic<bool> closed_{false};
  std::atomic<bool> is_cancelled_{false};    // by the program
  std::atomic<bool> is_interrupted_{false};  // the interrupt has cancelled it
};

using ContextRef = std::shared_ptr<ContextHolder>;

// tfrt.Context.
struct PyContext {
  ContextRef holder;
};

// The scope of this thread's calls, as the runtime needs it.
struct CurrentScope {
  ContextHolder* holder;
  eager::ExecutionMode mode;
  // A call may keep the interpreter's lock if it is short: nothing that it waits for needs the
  // lock.
  bool may_keep_lock;
};

// Makes the innermost scope that this code is in the thread's. Throws FailedPreconditionError for
// one whose context is closed. Before each call of the runtime that needs a scope, with the lock.
const CurrentScope& EnterScope();
// The same with a reference to its context.
ContextRef CurrentContext();
// Raises what Context::TakeError has in ASYNC mode. Before a call in the scope.
void RaiseIfEarlierCallFailed(const CurrentScope& scope);
ContextRef DefaultContext();

// While it lives code of this thread may not enter another scope: a function is traced in the
// present one.
class PinnedScope {
 public:
  PinnedScope();
  ~PinnedScope();
  PinnedScope(const PinnedScope&) = delete;
  PinnedScope& operator=(const PinnedScope&) = delete;
};

// A scope of the runtime's own threads while they call Python: ops that it calls run in it.
class CallbackScope {
 public:
  explicit CallbackScope(eager::Context& context);
  ~CallbackScope();

 private:
  eager::Scope scope_;
  void* outer_;
};

// Cancels what all contexts run, on any thread, until they are restarted; those that the program
// has cancelled stay so.
void CancelContexts();
void RestartContexts();
// Waits for all contexts, and leaves the scope of this thread. Before the interpreter ends.
void EndContexts();
// In the child after a fork.
void ForgetContexts();

void BindContext(nb::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_CONTEXT_H_
