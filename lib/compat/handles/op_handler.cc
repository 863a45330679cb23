#include "op_handler.h"

#include "op_record.h"

#include "execute_op.h"
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

class DeviceOp final : public CoreRuntimeOp::Impl {
 public:
  DeviceOp(const OpDefinition& op, const OpPlace& place)
      : op_(op), place_(place), kind_(place_.device->kind()) {}
  void Execute(const OpInvocation& invocation) const override {
    tracing::RecordScope record(internal::kOpRecord, op_.name, {}, kind_);
    ExecuteOp(op_, place_, invocation);
  }

 private:
  const OpDefinition& op_;
  const OpPlace place_;
  const std::string_view kind_;
};

class DeviceOpHandler final : public OpHandler {
 public:
  DeviceOpHandler(const OpRegistry& ops, OpPlace place, OpHandler* fallback)
      : OpHandler(place.device->kind(), fallback), ops_(ops), place_(std::move(place)) {}

  StatusOr<CoreRuntimeOp> MakeOp(std::string_view op_name) override {
    // An op that the device does not have may have a fallback that runs it.
    const OpDefinition* op = ops_.Find(op_name);
    if (!op || !place_.Has(*op)) return fallback()->MakeOp(op_name);
    return CoreRuntimeOp(RCReference<const CoreRuntimeOp::Impl>(MakeRef<DeviceOp>(*op, place_)));
  }

 private:
  const OpRegistry& ops_;
  const OpPlace place_;
};

}  // namespace

std::unique_ptr<OpHandler> CreateNullOpHandler() { return std::make_unique<NullOpHandler>(); }

StatusOr<std::unique_ptr<OpHandler>> CreateDeviceOpHandler(HostContext* host, const OpRegistry& ops,
                                                           RCReference<Device> device,
                                                           OpHandler* fallback) {
  TFRT_ASSIGN_OR_RETURN(OpPlace place, OpPlace::On(host, std::move(device)));
  return std::unique_ptr<OpHandler>(
      std::make_unique<DeviceOpHandler>(ops, std::move(place), fallback));
}

std::unique_ptr<OpHandler> CreateCpuOpHandler(HostContext* host, const OpRegistry& ops,
                                              RCReference<Device> device, OpHandler* fallback) {
  return *CreateDeviceOpHandler(host, ops, std::move(device), fallback);
}

}  // namespace tfrt
