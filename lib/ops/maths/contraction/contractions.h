// Contractions: a host's way from a problem to its result: the backend, the plans, the splitting.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_CONTRACTIONS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_CONTRACTIONS_H_

#include <atomic>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "backend.h"
#include "plan_cache.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/maths/compute_backend.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::contraction {

// Packed weights, with the plans that read them: the layout is the backend's secret, so a plan for
// one object's weights says nothing about another's. Immutable for its users; thread-safe.
template <typename Problem>
class Packed {
  using PackedPlans = PlanCache<Problem, 4, 32>;

 public:
  // Holds weights that `owner` packed; only that backend can read them. The member `plain` holds
  // the weights as they came, or nothing if there are too many.
  Packed(const Problem& problem, Backend& owner, std::unique_ptr<PackedWeights> weights,
         std::unique_ptr<float[]> plain)
      : problem_(problem), owner_(owner), weights_(std::move(weights)), plain_(std::move(plain)) {}
  // The problem that the weights were packed for. Its weights' sizes and orientation are those of
  // the weights; the rest was a hint.
  const Problem& problem() const { return problem_; }
  Backend& owner() const { return owner_; }
  const PackedWeights& weights() const { return *weights_; }
  const float* plain() const { return plain_.get(); }  // may be null
  PackedPlans& plans() const { return plans_; }

 private:
  const Problem problem_;
  Backend& owner_;
  const std::unique_ptr<PackedWeights> weights_;
  const std::unique_ptr<float[]> plain_;
  mutable PackedPlans plans_;  // goes first
};
// As those who compute with it hold it.
template <typename Problem>
using PackedRef = std::shared_ptr<const Packed<Problem>>;

// Thread-safe; lives with the host.
class Contractions : public SharedContext {
 public:
  explicit Contractions(HostContext* host);
  static Contractions& Of(const ExecutionContext& exec_ctx);

  // See SetComputeBackend.
  Status SetChoice(ComputeBackend choice);

  // The plan of a problem; `packed` has the weights if the problem says so. An error if the backend
  // that was asked for cannot be loaded. Null only if no reference implementation is accepted and
  // there is no better one.
  template <typename Problem>
  StatusOr<PlanCacheEntry<Problem>*> FindPlan(const Problem& problem, const Packed<Problem>* packed,
                                              bool accept_reference,
                                              std::unique_ptr<PlanCacheEntry<Problem>>* uncached);

  // See ComputePathsOf.
  StatusOr<std::vector<ComputePath>> Paths();

  // Whether products run in panels (panel_products.h) where their factors are arranged so.
  StatusOr<bool> UsesPanels();

  // Packs plain weights for a problem whose weights come packed. If the problem is large enough to
  // be split on this host, the layout suits its pieces.
  template <typename Problem>
  StatusOr<PackedRef<Problem>> Pack(const Problem& problem, const float* weights,
                                    size_t num_weights);
  // Packs weights of bf16 or f16, for products of few rows in f32 or for plans in bf16. Null if
  // this host has no plans that are better than those with the weights in f32.
  template <typename Problem>
  StatusOr<PackedRef<Problem>> PackHalves(Problem problem, bool is_bf16, const uint16_t* weights);

 private:
  StatusOr<Backend*> GetBackend();
  StatusOr<Backend*> LoadBackend();
  template <typename Problem>
  std::unique_ptr<Plan> Prepare(Backend& backend, const Problem& problem,
                                const Packed<Problem>* packed, bool accept_reference);
  template <typename Problem>
  std::unique_ptr<PackedWeights> PackForPieces(Backend& owner, const Problem& problem,
                                               const void* weights);
  template <typename Problem>
  auto& plans() {
    if constexpr (std::is_same_v<Problem, MatMulProblem>) {
      return matmul_plans_;
    } else {
      return convolution_plans_;
    }
  }

  const int parallelism_;
  std::unique_ptr<Backend> eigen_ = CreateEigenBackend();
  std::unique_ptr<Backend> module_;  // outlives the plans below
  std::unique_ptr<Backend> panels_;  // null: none; written before backend_
  std::unique_ptr<Backend> halves_;  // the same
  std::mutex load_mutex_;
  ComputeBackend choice_ = ComputeBackend::kAuto;  // under load_mutex_, as load_error_
  Status load_error_;
  std::atomic<Backend*> backend_{nullptr};
  PlanCache<MatMulProblem, 256, 4096> matmul_plans_;
  PlanCache<ConvolutionProblem, 256, 4096> convolution_plans_;
};

// Computes `problem` on `operands`. If `packed` is not null, it replaces their weights. Large
// problems are split into pieces that run as tasks; then the result comes later. Until then the
// memory of `tensors` lives, as do packed weights. The operands point into these tensors, some of
// which may be null. An error is reported at the context's location.
template <typename Problem>
AsyncValueRef<Chain> Compute(const ExecutionContext& exec_ctx, const Problem& problem,
                             Operands operands, const PackedRef<Problem>* packed,
                             std::initializer_list<const DenseHostTensor*> tensors);

// The same for each of `all`, which are at least one, of plain weights and write to places apart
// from each other. Products too small for a task of their own share one.
AsyncValueRef<Chain> ComputeEach(const ExecutionContext& exec_ctx, const MatMulProblem& problem,
                                 std::span<const Operands> all,
                                 std::initializer_list<const DenseHostTensor*> tensors);

// As Compute, on the calling thread alone, at once, of plain weights. Does not report its error.
template <typename Problem>
Status ComputeOnThisThread(const ExecutionContext& exec_ctx, const Problem& problem,
                           const Operands& operands);

// The weights of a problem whose weights come packed, of f32, f16 or bf16, in the layout that suits
// this host.
template <typename Problem>
StatusOr<PackedRef<Problem>> PackTensor(const Problem& problem, const DenseHostTensor& weights,
                                        const ExecutionContext& exec_ctx);

// The error of runs that find no memory.
Status NoMemoryError();

// How many threads a queue's work may use.
int ParallelismOf(const ConcurrentWorkQueue& queue);

// Smaller problems are not worth another thread.
inline constexpr double kMinFlopsToSplit = 1e6;

// The pieces into which a problem is split for `parallelism` threads: problems of their own, with
// the operands they work on. One piece if splitting does not pay. Pieces with some of the outputs
// of a packed filter, which not every layout has plans for, only if `may_take_outputs`. Operands
// may be null.
template <typename Problem>
struct Piece {
  Problem problem;
  Operands operands;
};
template <typename Problem>
std::vector<Piece<Problem>> Split(const Problem& problem, const Operands& operands, int parallelism,
                                  bool may_take_outputs);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_CONTRACTIONS_H_
