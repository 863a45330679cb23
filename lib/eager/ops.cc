// Made by scripts/make_eager_ops.py. Do not edit.

#include "tfrt/eager/ops.h"

#include "op_function.h"
#include "quick_call.h"

namespace tfrt::eager {

Tensor Const(const HostArray& value, Location where) {
  static const OpDefinition& op = HostOp("tf.Const");
  OpAttrs op_attrs;
  Status value_status = SetDense(op_attrs, "value", value);
  std::span<TensorArgument> arguments;
  return Call<1>(op, arguments, op_attrs, where, std::move(value_status));
}

Tensor AddV2(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.AddV2");
  const OpAttrsRef op_attrs;
  Tensor result = CallQuickOp(op, x, y);
  if (result.valid()) [[likely]]
    return result;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Sub(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.Sub");
  const OpAttrsRef op_attrs;
  Tensor result = CallQuickOp(op, x, y);
  if (result.valid()) [[likely]]
    return result;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Mul(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.Mul");
  const OpAttrsRef op_attrs;
  Tensor result = CallQuickOp(op, x, y);
  if (result.valid()) [[likely]]
    return result;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor RealDiv(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.RealDiv");
  const OpAttrsRef op_attrs;
  Tensor result = CallQuickOp(op, x, y);
  if (result.valid()) [[likely]]
    return result;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Maximum(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.Maximum");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Minimum(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.Minimum");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Less(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.Less");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor LessEqual(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.LessEqual");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Greater(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.Greater");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor GreaterEqual(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.GreaterEqual");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Equal(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.Equal");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor NotEqual(TensorArgument x, TensorArgument y, Location where) {
  static const OpDefinition& op = HostOp("tf.NotEqual");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor ReluGrad(TensorArgument gradients, TensorArgument features, Location where) {
  static const OpDefinition& op = HostOp("tf.ReluGrad");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(gradients), std::move(features)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Relu(TensorArgument x, Location where) {
  static const OpDefinition& op = HostOp("tf.Relu");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Log(TensorArgument x, Location where) {
  static const OpDefinition& op = HostOp("tf.Log");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Log1p(TensorArgument x, Location where) {
  static const OpDefinition& op = HostOp("tf.Log1p");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Exp(TensorArgument x, Location where) {
  static const OpDefinition& op = HostOp("tf.Exp");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Sqrt(TensorArgument x, Location where) {
  static const OpDefinition& op = HostOp("tf.Sqrt");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Rsqrt(TensorArgument x, Location where) {
  static const OpDefinition& op = HostOp("tf.Rsqrt");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Sigmoid(TensorArgument x, Location where) {
  static const OpDefinition& op = HostOp("tf.Sigmoid");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Tanh(TensorArgument x, Location where) {
  static const OpDefinition& op = HostOp("tf.Tanh");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Gelu(TensorArgument x, const GeluAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tfrt.Gelu");
  OpAttrs op_attrs;
  op_attrs.Set("approximate", attrs.approximate);
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Cast(TensorArgument x, DType DstT, Location where) {
  static const OpDefinition& op = HostOp("tf.Cast");
  OpAttrs op_attrs;
  op_attrs.SetType("DstT", DstT);
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Identity(TensorArgument input, Location where) {
  static const OpDefinition& op = HostOp("tf.Identity");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(input)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor StopGradient(TensorArgument input, Location where) {
  static const OpDefinition& op = HostOp("tf.StopGradient");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(input)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor MatMul(TensorArgument a, TensorArgument b, const MatMulAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.MatMul");
  OpAttrs op_attrs;
  op_attrs.Set("transpose_a", attrs.transpose_a);
  op_attrs.Set("transpose_b", attrs.transpose_b);
  TensorArgument arguments[] = {std::move(a), std::move(b)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor FusedMatMul(TensorArgument a, TensorArgument b, TensorList args,
                   const StringList& fused_ops, const FusedMatMulAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf._FusedMatMul");
  OpAttrs op_attrs;
  op_attrs.SetStringArray("fused_ops", fused_ops.span());
  op_attrs.Set("transpose_a", attrs.transpose_a);
  op_attrs.Set("transpose_b", attrs.transpose_b);
  std::vector<TensorArgument> arguments = Arguments(args.span(), std::move(a), std::move(b));
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor MatMulBias(TensorArgument a, TensorArgument b, TensorArgument bias,
                  const MatMulBiasAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tfrt.MatMulBias");
  OpAttrs op_attrs;
  op_attrs.SetString("activation", attrs.activation);
  op_attrs.Set("transpose_a", attrs.transpose_a);
  op_attrs.Set("transpose_b", attrs.transpose_b);
  TensorArgument arguments[] = {std::move(a), std::move(b), std::move(bias)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor BatchMatMulV2(TensorArgument x, TensorArgument y, const BatchMatMulV2Attrs& attrs,
                     Location where) {
  static const OpDefinition& op = HostOp("tf.BatchMatMulV2");
  OpAttrs op_attrs;
  op_attrs.Set("adj_x", attrs.adj_x);
  op_attrs.Set("adj_y", attrs.adj_y);
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Conv2D(TensorArgument input, TensorArgument filter, std::string_view padding,
              const Conv2DAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.Conv2D");
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  TensorArgument arguments[] = {std::move(input), std::move(filter)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Conv2DBias(TensorArgument input, TensorArgument filter, TensorArgument bias,
                  std::string_view padding, const Conv2DBiasAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tfrt.Conv2DBias");
  OpAttrs op_attrs;
  op_attrs.SetString("activation", attrs.activation);
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  TensorArgument arguments[] = {std::move(input), std::move(filter), std::move(bias)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Conv2DBiasAdd(TensorArgument input, TensorArgument filter, TensorArgument bias,
                     TensorArgument summand, std::string_view padding,
                     const Conv2DBiasAddAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tfrt.Conv2DBiasAdd");
  OpAttrs op_attrs;
  op_attrs.SetString("activation", attrs.activation);
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  TensorArgument arguments[] = {std::move(input), std::move(filter), std::move(bias), std::move(summand)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Conv2DBackpropInput(TensorArgument input_sizes, TensorArgument filter,
                           TensorArgument out_backprop, std::string_view padding,
                           const Conv2DBackpropInputAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.Conv2DBackpropInput");
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  TensorArgument arguments[] = {std::move(input_sizes), std::move(filter), std::move(out_backprop)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Conv2DBackpropFilter(TensorArgument input, TensorArgument filter_sizes,
                            TensorArgument out_backprop, std::string_view padding,
                            const Conv2DBackpropFilterAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.Conv2DBackpropFilter");
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  TensorArgument arguments[] = {std::move(input), std::move(filter_sizes), std::move(out_backprop)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor MaxPool(TensorArgument input, const Int64List& ksize, std::string_view padding,
               const MaxPoolAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.MaxPool");
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetArray("ksize", ksize.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  TensorArgument arguments[] = {std::move(input)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor AvgPool(TensorArgument value, const Int64List& ksize, std::string_view padding,
               const AvgPoolAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.AvgPool");
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetArray("ksize", ksize.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  TensorArgument arguments[] = {std::move(value)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor MaxPoolGrad(TensorArgument orig_input, TensorArgument orig_output, TensorArgument grad,
                   const Int64List& ksize, std::string_view padding,
                   const MaxPoolGradAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.MaxPoolGrad");
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetArray("ksize", ksize.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  TensorArgument arguments[] = {std::move(orig_input), std::move(orig_output), std::move(grad)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor GlobalAveragePool(TensorArgument input, Location where) {
  static const OpDefinition& op = HostOp("tfrt.GlobalAveragePool");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(input)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Softmax(TensorArgument logits, Location where) {
  static const OpDefinition& op = HostOp("tf.Softmax");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(logits)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor LogSoftmax(TensorArgument logits, Location where) {
  static const OpDefinition& op = HostOp("tf.LogSoftmax");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(logits)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor BiasAdd(TensorArgument value, TensorArgument bias, const BiasAddAttrs& attrs,
               Location where) {
  static const OpDefinition& op = HostOp("tf.BiasAdd");
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  TensorArgument arguments[] = {std::move(value), std::move(bias)};
  return Call<1>(op, arguments, op_attrs, where);
}

std::array<Tensor, 6> FusedBatchNormV3(TensorArgument x, TensorArgument scale,
                                       TensorArgument offset, TensorArgument mean,
                                       TensorArgument variance,
                                       const FusedBatchNormV3Attrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.FusedBatchNormV3");
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.Set("epsilon", attrs.epsilon);
  op_attrs.Set("exponential_avg_factor", attrs.exponential_avg_factor);
  op_attrs.Set("is_training", attrs.is_training);
  TensorArgument arguments[] = {std::move(x), std::move(scale), std::move(offset), std::move(mean), std::move(variance)};
  return Call<6>(op, arguments, op_attrs, where);
}

Tensor LayerNorm(TensorArgument x, TensorArgument scale, TensorArgument offset,
                 const LayerNormAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tfrt.LayerNorm");
  OpAttrs op_attrs;
  op_attrs.Set("epsilon", attrs.epsilon);
  TensorArgument arguments[] = {std::move(x), std::move(scale), std::move(offset)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Mean(TensorArgument input, TensorArgument reduction_indices, const MeanAttrs& attrs,
            Location where) {
  static const OpDefinition& op = HostOp("tf.Mean");
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  TensorArgument arguments[] = {std::move(input), std::move(reduction_indices)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Sum(TensorArgument input, TensorArgument reduction_indices, const SumAttrs& attrs,
           Location where) {
  static const OpDefinition& op = HostOp("tf.Sum");
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  TensorArgument arguments[] = {std::move(input), std::move(reduction_indices)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Max(TensorArgument input, TensorArgument reduction_indices, const MaxAttrs& attrs,
           Location where) {
  static const OpDefinition& op = HostOp("tf.Max");
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  TensorArgument arguments[] = {std::move(input), std::move(reduction_indices)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Min(TensorArgument input, TensorArgument reduction_indices, const MinAttrs& attrs,
           Location where) {
  static const OpDefinition& op = HostOp("tf.Min");
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  TensorArgument arguments[] = {std::move(input), std::move(reduction_indices)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor ArgMax(TensorArgument input, TensorArgument dimension, const ArgMaxAttrs& attrs,
              Location where) {
  static const OpDefinition& op = HostOp("tf.ArgMax");
  OpAttrs op_attrs;
  op_attrs.SetType("output_type", attrs.output_type);
  TensorArgument arguments[] = {std::move(input), std::move(dimension)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor BiasAddGrad(TensorArgument out_backprop, const BiasAddGradAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.BiasAddGrad");
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  TensorArgument arguments[] = {std::move(out_backprop)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor ZerosLike(TensorArgument x, DType T, Location where) {
  static const OpDefinition& op = HostOp("tf.ZerosLike");
  OpAttrs op_attrs;
  op_attrs.SetType("T", T);
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Shape(TensorArgument input, const ShapeAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.Shape");
  OpAttrs op_attrs;
  op_attrs.SetType("out_type", attrs.out_type);
  TensorArgument arguments[] = {std::move(input)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Fill(TensorArgument dims, TensorArgument value, Location where) {
  static const OpDefinition& op = HostOp("tf.Fill");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(dims), std::move(value)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor ExpandDims(TensorArgument input, TensorArgument axis, Location where) {
  static const OpDefinition& op = HostOp("tf.ExpandDims");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(input), std::move(axis)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Reshape(TensorArgument tensor, TensorArgument shape, Location where) {
  static const OpDefinition& op = HostOp("tf.Reshape");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(tensor), std::move(shape)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Squeeze(TensorArgument input, const SqueezeAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.Squeeze");
  OpAttrs op_attrs;
  op_attrs.SetArray("squeeze_dims", attrs.squeeze_dims.span());
  TensorArgument arguments[] = {std::move(input)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Transpose(TensorArgument x, TensorArgument perm, Location where) {
  static const OpDefinition& op = HostOp("tf.Transpose");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x), std::move(perm)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor ConcatV2(TensorList values_and_axis, Location where) {
  static const OpDefinition& op = HostOp("tf.ConcatV2");
  const OpAttrsRef op_attrs;
  std::vector<TensorArgument> arguments = Arguments(values_and_axis.span());
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor ConcatV2(TensorList values, TensorArgument axis, Location where) {
  static const OpDefinition& op = HostOp("tf.ConcatV2");
  std::vector<TensorArgument> arguments = Arguments(values.span());
  arguments.push_back(std::move(axis));
  return Call<1>(op, arguments, OpAttrsRef(), where);
}

Tensor Tile(TensorArgument input, TensorArgument multiples, Location where) {
  static const OpDefinition& op = HostOp("tf.Tile");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(input), std::move(multiples)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Pad(TensorArgument input, TensorArgument paddings, Location where) {
  static const OpDefinition& op = HostOp("tf.Pad");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(input), std::move(paddings)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor PadV2(TensorArgument input, TensorArgument paddings, TensorArgument constant_values,
             Location where) {
  static const OpDefinition& op = HostOp("tf.PadV2");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(input), std::move(paddings), std::move(constant_values)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor GatherV2(TensorArgument params, TensorArgument indices, TensorArgument axis,
                const GatherV2Attrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.GatherV2");
  OpAttrs op_attrs;
  op_attrs.Set("batch_dims", attrs.batch_dims);
  TensorArgument arguments[] = {std::move(params), std::move(indices), std::move(axis)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor GatherNd(TensorArgument params, TensorArgument indices, Location where) {
  static const OpDefinition& op = HostOp("tf.GatherNd");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(params), std::move(indices)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor StridedSlice(TensorArgument input, TensorArgument begin, TensorArgument end,
                    TensorArgument strides, const StridedSliceAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.StridedSlice");
  OpAttrs op_attrs;
  op_attrs.Set("begin_mask", attrs.begin_mask);
  op_attrs.Set("ellipsis_mask", attrs.ellipsis_mask);
  op_attrs.Set("end_mask", attrs.end_mask);
  op_attrs.Set("new_axis_mask", attrs.new_axis_mask);
  op_attrs.Set("shrink_axis_mask", attrs.shrink_axis_mask);
  TensorArgument arguments[] = {std::move(input), std::move(begin), std::move(end), std::move(strides)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor OneHot(TensorArgument indices, TensorArgument depth, TensorArgument on_value,
              TensorArgument off_value, const OneHotAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.OneHot");
  OpAttrs op_attrs;
  op_attrs.Set("axis", attrs.axis);
  TensorArgument arguments[] = {std::move(indices), std::move(depth), std::move(on_value), std::move(off_value)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor Slice(TensorArgument input, TensorArgument begin, TensorArgument size, Location where) {
  static const OpDefinition& op = HostOp("tf.Slice");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(input), std::move(begin), std::move(size)};
  return Call<1>(op, arguments, op_attrs, where);
}

std::array<Tensor, 2> SparseSoftmaxCrossEntropyWithLogits(TensorArgument features,
                                                          TensorArgument labels, Location where) {
  static const OpDefinition& op = HostOp("tf.SparseSoftmaxCrossEntropyWithLogits");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(features), std::move(labels)};
  return Call<2>(op, arguments, op_attrs, where);
}

Tensor SgdUpdate(TensorArgument variable, TensorArgument gradient, TensorArgument learning_rate,
                 Location where) {
  static const OpDefinition& op = HostOp("tfrt.SgdUpdate");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(variable), std::move(gradient), std::move(learning_rate)};
  return Call<1>(op, arguments, op_attrs, where);
}

std::array<Tensor, 5> FusedBatchNormGradV3(TensorArgument y_backprop, TensorArgument x,
                                           TensorArgument scale, TensorArgument reserve_space_1,
                                           TensorArgument reserve_space_2,
                                           TensorArgument reserve_space_3,
                                           const FusedBatchNormGradV3Attrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.FusedBatchNormGradV3");
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.Set("epsilon", attrs.epsilon);
  op_attrs.Set("is_training", attrs.is_training);
  TensorArgument arguments[] = {std::move(y_backprop), std::move(x), std::move(scale), std::move(reserve_space_1), std::move(reserve_space_2), std::move(reserve_space_3)};
  return Call<5>(op, arguments, op_attrs, where);
}

Tensor GeluGrad(TensorArgument gradients, TensorArgument features, const GeluGradAttrs& attrs,
                Location where) {
  static const OpDefinition& op = HostOp("tfrt.GeluGrad");
  OpAttrs op_attrs;
  op_attrs.Set("approximate", attrs.approximate);
  TensorArgument arguments[] = {std::move(gradients), std::move(features)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor SoftmaxGrad(TensorArgument gradients, TensorArgument softmax, Location where) {
  static const OpDefinition& op = HostOp("tfrt.SoftmaxGrad");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(gradients), std::move(softmax)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor LogSoftmaxGrad(TensorArgument gradients, TensorArgument logsoftmax, Location where) {
  static const OpDefinition& op = HostOp("tfrt.LogSoftmaxGrad");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(gradients), std::move(logsoftmax)};
  return Call<1>(op, arguments, op_attrs, where);
}

std::array<Tensor, 3> LayerNormGrad(TensorArgument gradients, TensorArgument x,
                                    TensorArgument scale, const LayerNormGradAttrs& attrs,
                                    Location where) {
  static const OpDefinition& op = HostOp("tfrt.LayerNormGrad");
  OpAttrs op_attrs;
  op_attrs.Set("epsilon", attrs.epsilon);
  TensorArgument arguments[] = {std::move(gradients), std::move(x), std::move(scale)};
  return Call<3>(op, arguments, op_attrs, where);
}

Tensor Print(TensorArgument input, TensorList data, const PrintAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.Print");
  OpAttrs op_attrs;
  op_attrs.SetString("message", attrs.message);
  op_attrs.Set("summarize", attrs.summarize);
  std::vector<TensorArgument> arguments = Arguments(data.span(), std::move(input));
  return Call<1>(op, arguments, op_attrs, where);
}

Status Assert(TensorArgument condition, TensorList data, const AssertAttrs& attrs, Location where) {
  static const OpDefinition& op = HostOp("tf.Assert");
  OpAttrs op_attrs;
  op_attrs.SetString("message", attrs.message);
  op_attrs.Set("summarize", attrs.summarize);
  std::vector<TensorArgument> arguments = Arguments(data.span(), std::move(condition));
  return Call<0>(op, arguments, op_attrs, where);
}

Tensor CheckNumerics(TensorArgument tensor, std::string_view message, Location where) {
  static const OpDefinition& op = HostOp("tf.CheckNumerics");
  OpAttrs op_attrs;
  op_attrs.SetString("message", message);
  TensorArgument arguments[] = {std::move(tensor)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor CheckNumericsV2(TensorArgument tensor, std::string_view message, Location where) {
  static const OpDefinition& op = HostOp("tf.CheckNumericsV2");
  OpAttrs op_attrs;
  op_attrs.SetString("message", message);
  TensorArgument arguments[] = {std::move(tensor)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor EnsureShape(TensorArgument input, const Int64List& shape, Location where) {
  static const OpDefinition& op = HostOp("tf.EnsureShape");
  OpAttrs op_attrs;
  op_attrs.SetShape("shape", shape.span());
  TensorArgument arguments[] = {std::move(input)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor ListWrite(TensorArgument list, TensorArgument index, TensorArgument value, Location where) {
  static const OpDefinition& op = HostOp("tfrt.ListWrite");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(list), std::move(index), std::move(value)};
  return Call<1>(op, arguments, op_attrs, where);
}


}  // namespace tfrt::eager
