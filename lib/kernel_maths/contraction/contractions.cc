#include "contractions.h"

#include <algorithm>
#include <memory>
#include <string>

#include "backend_module.h"
#include "direct_backend.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/parallel_for.h"
#include "tfrt/support/logging.h"
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

namespace contraction {
namespace {

// Transient plans come from Eigen, which prepares nothing.
bool IsTransient(const MatMulProblem& problem) { return problem.is_transient; }
bool IsTransient(const ConvolutionProblem&) { return false; }

// Parts of the weights are cut out of the layout of the whole.
bool IsPart(const MatMulProblem& problem) { return problem.all_columns != 0; }
bool IsPart(const ConvolutionProblem& problem) { return problem.all_outputs != 0; }

std::string_view Name(ComputeBackend backend) {
  constexpr std::string_view kNames[] = {"auto", "eigen", "onednn"};
  return kNames[static_cast<int>(backend)];
}

int ParallelismOf(const ConcurrentWorkQueue& queue) {
  return queue.IsSingleThreaded() ? 1 : queue.GetParallelismLevel();
}

Status NoMemoryError() {
  return ResourceExhaustedError("no memory for the work of a matrix product or convolution");
}

}  // namespace

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
  backend_.store(backend, std::memory_order_release);
  return backend;
}

