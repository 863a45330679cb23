// The values of `tfrt_gpu.blas` programs, and how their kernels read operands.
#ifndef TFRT_GPU_KERNELS_BLAS_VALUES_H_
#define TFRT_GPU_KERNELS_BLAS_VALUES_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gpu/abi/cublas_types.h"
#include "gpu/runtime/context.h"
#include "gpu/tensor/gpu_buffer.h"
#include "tfrt/async/async_value.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// `!tfrt_gpu.blas.handle`: of any stream of the context. Each call leases a handle of the library.
struct BlasHandleValue {
  static constexpr std::string_view kProgramTypeName = "blas handle";
  RCReference<Context> context;
};

// `!tfrt_gpu.blas.gemm.algo`: the attribute's value.
struct BlasAlgorithmValue {
  static constexpr std::string_view kProgramTypeName = "blas gemm algorithm";
  int32_t value = 0;
};

// A scalar of the host in the form in which the library reads it.
struct BlasScalar {
  alignas(16) std::byte bytes[16] = {};
  const void* data() const { return bytes; }
};
// Reads an operand that must have the type `expected`, and writes it as `type`. With
// `accepts_complex` it may be complex as well. Fails with "pointer type not supported" for a value
// that is no such number, and with "unexpected argument type" for one of another type.
StatusOr<BlasScalar> ReadBlasScalar(AsyncValue* value, DType expected, bool accepts_complex,
                                    cublas::cudaDataType type);
// Returns the type of scalars that have this type in the library; kUnsupported if none have.
DType ScalarTypeOf(cublas::cudaDataType type);

// The size of an element in bytes; 0 for types of less than a byte, or unknown ones.
size_t ElementBytes(cublas::cudaDataType type);

// Column-major matrices, `stride` elements apart.
struct MatrixExtent {
  int64_t rows = 0, cols = 0, ld = 0;
  int64_t batch_count = 1, stride = 0;
};
// Checks that the buffer holds all elements. Sizes that the library itself refuses count as no
// elements.
Status CheckExtent(std::string_view name, const GpuBuffer::Use& use, cublas::cudaDataType type,
                   const MatrixExtent& extent);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_BLAS_VALUES_H_
