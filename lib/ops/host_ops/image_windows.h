// The windows of ops on images, as their attributes say.
#ifndef TFRT_LIB_OPS_HOST_OPS_IMAGE_WINDOWS_H_
#define TFRT_LIB_OPS_HOST_OPS_IMAGE_WINDOWS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "lib/ops/maths/shapes/window_geometry.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/support/status.h"

namespace tfrt {

// The attributes of an op on images: padding, and, optionally, explicit_paddings, data_format,
// strides and dilations, of four numbers in the order of data_format.
struct ImageWindows {
  bool channels_last = true;
  std::string_view padding;
  int64_t strides[2];
  int64_t dilations[2];
  bool is_explicit = false;
  ExplicitPadding given[2];  // of rows and columns, if is_explicit

  std::span<const ExplicitPadding> explicit_paddings() const {
    return is_explicit ? std::span<const ExplicitPadding>(given)
                       : std::span<const ExplicitPadding>();
  }
};
StatusOr<ImageWindows> ParseImageWindows(const OpAttrsRef& attrs);
// The same for kernels, which have no other order. InvalidArgument for images [N,C,H,W].
StatusOr<ImageWindows> ParseChannelsLast(const OpAttrsRef& attrs);
StatusOr<Conv2dGeometry> ConvolutionGeometry(const TensorShape& image, const TensorShape& filter,
                                             const ImageWindows& windows);
// `in` is [N,H,W,C]; ksize is an attribute of four.
StatusOr<Window2d> PoolingWindow(const TensorShape& in, const ImageWindows& windows,
                                 const OpAttrsRef& attrs);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_IMAGE_WINDOWS_H_
