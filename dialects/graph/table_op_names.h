// The rows of the op table that passes name, as classes: isa<MulOp>, patterns, walks. A row that no
// pass names needs no line here. Each line is checked when a program first asks for its row.
#ifndef TFRT_DIALECTS_GRAPH_TABLE_OP_NAMES_H_
#define TFRT_DIALECTS_GRAPH_TABLE_OP_NAMES_H_

#include "dialects/graph/table_op.h"

namespace tfrt::compiler::graph {

using AbsOp = TableOp<"abs">;
using AddOp = TableOp<"add">;
using AttentionOp = TableOp<"attention">;
using AveragePoolOp = TableOp<"average_pool">;
using BatchMatmulOp = TableOp<"batch_matmul">;
using BatchNormOp = TableOp<"batch_norm">;
using BiasAddOp = TableOp<"bias_add">;
using BroadcastToOp = TableOp<"broadcast_to">;
using CastOp = TableOp<"cast">;
using CeilOp = TableOp<"ceil">;
using ClipOp = TableOp<"clip">;
using ConcatOp = TableOp<"concat">;
using Conv2dBiasOp = TableOp<"conv2d_bias">;
using Conv2dOp = TableOp<"conv2d">;
using ConvIntegerOp = TableOp<"conv_integer">;
using ConvOp = TableOp<"conv">;
using ConvTransposeOp = TableOp<"conv_transpose">;
using CosOp = TableOp<"cos">;
using DepthToSpaceOp = TableOp<"depth_to_space">;
using DequantizeOp = TableOp<"dequantize">;
using DivOp = TableOp<"div">;
using DynamicQuantizeOp = TableOp<"dynamic_quantize">;
using DynamicQuantizedMatmulOp = TableOp<"dynamic_quantized_matmul">;
using EluOp = TableOp<"elu">;
using EqualOp = TableOp<"equal">;
using ErfOp = TableOp<"erf">;
using ExpOp = TableOp<"exp">;
using ExpandDimsOp = TableOp<"expand_dims">;
using FillOp = TableOp<"fill">;
using FloorOp = TableOp<"floor">;
using FusedBatchMatmulOp = TableOp<"fused_batch_matmul">;
using FusedConvOp = TableOp<"fused_conv">;
using GatherNdOp = TableOp<"gather_nd">;
using GatherOp = TableOp<"gather">;
using GeluOp = TableOp<"gelu">;
using GreaterEqualOp = TableOp<"greater_equal">;
using GreaterOp = TableOp<"greater">;
using HardSigmoidOp = TableOp<"hard_sigmoid">;
using HardSwishOp = TableOp<"hard_swish">;
using IdentityOp = TableOp<"identity">;
using IsNanOp = TableOp<"is_nan">;
using LayerNormOp = TableOp<"layer_norm">;
using LeakyReluOp = TableOp<"leaky_relu">;
using LessEqualOp = TableOp<"less_equal">;
using LessOp = TableOp<"less">;
using LogOp = TableOp<"log">;
using LogicalAndOp = TableOp<"logical_and">;
using LogicalNotOp = TableOp<"logical_not">;
using LogicalOrOp = TableOp<"logical_or">;
using LogicalXorOp = TableOp<"logical_xor">;
using LpPoolOp = TableOp<"lp_pool">;
using MatmulBiasOp = TableOp<"matmul_bias">;
using MatmulIntegerOp = TableOp<"matmul_integer">;
using MatmulOp = TableOp<"matmul">;
using MaxPoolOp = TableOp<"max_pool">;
using MaximumOp = TableOp<"maximum">;
using MinimumOp = TableOp<"minimum">;
using MishOp = TableOp<"mish">;
using ModOp = TableOp<"mod">;
using MulOp = TableOp<"mul">;
using NegOp = TableOp<"neg">;
using NotEqualOp = TableOp<"not_equal">;
using PackFilterOp = TableOp<"pack_filter">;
using PackMatrixOp = TableOp<"pack_matrix">;
using PadOp = TableOp<"pad">;
using PadWithOp = TableOp<"pad_with">;
using PowOp = TableOp<"pow">;
using PreluOp = TableOp<"prelu">;
using QuantizeOp = TableOp<"quantize">;
using QuantizedConvOp = TableOp<"quantized_conv">;
using QuantizedMatmulOp = TableOp<"quantized_matmul">;
using RangeOp = TableOp<"range">;
using ReciprocalOp = TableOp<"reciprocal">;
using ReduceMaxOp = TableOp<"reduce_max">;
using ReduceMeanOp = TableOp<"reduce_mean">;
using ReduceMinOp = TableOp<"reduce_min">;
using ReduceSumOp = TableOp<"reduce_sum">;
using ReluOp = TableOp<"relu">;
using ReshapeOp = TableOp<"reshape">;
using ResizeOp = TableOp<"resize">;
using RmsNormOp = TableOp<"rms_norm">;
using RoundOp = TableOp<"round">;
using RsqrtOp = TableOp<"rsqrt">;
using SelectOp = TableOp<"select">;
using SeluOp = TableOp<"selu">;
using SigmoidOp = TableOp<"sigmoid">;
using SinOp = TableOp<"sin">;
using SliceOp = TableOp<"slice">;
using SoftmaxOp = TableOp<"softmax">;
using SoftplusOp = TableOp<"softplus">;
using SpaceToDepthOp = TableOp<"space_to_depth">;
using SqrtOp = TableOp<"sqrt">;
using SqueezeOp = TableOp<"squeeze">;
using StridedSliceOp = TableOp<"strided_slice">;
using SubOp = TableOp<"sub">;
using SwishOp = TableOp<"swish">;
using TanhOp = TableOp<"tanh">;
using TileOp = TableOp<"tile">;
using TransposeOp = TableOp<"transpose">;
using TriangleOp = TableOp<"triangle">;

}  // namespace tfrt::compiler::graph

#endif  // TFRT_DIALECTS_GRAPH_TABLE_OP_NAMES_H_
