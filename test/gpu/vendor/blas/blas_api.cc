// Entry points of libcublas.so: handles, vectors and products.
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "gemm.h"
#include "gpu/abi/cublas_exports.h"
#include "handle_calls.h"

namespace tfrt::gpu::cublas_double {
namespace {

// Elements of a vector in memory of the device.
struct Vector {
  uint64_t address;
  cudaDataType type;
  int64_t n, increment;

  // The place of element i. A negative increment begins at the end.
  int64_t IndexOf(int64_t i) const {
    return increment < 0 ? (i - n + 1) * increment : i * increment;
  }
  void AppendRanges(Use use, std::vector<tfrtDoubleRange>* ranges) const {
    Matrices elements{address, type, 1, increment == 0 ? 1 : n, std::abs(increment)};
    if (std::abs(increment) <= 1)
      elements.rows = std::exchange(elements.cols, 1), elements.ld = elements.rows;
    elements.AppendRanges(1, use, ranges);
  }
};

// Whether vectors of this type may be scaled or added, with scalars and sums of those.
bool IsVectorType(cudaDataType alpha, cudaDataType x, cudaDataType execution) {
  if (x == CUDA_R_16F || x == CUDA_R_16BF) return alpha == CUDA_R_32F && execution == CUDA_R_32F;
  return alpha == x && execution == x &&
         (x == CUDA_R_32F || x == CUDA_R_64F || x == CUDA_C_32F || x == CUDA_C_64F);
}

// Calls `f` with a value of the type that alpha has.
template <typename F>
void WithSum(cudaDataType type, F&& f) {
  WithElement(type, [&](auto sum) {
    if constexpr (!kIsHalf<decltype(sum)> && !std::is_integral_v<decltype(sum)>) f(sum);
  });
}

bool IsAlgorithm(cublasGemmAlgo_t algo) {
  return (algo >= CUBLAS_GEMM_DEFAULT && algo <= CUBLAS_GEMM_ALGO23) ||
         (algo >= CUBLAS_GEMM_DEFAULT_TENSOR_OP && algo <= CUBLAS_GEMM_ALGO15_TENSOR_OP);
}

cublasStatus_t Multiply(const char* name, cublasHandle_t handle, Product product, const void* alpha,
                        const void* beta, cublasComputeType_t compute_type, cublasGemmAlgo_t algo) {
  std::shared_ptr<LibraryHandle> found;
  TFRT_BLAS_RETURN_IF_FAILED(GetHandle(handle, &found));
  TFRT_BLAS_CHECK(IsOperation(product.transa) && IsOperation(product.transb));
  TFRT_BLAS_CHECK(product.m >= 0 && product.n >= 0 && product.k >= 0 && product.batch_count >= 0);
  const bool is_a_plain = product.transa == CUBLAS_OP_N, is_b_plain = product.transb == CUBLAS_OP_N;
  product.a.rows = is_a_plain ? product.m : product.k;
  product.a.cols = is_a_plain ? product.k : product.m;
  product.b.rows = is_b_plain ? product.k : product.n;
  product.b.cols = is_b_plain ? product.n : product.k;
  product.c.rows = product.m;
  product.c.cols = product.n;
  for (const Matrices* matrices : {&product.a, &product.b, &product.c}) {
    TFRT_BLAS_CHECK(matrices->ld >= std::max<int64_t>(1, matrices->rows));
  }
  TFRT_BLAS_CHECK(alpha && beta && IsAlgorithm(algo));
  const std::optional<cudaDataType> scale_type =
      ScaleTypeOf(compute_type, product.a.type, product.b.type, product.c.type);
  TFRT_BLAS_CHECK_SUPPORT(scale_type.has_value());
  if (*scale_type == CUDA_R_32I) {
    for (const Matrices* matrices : {&product.a, &product.b}) {
      TFRT_BLAS_CHECK_SUPPORT(matrices->address % 4 == 0 && matrices->ld % 4 == 0);
    }
  }
  product.scale_type = *scale_type;
  product.alpha = ReadScalar(*scale_type, alpha);
  product.beta = ReadScalar(*scale_type, beta);
  if (product.m == 0 || product.n == 0 || product.batch_count == 0) return CUBLAS_STATUS_SUCCESS;
  product.d = product.c;
  std::vector<tfrtDoubleRange> ranges = product.Ranges();
  AppendWorkspace(*found, &ranges);
  return Enqueue(found->stream, name, std::move(ranges), [product] { Run(product); });
}

}  // namespace
}  // namespace tfrt::gpu::cublas_double

