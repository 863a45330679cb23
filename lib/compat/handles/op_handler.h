// OpHandler: who makes ops of their names: the ops of one kind of device, or a layer in front of
// another handler. A handler passes names it does not know to its fallback.
#ifndef TFRT_LIB_COMPAT_HANDLES_OP_HANDLER_H_
#define TFRT_LIB_COMPAT_HANDLES_OP_HANDLER_H_

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "tensor_handle.h"
#include "tfrt/async/chain.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {

class HostContext;
class OpRegistry;
struct OpLogOptions;

// One call of an op.
struct OpInvocation {
  const ExecutionContext& exec_ctx;  // its location is that of the call
  // May be moved from: an op reuses the memory of tensors whose last handle it gets.
  std::span<TensorHandle> arguments;
  OpAttrsRef attrs;
  std::span<TensorHandle> results;  // set when the call returns; their tensors may come later
  // Null, or in: when the op may start, and out: when its side effects are over, or an error. An op
  // without side effects leaves it as it is, unless the call is known to be wrong at once.
  AsyncValueRef<Chain>* chain = nullptr;

  // Makes all results, and the chain, the error.
  void SetErrors(RCReference<AsyncValue> error) const;
  // The same, reported as a diagnostic at the call's location.
  void ReportError(Status error) const;
};

// An op that has been looked up. A small value; thread-safe.
class CoreRuntimeOp {
 public:
  static constexpr std::string_view kProgramTypeName = "op";
  class Impl : public ReferenceCounted<Impl> {
   public:
    virtual ~Impl() = default;
    virtual void Execute(const OpInvocation& invocation) const = 0;
  };

  CoreRuntimeOp() = default;
  explicit CoreRuntimeOp(RCReference<const Impl> impl) : impl_(std::move(impl)) {}

  explicit operator bool() const { return static_cast<bool>(impl_); }
  // Never blocks. Errors become those of the results.
  void operator()(const OpInvocation& invocation) const { impl_->Execute(invocation); }

 private:
  RCReference<const Impl> impl_;
};

// Lives with the CoreRuntime that has it; its ops must not outlive it. Thread-safe.
class OpHandler {
 public:
  static constexpr std::string_view kProgramTypeName = "op handler";
  virtual ~OpHandler() = default;
  OpHandler(const OpHandler&) = delete;
  OpHandler& operator=(const OpHandler&) = delete;

  // "cpu", "null", "logging", ...
  std::string_view name() const { return name_; }
  // Null only for the handler at the end of the line.
  OpHandler* fallback() const { return fallback_; }

  // NotFound if neither this nor a fallback has the op.
  virtual StatusOr<CoreRuntimeOp> MakeOp(std::string_view op_name) = 0;

 protected:
  OpHandler(std::string_view name, OpHandler* fallback) : name_(name), fallback_(fallback) {}

 private:
  std::string_view name_;
  OpHandler* fallback_;
};

// Ends a line of handlers. MakeOp: NotFound "OP was not supported by NullOpHandler."
std::unique_ptr<OpHandler> CreateNullOpHandler();

// Creates the handler of a device: the ops of `ops`, which must outlive the handler, run on
// `device`, where the results are. Arguments that lie elsewhere are copied there. Its name is the
// device's kind. Unimplemented if that kind has no registered OpRunner (op_runner.h).
StatusOr<std::unique_ptr<OpHandler>> CreateDeviceOpHandler(HostContext* host, const OpRegistry& ops,
                                                           RCReference<Device> device,
                                                           OpHandler* fallback);
// The same for a device of the kind "cpu", on which ops always run.
std::unique_ptr<OpHandler> CreateCpuOpHandler(HostContext* host, const OpRegistry& ops,
                                              RCReference<Device> device, OpHandler* fallback);

// Writes down each op and its arguments (op_log.h), and has `fallback` run it. InvalidArgument
// "error opening file NAME".
StatusOr<std::unique_ptr<OpHandler>> CreateLoggingOpHandler(HostContext* host, OpHandler* fallback,
                                                            const OpLogOptions& options);

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_HANDLES_OP_HANDLER_H_
