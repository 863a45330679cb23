#include "contractions.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>

#include "backend_module.h"
#include "byte_kernels.h"
#include "direct_backend.h"
#include "half_backend.h"
#include "half_products.h"
#include "in_floats.h"
#include "lib/base/support/logging.h"
#include "panel_backend.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

StatusOr<ComputeBackend> ParseComputeBackend(std::string_view name) {
  if (name == "auto") return ComputeBackend::kAuto;
  if (name == "eigen") return ComputeBackend::kEigen;
  if (name == "onednn") return ComputeBackend::kOneDnn;
  return InvalidArgumentError(
      StrCat("unknown compute backend '", name, "'; there are auto, eigen and onednn"));
}

Status SetComputeBackend(HostContext* host, ComputeBackend backend) {
  return host->GetOrCreateSharedContext<contraction::Contractions>().SetChoice(backend);
}

StatusOr<std::vector<ComputePath>> ComputePathsOf(HostContext* host) {
  return host->GetOrCreateSharedContext<contraction::Contractions>().Paths();
}

namespace contraction {
namespace {

// Transient plans come from Eigen, which prepares nothing.
bool IsTransient(const MatMulProblem& problem) { return problem.is_transient; }
bool IsTransient(const ConvolutionProblem&) { return false; }

// Parts of the weights are cut out of the layout of the whole.
bool IsPart(const MatMulProblem& problem) { return problem.all_columns != 0; }
bool IsPart(const ConvolutionProblem& problem) { return problem.all_outputs != 0; }

// For a problem that the owner of its packed weights has no plan for.
class UnpackedPlan final : public Plan {
 public:
  UnpackedPlan(std::unique_ptr<Plan> plan, std::unique_ptr<float[]> weights)
      : plan_(std::move(plan)), weights_(std::move(weights)) {}
  bool Run(const Operands& operands) const override {
    Operands plain = operands;
    plain.packed = nullptr;
    plain.b = weights_.get();
    return plan_->Run(plain);
  }
  std::unique_ptr<PackedWeights> Pack(const void*) const override { return nullptr; }

