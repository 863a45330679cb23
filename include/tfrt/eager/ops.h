// The eager ops as C++ functions (docs/eager.md). Made by scripts/make_eager_ops.py. Do not edit.
//
// An input is a Tensor, moved if its memory may be reused, a HostArray, a number or a list of
// numbers; `{}` for an optional one. What goes wrong becomes an error of the results; ops without
// results return it. A quick op on two tensors of a few elements each is done when it returns, in
// ASYNC scopes as well.
#ifndef TFRT_EAGER_OPS_H_
#define TFRT_EAGER_OPS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "tfrt/eager/attribute_types.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/support/location.h"

namespace tfrt::eager {

// tf.Const: The tensor `value`.
Tensor Const(const HostArray& value, Location where = Here());
// tf.AddV2: `x + y`, broadcast; integers wrap. (quick)
Tensor AddV2(TensorArgument x, TensorArgument y, Location where = Here());
// tf.Sub: `x - y`, broadcast; integers wrap. (quick)
Tensor Sub(TensorArgument x, TensorArgument y, Location where = Here());
// tf.Mul: `x * y`, broadcast; integers wrap. (quick)
Tensor Mul(TensorArgument x, TensorArgument y, Location where = Here());
// tf.RealDiv: `x / y`, broadcast; integers are divided towards 0, by 0 is an error. (quick)
Tensor RealDiv(TensorArgument x, TensorArgument y, Location where = Here());
// tf.Maximum: The larger of `x` and `y`, broadcast; NaN if one of them is.
Tensor Maximum(TensorArgument x, TensorArgument y, Location where = Here());
// tf.Minimum: The smaller of `x` and `y`, broadcast; NaN if one of them is.
Tensor Minimum(TensorArgument x, TensorArgument y, Location where = Here());
// tf.Less: `x < y`, broadcast, as i1.
Tensor Less(TensorArgument x, TensorArgument y, Location where = Here());
// tf.LessEqual: `x <= y`, broadcast, as i1.
Tensor LessEqual(TensorArgument x, TensorArgument y, Location where = Here());
// tf.Greater: `x > y`, broadcast, as i1.
Tensor Greater(TensorArgument x, TensorArgument y, Location where = Here());
// tf.GreaterEqual: `x >= y`, broadcast, as i1.
Tensor GreaterEqual(TensorArgument x, TensorArgument y, Location where = Here());
// tf.Equal: `x == y`, broadcast, as i1.
Tensor Equal(TensorArgument x, TensorArgument y, Location where = Here());
// tf.NotEqual: `x != y`, broadcast, as i1.
Tensor NotEqual(TensorArgument x, TensorArgument y, Location where = Here());
// tf.ReluGrad: The gradient of relu: `gradients` where `features` are positive, 0 elsewhere.
Tensor ReluGrad(TensorArgument gradients, TensorArgument features, Location where = Here());
// tf.Relu: `max(x, 0)` of each element; NaN stays NaN.
Tensor Relu(TensorArgument x, Location where = Here());
// tf.Log: The natural logarithm of each element.
Tensor Log(TensorArgument x, Location where = Here());
// tf.Log1p: `log(1 + x)` of each element.
Tensor Log1p(TensorArgument x, Location where = Here());
// tf.Exp: e to the power of each element.
Tensor Exp(TensorArgument x, Location where = Here());
// tf.Sqrt: The square root of each element.
Tensor Sqrt(TensorArgument x, Location where = Here());
// tf.Rsqrt: `1 / sqrt(x)` of each element.
Tensor Rsqrt(TensorArgument x, Location where = Here());
// tf.Sigmoid: `1 / (1 + exp(-x))` of each element.
Tensor Sigmoid(TensorArgument x, Location where = Here());
// tf.Tanh: The hyperbolic tangent of each element.
Tensor Tanh(TensorArgument x, Location where = Here());

struct GeluAttrs {
  bool approximate = false;
};
// tfrt.Gelu: The Gaussian error linear unit of each element: with the error function, or
// approximated with tanh.
Tensor Gelu(TensorArgument x, const GeluAttrs& attrs = {}, Location where = Here());

// tf.Cast: The elements as `DstT`: floats that do not fit an integer become the nearest that does,
// NaN 0; integers wrap.
Tensor Cast(TensorArgument x, DType DstT, Location where = Here());
// tf.Identity: The argument.
Tensor Identity(TensorArgument input, Location where = Here());
// tf.StopGradient: The argument, as a constant: no gradient goes through it.
Tensor StopGradient(TensorArgument input, Location where = Here());

struct MatMulAttrs {
  bool transpose_a = false;
  bool transpose_b = false;
};
// tf.MatMul: The product of two matrices.
Tensor MatMul(TensorArgument a, TensorArgument b, const MatMulAttrs& attrs = {},
              Location where = Here());

using FusedMatMulAttrs = MatMulAttrs;
// tf._FusedMatMul: The product of two matrices and what `fused_ops` lists: BiasAdd, of a vector in
// `args`, and then perhaps Relu, Relu6 or Elu.
Tensor FusedMatMul(TensorArgument a, TensorArgument b, TensorList args,
                   const StringList& fused_ops, const FusedMatMulAttrs& attrs = {},
                   Location where = Here());

struct MatMulBiasAttrs {
  std::string_view activation = "none";
  bool transpose_a = false;
  bool transpose_b = false;
};
// tfrt.MatMulBias: `activation(a * b + bias)`; the activation is none, relu, gelu, gelu_tanh, tanh
// or sigmoid.
Tensor MatMulBias(TensorArgument a, TensorArgument b, TensorArgument bias,
                  const MatMulBiasAttrs& attrs = {}, Location where = Here());

struct BatchMatMulV2Attrs {
  bool adj_x = false;
  bool adj_y = false;
};
// tf.BatchMatMulV2: The products of the matrices in the last two dimensions of `x` and `y`, whose
// other dimensions are broadcast.
Tensor BatchMatMulV2(TensorArgument x, TensorArgument y, const BatchMatMulV2Attrs& attrs = {},
                     Location where = Here());

struct Conv2DAttrs {
  std::string_view data_format = "NHWC";
  Int64List dilations = {1, 1, 1, 1};
  Int64List explicit_paddings = {};
  Int64List strides = {1, 1, 1, 1};
};
// tf.Conv2D: The convolution of images [N,H,W,C] with a filter [H,W,C,O].
Tensor Conv2D(TensorArgument input, TensorArgument filter, std::string_view padding,
              const Conv2DAttrs& attrs = {}, Location where = Here());

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
                  Location where = Here());

