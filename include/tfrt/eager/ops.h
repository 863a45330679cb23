// The eager ops as C++ functions (docs/eager.md). Made by scripts/make_eager_ops.py. Do not edit.
//
// An input is a Tensor, moved if its memory may be reused, a HostArray, a number or a list of
// numbers; `{}` for an optional one. What goes wrong becomes an error of the results; ops without
// results return it.
#ifndef TFRT_EAGER_OPS_H_
#define TFRT_EAGER_OPS_H_

#include <array>
#include <cstdint>
#include <source_location>
#include <span>
#include <string_view>

#include "tfrt/eager/attribute_types.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"

namespace tfrt::eager {

// tf.Const: The tensor `value`.
Tensor Const(const HostArray& value, Location where = std::source_location::current());

// tf.AddV2: `x + y`, broadcast; integers wrap.
Tensor AddV2(TensorArgument x, TensorArgument y, Location where = std::source_location::current());

// tf.Sub: `x - y`, broadcast; integers wrap.
Tensor Sub(TensorArgument x, TensorArgument y, Location where = std::source_location::current());

// tf.Mul: `x * y`, broadcast; integers wrap.
Tensor Mul(TensorArgument x, TensorArgument y, Location where = std::source_location::current());

// tf.RealDiv: `x / y`, broadcast; integers are divided towards 0, by 0 is an error.
Tensor RealDiv(TensorArgument x, TensorArgument y,
               Location where = std::source_location::current());

// tf.Maximum: The larger of `x` and `y`, broadcast; NaN if one of them is.
Tensor Maximum(TensorArgument x, TensorArgument y,
               Location where = std::source_location::current());

// tf.Minimum: The smaller of `x` and `y`, broadcast; NaN if one of them is.
Tensor Minimum(TensorArgument x, TensorArgument y,
               Location where = std::source_location::current());

// tf.Less: `x < y`, broadcast, as i1.
Tensor Less(TensorArgument x, TensorArgument y, Location where = std::source_location::current());

// tf.LessEqual: `x <= y`, broadcast, as i1.
Tensor LessEqual(TensorArgument x, TensorArgument y,
                 Location where = std::source_location::current());

// tf.Greater: `x > y`, broadcast, as i1.
Tensor Greater(TensorArgument x, TensorArgument y,
               Location where = std::source_location::current());

// tf.GreaterEqual: `x >= y`, broadcast, as i1.
Tensor GreaterEqual(TensorArgument x, TensorArgument y,
                    Location where = std::source_location::current());

// tf.Equal: `x == y`, broadcast, as i1.
Tensor Equal(TensorArgument x, TensorArgument y, Location where = std::source_location::current());

// tf.NotEqual: `x != y`, broadcast, as i1.
Tensor NotEqual(TensorArgument x, TensorArgument y,
                Location where = std::source_location::current());

// tf.ReluGrad: The gradient of relu: `gradients` where `features` are positive, 0 elsewhere.
Tensor ReluGrad(TensorArgument gradients, TensorArgument features,
                Location where = std::source_location::current());

// tf.Relu: `max(x, 0)` of each element; NaN stays NaN.
Tensor Relu(TensorArgument x, Location where = std::source_location::current());

// tf.Log: The natural logarithm of each element.
Tensor Log(TensorArgument x, Location where = std::source_location::current());

// tf.Log1p: `log(1 + x)` of each element.
Tensor Log1p(TensorArgument x, Location where = std::source_location::current());

// tf.Exp: e to the power of each element.
Tensor Exp(TensorArgument x, Location where = std::source_location::current());

// tf.Sqrt: The square root of each element.
Tensor Sqrt(TensorArgument x, Location where = std::source_location::current());

// tf.Rsqrt: `1 / sqrt(x)` of each element.
Tensor Rsqrt(TensorArgument x, Location where = std::source_location::current());

// tf.Sigmoid: `1 / (1 + exp(-x))` of each element.
Tensor Sigmoid(TensorArgument x, Location where = std::source_location::current());

// tf.Tanh: The hyperbolic tangent of each element.
Tensor Tanh(TensorArgument x, Location where = std::source_location::current());

struct GeluAttrs {
  bool approximate = false;
};
// tfrt.Gelu: The Gaussian error linear unit of each element: with the error function, or
// approximated with tanh.
Tensor Gelu(TensorArgument x, const GeluAttrs& attrs = {},
            Location where = std::source_location::current());

// tf.Cast: The elements as `DstT`: floats that do not fit an integer become the nearest that does,
// NaN 0; integers wrap.
Tensor Cast(TensorArgument x, DType DstT, Location where = std::source_location::current());

// tf.Identity: The argument.
Tensor Identity(TensorArgument input, Location where = std::source_location::current());

// tf.StopGradient: The argument, as a constant: no gradient goes through it.
Tensor StopGradient(TensorArgument input, Location where = std::source_location::current());

struct MatMulAttrs {
  bool transpose_a = false;
  bool transpose_b = false;
};
// tf.MatMul: The product of two matrices.
Tensor MatMul(TensorArgument a, TensorArgument b, const MatMulAttrs& attrs = {},
              Location where = std::source_location::current());

struct FusedMatMulAttrs {
  bool transpose_a = false;
  bool transpose_b = false;
};
// tf._FusedMatMul: The product of two matrices and what `fused_ops` lists: BiasAdd, of a vector in
// `args`, and then perhaps Relu, Relu6 or Elu.
Tensor FusedMatMul(TensorArgument a, TensorArgument b, TensorList args,
                   const StringList& fused_ops, const FusedMatMulAttrs& attrs = {},
                   Location where = std::source_location::current());

struct MatMulBiasAttrs {
  std::string_view activation = "none";
  bool transpose_a = false;
  bool transpose_b = false;
};
// tfrt.MatMulBias: `activation(a * b + bias)`; the activation is none, relu, gelu, gelu_tanh, tanh
// or sigmoid.
Tensor MatMulBias(TensorArgument a, TensorArgument b, TensorArgument bias,
                  const MatMulBiasAttrs& attrs = {},
                  Location where = std::source_location::current());

struct BatchMatMulV2Attrs {
  bool adj_x = false;
  bool adj_y = false;
};
// tf.BatchMatMulV2: The products of the matrices in the last two dimensions of `x` and `y`, whose
// other dimensions are broadcast.
Tensor BatchMatMulV2(TensorArgument x, TensorArgument y, const BatchMatMulV2Attrs& attrs = {},
                     Location where = std::source_location::current());

struct Conv2DAttrs {
  std::string_view data_format = "NHWC";
  Int64List dilations = {1, 1, 1, 1};
  Int64List explicit_paddings = {};
  Int64List strides = {1, 1, 1, 1};
};
// tf.Conv2D: The convolution of images [N,H,W,C] with a filter [H,W,C,O].
Tensor Conv2D(TensorArgument input, TensorArgument filter, std::string_view padding,
              const Conv2DAttrs& attrs = {}, Location where = std::source_location::current());

struct Conv2DBiasAttrs {
  std::string_view activation = "none";
  std::string_view data_format = "NHWC";
  Int64List dilations = {1, 1, 1, 1};
  Int64List explicit_paddings = {};
  Int64List strides = {1, 1, 1, 1};
};
// tfrt.Conv2DBias: `activation(convolution + bias)`; the activation is none, relu, gelu, gelu_tanh,
// tanh or sigmoid.
Tensor Conv2DBias(TensorArgument input, TensorArgument filter, TensorArgument bias,
                  std::string_view padding, const Conv2DBiasAttrs& attrs = {},
                  Location where = std::source_location::current());

struct Conv2DBiasAddAttrs {
  std::string_view activation = "none";
  std::string_view data_format = "NHWC";
  Int64List dilations = {1, 1, 1, 1};
  Int64List explicit_paddings = {};
  Int64List strides = {1, 1, 1, 1};
};
// tfrt.Conv2DBiasAdd: `activation(convolution + bias + summand)`, as residual networks have it; in
// the memory of the summand if nobody else needs it.
Tensor Conv2DBiasAdd(TensorArgument input, TensorArgument filter, TensorArgument bias,
                     TensorArgument summand, std::string_view padding,
                     const Conv2DBiasAddAttrs& attrs = {},
                     Location where = std::source_location::current());

struct Conv2DBackpropInputAttrs {
  std::string_view data_format = "NHWC";
  Int64List dilations = {1, 1, 1, 1};
  Int64List explicit_paddings = {};
  Int64List strides = {1, 1, 1, 1};
};
// tf.Conv2DBackpropInput: The gradient of a convolution with respect to its images, of the shape
// `input_sizes`.
Tensor Conv2DBackpropInput(TensorArgument input_sizes, TensorArgument filter,
                           TensorArgument out_backprop, std::string_view padding,
                           const Conv2DBackpropInputAttrs& attrs = {},
                           Location where = std::source_location::current());

struct Conv2DBackpropFilterAttrs {
  std::string_view data_format = "NHWC";
  Int64List dilations = {1, 1, 1, 1};
  Int64List explicit_paddings = {};
  Int64List strides = {1, 1, 1, 1};
};
// tf.Conv2DBackpropFilter: The gradient of a convolution with respect to its filter, of the shape
// `filter_sizes`.
Tensor Conv2DBackpropFilter(TensorArgument input, TensorArgument filter_sizes,
                            TensorArgument out_backprop, std::string_view padding,
                            const Conv2DBackpropFilterAttrs& attrs = {},
                            Location where = std::source_location::current());

struct MaxPoolAttrs {
  std::string_view data_format = "NHWC";
  Int64List dilations = {1, 1, 1, 1};
  Int64List explicit_paddings = {};
  Int64List strides = {1, 1, 1, 1};
};
// tf.MaxPool: The largest element of each window of images [N,H,W,C].
Tensor MaxPool(TensorArgument input, const Int64List& ksize, std::string_view padding,
               const MaxPoolAttrs& attrs = {}, Location where = std::source_location::current());

struct AvgPoolAttrs {
  std::string_view data_format = "NHWC";
  Int64List dilations = {1, 1, 1, 1};
  Int64List explicit_paddings = {};
  Int64List strides = {1, 1, 1, 1};
};
// tf.AvgPool: The mean of each window of images [N,H,W,C]; padding does not count.
Tensor AvgPool(TensorArgument value, const Int64List& ksize, std::string_view padding,
               const AvgPoolAttrs& attrs = {}, Location where = std::source_location::current());

struct MaxPoolGradAttrs {
  std::string_view data_format = "NHWC";
  Int64List dilations = {1, 1, 1, 1};
  Int64List explicit_paddings = {};
  Int64List strides = {1, 1, 1, 1};
};
// tf.MaxPoolGrad: The gradient of max pooling: each output's goes to the first element of its
// window that is as large as the output.
Tensor MaxPoolGrad(TensorArgument orig_input, TensorArgument orig_output, TensorArgument grad,
                   const Int64List& ksize, std::string_view padding,
                   const MaxPoolGradAttrs& attrs = {},
                   Location where = std::source_location::current());

// tfrt.GlobalAveragePool: The mean of each channel of images [N,H,W,C]: [N,C].
Tensor GlobalAveragePool(TensorArgument input, Location where = std::source_location::current());

// tf.Softmax: `exp(x) / sum(exp(x))` over the last dimension.
Tensor Softmax(TensorArgument logits, Location where = std::source_location::current());

// tf.LogSoftmax: The logarithm of the softmax.
Tensor LogSoftmax(TensorArgument logits, Location where = std::source_location::current());

struct BiasAddAttrs {
  std::string_view data_format = "NHWC";
};
// tf.BiasAdd: `value + bias`, of the size of the last dimension.
Tensor BiasAdd(TensorArgument value, TensorArgument bias, const BiasAddAttrs& attrs = {},
               Location where = std::source_location::current());

struct FusedBatchNormV3Attrs {
  std::string_view data_format = "NHWC";
  float epsilon = 1e-4f;
  float exponential_avg_factor = 1.0f;
  bool is_training = false;
};
// tf.FusedBatchNormV3: `(x - mean) / sqrt(variance + epsilon) * scale + offset`, one of each per
// channel, [C] or [1,1,1,C]; the other results are mean, variance, mean, variance and an empty
// tensor. In training with the mean and the variance of the batch, which are reserve_1 and
// reserve_2; batch_mean and batch_variance are `(1 - f) * mean + f * m` and `(1 - f) * variance + f
// * v` with the factor f, the batch's mean m and its variance v, divided by its size less 1; with
// the factor 1 mean and variance may be empty.
// Results: y, batch_mean, batch_variance, reserve_1, reserve_2, reserve_3.
std::array<Tensor, 6> FusedBatchNormV3(TensorArgument x, TensorArgument scale,
                                       TensorArgument offset, TensorArgument mean,
                                       TensorArgument variance,
                                       const FusedBatchNormV3Attrs& attrs = {},
                                       Location where = std::source_location::current());

struct LayerNormAttrs {
  float epsilon = 1e-5f;
};
// tfrt.LayerNorm: `(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the
// variance over the last dimension.
Tensor LayerNorm(TensorArgument x, TensorArgument scale, TensorArgument offset,
                 const LayerNormAttrs& attrs = {},
                 Location where = std::source_location::current());

struct MeanAttrs {
  bool keep_dims = false;
};
// tf.Mean: The mean over the dimensions that the indices name.
Tensor Mean(TensorArgument input, TensorArgument reduction_indices, const MeanAttrs& attrs = {},
            Location where = std::source_location::current());

struct SumAttrs {
  bool keep_dims = false;
};
// tf.Sum: The sum over the dimensions that the indices name; integers wrap.
Tensor Sum(TensorArgument input, TensorArgument reduction_indices, const SumAttrs& attrs = {},
           Location where = std::source_location::current());

struct MaxAttrs {
  bool keep_dims = false;
};
// tf.Max: The largest element over the dimensions that the indices name.
Tensor Max(TensorArgument input, TensorArgument reduction_indices, const MaxAttrs& attrs = {},
           Location where = std::source_location::current());

struct MinAttrs {
  bool keep_dims = false;
};
// tf.Min: The smallest element over the dimensions that the indices name.
Tensor Min(TensorArgument input, TensorArgument reduction_indices, const MinAttrs& attrs = {},
           Location where = std::source_location::current());

struct ArgMaxAttrs {
  DType output_type = DType::kI64;
};
// tf.ArgMax: Where the largest element along a dimension is: the first of several, the first NaN if
// there is one.
Tensor ArgMax(TensorArgument input, TensorArgument dimension, const ArgMaxAttrs& attrs = {},
              Location where = std::source_location::current());

struct BiasAddGradAttrs {
  std::string_view data_format = "NHWC";
};
// tf.BiasAddGrad: The gradient of a bias: the sum over all dimensions but the last.
Tensor BiasAddGrad(TensorArgument out_backprop, const BiasAddGradAttrs& attrs = {},
                   Location where = std::source_location::current());

// tf.ZerosLike: A scalar tensor of zeros of dtype `T` in the shape of the argument.
Tensor ZerosLike(TensorArgument x, DType T, Location where = std::source_location::current());

struct ShapeAttrs {
  DType out_type = DType::kI32;
};
// tf.Shape: The dimensions of the argument, as i32 or i64.
Tensor Shape(TensorArgument input, const ShapeAttrs& attrs = {},
             Location where = std::source_location::current());

// tf.Fill: A scalar tensor of the shape `dims` whose elements are all `value`.
Tensor Fill(TensorArgument dims, TensorArgument value,
            Location where = std::source_location::current());

// tf.ExpandDims: The argument with one more dimension, of size 1, in front of `axis`.
Tensor ExpandDims(TensorArgument input, TensorArgument axis,
                  Location where = std::source_location::current());

// tf.Reshape: The same elements in another shape; one dimension of -1 is what is left.
Tensor Reshape(TensorArgument tensor, TensorArgument shape,
               Location where = std::source_location::current());

struct SqueezeAttrs {
  Int64List squeeze_dims = {};
};
// tf.Squeeze: The argument without the dimensions that `squeeze_dims` lists, or without all of size
// 1.
Tensor Squeeze(TensorArgument input, const SqueezeAttrs& attrs = {},
               Location where = std::source_location::current());

// tf.Transpose: Dimension i of the result is dimension `perm[i]` of the argument.
Tensor Transpose(TensorArgument x, TensorArgument perm,
                 Location where = std::source_location::current());

// tf.ConcatV2: Tensors that agree in all dimensions but one, one after the other along it; the last
// argument is the axis, which may be negative.
Tensor ConcatV2(TensorList values_and_axis, Location where = std::source_location::current());
// The same with the last argument apart.
Tensor ConcatV2(TensorList values, TensorArgument axis,
                Location where = std::source_location::current());

// tf.Tile: The argument repeated `multiples[i]` times along dimension i.
Tensor Tile(TensorArgument input, TensorArgument multiples,
            Location where = std::source_location::current());

// tf.Pad: Zeros around the argument: row i of `paddings` says how many come before and after along
// dimension i.
Tensor Pad(TensorArgument input, TensorArgument paddings,
           Location where = std::source_location::current());

// tf.PadV2: One constant around the argument: row i of `paddings` says how many come before and
// after along dimension i.
Tensor PadV2(TensorArgument input, TensorArgument paddings, TensorArgument constant_values,
             Location where = std::source_location::current());

struct GatherV2Attrs {
  int64_t batch_dims = 0;
};
// tf.GatherV2: The slices of `params` along `axis` that `indices` name; the first `batch_dims`
// dimensions of both, counted from the end of the indices' if negative, go together.
Tensor GatherV2(TensorArgument params, TensorArgument indices, TensorArgument axis,
                const GatherV2Attrs& attrs = {}, Location where = std::source_location::current());

// tf.GatherNd: The slices of `params` that the rows of the last dimension of `indices` name: places
// along the first dimensions of `params`.
Tensor GatherNd(TensorArgument params, TensorArgument indices,
                Location where = std::source_location::current());

struct StridedSliceAttrs {
  int64_t begin_mask = 0;
  int64_t ellipsis_mask = 0;
  int64_t end_mask = 0;
  int64_t new_axis_mask = 0;
  int64_t shrink_axis_mask = 0;
};
// tf.StridedSlice: What Python's `input[begin[0]:end[0]:strides[0], ...]` is. Bit i of a mask is
// about entry i: an open begin, an open end, `...`, a new dimension of size 1, the one element at
// `begin[i]` without its dimension.
Tensor StridedSlice(TensorArgument input, TensorArgument begin, TensorArgument end,
                    TensorArgument strides, const StridedSliceAttrs& attrs = {},
                    Location where = std::source_location::current());

struct OneHotAttrs {
  int64_t axis = -1;
};
// tf.OneHot: `on_value` where the position along a new dimension of size `depth` is the index,
// `off_value` elsewhere; `axis` says where the new dimension is, -1 at the end.
Tensor OneHot(TensorArgument indices, TensorArgument depth, TensorArgument on_value,
              TensorArgument off_value, const OneHotAttrs& attrs = {},
              Location where = std::source_location::current());

// tf.Slice: The `size[i]` elements from `begin[i]` on along each dimension i; a size of -1 is all
// that follow.
Tensor Slice(TensorArgument input, TensorArgument begin, TensorArgument size,
             Location where = std::source_location::current());

// tf.SparseSoftmaxCrossEntropyWithLogits: The loss of each example, the cross entropy of its label
// and the softmax of its features, and the gradient of the loss.
// Results: loss, backprop.
std::array<Tensor, 2> SparseSoftmaxCrossEntropyWithLogits(TensorArgument features,
                                                          TensorArgument labels,
    Location where = std::source_location::current());

// tfrt.SgdUpdate: `variable - learning_rate * gradient`; in the memory of the variable if nobody
// else needs it.
Tensor SgdUpdate(TensorArgument variable, TensorArgument gradient, TensorArgument learning_rate,
                 Location where = std::source_location::current());

struct FusedBatchNormGradV3Attrs {
  std::string_view data_format = "NHWC";
  float epsilon = 1e-4f;
  bool is_training = true;
};
// tf.FusedBatchNormGradV3: The gradients of batch normalisation with respect to x, scale and
// offset, and two empty tensors. reserve_space_1 and reserve_space_2 are its reserve_1 and
// reserve_2, in training the mean and the variance of the batch; otherwise they are numbers that do
// not depend on x.
// Results: x_backprop, scale_backprop, offset_backprop, reserve_space_4, reserve_space_5.
std::array<Tensor, 5> FusedBatchNormGradV3(TensorArgument y_backprop, TensorArgument x,
                                           TensorArgument scale, TensorArgument reserve_space_1,
                                           TensorArgument reserve_space_2,
                                           TensorArgument reserve_space_3,
                                           const FusedBatchNormGradV3Attrs& attrs = {},
                                           Location where = std::source_location::current());

struct GeluGradAttrs {
  bool approximate = false;
};
// tfrt.GeluGrad: The gradient of gelu of `features`: `gradients` times its derivative there.
Tensor GeluGrad(TensorArgument gradients, TensorArgument features,
                const GeluGradAttrs& attrs = {}, Location where = std::source_location::current());

// tfrt.SoftmaxGrad: The gradient of the softmax, whose result is `softmax`: `(gradients -
// sum(gradients * softmax)) * softmax` over the last dimension.
Tensor SoftmaxGrad(TensorArgument gradients, TensorArgument softmax,
                   Location where = std::source_location::current());

// tfrt.LogSoftmaxGrad: The gradient of the log softmax, whose result is `logsoftmax`: `gradients -
// exp(logsoftmax) * sum(gradients)` over the last dimension.
Tensor LogSoftmaxGrad(TensorArgument gradients, TensorArgument logsoftmax,
                      Location where = std::source_location::current());

struct LayerNormGradAttrs {
  float epsilon = 1e-5f;
};
// tfrt.LayerNormGrad: The gradients of layer normalisation of `x` with respect to x, scale and
// offset.
// Results: x_grad, scale_grad, offset_grad.
std::array<Tensor, 3> LayerNormGrad(TensorArgument gradients, TensorArgument x,
                                    TensorArgument scale, const LayerNormGradAttrs& attrs = {},
                                    Location where = std::source_location::current());

struct PrintAttrs {
  std::string_view message = "";
  int64_t summarize = 3;
};
// tf.Print: `input`; writes a line to the standard error stream: the message, and the first
// `summarize` elements of each tensor of `data`, all if -1.
Tensor Print(TensorArgument input, TensorList data, const PrintAttrs& attrs = {},
             Location where = std::source_location::current());

struct AssertAttrs {
  std::string_view message = "";
  int64_t summarize = 3;
};
// tf.Assert: An error, with the message and the first `summarize` elements of each tensor of
// `data`, if `condition` is false.
Status Assert(TensorArgument condition, TensorList data, const AssertAttrs& attrs = {},
              Location where = std::source_location::current());

// tf.CheckNumerics: `tensor`, or an error that begins with the message if an element is infinite or
// NaN.
Tensor CheckNumerics(TensorArgument tensor, std::string_view message,
                     Location where = std::source_location::current());

// tf.CheckNumericsV2: As `tf.CheckNumerics`; the error tells infinities of both signs apart.
Tensor CheckNumericsV2(TensorArgument tensor, std::string_view message,
                       Location where = std::source_location::current());

// tf.EnsureShape: `input`, or an error if it has another shape; dimensions of -1 may be any.
Tensor EnsureShape(TensorArgument input, const Int64List& shape,
                   Location where = std::source_location::current());

// tfrt.ListWrite: The list with the value as the row at the index; behind its end it grows, and
// rows between are 0.
Tensor ListWrite(TensorArgument list, TensorArgument index, TensorArgument value,
                 Location where = std::source_location::current());


}  // namespace tfrt::eager

#endif  // TFRT_EAGER_OPS_H_