 private:
  const std::unique_ptr<Plan> plan_;
  const std::unique_ptr<float[]> weights_;
};

std::unique_ptr<Plan> PrepareUnpacked(Backend&, const MatMulProblem&,
                                      const Packed<MatMulProblem>&) {
  return nullptr;  // a backend that packs a matrix has plans for all its problems
}
std::unique_ptr<Plan> PrepareUnpacked(Backend& backend, const ConvolutionProblem& problem,
                                      const Packed<ConvolutionProblem>& packed) {
  const ConvolutionProblem& packed_for = packed.problem();
  const int64_t size = packed_for.taps() * packed_for.group_inputs() * packed_for.out_channels;
  std::unique_ptr<float[]> weights(new (std::nothrow) float[static_cast<size_t>(size)]);
  if (!weights || !packed.owner().Unpack(packed_for, packed.weights(), weights.get())) {
    return nullptr;
  }
  std::unique_ptr<Plan> plan = backend.Prepare(problem, nullptr, false);
  return plan ? std::make_unique<UnpackedPlan>(std::move(plan), std::move(weights)) : nullptr;
}

std::string_view Name(ComputeBackend backend) {
  constexpr std::string_view kNames[] = {"auto", "eigen", "onednn"};
  return kNames[static_cast<int>(backend)];
}

}  // namespace

int ParallelismOf(const ConcurrentWorkQueue& queue) {
  return queue.IsSingleThreaded() ? 1 : queue.GetParallelismLevel();
}

Status NoMemoryError() {
  return ResourceExhaustedError("no memory for the work of a matrix product or convolution");
}

Contractions::Contractions(HostContext* host) : parallelism_(ParallelismOf(host->work_queue())) {}

Contractions& Contractions::Of(const ExecutionContext& exec_ctx) {
  return exec_ctx.host()->GetOrCreateSharedContext<Contractions>();
}

Status Contractions::SetChoice(ComputeBackend choice) {
  std::lock_guard lock(load_mutex_);
  // relaxed: whoever set it held the mutex.
  const bool is_made = backend_.load(std::memory_order_relaxed) || !load_error_.ok();
  if (is_made && choice != choice_) {
    return FailedPreconditionError(StrCat("cannot choose the compute backend ", Name(choice),
                                          ": kernels of this host use ", Name(choice_),
                                          " already"));
  }
  choice_ = choice;
  return OkStatus();
}

StatusOr<Backend*> Contractions::GetBackend() {
  // acquire: sees the backend whole.
  if (Backend* backend = backend_.load(std::memory_order_acquire)) return backend;
  return LoadBackend();
}

StatusOr<Backend*> Contractions::LoadBackend() {
  std::lock_guard lock(load_mutex_);
  if (Backend* backend = backend_.load(std::memory_order_relaxed)) return backend;
  if (!load_error_.ok()) return load_error_;
  Backend* backend = eigen_.get();
  if (choice_ != ComputeBackend::kEigen) {
    StatusOr<std::unique_ptr<Backend>> module = OpenBackendModule("tfrt_onednn.so");
    if (module.ok()) {
      module_ = *std::move(module);
      backend = module_.get();
    } else if (choice_ == ComputeBackend::kOneDnn) {
      load_error_ = module.status();
      return load_error_;
    } else {
      TFRT_LOG(WARNING) << "matrix products and convolutions use Eigen, which is slower: "
                        << module.status().message();
    }
  }
  if (choice_ == ComputeBackend::kAuto) {
    panels_ = CreatePanelBackend();
    halves_ = CreateHalfBackend();
  }
  backend_.store(backend, std::memory_order_release);
  return backend;
}

StatusOr<std::vector<ComputePath>> Contractions::Paths() {
  TFRT_ASSIGN_OR_RETURN(Backend * backend, GetBackend());
  std::string f32 = StrCat(backend->name(), ", ", backend->instructions(false));
  if (panels_) f32 += StrCat("; panels, ", panels_->instructions(false));
  // As PackHalves chooses.
  const auto halves = [&](bool is_bf16) {
    const std::string_view many = is_bf16 && module_ ? module_->instructions(true) : "";
    std::string how;
    if (halves_) {
      how = StrCat("up to ", kFewRows, " rows ", halves_->instructions(false), ", more ");
    }
    return how + (many.empty() ? "as f32" : StrCat(backend->name(), ", ", many));
  };
  return std::vector<ComputePath>{{"f32", std::move(f32)},
                                  {"bf16", halves(true)},
                                  {"f16", halves(false)},
                                  {"8 bits", std::string(BestByteKernel().name)}};
}

StatusOr<bool> Contractions::UsesPanels() {
  TFRT_RETURN_IF_ERROR(GetBackend().status());  // sees panels_
  return panels_ != nullptr;
}

template <typename Problem>
std::unique_ptr<Plan> Contractions::Prepare(Backend& backend, const Problem& problem,
                                            const Packed<Problem>* packed, bool accept_reference) {
  if (!problem.has_products()) return eigen_->Prepare(problem, nullptr, false);
  if (IsDirect(problem) && (!packed || packed->plain())) return PrepareDirect(problem);
  if (!packed && IsTransient(problem)) return eigen_->Prepare(problem, nullptr, false);
  if (packed) {
    auto plan = packed->owner().Prepare(problem, &packed->weights(), accept_reference);
    return plan || !accept_reference ? std::move(plan) : PrepareUnpacked(*eigen_, problem, *packed);
  }
  std::unique_ptr<Plan> plan = backend.Prepare(problem, nullptr, false);
  if (!plan) plan = eigen_->Prepare(problem, nullptr, false);
  return plan;
}

template <typename Problem>
StatusOr<PlanCacheEntry<Problem>*> Contractions::FindPlan(
    const Problem& problem, const Packed<Problem>* packed, bool accept_reference,
    std::unique_ptr<PlanCacheEntry<Problem>>* uncached) {
  TFRT_ASSIGN_OR_RETURN(Backend * backend, GetBackend());
  auto prepare = [&] { return Prepare(*backend, problem, packed, accept_reference); };
  if (!packed && IsTransient(problem)) {
    *uncached = std::make_unique<PlanCacheEntry<Problem>>();
    (*uncached)->plan = prepare();
    return uncached->get();
  }
  PlanCacheEntry<Problem>* entry = packed
                                       ? packed->plans().FindOrPrepare(problem, prepare, uncached)
                                       : plans<Problem>().FindOrPrepare(problem, prepare, uncached);
  if (!entry && accept_reference) return NoMemoryError();
  return entry;
}

// A library's preferred layout differs between a problem and its halves, and converting layouts at
// each run takes longer than the work. Null if the problem is not split, or if no layout serves all
// pieces and the whole.
template <typename Problem>
std::unique_ptr<PackedWeights> Contractions::PackForPieces(Backend& owner, const Problem& problem,
                                                           const void* weights) {
  if (parallelism_ == 1 || problem.work() < kMinFlopsToSplit) return nullptr;
  const auto pieces = Split(problem, {}, parallelism_, true);
  if (pieces.size() <= 1) return nullptr;
  if (IsPart(pieces[0].problem)) return nullptr;
  std::unique_ptr<Plan> plan = owner.Prepare(pieces[0].problem, nullptr, false);
  std::unique_ptr<PackedWeights> packed = plan ? plan->Pack(weights) : nullptr;
  for (size_t i = 1; i < pieces.size() && packed; ++i) {
    if (!owner.Prepare(pieces[i].problem, packed.get(), false)) packed = nullptr;
  }
  // A piece may be what the library can do where the whole is not: cut off at the first row that
  // its windows see, an image has no window that begins inside of it. Runs on one thread need the
  // whole.
  if (packed && !owner.Prepare(problem, packed.get(), /*accept_reference=*/true)) return nullptr;
  return packed;
}

template <typename Problem>
StatusOr<PackedRef<Problem>> Contractions::Pack(const Problem& problem, const float* weights,
                                                size_t num_weights) {
  TFRT_ASSIGN_OR_RETURN(Backend * backend, GetBackend());
  // Eigen supports problems that the library does not support at all, such as windows that begin
  // inside of the image.
  Backend* owner = problem.has_products() && problem.has_output() ? backend : eigen_.get();
  if constexpr (std::is_same_v<Problem, MatMulProblem>) {
    if (owner == backend && panels_ && FillsPanels(problem)) owner = panels_.get();
  }
  std::unique_ptr<PackedWeights> packed;
  // Panels are the same for all pieces.
  if (problem.has_products() && owner == backend) packed = PackForPieces(*owner, problem, weights);
  if (!packed) {
    std::unique_ptr<Plan> plan = owner->Prepare(problem, nullptr, /*accept_reference=*/true);
    if (!plan) {
      owner = eigen_.get();
      plan = owner->Prepare(problem, nullptr, false);
    }
    if (plan) packed = plan->Pack(weights);
  }
  if (!packed) return NoMemoryError();
  std::unique_ptr<float[]> plain;
  if (num_weights > 0 && num_weights * sizeof(float) <= kMaxDirectWeightBytes) {
    plain = std::make_unique_for_overwrite<float[]>(num_weights);
    std::copy_n(weights, num_weights, plain.get());
  }
  return std::make_shared<const Packed<Problem>>(problem, *owner, std::move(packed),
                                                 std::move(plain));
}

template <typename Problem>
StatusOr<PackedRef<Problem>> Contractions::PackHalves(Problem problem, bool is_bf16,
                                                      const uint16_t* weights) {
  TFRT_ASSIGN_OR_RETURN(Backend * owner, GetBackend());  // sees halves_
  if (!problem.has_products() || !problem.has_output()) return PackedRef<Problem>();
  std::unique_ptr<PackedWeights> packed;
  bool is_small = false;
  if constexpr (std::is_same_v<Problem, MatMulProblem>) is_small = problem.m <= kFewRows;
  if (is_small && halves_) {
    owner = halves_.get();
    if constexpr (std::is_same_v<Problem, MatMulProblem>) {
      packed = contraction::PackHalves(problem, is_bf16, weights);
    }
  } else {
    if (!is_bf16 || owner != module_.get()) return PackedRef<Problem>();
    problem.in_bf16 = true;
    packed = PackForPieces(*owner, problem, weights);
    if (!packed) {
      std::unique_ptr<Plan> plan = owner->Prepare(problem, nullptr, /*accept_reference=*/false);
      if (!plan) return PackedRef<Problem>();
      packed = plan->Pack(weights);
    }
  }
  if (!packed) return NoMemoryError();
  return std::make_shared<const Packed<Problem>>(problem, *owner, std::move(packed), nullptr);
}

template <typename Problem>
StatusOr<PackedRef<Problem>> PackTensor(const Problem& problem, const DenseHostTensor& weights,
                                        const ExecutionContext& exec_ctx) {
  Contractions& contractions = Contractions::Of(exec_ctx);
  std::optional<DenseHostTensor> floats;
  if (maths::IsHalf(weights.dtype())) {
    const auto* halves = static_cast<const uint16_t*>(weights.data());
    TFRT_ASSIGN_OR_RETURN(
        PackedRef<Problem> packed,
        contractions.PackHalves(problem, weights.dtype() == DType::kBF16, halves));
    if (packed) return packed;
    TFRT_ASSIGN_OR_RETURN(floats, maths::InFloats(weights, exec_ctx.host()->allocator()));
  }
  const DenseHostTensor& plain = floats ? *floats : weights;
  return contractions.Pack(problem, static_cast<const float*>(plain.data()),
                           static_cast<size_t>(plain.num_elements()));
}

#define TFRT_INSTANTIATE(Problem)                                                                 \
  template StatusOr<PlanCacheEntry<Problem>*> Contractions::FindPlan(                             \
      const Problem&, const Packed<Problem>*, bool, std::unique_ptr<PlanCacheEntry<Problem>>*);   \
  template StatusOr<PackedRef<Problem>> Contractions::Pack(const Problem&, const float*, size_t); \
  template StatusOr<PackedRef<Problem>> PackTensor(const Problem&, const DenseHostTensor&,        \
                                                   const ExecutionContext&);
TFRT_INSTANTIATE(MatMulProblem)
TFRT_INSTANTIATE(ConvolutionProblem)
#undef TFRT_INSTANTIATE

}  // namespace contraction
}  // namespace tfrt
