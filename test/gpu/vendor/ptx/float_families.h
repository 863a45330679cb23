#ifndef TFRT_TEST_GPU_VENDOR_PTX_FLOAT_FAMILIES_H_
#define TFRT_TEST_GPU_VENDOR_PTX_FLOAT_FAMILIES_H_

#include "encoder.h"

namespace tfrt::gpu::ptx {

// Arithmetic of f16 and bf16, and of pairs of these.
void EncodeHalf(Encoder& encoder);
// Encodes operations that are not rounded exactly: .approx and .full.
void EncodeApproximate(Encoder& encoder);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_FLOAT_FAMILIES_H_
