#include "tfrt/core_runtime/op_handler.h"

#include "op_record.h"

#include "tfrt/core_runtime/execute_op.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt {

void OpInvocation::SetErrors(RCReference<AsyncValue> error) const {
  for (TensorHandle& result : results) result = TensorHandle::CreateError(error);
  if (chain) *chain = AsyncValueRef<Chain>(std::move(error));
}

void OpInvocation::ReportError(Status error) const {
  SetErrors(MakeErrorAsyncValue(EmitError(exec_ctx, std::move(error))));
}

namespace {

class NullOpHandler final : public OpHandler {
 public:
  NullOpHandler() : OpHandler("null", nullptr) {}
  StatusOr<CoreRuntimeOp> MakeOp(std::string_view op_name) override {
    return NotFoundError(StrCat(op_name, " was not supported by NullOpHandler."));
  }
};

class CpuOp final : public CoreRuntimeOp::Impl {
 public:
  CpuOp(const OpDefinition& op, OpPlace place) : op_(op), place_(std::move(place)) {}
  void Execute(const OpInvocation& invocation) const override {
    tracing::RecordScope record(internal::kOpRecord, op_.name, {}, "cpu");
    ExecuteOp(op_, place_, invocation);
  }

 private:
  const OpDefinition& op_;
  OpPlace place_;
};

class CpuOpHandler final : public OpHandler {
 public:
  CpuOpHandler(const OpRegistry& ops, OpPlace place, OpHandler* fallback)
      : OpHandler("cpu", fallback), ops_(ops), place_(std::move(place)) {}

  StatusOr<CoreRuntimeOp> MakeOp(std::string_view op_name) override {
    // An op of which only the metadata are known may have a fallback that runs it.
    const OpDefinition* op = ops_.Find(op_name);
    if (!op || !op->function) return fallback()->MakeOp(op_name);
    return CoreRuntimeOp(RCReference<const CoreRuntimeOp::Impl>(MakeRef<CpuOp>(*op, place_)));
  }

 private:
  const OpRegistry& ops_;
  OpPlace place_;
};

}  // namespace

std::unique_ptr<OpHandler> CreateNullOpHandler() { return std::make_unique<NullOpHandler>(); }

std::unique_ptr<OpHandler> CreateCpuOpHandler(HostContext* host, const OpRegistry& ops,
                                              RCReference<Device> device, OpHandler* fallback) {
  return std::make_unique<CpuOpHandler>(ops, OpPlace{std::move(device), host->allocator()},
                                        fallback);
}

}  // namespace tfrt