namespace tfrt::gpu::cublas {
using namespace cublas_double;  // NOLINT

extern "C" {

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  return Enter("cublasGetProperty", [&]() -> cublasStatus_t {
    TFRT_BLAS_CHECK(value && type <= PATCH_LEVEL);
    const auto version = static_cast<int>(tfrtDoubleLibraryVersion("cublas", 130100));
    const int parts[] = {version / 10000, version / 100 % 100, version % 100};
    *value = parts[type];
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  return Enter("cublasCreate_v2", [&]() -> cublasStatus_t {
    TFRT_BLAS_CHECK(handle);
    std::shared_ptr<LibraryHandle> made;
    TFRT_BLAS_RETURN_IF_FAILED(MakeHandle(&made));
    *handle = BlasHandles::All().Add(std::move(made));
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  return Enter("cublasDestroy_v2", [&]() -> cublasStatus_t {
    std::shared_ptr<LibraryHandle> found;
    TFRT_BLAS_RETURN_IF_FAILED(GetHandle(handle, &found));
    BlasHandles::All().Remove(handle);
    (void)cuda::cuMemFree_v2(found->memory);  // the device may be lost
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, CUstream stream) {
  return Enter("cublasSetStream_v2", [&]() -> cublasStatus_t {
    std::shared_ptr<LibraryHandle> found;
    TFRT_BLAS_RETURN_IF_FAILED(GetHandle(handle, &found));
    TFRT_BLAS_CHECK(IsOfContext(stream, *found));
    found->stream = stream;
    found->workspace = found->workspace_bytes = 0;  // the library's own again
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t size_bytes) {
  return Enter("cublasSetWorkspace_v2", [&]() -> cublasStatus_t {
    std::shared_ptr<LibraryHandle> found;
    TFRT_BLAS_RETURN_IF_FAILED(GetHandle(handle, &found));
    TFRT_BLAS_CHECK(AddressOf(workspace) % 256 == 0);
    found->workspace = AddressOf(workspace);
    found->workspace_bytes = size_bytes;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha,
                            cudaDataType alpha_type, const void* x, cudaDataType x_type, int incx,
                            void* y, cudaDataType y_type, int incy, cudaDataType execution_type) {
  return Enter("cublasAxpyEx", [&]() -> cublasStatus_t {
    std::shared_ptr<LibraryHandle> found;
    TFRT_BLAS_RETURN_IF_FAILED(GetHandle(handle, &found));
    TFRT_BLAS_CHECK(alpha);
    TFRT_BLAS_CHECK_SUPPORT(x_type == y_type && IsVectorType(alpha_type, x_type, execution_type));
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    const Vector from{AddressOf(x), x_type, n, incx}, to{AddressOf(y), y_type, n, incy};
    const std::complex<double> by = ReadScalar(alpha_type, alpha);
    std::vector<tfrtDoubleRange> ranges;
    from.AppendRanges(kReads, &ranges);
    to.AppendRanges(kReadsAndWrites, &ranges);
    return Enqueue(found->stream, "cublasAxpyEx", std::move(ranges), [=] {
      WithSum(alpha_type, [&](auto sum) {
        using Sum = decltype(sum);
        WithElement(from.type, [&](auto element) {
          using Element = decltype(element);
          const auto* xs = View<const Element>(from.address);
          auto* ys = View<Element>(to.address);
          for (int64_t i = 0; i < n; ++i) {
            Element& result = ys[to.IndexOf(i)];
            result = Convert<Element>(Convert<Sum>(by) * Convert<Sum>(xs[from.IndexOf(i)]) +
                                      Convert<Sum>(result));
          }
        });
      });
    });
  });
}

cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha,
                            cudaDataType alpha_type, void* x, cudaDataType x_type, int incx,
                            cudaDataType execution_type) {
  return Enter("cublasScalEx", [&]() -> cublasStatus_t {
    std::shared_ptr<LibraryHandle> found;
    TFRT_BLAS_RETURN_IF_FAILED(GetHandle(handle, &found));
    TFRT_BLAS_CHECK(alpha);
    TFRT_BLAS_CHECK_SUPPORT(IsVectorType(alpha_type, x_type, execution_type));
    if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
    const Vector vector{AddressOf(x), x_type, n, incx};
    const std::complex<double> by = ReadScalar(alpha_type, alpha);
    std::vector<tfrtDoubleRange> ranges;
    vector.AppendRanges(kReadsAndWrites, &ranges);
    return Enqueue(found->stream, "cublasScalEx", std::move(ranges), [=] {
      WithSum(alpha_type, [&](auto sum) {
        using Sum = decltype(sum);
        WithElement(vector.type, [&](auto element) {
          using Element = decltype(element);
          auto* xs = View<Element>(vector.address);
          for (int64_t i = 0; i < n; ++i) {
            Element& result = xs[vector.IndexOf(i)];
            result = Convert<Element>(Convert<Sum>(by) * Convert<Sum>(result));
          }
        });
      });
    });
  });
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* a, cudaDataType a_type, int lda, const void* b,
                            cudaDataType b_type, int ldb, const void* beta, void* c,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute_type,
                            cublasGemmAlgo_t algo) {
  return Enter("cublasGemmEx", [&]() -> cublasStatus_t {
    Product product{.transa = transa, .transb = transb, .m = m, .n = n, .k = k};
    product.a = {.address = AddressOf(a), .type = a_type, .ld = lda};
    product.b = {.address = AddressOf(b), .type = b_type, .ld = ldb};
    product.c = {.address = AddressOf(c), .type = c_type, .ld = ldc};
    return Multiply("cublasGemmEx", handle, product, alpha, beta, compute_type, algo);
  });
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType a_type,
                                          int lda, long long stride_a, const void* b,
                                          cudaDataType b_type, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType c_type, int ldc,
                                          long long stride_c, int batch_count,
                                          cublasComputeType_t compute_type, cublasGemmAlgo_t algo) {
  return Enter("cublasGemmStridedBatchedEx", [&]() -> cublasStatus_t {
    Product product{
        .transa = transa, .transb = transb, .m = m, .n = n, .k = k, .batch_count = batch_count};
    product.a = {.address = AddressOf(a), .type = a_type, .ld = lda, .stride = stride_a};
    product.b = {.address = AddressOf(b), .type = b_type, .ld = ldb, .stride = stride_b};
    product.c = {.address = AddressOf(c), .type = c_type, .ld = ldc, .stride = stride_c};
    return Multiply("cublasGemmStridedBatchedEx", handle, product, alpha, beta, compute_type, algo);
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cublas