using Conv2DBiasAddAttrs = Conv2DBiasAttrs;
// tfrt.Conv2DBiasAdd: `activation(convolution + bias + summand)`, as residual networks have it; in
// the memory of the summand if nobody else needs it.
Tensor Conv2DBiasAdd(TensorArgument input, TensorArgument filter, TensorArgument bias,
                     TensorArgument summand, std::string_view padding,
                     const Conv2DBiasAddAttrs& attrs = {}, Location where = Here());

using Conv2DBackpropInputAttrs = Conv2DAttrs;
// tf.Conv2DBackpropInput: The gradient of a convolution with respect to its images, of the shape
// `input_sizes`.
Tensor Conv2DBackpropInput(TensorArgument input_sizes, TensorArgument filter,
                           TensorArgument out_backprop, std::string_view padding,
                           const Conv2DBackpropInputAttrs& attrs = {}, Location where = Here());

using Conv2DBackpropFilterAttrs = Conv2DAttrs;
// tf.Conv2DBackpropFilter: The gradient of a convolution with respect to its filter, of the shape
// `filter_sizes`.
Tensor Conv2DBackpropFilter(TensorArgument input, TensorArgument filter_sizes,
                            TensorArgument out_backprop, std::string_view padding,
                            const Conv2DBackpropFilterAttrs& attrs = {}, Location where = Here());

using MaxPoolAttrs = Conv2DAttrs;
// tf.MaxPool: The largest element of each window of images [N,H,W,C].
Tensor MaxPool(TensorArgument input, const Int64List& ksize, std::string_view padding,
               const MaxPoolAttrs& attrs = {}, Location where = Here());

using AvgPoolAttrs = Conv2DAttrs;
// tf.AvgPool: The mean of each window of images [N,H,W,C]; padding does not count.
Tensor AvgPool(TensorArgument value, const Int64List& ksize, std::string_view padding,
               const AvgPoolAttrs& attrs = {}, Location where = Here());

using MaxPoolGradAttrs = Conv2DAttrs;
// tf.MaxPoolGrad: The gradient of max pooling: each output's goes to the first element of its
// window that is as large as the output.
Tensor MaxPoolGrad(TensorArgument orig_input, TensorArgument orig_output, TensorArgument grad,
                   const Int64List& ksize, std::string_view padding,
                   const MaxPoolGradAttrs& attrs = {}, Location where = Here());

// tfrt.GlobalAveragePool: The mean of each channel of images [N,H,W,C]: [N,C].
Tensor GlobalAveragePool(TensorArgument input, Location where = Here());
// tf.Softmax: `exp(x) / sum(exp(x))` over the last dimension.
Tensor Softmax(TensorArgument logits, Location where = Here());
// tf.LogSoftmax: The logarithm of the softmax.
Tensor LogSoftmax(TensorArgument logits, Location where = Here());

struct BiasAddAttrs {
  std::string_view data_format = "NHWC";
};
// tf.BiasAdd: `value + bias`, of the size of the last dimension.
Tensor BiasAdd(TensorArgument value, TensorArgument bias, const BiasAddAttrs& attrs = {},
               Location where = Here());

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
                                       Location where = Here());

struct LayerNormAttrs {
  float epsilon = 1e-5f;
};
// tfrt.LayerNorm: `(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the
// variance over the last dimension.
Tensor LayerNorm(TensorArgument x, TensorArgument scale, TensorArgument offset,
                 const LayerNormAttrs& attrs = {}, Location where = Here());

// tfrt.Hardmax: 1 where the largest element of the last dimension is, the first of several, and 0
// elsewhere.
Tensor Hardmax(TensorArgument logits, Location where = Here());

using RmsNormAttrs = LayerNormAttrs;
// tfrt.RmsNorm: `x / sqrt(mean(x^2) + epsilon) * scale` with the mean over the last dimension.
Tensor RmsNorm(TensorArgument x, TensorArgument scale, const RmsNormAttrs& attrs = {},
               Location where = Here());

struct InstanceNormAttrs {
  bool channels_last = false;
  float epsilon = 1e-5f;
};
// tfrt.InstanceNorm: `(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the
// variance of each channel of each image.
Tensor InstanceNorm(TensorArgument x, TensorArgument scale, TensorArgument offset,
                    const InstanceNormAttrs& attrs = {}, Location where = Here());

using GroupNormAttrs = InstanceNormAttrs;
// tfrt.GroupNorm: `(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the
// variance of each group of channels of each image.
Tensor GroupNorm(TensorArgument x, TensorArgument scale, TensorArgument offset, int64_t groups,
                 const GroupNormAttrs& attrs = {}, Location where = Here());

struct LrnAttrs {
  float alpha = 1e-4f;
  float beta = 0.75f;
  float bias = 1;
  bool channels_last = false;
};
// tfrt.Lrn: `x / (bias + alpha / size * sum(x^2))^beta` with the sum over `size` channels around
// each.
Tensor Lrn(TensorArgument x, int64_t size, const LrnAttrs& attrs = {}, Location where = Here());

struct MeanAttrs {
  bool keep_dims = false;
};
// tf.Mean: The mean over the dimensions that the indices name.
Tensor Mean(TensorArgument input, TensorArgument reduction_indices, const MeanAttrs& attrs = {},
            Location where = Here());

using SumAttrs = MeanAttrs;
// tf.Sum: The sum over the dimensions that the indices name; integers wrap.
Tensor Sum(TensorArgument input, TensorArgument reduction_indices, const SumAttrs& attrs = {},
           Location where = Here());

using MaxAttrs = MeanAttrs;
// tf.Max: The largest element over the dimensions that the indices name.
Tensor Max(TensorArgument input, TensorArgument reduction_indices, const MaxAttrs& attrs = {},
           Location where = Here());

using MinAttrs = MeanAttrs;
// tf.Min: The smallest element over the dimensions that the indices name.
Tensor Min(TensorArgument input, TensorArgument reduction_indices, const MinAttrs& attrs = {},
           Location where = Here());

struct ArgMaxAttrs {
  DType output_type = DType::kI64;
};
// tf.ArgMax: Where the largest element along a dimension is: the first of several, the first NaN if
// there is one.
Tensor ArgMax(TensorArgument input, TensorArgument dimension, const ArgMaxAttrs& attrs = {},
              Location where = Here());

using BiasAddGradAttrs = BiasAddAttrs;
// tf.BiasAddGrad: The gradient of a bias: the sum over all dimensions but the last.
Tensor BiasAddGrad(TensorArgument out_backprop, const BiasAddGradAttrs& attrs = {},
                   Location where = Here());

using ReduceProdAttrs = MeanAttrs;
// tfrt.ReduceProd: The product over the dimensions that the indices name.
Tensor ReduceProd(TensorArgument input, TensorArgument reduction_indices,
                  const ReduceProdAttrs& attrs = {}, Location where = Here());

