// The objects that the descriptors of one operation stand for.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_DESCRIPTORS_H_
#define TFRT_TEST_GPU_VENDOR_DNN_DESCRIPTORS_H_

#include <memory>

#include "call.h"
#include "convolution.h"
#include "layout.h"
#include "objects.h"
#include "pooling.h"

namespace tfrt::gpu::cudnn_double {

// Each has been set, or has not.
struct TensorDescriptor {
  bool is_set = false;
  Layout layout;
};
struct FilterDescriptor {
  bool is_set = false;
  Layout layout;
};
struct ConvolutionDescriptor {
  bool is_set = false;
  Window window;
  bool is_flipped = false;
  cudnnDataType_t compute_type = CUDNN_DATA_FLOAT;
  cudnnMathType_t math_type = CUDNN_DEFAULT_MATH;
};
struct PoolingDescriptor {
  bool is_set = false;
  Window window;
  PoolMode mode = PoolMode::kMax;
  bool propagates_nan = false;
};
struct ActivationDescriptor {
  bool is_set = false;
  cudnnActivationMode_t mode = CUDNN_ACTIVATION_IDENTITY;
  bool propagates_nan = false;
  double coefficient = 0;
};

// BAD_PARAM for a descriptor that is not there, or has not been set.
template <typename T>
cudnnStatus_t GetDescriptor(const void* descriptor, std::shared_ptr<T>* found) {
  *found = Objects<T>::All().Find(descriptor);
  TFRT_DNN_CHECK(*found != nullptr);
  TFRT_DNN_CHECK((*found)->is_set);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_DESCRIPTORS_H_
