// How a problem is computed: at once, or in pieces that are tasks.

#include <algorithm>
#include <memory>

#include "contractions.h"
#include "lib/runtime/host/parallel_for.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::contraction {
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
AsyncValueRef<Chain> Run(const ExecutionContext& exec_ctx, const std::shared_ptr<Job<Problem>>& job,
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
  const int parallelism = ParallelismOf(exec_ctx.work_queue());
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
  const int parallelism = ParallelismOf(exec_ctx.work_queue());
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

#define TFRT_INSTANTIATE(Problem)                                                          \
  template AsyncValueRef<Chain> Compute(const ExecutionContext&, const Problem&, Operands, \
                                        const PackedRef<Problem>*,                         \
                                        std::initializer_list<const DenseHostTensor*>);
TFRT_INSTANTIATE(MatMulProblem)
TFRT_INSTANTIATE(ConvolutionProblem)
#undef TFRT_INSTANTIATE

}  // namespace tfrt::contraction
