// Op handlers that write calls down (op_log.h) before another handler runs them.

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "op_handler.h"
#include "op_record.h"
#include "tfrt/core_runtime/op_log.h"

namespace tfrt {
namespace {

std::vector<LoggedTensor> Logged(std::span<const TensorHandle> handles) {
  std::vector<LoggedTensor> tensors(handles.size());
  for (size_t i = 0; i < handles.size(); ++i) {
    const TensorHandle& handle = handles[i];
    if (!handle.valid()) continue;
    tensors[i].tensor = handle.tensor().CopyRef();
    if (handle.IsDeviceAvailable()) {
      tensors[i].device = handle.AvailableDevice();
    } else {
      tensors[i].late_device = AsyncValueRef<RCReference<Device>>(FormRef(handle.async_device()));
    }
  }
  return tensors;
}

class LoggingOp final : public CoreRuntimeOp::Impl {
 public:
  LoggingOp(std::string_view name, CoreRuntimeOp op, RCReference<OpLog> log)
      : name_(name), op_(std::move(op)), log_(std::move(log)) {}

  void Execute(const OpInvocation& invocation) const override {
    tracing::RecordScope record(internal::kOpRecord, name_, {}, "logging");
    uint64_t call = log_->WriteCall(name_, Logged(invocation.arguments), invocation.results.size(),
                                    invocation.attrs, invocation.exec_ctx);
    op_(invocation);
    HoldBack(invocation.results,
             log_->WriteResults(call, name_, Logged(invocation.results), invocation.exec_ctx));
  }

 private:
  // The results come when they are written down, so that what programs print of them comes later.
  static void HoldBack(std::span<TensorHandle> results, const AsyncValueRef<Chain>& written) {
    if (written.IsAvailable()) return;
    for (TensorHandle& result : results) {
      if (result.IsError()) continue;
      RCReference<IndirectAsyncValue> tensor = MakeIndirectAsyncValue();
      written.AndThen([tensor, value = result.tensor().CopyRCRef()]() mutable {
        tensor->ForwardTo(std::move(value));
      });
      result = result.WithTensor(AsyncValueRef<Tensor>(RCReference<AsyncValue>(tensor)));
    }
  }

  const std::string name_;
  const CoreRuntimeOp op_;
  const RCReference<OpLog> log_;
};

class LoggingOpHandler final : public OpHandler {
 public:
  LoggingOpHandler(OpHandler* fallback, RCReference<OpLog> log)
      : OpHandler("logging", fallback), log_(std::move(log)) {}

  StatusOr<CoreRuntimeOp> MakeOp(std::string_view op_name) override {
    TFRT_ASSIGN_OR_RETURN(CoreRuntimeOp op, fallback()->MakeOp(op_name));
    return CoreRuntimeOp(
        RCReference<const CoreRuntimeOp::Impl>(MakeRef<LoggingOp>(op_name, std::move(op), log_)));
  }

 private:
  const RCReference<OpLog> log_;
};

}  // namespace

StatusOr<std::unique_ptr<OpHandler>> CreateLoggingOpHandler(HostContext*, OpHandler* fallback,
                                                            const OpLogOptions& options) {
  TFRT_ASSIGN_OR_RETURN(RCReference<OpLog> log, OpLog::Create(options));
  return std::unique_ptr<OpHandler>(std::make_unique<LoggingOpHandler>(fallback, std::move(log)));
}

}  // namespace tfrt
