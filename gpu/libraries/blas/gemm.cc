#include "gemm.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "gpu/libraries/library_call.h"
#include "gpu/libraries/limited_map.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/context_part.h"
#include "handles.h"
#include "lt_descriptors.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::blas {
namespace {

// The library knows no alignment beyond this.
constexpr uint64_t kMaxAlignment = 256;

// The largest power of two up to kMaxAlignment that divides an address.
uint32_t AlignmentOf(uint64_t address) {
  const uint64_t lowest = address & -address;
  return static_cast<uint32_t>(lowest == 0 ? kMaxAlignment : std::min(lowest, kMaxAlignment));
}

// Everything that the library's choice of an algorithm depends on.
struct PlanKey {
  Gemm gemm;
  uint32_t alignment_a, alignment_b, alignment_c, alignment_bias;

  friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

struct PlanKeyHash {
  size_t operator()(const PlanKey& key) const {
    uint64_t hash = 0xcbf29ce484222325;
    auto add = [&](auto value) { hash = (hash ^ static_cast<uint64_t>(value)) * 0x100000001b3; };
    const Gemm& gemm = key.gemm;
    add(gemm.transa), add(gemm.transb), add(gemm.m), add(gemm.n), add(gemm.k);
    add(gemm.batch_count), add(gemm.a_type), add(gemm.b_type), add(gemm.c_type);
    add(gemm.lda), add(gemm.ldb), add(gemm.ldc);
    add(gemm.stride_a), add(gemm.stride_b), add(gemm.stride_c);
    add(gemm.compute), add(gemm.epilogue);
    add(key.alignment_a), add(key.alignment_b), add(key.alignment_c), add(key.alignment_bias);
    return static_cast<size_t>(hash);
  }
};

// How cublasLt computes a product; without an algorithm it does not.
struct Plan {
  std::optional<cublaslt::cublasLtMatmulAlgo_t> algo;
  size_t workspace_bytes = 0;
};

// The plans of a context. Thread-safe: two threads may ask for the same one at once, and get equal
// answers.
class Plans final : public ContextPart {
 public:
  explicit Plans(Context*) {}

  std::optional<Plan> Find(const PlanKey& key) {
    std::lock_guard lock(mutex_);
    const Plan* found = plans_.Find(key);
    return found ? std::optional<Plan>(*found) : std::nullopt;
  }
  void Add(const PlanKey& key, const Plan& plan) {
    std::lock_guard lock(mutex_);
    plans_.Add(key, plan);
  }

 private:
  std::mutex mutex_;
  LimitedMap<PlanKey, Plan, PlanKeyHash> plans_{kMaxGemmPlans};  // under mutex_
};

StatusOr<Plan> AskForPlan(const cublaslt::Table& table, cublaslt::cublasLtHandle_t handle,
                          const PlanKey& key, const LtDescriptors& descriptors,
                          size_t workspace_bytes) {
  TFRT_ASSIGN_OR_RETURN(
      LtPreference preference,
      MakeLtPreference(table, workspace_bytes, key.alignment_a, key.alignment_b, key.alignment_c));
  cublaslt::cublasLtMatmulHeuristicResult_t result = {};
  int returned = 0;
  const cublas::cublasStatus_t status = table.cublasLtMatmulAlgoGetHeuristic(
      handle, descriptors.desc.get(), descriptors.a.get(), descriptors.b.get(), descriptors.c.get(),
      descriptors.c.get(), preference.get(), /*requested=*/1, &result, &returned);
  if (status == cublas::CUBLAS_STATUS_NOT_SUPPORTED) return Plan();
  TFRT_RETURN_IF_ERROR(cublas::StatusOf(status, "cublasLtMatmulAlgoGetHeuristic"));
  if (returned < 1 || result.state != cublas::CUBLAS_STATUS_SUCCESS) return Plan();
  return Plan{result.algo, result.workspaceSize};
}

void* Address(const MemoryRange& range) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(range.address));
}

// Memories of a call, without null ones.
struct Memories {
  std::array<const Memory*, 5> memories = {};
  size_t size = 0;

  Memories(const GemmOperands& operands, const RCReference<Memory>& workspace) {
    for (const MemoryRange* range : {&operands.a, &operands.b, &operands.c, &operands.bias}) {
      if (range->memory) memories[size++] = range->memory;
    }
    if (workspace) memories[size++] = workspace.get();
  }
  operator std::span<const Memory* const>() const {  // NOLINT: a span of them
    return {memories.data(), size};
  }
};

// Returns the plan of a kind of product, for which the library is asked once.
StatusOr<Plan> PlanOf(Context& context, const cublaslt::Table& table,
                      cublaslt::cublasLtHandle_t handle, const PlanKey& key,
                      const LtDescriptors& descriptors) {
  std::optional<Plan> plan = context.Part<Plans>().Find(key);
  if (plan) return *plan;
  TFRT_RETURN_IF_ERROR(context.EnterAnew());
  StatusOr<Plan> made = AskForPlan(table, handle, key, descriptors, WorkspaceBytes(context));
  cuda::Context::ForgetCurrent();  // a library may leave any context current
  if (made.ok()) context.Part<Plans>().Add(key, *made);
  return made;
}

