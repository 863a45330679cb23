// Call: what every entry point does before and after its own work.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_CALL_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_CALL_H_

#include <memory>
#include <string>
#include <utility>

#include "driver.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda_double {

enum class Needs : uint8_t {
  kNothing,     // works before cuInit
  kDriver,      // cuInit
  kAnyContext,  // and a current context
  kContext,     // that has not failed
};

// One call of an entry point. It counts the call, makes it fail if a setting says so, and holds the
// driver's lock. It checks the conditions of the function, and writes a line of the log. Lives on
// the stack of its function.
class Call {
 public:
  Call(Function function, Needs needs);

  // Anything but success: the function returns this and does nothing.
  CUresult early() const { return early_; }
  CUresult End(CUresult result);

  // Adds to the log's line; costs nothing without a log.
  template <typename... Pieces>
  void Note(const Pieces&... pieces) {
    if (TheCallLog().is_open()) details_ += StrCat(' ', pieces...);
  }

  const char* name() const { return FunctionName(function_); }
  Function function() const { return function_; }
  Driver& driver() { return *driver_; }
  Scheduler::Lock& lock() { return lock_; }
  ThreadState& thread() { return *thread_; }
  Context* context() const { return context_; }  // the current one; may be null
  bool is_null_mode() const { return driver_->settings.mode == Mode::kNull; }

  // The stream that a handle stands for, in the current context where it is a default stream.
  CUresult GetStream(CUstream handle, std::shared_ptr<Stream>* stream);
  CUresult GetEvent(CUevent handle, std::shared_ptr<Event>* event);
  CUresult GetDevice(CUdevice ordinal, Device** device);
  // Live; it may have failed.
  CUresult GetContext(CUcontext handle, Context** context);

  // Checks calls that the documentation names potentially unsafe. They are refused, and invalidate
  // the captures concerned, while captures are active and the thread's mode does not allow such
  // calls.
  CUresult CheckCaptureAllows();
  // Hardware was seen to wait in this call for all work of the context, which the documentation
  // leaves open: counted where there is some. The double does not wait, so that the order of the
  // work and the call is not taken for the program's doing.
  void NoteWaitForContext(const Context& context);
  // A report about a handle, and the code for it.
  CUresult BadHandle(std::string_view kind, bool was_removed);

  // Puts work at the end of a stream, or into the graph that is captured from it. `command` is null
  // then, and in null mode.
  CUresult Submit(const std::shared_ptr<Stream>& stream, std::shared_ptr<const Operation> operation,
                  std::shared_ptr<Command>* command = nullptr);
  // Returns the clock that the stream's next command would have.
  VectorClock ClockOf(const Stream& stream);

 private:
  const Function function_;
  CUresult early_ = CUDA_SUCCESS;
  Driver* driver_ = nullptr;
  Scheduler::Lock lock_;
  ThreadState* thread_ = nullptr;
  Context* context_ = nullptr;
  std::string details_;
  uint32_t correlation_ = 0;  // 0: nobody has been told of it
};

// The whole of an entry point: `body(call)` returns the result.
template <typename Body>
CUresult Enter(Function function, Needs needs, Body&& body) {
  Call call(function, needs);
  if (call.early() != CUDA_SUCCESS) return call.End(call.early());
  return call.End(std::forward<Body>(body)(call));
}

// Returns from a function of codes unless the expression is success.
#define TFRT_GPU_RETURN_IF_FAILED(expression) \
  if (CUresult code_ = (expression); code_ != CUDA_SUCCESS) return code_

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_CALL_H_