using ReduceL1Attrs = MeanAttrs;
// tfrt.ReduceL1: The sum of absolute values over the dimensions that the indices name.
Tensor ReduceL1(TensorArgument input, TensorArgument reduction_indices,
                const ReduceL1Attrs& attrs = {}, Location where = Here());

using ReduceL2Attrs = MeanAttrs;
// tfrt.ReduceL2: The root of the sum of squares over the dimensions that the indices name.
Tensor ReduceL2(TensorArgument input, TensorArgument reduction_indices,
                const ReduceL2Attrs& attrs = {}, Location where = Here());

using ReduceSumSquareAttrs = MeanAttrs;
// tfrt.ReduceSumSquare: The sum of squares over the dimensions that the indices name.
Tensor ReduceSumSquare(TensorArgument input, TensorArgument reduction_indices,
                       const ReduceSumSquareAttrs& attrs = {}, Location where = Here());

using ReduceLogSumAttrs = MeanAttrs;
// tfrt.ReduceLogSum: The logarithm of the sum over the dimensions that the indices name.
Tensor ReduceLogSum(TensorArgument input, TensorArgument reduction_indices,
                    const ReduceLogSumAttrs& attrs = {}, Location where = Here());

using ReduceLogSumExpAttrs = MeanAttrs;
// tfrt.ReduceLogSumExp: The logarithm of the sum of exponentials over the dimensions that the
// indices name.
Tensor ReduceLogSumExp(TensorArgument input, TensorArgument reduction_indices,
                       const ReduceLogSumExpAttrs& attrs = {}, Location where = Here());

struct ArgminAttrs {
  DType dtype = DType::kI64;
};
// tfrt.Argmin: Where the smallest element along a dimension is: the first of several, the first NaN
// if there is one.
Tensor Argmin(TensorArgument input, TensorArgument dimension, const ArgminAttrs& attrs = {},
              Location where = Here());

// tf.ZerosLike: A scalar tensor of zeros of dtype `T` in the shape of the argument.
Tensor ZerosLike(TensorArgument x, DType T, Location where = Here());

struct ShapeAttrs {
  DType out_type = DType::kI32;
};
// tf.Shape: The dimensions of the argument, as i32 or i64.
Tensor Shape(TensorArgument input, const ShapeAttrs& attrs = {}, Location where = Here());

// tf.Fill: A scalar tensor of the shape `dims` whose elements are all `value`.
Tensor Fill(TensorArgument dims, TensorArgument value, Location where = Here());

struct RandomBitsAttrs {
  int64_t seed = 0;
  int64_t stream = 0;
};
// tfrt.RandomBits: Words of 32 random bits in the shape `dims`, by Philox 4x32-10: word `i` is word
// `i mod 4` of the block whose counter is `i / 4` in its low half and `stream` in its high half;
// the key is `seed`. A tensor `key`, i64 [2], has seed and stream in place of the attributes. The
// same arguments give the same words.
Tensor RandomBits(TensorArgument dims, TensorArgument key = {}, const RandomBitsAttrs& attrs = {},
                  Location where = Here());

// tf.ExpandDims: The argument with one more dimension, of size 1, in front of `axis`.
Tensor ExpandDims(TensorArgument input, TensorArgument axis, Location where = Here());
// tf.Reshape: The same elements in another shape; one dimension of -1 is what is left.
Tensor Reshape(TensorArgument tensor, TensorArgument shape, Location where = Here());

struct SqueezeAttrs {
  Int64List squeeze_dims = {};
};
// tf.Squeeze: The argument without the dimensions that `squeeze_dims` lists, or without all of size
// 1.
Tensor Squeeze(TensorArgument input, const SqueezeAttrs& attrs = {}, Location where = Here());

// tf.Transpose: Dimension i of the result is dimension `perm[i]` of the argument.
Tensor Transpose(TensorArgument x, TensorArgument perm, Location where = Here());
// tf.ConcatV2: Tensors that agree in all dimensions but one, one after the other along it; the last
// argument is the axis, which may be negative.
Tensor ConcatV2(TensorList values_and_axis, Location where = Here());
// The same with the last argument apart.
Tensor ConcatV2(TensorList values, TensorArgument axis, Location where = Here());
// tf.Tile: The argument repeated `multiples[i]` times along dimension i.
Tensor Tile(TensorArgument input, TensorArgument multiples, Location where = Here());
// tf.Pad: Zeros around the argument: row i of `paddings` says how many come before and after along
// dimension i.
Tensor Pad(TensorArgument input, TensorArgument paddings, Location where = Here());
// tf.PadV2: One constant around the argument: row i of `paddings` says how many come before and
// after along dimension i.
Tensor PadV2(TensorArgument input, TensorArgument paddings, TensorArgument constant_values,
             Location where = Here());

struct ExtendAttrs {
  std::string_view mode = "reflect";
};
// tfrt.Extend: What is in the argument around it: mirrored at its edge (`reflect`), the edge
// (`edge`), or the other end (`wrap`); `paddings` as for `pad`.
Tensor Extend(TensorArgument input, TensorArgument paddings, const ExtendAttrs& attrs = {},
              Location where = Here());

struct GatherV2Attrs {
  int64_t batch_dims = 0;
};
// tf.GatherV2: The slices of `params` along `axis` that `indices` name; the first `batch_dims`
// dimensions of both, counted from the end of the indices' if negative, go together.
Tensor GatherV2(TensorArgument params, TensorArgument indices, TensorArgument axis,
                const GatherV2Attrs& attrs = {}, Location where = Here());

// tf.GatherNd: The slices of `params` that the rows of the last dimension of `indices` name: places
// along the first dimensions of `params`.
Tensor GatherNd(TensorArgument params, TensorArgument indices, Location where = Here());

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
                    Location where = Here());

struct OneHotAttrs {
  int64_t axis = -1;
};
// tf.OneHot: `on_value` where the position along a new dimension of size `depth` is the index,
// `off_value` elsewhere; `axis` says where the new dimension is, -1 at the end.
Tensor OneHot(TensorArgument indices, TensorArgument depth, TensorArgument on_value,
              TensorArgument off_value, const OneHotAttrs& attrs = {}, Location where = Here());

// tf.Slice: The `size[i]` elements from `begin[i]` on along each dimension i; a size of -1 is all
// that follow.
Tensor Slice(TensorArgument input, TensorArgument begin, TensorArgument size,
             Location where = Here());
// tf.SparseSoftmaxCrossEntropyWithLogits: The loss of each example, the cross entropy of its label
// and the softmax of its features, and the gradient of the loss.
// Results: loss, backprop.
std::array<Tensor, 2> SparseSoftmaxCrossEntropyWithLogits(TensorArgument features,
                                                          TensorArgument labels,
                                                          Location where = Here());
