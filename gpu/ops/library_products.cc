#include "library_products.h"

#include <memory>
#include <optional>

#include "gpu/abi/cublas_types.h"
#include "gpu/libraries/blas/gemm.h"
#include "gpu/libraries/blas/handles.h"
#include "gpu/runtime/context.h"
#include "library_use.h"

namespace tfrt::gpu {
namespace {

constexpr std::string_view kLibrary = "cuBLAS";

// Where the library is found, smaller products are those of our kernels: the host's part of a call
// of the library takes longer than they do. A guess until hardware has been measured.
constexpr int64_t kLeastMultiplications = int64_t{1} << 21;
// Products with fewer rows read a matrix once, which our kernels do as fast as memory is.
constexpr int64_t kLeastRows = 9;

struct Types {
  cublas::cudaDataType factors, sums_alone;
  cublas::cublasComputeType_t compute;
};

std::optional<Types> TypesOf(DType dtype, bool allow_tf32) {
  switch (dtype) {
    case DType::kF16:
      return Types{cublas::CUDA_R_16F, cublas::CUDA_R_32F, cublas::CUBLAS_COMPUTE_32F};
    case DType::kBF16:
      return Types{cublas::CUDA_R_16BF, cublas::CUDA_R_32F, cublas::CUBLAS_COMPUTE_32F};
    case DType::kF32:
      return Types{cublas::CUDA_R_32F, cublas::CUDA_R_32F,
                   allow_tf32 ? cublas::CUBLAS_COMPUTE_32F_FAST_TF32 : cublas::CUBLAS_COMPUTE_32F};
    case DType::kF64:
      return Types{cublas::CUDA_R_64F, cublas::CUDA_R_64F, cublas::CUBLAS_COMPUTE_64F};
    default:
      return std::nullopt;
  }
}

// Null: the library has no such epilogue.
std::optional<blas::GemmEpilogue> EpilogueOf(const LibraryProduct& product) {
  const bool has_bias = product.bias.size_bytes != 0;
  switch (product.activation) {
    case MatMulActivation::kNone:
    case MatMulActivation::kSumsAlone:
      return has_bias ? blas::GemmEpilogue::kBias : blas::GemmEpilogue::kNone;
    case MatMulActivation::kRelu:
      return has_bias ? blas::GemmEpilogue::kReluBias : blas::GemmEpilogue::kRelu;
    default:
      return std::nullopt;
  }
}

class GemmCommand final : public LibraryCommand {
 public:
  explicit GemmCommand(const blas::Gemm& gemm) : gemm_(gemm) {}

  StatusOr<Point> Enqueue(Stream& stream, std::span<const MemoryRange> bytes) const override {
    // The factors of the product and of the elements before it, in the type that the library reads.
    static constexpr float kOne = 1, kZero = 0;
    static constexpr double kDoubleOne = 1, kDoubleZero = 0;
    const bool is_f64 = gemm_.compute == cublas::CUBLAS_COMPUTE_64F;
    const blas::GemmOperands operands = {
        .a = bytes[0],
        .b = bytes[1],
        .c = bytes[2],
        .bias = bytes[3],
        .alpha = is_f64 ? static_cast<const void*>(&kDoubleOne) : &kOne,
        .beta = is_f64 ? static_cast<const void*>(&kDoubleZero) : &kZero};
    return blas::EnqueueGemm(stream, blas::Gemm::OfRowMajor(gemm_),
                             blas::GemmOperands::OfRowMajor(operands));
  }

 private:
  const blas::Gemm gemm_;  // of row-major matrices
};

}  // namespace

StatusOr<ProductLibrary> ProductLibrary::Make(DType dtype) {
  TFRT_ASSIGN_OR_RETURN(LibraryChoice choice, LibraryChoiceFromEnvironment());
  return ProductLibrary(choice, dtype);
}

StatusOr<bool> ProductLibrary::Add(GpuOpCall& call, const LibraryProduct& product) const {
  auto use_own = [&](LibraryReason reason) {
    NoteLibraryUse(call.op_name(), kLibrary, reason);
    return false;
  };
  if (choice_ == LibraryChoice::kOwn) return use_own(LibraryReason::kOwnChosen);
  Context& context = call.device().context();
  const std::optional<Types> types = TypesOf(dtype_, context.options().allow_tf32);
  const std::optional<blas::GemmEpilogue> epilogue = EpilogueOf(product);
  const int64_t m = product.m, n = product.n, k = product.k;
  if (!types || !epilogue || m == 0 || n == 0 || k == 0) {
    return use_own(LibraryReason::kUnsupported);
  }
  if (choice_ == LibraryChoice::kWhereFound) {
    if (m < kLeastRows || n < kLeastRows) return use_own(LibraryReason::kMemoryBound);
    if (m * n * k < kLeastMultiplications) return use_own(LibraryReason::kSmall);
  }
  // A library that is there may still not work with this driver.
  Status opened = context.Part<blas::LtHandles>().Take().status();
  if (opened.ok()) opened = blas::BlasLibrary().status();
  if (!opened.ok()) {
    TFRT_RETURN_IF_ERROR(NoteMissingLibrary(call.op_name(), kLibrary, choice_, opened));
    return false;
  }
  blas::Gemm gemm = {
      .transa = product.transpose_a ? cublas::CUBLAS_OP_T : cublas::CUBLAS_OP_N,
      .transb = product.transpose_b ? cublas::CUBLAS_OP_T : cublas::CUBLAS_OP_N,
      .m = m,
      .n = n,
      .k = k,
      .batch_count = product.batch,
      .a_type = types->factors,
      .b_type = types->factors,
      .c_type =
          product.activation == MatMulActivation::kSumsAlone ? types->sums_alone : types->factors,
      .lda = product.transpose_a ? m : k,
      .ldb = product.transpose_b ? k : n,
      .ldc = n,
      .stride_a = product.a_step,
      .stride_b = product.b_step,
      .stride_c = m * n,
      .compute = types->compute,
      .epilogue = *epilogue,
  };
  // Plans keep the lowest bits of addresses alone.
  uint32_t alignment = 16;
  for (const OpBytes* bytes : {&product.a, &product.b, &product.result, &product.bias}) {
    while (bytes->size_bytes != 0 && bytes->low_bits() % alignment != 0) alignment /= 2;
  }
  TFRT_ASSIGN_OR_RETURN(bool has_product,
                        blas::HasProduct(context, blas::Gemm::OfRowMajor(gemm), alignment));
  if (!has_product) return use_own(LibraryReason::kUnsupported);
  call.CallLibrary(std::make_unique<GemmCommand>(gemm),
                   {product.a, product.b, product.result, product.bias});
  NoteLibraryUse(call.op_name(), kLibrary, LibraryReason::kServes);
  return true;
}

}  // namespace tfrt::gpu
