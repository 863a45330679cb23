// Made by scripts/make_eager_ops.py. Do not edit.

#include "tfrt/eager/ops.h"

#include "op_function.h"
#include "quick_call.h"

namespace tfrt::eager {

Tensor Const(const HostArray& value, Location where) {
  OpAttrs op_attrs;
  Status value_status = SetDense(op_attrs, "value", value);
  static const OpDefinition& op = HostOp("tf.Const");
  return Call<1>(op, {}, op_attrs, where, std::move(value_status));
}

Tensor AddV2(TensorArgument x, TensorArgument y, Location where) {
  static constinit QuickOp op("tf.AddV2");
  return op(x, y, where);
}

Tensor Sub(TensorArgument x, TensorArgument y, Location where) {
  static constinit QuickOp op("tf.Sub");
  return op(x, y, where);
}

Tensor Mul(TensorArgument x, TensorArgument y, Location where) {
  static constinit QuickOp op("tf.Mul");
  return op(x, y, where);
}

Tensor RealDiv(TensorArgument x, TensorArgument y, Location where) {
  static constinit QuickOp op("tf.RealDiv");
  return op(x, y, where);
}

Tensor Maximum(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tf.Maximum", 1>(where, {}, std::move(x), std::move(y));
}

Tensor Minimum(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tf.Minimum", 1>(where, {}, std::move(x), std::move(y));
}

Tensor Less(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tf.Less", 1>(where, {}, std::move(x), std::move(y));
}

Tensor LessEqual(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tf.LessEqual", 1>(where, {}, std::move(x), std::move(y));
}

Tensor Greater(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tf.Greater", 1>(where, {}, std::move(x), std::move(y));
}

Tensor GreaterEqual(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tf.GreaterEqual", 1>(where, {}, std::move(x), std::move(y));
}

Tensor Equal(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tf.Equal", 1>(where, {}, std::move(x), std::move(y));
}

Tensor NotEqual(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tf.NotEqual", 1>(where, {}, std::move(x), std::move(y));
}

Tensor ReluGrad(TensorArgument gradients, TensorArgument features, Location where) {
  return CallOf<"tf.ReluGrad", 1>(where, {}, std::move(gradients), std::move(features));
}

Tensor Relu(TensorArgument x, Location where) {
  return CallOf<"tf.Relu", 1>(where, {}, std::move(x));
}

Tensor Log(TensorArgument x, Location where) {
  return CallOf<"tf.Log", 1>(where, {}, std::move(x));
}

Tensor Log1p(TensorArgument x, Location where) {
  return CallOf<"tf.Log1p", 1>(where, {}, std::move(x));
}

Tensor Exp(TensorArgument x, Location where) {
  return CallOf<"tf.Exp", 1>(where, {}, std::move(x));
}

Tensor Sqrt(TensorArgument x, Location where) {
  return CallOf<"tf.Sqrt", 1>(where, {}, std::move(x));
}

Tensor Rsqrt(TensorArgument x, Location where) {
  return CallOf<"tf.Rsqrt", 1>(where, {}, std::move(x));
}

Tensor Sigmoid(TensorArgument x, Location where) {
  return CallOf<"tf.Sigmoid", 1>(where, {}, std::move(x));
}

Tensor Tanh(TensorArgument x, Location where) {
  return CallOf<"tf.Tanh", 1>(where, {}, std::move(x));
}

Tensor Gelu(TensorArgument x, const GeluAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("approximate", attrs.approximate);
  return CallOf<"tfrt.Gelu", 1>(where, op_attrs, std::move(x));
}

Tensor Cast(TensorArgument x, DType DstT, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetType("DstT", DstT);
  return CallOf<"tf.Cast", 1>(where, op_attrs, std::move(x));
}

Tensor Identity(TensorArgument input, Location where) {
  return CallOf<"tf.Identity", 1>(where, {}, std::move(input));
}

Tensor StopGradient(TensorArgument input, Location where) {
  return CallOf<"tf.StopGradient", 1>(where, {}, std::move(input));
}

Tensor MatMul(TensorArgument a, TensorArgument b, const MatMulAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("transpose_a", attrs.transpose_a);
  op_attrs.Set("transpose_b", attrs.transpose_b);
  return CallOf<"tf.MatMul", 1>(where, op_attrs, std::move(a), std::move(b));
}

Tensor FusedMatMul(TensorArgument a, TensorArgument b, TensorList args,
                   const StringList& fused_ops, const FusedMatMulAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetStringArray("fused_ops", fused_ops.span());
  op_attrs.Set("transpose_a", attrs.transpose_a);
  op_attrs.Set("transpose_b", attrs.transpose_b);
  static const OpDefinition& op = HostOp("tf._FusedMatMul");
  std::vector<TensorArgument> arguments = Arguments(args.span(), std::move(a), std::move(b));
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor MatMulBias(TensorArgument a, TensorArgument b, TensorArgument bias,
                  const MatMulBiasAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("activation", attrs.activation);
  op_attrs.Set("transpose_a", attrs.transpose_a);
  op_attrs.Set("transpose_b", attrs.transpose_b);
  return CallOf<"tfrt.MatMulBias", 1>(where, op_attrs, std::move(a), std::move(b), std::move(bias));
}

Tensor BatchMatMulV2(TensorArgument x, TensorArgument y, const BatchMatMulV2Attrs& attrs,
                     Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("adj_x", attrs.adj_x);
  op_attrs.Set("adj_y", attrs.adj_y);
  return CallOf<"tf.BatchMatMulV2", 1>(where, op_attrs, std::move(x), std::move(y));
}

Tensor Conv2D(TensorArgument input, TensorArgument filter, std::string_view padding,
              const Conv2DAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tf.Conv2D", 1>(where, op_attrs, std::move(input), std::move(filter));
}

Tensor Conv2DBias(TensorArgument input, TensorArgument filter, TensorArgument bias,
                  std::string_view padding, const Conv2DBiasAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("activation", attrs.activation);
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.Conv2DBias", 1>(where, op_attrs, std::move(input), std::move(filter), std::move(bias));
}

Tensor Conv2DBiasAdd(TensorArgument input, TensorArgument filter, TensorArgument bias,
                     TensorArgument summand, std::string_view padding,
                     const Conv2DBiasAddAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("activation", attrs.activation);
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.Conv2DBiasAdd", 1>(where, op_attrs, std::move(input), std::move(filter), std::move(bias), std::move(summand));
}

Tensor Conv2DBackpropInput(TensorArgument input_sizes, TensorArgument filter,
                           TensorArgument out_backprop, std::string_view padding,
                           const Conv2DBackpropInputAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tf.Conv2DBackpropInput", 1>(where, op_attrs, std::move(input_sizes), std::move(filter), std::move(out_backprop));
}

Tensor Conv2DBackpropFilter(TensorArgument input, TensorArgument filter_sizes,
                            TensorArgument out_backprop, std::string_view padding,
                            const Conv2DBackpropFilterAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tf.Conv2DBackpropFilter", 1>(where, op_attrs, std::move(input), std::move(filter_sizes), std::move(out_backprop));
}

Tensor MaxPool(TensorArgument input, const Int64List& ksize, std::string_view padding,
               const MaxPoolAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetArray("ksize", ksize.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tf.MaxPool", 1>(where, op_attrs, std::move(input));
}

Tensor AvgPool(TensorArgument value, const Int64List& ksize, std::string_view padding,
               const AvgPoolAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetArray("ksize", ksize.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tf.AvgPool", 1>(where, op_attrs, std::move(value));
}

Tensor MaxPoolGrad(TensorArgument orig_input, TensorArgument orig_output, TensorArgument grad,
                   const Int64List& ksize, std::string_view padding,
                   const MaxPoolGradAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("explicit_paddings", attrs.explicit_paddings.span());
  op_attrs.SetArray("ksize", ksize.span());
  op_attrs.SetString("padding", padding);
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tf.MaxPoolGrad", 1>(where, op_attrs, std::move(orig_input), std::move(orig_output), std::move(grad));
}

Tensor GlobalAveragePool(TensorArgument input, Location where) {
  return CallOf<"tfrt.GlobalAveragePool", 1>(where, {}, std::move(input));
}

Tensor Softmax(TensorArgument logits, Location where) {
  return CallOf<"tf.Softmax", 1>(where, {}, std::move(logits));
}

Tensor LogSoftmax(TensorArgument logits, Location where) {
  return CallOf<"tf.LogSoftmax", 1>(where, {}, std::move(logits));
}

Tensor BiasAdd(TensorArgument value, TensorArgument bias, const BiasAddAttrs& attrs,
               Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  return CallOf<"tf.BiasAdd", 1>(where, op_attrs, std::move(value), std::move(bias));
}

std::array<Tensor, 6> FusedBatchNormV3(TensorArgument x, TensorArgument scale,
                                       TensorArgument offset, TensorArgument mean,
                                       TensorArgument variance,
                                       const FusedBatchNormV3Attrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.Set("epsilon", attrs.epsilon);
  op_attrs.Set("exponential_avg_factor", attrs.exponential_avg_factor);
  op_attrs.Set("is_training", attrs.is_training);
  return CallOf<"tf.FusedBatchNormV3", 6>(where, op_attrs, std::move(x), std::move(scale), std::move(offset), std::move(mean), std::move(variance));
}

Tensor LayerNorm(TensorArgument x, TensorArgument scale, TensorArgument offset,
                 const LayerNormAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("epsilon", attrs.epsilon);
  return CallOf<"tfrt.LayerNorm", 1>(where, op_attrs, std::move(x), std::move(scale), std::move(offset));
}

Tensor Hardmax(TensorArgument logits, Location where) {
  return CallOf<"tfrt.Hardmax", 1>(where, {}, std::move(logits));
}

Tensor RmsNorm(TensorArgument x, TensorArgument scale, const RmsNormAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("epsilon", attrs.epsilon);
  return CallOf<"tfrt.RmsNorm", 1>(where, op_attrs, std::move(x), std::move(scale));
}

Tensor InstanceNorm(TensorArgument x, TensorArgument scale, TensorArgument offset,
                    const InstanceNormAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.Set("epsilon", attrs.epsilon);
  return CallOf<"tfrt.InstanceNorm", 1>(where, op_attrs, std::move(x), std::move(scale), std::move(offset));
}

Tensor GroupNorm(TensorArgument x, TensorArgument scale, TensorArgument offset, int64_t groups,
                 const GroupNormAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.Set("epsilon", attrs.epsilon);
  op_attrs.Set("groups", groups);
  return CallOf<"tfrt.GroupNorm", 1>(where, op_attrs, std::move(x), std::move(scale), std::move(offset));
}

Tensor Lrn(TensorArgument x, int64_t size, const LrnAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("alpha", attrs.alpha);
  op_attrs.Set("beta", attrs.beta);
  op_attrs.Set("bias", attrs.bias);
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.Set("size", size);
  return CallOf<"tfrt.Lrn", 1>(where, op_attrs, std::move(x));
}

Tensor Mean(TensorArgument input, TensorArgument reduction_indices, const MeanAttrs& attrs,
            Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  return CallOf<"tf.Mean", 1>(where, op_attrs, std::move(input), std::move(reduction_indices));
}

Tensor Sum(TensorArgument input, TensorArgument reduction_indices, const SumAttrs& attrs,
           Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  return CallOf<"tf.Sum", 1>(where, op_attrs, std::move(input), std::move(reduction_indices));
}

Tensor Max(TensorArgument input, TensorArgument reduction_indices, const MaxAttrs& attrs,
           Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  return CallOf<"tf.Max", 1>(where, op_attrs, std::move(input), std::move(reduction_indices));
}

Tensor Min(TensorArgument input, TensorArgument reduction_indices, const MinAttrs& attrs,
           Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  return CallOf<"tf.Min", 1>(where, op_attrs, std::move(input), std::move(reduction_indices));
}

Tensor ArgMax(TensorArgument input, TensorArgument dimension, const ArgMaxAttrs& attrs,
              Location where) {
  OpAttrs op_attrs;
  op_attrs.SetType("output_type", attrs.output_type);
  return CallOf<"tf.ArgMax", 1>(where, op_attrs, std::move(input), std::move(dimension));
}

Tensor BiasAddGrad(TensorArgument out_backprop, const BiasAddGradAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  return CallOf<"tf.BiasAddGrad", 1>(where, op_attrs, std::move(out_backprop));
}

Tensor ReduceProd(TensorArgument input, TensorArgument reduction_indices,
                  const ReduceProdAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  return CallOf<"tfrt.ReduceProd", 1>(where, op_attrs, std::move(input), std::move(reduction_indices));
}

Tensor ReduceL1(TensorArgument input, TensorArgument reduction_indices,
                const ReduceL1Attrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  return CallOf<"tfrt.ReduceL1", 1>(where, op_attrs, std::move(input), std::move(reduction_indices));
}

Tensor ReduceL2(TensorArgument input, TensorArgument reduction_indices,
                const ReduceL2Attrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  return CallOf<"tfrt.ReduceL2", 1>(where, op_attrs, std::move(input), std::move(reduction_indices));
}

Tensor ReduceSumSquare(TensorArgument input, TensorArgument reduction_indices,
                       const ReduceSumSquareAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  return CallOf<"tfrt.ReduceSumSquare", 1>(where, op_attrs, std::move(input), std::move(reduction_indices));
}

Tensor ReduceLogSum(TensorArgument input, TensorArgument reduction_indices,
                    const ReduceLogSumAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  return CallOf<"tfrt.ReduceLogSum", 1>(where, op_attrs, std::move(input), std::move(reduction_indices));
}

Tensor ReduceLogSumExp(TensorArgument input, TensorArgument reduction_indices,
                       const ReduceLogSumExpAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("keep_dims", attrs.keep_dims);
  return CallOf<"tfrt.ReduceLogSumExp", 1>(where, op_attrs, std::move(input), std::move(reduction_indices));
}

Tensor Argmin(TensorArgument input, TensorArgument dimension, const ArgminAttrs& attrs,
              Location where) {
  OpAttrs op_attrs;
  op_attrs.SetType("dtype", attrs.dtype);
  return CallOf<"tfrt.Argmin", 1>(where, op_attrs, std::move(input), std::move(dimension));
}

Tensor ZerosLike(TensorArgument x, DType T, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetType("T", T);
  return CallOf<"tf.ZerosLike", 1>(where, op_attrs, std::move(x));
}

Tensor Shape(TensorArgument input, const ShapeAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetType("out_type", attrs.out_type);
  return CallOf<"tf.Shape", 1>(where, op_attrs, std::move(input));
}

Tensor Fill(TensorArgument dims, TensorArgument value, Location where) {
  return CallOf<"tf.Fill", 1>(where, {}, std::move(dims), std::move(value));
}

Tensor ExpandDims(TensorArgument input, TensorArgument axis, Location where) {
  return CallOf<"tf.ExpandDims", 1>(where, {}, std::move(input), std::move(axis));
}

Tensor Reshape(TensorArgument tensor, TensorArgument shape, Location where) {
  return CallOf<"tf.Reshape", 1>(where, {}, std::move(tensor), std::move(shape));
}

Tensor Squeeze(TensorArgument input, const SqueezeAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetArray("squeeze_dims", attrs.squeeze_dims.span());
  return CallOf<"tf.Squeeze", 1>(where, op_attrs, std::move(input));
}

Tensor Transpose(TensorArgument x, TensorArgument perm, Location where) {
  return CallOf<"tf.Transpose", 1>(where, {}, std::move(x), std::move(perm));
}

Tensor ConcatV2(TensorList values_and_axis, Location where) {
  static const OpDefinition& op = HostOp("tf.ConcatV2");
  std::vector<TensorArgument> arguments = Arguments(values_and_axis.span());
  return Call<1>(op, arguments, {}, where);
}

Tensor ConcatV2(TensorList values, TensorArgument axis, Location where) {
  static const OpDefinition& op = HostOp("tf.ConcatV2");
  std::vector<TensorArgument> arguments = Arguments(values.span());
  arguments.push_back(std::move(axis));
  return Call<1>(op, arguments, OpAttrsRef(), where);
}

Tensor Tile(TensorArgument input, TensorArgument multiples, Location where) {
  return CallOf<"tf.Tile", 1>(where, {}, std::move(input), std::move(multiples));
}

Tensor Pad(TensorArgument input, TensorArgument paddings, Location where) {
  return CallOf<"tf.Pad", 1>(where, {}, std::move(input), std::move(paddings));
}

Tensor PadV2(TensorArgument input, TensorArgument paddings, TensorArgument constant_values,
             Location where) {
  return CallOf<"tf.PadV2", 1>(where, {}, std::move(input), std::move(paddings), std::move(constant_values));
}

Tensor Extend(TensorArgument input, TensorArgument paddings, const ExtendAttrs& attrs,
              Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("mode", attrs.mode);
  return CallOf<"tfrt.Extend", 1>(where, op_attrs, std::move(input), std::move(paddings));
}

Tensor GatherV2(TensorArgument params, TensorArgument indices, TensorArgument axis,
                const GatherV2Attrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("batch_dims", attrs.batch_dims);
  return CallOf<"tf.GatherV2", 1>(where, op_attrs, std::move(params), std::move(indices), std::move(axis));
}

Tensor GatherNd(TensorArgument params, TensorArgument indices, Location where) {
  return CallOf<"tf.GatherNd", 1>(where, {}, std::move(params), std::move(indices));
}

Tensor StridedSlice(TensorArgument input, TensorArgument begin, TensorArgument end,
                    TensorArgument strides, const StridedSliceAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("begin_mask", attrs.begin_mask);
  op_attrs.Set("ellipsis_mask", attrs.ellipsis_mask);
  op_attrs.Set("end_mask", attrs.end_mask);
  op_attrs.Set("new_axis_mask", attrs.new_axis_mask);
  op_attrs.Set("shrink_axis_mask", attrs.shrink_axis_mask);
  return CallOf<"tf.StridedSlice", 1>(where, op_attrs, std::move(input), std::move(begin), std::move(end), std::move(strides));
}

Tensor OneHot(TensorArgument indices, TensorArgument depth, TensorArgument on_value,
              TensorArgument off_value, const OneHotAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("axis", attrs.axis);
  return CallOf<"tf.OneHot", 1>(where, op_attrs, std::move(indices), std::move(depth), std::move(on_value), std::move(off_value));
}

Tensor Slice(TensorArgument input, TensorArgument begin, TensorArgument size, Location where) {
  return CallOf<"tf.Slice", 1>(where, {}, std::move(input), std::move(begin), std::move(size));
}

std::array<Tensor, 2> SparseSoftmaxCrossEntropyWithLogits(TensorArgument features,
                                                          TensorArgument labels, Location where) {
  return CallOf<"tf.SparseSoftmaxCrossEntropyWithLogits", 2>(where, {}, std::move(features), std::move(labels));
}

Tensor SgdUpdate(TensorArgument variable, TensorArgument gradient, TensorArgument learning_rate,
                 Location where) {
  return CallOf<"tfrt.SgdUpdate", 1>(where, {}, std::move(variable), std::move(gradient), std::move(learning_rate));
}

std::array<Tensor, 5> FusedBatchNormGradV3(TensorArgument y_backprop, TensorArgument x,
                                           TensorArgument scale, TensorArgument reserve_space_1,
                                           TensorArgument reserve_space_2,
                                           TensorArgument reserve_space_3,
                                           const FusedBatchNormGradV3Attrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("data_format", attrs.data_format);
  op_attrs.Set("epsilon", attrs.epsilon);
  op_attrs.Set("is_training", attrs.is_training);
  return CallOf<"tf.FusedBatchNormGradV3", 5>(where, op_attrs, std::move(y_backprop), std::move(x), std::move(scale), std::move(reserve_space_1), std::move(reserve_space_2), std::move(reserve_space_3));
}

Tensor GeluGrad(TensorArgument gradients, TensorArgument features, const GeluGradAttrs& attrs,
                Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("approximate", attrs.approximate);
  return CallOf<"tfrt.GeluGrad", 1>(where, op_attrs, std::move(gradients), std::move(features));
}

Tensor SoftmaxGrad(TensorArgument gradients, TensorArgument softmax, Location where) {
  return CallOf<"tfrt.SoftmaxGrad", 1>(where, {}, std::move(gradients), std::move(softmax));
}

Tensor LogSoftmaxGrad(TensorArgument gradients, TensorArgument logsoftmax, Location where) {
  return CallOf<"tfrt.LogSoftmaxGrad", 1>(where, {}, std::move(gradients), std::move(logsoftmax));
}

std::array<Tensor, 3> LayerNormGrad(TensorArgument gradients, TensorArgument x,
                                    TensorArgument scale, const LayerNormGradAttrs& attrs,
                                    Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("epsilon", attrs.epsilon);
  return CallOf<"tfrt.LayerNormGrad", 3>(where, op_attrs, std::move(gradients), std::move(x), std::move(scale));
}

Tensor Print(TensorArgument input, TensorList data, const PrintAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("message", attrs.message);
  op_attrs.Set("summarize", attrs.summarize);
  static const OpDefinition& op = HostOp("tf.Print");
  std::vector<TensorArgument> arguments = Arguments(data.span(), std::move(input));
  return Call<1>(op, arguments, op_attrs, where);
}

Status Assert(TensorArgument condition, TensorList data, const AssertAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("message", attrs.message);
  op_attrs.Set("summarize", attrs.summarize);
  static const OpDefinition& op = HostOp("tf.Assert");
  std::vector<TensorArgument> arguments = Arguments(data.span(), std::move(condition));
  return Call<0>(op, arguments, op_attrs, where);
}

Tensor CheckNumerics(TensorArgument tensor, std::string_view message, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("message", message);
  return CallOf<"tf.CheckNumerics", 1>(where, op_attrs, std::move(tensor));
}

Tensor CheckNumericsV2(TensorArgument tensor, std::string_view message, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("message", message);
  return CallOf<"tf.CheckNumericsV2", 1>(where, op_attrs, std::move(tensor));
}

Tensor EnsureShape(TensorArgument input, const Int64List& shape, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetShape("shape", shape.span());
  return CallOf<"tf.EnsureShape", 1>(where, op_attrs, std::move(input));
}

Tensor Abs(TensorArgument x, Location where) {
  return CallOf<"tfrt.Abs", 1>(where, {}, std::move(x));
}

Tensor Neg(TensorArgument x, Location where) {
  return CallOf<"tfrt.Neg", 1>(where, {}, std::move(x));
}

Tensor Sign(TensorArgument x, Location where) {
  return CallOf<"tfrt.Sign", 1>(where, {}, std::move(x));
}

Tensor Reciprocal(TensorArgument x, Location where) {
  return CallOf<"tfrt.Reciprocal", 1>(where, {}, std::move(x));
}

Tensor Erf(TensorArgument x, Location where) {
  return CallOf<"tfrt.Erf", 1>(where, {}, std::move(x));
}

Tensor Floor(TensorArgument x, Location where) {
  return CallOf<"tfrt.Floor", 1>(where, {}, std::move(x));
}

Tensor Ceil(TensorArgument x, Location where) {
  return CallOf<"tfrt.Ceil", 1>(where, {}, std::move(x));
}

Tensor Round(TensorArgument x, Location where) {
  return CallOf<"tfrt.Round", 1>(where, {}, std::move(x));
}

Tensor Sin(TensorArgument x, Location where) {
  return CallOf<"tfrt.Sin", 1>(where, {}, std::move(x));
}

Tensor Cos(TensorArgument x, Location where) {
  return CallOf<"tfrt.Cos", 1>(where, {}, std::move(x));
}

Tensor Tan(TensorArgument x, Location where) {
  return CallOf<"tfrt.Tan", 1>(where, {}, std::move(x));
}

Tensor Asin(TensorArgument x, Location where) {
  return CallOf<"tfrt.Asin", 1>(where, {}, std::move(x));
}

Tensor Acos(TensorArgument x, Location where) {
  return CallOf<"tfrt.Acos", 1>(where, {}, std::move(x));
}

Tensor Atan(TensorArgument x, Location where) {
  return CallOf<"tfrt.Atan", 1>(where, {}, std::move(x));
}

Tensor Sinh(TensorArgument x, Location where) {
  return CallOf<"tfrt.Sinh", 1>(where, {}, std::move(x));
}

Tensor Cosh(TensorArgument x, Location where) {
  return CallOf<"tfrt.Cosh", 1>(where, {}, std::move(x));
}

Tensor Asinh(TensorArgument x, Location where) {
  return CallOf<"tfrt.Asinh", 1>(where, {}, std::move(x));
}

Tensor Acosh(TensorArgument x, Location where) {
  return CallOf<"tfrt.Acosh", 1>(where, {}, std::move(x));
}

Tensor Atanh(TensorArgument x, Location where) {
  return CallOf<"tfrt.Atanh", 1>(where, {}, std::move(x));
}

Tensor LeakyRelu(TensorArgument x, const LeakyReluAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("alpha", attrs.alpha);
  return CallOf<"tfrt.LeakyRelu", 1>(where, op_attrs, std::move(x));
}

Tensor Elu(TensorArgument x, const EluAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("alpha", attrs.alpha);
  return CallOf<"tfrt.Elu", 1>(where, op_attrs, std::move(x));
}

Tensor Selu(TensorArgument x, const SeluAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("alpha", attrs.alpha);
  op_attrs.Set("gamma", attrs.gamma);
  return CallOf<"tfrt.Selu", 1>(where, op_attrs, std::move(x));
}

Tensor Softplus(TensorArgument x, Location where) {
  return CallOf<"tfrt.Softplus", 1>(where, {}, std::move(x));
}

Tensor Mish(TensorArgument x, Location where) {
  return CallOf<"tfrt.Mish", 1>(where, {}, std::move(x));
}

Tensor Swish(TensorArgument x, const SwishAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("alpha", attrs.alpha);
  return CallOf<"tfrt.Swish", 1>(where, op_attrs, std::move(x));
}

Tensor HardSigmoid(TensorArgument x, const HardSigmoidAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("alpha", attrs.alpha);
  op_attrs.Set("beta", attrs.beta);
  return CallOf<"tfrt.HardSigmoid", 1>(where, op_attrs, std::move(x));
}

Tensor HardSwish(TensorArgument x, Location where) {
  return CallOf<"tfrt.HardSwish", 1>(where, {}, std::move(x));
}

Tensor BitwiseNot(TensorArgument x, Location where) {
  return CallOf<"tfrt.BitwiseNot", 1>(where, {}, std::move(x));
}

Tensor LogicalNot(TensorArgument x, Location where) {
  return CallOf<"tfrt.LogicalNot", 1>(where, {}, std::move(x));
}

Tensor IsNan(TensorArgument x, Location where) {
  return CallOf<"tfrt.IsNan", 1>(where, {}, std::move(x));
}

Tensor IsInf(TensorArgument x, const IsInfAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("negative", attrs.negative);
  op_attrs.Set("positive", attrs.positive);
  return CallOf<"tfrt.IsInf", 1>(where, op_attrs, std::move(x));
}

Tensor Pow(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tfrt.Pow", 1>(where, {}, std::move(x), std::move(y));
}

Tensor Mod(TensorArgument x, TensorArgument y, const ModAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("truncate", attrs.truncate);
  return CallOf<"tfrt.Mod", 1>(where, op_attrs, std::move(x), std::move(y));
}

Tensor LogicalAnd(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tfrt.LogicalAnd", 1>(where, {}, std::move(x), std::move(y));
}

Tensor LogicalOr(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tfrt.LogicalOr", 1>(where, {}, std::move(x), std::move(y));
}

Tensor LogicalXor(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tfrt.LogicalXor", 1>(where, {}, std::move(x), std::move(y));
}

Tensor BitwiseAnd(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tfrt.BitwiseAnd", 1>(where, {}, std::move(x), std::move(y));
}

Tensor BitwiseOr(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tfrt.BitwiseOr", 1>(where, {}, std::move(x), std::move(y));
}

Tensor BitwiseXor(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tfrt.BitwiseXor", 1>(where, {}, std::move(x), std::move(y));
}

Tensor ShiftLeft(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tfrt.ShiftLeft", 1>(where, {}, std::move(x), std::move(y));
}

Tensor ShiftRight(TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tfrt.ShiftRight", 1>(where, {}, std::move(x), std::move(y));
}

Tensor Prelu(TensorArgument x, TensorArgument slope, Location where) {
  return CallOf<"tfrt.Prelu", 1>(where, {}, std::move(x), std::move(slope));
}

Tensor Clip(TensorArgument x, TensorArgument min, TensorArgument max, Location where) {
  return CallOf<"tfrt.Clip", 1>(where, {}, std::move(x), std::move(min), std::move(max));
}

Tensor Select(TensorArgument condition, TensorArgument x, TensorArgument y, Location where) {
  return CallOf<"tfrt.Select", 1>(where, {}, std::move(condition), std::move(x), std::move(y));
}

Tensor MaxPoolNd(TensorArgument input, const Int64List& kernel, const MaxPoolNdAttrs& attrs,
                 Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("ceil", attrs.ceil);
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("kernel", kernel.span());
  op_attrs.SetString("padding", attrs.padding);
  op_attrs.SetArray("pads", attrs.pads.span());
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.MaxPoolNd", 1>(where, op_attrs, std::move(input));
}

Tensor Conv(TensorArgument input, TensorArgument filter, TensorArgument bias,
            const ConvAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.Set("groups", attrs.groups);
  op_attrs.SetString("padding", attrs.padding);
  op_attrs.SetArray("pads", attrs.pads.span());
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.Conv", 1>(where, op_attrs, std::move(input), std::move(filter), std::move(bias));
}

Tensor ConvTranspose(TensorArgument input, TensorArgument filter, TensorArgument bias,
                     const ConvTransposeAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.Set("groups", attrs.groups);
  op_attrs.SetArray("output_padding", attrs.output_padding.span());
  op_attrs.SetString("padding", attrs.padding);
  op_attrs.SetArray("pads", attrs.pads.span());
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.ConvTranspose", 1>(where, op_attrs, std::move(input), std::move(filter), std::move(bias));
}

std::array<Tensor, 2> MaxPoolWithPlaces(TensorArgument input, const Int64List& kernel,
                                        const MaxPoolWithPlacesAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("ceil", attrs.ceil);
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("kernel", kernel.span());
  op_attrs.SetString("padding", attrs.padding);
  op_attrs.SetArray("pads", attrs.pads.span());
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.MaxPoolWithPlaces", 2>(where, op_attrs, std::move(input));
}

Tensor AveragePool(TensorArgument input, const Int64List& kernel, const AveragePoolAttrs& attrs,
                   Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("ceil", attrs.ceil);
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.Set("count_padding", attrs.count_padding);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("kernel", kernel.span());
  op_attrs.SetString("padding", attrs.padding);
  op_attrs.SetArray("pads", attrs.pads.span());
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.AveragePool", 1>(where, op_attrs, std::move(input));
}

Tensor LpPool(TensorArgument input, const Int64List& kernel, const LpPoolAttrs& attrs,
              Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("ceil", attrs.ceil);
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("kernel", kernel.span());
  op_attrs.Set("p", attrs.p);
  op_attrs.SetString("padding", attrs.padding);
  op_attrs.SetArray("pads", attrs.pads.span());
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.LpPool", 1>(where, op_attrs, std::move(input));
}

Tensor BroadcastTo(TensorArgument input, TensorArgument shape, Location where) {
  return CallOf<"tfrt.BroadcastTo", 1>(where, {}, std::move(input), std::move(shape));
}

Tensor Range(TensorArgument start, TensorArgument limit, TensorArgument step, Location where) {
  return CallOf<"tfrt.Range", 1>(where, {}, std::move(start), std::move(limit), std::move(step));
}

Tensor Resize(TensorArgument input, TensorArgument sizes, TensorArgument scales,
              TensorArgument box, const ResizeAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("antialias", attrs.antialias);
  op_attrs.SetString("coordinates", attrs.coordinates);
  op_attrs.Set("cubic_coefficient", attrs.cubic_coefficient);
  op_attrs.Set("exclude_outside", attrs.exclude_outside);
  op_attrs.Set("extrapolation_value", attrs.extrapolation_value);
  op_attrs.SetString("mode", attrs.mode);
  op_attrs.SetString("nearest", attrs.nearest);
  return CallOf<"tfrt.Resize", 1>(where, op_attrs, std::move(input), std::move(sizes), std::move(scales), std::move(box));
}

Tensor DepthToSpace(TensorArgument input, int64_t block, const DepthToSpaceAttrs& attrs,
                    Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("block", block);
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.Set("columns_first", attrs.columns_first);
  return CallOf<"tfrt.DepthToSpace", 1>(where, op_attrs, std::move(input));
}

Tensor SpaceToDepth(TensorArgument input, int64_t block, const SpaceToDepthAttrs& attrs,
                    Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("block", block);
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.Set("columns_first", attrs.columns_first);
  return CallOf<"tfrt.SpaceToDepth", 1>(where, op_attrs, std::move(input));
}

Tensor CumulativeSum(TensorArgument input, TensorArgument axis, const CumulativeSumAttrs& attrs,
                     Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("exclusive", attrs.exclusive);
  op_attrs.Set("reverse", attrs.reverse);
  return CallOf<"tfrt.CumulativeSum", 1>(where, op_attrs, std::move(input), std::move(axis));
}

Tensor Triangle(TensorArgument input, TensorArgument diagonal, const TriangleAttrs& attrs,
                Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("upper", attrs.upper);
  return CallOf<"tfrt.Triangle", 1>(where, op_attrs, std::move(input), std::move(diagonal));
}

Tensor GatherElements(TensorArgument input, TensorArgument indices, int64_t axis, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("axis", axis);
  return CallOf<"tfrt.GatherElements", 1>(where, op_attrs, std::move(input), std::move(indices));
}

Tensor ScatterElements(TensorArgument input, TensorArgument indices, TensorArgument updates,
                       const ScatterElementsAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("axis", attrs.axis);
  op_attrs.SetString("reduction", attrs.reduction);
  return CallOf<"tfrt.ScatterElements", 1>(where, op_attrs, std::move(input), std::move(indices), std::move(updates));
}

Tensor ScatterNd(TensorArgument input, TensorArgument indices, TensorArgument updates,
                 const ScatterNdAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("reduction", attrs.reduction);
  return CallOf<"tfrt.ScatterNd", 1>(where, op_attrs, std::move(input), std::move(indices), std::move(updates));
}

std::array<Tensor, 2> TopK(TensorArgument input, TensorArgument k, const TopKAttrs& attrs,
                           Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("axis", attrs.axis);
  op_attrs.Set("largest", attrs.largest);
  op_attrs.Set("sorted", attrs.sorted);
  return CallOf<"tfrt.TopK", 2>(where, op_attrs, std::move(input), std::move(k));
}

Tensor Nonzero(TensorArgument input, Location where) {
  return CallOf<"tfrt.Nonzero", 1>(where, {}, std::move(input));
}

Tensor NonMaxSuppression(TensorArgument boxes, TensorArgument scores, TensorArgument max_boxes,
                         TensorArgument iou_threshold, TensorArgument score_threshold,
                         const NonMaxSuppressionAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("center_point", attrs.center_point);
  return CallOf<"tfrt.NonMaxSuppression", 1>(where, op_attrs, std::move(boxes), std::move(scores), std::move(max_boxes), std::move(iou_threshold), std::move(score_threshold));
}

Tensor FusedConv(TensorArgument input, TensorArgument filter, TensorArgument bias,
                 TensorArgument addend, const FusedConvAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("activation", attrs.activation);
  op_attrs.Set("alpha", attrs.alpha);
  op_attrs.Set("beta", attrs.beta);
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.Set("groups", attrs.groups);
  op_attrs.SetString("padding", attrs.padding);
  op_attrs.SetArray("pads", attrs.pads.span());
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.FusedConv", 1>(where, op_attrs, std::move(input), std::move(filter), std::move(bias), std::move(addend));
}

Tensor FusedBatchMatmul(TensorArgument a, TensorArgument b, TensorArgument bias,
                        TensorArgument addend, const FusedBatchMatmulAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetString("activation", attrs.activation);
  op_attrs.Set("alpha", attrs.alpha);
  op_attrs.Set("beta", attrs.beta);
  op_attrs.Set("scale", attrs.scale);
  op_attrs.Set("transpose_a", attrs.transpose_a);
  op_attrs.Set("transpose_b", attrs.transpose_b);
  return CallOf<"tfrt.FusedBatchMatmul", 1>(where, op_attrs, std::move(a), std::move(b), std::move(bias), std::move(addend));
}

Tensor Attention(TensorArgument q, TensorArgument k, TensorArgument v, TensorArgument mask,
                 const AttentionAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("causal", attrs.causal);
  op_attrs.Set("causal_at_end", attrs.causal_at_end);
  op_attrs.SetString("layout", attrs.layout);
  op_attrs.Set("masked_rows_are_zero", attrs.masked_rows_are_zero);
  op_attrs.Set("scale", attrs.scale);
  return CallOf<"tfrt.Attention", 1>(where, op_attrs, std::move(q), std::move(k), std::move(v), std::move(mask));
}

std::array<Tensor, 3> Lstm(TensorArgument x, TensorArgument w, TensorArgument r,
                           TensorArgument bias, TensorArgument lengths, TensorArgument initial_h,
                           TensorArgument initial_c, TensorArgument peepholes,
                           const LstmAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetArray("activation_alpha", attrs.activation_alpha.span());
  op_attrs.SetArray("activation_beta", attrs.activation_beta.span());
  op_attrs.SetStringArray("activations", attrs.activations.span());
  op_attrs.Set("batch_first", attrs.batch_first);
  op_attrs.Set("clip", attrs.clip);
  op_attrs.SetString("direction", attrs.direction);
  op_attrs.Set("input_forget", attrs.input_forget);
  return CallOf<"tfrt.Lstm", 3>(where, op_attrs, std::move(x), std::move(w), std::move(r), std::move(bias), std::move(lengths), std::move(initial_h), std::move(initial_c), std::move(peepholes));
}

std::array<Tensor, 2> Gru(TensorArgument x, TensorArgument w, TensorArgument r,
                          TensorArgument bias, TensorArgument lengths, TensorArgument initial_h,
                          const GruAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetArray("activation_alpha", attrs.activation_alpha.span());
  op_attrs.SetArray("activation_beta", attrs.activation_beta.span());
  op_attrs.SetStringArray("activations", attrs.activations.span());
  op_attrs.Set("batch_first", attrs.batch_first);
  op_attrs.Set("clip", attrs.clip);
  op_attrs.SetString("direction", attrs.direction);
  op_attrs.Set("linear_before_reset", attrs.linear_before_reset);
  return CallOf<"tfrt.Gru", 2>(where, op_attrs, std::move(x), std::move(w), std::move(r), std::move(bias), std::move(lengths), std::move(initial_h));
}

std::array<Tensor, 2> Rnn(TensorArgument x, TensorArgument w, TensorArgument r,
                          TensorArgument bias, TensorArgument lengths, TensorArgument initial_h,
                          const RnnAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetArray("activation_alpha", attrs.activation_alpha.span());
  op_attrs.SetArray("activation_beta", attrs.activation_beta.span());
  op_attrs.SetStringArray("activations", attrs.activations.span());
  op_attrs.Set("batch_first", attrs.batch_first);
  op_attrs.Set("clip", attrs.clip);
  op_attrs.SetString("direction", attrs.direction);
  return CallOf<"tfrt.Rnn", 2>(where, op_attrs, std::move(x), std::move(w), std::move(r), std::move(bias), std::move(lengths), std::move(initial_h));
}

Tensor ConvInteger(TensorArgument input, TensorArgument filter, TensorArgument input_zero,
                   TensorArgument filter_zero, const ConvIntegerAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("channels_last", attrs.channels_last);
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.Set("groups", attrs.groups);
  op_attrs.SetString("padding", attrs.padding);
  op_attrs.SetArray("pads", attrs.pads.span());
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.ConvInteger", 1>(where, op_attrs, std::move(input), std::move(filter), std::move(input_zero), std::move(filter_zero));
}

Tensor MatmulInteger(TensorArgument a, TensorArgument b, TensorArgument a_zero,
                     TensorArgument b_zero, Location where) {
  return CallOf<"tfrt.MatmulInteger", 1>(where, {}, std::move(a), std::move(b), std::move(a_zero), std::move(b_zero));
}

Tensor Quantize(TensorArgument x, TensorArgument scale, TensorArgument zero_point,
                const QuantizeAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("axis", attrs.axis);
  op_attrs.Set("block", attrs.block);
  op_attrs.SetType("dtype", attrs.dtype);
  return CallOf<"tfrt.Quantize", 1>(where, op_attrs, std::move(x), std::move(scale), std::move(zero_point));
}

Tensor Dequantize(TensorArgument x, TensorArgument scale, TensorArgument zero_point,
                  const DequantizeAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("axis", attrs.axis);
  op_attrs.Set("block", attrs.block);
  return CallOf<"tfrt.Dequantize", 1>(where, op_attrs, std::move(x), std::move(scale), std::move(zero_point));
}

std::array<Tensor, 3> DynamicQuantize(TensorArgument x, Location where) {
  return CallOf<"tfrt.DynamicQuantize", 3>(where, {}, std::move(x));
}

Tensor ReverseSequence(TensorArgument input, TensorArgument lengths,
                       const ReverseSequenceAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("batch_axis", attrs.batch_axis);
  op_attrs.Set("time_axis", attrs.time_axis);
  return CallOf<"tfrt.ReverseSequence", 1>(where, op_attrs, std::move(input), std::move(lengths));
}

std::array<Tensor, 4> Unique(TensorArgument input, const UniqueAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetArray("axes", attrs.axes.span());
  op_attrs.Set("sorted", attrs.sorted);
  return CallOf<"tfrt.Unique", 4>(where, op_attrs, std::move(input));
}

Tensor Compress(TensorArgument input, TensorArgument condition, const CompressAttrs& attrs,
                Location where) {
  OpAttrs op_attrs;
  op_attrs.SetArray("axes", attrs.axes.span());
  return CallOf<"tfrt.Compress", 1>(where, op_attrs, std::move(input), std::move(condition));
}

Tensor SplitSizes(TensorArgument sizes, TensorArgument whole, Location where) {
  return CallOf<"tfrt.SplitSizes", 1>(where, {}, std::move(sizes), std::move(whole));
}

Tensor EyeLike(TensorArgument input, DType dtype, const EyeLikeAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("diagonal", attrs.diagonal);
  op_attrs.SetType("dtype", dtype);
  return CallOf<"tfrt.EyeLike", 1>(where, op_attrs, std::move(input));
}

Tensor BitCast(TensorArgument input, DType dtype, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetType("dtype", dtype);
  return CallOf<"tfrt.BitCast", 1>(where, op_attrs, std::move(input));
}

Tensor GridSample(TensorArgument input, TensorArgument grid, const GridSampleAttrs& attrs,
                  Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("align_corners", attrs.align_corners);
  op_attrs.SetString("mode", attrs.mode);
  op_attrs.SetString("padding", attrs.padding);
  return CallOf<"tfrt.GridSample", 1>(where, op_attrs, std::move(input), std::move(grid));
}

Tensor RoiAlign(TensorArgument input, TensorArgument boxes, TensorArgument images,
                const RoiAlignAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.Set("half_pixel", attrs.half_pixel);
  op_attrs.Set("height", attrs.height);
  op_attrs.SetString("mode", attrs.mode);
  op_attrs.Set("samples", attrs.samples);
  op_attrs.Set("scale", attrs.scale);
  op_attrs.Set("width", attrs.width);
  return CallOf<"tfrt.RoiAlign", 1>(where, op_attrs, std::move(input), std::move(boxes), std::move(images));
}

Tensor CenterCropPad(TensorArgument input, TensorArgument sizes, const CenterCropPadAttrs& attrs,
                     Location where) {
  OpAttrs op_attrs;
  op_attrs.SetArray("axes", attrs.axes.span());
  return CallOf<"tfrt.CenterCropPad", 1>(where, op_attrs, std::move(input), std::move(sizes));
}

Tensor AddBlocks(TensorArgument blocks, TensorArgument image_sizes, TensorArgument block_sizes,
                 const AddBlocksAttrs& attrs, Location where) {
  OpAttrs op_attrs;
  op_attrs.SetArray("dilations", attrs.dilations.span());
  op_attrs.SetArray("pads", attrs.pads.span());
  op_attrs.SetArray("strides", attrs.strides.span());
  return CallOf<"tfrt.AddBlocks", 1>(where, op_attrs, std::move(blocks), std::move(image_sizes), std::move(block_sizes));
}

Tensor ListWrite(TensorArgument list, TensorArgument index, TensorArgument value, Location where) {
  return CallOf<"tfrt.ListWrite", 1>(where, {}, std::move(list), std::move(index), std::move(value));
}

Tensor SumTo(TensorArgument x, TensorArgument shape, Location where) {
  return CallOf<"tfrt.SumTo", 1>(where, {}, std::move(x), std::move(shape));
}


}  // namespace tfrt::eager