// tfrt.SgdUpdate: `variable - learning_rate * gradient`; in the memory of the variable if nobody
// else needs it.
Tensor SgdUpdate(TensorArgument variable, TensorArgument gradient, TensorArgument learning_rate,
                 Location where = Here());

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
                                           Location where = Here());

using GeluGradAttrs = GeluAttrs;
// tfrt.GeluGrad: The gradient of gelu of `features`: `gradients` times its derivative there.
Tensor GeluGrad(TensorArgument gradients, TensorArgument features,
                const GeluGradAttrs& attrs = {}, Location where = Here());

// tfrt.SoftmaxGrad: The gradient of the softmax, whose result is `softmax`: `(gradients -
// sum(gradients * softmax)) * softmax` over the last dimension.
Tensor SoftmaxGrad(TensorArgument gradients, TensorArgument softmax, Location where = Here());
// tfrt.LogSoftmaxGrad: The gradient of the log softmax, whose result is `logsoftmax`: `gradients -
// exp(logsoftmax) * sum(gradients)` over the last dimension.
Tensor LogSoftmaxGrad(TensorArgument gradients, TensorArgument logsoftmax,
                      Location where = Here());

using LayerNormGradAttrs = LayerNormAttrs;
// tfrt.LayerNormGrad: The gradients of layer normalisation of `x` with respect to x, scale and
// offset.
// Results: x_grad, scale_grad, offset_grad.
std::array<Tensor, 3> LayerNormGrad(TensorArgument gradients, TensorArgument x,
                                    TensorArgument scale, const LayerNormGradAttrs& attrs = {},
                                    Location where = Here());

struct PrintAttrs {
  std::string_view message = "";
  int64_t summarize = 3;
};
// tf.Print: `input`; writes a line to the standard error stream: the message, and the first
// `summarize` elements of each tensor of `data`, all if -1.
Tensor Print(TensorArgument input, TensorList data, const PrintAttrs& attrs = {},
             Location where = Here());

using AssertAttrs = PrintAttrs;
// tf.Assert: An error, with the message and the first `summarize` elements of each tensor of
// `data`, if `condition` is false.
Status Assert(TensorArgument condition, TensorList data, const AssertAttrs& attrs = {},
              Location where = Here());

// tf.CheckNumerics: `tensor`, or an error that begins with the message if an element is infinite or
// NaN.
Tensor CheckNumerics(TensorArgument tensor, std::string_view message, Location where = Here());
// tf.CheckNumericsV2: As `tf.CheckNumerics`; the error tells infinities of both signs apart.
Tensor CheckNumericsV2(TensorArgument tensor, std::string_view message, Location where = Here());
// tf.EnsureShape: `input`, or an error if it has another shape; dimensions of -1 may be any.
Tensor EnsureShape(TensorArgument input, const ShapeList& shape, Location where = Here());
// tfrt.Abs: The absolute value of each element; the least integer stays what it is.
Tensor Abs(TensorArgument x, Location where = Here());
// tfrt.Neg: `-x` of each element; integers wrap.
Tensor Neg(TensorArgument x, Location where = Here());
// tfrt.Sign: -1, 0 or 1 for each element; NaN stays NaN.
Tensor Sign(TensorArgument x, Location where = Here());
// tfrt.Reciprocal: `1 / x` of each element.
Tensor Reciprocal(TensorArgument x, Location where = Here());
// tfrt.Erf: The error function of each element.
Tensor Erf(TensorArgument x, Location where = Here());
// tfrt.Floor: The largest whole number that is not above each element.
Tensor Floor(TensorArgument x, Location where = Here());
// tfrt.Ceil: The smallest whole number that is not below each element.
Tensor Ceil(TensorArgument x, Location where = Here());
// tfrt.Round: The nearest whole number to each element, of two the even one.
Tensor Round(TensorArgument x, Location where = Here());
// tfrt.Sin: The sine of each element.
Tensor Sin(TensorArgument x, Location where = Here());
// tfrt.Cos: The cosine of each element.
Tensor Cos(TensorArgument x, Location where = Here());
// tfrt.Tan: The tangent of each element.
Tensor Tan(TensorArgument x, Location where = Here());
// tfrt.Asin: The inverse sine of each element.
Tensor Asin(TensorArgument x, Location where = Here());
// tfrt.Acos: The inverse cosine of each element.
Tensor Acos(TensorArgument x, Location where = Here());
// tfrt.Atan: The inverse tangent of each element.
Tensor Atan(TensorArgument x, Location where = Here());
// tfrt.Sinh: The hyperbolic sine of each element.
Tensor Sinh(TensorArgument x, Location where = Here());
// tfrt.Cosh: The hyperbolic cosine of each element.
Tensor Cosh(TensorArgument x, Location where = Here());
// tfrt.Asinh: The inverse hyperbolic sine of each element.
Tensor Asinh(TensorArgument x, Location where = Here());
// tfrt.Acosh: The inverse hyperbolic cosine of each element.
Tensor Acosh(TensorArgument x, Location where = Here());
// tfrt.Atanh: The inverse hyperbolic tangent of each element.
Tensor Atanh(TensorArgument x, Location where = Here());

struct LeakyReluAttrs {
  float alpha = 0.01f;
};
// tfrt.LeakyRelu: `x` where it is positive, `alpha * x` elsewhere.
Tensor LeakyRelu(TensorArgument x, const LeakyReluAttrs& attrs = {}, Location where = Here());

struct EluAttrs {
  float alpha = 1;
};
// tfrt.Elu: `x` where it is positive, `alpha * (exp(x) - 1)` elsewhere.
Tensor Elu(TensorArgument x, const EluAttrs& attrs = {}, Location where = Here());

struct SeluAttrs {
  float alpha = 1.67326319f;
  float gamma = 1.05070102f;
};
// tfrt.Selu: `gamma * x` where it is positive, `gamma * alpha * (exp(x) - 1)` elsewhere.
Tensor Selu(TensorArgument x, const SeluAttrs& attrs = {}, Location where = Here());

// tfrt.Softplus: `log(1 + exp(x))` of each element.
Tensor Softplus(TensorArgument x, Location where = Here());
// tfrt.Mish: `x * tanh(softplus(x))` of each element.
Tensor Mish(TensorArgument x, Location where = Here());

using SwishAttrs = EluAttrs;
// tfrt.Swish: `x * sigmoid(alpha * x)` of each element.
Tensor Swish(TensorArgument x, const SwishAttrs& attrs = {}, Location where = Here());

