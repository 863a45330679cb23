// The frames through which kernels see one call: arguments, attributes, functions and results.
// Kernel authors rarely touch them; TFRT_KERNEL (kernel.h) unpacks a frame into C++ parameters.
#ifndef TFRT_HOST_CONTEXT_KERNEL_FRAME_H_
#define TFRT_HOST_CONTEXT_KERNEL_FRAME_H_

#include <cassert>
#include <cstdint>
#include <span>
#include <string>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/value.h"

namespace tfrt {

class Function;

// One call of an async kernel. A view: it points into the executor's state and is valid only until
// the kernel function returns; what a kernel needs later it copies (ValueRef, ExecutionContext).
// Arguments are borrowed, results are owned by the frame's reader. Of a strict kernel all
// arguments are available and none is an error.
class AsyncKernelFrame {
 public:
  // How the executor answers whether nobody but this call will use argument `index` again.
  using LastUseQuery = bool (*)(const AsyncKernelFrame& frame, uint32_t index);

  struct Parts {
    AsyncValue* const* registers = nullptr;     // indexed by argument_registers
    const uint32_t* argument_registers = nullptr;
    uint32_t num_arguments = 0;
    uint32_t num_attributes = 0;
    uint32_t num_functions = 0;
    uint32_t num_results = 0;
    const uint8_t* const* attributes = nullptr;  // first byte of each encoded value
    const Function* const* functions = nullptr;
    AsyncValue** results = nullptr;  // null at first; the kernel stores owned references
    const ExecutionContext* exec_ctx = nullptr;
    LastUseQuery is_last_use = nullptr;  // null: never
    const void* run = nullptr;           // for is_last_use
    uint32_t kernel_index = 0;           // for is_last_use
  };

  explicit AsyncKernelFrame(const Parts& parts) : parts_(parts) {}

  const ExecutionContext& exec_ctx() const { return *parts_.exec_ctx; }
  const Parts& parts() const { return parts_; }

  uint32_t num_arguments() const { return parts_.num_arguments; }
  AsyncValue* argument(uint32_t index) const {
    assert(index < parts_.num_arguments);
    return parts_.registers[parts_.argument_registers[index]];
  }
  // True if this call is the argument's last use, it is passed once, nobody else holds it, and the
  // same holds for an indirect value's target: the kernel may then reuse its payload in place.
  bool IsUniqueArgument(uint32_t index) const {
    return parts_.is_last_use && argument(index)->IsUnique() && parts_.is_last_use(*this, index);
  }

  uint32_t num_attributes() const { return parts_.num_attributes; }
  const uint8_t* attribute(uint32_t index) const {
    assert(index < parts_.num_attributes);
    return parts_.attributes[index];
  }
  uint32_t num_functions() const { return parts_.num_functions; }
  const Function* function(uint32_t index) const {
    assert(index < parts_.num_functions);
    return parts_.functions[index];
  }

  uint32_t num_results() const { return parts_.num_results; }
  AsyncValue* result(uint32_t index) const { return parts_.results[index]; }
  void SetResult(uint32_t index, RCReference<AsyncValue> value) const {
    assert(index < parts_.num_results && !parts_.results[index] && "result set twice");
    parts_.results[index] = value.release();
  }
  template <typename T, typename... Args>
  void EmplaceResult(uint32_t index, Args&&... args) const {
    SetResult(index, MakeAvailableAsyncValueRef<T>(std::forward<Args>(args)...).ReleaseRCRef());
  }
  // An unavailable result that the kernel makes available later.
  template <typename T>
  AsyncValueRef<T> AllocateResult(uint32_t index) const {
    auto value = MakeUnconstructedAsyncValueRef<T>();
    SetResult(index, value.CopyRCRef());
    return value;
  }
  RCReference<IndirectAsyncValue> AllocateIndirectResult(uint32_t index) const {
    auto value = MakeIndirectAsyncValue();
    SetResult(index, value);
    return value;
  }

  // Emits a diagnostic at the kernel's location and makes every result that is unset, or an
  // unavailable concrete value, the error. Results already available stay as they are.
  void ReportError(Status error) const;
  void ReportError(std::string message) const { ReportError(InternalError(std::move(message))); }
  // The same without the diagnostic.
  void SetErrors(const Status& error) const;

 private:
  Parts parts_;
};

// One call of a sync kernel, on plain values. Results are set in place; an error stops the function.
class SyncKernelFrame {
 public:
  struct Parts {
    Value* const* registers = nullptr;  // indexed by argument_registers and result_registers
    const uint32_t* argument_registers = nullptr;
    const uint32_t* result_registers = nullptr;
    uint32_t num_arguments = 0;
    uint32_t num_attributes = 0;
    uint32_t num_functions = 0;
    uint32_t num_results = 0;
    const uint8_t* const* attributes = nullptr;
    const Function* const* functions = nullptr;
    const ExecutionContext* exec_ctx = nullptr;
  };
  explicit SyncKernelFrame(const Parts& parts) : parts_(parts) {}
  const Parts& parts() const { return parts_; }

  const ExecutionContext& exec_ctx() const { return *parts_.exec_ctx; }
  uint32_t num_arguments() const { return parts_.num_arguments; }
  Value& argument(uint32_t index) const {
    assert(index < parts_.num_arguments);
    return *parts_.registers[parts_.argument_registers[index]];
  }
  uint32_t num_attributes() const { return parts_.num_attributes; }
  const uint8_t* attribute(uint32_t index) const {
    assert(index < parts_.num_attributes);
    return parts_.attributes[index];
  }
  uint32_t num_functions() const { return parts_.num_functions; }
  const Function* function(uint32_t index) const {
    assert(index < parts_.num_functions);
    return parts_.functions[index];
  }
  uint32_t num_results() const { return parts_.num_results; }
  Value& result(uint32_t index) const {
    assert(index < parts_.num_results);
    return *parts_.registers[parts_.result_registers[index]];
  }
  template <typename T, typename... Args>
  void EmplaceResult(uint32_t index, Args&&... args) const {
    result(index).emplace<T>(std::forward<Args>(args)...);
  }

  // Emits a diagnostic at the kernel's location and stops the function with `error`.
  void ReportError(Status error);
  void ReportError(std::string message) { ReportError(InternalError(std::move(message))); }
  // Stops the function with an error that has been diagnosed already.
  void SetError(Status error) { status_ = std::move(error); }
  const Status& status() const { return status_; }

 private:
  Parts parts_;
  Status status_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_KERNEL_FRAME_H_
