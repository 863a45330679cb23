// The element-wise functions of the array API standard: the names, the rows that compute them, and
// how their inputs are promoted. C++ (tfrt/eager/arrays/elementwise.h), Python's rows and the
// reference (docs/reference/eager_ops.md) are made of this table.
#ifndef TFRT_LIB_API_EAGER_ARRAY_FUNCTIONS_H_
#define TFRT_LIB_API_EAGER_ARRAY_FUNCTIONS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "promotion.h"
#include "tfrt/eager/context.h"

namespace tfrt::eager {

// A row of the table. Plain data with static lifetime.
struct ArrayFunction {
  std::string_view name;      // the standard's: "bitwise_invert"
  std::string_view cpp_name;  // "BitwiseInvert"
  std::string_view op;        // the op that computes it: "tfrt.BitwiseNot"
  // Where the standard's meaning is another one than the op's own: kNone is that of the op's row.
  PromotionRule rule = PromotionRule::kNone;
  std::string_view summary = {};  // empty: the op's
};

std::span<const ArrayFunction> ArrayFunctions();

// A row, ready for calls. Immutable.
struct ArrayOp {
  // By the standard's name, which must be in the table.
  explicit ArrayOp(std::string_view name);
  explicit ArrayOp(const ArrayFunction& function);

  std::string_view name;
  const OpDefinition* op;
  Promotion promotion;
  uint64_t quick_dtypes;  // that the op's quick function takes as they are; 0 without one
};

// Calls it; numbers among the operands get dtypes, and inputs of different dtypes meet in one. The
// line is that of the first operand. Uses the operands up.
Tensor CallArrayOp(const ArrayOp& op, Operand& x);
Tensor CallArrayOp(const ArrayOp& op, Operand& x, Operand& y);
// The same for one or two operands.
Tensor CallArrayOp(const ArrayOp& op, std::span<Operand* const> operands, Location where);

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_ARRAY_FUNCTIONS_H_
