// Promotion: the dtype in which the inputs of one call meet. docs/python.md has the table. C++ and
// Python share this body.
#ifndef TFRT_LIB_API_EAGER_PROMOTION_H_
#define TFRT_LIB_API_EAGER_PROMOTION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tfrt/eager/context.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt::eager {

// The dtype in which the inputs of a row meet.
enum class PromotionRule : uint8_t {
  kNone,    // the row takes them as they are
  kSame,    // in the one of the table
  kNumber,  // the same, but i1 becomes i8
  kFloat,   // the same, but i1 and integers become the default float
  kBool,    // in i1: whether elements are not 0
};

// How a call treats the dtypes of its inputs. Plain data.
struct Promotion {
  PromotionRule rule = PromotionRule::kNone;
  // Bit i: the argument specification of number i takes part.
  uint64_t inputs = 0;
  // Bit i: inputs that all have the dtype of number i are taken as they are.
  uint64_t direct_dtypes = ~uint64_t{0};
  const OpDefinition* op_for_bools = nullptr;  // null: the op itself takes i1, or refuses it

  bool TakesPart(size_t input) const { return (inputs >> input & 1) != 0; }
  bool IsDirect(DType dtype) const { return (direct_dtypes >> static_cast<int>(dtype) & 1) != 0; }
};

// Returns the dtype in which elements of both meet; kUnsupported if one holds no numbers.
DType PromotedDType(DType a, DType b);
// Returns the dtype of the call for inputs that meet in `dtype`: what the rule says of i1 and
// integers.
DType DTypeByRule(PromotionRule rule, DType dtype);

// Returns the promotion of a row of the op table, by its name: "add".
Promotion PromotionOf(std::string_view row);
// The same for `rule`, whatever the row. All inputs take part.
Promotion PromotionOf(PromotionRule rule);

// Returns the dtype of an input; kUnsupported if it is nothing, or an error. Waits for one that is
// not known yet.
DType DTypeOfArgument(const TensorArgument& argument);

// Casts the inputs to the dtype in which they meet, each where it is in `inputs`. These are the
// ones that take part. Returns the op for elements of that dtype, which is `op` or that for bools.
// An input that is an error, or nothing, stays as it is; so do all, if one holds no numbers.
const OpDefinition* Promote(const Promotion& promotion, const OpDefinition* op,
                            std::span<TensorArgument* const> inputs, Location where);

// --- Numbers ---

// Returns the dtype of a number beside elements of `beside`; kUnsupported: there are none. A number
// has no size of its own: it takes `beside` unless its kind is wider. Then it is of i32 or f32.
DType DTypeOfNumber(const Number& number, DType beside);
// Returns the number as a tensor without dimensions. InvalidArgument if it does not fit.
StatusOr<HostArray> ArrayOfNumber(const Number& number, DType dtype);
// Makes arrays of the numbers among the operands, in the dtype of the first that is no number.
// InvalidArgument for a number that does not fit it. `names`: of the operands, for messages; may be
// empty.
Status SetDTypesOfNumbers(std::span<Operand* const> operands,
                          std::span<const OpArgumentSpec> names = {});

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_PROMOTION_H_