StatusOr<RCReference<Memory>> MakeWorkspace(Stream& stream, size_t size_bytes) {
  if (size_bytes == 0) return RCReference<Memory>();
  return stream.context().Allocate(stream, size_bytes);
}

void* Address(const RCReference<Memory>& workspace) {
  return workspace ? reinterpret_cast<void*>(static_cast<uintptr_t>(workspace->address()))
                   : nullptr;
}

// Returns no point if cublasLt has no algorithm.
StatusOr<std::optional<Point>> EnqueueLt(Stream& stream, const Gemm& gemm,
                                         const GemmOperands& operands) {
  Context& context = stream.context();
  TFRT_ASSIGN_OR_RETURN(const cublaslt::Library* library, LtLibrary());
  const cublaslt::Table& table = library->table();
  TFRT_ASSIGN_OR_RETURN(LtHandles::Lease lease, context.Part<LtHandles>().Take());
  TFRT_RETURN_IF_ERROR(context.EnterAnew());
  TFRT_ASSIGN_OR_RETURN(LtDescriptors descriptors,
                        LtDescriptors::Make(table, gemm, operands.bias.address));
  const PlanKey key{gemm, AlignmentOf(operands.a.address), AlignmentOf(operands.b.address),
                    AlignmentOf(operands.c.address), AlignmentOf(operands.bias.address)};
  TFRT_ASSIGN_OR_RETURN(Plan plan, PlanOf(context, table, lease.get(), key, descriptors));
  if (!plan.algo) return std::optional<Point>();
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> workspace, MakeWorkspace(stream, plan.workspace_bytes));
  TFRT_ASSIGN_OR_RETURN(
      Point point,
      CallLibrary(stream, "cublasLtMatmul", Memories(operands, workspace), [&]() -> Status {
        return cublas::StatusOf(
            table.cublasLtMatmul(
                lease.get(), descriptors.desc.get(), operands.alpha, Address(operands.a),
                descriptors.a.get(), Address(operands.b), descriptors.b.get(), operands.beta,
                Address(operands.c), descriptors.c.get(), Address(operands.c), descriptors.c.get(),
                &*plan.algo, Address(workspace), plan.workspace_bytes, stream.handle()),
            "cublasLtMatmul");
      }));
  return std::optional<Point>(point);
}

bool FitsInt(std::initializer_list<int64_t> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](int64_t number) {
    return number >= 0 && number <= std::numeric_limits<int>::max();
  });
}

// Whether cublasLt is asked. It has no products of nothing, and none of f64 or integers here.
bool IsForLt(const Gemm& gemm) {
  const cublas::cudaDataType scale = ScaleTypeOf(gemm.compute, gemm.c_type);
  const bool has_type =
      scale == cublas::CUDA_R_32F || scale == cublas::CUDA_R_16F || scale == cublas::CUDA_C_32F;
  return has_type && gemm.m > 0 && gemm.n > 0 && gemm.k > 0 && gemm.batch_count > 0 &&
         FitsInt({gemm.batch_count});
}

StatusOr<Point> EnqueueBlas(Stream& stream, const Gemm& gemm, const GemmOperands& operands) {
  if (!FitsInt({gemm.m, gemm.n, gemm.k, gemm.lda, gemm.ldb, gemm.ldc, gemm.batch_count})) {
    return UnimplementedError(StrCat("a product of ", gemm.m, "x", gemm.k, " and ", gemm.k, "x",
                                     gemm.n, " matrices is too large for cuBLAS"));
  }
  Context& context = stream.context();
  TFRT_ASSIGN_OR_RETURN(const cublas::Library* library, BlasLibrary());
  const cublas::Table& table = library->table();
  TFRT_ASSIGN_OR_RETURN(Handles::Lease lease, context.Part<Handles>().Take());
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> workspace,
                        MakeWorkspace(stream, WorkspaceBytes(context)));
  const auto m = static_cast<int>(gemm.m), n = static_cast<int>(gemm.n);
  const auto k = static_cast<int>(gemm.k);
  const auto lda = static_cast<int>(gemm.lda), ldb = static_cast<int>(gemm.ldb);
  const auto ldc = static_cast<int>(gemm.ldc);
  const bool is_batch = gemm.batch_count != 1;
  const std::string_view name = is_batch ? "cublasGemmStridedBatchedEx" : "cublasGemmEx";
  return CallLibrary(stream, name, Memories(operands, workspace), [&]() -> Status {
    TFRT_RETURN_IF_ERROR(cublas::StatusOf(table.cublasSetStream_v2(lease.get(), stream.handle()),
                                          "cublasSetStream_v2"));
    TFRT_RETURN_IF_ERROR(cublas::StatusOf(
        table.cublasSetWorkspace_v2(lease.get(), Address(workspace), workspace->size_bytes()),
        "cublasSetWorkspace_v2"));
    const cublas::cublasStatus_t status =
        is_batch
            ? table.cublasGemmStridedBatchedEx(
                  lease.get(), gemm.transa, gemm.transb, m, n, k, operands.alpha,
                  Address(operands.a), gemm.a_type, lda, gemm.stride_a, Address(operands.b),
                  gemm.b_type, ldb, gemm.stride_b, operands.beta, Address(operands.c), gemm.c_type,
                  ldc, gemm.stride_c, static_cast<int>(gemm.batch_count), gemm.compute,
                  cublas::CUBLAS_GEMM_DEFAULT)
            : table.cublasGemmEx(lease.get(), gemm.transa, gemm.transb, m, n, k, operands.alpha,
                                 Address(operands.a), gemm.a_type, lda, Address(operands.b),
                                 gemm.b_type, ldb, operands.beta, Address(operands.c), gemm.c_type,
                                 ldc, gemm.compute, cublas::CUBLAS_GEMM_DEFAULT);
    return cublas::StatusOf(status, name);
  });
}

}  // namespace

