// Pooling and its gradients on host memory.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_POOLING_H_
#define TFRT_TEST_GPU_VENDOR_DNN_POOLING_H_

#include <cstdint>

#include "convolution.h"
#include "layout.h"

namespace tfrt::gpu::cudnn_double {

enum class PoolMode : uint8_t { kMax, kAverageWithPadding, kAverageWithoutPadding };

struct Pooling {
  Layout x, y;
  Window window;  // without dilations
  PoolMode mode = PoolMode::kMax;
  bool propagates_nan = false;

  bool IsConsistent() const;
};

// y = alpha pool(x) + beta y, at addresses of the device.
//
// Bytes that nothing has written are poison: NaNs. A result that is made of them counts as
// unwritten, too, and is reported where it is read otherwise. A maximum that does not propagate
// NaNs is made of the others. Programs that describe more than their buffers hold rely on it.
void RunPoolForward(const Pooling& pooling, double alpha, const void* x, double beta, void* y);
// dx = alpha gradient + beta dx. The gradient of a maximum goes to the first of the largest.
void RunPoolBackward(const Pooling& pooling, double alpha, const void* dy, const void* x,
                     double beta, void* dx);

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_POOLING_H_