struct HardSigmoidAttrs {
  float alpha = 0.2f;
  float beta = 0.5f;
};
// tfrt.HardSigmoid: `alpha * x + beta`, at least 0 and at most 1.
Tensor HardSigmoid(TensorArgument x, const HardSigmoidAttrs& attrs = {}, Location where = Here());

// tfrt.HardSwish: `x` times what hard_sigmoid gives with 1/6 and 1/2.
Tensor HardSwish(TensorArgument x, Location where = Here());
// tfrt.BitwiseNot: Each bit of each integer the other way.
Tensor BitwiseNot(TensorArgument x, Location where = Here());
// tfrt.LogicalNot: True where `x` is not.
Tensor LogicalNot(TensorArgument x, Location where = Here());
// tfrt.IsNan: Where `x` is NaN, as i1.
Tensor IsNan(TensorArgument x, Location where = Here());

struct IsInfAttrs {
  bool negative = true;
  bool positive = true;
};
// tfrt.IsInf: Where `x` is infinite, with one of the signs asked for, as i1.
Tensor IsInf(TensorArgument x, const IsInfAttrs& attrs = {}, Location where = Here());

// tfrt.Pow: `x` to the power of `y`, broadcast, in the dtype of `x`.
Tensor Pow(TensorArgument x, TensorArgument y, Location where = Here());

struct ModAttrs {
  bool truncate = false;
};
// tfrt.Mod: The remainder of `x / y`, broadcast: with the sign of `y`, or, with `truncate`, with
// that of `x`.
Tensor Mod(TensorArgument x, TensorArgument y, const ModAttrs& attrs = {},
           Location where = Here());

