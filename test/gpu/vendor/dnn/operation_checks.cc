#include "operation_checks.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cudnn_double {
namespace {

using Dims = std::vector<int64_t>;

cudnnStatus_t Missing(cudnnBackendAttributeName_t name, cudnnStatus_t status) {
  return Fail(status, StrCat("attribute ", static_cast<uint32_t>(name), " is not set"));
}

// A list of a window, with the least value that it may have.
struct WindowList {
  cudnnBackendAttributeName_t name;
  int64_t least;
};

// `no_count` is the status if the number of spatial dimensions is missing or too small.
cudnnStatus_t CheckWindow(const Backend& window, cudnnBackendAttributeName_t num_spatial,
                          cudnnStatus_t no_count, std::initializer_list<WindowList> lists) {
  const auto count = window.Value<int64_t>(num_spatial, 0);
  if (count < 1) return Missing(num_spatial, no_count);
  for (const WindowList& list : lists) {
    const Dims values = window.Values<int64_t>(list.name);
    if (values.empty()) return Missing(list.name, CUDNN_STATUS_BAD_PARAM);
    TFRT_DNN_CHECK(static_cast<int64_t>(values.size()) == count);
    for (const int64_t value : values) TFRT_DNN_CHECK(value >= list.least);
  }
  return CUDNN_STATUS_SUCCESS;
}

Dims DimsOf(const Backend& operation, cudnnBackendAttributeName_t name) {
  const std::shared_ptr<Backend> tensor = operation.Descriptor(name);
  return tensor ? tensor->Values<int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS) : Dims();
}

// Checks that tensors are there and have elements.
cudnnStatus_t NeedTensors(const Backend& operation, cudnnStatus_t missing,
                          std::initializer_list<cudnnBackendAttributeName_t> names) {
  for (const cudnnBackendAttributeName_t name : names) {
    if (!operation.Descriptor(name)) return Missing(name, missing);
  }
  for (const cudnnBackendAttributeName_t name : names) {
    for (const int64_t dim : DimsOf(operation, name)) TFRT_DNN_CHECK(dim > 0);
  }
  return CUDNN_STATUS_SUCCESS;
}

// The places of a convolution's tensors and parameters; of gradients, too.
struct ConvolutionPlaces {
  cudnnBackendAttributeName_t x, w, y, parameters;
};

