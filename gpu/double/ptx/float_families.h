#ifndef TFRT_GPU_DOUBLE_PTX_FLOAT_FAMILIES_H_
#define TFRT_GPU_DOUBLE_PTX_FLOAT_FAMILIES_H_

#include "gpu/double/ptx/encoder.h"

namespace tfrt::gpu::ptx {

// Arithmetic of f16 and bf16, and of pairs of these.
void EncodeHalf(Encoder& encoder);
// Encodes operations that are not rounded exactly: .approx and .full.
void EncodeApproximate(Encoder& encoder);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_GPU_DOUBLE_PTX_FLOAT_FAMILIES_H_