template <typename Problem>
std::unique_ptr<Plan> Contractions::Prepare(Backend& backend, const Problem& problem,
                                            const Packed<Problem>* packed, bool accept_reference) {
  if (!problem.has_products()) return eigen_->Prepare(problem, nullptr, false);
  if (IsDirect(problem) && (!packed || packed->plain())) return PrepareDirect(problem);
  if (!packed && IsTransient(problem)) return eigen_->Prepare(problem, nullptr, false);
  if (packed) return packed->owner().Prepare(problem, &packed->weights(), accept_reference);
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

// What a library likes best differs between a problem and its halves, and turning one layout into
// another at each run takes longer than the work. Null if the problem is not split, or no layout
// serves all pieces.
template <typename Problem>
std::unique_ptr<PackedWeights> Contractions::PackForPieces(Backend& owner, const Problem& problem,
                                                           const float* weights) {
  if (parallelism_ == 1 || problem.work() < kMinFlopsToSplit) return nullptr;
  const auto pieces = Split(problem, {}, parallelism_, true);
  if (pieces.size() <= 1) return nullptr;
  if (IsPart(pieces[0].problem)) return nullptr;
  std::unique_ptr<Plan> plan = owner.Prepare(pieces[0].problem, nullptr, false);
  std::unique_ptr<PackedWeights> packed = plan ? plan->Pack(weights) : nullptr;
  for (size_t i = 1; i < pieces.size() && packed; ++i) {
    if (!owner.Prepare(pieces[i].problem, packed.get(), false)) packed = nullptr;
  }
  return packed;
}

template <typename Problem>
StatusOr<PackedRef<Problem>> Contractions::Pack(const Problem& problem, const float* weights,
                                                size_t num_weights) {
  TFRT_ASSIGN_OR_RETURN(Backend * backend, GetBackend());
  // What the library cannot do at all, as with windows that begin inside of the image, Eigen can.
  Backend* owner = problem.has_products() && problem.has_output() ? backend : eigen_.get();
  std::unique_ptr<PackedWeights> packed;
  if (problem.has_products()) packed = PackForPieces(*owner, problem, weights);
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

namespace {

// One split problem under way.
template <typename Problem>
struct Job {
  struct PlannedPiece {
    PlanCacheEntry<Problem>* entry;
    std::unique_ptr<PlanCacheEntry<Problem>> uncached;
    Operands operands;
  };
  std::vector<PlannedPiece> pieces;
  std::vector<RCReference<HostBuffer>> buffers;
  PackedRef<Problem> packed;
  std::atomic<bool> failed{false};

  void KeepAlive(std::initializer_list<const DenseHostTensor*> tensors) {
    for (const DenseHostTensor* tensor : tensors) {
      if (tensor) buffers.push_back(tensor->buffer());
    }
  }
};

// Null if the problem is not worth splitting for so many threads, or no piece would be computed
// well.
template <typename Problem>
StatusOr<std::shared_ptr<Job<Problem>>> MakeJobOf(Contractions& contractions,
                                                  const Problem& problem,
                                                  std::span<const Operands> all,
                                                  const Packed<Problem>* packed, int parallelism,
                                                  bool may_take_outputs) {
  std::vector<Piece<Problem>> pieces;
  for (const Operands& operands : all) {
    std::vector<Piece<Problem>> more = Split(problem, operands, parallelism, may_take_outputs);
    if (pieces.empty()) {
      pieces = std::move(more);
    } else {
      pieces.insert(pieces.end(), more.begin(), more.end());
    }
  }
  if (pieces.size() <= 1) return std::shared_ptr<Job<Problem>>();
  auto job = std::make_shared<Job<Problem>>();
  job->pieces.resize(pieces.size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    auto& piece = job->pieces[i];
    TFRT_ASSIGN_OR_RETURN(piece.entry,
                          contractions.FindPlan(pieces[i].problem, packed,
                                                /*accept_reference=*/false, &piece.uncached));
    if (!piece.entry) return std::shared_ptr<Job<Problem>>();
    piece.operands = pieces[i].operands;
  }
  return job;
}

template <typename Problem>
StatusOr<std::shared_ptr<Job<Problem>>> MakeJob(Contractions& contractions, const Problem& problem,
                                                std::span<const Operands> all,
                                                const Packed<Problem>* packed, int parallelism,
                                                PlanCacheEntry<Problem>* whole = nullptr) {
  // Trying it takes long, so that it is tried once.
  if (whole && packed && whole->splits_outputs.load(std::memory_order_relaxed)) {
    TFRT_ASSIGN_OR_RETURN(std::shared_ptr<Job<Problem>> job,
                          MakeJobOf(contractions, problem, all, packed, parallelism, true));
    if (job) return job;
    whole->splits_outputs.store(false, std::memory_order_relaxed);
  }
  return MakeJobOf(contractions, problem, all, packed, parallelism, false);
}

// Runs the pieces as tasks, so many in each.
template <typename Problem>
AsyncValueRef<Chain> Run(const ExecutionContext& exec_ctx, std::shared_ptr<Job<Problem>> job,
                         size_t pieces_per_task) {
  auto done = MakeUnconstructedAsyncValueRef<Chain>();
  ParallelFor(
      exec_ctx, job->pieces.size(), pieces_per_task,
      [job](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
          const auto& piece = job->pieces[i];
          // relaxed: the loop's end orders it before the load below.
          if (!piece.entry->plan->Run(piece.operands)) {
            job->failed.store(true, std::memory_order_relaxed);
          }
        }
      },
      [job, exec_ctx, done = done.CopyRef()]() mutable {
        bool failed = job->failed.load(std::memory_order_relaxed);
        job->buffers.clear();
        job->packed.reset();
        if (failed) {
          done.SetError(EmitError(exec_ctx, NoMemoryError()));
        } else {
          done.emplace();
        }
      });
  return done;
}

int ParallelismOf(const ExecutionContext& exec_ctx) { return ParallelismOf(exec_ctx.work_queue()); }

AsyncValueRef<Chain> Fail(const ExecutionContext& exec_ctx, Status error) {
  return MakeErrorAsyncValueRef<Chain>(EmitError(exec_ctx, std::move(error)));
}

}  // namespace

template <typename Problem>
AsyncValueRef<Chain> Compute(const ExecutionContext& exec_ctx, const Problem& problem,
                             Operands operands, const PackedRef<Problem>* packed_ref,
                             std::initializer_list<const DenseHostTensor*> tensors) {
  if (!problem.has_output()) return GetReadyChain();
  const Packed<Problem>* packed = packed_ref ? packed_ref->get() : nullptr;
  if (packed) {
    operands.packed = &packed->weights();
    operands.b = packed->plain();  // for direct plans
  }
  Contractions& contractions = Contractions::Of(exec_ctx);
  std::unique_ptr<PlanCacheEntry<Problem>> uncached;
  auto whole = contractions.FindPlan(problem, packed, /*accept_reference=*/true, &uncached);
  if (!whole.ok()) return Fail(exec_ctx, whole.status());
  const int parallelism = ParallelismOf(exec_ctx);
  if (parallelism > 1 && problem.has_products() && problem.work() >= kMinFlopsToSplit &&
      (*whole)->splits.load(std::memory_order_relaxed)) {
    auto job = MakeJob(contractions, problem, std::span(&operands, 1), packed, parallelism, *whole);
    if (!job.ok()) return Fail(exec_ctx, job.status());
    if (*job) {
      (*job)->KeepAlive(tensors);
      if (packed_ref) (*job)->packed = *packed_ref;
      return Run(exec_ctx, *std::move(job), /*pieces_per_task=*/1);
    }
    (*whole)->splits.store(false, std::memory_order_relaxed);
  }
  if (!(*whole)->plan->Run(operands)) return Fail(exec_ctx, NoMemoryError());
  return GetReadyChain();
}

AsyncValueRef<Chain> ComputeEach(const ExecutionContext& exec_ctx, const MatMulProblem& problem,
                                 std::span<const Operands> all,
                                 std::initializer_list<const DenseHostTensor*> tensors) {
  if (!problem.has_output()) return GetReadyChain();
  Contractions& contractions = Contractions::Of(exec_ctx);
  const Packed<MatMulProblem>* plain = nullptr;
  const int parallelism = ParallelismOf(exec_ctx);
  const auto count = static_cast<int>(std::min<size_t>(all.size(), parallelism));
  if (parallelism > 1 && problem.has_products() &&
      problem.work() * static_cast<double>(all.size()) >= kMinFlopsToSplit) {
    // As many tasks as threads at least: products are split if they are fewer.
    auto job =
        MakeJob(contractions, problem, all, plain, count < parallelism ? parallelism / count : 1);
    if (!job.ok()) return Fail(exec_ctx, job.status());
    if (*job) {
      (*job)->KeepAlive(tensors);
      const bool is_whole = (*job)->pieces.size() == all.size();
      const double per_task = is_whole ? kMinFlopsToSplit / 2 / problem.work() : 1;
      return Run(exec_ctx, *std::move(job), static_cast<size_t>(std::max(1.0, per_task)));
    }
  }
  std::unique_ptr<PlanCacheEntry<MatMulProblem>> uncached;
  auto entry = contractions.FindPlan(problem, plain, /*accept_reference=*/true, &uncached);
  if (!entry.ok()) return Fail(exec_ctx, entry.status());
  for (const Operands& operands : all) {
    if (!(*entry)->plan->Run(operands)) return Fail(exec_ctx, NoMemoryError());
  }
  return GetReadyChain();
}

template <typename Problem>
Status ComputeOnThisThread(const ExecutionContext& exec_ctx, const Problem& problem,
                           const Operands& operands) {
  if (!problem.has_output()) return OkStatus();
  const Packed<Problem>* plain = nullptr;
  std::unique_ptr<PlanCacheEntry<Problem>> uncached;
  TFRT_ASSIGN_OR_RETURN(auto* entry,
                        Contractions::Of(exec_ctx).FindPlan(problem, plain, true, &uncached));
  return entry->plan->Run(operands) ? OkStatus() : NoMemoryError();
}
template Status ComputeOnThisThread(const ExecutionContext&, const MatMulProblem&, const Operands&);

#define TFRT_INSTANTIATE(Problem)                                                                 \
  template StatusOr<PackedRef<Problem>> Contractions::Pack(const Problem&, const float*, size_t); \
  template AsyncValueRef<Chain> Compute(const ExecutionContext&, const Problem&, Operands,        \
                                        const PackedRef<Problem>*,                                \
                                        std::initializer_list<const DenseHostTensor*>);
TFRT_INSTANTIATE(MatMulProblem)
TFRT_INSTANTIATE(ConvolutionProblem)

}  // namespace contraction
}  // namespace tfrt
