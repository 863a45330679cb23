// Element-wise ops by number, and the program of `elementwise_tape`: a chain of them over f32
// tensors that is computed block by block, as one op. Compilers write such programs, kernels run
// them.
//
// A program is an array of i64, step after step:
//
//   op, destination, operand, ...      as many operands as the op has (OperandsOf)
//
//   op           an ElementwiseOp that tapes have (IsTapeOp)
//   destination  the slot that the result goes to, 0 to kTapeSlots - 1
//   operand      i                              argument i of the call, or
//                kTapeSlot + s                  slot s, which an earlier step has written, or
//                kTapeConstant + c              element c of the attribute `constants`
//
// The result of the last step is that of the call. Arguments are f32, or i1, which count as 0 and
// 1, or i8 or u8, which count as what they are. They are broadcast by NumPy's rule. Relations and
// `signbit` give 0 and 1, too. `select` takes its second operand where the first is not 0. An
// attribute of an op in the table (alpha of `leaky_relu`) is a further operand here, which must be
// a constant. An example with two arguments and constants = {1}: {45, 0, 0, kTapeConstant + 0, 3,
// 0, kTapeSlot + 0, 1} is swish(x) * y. The numbers of ops never change: they are in files.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_ELEMENTWISE_TAPE_H_
#define TFRT_LIB_FORMAT_OP_TABLE_ELEMENTWISE_TAPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/status.h"