cudnnStatus_t CheckConvolution(const Backend& operation, const ConvolutionPlaces& places) {
  TFRT_DNN_RETURN_IF_FAILED(
      NeedTensors(operation, CUDNN_STATUS_BAD_PARAM, {places.x, places.w, places.y}));
  const std::shared_ptr<Backend> parameters = operation.Descriptor(places.parameters);
  if (!parameters) return Missing(places.parameters, CUDNN_STATUS_BAD_PARAM);
  const Dims x = DimsOf(operation, places.x);
  const Dims w = DimsOf(operation, places.w);
  const Dims y = DimsOf(operation, places.y);
  const Dims before = parameters->Values<int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS);
  const Dims after = parameters->Values<int64_t>(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS);
  const Dims strides = parameters->Values<int64_t>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES);
  const Dims dilations = parameters->Values<int64_t>(CUDNN_ATTR_CONVOLUTION_DILATIONS);
  const size_t rank = strides.size() + 2;
  TFRT_DNN_CHECK(x.size() == rank && w.size() == rank && y.size() == rank);
  TFRT_DNN_CHECK(x[0] == y[0] && w[0] == y[1] && x[1] % w[1] == 0);
  for (size_t i = 0; i < strides.size(); ++i) {
    const int64_t room = x[i + 2] + before[i] + after[i] - ((w[i + 2] - 1) * dilations[i] + 1);
    TFRT_DNN_CHECK(room >= 0 && y[i + 2] == room / strides[i] + 1);
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t CheckPooling(const Backend& operation, cudnnBackendAttributeName_t x_place,
                           cudnnBackendAttributeName_t y_place,
                           cudnnBackendAttributeName_t parameters_place) {
  TFRT_DNN_RETURN_IF_FAILED(NeedTensors(operation, CUDNN_STATUS_BAD_PARAM, {x_place, y_place}));
  const std::shared_ptr<Backend> parameters = operation.Descriptor(parameters_place);
  if (!parameters) return Missing(parameters_place, CUDNN_STATUS_BAD_PARAM);
  const Dims x = DimsOf(operation, x_place);
  const Dims y = DimsOf(operation, y_place);
  const Dims before = parameters->Values<int64_t>(CUDNN_ATTR_RESAMPLE_PRE_PADDINGS);
  const Dims after = parameters->Values<int64_t>(CUDNN_ATTR_RESAMPLE_POST_PADDINGS);
  const Dims strides = parameters->Values<int64_t>(CUDNN_ATTR_RESAMPLE_STRIDES);
  const Dims sizes = parameters->Values<int64_t>(CUDNN_ATTR_RESAMPLE_WINDOW_DIMS);
  TFRT_DNN_CHECK(x.size() == strides.size() + 2 && y.size() == x.size());
  TFRT_DNN_CHECK(x[0] == y[0] && x[1] == y[1]);
  for (size_t i = 0; i < strides.size(); ++i) {
    const int64_t room = x[i + 2] + before[i] + after[i] - sizes[i];
    TFRT_DNN_CHECK(room >= 0 && y[i + 2] == room / strides[i] + 1);
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t CheckMatmul(const Backend& operation) {
  TFRT_DNN_RETURN_IF_FAILED(
      NeedTensors(operation, CUDNN_STATUS_NOT_SUPPORTED,
                  {CUDNN_ATTR_OPERATION_MATMUL_ADESC, CUDNN_ATTR_OPERATION_MATMUL_BDESC,
                   CUDNN_ATTR_OPERATION_MATMUL_CDESC}));
  const Dims a = DimsOf(operation, CUDNN_ATTR_OPERATION_MATMUL_ADESC);
  const Dims b = DimsOf(operation, CUDNN_ATTR_OPERATION_MATMUL_BDESC);
  const Dims c = DimsOf(operation, CUDNN_ATTR_OPERATION_MATMUL_CDESC);
  TFRT_DNN_CHECK(a.size() >= 3 && b.size() == a.size() && c.size() == a.size());
  const size_t rows = a.size() - 2, columns = a.size() - 1;
  TFRT_DNN_CHECK(a[columns] == b[rows] && a[rows] == c[rows] && b[columns] == c[columns]);
  for (size_t i = 0; i < rows; ++i) {
    TFRT_DNN_CHECK(c[i] == std::max(a[i], b[i]));
    TFRT_DNN_CHECK((a[i] == c[i] || a[i] == 1) && (b[i] == c[i] || b[i] == 1));
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t CheckAttention(const Backend& operation) {
  TFRT_DNN_RETURN_IF_FAILED(
      NeedTensors(operation, CUDNN_STATUS_BAD_PARAM,
                  {CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC,
                   CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC}));
  const Dims q = DimsOf(operation, CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC);
  const Dims v = DimsOf(operation, CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC);
  const Dims o = DimsOf(operation, CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC);
  TFRT_DNN_CHECK(q.size() == 4 && v.size() == 4 && o.size() == 4);
  TFRT_DNN_CHECK(o[0] == q[0] && o[1] == q[1] && o[2] == q[2] && o[3] == v[3]);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

cudnnStatus_t CheckParameters(const Backend& parameters) {
  switch (parameters.type) {
    case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
      return CheckWindow(parameters, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_STATUS_BAD_PARAM,
                         {{CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0},
                          {CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 0},
                          {CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 1},
                          {CUDNN_ATTR_CONVOLUTION_DILATIONS, 1}});
    case CUDNN_BACKEND_RESAMPLE_DESCRIPTOR:
      if (!parameters.Has(CUDNN_ATTR_RESAMPLE_MODE)) {
        return Missing(CUDNN_ATTR_RESAMPLE_MODE, CUDNN_STATUS_NOT_SUPPORTED);
      }
      return CheckWindow(parameters, CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS, CUDNN_STATUS_NOT_SUPPORTED,
                         {{CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, 0},
                          {CUDNN_ATTR_RESAMPLE_POST_PADDINGS, 0},
                          {CUDNN_ATTR_RESAMPLE_STRIDES, 1},
                          {CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, 1}});
    default:
      return CUDNN_STATUS_SUCCESS;
  }
}

cudnnStatus_t CheckOperation(const Backend& operation) {
  switch (operation.type) {
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
      return CheckConvolution(operation, {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                                          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                                          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                                          CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC});
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
      return CheckConvolution(operation, {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                                          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                                          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                                          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC});
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
      return CheckConvolution(operation, {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                                          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                                          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                                          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC});
    case CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR:
      return CheckPooling(operation, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC,
                          CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC,
                          CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC);
    case CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR:
      return CheckPooling(operation, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC,
                          CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC,
                          CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC);
    case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
      return CheckMatmul(operation);
    case CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR:
      return CheckAttention(operation);
    default:
      return CUDNN_STATUS_SUCCESS;
  }
}

}  // namespace tfrt::gpu::cudnn_double
