// Entry points of libcublas.so: triangular systems.
#include <Eigen/Core>
#include <algorithm>
#include <complex>
#include <cstring>
#include <utility>
#include <vector>

#include "gpu/abi/cublas_exports.h"
#include "handle_calls.h"
#include "matrix.h"

namespace tfrt::gpu::cublas_double {
namespace {

template <typename T>
struct System {
  cublasSideMode_t side;
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  cublasDiagType_t diag;
  int64_t m, n, lda, ldb;
  T alpha;

  int64_t order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
  // Element (row, col) of op(A), which is lower or upper triangular after the operation.
  T At(const T* a, int64_t row, int64_t col) const {
    if (trans != CUBLAS_OP_N) std::swap(row, col);
    const T value = a[col * lda + row];
    if constexpr (kIsComplex<T>) {
      if (trans == CUBLAS_OP_C) return std::conj(value);
    }
    return value;
  }
  bool is_lower() const { return (uplo == CUBLAS_FILL_MODE_LOWER) == (trans == CUBLAS_OP_N); }
  void Solve(const T* a, T* b) const;
};

// By substitution, in the order in which the unknowns become known.
template <typename T>
void System<T>::Solve(const T* a, T* b) const {
  const bool is_left = side == CUBLAS_SIDE_LEFT;
  const int64_t size = order(), others = is_left ? n : m;
  // X op(A) = B is solved from the other end, as its transposed system has the other triangle.
  const bool is_forward = is_lower() == is_left;
  for (int64_t other = 0; other < others; ++other) {
    auto unknown = [&](int64_t i) -> T& {
      return is_left ? b[other * ldb + i] : b[i * ldb + other];
    };
    for (int64_t step = 0; step < size; ++step) {
      const int64_t i = is_forward ? step : size - 1 - step;
      T value = alpha * unknown(i);
      for (int64_t done = 0; done < step; ++done) {
        const int64_t j = is_forward ? done : size - 1 - done;
        value -= (is_left ? At(a, i, j) : At(a, j, i)) * unknown(j);
      }
      unknown(i) = diag == CUBLAS_DIAG_UNIT ? value : value / At(a, i, i);
    }
  }
}

template <typename T>
inline constexpr cudaDataType kType = CUDA_R_32F;
template <>
inline constexpr cudaDataType kType<double> = CUDA_R_64F;
template <>
inline constexpr cudaDataType kType<std::complex<float>> = CUDA_C_32F;
template <>
inline constexpr cudaDataType kType<std::complex<double>> = CUDA_C_64F;

// The triangle that is read: no range holds bytes of the other one.
template <typename T>
void AppendTriangle(const System<T>& system, uint64_t address,
                    std::vector<tfrtDoubleRange>* ranges) {
  const int64_t unit = system.diag == CUBLAS_DIAG_UNIT ? 1 : 0;
  for (int64_t col = 0; col < system.order(); ++col) {
    const bool is_lower = system.uplo == CUBLAS_FILL_MODE_LOWER;
    const int64_t first = is_lower ? col + unit : 0;
    const int64_t end = is_lower ? system.order() : col + 1 - unit;
    if (first >= end) continue;
    ranges->push_back({address + static_cast<uint64_t>(col * system.lda + first) * sizeof(T),
                       static_cast<uint64_t>(end - first) * sizeof(T), kReads});
  }
}

template <typename T>
cublasStatus_t SolveBatch(const char* name, cublasHandle_t handle, System<T> system,
                          const void* alpha, const void* a, const void* b, int batch_count) {
  return Enter(name, [&]() -> cublasStatus_t {
    std::shared_ptr<LibraryHandle> found;
    TFRT_BLAS_RETURN_IF_FAILED(GetHandle(handle, &found));
    TFRT_BLAS_CHECK(system.side == CUBLAS_SIDE_LEFT || system.side == CUBLAS_SIDE_RIGHT);
    TFRT_BLAS_CHECK(system.uplo == CUBLAS_FILL_MODE_LOWER || system.uplo == CUBLAS_FILL_MODE_UPPER);
    TFRT_BLAS_CHECK(system.trans == CUBLAS_OP_N || system.trans == CUBLAS_OP_T ||
                    system.trans == CUBLAS_OP_C);
    TFRT_BLAS_CHECK(system.diag == CUBLAS_DIAG_NON_UNIT || system.diag == CUBLAS_DIAG_UNIT);
    TFRT_BLAS_CHECK(system.m >= 0 && system.n >= 0 && batch_count >= 0);
    TFRT_BLAS_CHECK(system.lda >= std::max<int64_t>(1, system.order()));
    TFRT_BLAS_CHECK(system.ldb >= std::max<int64_t>(1, system.m));
    TFRT_BLAS_CHECK(alpha);
    std::memcpy(&system.alpha, alpha, sizeof(T));
    if (system.m == 0 || system.n == 0 || batch_count == 0) return CUBLAS_STATUS_SUCCESS;
    const uint64_t as = AddressOf(a), bs = AddressOf(b);
    const uint64_t array_bytes = static_cast<uint64_t>(batch_count) * sizeof(uint64_t);
    std::vector<tfrtDoubleRange> ranges = {{as, array_bytes, kReads}, {bs, array_bytes, kReads}};
    // The addresses are read when the command runs. Those that the arrays hold now are the ones to
    // check: arrays in memory of the host must not change until then.
    const auto* known_as = View<const uint64_t>(as);
    const auto* known_bs = View<const uint64_t>(bs);
    for (int i = 0; i < batch_count && known_as && known_bs; ++i) {
      AppendTriangle(system, known_as[i], &ranges);
      const Matrices matrix{known_bs[i], kType<T>, system.m, system.n, system.ldb};
      matrix.AppendRanges(1, kReadsAndWrites, &ranges);
    }
    AppendWorkspace(*found, &ranges);
    return Enqueue(found->stream, name, std::move(ranges), [=] {
      for (int i = 0; i < batch_count; ++i) {
        system.Solve(View<const T>(View<const uint64_t>(as)[i]),
                     View<T>(View<const uint64_t>(bs)[i]));
      }
    });
  });
}

}  // namespace
}  // namespace tfrt::gpu::cublas_double

namespace tfrt::gpu::cublas {
using namespace cublas_double;  // NOLINT

extern "C" {

#define TFRT_BLAS_TRSM(name, type, element)                                                       \
  cublasStatus_t name(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,        \
                      cublasOperation_t trans, cublasDiagType_t diag, int m, int n,               \
                      const type* alpha, const type* const* a, int lda, type* const* b, int ldb,  \
                      int batch_count) {                                                          \
    return SolveBatch<element>(#name, handle,                                                     \
                               {side, uplo, trans, diag, m, n, lda, ldb, element()}, alpha, a, b, \
                               batch_count);                                                      \
  }
TFRT_BLAS_TRSM(cublasStrsmBatched, float, float)
TFRT_BLAS_TRSM(cublasDtrsmBatched, double, double)
TFRT_BLAS_TRSM(cublasCtrsmBatched, cuComplex, std::complex<float>)
TFRT_BLAS_TRSM(cublasZtrsmBatched, cuDoubleComplex, std::complex<double>)
#undef TFRT_BLAS_TRSM

}  // extern "C"
}  // namespace tfrt::gpu::cublas