namespace tfrt {

// V(number, enumerator, row of the op table, operands, of which so many last ones are attributes
//   there, tapes have it)
// The row `gelu` is kGeluTanh with `approximate`, and kGelu without.
#define TFRT_ELEMENTWISE_OPS(V)                     \
  V(1, kAdd, "add", 2, 0, true)                     \
  V(2, kSub, "sub", 2, 0, true)                     \
  V(3, kMul, "mul", 2, 0, true)                     \
  V(4, kDiv, "div", 2, 0, true)                     \
  V(5, kMaximum, "maximum", 2, 0, true)             \
  V(6, kMinimum, "minimum", 2, 0, true)             \
  V(7, kPow, "pow", 2, 0, true)                     \
  V(8, kPRelu, "prelu", 2, 0, true)                 \
  V(9, kLess, "less", 2, 0, true)                   \
  V(10, kLessEqual, "less_equal", 2, 0, true)       \
  V(11, kGreater, "greater", 2, 0, true)            \
  V(12, kGreaterEqual, "greater_equal", 2, 0, true) \
  V(13, kEqual, "equal", 2, 0, true)                \
  V(14, kNotEqual, "not_equal", 2, 0, true)         \
  V(15, kSelect, "select", 3, 0, true)              \
  V(16, kClip, "clip", 3, 0, true)                  \
  V(17, kAbs, "abs", 1, 0, true)                    \
  V(18, kNeg, "neg", 1, 0, true)                    \
  V(19, kSign, "sign", 1, 0, true)                  \
  V(20, kReciprocal, "reciprocal", 1, 0, true)      \
  V(21, kSqrt, "sqrt", 1, 0, true)                  \
  V(22, kRsqrt, "rsqrt", 1, 0, true)                \
  V(23, kExp, "exp", 1, 0, true)                    \
  V(24, kLog, "log", 1, 0, true)                    \
  V(25, kLog1p, "log1p", 1, 0, true)                \
  V(26, kErf, "erf", 1, 0, true)                    \
  V(27, kFloor, "floor", 1, 0, true)                \
  V(28, kCeil, "ceil", 1, 0, true)                  \
  V(29, kRound, "round", 1, 0, true)                \
  V(30, kSin, "sin", 1, 0, true)                    \
  V(31, kCos, "cos", 1, 0, true)                    \
  V(32, kTan, "tan", 1, 0, true)                    \
  V(33, kAsin, "asin", 1, 0, true)                  \
  V(34, kAcos, "acos", 1, 0, true)                  \
  V(35, kAtan, "atan", 1, 0, true)                  \
  V(36, kSinh, "sinh", 1, 0, true)                  \
  V(37, kCosh, "cosh", 1, 0, true)                  \
  V(38, kAsinh, "asinh", 1, 0, true)                \
  V(39, kAcosh, "acosh", 1, 0, true)                \
  V(40, kAtanh, "atanh", 1, 0, true)                \
  V(41, kRelu, "relu", 1, 0, true)                  \
  V(42, kLeakyRelu, "leaky_relu", 2, 1, true)       \
  V(43, kElu, "elu", 2, 1, true)                    \
  V(44, kSelu, "selu", 3, 2, true)                  \
  V(45, kSwish, "swish", 2, 1, true)                \
  V(46, kHardSigmoid, "hard_sigmoid", 3, 2, true)   \
  V(47, kHardSwish, "hard_swish", 1, 0, true)       \
  V(48, kSoftplus, "softplus", 1, 0, true)          \
  V(49, kMish, "mish", 1, 0, true)                  \
  V(50, kSigmoid, "sigmoid", 1, 0, true)            \
  V(51, kTanh, "tanh", 1, 0, true)                  \
  V(52, kGelu, "gelu", 1, 0, true)                  \
  V(53, kGeluTanh, "gelu", 1, 0, true)              \
  V(54, kMod, "mod", 3, 1, true)                    \
  V(55, kLogicalAnd, "logical_and", 2, 0, false)    \
  V(56, kLogicalOr, "logical_or", 2, 0, false)      \
  V(57, kLogicalXor, "logical_xor", 2, 0, false)    \
  V(58, kLogicalNot, "logical_not", 1, 0, false)    \
  V(59, kBitwiseAnd, "bitwise_and", 2, 0, false)    \
  V(60, kBitwiseOr, "bitwise_or", 2, 0, false)      \
  V(61, kBitwiseXor, "bitwise_xor", 2, 0, false)    \
  V(62, kBitwiseNot, "bitwise_not", 1, 0, false)    \
  V(63, kShiftLeft, "shift_left", 2, 0, false)      \
  V(64, kShiftRight, "shift_right", 2, 0, false)    \
  V(65, kIsNan, "is_nan", 1, 0, false)              \
  V(66, kIsInf, "is_inf", 3, 2, false)              \
  V(67, kReluGrad, "relu_grad", 2, 0, false)        \
  V(70, kExpm1, "expm1", 1, 0, true)                \
  V(71, kExp2, "exp2", 1, 0, true)                  \
  V(72, kLog2, "log2", 1, 0, true)                  \
  V(73, kLog10, "log10", 1, 0, true)                \
  V(74, kTrunc, "trunc", 1, 0, true)                \
  V(75, kSignbit, "signbit", 1, 0, true)            \
  V(76, kAtan2, "atan2", 2, 0, true)                \
  V(77, kHypot, "hypot", 2, 0, true)                \
  V(78, kLogAddExp, "logaddexp", 2, 0, true)        \
  V(79, kCopysign, "copysign", 2, 0, true)          \
  V(80, kNextafter, "nextafter", 2, 0, true)        \
  V(81, kFloorDivide, "floor_divide", 2, 0, true)

// V(number, enumerator, operands): steps that are no element-wise row. The quantisation of the row
// `quantize` has the operands x, scale and zero point and gives the integer as f32. As the last
// step it makes the result one of u8 or i8.
#define TFRT_TAPE_STEPS(V) \
  V(68, kQuantizeU8, 3)    \
  V(69, kQuantizeI8, 3)

enum class ElementwiseOp : uint8_t {
#define TFRT_ENUMERATOR(number, name, row, operands, parameters, in_tapes) name = number,
  TFRT_ELEMENTWISE_OPS(TFRT_ENUMERATOR)
#undef TFRT_ENUMERATOR
#define TFRT_ENUMERATOR(number, name, operands) name = number,
      TFRT_TAPE_STEPS(TFRT_ENUMERATOR)
#undef TFRT_ENUMERATOR
};

inline constexpr size_t kMaxElementwiseOperands = 3;

// The row of the op table; none for a step that has no row.
std::string_view RowOf(ElementwiseOp op);
// With those that are attributes in the table, which come last.
size_t OperandsOf(ElementwiseOp op);
size_t ParametersOf(ElementwiseOp op);
bool IsTapeOp(ElementwiseOp op);
// The first op of this row; nothing if it is not element-wise.
std::optional<ElementwiseOp> FindElementwiseOp(std::string_view row);

inline constexpr int64_t kTapeSlots = 16;
inline constexpr int64_t kMaxTapeArguments = 16;
inline constexpr size_t kMaxTapeSteps = 256;
// Added to the number of a slot or a constant where it is an operand.
inline constexpr int64_t kTapeSlot = 1000;
inline constexpr int64_t kTapeConstant = 2000;

struct TapeOperand {
  enum class Kind : uint8_t { kArgument, kSlot, kConstant };
  Kind kind = Kind::kArgument;
  uint16_t index = 0;
};

struct TapeStep {
  ElementwiseOp op = ElementwiseOp::kAdd;
  uint8_t destination = 0;
  std::array<TapeOperand, kMaxElementwiseOperands> operands = {};  // the first OperandsOf(op)
};

// The dtype of the result of a tape with this last step.
inline DType ResultOfTape(const TapeStep& last) {
  if (last.op == ElementwiseOp::kQuantizeU8) return DType::kUI8;
  return last.op == ElementwiseOp::kQuantizeI8 ? DType::kI8 : DType::kF32;
}
// Arguments of tapes have this dtype.
inline bool IsTapeArgument(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kI1 || dtype == DType::kI8 || dtype == DType::kUI8;
}

// Appends the step to a program. Needs operands that DecodeTape takes.
void AppendTapeStep(const TapeStep& step, std::vector<int64_t>* program);

// The steps of a program, checked: it may come from anywhere. A tape that this returns can be run
// with so many arguments and constants. InvalidArgument "step 2 reads slot 3, which no step before
// has written", and so on.
StatusOr<std::vector<TapeStep>> DecodeTape(std::span<const int64_t> program, size_t num_arguments,
                                           size_t num_constants);

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_ELEMENTWISE_TAPE_H_
