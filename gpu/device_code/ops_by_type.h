// Lists the ops for each type of elements. Entry points are made from these tables, one for each op
// and type, and are named after both: V(exp, ExpOp) for f32 makes `exp_f32`. Functions are structs
// in element_ops.h and reductions.h.
//
// A file of device code is compiled once for each of its types, which the build defines as
// TFRT_TYPE. A module then consists of a few dozen kernels, not of hundreds. A driver compiles all
// of them the first time that a program needs one.
#ifndef TFRT_GPU_DEVICE_CODE_OPS_BY_TYPE_H_
#define TFRT_GPU_DEVICE_CODE_OPS_BY_TYPE_H_

#include <stdint.h>  // the compiler's own, as no library is there

#define TFRT_JOIN_NAMES(a, b) a##b
#define TFRT_JOIN(a, b) TFRT_JOIN_NAMES(a, b)
// The name of an entry point: NAME_TYPE.
#define TFRT_ENTRY(name) TFRT_JOIN(name##_, TFRT_TYPE)
// TABLE_TYPE(...): the rows of a table for the type.
#define TFRT_OF_TYPE(table) TFRT_JOIN(table##_, TFRT_TYPE)

// For `#if`: whether the type is that of floats.
#define TFRT_IS_FLOAT_f16 1
#define TFRT_IS_FLOAT_bf16 1
#define TFRT_IS_FLOAT_f32 1
#define TFRT_IS_FLOAT_f64 1
#define TFRT_IS_FLOAT_i32 0

// --- out[i] = op(in[i]): V(name, function).

#define TFRT_UNARY_NUMBERS(V) V(abs, AbsOp) V(neg, NegOp) V(sign, SignOp) V(relu, ReluOp)
#define TFRT_UNARY_FLOATS(V)  \
  TFRT_UNARY_NUMBERS(V)       \
  V(reciprocal, ReciprocalOp) \
  V(sqrt, SqrtOp)             \
  V(rsqrt, RsqrtOp)           \
  V(exp, ExpOp)               \
  V(exp2, Exp2Op)             \
  V(expm1, Expm1Op)           \
  V(log, LogOp)               \
  V(log1p, Log1pOp)           \
  V(erf, ErfOp)               \
  V(floor, FloorOp)           \
  V(ceil, CeilOp)             \
  V(round, RoundOp)           \
  V(hard_swish, HardSwishOp)  \
  V(softplus, SoftplusOp)     \
  V(mish, MishOp)             \
  V(sigmoid, SigmoidOp)       \
  V(tanh, TanhOp)             \
  V(gelu, GeluOp)             \
  V(gelu_tanh, GeluTanhOp)
#define TFRT_UNARY_INTEGERS(V) TFRT_UNARY_NUMBERS(V) V(bitwise_not, BitwiseNotOp)
#define TFRT_UNARY_f16 TFRT_UNARY_FLOATS
#define TFRT_UNARY_bf16 TFRT_UNARY_FLOATS
#define TFRT_UNARY_f32 TFRT_UNARY_FLOATS
#define TFRT_UNARY_f64 TFRT_UNARY_FLOATS
#define TFRT_UNARY_i32 TFRT_UNARY_INTEGERS
#define TFRT_UNARY_i64 TFRT_UNARY_INTEGERS
#define TFRT_UNARY_i1(V) V(logical_not, LogicalNotOp)

// --- out[i] = op(in[i], alpha, beta).

#define TFRT_PARAMETRIC_FLOATS(V) \
  V(leaky_relu, LeakyReluOp)      \
  V(elu, EluOp)                   \
  V(selu, SeluOp)                 \
  V(swish, SwishOp)               \
  V(hard_sigmoid, HardSigmoidOp)
#define TFRT_PARAMETRIC_f16 TFRT_PARAMETRIC_FLOATS
#define TFRT_PARAMETRIC_bf16 TFRT_PARAMETRIC_FLOATS
#define TFRT_PARAMETRIC_f32 TFRT_PARAMETRIC_FLOATS
#define TFRT_PARAMETRIC_f64 TFRT_PARAMETRIC_FLOATS
#define TFRT_PARAMETRIC_i32(V)
#define TFRT_PARAMETRIC_i64(V)
#define TFRT_PARAMETRIC_i1(V)

// --- The same with truth values as results.

