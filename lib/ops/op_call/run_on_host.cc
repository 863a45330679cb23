#include "run_on_host.h"

#include <cassert>
#include <utility>

#include "convert_tensor.h"
#include "op_task.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt {
namespace {

class HostCall final : public OpTask {
 public:
  explicit HostCall(const OpRun& run)
      : OpTask(run.op, run.exec_ctx, /*takes_dense=*/true),
        host_(*OpPlace::On(run.exec_ctx.host(), run.exec_ctx.host()->GetHostDevice())),
        device_(FormRef(&run.device)),
        explain_(run.explain) {
    attrs = run.attrs.Freeze();
    if (!run.result_metadata.empty()) SetMetadata(run.result_metadata);
    for (AsyncValue* argument : run.arguments) arguments_.push_back(FormRef(argument));
    for (RCReference<AsyncValue>& result : run.results) {
      results.push_back(MakeIndirectAsyncValue());
      result = results.back();
    }
    if (run.op.has_side_effects()) chain = MakeIndirectAsyncValue();
  }

 private:
  const OpPlace& place() const override { return host_; }
  OpErrorText explain() const override { return explain_; }
  PoolVector<AsyncValue*> Arguments() const override {
    PoolVector<AsyncValue*> values;
    for (const RCReference<AsyncValue>& argument : arguments_) values.push_back(argument.get());
    return values;
  }
  AsyncValueRef<Tensor> Converted(size_t index, AsyncValue* value) override {
    return ArgumentForOp(op, host_, {index, arguments_.size()}, value, device_.get(), exec_ctx);
  }
  void Publish(Outcome outcome) override {
    arguments_.clear();
    outcome_ = std::move(outcome);
    PoolVector<AsyncValue*> awaited;
    for (const RCReference<AsyncValue>& value : outcome_.values) {
      if (!value->IsAvailable()) awaited.push_back(value.get());
    }
    RunWhenReady(awaited, [this] { CopyBack(); });
  }
  void CopyBack() {
    for (RCReference<AsyncValue>& value : outcome_.values) {
      if (value->IsError()) continue;
      const auto& tensor = value->get<Tensor>();
      if (DTypeSize(tensor.dtype()) == 0) continue;
      value = ConvertTensor(tensor, {*host_.device, *device_, device_->allocator()},
                            CopiedType(tensor.tensor_type(), *device_), exec_ctx)
                  .ReleaseRCRef();
    }
    PublishResults(outcome_);
    delete this;
  }

  const OpPlace host_;
  const RCReference<Device> device_;
  const OpErrorText explain_;
  PoolVector<RCReference<AsyncValue>> arguments_;
  Outcome outcome_;
};

}  // namespace

OpOutcome RunOnHost(const OpRun& run) {
  assert(run.op.function && "the op has no function that the host could run");
  auto* call = new HostCall(run);
  OpOutcome outcome;
  outcome.is_explained = true;
  if (call->chain) outcome.chain = AsyncValueRef<Chain>(RCReference<AsyncValue>(call->chain));
  call->Run();
  return outcome;
}

}  // namespace tfrt
