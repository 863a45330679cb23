// The factors alpha and beta of the library's functions.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_SCALE_H_
#define TFRT_TEST_GPU_VENDOR_DNN_SCALE_H_

#include <cstdint>

#include "gpu/abi/cudnn_types.h"

namespace tfrt::gpu::cudnn_double {

// A factor in memory of the host: a double for tensors of doubles, otherwise a float.
inline double ReadScale(cudnn::cudnnDataType_t type, const void* scale) {
  return type == cudnn::CUDNN_DATA_DOUBLE ? *static_cast<const double*>(scale)
                                          : *static_cast<const float*>(scale);
}

// How a result is used whose former value counts `beta` times, as in tfrtDoubleRange.
inline int32_t WriteUse(double beta) { return beta == 0 ? 1 : 2; }

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_SCALE_H_
