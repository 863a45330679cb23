#include "gpu_op_runner.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/runtime/launch_scope.h"
#include "gpu_op.h"
#include "gpu_ops.h"
#include "lib/ops/op_call/call_sites.h"
#include "lib/ops/op_call/canonical_call.h"
#include "lib/ops/op_call/infer_metadata.h"
#include "programs/program_ops.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/small_array.h"

namespace tfrt::gpu {
namespace {

OpOutcome Fail(const OpRun& run, Status error, std::optional<TensorMetadata> refused = {}) {
  return FailedGpuCall(run.exec_ctx, run.results, std::move(error), std::move(refused));
}

// An op with the modules of its kernels. Destroyed before the device, whose context keeps these.
class PreparedGpuOp final : public PreparedOp, private SpareMemory::Holder {
 public:
  ~PreparedGpuOp() override { device_.spare_memory().Remove(this); }

  static StatusOr<std::unique_ptr<const PreparedGpuOp>> Make(GpuOpMaker make,
                                                             const OpDefinition& op,
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
    TFRT_ASSIGN_OR_RETURN(std::unique_ptr<const GpuOp> made, make(setup));
    return std::unique_ptr<const PreparedGpuOp>(
        new PreparedGpuOp(device, std::move(call), std::move(made), setup.TakeModules()));
  }

  OpOutcome Run(const OpRun& run) const override {
    LaunchScope scope(run.op.name, run.exec_ctx.location());
    if (run.result_metadata.empty() && !run.results.empty()) [[unlikely]]
      return RunInferred(run);
    return RunWith(run, run.result_metadata);
  }

  bool RunAgain(const KnownOpRun& run, std::optional<OpOutcome>* failure) const override {
    return !call_.folded() && plans_.Play(run, failure);
  }

 private:
  PreparedGpuOp(GpuDevice& device, CanonicalCall call, std::unique_ptr<const GpuOp> op,
                std::vector<RCReference<Module>> modules)
      : device_(device), call_(std::move(call)), modules_(std::move(modules)), op_(std::move(op)) {}

  bool DropSpareMemory() const override { return plans_.DropShared(); }

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

  OpOutcome Enqueue(const OpRun& run, std::span<AsyncValue* const> values,
                    std::span<const TensorMetadata> metadata) const {
    const GpuOpArguments arguments(values);
    RCReference<const GpuOpPlan> plan = plans_.Find(arguments, metadata.size());
    // Another result means that a program has changed a host value since the metadata were
    // inferred.
    if (!plan || !std::ranges::equal(plan->results(), metadata)) [[unlikely]] {
      GpuOpCall call(run, arguments, metadata);
      if (Status status = op_->Run(call); !status.ok()) {
        return Fail(run, std::move(status),
                    call.refused() ? std::optional(*call.refused()) : std::nullopt);
      }
      plan = call.TakePlan();
      // The elements of host values may have changed meanwhile.
      if (plan->is_worth_keeping() && plan->key().Matches(arguments)) {
        plans_.Add(plan.CopyRef(), arguments);
        if (plan->has_shared_results()) device_.spare_memory().Add(this);
      }
    }
    std::optional<TensorMetadata> refused;
    Status status =
        plan->Enqueue(static_cast<GpuDevice&>(run.device), arguments, run.results, &refused);
    if (!status.ok()) [[unlikely]]
      return Fail(run, std::move(status), std::move(refused));
    return {};
  }

  GpuDevice& device_;
  const CanonicalCall call_;
  const std::vector<RCReference<Module>> modules_;
  const std::unique_ptr<const GpuOp> op_;
  const GpuOpPlans plans_;
};

class GpuOpRunner final : public OpRunner {
 public:
  GpuOpRunner() { RegisterProgramOps(&program_ops_); }

  bool Has(const OpDefinition& op) const override { return FindGpuOp(*op.description) != nullptr; }
  bool LeavesToHost(const OpDefinition& op) const override { return IsHostRow(*op.description); }
  bool HasKernel(const OpDefinition& op, Device& device, const OpAttrsRef& attrs,
                 std::span<const DType> dtypes) const override {
    auto made = PreparedGpuOp::Make(FindGpuOp(*op.description), op, static_cast<GpuDevice&>(device),
                                    attrs, dtypes);
    return made.ok() || made.status().code() != StatusCode::kUnimplemented;
  }
  bool Accepts(const OpDefinition& op, const Tensor& tensor) const override {
    return tensor.tensor_type() == kDenseGpuTensorType ||
           tensor.tensor_type() == kDenseHostTensorType || AcceptsTensor(op, tensor);
  }
  OpOutcome Run(const OpRun& run) const override {
    return RunGpuOp(FindGpuOp(*run.op.description), run);
  }
  std::unique_ptr<const PreparedOp> Prepare(const OpDefinition& op, Device& device,
                                            const OpAttrsRef& attrs,
                                            std::span<const DType> dtypes) const override {
    auto prepared = PreparedGpuOp::Make(FindGpuOp(*op.description), op,
                                        static_cast<GpuDevice&>(device), attrs, dtypes);
    if (!prepared.ok()) return nullptr;
    return *std::move(prepared);
  }
  const OpRegistry* program_ops() const override { return &program_ops_; }

 private:
  OpRegistry program_ops_;
};

}  // namespace

OpOutcome RunGpuOp(GpuOpMaker make, const OpRun& run) {
  SmallArray<DType, 8> dtypes(run.arguments.size());
  std::ranges::transform(run.arguments, dtypes.begin(), [](AsyncValue* argument) {
    return argument ? argument->get<Tensor>().dtype() : DType::kUnsupported;
  });
  auto prepared = PreparedGpuOp::Make(make, run.op, static_cast<GpuDevice&>(run.device), run.attrs,
                                      dtypes.span());
  if (!prepared.ok()) return Fail(run, prepared.status());
  return (*prepared)->Run(run);
}

std::unique_ptr<const OpRunner> MakeGpuOpRunner() { return std::make_unique<GpuOpRunner>(); }

}  // namespace tfrt::gpu
