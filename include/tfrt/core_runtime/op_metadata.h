// Metadata functions of eager ops: dtype and shape of the results from those of the arguments and
// the attributes, whatever device computes them. TFRT_OP_METADATA makes an op's `metadata` of each.
//
// Here are those that are not made of a rule of the op table (tfrt/opinfo/shape_inference.h): of
// ops whose function needs more than a shape of the attributes, windows and dense constants, and of
// ops for tests. Ops whose results depend on the elements of an argument (tf.Reshape, tf.Tile, ...)
// have none.
#ifndef TFRT_CORE_RUNTIME_OP_METADATA_H_
#define TFRT_CORE_RUNTIME_OP_METADATA_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/kernel_maths/window_geometry.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// The result is like the argument.
TensorMetadata SameMetadata(const TensorMetadata& in);

// --- Windows over images ---

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
// Dimensions of an image: [N,H,W,C] of what is [N,C,H,W] unless channels_last; and back.
StatusOr<TensorShape> ToChannelsLast(const TensorShape& image, bool channels_last);
StatusOr<TensorShape> FromChannelsLast(const TensorShape& image, bool channels_last);
StatusOr<Conv2dGeometry> ConvolutionGeometry(const TensorShape& image, const TensorShape& filter,
                                             const ImageWindows& windows);
// `in` is [N,H,W,C]; ksize is an attribute of four.
StatusOr<Window2d> PoolingWindow(const TensorShape& in, const ImageWindows& windows,
                                 const OpAttrsRef& attrs);

StatusOr<TensorMetadata> Conv2DOpMetadata(const TensorMetadata& in, const TensorMetadata& filter,
                                          const OpAttrsRef& attrs);
StatusOr<TensorMetadata> Conv2DBiasOpMetadata(const TensorMetadata& in,
                                              const TensorMetadata& filter,
                                              const TensorMetadata& bias, const OpAttrsRef& attrs);
// `summand` has the shape of the result.
StatusOr<TensorMetadata> Conv2DBiasAddOpMetadata(const TensorMetadata& in,
                                                 const TensorMetadata& filter,
                                                 const TensorMetadata& bias,
                                                 const TensorMetadata& summand,
                                                 const OpAttrsRef& attrs);
// tf.MaxPool, tf.AvgPool
StatusOr<TensorMetadata> PoolOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
StatusOr<TensorMetadata> MaxPoolGradOpMetadata(const TensorMetadata& in, const TensorMetadata& out,
                                               const TensorMetadata& gradient,
                                               const OpAttrsRef& attrs);

// --- Shapes and constants ---

// value, optional dtype
StatusOr<TensorMetadata> ConstOpMetadata(const OpAttrsRef& attrs);
// With what is an argument elsewhere as an attribute: perm; paddings; reduction_indices, keep_dims.
StatusOr<TensorMetadata> FoldedTransposeOpMetadata(const TensorMetadata& in,
                                                   const OpAttrsRef& attrs);
StatusOr<TensorMetadata> FoldedPadOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
StatusOr<TensorMetadata> FoldedMeanOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);

// --- Checks ---

// shape, which may have dimensions of -1 or no rank: "tf.EnsureShape: shape of tensor input [3] is
// not compatible with expected shape [4, -1]"
StatusOr<TensorMetadata> EnsureShapeOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);

// --- tfrt_test.* ---

StatusOr<TensorMetadata> CreateDenseTensorOpMetadata(const OpAttrsRef& attrs);
StatusOr<TensorMetadata> CreateFromScalarOpMetadata(const OpAttrsRef& attrs);
StatusOr<TensorMetadata> CreateCooTensorOpMetadata(const TensorMetadata& indices,
                                                   const TensorMetadata& values,
                                                   const OpAttrsRef& attrs);
StatusOr<TensorMetadata> TestAddOpMetadata(const TensorMetadata& a, const TensorMetadata& b);
StatusOr<TensorMetadata> TestElementwiseOpMetadata(const TensorMetadata& a,
                                                   const TensorMetadata& b);
StatusOr<TensorMetadata> TestCastOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
StatusOr<TensorMetadata> TestBroadcastOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
StatusOr<TensorMetadata> TestArgmaxOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
StatusOr<TensorMetadata> TestReduceMeanOpMetadata(const TensorMetadata& in,
                                                  const OpAttrsRef& attrs);
TensorMetadata TestOptionalArgOpMetadata(const TensorMetadata& in, OptionalOpMetadata other);
StatusOr<TensorMetadata> TestVariadicArgOpMetadata(VariadicOpMetadata in);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OP_METADATA_H_
