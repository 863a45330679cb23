// Entry points: descriptors of one operation each. What they refuse is what the vendor's library
// does, with which a test compares them.
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "descriptors.h"

namespace tfrt::gpu::cudnn_double {
namespace {

constexpr int64_t kMaxElements = std::numeric_limits<int32_t>::max();

template <typename T, typename H>
cudnnStatus_t Create(const char* function, H* descriptor) {
  return Enter(function, [&]() -> cudnnStatus_t {
    TFRT_DNN_CHECK(descriptor != nullptr);
    *descriptor = static_cast<H>(Objects<T>::All().Add(std::make_shared<T>()));
    return CUDNN_STATUS_SUCCESS;
  });
}

template <typename T>
cudnnStatus_t Destroy(const char* function, const void* descriptor) {
  return Enter(function, [&]() -> cudnnStatus_t {
    if (!descriptor) return CUDNN_STATUS_SUCCESS;
    TFRT_DNN_CHECK(Objects<T>::All().Remove(descriptor));
    return CUDNN_STATUS_SUCCESS;
  });
}

// Runs `body` with what the descriptor stands for.
template <typename T, typename F>
cudnnStatus_t Set(const char* function, const void* descriptor, F&& body) {
  return Enter(function, [&]() -> cudnnStatus_t {
    std::shared_ptr<T> found = Objects<T>::All().Find(descriptor);
    TFRT_DNN_CHECK(found != nullptr);
    TFRT_DNN_RETURN_IF_FAILED(body(*found));
    found->is_set = true;
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t CheckTensor(cudnnDataType_t type, int num_dims, const int* dims) {
  TFRT_DNN_CHECK(ElementBytes(type) != 0 && type != CUDNN_DATA_BOOLEAN && type != CUDNN_DATA_INT64);
  TFRT_DNN_CHECK(num_dims >= 2);
  TFRT_DNN_CHECK_SUPPORT(num_dims <= kMaxDims);
  TFRT_DNN_CHECK(dims != nullptr);
  int64_t num_elements = 1;
  for (int d = 0; d < num_dims; ++d) {
    TFRT_DNN_CHECK(dims[d] > 0);
    num_elements *= dims[d];
    TFRT_DNN_CHECK_SUPPORT(num_elements <= kMaxElements);
  }
  return CUDNN_STATUS_SUCCESS;
}

std::vector<int64_t> Numbers(const int* numbers, int count) { return {numbers, numbers + count}; }

}  // namespace
}  // namespace tfrt::gpu::cudnn_double

namespace tfrt::gpu::cudnn {
using namespace cudnn_double;  // NOLINT

extern "C" {

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* tensor) {
  return Create<TensorDescriptor>("cudnnCreateTensorDescriptor", tensor);
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) {
  return Destroy<TensorDescriptor>("cudnnDestroyTensorDescriptor", tensor);
}
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* filter) {
  return Create<FilterDescriptor>("cudnnCreateFilterDescriptor", filter);
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) {
  return Destroy<FilterDescriptor>("cudnnDestroyFilterDescriptor", filter);
}
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* convolution) {
  return Create<ConvolutionDescriptor>("cudnnCreateConvolutionDescriptor", convolution);
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convolution) {
  return Destroy<ConvolutionDescriptor>("cudnnDestroyConvolutionDescriptor", convolution);
}
cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t* pooling) {
  return Create<PoolingDescriptor>("cudnnCreatePoolingDescriptor", pooling);
}
cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t pooling) {
  return Destroy<PoolingDescriptor>("cudnnDestroyPoolingDescriptor", pooling);
}
cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* activation) {
  return Create<ActivationDescriptor>("cudnnCreateActivationDescriptor", activation);
}
cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t activation) {
  return Destroy<ActivationDescriptor>("cudnnDestroyActivationDescriptor", activation);
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensor, cudnnDataType_t type,
                                         int num_dims, const int* dims, const int* strides) {
  return Set<TensorDescriptor>(
      "cudnnSetTensorNdDescriptor", tensor, [&](TensorDescriptor& found) -> cudnnStatus_t {
        TFRT_DNN_RETURN_IF_FAILED(CheckTensor(type, num_dims, dims));
        TFRT_DNN_CHECK(strides != nullptr);
        for (int d = 0; d < num_dims; ++d) TFRT_DNN_CHECK(strides[d] != 0 || dims[d] == 1);
        found.layout = {type, Numbers(dims, num_dims), Numbers(strides, num_dims), 1};
        // Numbers of such a type are 4 or 32 side by side, and the strides count in those.
        found.layout.vector_size = VectorSize(type);
        found.layout.dims[1] *= found.layout.vector_size;
        return CUDNN_STATUS_SUCCESS;
      });
}

cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t tensor,
                                           cudnnTensorFormat_t format, cudnnDataType_t type,
                                           int num_dims, const int* dims) {
  return Set<TensorDescriptor>(
      "cudnnSetTensorNdDescriptorEx", tensor, [&](TensorDescriptor& found) -> cudnnStatus_t {
        TFRT_DNN_CHECK(format <= CUDNN_TENSOR_NCHW_VECT_C);
        TFRT_DNN_RETURN_IF_FAILED(CheckTensor(type, num_dims, dims));
        Layout layout{type, Numbers(dims, num_dims), {}, 1};
        if (format == CUDNN_TENSOR_NCHW_VECT_C) {
          layout.vector_size = VectorSize(type);
          // Also of types without vectors.
          TFRT_DNN_CHECK(dims[1] % std::max(4, layout.vector_size) == 0);
        }
        std::vector<int64_t> vectors = layout.dims;
        vectors[1] /= layout.vector_size;
        layout.strides =
            format == CUDNN_TENSOR_NHWC ? ChannelsLastStrides(vectors) : RowStrides(vectors);
        found.layout = std::move(layout);
        return CUDNN_STATUS_SUCCESS;
      });
}

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int num_dims,
                                         const int* dims) {
  return Set<FilterDescriptor>(
      "cudnnSetFilterNdDescriptor", filter, [&](FilterDescriptor& found) -> cudnnStatus_t {
        TFRT_DNN_CHECK(num_dims > 2);
        TFRT_DNN_CHECK(type != CUDNN_DATA_INT32);
        TFRT_DNN_RETURN_IF_FAILED(CheckTensor(type, num_dims, dims));
        TFRT_DNN_CHECK(format <= CUDNN_TENSOR_NCHW_VECT_C);
        TFRT_DNN_CHECK(format != CUDNN_TENSOR_NCHW_VECT_C || VectorSize(type) > 1);
        Layout layout{type, Numbers(dims, num_dims), {}, 1};
        if (format == CUDNN_TENSOR_NCHW_VECT_C) layout.vector_size = VectorSize(type);
        std::vector<int64_t> vectors = layout.dims;
        vectors[1] /= layout.vector_size;
        layout.strides =
            format == CUDNN_TENSOR_NHWC ? ChannelsLastStrides(vectors) : RowStrides(vectors);
        found.layout = std::move(layout);
        return CUDNN_STATUS_SUCCESS;
      });
}

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t convolution,
                                              int num_spatial_dims, const int* paddings,
                                              const int* strides, const int* dilations,
                                              cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute_type) {
  return Set<ConvolutionDescriptor>(
      "cudnnSetConvolutionNdDescriptor", convolution,
      [&](ConvolutionDescriptor& found) -> cudnnStatus_t {
        TFRT_DNN_CHECK(num_spatial_dims >= 0);
        TFRT_DNN_CHECK_SUPPORT(num_spatial_dims <= kMaxDims - 2);
        for (int d = 0; d < num_spatial_dims; ++d) {
          TFRT_DNN_CHECK(paddings[d] >= 0);
          TFRT_DNN_CHECK(strides[d] > 0);
          TFRT_DNN_CHECK(dilations[d] > 0);
        }
        TFRT_DNN_CHECK(mode == CUDNN_CONVOLUTION || mode == CUDNN_CROSS_CORRELATION);
        TFRT_DNN_CHECK(compute_type == CUDNN_DATA_FLOAT || compute_type == CUDNN_DATA_DOUBLE ||
                       compute_type == CUDNN_DATA_HALF || compute_type == CUDNN_DATA_INT32);
        const std::vector<int64_t> padding = Numbers(paddings, num_spatial_dims);
        found.window = {padding,
                        padding,
                        Numbers(strides, num_spatial_dims),
                        Numbers(dilations, num_spatial_dims),
                        {}};
        found.is_flipped = mode == CUDNN_CONVOLUTION;
        found.compute_type = compute_type;
        found.math_type = CUDNN_DEFAULT_MATH;
        return CUDNN_STATUS_SUCCESS;
      });
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convolution,
                                          cudnnMathType_t type) {
  return Enter("cudnnSetConvolutionMathType", [&]() -> cudnnStatus_t {
    std::shared_ptr<ConvolutionDescriptor> found =
        Objects<ConvolutionDescriptor>::All().Find(convolution);
    TFRT_DNN_CHECK(found != nullptr);
    TFRT_DNN_CHECK(type <= CUDNN_FMA_MATH);
    found->math_type = type;
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t pooling, cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t nan, int num_spatial_dims,
                                          const int* window, const int* paddings,
                                          const int* strides) {
  return Set<PoolingDescriptor>(
      "cudnnSetPoolingNdDescriptor", pooling, [&](PoolingDescriptor& found) -> cudnnStatus_t {
        TFRT_DNN_CHECK(num_spatial_dims > 0);
        TFRT_DNN_CHECK_SUPPORT(num_spatial_dims <= kMaxDims - 2);
        TFRT_DNN_CHECK(mode <= CUDNN_POOLING_MAX_DETERMINISTIC);
        TFRT_DNN_CHECK(nan == CUDNN_NOT_PROPAGATE_NAN || nan == CUDNN_PROPAGATE_NAN);
        for (int d = 0; d < num_spatial_dims; ++d) {
          TFRT_DNN_CHECK(window[d] > 0);
          TFRT_DNN_CHECK(strides[d] > 0);
        }
        const std::vector<int64_t> padding = Numbers(paddings, num_spatial_dims);
        found.window = {padding,
                        padding,
                        Numbers(strides, num_spatial_dims),
                        {},
                        Numbers(window, num_spatial_dims)};
        found.mode =
            mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING   ? PoolMode::kAverageWithPadding
            : mode == CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING ? PoolMode::kAverageWithoutPadding
                                                                  : PoolMode::kMax;
        found.propagates_nan = nan == CUDNN_PROPAGATE_NAN;
        return CUDNN_STATUS_SUCCESS;
      });
}

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t activation,
                                           cudnnActivationMode_t mode, cudnnNanPropagation_t nan,
                                           double coefficient) {
  return Set<ActivationDescriptor>(
      "cudnnSetActivationDescriptor", activation,
      [&](ActivationDescriptor& found) -> cudnnStatus_t {
        TFRT_DNN_CHECK(mode <= CUDNN_ACTIVATION_SWISH);
        TFRT_DNN_CHECK(nan == CUDNN_NOT_PROPAGATE_NAN || nan == CUDNN_PROPAGATE_NAN);
        found.mode = mode;
        found.propagates_nan = nan == CUDNN_PROPAGATE_NAN;
        found.coefficient = coefficient;
        return CUDNN_STATUS_SUCCESS;
      });
}

}  // extern "C"
}  // namespace tfrt::gpu::cudnn
