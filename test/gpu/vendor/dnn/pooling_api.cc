// Entry points: pooling.
#include <memory>
#include <vector>

#include "descriptors.h"
#include "handle.h"
#include "scale.h"

namespace tfrt::gpu::cudnn_double {
namespace {

// Reads that are no reports: see RunPoolForward.
constexpr int32_t kReadsUnwritten = 3;

cudnnStatus_t MakePooling(cudnnPoolingDescriptor_t pooling, cudnnTensorDescriptor_t x_tensor,
                          cudnnTensorDescriptor_t y_tensor, Pooling* made) {
  std::shared_ptr<PoolingDescriptor> window;
  std::shared_ptr<TensorDescriptor> x, y;
  TFRT_DNN_RETURN_IF_FAILED(GetDescriptor(pooling, &window));
  TFRT_DNN_RETURN_IF_FAILED(GetDescriptor(x_tensor, &x));
  TFRT_DNN_RETURN_IF_FAILED(GetDescriptor(y_tensor, &y));
  TFRT_DNN_CHECK(x->layout.type == y->layout.type);
  *made = {x->layout, y->layout, window->window, window->mode, window->propagates_nan};
  TFRT_DNN_CHECK(made->IsConsistent());
  return CUDNN_STATUS_SUCCESS;
}

bool IsPooledType(cudnnDataType_t type) {
  return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE || type == CUDNN_DATA_HALF ||
         type == CUDNN_DATA_BFLOAT16;
}

}  // namespace
}  // namespace tfrt::gpu::cudnn_double

namespace tfrt::gpu::cudnn {
using namespace cudnn_double;  // NOLINT

extern "C" {

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, cudnnPoolingDescriptor_t pooling,
                                  const void* alpha, cudnnTensorDescriptor_t x_tensor,
                                  const void* x, const void* beta, cudnnTensorDescriptor_t y_tensor,
                                  void* y) {
  return Enter("cudnnPoolingForward", [&]() -> cudnnStatus_t {
    std::shared_ptr<Handle> found;
    TFRT_DNN_RETURN_IF_FAILED(GetHandle(handle, &found));
    Pooling made;
    TFRT_DNN_RETURN_IF_FAILED(MakePooling(pooling, x_tensor, y_tensor, &made));
    TFRT_DNN_CHECK(alpha && x && beta && y);
    const cudnnDataType_t type = made.x.type;
    TFRT_DNN_CHECK_SUPPORT(IsPooledType(type) || type == CUDNN_DATA_INT8 ||
                           type == CUDNN_DATA_INT8x4 || type == CUDNN_DATA_INT8x32);
    const double by = ReadScale(type, alpha), prior = ReadScale(type, beta);
    std::vector<tfrtDoubleRange> ranges;
    AppendRanges(made.x, x, kReadsUnwritten, &ranges);
    AppendRanges(made.y, y, WriteUse(prior), &ranges);
    return Enqueue(*found, "cudnnPoolingForward", std::move(ranges),
                   [=] { RunPoolForward(made, by, x, prior, y); });
  });
}

cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t handle, cudnnPoolingDescriptor_t pooling,
                                   const void* alpha, cudnnTensorDescriptor_t y_tensor,
                                   const void* y, cudnnTensorDescriptor_t dy_tensor, const void* dy,
                                   cudnnTensorDescriptor_t x_tensor, const void* x,
                                   const void* beta, cudnnTensorDescriptor_t dx_tensor, void* dx) {
  return Enter("cudnnPoolingBackward", [&]() -> cudnnStatus_t {
    std::shared_ptr<Handle> found;
    TFRT_DNN_RETURN_IF_FAILED(GetHandle(handle, &found));
    Pooling made, of_gradients;
    TFRT_DNN_RETURN_IF_FAILED(MakePooling(pooling, x_tensor, y_tensor, &made));
    TFRT_DNN_RETURN_IF_FAILED(MakePooling(pooling, dx_tensor, dy_tensor, &of_gradients));
    TFRT_DNN_CHECK(alpha && y && dy && x && beta && dx);
    TFRT_DNN_CHECK(made.x.dims == of_gradients.x.dims);
    TFRT_DNN_CHECK(made.y.strides == of_gradients.y.strides);
    TFRT_DNN_CHECK(made.x.strides == of_gradients.x.strides);
    TFRT_DNN_CHECK(made.x.type == of_gradients.x.type);
    TFRT_DNN_CHECK_SUPPORT(IsPooledType(made.x.type));
    const double by = ReadScale(made.x.type, alpha), prior = ReadScale(made.x.type, beta);
    std::vector<tfrtDoubleRange> ranges;
    AppendRanges(made.x, x, kReadsUnwritten, &ranges);
    AppendRanges(made.y, y, kReadsUnwritten, &ranges);
    AppendRanges(made.y, dy, kReadsUnwritten, &ranges);
    AppendRanges(made.x, dx, WriteUse(prior), &ranges);
    return Enqueue(*found, "cudnnPoolingBackward", std::move(ranges),
                   [=] { RunPoolBackward(made, by, dy, x, prior, dx); });
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cudnn
