// Metadata functions of eager ops: dtype and shape of the results from those of the arguments and
// the attributes, whatever device computes them. TFRT_OP_METADATA makes an op's `metadata` of each;
// those on spans are OpMetadataFunctions themselves.
//
// Ops whose results depend on the elements of an argument (tf.Reshape, tf.Tile, ...) have none.
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

// --- Elements ---

// The result is like the argument.
TensorMetadata SameMetadata(const TensorMetadata& in);
// Two arguments of one dtype, broadcast: "incompatible dtypes for binary operation", "Dimensions
// must be equal, but are 2 and 3".
StatusOr<TensorMetadata> BinaryOpMetadata(const TensorMetadata& a, const TensorMetadata& b);
// The same with results of i1.
StatusOr<TensorMetadata> ComparisonOpMetadata(const TensorMetadata& a, const TensorMetadata& b);
// DstT
StatusOr<TensorMetadata> CastOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
// data_format
StatusOr<TensorMetadata> BiasAddOpMetadata(const TensorMetadata& value, const TensorMetadata& bias,
                                           const OpAttrsRef& attrs);
StatusOr<TensorMetadata> BiasAddGradOpMetadata(const TensorMetadata& gradient,
                                               const OpAttrsRef& attrs);
// OK for a missing data_format and "NHWC", which is the only one.
Status CheckBiasDataFormat(const OpAttrsRef& attrs);

// --- Matrix products ---

// transpose_a, transpose_b
StatusOr<TensorMetadata> MatMulOpMetadata(const TensorMetadata& a, const TensorMetadata& b,
                                          const OpAttrsRef& attrs);
// Also fused_ops, and a bias as the first of `extra`.
StatusOr<TensorMetadata> FusedMatMulOpMetadata(const TensorMetadata& a, const TensorMetadata& b,
                                               VariadicOpMetadata extra, const OpAttrsRef& attrs);
// Optional transpose_a, transpose_b.
StatusOr<TensorMetadata> MatMulBiasOpMetadata(const TensorMetadata& a, const TensorMetadata& b,
                                              const TensorMetadata& bias, const OpAttrsRef& attrs);
// adj_x, adj_y
StatusOr<TensorMetadata> BatchMatMulOpMetadata(const TensorMetadata& x, const TensorMetadata& y,
                                               const OpAttrsRef& attrs);

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
StatusOr<TensorMetadata> GlobalAveragePoolOpMetadata(const TensorMetadata& in);

// --- Normalisation and training ---

// One result, or six: the normalised input, four vectors like the scale, nothing. In training with
// the factor 1 mean and variance may be empty.
Status FusedBatchNormOpMetadata(OpMetadataArguments arguments, const OpAttrsRef& attrs,
                                std::span<TensorMetadata> results) noexcept;
// Gradients of the input, the scale and the offset, and two empty tensors.
StatusOr<std::tuple<TensorMetadata, TensorMetadata, TensorMetadata, TensorMetadata, TensorMetadata>>
FusedBatchNormGradOpMetadata(const TensorMetadata& y_backprop, const TensorMetadata& x,
                             const TensorMetadata& scale, const TensorMetadata& reserve_1,
                             const TensorMetadata& reserve_2, const TensorMetadata& reserve_3);
// Gradients and features are alike: "gradients is f32 [2], but features is f32 [3]".
StatusOr<TensorMetadata> ActivationGradOpMetadata(const TensorMetadata& gradients,
                                                  const TensorMetadata& features);
// The same, with a last dimension.
StatusOr<TensorMetadata> SoftmaxGradOpMetadata(const TensorMetadata& gradients,
                                               const TensorMetadata& outputs);
// Gradients of the input, the scale and the offset.
StatusOr<std::tuple<TensorMetadata, TensorMetadata, TensorMetadata>> LayerNormGradOpMetadata(
    const TensorMetadata& gradients, const TensorMetadata& x, const TensorMetadata& scale);
// The last dimension of the input is that of scale and offset.
StatusOr<TensorMetadata> LayerNormOpMetadata(const TensorMetadata& in, const TensorMetadata& scale,
                                             const TensorMetadata& offset);
StatusOr<TensorMetadata> SoftmaxOpMetadata(const TensorMetadata& in);
// The loss and the gradient of the features.
StatusOr<std::tuple<TensorMetadata, TensorMetadata>> SoftmaxCrossEntropyOpMetadata(
    const TensorMetadata& features, const TensorMetadata& labels);
StatusOr<TensorMetadata> SgdUpdateOpMetadata(const TensorMetadata& variable,
                                             const TensorMetadata& gradient,
                                             const TensorMetadata& learning_rate);

// --- Shapes and constants ---

// value, optional dtype
StatusOr<TensorMetadata> ConstOpMetadata(const OpAttrsRef& attrs);
// T
StatusOr<TensorMetadata> ZerosLikeOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
// out_type
StatusOr<TensorMetadata> ShapeOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
// squeeze_dims
StatusOr<TensorMetadata> SqueezeOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
// The slices of `params` that the last dimension of `indices`, of i32 or i64, names.
StatusOr<TensorMetadata> GatherNdOpMetadata(const TensorMetadata& params,
                                            const TensorMetadata& indices);
// With what is an argument elsewhere as an attribute: perm; paddings; reduction_indices, keep_dims.
StatusOr<TensorMetadata> FoldedTransposeOpMetadata(const TensorMetadata& in,
                                                   const OpAttrsRef& attrs);
StatusOr<TensorMetadata> FoldedPadOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
StatusOr<TensorMetadata> FoldedMeanOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
// The numbers of an attribute that is an array or a dense constant of i32 or i64; empty without
// one.
std::optional<std::vector<int64_t>> IntegersOf(const OpAttrsRef& attrs, std::string_view name);

// --- Prints and checks ---

// The result is like the first argument.
TensorMetadata PrintOpMetadata(const TensorMetadata& in, VariadicOpMetadata data);
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
StatusOr<TensorMetadata> TestMatMulOpMetadata(const TensorMetadata& a, const TensorMetadata& b,
                                              const OpAttrsRef& attrs);
TensorMetadata TestOptionalArgOpMetadata(const TensorMetadata& in, OptionalOpMetadata other);
StatusOr<TensorMetadata> TestVariadicArgOpMetadata(VariadicOpMetadata in);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OP_METADATA_H_