Gemm Gemm::OfRowMajor(const Gemm& gemm) {
  Gemm result = gemm;
  std::swap(result.m, result.n);
  std::swap(result.transa, result.transb);
  std::swap(result.a_type, result.b_type);
  std::swap(result.lda, result.ldb);
  std::swap(result.stride_a, result.stride_b);
  return result;
}

GemmOperands GemmOperands::OfRowMajor(const GemmOperands& operands) {
  GemmOperands result = operands;
  std::swap(result.a, result.b);
  return result;
}

cublas::cudaDataType ScaleTypeOf(cublas::cublasComputeType_t compute, cublas::cudaDataType result) {
  const bool is_complex = result == cublas::CUDA_C_32F || result == cublas::CUDA_C_64F;
  switch (compute) {
    case cublas::CUBLAS_COMPUTE_16F:
    case cublas::CUBLAS_COMPUTE_16F_PEDANTIC:
      return cublas::CUDA_R_16F;
    case cublas::CUBLAS_COMPUTE_64F:
    case cublas::CUBLAS_COMPUTE_64F_PEDANTIC:
      return is_complex ? cublas::CUDA_C_64F : cublas::CUDA_R_64F;
    case cublas::CUBLAS_COMPUTE_32I:
    case cublas::CUBLAS_COMPUTE_32I_PEDANTIC:
      return cublas::CUDA_R_32I;
    default:
      return is_complex ? cublas::CUDA_C_32F : cublas::CUDA_R_32F;
  }
}

StatusOr<bool> HasProduct(Context& context, const Gemm& gemm, uint32_t alignment_bytes) {
  if (!IsForLt(gemm)) {
    return gemm.epilogue == GemmEpilogue::kNone &&
           FitsInt({gemm.m, gemm.n, gemm.k, gemm.lda, gemm.ldb, gemm.ldc, gemm.batch_count});
  }
  TFRT_ASSIGN_OR_RETURN(const cublaslt::Library* library, LtLibrary());
  TFRT_ASSIGN_OR_RETURN(LtHandles::Lease lease, context.Part<LtHandles>().Take());
  TFRT_ASSIGN_OR_RETURN(LtDescriptors descriptors,
                        LtDescriptors::Make(library->table(), gemm, alignment_bytes));
  const PlanKey key{gemm, alignment_bytes, alignment_bytes, alignment_bytes, alignment_bytes};
  TFRT_ASSIGN_OR_RETURN(Plan plan,
                        PlanOf(context, library->table(), lease.get(), key, descriptors));
  return plan.algo.has_value() || gemm.epilogue == GemmEpilogue::kNone;
}

StatusOr<Point> EnqueueGemm(Stream& stream, const Gemm& gemm, const GemmOperands& operands) {
  const bool has_epilogue = gemm.epilogue != GemmEpilogue::kNone;
  if (has_epilogue && (gemm.m == 0 || gemm.n == 0 || gemm.batch_count == 0)) return Point();
  if (has_epilogue && gemm.k == 0) {
    return UnimplementedError("cublasLt has no epilogue of a product of no terms");
  }
  if (IsForLt(gemm)) {
    TFRT_ASSIGN_OR_RETURN(std::optional<Point> point, EnqueueLt(stream, gemm, operands));
    if (point) return *point;
  }
  if (has_epilogue) {
    return UnimplementedError(
        StrCat("cublasLtMatmulAlgoGetHeuristic: CUBLAS_STATUS_NOT_SUPPORTED: cublasLt has no such "
               "product with an epilogue"));
  }
  return EnqueueBlas(stream, gemm, operands);
}

}  // namespace tfrt::gpu::blas
