// Entry points: convolutions.
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "descriptors.h"
#include "elements.h"
#include "handle.h"
#include "scale.h"

namespace tfrt::gpu::cudnn_double {
namespace {

// The types that are documented, by those of x, w, y and of the sums.
cudnnStatus_t CheckTypes(const Convolution& convolution, bool is_forward) {
  const cudnnDataType_t x = convolution.x.type, w = convolution.w.type, y = convolution.y.type,
                        sum = convolution.compute_type;
  if (x == w && w == y) {
    if (x == CUDNN_DATA_FLOAT || x == CUDNN_DATA_BFLOAT16) {
      if (sum == CUDNN_DATA_FLOAT) return CUDNN_STATUS_SUCCESS;
    } else if (x == CUDNN_DATA_HALF) {
      if (sum == CUDNN_DATA_FLOAT || sum == CUDNN_DATA_HALF) return CUDNN_STATUS_SUCCESS;
    } else if (x == CUDNN_DATA_DOUBLE && sum == CUDNN_DATA_DOUBLE) {
      return CUDNN_STATUS_SUCCESS;
    }
  }
  const bool is_vector =
      x == CUDNN_DATA_INT8x4 || x == CUDNN_DATA_UINT8x4 || x == CUDNN_DATA_INT8x32;
  const bool is_filter =
      is_vector ? w == (x == CUDNN_DATA_UINT8x4 ? CUDNN_DATA_INT8x4 : x) : w == CUDNN_DATA_INT8;
  if (is_forward && sum == CUDNN_DATA_INT32 && is_filter &&
      (x == CUDNN_DATA_INT8 || x == CUDNN_DATA_UINT8 || is_vector) &&
      (y == x || y == CUDNN_DATA_FLOAT)) {
    // Numbers side by side are multiplied together.
    TFRT_DNN_CHECK_SUPPORT(convolution.x.dims[1] % 4 == 0 && convolution.w.dims[0] % 4 == 0);
    TFRT_DNN_CHECK_SUPPORT(is_vector ||
                           convolution.x.strides == ChannelsLastStrides(convolution.x.dims));
    return CUDNN_STATUS_SUCCESS;
  }
  return Fail(CUDNN_STATUS_NOT_SUPPORTED, "a combination of types");
}

cudnnStatus_t Make(cudnnTensorDescriptor_t x_tensor, cudnnFilterDescriptor_t w_filter,
                   cudnnTensorDescriptor_t y_tensor, cudnnConvolutionDescriptor_t descriptor,
                   bool is_forward, Convolution* made) {
  std::shared_ptr<TensorDescriptor> x, y;
  std::shared_ptr<FilterDescriptor> w;
  std::shared_ptr<ConvolutionDescriptor> convolution;
  TFRT_DNN_RETURN_IF_FAILED(GetDescriptor(x_tensor, &x));
  TFRT_DNN_RETURN_IF_FAILED(GetDescriptor(w_filter, &w));
  TFRT_DNN_RETURN_IF_FAILED(GetDescriptor(y_tensor, &y));
  TFRT_DNN_RETURN_IF_FAILED(GetDescriptor(descriptor, &convolution));
  *made = {x->layout,
           w->layout,
           y->layout,
           convolution->window,
           convolution->is_flipped,
           convolution->compute_type};
  const size_t num_spatial = made->window.strides.size();
  TFRT_DNN_CHECK(x->layout.dims.size() == num_spatial + 2);
  TFRT_DNN_CHECK_SUPPORT(num_spatial == 2 || num_spatial == 3);
  // Groups are not set: there is no function of the table that does.
  TFRT_DNN_CHECK(w->layout.dims.size() == x->layout.dims.size() &&
                 x->layout.dims[1] == w->layout.dims[1]);
  TFRT_DNN_CHECK(made->IsConsistent());
  return CheckTypes(*made, is_forward);
}

// Algorithms that are documented to need more: all filters of one size, without strides, ...
cudnnStatus_t CheckWindow(const Convolution& convolution, const char* algorithm) {
  const std::string name = algorithm;
  const int64_t rows = convolution.w.dims[2], columns = convolution.w.dims[3];
  for (size_t d = 0; d < convolution.window.strides.size(); ++d) {
    TFRT_DNN_CHECK_SUPPORT(convolution.window.strides[d] == 1);
    TFRT_DNN_CHECK_SUPPORT(convolution.window.dilations[d] == 1);
  }
  TFRT_DNN_CHECK_SUPPORT(convolution.w.dims.size() == 4);
  TFRT_DNN_CHECK_SUPPORT(convolution.x.type == CUDNN_DATA_FLOAT ||
                         convolution.x.type == CUDNN_DATA_HALF);
  TFRT_DNN_CHECK_SUPPORT(name != "winograd" || (rows == 3 && columns == 3));
  TFRT_DNN_CHECK_SUPPORT(name != "winograd_nonfused" ||
                         (rows == columns && (rows == 3 || rows == 5)));
  TFRT_DNN_CHECK_SUPPORT(name != "fft" || convolution.x.strides == RowStrides(convolution.x.dims));
  return CUDNN_STATUS_SUCCESS;
}

// The bytes that the algorithm needs beside the tensors.
size_t WindowBytes(const Convolution& convolution) {
  int64_t size = convolution.w.num_elements() / convolution.w.dims[0];
  for (size_t d = 2; d < convolution.y.dims.size(); ++d) size *= convolution.y.dims[d];
  return static_cast<size_t>(size) * ElementBytes(convolution.compute_type);
}

size_t ImageBytes(const Convolution& convolution) {
  return static_cast<size_t>(convolution.x.num_elements()) * sizeof(float);
}

cudnnStatus_t CheckForward(const Convolution& convolution, cudnnConvolutionFwdAlgo_t algorithm,
                           size_t* workspace_bytes) {
  *workspace_bytes = 0;
  const bool is_integer = convolution.compute_type == CUDNN_DATA_INT32;
  switch (algorithm) {
    case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM:
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM:
      TFRT_DNN_CHECK_SUPPORT(!is_integer);
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_CONVOLUTION_FWD_ALGO_GEMM:
      TFRT_DNN_CHECK_SUPPORT(!is_integer);
      *workspace_bytes = WindowBytes(convolution);
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_CONVOLUTION_FWD_ALGO_FFT:
    case CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING:
      *workspace_bytes = ImageBytes(convolution);
      return CheckWindow(convolution, "fft");
    case CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD:
      return CheckWindow(convolution, "winograd");
    case CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED:
      *workspace_bytes = ImageBytes(convolution);
      return CheckWindow(convolution, "winograd_nonfused");
    case CUDNN_CONVOLUTION_FWD_ALGO_DIRECT:
      return Fail(CUDNN_STATUS_NOT_SUPPORTED, "CUDNN_CONVOLUTION_FWD_ALGO_DIRECT");
    case CUDNN_CONVOLUTION_FWD_ALGO_COUNT:
      break;
  }
  return Fail(CUDNN_STATUS_BAD_PARAM, "no such algorithm");
}

cudnnStatus_t CheckBackwardData(const Convolution& convolution,
                                cudnnConvolutionBwdDataAlgo_t algorithm, size_t* workspace_bytes) {
  *workspace_bytes = 0;
  switch (algorithm) {
    case CUDNN_CONVOLUTION_BWD_DATA_ALGO_0:
    case CUDNN_CONVOLUTION_BWD_DATA_ALGO_1:
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT:
    case CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING:
      *workspace_bytes = ImageBytes(convolution);
      return CheckWindow(convolution, "fft");
    case CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD:
      return CheckWindow(convolution, "winograd");
    case CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED:
      *workspace_bytes = ImageBytes(convolution);
      return CheckWindow(convolution, "winograd_nonfused");
    case CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT:
      break;
  }
  return Fail(CUDNN_STATUS_BAD_PARAM, "no such algorithm");
}

cudnnStatus_t CheckBackwardFilter(const Convolution& convolution,
                                  cudnnConvolutionBwdFilterAlgo_t algorithm,
                                  size_t* workspace_bytes) {
  *workspace_bytes = 0;
  switch (algorithm) {
    case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0:
    case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1:
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3:
      *workspace_bytes = WindowBytes(convolution);
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT:
    case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING:
      *workspace_bytes = ImageBytes(convolution);
      return CheckWindow(convolution, "fft");
    case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED:
      *workspace_bytes = ImageBytes(convolution);
      return CheckWindow(convolution, "winograd_nonfused");
    case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD:
      return Fail(CUDNN_STATUS_NOT_SUPPORTED, "CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD");
    case CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT:
      break;
  }
  return Fail(CUDNN_STATUS_BAD_PARAM, "no such algorithm");
}

// The algorithm reads again itself what it writes there.
cudnnStatus_t AppendWorkspace(void* workspace, size_t size_bytes, size_t needed_bytes,
                              std::vector<tfrtDoubleRange>* ranges) {
  if (needed_bytes == 0) return CUDNN_STATUS_SUCCESS;
  if (!workspace || size_bytes < needed_bytes) {
    return Fail(CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT, "the workspace is too small");
  }
  ranges->push_back({reinterpret_cast<uint64_t>(workspace), needed_bytes, 1});
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace
}  // namespace tfrt::gpu::cudnn_double

namespace tfrt::gpu::cudnn {
using namespace cudnn_double;  // NOLINT

extern "C" {

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha,
                                      cudnnTensorDescriptor_t x_tensor, const void* x,
                                      cudnnFilterDescriptor_t w_filter, const void* w,
                                      cudnnConvolutionDescriptor_t convolution,
                                      cudnnConvolutionFwdAlgo_t algorithm, void* workspace,
                                      size_t workspace_bytes, const void* beta,
                                      cudnnTensorDescriptor_t y_tensor, void* y) {
  return Enter("cudnnConvolutionForward", [&]() -> cudnnStatus_t {
    std::shared_ptr<Handle> found;
    TFRT_DNN_RETURN_IF_FAILED(GetHandle(handle, &found));
    TFRT_DNN_CHECK(alpha && x && w && beta && y);
    Convolution made;
    TFRT_DNN_RETURN_IF_FAILED(
        Make(x_tensor, w_filter, y_tensor, convolution, /*is_forward=*/true, &made));
    size_t needed_bytes = 0;
    TFRT_DNN_RETURN_IF_FAILED(CheckForward(made, algorithm, &needed_bytes));
    const double by = ReadScale(made.y.type, alpha), prior = ReadScale(made.y.type, beta);
    std::vector<tfrtDoubleRange> ranges;
    AppendRanges(made.x, x, 0, &ranges);
    AppendRanges(made.w, w, 0, &ranges);
    AppendRanges(made.y, y, WriteUse(prior), &ranges);
    TFRT_DNN_RETURN_IF_FAILED(AppendWorkspace(workspace, workspace_bytes, needed_bytes, &ranges));
    return Enqueue(*found, "cudnnConvolutionForward", std::move(ranges),
                   [=] { RunForward(made, by, View(x), View(w), prior, View(y)); });
  });
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha,
                                           cudnnFilterDescriptor_t w_filter, const void* w,
                                           cudnnTensorDescriptor_t dy_tensor, const void* dy,
                                           cudnnConvolutionDescriptor_t convolution,
                                           cudnnConvolutionBwdDataAlgo_t algorithm, void* workspace,
                                           size_t workspace_bytes, const void* beta,
                                           cudnnTensorDescriptor_t dx_tensor, void* dx) {
  return Enter("cudnnConvolutionBackwardData", [&]() -> cudnnStatus_t {
    std::shared_ptr<Handle> found;
    TFRT_DNN_RETURN_IF_FAILED(GetHandle(handle, &found));
    TFRT_DNN_CHECK(alpha && w && dy && beta && dx);
    Convolution made;
    TFRT_DNN_RETURN_IF_FAILED(
        Make(dx_tensor, w_filter, dy_tensor, convolution, /*is_forward=*/false, &made));
    size_t needed_bytes = 0;
    TFRT_DNN_RETURN_IF_FAILED(CheckBackwardData(made, algorithm, &needed_bytes));
    const double by = ReadScale(made.x.type, alpha), prior = ReadScale(made.x.type, beta);
    std::vector<tfrtDoubleRange> ranges;
    AppendRanges(made.w, w, 0, &ranges);
    AppendRanges(made.y, dy, 0, &ranges);
    AppendRanges(made.x, dx, WriteUse(prior), &ranges);
    TFRT_DNN_RETURN_IF_FAILED(AppendWorkspace(workspace, workspace_bytes, needed_bytes, &ranges));
    return Enqueue(*found, "cudnnConvolutionBackwardData", std::move(ranges),
                   [=] { RunBackwardData(made, by, View(w), View(dy), prior, View(dx)); });
  });
}

cudnnStatus_t cudnnConvolutionBackwardFilter(
    cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x_tensor, const void* x,
    cudnnTensorDescriptor_t dy_tensor, const void* dy, cudnnConvolutionDescriptor_t convolution,
    cudnnConvolutionBwdFilterAlgo_t algorithm, void* workspace, size_t workspace_bytes,
    const void* beta, cudnnFilterDescriptor_t dw_filter, void* dw) {
  return Enter("cudnnConvolutionBackwardFilter", [&]() -> cudnnStatus_t {
    std::shared_ptr<Handle> found;
    TFRT_DNN_RETURN_IF_FAILED(GetHandle(handle, &found));
    TFRT_DNN_CHECK(alpha && x && dy && beta && dw);
    Convolution made;
    TFRT_DNN_RETURN_IF_FAILED(
        Make(x_tensor, dw_filter, dy_tensor, convolution, /*is_forward=*/false, &made));
    size_t needed_bytes = 0;
    TFRT_DNN_RETURN_IF_FAILED(CheckBackwardFilter(made, algorithm, &needed_bytes));
    const double by = ReadScale(made.w.type, alpha), prior = ReadScale(made.w.type, beta);
    std::vector<tfrtDoubleRange> ranges;
    AppendRanges(made.x, x, 0, &ranges);
    AppendRanges(made.y, dy, 0, &ranges);
    AppendRanges(made.w, dw, WriteUse(prior), &ranges);
    TFRT_DNN_RETURN_IF_FAILED(AppendWorkspace(workspace, workspace_bytes, needed_bytes, &ranges));
    return Enqueue(*found, "cudnnConvolutionBackwardFilter", std::move(ranges),
                   [=] { RunBackwardFilter(made, by, View(x), View(dy), prior, View(dw)); });
  });
}

cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void* alpha1, cudnnTensorDescriptor_t x_tensor, const void* x,
    cudnnFilterDescriptor_t w_filter, const void* w, cudnnConvolutionDescriptor_t convolution,
    cudnnConvolutionFwdAlgo_t algorithm, void* workspace, size_t workspace_bytes,
    const void* alpha2, cudnnTensorDescriptor_t z_tensor, const void* z,
    cudnnTensorDescriptor_t bias_tensor, const void* bias, cudnnActivationDescriptor_t activation,
    cudnnTensorDescriptor_t y_tensor, void* y) {
  return Enter("cudnnConvolutionBiasActivationForward", [&]() -> cudnnStatus_t {
    std::shared_ptr<Handle> found;
    TFRT_DNN_RETURN_IF_FAILED(GetHandle(handle, &found));
    TFRT_DNN_CHECK(alpha1 && x && w && alpha2 && z && bias && y);
    Convolution made;
    TFRT_DNN_RETURN_IF_FAILED(
        Make(x_tensor, w_filter, y_tensor, convolution, /*is_forward=*/true, &made));
    size_t needed_bytes = 0;
    TFRT_DNN_RETURN_IF_FAILED(CheckForward(made, algorithm, &needed_bytes));
    std::shared_ptr<TensorDescriptor> addend, bias_found;
    std::shared_ptr<ActivationDescriptor> act;
    TFRT_DNN_RETURN_IF_FAILED(GetDescriptor(z_tensor, &addend));
    TFRT_DNN_RETURN_IF_FAILED(GetDescriptor(bias_tensor, &bias_found));
    TFRT_DNN_RETURN_IF_FAILED(GetDescriptor(activation, &act));
    TFRT_DNN_CHECK(addend->layout.dims == made.y.dims);
    TFRT_DNN_CHECK(addend->layout.type == made.y.type);
    std::vector<int64_t> bias_dims(made.y.dims.size(), 1);
    bias_dims[1] = made.y.dims[1];
    TFRT_DNN_CHECK(bias_found->layout.dims == bias_dims);
    TFRT_DNN_CHECK_SUPPORT(act->mode == CUDNN_ACTIVATION_RELU ||
                           act->mode == CUDNN_ACTIVATION_IDENTITY);
    TFRT_DNN_CHECK_SUPPORT(act->mode != CUDNN_ACTIVATION_IDENTITY ||
                           algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
    const double by = ReadScale(made.y.type, alpha1), prior = ReadScale(made.y.type, alpha2);
    const Layout z_layout = addend->layout, bias_layout = bias_found->layout;
    const bool is_relu = act->mode == CUDNN_ACTIVATION_RELU, keeps_nan = act->propagates_nan;
    std::vector<tfrtDoubleRange> ranges;
    AppendRanges(made.x, x, 0, &ranges);
    AppendRanges(made.w, w, 0, &ranges);
    AppendRanges(z_layout, z, 0, &ranges);
    AppendRanges(bias_layout, bias, 0, &ranges);
    AppendRanges(made.y, y, 1, &ranges);
    TFRT_DNN_RETURN_IF_FAILED(AppendWorkspace(workspace, workspace_bytes, needed_bytes, &ranges));
    return Enqueue(*found, "cudnnConvolutionBiasActivationForward", std::move(ranges), [=] {
      std::vector<double> result = Convolve(made, View(x), View(w));
      std::vector<double> addends(result.size()), biases(made.y.dims[1]);
      ReadDense(z_layout, View(z), nullptr, 0, addends.data());
      ReadDense(bias_layout, View(bias), nullptr, 0, biases.data());
      const size_t plane = result.size() / (made.y.dims[0] * made.y.dims[1]);
      for (size_t i = 0; i < result.size(); ++i) {
        double value = by * result[i] + prior * addends[i] + biases[i / plane % biases.size()];
        if (is_relu && !(value > 0) && !(std::isnan(value) && keeps_nan)) value = 0;
        result[i] = value;
      }
      WriteDense(made.y, View(y), nullptr, 0, result.data(), 1, 0);
    });
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cudnn
