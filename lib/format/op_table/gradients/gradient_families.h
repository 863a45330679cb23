// The gradient rules, which rows of the op table name.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_GRADIENTS_GRADIENT_FAMILIES_H_
#define TFRT_LIB_FORMAT_OP_TABLE_GRADIENTS_GRADIENT_FAMILIES_H_

#include "lib/format/op_table/gradient_rules.h"

namespace tfrt::gradients {

using Rule = void(GradientCall& call);
Rule Acos, Acosh, Asin, Asinh, Atan, Atanh, Clip, Cosh, Elu, GeluGrad, HardSigmoid, HardSwish,
    LeakyRelu, Mish, Mod, Prelu, Selu, Sinh, Swish, Tan;
Rule Attention, PackedAttention;
Rule Atan2, Copysign, Exp2, Expm1, Hypot, Log10, Log2, LogAddExp, Nextafter;
Rule Abs, Add, Cast, Cos, Div, Erf, Exp, Flat, Gelu, Log, Log1p, Maximum, Minimum, Mul, Neg, PassOn,
    Pow, Reciprocal, Relu, ReluGrad, Rsqrt, Select, Sigmoid, Sin, Softplus, Sqrt, Sub, Tanh;
Rule Gather, GatherElements, GatherNd, OneHot, ScatterElements, ScatterNd, Sort, TopK;
Rule BroadcastTo, Concat, DepthToSpace, Fill, ListWrite, Pad, PadWith, Reshape, ReverseSequence,
    Slice, SpaceToDepth, StridedSlice, SumTo, Tile, Transpose, Triangle;
Rule AvgPool, BatchMatMul, BiasAdd, BiasAddGrad, Conv2D, Conv2DBias, Conv2DBiasAdd, ConvFilterGrad,
    ConvInputGrad, GlobalAveragePool, MatMul, MatMulBias, MaxPool, MaxPoolGrad, SgdUpdate;
Rule Cholesky, Determinant, Eigvalsh, Inverse, Slogdet, Solve, Svdvals;
Rule BatchNorm, BatchNormGrad, GroupNorm, InstanceNorm, LayerNorm, LayerNormGrad, LogSoftmax,
    LogSoftmaxGrad, RmsNorm, Softmax, SoftmaxCrossEntropy, SoftmaxGrad;
Rule CumulativeProduct, CumulativeSum, ReduceExtreme, ReduceL1, ReduceL2, ReduceLogSum,
    ReduceLogSumExp, ReduceMean, ReduceProd, ReduceSum, ReduceSumSquare;

}  // namespace tfrt::gradients

#endif  // TFRT_LIB_FORMAT_OP_TABLE_GRADIENTS_GRADIENT_FAMILIES_H_