// tfrt.Expm1: `exp(x) - 1` of each element.
Tensor Expm1(TensorArgument x, Location where = Here());
// tfrt.Exp2: 2 to the power of each element.
Tensor Exp2(TensorArgument x, Location where = Here());
// tfrt.Log2: The logarithm to base 2 of each element.
Tensor Log2(TensorArgument x, Location where = Here());
// tfrt.Log10: The logarithm to base 10 of each element.
Tensor Log10(TensorArgument x, Location where = Here());
// tfrt.Trunc: The nearest whole number between each element and 0.
Tensor Trunc(TensorArgument x, Location where = Here());
// tfrt.Signbit: Where the sign bit of `x` is set, that of -0 and of NaN, too, as i1.
Tensor Signbit(TensorArgument x, Location where = Here());
// tfrt.Atan2: The angle of the point whose coordinates are `y` and `x`, `x` being the second,
// broadcast.
Tensor Atan2(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.Hypot: `sqrt(x * x + y * y)`, broadcast, without squares that overflow.
Tensor Hypot(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.Logaddexp: `log(exp(x) + exp(y))`, broadcast.
Tensor Logaddexp(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.Copysign: `x` with the sign of `y`, broadcast.
Tensor Copysign(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.Nextafter: The number of the dtype that follows `x` on the way to `y`, broadcast.
Tensor Nextafter(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.FloorDivide: The largest whole number that is not above `x / y`, broadcast; of floats NaN
// where `x` is infinite.
Tensor FloorDivide(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.LogicalAnd: True where both are, broadcast.
Tensor LogicalAnd(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.LogicalOr: True where one is, broadcast.
Tensor LogicalOr(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.LogicalXor: True where they differ, broadcast.
Tensor LogicalXor(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.BitwiseAnd: `x & y` of integers, broadcast.
Tensor BitwiseAnd(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.BitwiseOr: `x | y` of integers, broadcast.
Tensor BitwiseOr(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.BitwiseXor: `x ^ y` of integers, broadcast.
Tensor BitwiseXor(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.ShiftLeft: `x << y` of integers, broadcast; 0 from their width on.
Tensor ShiftLeft(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.ShiftRight: `x >> y` of integers, broadcast; what comes in is 0, or the sign.
Tensor ShiftRight(TensorArgument x, TensorArgument y, Location where = Here());
// tfrt.Prelu: `x` where it is positive, `slope * x` elsewhere; the slope is broadcast to `x`.
Tensor Prelu(TensorArgument x, TensorArgument slope, Location where = Here());
// tfrt.Clip: `min(max(x, min), max)`; a bound that is left out bounds nothing, NaN stays NaN.
Tensor Clip(TensorArgument x, TensorArgument min = {}, TensorArgument max = {},
            Location where = Here());
// tfrt.Select: The element of `x` where the condition is true, that of `y` elsewhere, broadcast.
Tensor Select(TensorArgument condition, TensorArgument x, TensorArgument y,
              Location where = Here());

struct MaxPoolNdAttrs {
  bool ceil = false;
  bool channels_last = false;
  Int64List dilations = {};
  std::string_view padding = "explicit";
  Int64List pads = {};
  Int64List strides = {};
};
// tfrt.MaxPoolNd: The largest element of each window.
Tensor MaxPoolNd(TensorArgument input, const Int64List& kernel, const MaxPoolNdAttrs& attrs = {},
                 Location where = Here());

struct ConvAttrs {
  bool channels_last = false;
  Int64List dilations = {};
  int64_t groups = 1;
  std::string_view padding = "explicit";
  Int64List pads = {};
  Int64List strides = {};
};
// tfrt.Conv: The convolution of images with filters, in groups of channels; pads are those before
// each spatial dimension, then those behind each.
Tensor Conv(TensorArgument input, TensorArgument filter, TensorArgument bias = {},
            const ConvAttrs& attrs = {}, Location where = Here());

struct ConvTransposeAttrs {
  bool channels_last = false;
  Int64List dilations = {};
  int64_t groups = 1;
  Int64List output_padding = {};
  std::string_view padding = "explicit";
  Int64List pads = {};
  Int64List strides = {};
};
// tfrt.ConvTranspose: The gradient of `conv` with respect to its images, of `input`; filters are
// those of that convolution.
Tensor ConvTranspose(TensorArgument input, TensorArgument filter, TensorArgument bias = {},
                     const ConvTransposeAttrs& attrs = {}, Location where = Here());

using MaxPoolWithPlacesAttrs = MaxPoolNdAttrs;
// tfrt.MaxPoolWithPlaces: The largest element of each window, and where in the whole input,
// row-major, it is.
// Results: output, places.
std::array<Tensor, 2> MaxPoolWithPlaces(TensorArgument input, const Int64List& kernel,
                                        const MaxPoolWithPlacesAttrs& attrs = {},
                                        Location where = Here());

struct AveragePoolAttrs {
  bool ceil = false;
  bool channels_last = false;
  bool count_padding = false;
  Int64List dilations = {};
  std::string_view padding = "explicit";
  Int64List pads = {};
  Int64List strides = {};
};
// tfrt.AveragePool: The mean of each window, of the elements that are there or, with
// `count_padding`, of all taps.
Tensor AveragePool(TensorArgument input, const Int64List& kernel,
                   const AveragePoolAttrs& attrs = {}, Location where = Here());

struct LpPoolAttrs {
  bool ceil = false;
  bool channels_last = false;
  Int64List dilations = {};
  int64_t p = 2;
  std::string_view padding = "explicit";
  Int64List pads = {};
  Int64List strides = {};
};
// tfrt.LpPool: The p-norm of each window.
Tensor LpPool(TensorArgument input, const Int64List& kernel, const LpPoolAttrs& attrs = {},
              Location where = Here());

// tfrt.BroadcastTo: The input with a shape to which it is broadcast, or that is broadcast to it.
Tensor BroadcastTo(TensorArgument input, TensorArgument shape, Location where = Here());
// tfrt.Range: `start`, `start + step`, ... before `limit`.
Tensor Range(TensorArgument start, TensorArgument limit, TensorArgument step,
             Location where = Here());

struct ResizeAttrs {
  bool antialias = false;
  std::string_view coordinates = "half_pixel";
  float cubic_coefficient = -0.75f;
  bool exclude_outside = false;
  float extrapolation_value = 0;
  std::string_view mode = "nearest";
  std::string_view nearest = "round_prefer_floor";
};
// tfrt.Resize: The input at other sizes: nearest, linear or cubic, with the coordinates of the ONNX
// op Resize, for scales that are those of the sizes if they are left out, and of a box, which is
// begins and then ends; both of f32.
Tensor Resize(TensorArgument input, TensorArgument sizes, TensorArgument scales = {},
              TensorArgument box = {}, const ResizeAttrs& attrs = {}, Location where = Here());

struct DepthToSpaceAttrs {
  bool channels_last = false;
  bool columns_first = false;
};
// tfrt.DepthToSpace: Channels as blocks of places: `block` x `block` of each become one channel's.
Tensor DepthToSpace(TensorArgument input, int64_t block, const DepthToSpaceAttrs& attrs = {},
                    Location where = Here());

using SpaceToDepthAttrs = DepthToSpaceAttrs;
// tfrt.SpaceToDepth: Blocks of places as channels: the other way round.
Tensor SpaceToDepth(TensorArgument input, int64_t block, const SpaceToDepthAttrs& attrs = {},
                    Location where = Here());

struct CumulativeSumAttrs {
  bool exclusive = false;
  bool reverse = false;
};
// tfrt.CumulativeSum: The sum of the elements up to each along the axis, with it or without.
Tensor CumulativeSum(TensorArgument input, TensorArgument axis,
                     const CumulativeSumAttrs& attrs = {}, Location where = Here());

using CumulativeProductAttrs = CumulativeSumAttrs;
// tfrt.CumulativeProduct: The product of the elements up to each along the axis, with it or
// without.
Tensor CumulativeProduct(TensorArgument input, TensorArgument axis,
                         const CumulativeProductAttrs& attrs = {}, Location where = Here());

struct TriangleAttrs {
  bool upper = true;
};
// tfrt.Triangle: Matrices with 0 below, or, without `upper`, above a diagonal.
Tensor Triangle(TensorArgument input, TensorArgument diagonal, const TriangleAttrs& attrs = {},
                Location where = Here());

// tfrt.GatherElements: For each index the element that is there along the axis, at the index's own
// place in the other dimensions.
Tensor GatherElements(TensorArgument input, TensorArgument indices, int64_t axis,
                      Location where = Here());

struct ScatterElementsAttrs {
  int64_t axis = 0;
  std::string_view reduction = "none";
};
// tfrt.ScatterElements: The input with each update at its index along the axis: set, or added,
// multiplied, max, min.
Tensor ScatterElements(TensorArgument input, TensorArgument indices, TensorArgument updates,
                       const ScatterElementsAttrs& attrs = {}, Location where = Here());

struct ScatterNdAttrs {
  std::string_view reduction = "none";
};
// tfrt.ScatterNd: The input with slices set, or added, multiplied, max, min, at places along its
// first dimensions.
Tensor ScatterNd(TensorArgument input, TensorArgument indices, TensorArgument updates,
                 const ScatterNdAttrs& attrs = {}, Location where = Here());

struct TopKAttrs {
  int64_t axis = -1;
  bool largest = true;
  bool sorted = true;
};
// tfrt.TopK: The k largest, or smallest, along an axis and where they are; of equal ones the first.
// Results: values, indices.
std::array<Tensor, 2> TopK(TensorArgument input, TensorArgument k, const TopKAttrs& attrs = {},
                           Location where = Here());

// tfrt.Nonzero: Where the elements are that are not 0, row-major: a column of indices for each.
Tensor Nonzero(TensorArgument input, Location where = Here());

struct NonMaxSuppressionAttrs {
  bool center_point = false;
};
// tfrt.NonMaxSuppression: The best boxes that do not overlap better ones: triples of batch, class,
// box.
Tensor NonMaxSuppression(TensorArgument boxes, TensorArgument scores, TensorArgument max_boxes,
                         TensorArgument iou_threshold, TensorArgument score_threshold,
                         const NonMaxSuppressionAttrs& attrs = {}, Location where = Here());

struct FusedConvAttrs {
  std::string_view activation = "none";
  float alpha = 0;
  float beta = 0;
  bool channels_last = false;
  Int64List dilations = {};
  int64_t groups = 1;
  std::string_view padding = "explicit";
  Int64List pads = {};
  Int64List strides = {};
};
// tfrt.FusedConv: `activation(conv + bias + addend)`, the addend being like the result, in whose
// memory that may come. The filter may be packed. Activations, some with the numbers alpha and
// beta: none, relu, leaky_relu(alpha), clip(alpha to beta), gelu, gelu_tanh, sigmoid, tanh,
// hard_sigmoid(alpha, beta), hard_swish, swish(alpha), elu(alpha), softplus, mish.
Tensor FusedConv(TensorArgument input, TensorArgument filter, TensorArgument bias = {},
                 TensorArgument addend = {}, const FusedConvAttrs& attrs = {},
                 Location where = Here());

struct FusedBatchMatmulAttrs {
  std::string_view activation = "none";
  float alpha = 0;
  float beta = 0;
  float scale = 1;
  bool transpose_a = false;
  bool transpose_b = false;
};
// tfrt.FusedBatchMatmul: `activation(scale * batch_matmul + bias + addend)`, the bias being a
// vector for each row, and the addend broadcast to the result, in whose memory that may come if it
// is as large. The second factor may be packed, if it is one matrix. Activations as those of
// `fused_conv`.
Tensor FusedBatchMatmul(TensorArgument a, TensorArgument b, TensorArgument bias = {},
                        TensorArgument addend = {}, const FusedBatchMatmulAttrs& attrs = {},
                        Location where = Here());

struct AttentionAttrs {
  bool causal = false;
  bool causal_at_end = false;
  std::string_view layout = "bhsd";
  bool masked_rows_are_zero = false;
  float scale = 1;
};
// tfrt.Attention: `softmax(scale * q * k + mask) * v` for each head, q being [B,H,S,D] or, with the
// layout bshd, [B,S,H,D], and so on; heads of k and v may be fewer, each for some of q. A mask of
// i1 says which scores count; `causal` lets row i see the keys 0 to i or, with `causal_at_end`,
// those but the S - 1 - i last. Rows that see no key become 0 with `masked_rows_are_zero`, NaN
// without.
Tensor Attention(TensorArgument q, TensorArgument k, TensorArgument v, TensorArgument mask = {},
                 const AttentionAttrs& attrs = {}, Location where = Here());

struct LstmAttrs {
  FloatList activation_alpha = {};
  FloatList activation_beta = {};
  StringList activations = {};
  bool batch_first = false;
  float clip = 0;
  std::string_view direction = "forward";
  bool input_forget = false;
};
// tfrt.Lstm: A layer of long short-term memory as ONNX defines it, gates in the order i, o, f, c;
// clip 0 does not clip.
// Results: y, last_h, last_c.
std::array<Tensor, 3> Lstm(TensorArgument x, TensorArgument w, TensorArgument r,
                           TensorArgument bias = {}, TensorArgument lengths = {},
                           TensorArgument initial_h = {}, TensorArgument initial_c = {},
                           TensorArgument peepholes = {}, const LstmAttrs& attrs = {},
                           Location where = Here());

struct GruAttrs {
  FloatList activation_alpha = {};
  FloatList activation_beta = {};
  StringList activations = {};
  bool batch_first = false;
  float clip = 0;
  std::string_view direction = "forward";
  bool linear_before_reset = false;
};
// tfrt.Gru: A layer of gated recurrent units as ONNX defines it, gates in the order z, r, h; clip 0
// does not clip.
// Results: y, last_h.
std::array<Tensor, 2> Gru(TensorArgument x, TensorArgument w, TensorArgument r,
                          TensorArgument bias = {}, TensorArgument lengths = {},
                          TensorArgument initial_h = {}, const GruAttrs& attrs = {},
                          Location where = Here());

struct RnnAttrs {
  FloatList activation_alpha = {};
  FloatList activation_beta = {};
  StringList activations = {};
  bool batch_first = false;
  float clip = 0;
  std::string_view direction = "forward";
};
// tfrt.Rnn: A recurrent layer with one gate as ONNX defines it; clip 0 does not clip.
// Results: y, last_h.
std::array<Tensor, 2> Rnn(TensorArgument x, TensorArgument w, TensorArgument r,
                          TensorArgument bias = {}, TensorArgument lengths = {},
                          TensorArgument initial_h = {}, const RnnAttrs& attrs = {},
                          Location where = Here());

using ConvIntegerAttrs = ConvAttrs;
// tfrt.ConvInteger: `conv` of `input - input_zero` with `filter - filter_zero`, of i8 or u8, in
// i32; the filter's zero point is one, or one for each output channel.
Tensor ConvInteger(TensorArgument input, TensorArgument filter, TensorArgument input_zero = {},
                   TensorArgument filter_zero = {}, const ConvIntegerAttrs& attrs = {},
                   Location where = Here());

// tfrt.MatmulInteger: `batch_matmul` of `a - a_zero` with `b - b_zero`, of i8 or u8, in i32; zero
// points are one, or one for each row of a or column of b.
Tensor MatmulInteger(TensorArgument a, TensorArgument b, TensorArgument a_zero = {},
                     TensorArgument b_zero = {}, Location where = Here());

struct QuantizeAttrs {
  int64_t axis = 1;
  int64_t block = 0;
  DType dtype = DType::kUI8;
};
// tfrt.Quantize: `x / scale`, of two nearest whole numbers the even one, plus the zero point: an
// integer of the zero point's dtype, or `dtype`, the nearest that there is. There is one scale, one
// for each place of the axis, or, with `block`, one for each so many places of the axis and each
// place of the other dimensions.
Tensor Quantize(TensorArgument x, TensorArgument scale, TensorArgument zero_point = {},
                const QuantizeAttrs& attrs = {}, Location where = Here());

struct DequantizeAttrs {
  int64_t axis = 1;
  int64_t block = 0;
};
// tfrt.Dequantize: `(x - zero_point) * scale`, in the dtype of the scale; scales as those of
// `quantize`.
Tensor Dequantize(TensorArgument x, TensorArgument scale, TensorArgument zero_point = {},
                  const DequantizeAttrs& attrs = {}, Location where = Here());

// tfrt.DynamicQuantize: `x` quantised to u8 with a scale and a zero point that fit its smallest and
// its largest element, and 0.
// Results: y, scale, zero_point.
std::array<Tensor, 3> DynamicQuantize(TensorArgument x, Location where = Here());

struct ReverseSequenceAttrs {
  int64_t batch_axis = 1;
  int64_t time_axis = 0;
};
// tfrt.ReverseSequence: The input with the first `lengths[b]` positions along the axis of time in
// reverse order, for each b along the batch's.
Tensor ReverseSequence(TensorArgument input, TensorArgument lengths,
                       const ReverseSequenceAttrs& attrs = {}, Location where = Here());

struct UniqueAttrs {
  Int64List axes = {};
  bool sorted = true;
};
// tfrt.Unique: The elements that differ, or the slices along the one axis of `axes`, in ascending
// order or that of their first times; where each is first, which of them each is, and how often.
// Results: values, places, inverse, counts.
std::array<Tensor, 4> Unique(TensorArgument input, const UniqueAttrs& attrs = {},
                             Location where = Here());

struct CompressAttrs {
  Int64List axes = {};
};
// tfrt.Compress: The elements whose condition is true, or the slices along the one axis of `axes`.
Tensor Compress(TensorArgument input, TensorArgument condition, const CompressAttrs& attrs = {},
                Location where = Here());

// tfrt.SplitSizes: `sizes`, or an error if one is below 0 or they do not add up to `whole`.
Tensor SplitSizes(TensorArgument sizes, TensorArgument whole, Location where = Here());

struct EyeLikeAttrs {
  int64_t diagonal = 0;
};
// tfrt.EyeLike: A matrix of the input's shape with ones on a diagonal and zeros elsewhere.
Tensor EyeLike(TensorArgument input, DType dtype, const EyeLikeAttrs& attrs = {},
               Location where = Here());

// tfrt.BitCast: The bytes of the elements as those of another dtype of the same size.
Tensor BitCast(TensorArgument input, DType dtype, Location where = Here());

struct GridSampleAttrs {
  bool align_corners = false;
  std::string_view mode = "linear";
  std::string_view padding = "zeros";
};
// tfrt.GridSample: The input [n,c,sizes...] at the places of the grid [n,points...,rank], each
// between -1 and 1, with the conventions of the ONNX op GridSample.
Tensor GridSample(TensorArgument input, TensorArgument grid, const GridSampleAttrs& attrs = {},
                  Location where = Here());

struct RoiAlignAttrs {
  bool half_pixel = true;
  int64_t height = 1;
  std::string_view mode = "avg";
  int64_t samples = 0;
  float scale = 1;
  int64_t width = 1;
};
// tfrt.RoiAlign: Regions [r,4] of images [n,c,h,w], each in `height` x `width` bins, as the ONNX op
// RoiAlign.
Tensor RoiAlign(TensorArgument input, TensorArgument boxes, TensorArgument images,
                const RoiAlignAttrs& attrs = {}, Location where = Here());

using CenterCropPadAttrs = CompressAttrs;
// tfrt.CenterCropPad: The middle of the input, or the input in the middle of zeros, with other
// sizes of the dimensions that `axes` lists, or of all.
Tensor CenterCropPad(TensorArgument input, TensorArgument sizes,
                     const CenterCropPadAttrs& attrs = {}, Location where = Here());

struct AddBlocksAttrs {
  Int64List dilations = {};
  Int64List pads = {};
  Int64List strides = {};
};
// tfrt.AddBlocks: Blocks [n,c*block,count] put back where they were taken from images, and added:
// the ONNX op Col2Im.
Tensor AddBlocks(TensorArgument blocks, TensorArgument image_sizes, TensorArgument block_sizes,
                 const AddBlocksAttrs& attrs = {}, Location where = Here());

// tfrt.ListWrite: The list with the value as the row at the index; behind its end it grows, and
// rows between are 0.
Tensor ListWrite(TensorArgument list, TensorArgument index, TensorArgument value,
                 Location where = Here());
// tfrt.SumTo: The sums of the elements of `x` that broadcasting to its shape makes of one element
// of a tensor of `shape`.
Tensor SumTo(TensorArgument x, TensorArgument shape, Location where = Here());

struct SortAttrs {
  int64_t axis = -1;
  bool descending = false;
};
// tfrt.Sort: The elements in order along an axis, NaN as the largest; equal ones stay in the order
// in which they are.
Tensor Sort(TensorArgument input, const SortAttrs& attrs = {}, Location where = Here());

struct ArgsortAttrs {
  int64_t axis = -1;
  bool descending = false;
  DType dtype = DType::kI64;
};
// tfrt.Argsort: Where the elements that `sort` gives are along the axis.
Tensor Argsort(TensorArgument input, const ArgsortAttrs& attrs = {}, Location where = Here());

struct SearchSortedAttrs {
  DType dtype = DType::kI64;
  bool right = false;
};
// tfrt.SearchSorted: For each value the first place where it can be inserted into an ascending
// vector that stays ascending, or, with `right`, the last; NaN is the largest.
Tensor SearchSorted(TensorArgument sorted, TensorArgument values,
                    const SearchSortedAttrs& attrs = {}, Location where = Here());

struct CholeskyAttrs {
  bool upper = false;
};
// tfrt.Cholesky: The triangular factor L with `x = L L^T` of positive definite matrices, or L^T if
// `upper`; the lower triangle of `x` is read.
Tensor Cholesky(TensorArgument x, const CholeskyAttrs& attrs = {}, Location where = Here());

struct QrAttrs {
  bool complete = false;
};
// tfrt.Qr: `x = q r` with orthonormal columns of `q` and upper triangular `r`; `complete` makes `q`
// square.
// Results: q, r.
std::array<Tensor, 2> Qr(TensorArgument x, const QrAttrs& attrs = {}, Location where = Here());

struct SvdAttrs {
  bool full_matrices = true;
};
// tfrt.Svd: `x = u diag(s) vh` with orthonormal columns of `u` and rows of `vh` and falling `s`;
// `full_matrices` makes both square.
// Results: u, s, vh.
std::array<Tensor, 3> Svd(TensorArgument x, const SvdAttrs& attrs = {}, Location where = Here());

// tfrt.Svdvals: The singular values of matrices, the largest first.
Tensor Svdvals(TensorArgument x, Location where = Here());

struct EighAttrs {
  bool lower = true;
};
// tfrt.Eigh: The eigenvalues of symmetric matrices, the smallest first, and their vectors as
// columns; one triangle of `x` is read, the lower one if `lower`.
// Results: eigenvalues, eigenvectors.
std::array<Tensor, 2> Eigh(TensorArgument x, const EighAttrs& attrs = {}, Location where = Here());

using EigvalshAttrs = EighAttrs;
// tfrt.Eigvalsh: The eigenvalues of symmetric matrices, the smallest first; one triangle of `x` is
// read, the lower one if `lower`.
Tensor Eigvalsh(TensorArgument x, const EigvalshAttrs& attrs = {}, Location where = Here());

struct SolveAttrs {
  bool transpose_a = false;
};
// tfrt.Solve: The matrices `y` with `a y = b`, or `a^T y = b` if `transpose_a`; the other
// dimensions of `a` and `b` are broadcast.
Tensor Solve(TensorArgument a, TensorArgument b, const SolveAttrs& attrs = {},
             Location where = Here());

// tfrt.Inverse: The inverse matrices.
Tensor Inverse(TensorArgument x, Location where = Here());
// tfrt.Determinant: The determinants of matrices.
Tensor Determinant(TensorArgument x, Location where = Here());
// tfrt.Slogdet: The signs of determinants, and the logarithms of their magnitudes: 0 and -inf of
// singular matrices.
// Results: sign, logabsdet.
std::array<Tensor, 2> Slogdet(TensorArgument x, Location where = Here());

struct DftAttrs {
  int64_t axis = -1;
  bool inverse = false;
};
// tfrt.Dft: The sums of `x[j] exp(-2 pi i j k / n)` along an axis of n complex elements, or of
// `x[j] exp(2 pi i j k / n)` if `inverse`; neither is divided by n.
Tensor Dft(TensorArgument x, const DftAttrs& attrs = {}, Location where = Here());

// tfrt.MakeComplex: The complex numbers with these parts.
Tensor MakeComplex(TensorArgument real, TensorArgument imag, Location where = Here());
// tfrt.Real: The real parts of complex numbers.
Tensor Real(TensorArgument x, Location where = Here());
// tfrt.Imag: The imaginary parts of complex numbers.
Tensor Imag(TensorArgument x, Location where = Here());

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_OPS_H_
