#include "gpu_op_runner.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gpu/runtime/launch_scope.h"
#include "gpu_op.h"
#include "gpu_ops.h"
#include "lib/ops/op_call/call_sites.h"
#include "lib/ops/op_call/canonical_call.h"
#include "lib/ops/op_call/infer_metadata.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/small_array.h"

namespace tfrt::gpu {
namespace {

OpOutcome Fail(const OpRun& run, Status error, const TensorMetadata* refused = nullptr) {
  OpOutcome outcome = FailedCall(run.exec_ctx, std::move(error), run.results);
  if (refused) outcome.refused = std::make_unique<TensorMetadata>(*refused);
  return outcome;
}

// An op with the modules of its kernels. Destroyed before the device, whose context keeps these.
class PreparedGpuOp final : public PreparedOp {
 public:
  static StatusOr<std::unique_ptr<const PreparedGpuOp>> Make(const OpDefinition& op,
                                                             GpuDevice& device,
                                                             const OpAttrsRef& attrs,
                                                             std::span<const DType> dtypes) {
    TFRT_ASSIGN_OR_RETURN(CanonicalCall call, CanonicalCall::Of(op, attrs, device.allocator()));
    std::vector<DType> with_folded;
    if (call.folded()) {
      with_folded = call.WithFolded(dtypes, call.folded_dtype());
      dtypes = with_folded;
    }
    GpuOpSetup setup(op.name, device.context(), call.attrs(), dtypes);
    TFRT_ASSIGN_OR_RETURN(std::unique_ptr<const GpuOp> made, FindGpuOp(*op.description)(setup));
    return std::unique_ptr<const PreparedGpuOp>(
        new PreparedGpuOp(std::move(call), std::move(made), setup.TakeModules()));
  }

  OpOutcome Run(const OpRun& run) const override {
    LaunchScope scope(run.op.name, run.exec_ctx.location());
    if (run.result_metadata.empty() && !run.results.empty()) [[unlikely]]
      return RunInferred(run);
    return RunWith(run, run.result_metadata);
  }

 private:
  PreparedGpuOp(CanonicalCall call, std::unique_ptr<const GpuOp> op,
                std::vector<RCReference<Module>> modules)
      : call_(std::move(call)), modules_(std::move(modules)), op_(std::move(op)) {}

  // The results' metadata follow from elements of host values, which are there now.
  [[gnu::noinline]] OpOutcome RunInferred(const OpRun& run) const {
    CallSite site;
    Status status =
        InferResultMetadata(run.op, run.arguments, run.attrs, run.results.size(), &site);
    if (status.ok() && site.results.size() != run.results.size()) {
      status = InternalError(StrCat(run.op.name, ": the sizes of its results depend on elements"));
    }
    if (!status.ok()) return Fail(run, std::move(status));
    return RunWith(run, site.results);
  }

  OpOutcome RunWith(const OpRun& run, std::span<const TensorMetadata> metadata) const {
    if (!call_.folded()) [[likely]]
      return Enqueue(run, run.arguments, metadata);
    const std::vector<AsyncValue*> arguments =
        call_.WithFolded<AsyncValue*>(run.arguments, call_.folded());
    return Enqueue(run, arguments, metadata);
  }

  OpOutcome Enqueue(const OpRun& run, std::span<AsyncValue* const> arguments,
                    std::span<const TensorMetadata> metadata) const {
    GpuOpCall call(run, arguments, metadata);
    Status status = call.OrderArguments();
    if (status.ok()) [[likely]]
      status = op_->Run(call);
    if (!status.ok()) [[unlikely]]
      return Fail(run, std::move(status), call.refused());
    call.SetResults();
    return {};
  }

  const CanonicalCall call_;
  const std::vector<RCReference<Module>> modules_;
  const std::unique_ptr<const GpuOp> op_;
};

class GpuOpRunner final : public OpRunner {
 public:
  bool Has(const OpDefinition& op) const override { return FindGpuOp(*op.description) != nullptr; }
  bool LeavesToHost(const OpDefinition& op) const override { return IsHostRow(*op.description); }
  bool HasKernel(const OpDefinition& op, Device& device, const OpAttrsRef& attrs,
                 std::span<const DType> dtypes) const override {
    auto made = PreparedGpuOp::Make(op, static_cast<GpuDevice&>(device), attrs, dtypes);
    return made.ok() || made.status().code() != StatusCode::kUnimplemented;
  }
  bool Accepts(const OpDefinition& op, const Tensor& tensor) const override {
    return tensor.tensor_type() == kDenseGpuTensorType ||
           tensor.tensor_type() == kDenseHostTensorType || AcceptsTensor(op, tensor);
  }
  OpOutcome Run(const OpRun& run) const override {
    SmallArray<DType, 8> dtypes(run.arguments.size());
    std::ranges::transform(run.arguments, dtypes.begin(), [](AsyncValue* argument) {
      return argument ? argument->get<Tensor>().dtype() : DType::kUnsupported;
    });
    auto prepared =
        PreparedGpuOp::Make(run.op, static_cast<GpuDevice&>(run.device), run.attrs, dtypes.span());
    if (!prepared.ok()) return Fail(run, prepared.status());
    return (*prepared)->Run(run);
  }
  std::unique_ptr<const PreparedOp> Prepare(const OpDefinition& op, Device& device,
                                            const OpAttrsRef& attrs,
                                            std::span<const DType> dtypes) const override {
    auto prepared = PreparedGpuOp::Make(op, static_cast<GpuDevice&>(device), attrs, dtypes);
    if (!prepared.ok()) return nullptr;
    return *std::move(prepared);
  }
};

}  // namespace

std::unique_ptr<const OpRunner> MakeGpuOpRunner() { return std::make_unique<GpuOpRunner>(); }

}  // namespace tfrt::gpu
