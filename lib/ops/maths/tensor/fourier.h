// Fourier transforms by kissfft, which is a part of Eigen (docs/design/0025-fourier-transforms.md).
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_FOURIER_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_FOURIER_H_

#include <cstddef>

#include "lib/ops/maths/completion.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// y = the transforms along an axis of x, which are not divided by the size. Both are complex64 or
// complex128 of one shape, in different memory.
Completion Fft(const DenseHostTensor& x, size_t axis, bool inverse, DenseHostTensor& y,
               const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_FOURIER_H_