#define TFRT_PREDICATES_FLOATS(V) V(is_nan, IsNanOp) V(is_inf, IsInfOp)
#define TFRT_PREDICATES_f16 TFRT_PREDICATES_FLOATS
#define TFRT_PREDICATES_bf16 TFRT_PREDICATES_FLOATS
#define TFRT_PREDICATES_f32 TFRT_PREDICATES_FLOATS
#define TFRT_PREDICATES_f64 TFRT_PREDICATES_FLOATS
#define TFRT_PREDICATES_i32(V)
#define TFRT_PREDICATES_i64(V)
#define TFRT_PREDICATES_i1(V)

// --- out[i] = op(a[i], b[i]).

#define TFRT_BINARY_NUMBERS(V)   \
  V(add, AddOp)                  \
  V(sub, SubOp)                  \
  V(mul, MulOp)                  \
  V(div, DivOp)                  \
  V(mod, FloorModOp)             \
  V(truncate_mod, TruncateModOp) \
  V(maximum, MaximumOp)          \
  V(minimum, MinimumOp)          \
  V(prelu, PReluOp)              \
  V(relu_grad, ReluGradOp)
#define TFRT_BINARY_FLOATS(V) TFRT_BINARY_NUMBERS(V) V(pow, PowOp)
#define TFRT_BINARY_INTEGERS(V) \
  TFRT_BINARY_NUMBERS(V)        \
  V(pow, IntegerPowOp)          \
  V(bitwise_and, BitwiseAndOp)  \
  V(bitwise_or, BitwiseOrOp)    \
  V(bitwise_xor, BitwiseXorOp)  \
  V(shift_left, ShiftLeftOp)    \
  V(shift_right, ShiftRightOp)
#define TFRT_BINARY_f16 TFRT_BINARY_FLOATS
#define TFRT_BINARY_bf16 TFRT_BINARY_FLOATS
#define TFRT_BINARY_f32 TFRT_BINARY_FLOATS
#define TFRT_BINARY_f64 TFRT_BINARY_FLOATS
#define TFRT_BINARY_i32 TFRT_BINARY_INTEGERS
#define TFRT_BINARY_i64 TFRT_BINARY_INTEGERS

// --- The same with truth values as results.

#define TFRT_COMPARE_NUMBERS(V)    \
  V(less, LessOp)                  \
  V(less_equal, LessEqualOp)       \
  V(greater, GreaterOp)            \
  V(greater_equal, GreaterEqualOp) \
  V(equal, EqualOp)                \
  V(not_equal, NotEqualOp)
#define TFRT_COMPARE_f16 TFRT_COMPARE_NUMBERS
#define TFRT_COMPARE_bf16 TFRT_COMPARE_NUMBERS
#define TFRT_COMPARE_f32 TFRT_COMPARE_NUMBERS
#define TFRT_COMPARE_f64 TFRT_COMPARE_NUMBERS
#define TFRT_COMPARE_i32 TFRT_COMPARE_NUMBERS
#define TFRT_COMPARE_i64 TFRT_COMPARE_NUMBERS
#define TFRT_COMPARE_u8 TFRT_COMPARE_NUMBERS
#define TFRT_COMPARE_i1(V)     \
  V(equal, EqualOp)            \
  V(not_equal, NotEqualOp)     \
  V(logical_and, LogicalAndOp) \
  V(logical_or, LogicalOrOp)   \
  V(logical_xor, NotEqualOp)

// --- Reductions of rows and columns: V(name, struct); places of extremes: V(name, smallest).

#define TFRT_REDUCTIONS(V) V(sum, Sum) V(mean, Mean) V(prod, ProductOf) V(max, Max) V(min, Min)
#define TFRT_ARG_REDUCTIONS(V) V(argmax, false) V(argmin, true)

// --- Of all types in one file.

// out[i] = in[i] as another type: V(from, to).
#define TFRT_CASTS_TO(V, to) \
  V(f16, to) V(bf16, to) V(f32, to) V(f64, to) V(i32, to) V(i64, to) V(u8, to) V(i1, to)
#define TFRT_CASTS(V)    \
  TFRT_CASTS_TO(V, f16)  \
  TFRT_CASTS_TO(V, bf16) \
  TFRT_CASTS_TO(V, f32)  \
  TFRT_CASTS_TO(V, f64)  \
  TFRT_CASTS_TO(V, i32) TFRT_CASTS_TO(V, i64) TFRT_CASTS_TO(V, u8) TFRT_CASTS_TO(V, i1)

// Kernels that move elements without reading their values: V(name, type of that many bits).
#define TFRT_WIDTHS(V) V(b8, uint8_t) V(b16, uint16_t) V(b32, uint32_t) V(b64, uint64_t)

#endif  // TFRT_GPU_DEVICE_CODE_OPS_BY_TYPE_H_
