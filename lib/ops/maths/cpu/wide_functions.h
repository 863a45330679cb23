// Functions that FindElementFunction chooses from, beside the functions of f32.
#ifndef TFRT_LIB_OPS_MATHS_CPU_WIDE_FUNCTIONS_H_
#define TFRT_LIB_OPS_MATHS_CPU_WIDE_FUNCTIONS_H_

#include "element_functions.h"

namespace tfrt::cpu {

void RunDoubles(ElementwiseOp op, const ElementRun& run);
// Runs ops that HasIntegers on any integers but bool.
template <typename T>
void RunIntegers(ElementwiseOp op, const ElementRun& run);
bool HasIntegers(ElementwiseOp op);
inline bool IsForIntegersAlone(ElementwiseOp op) {
  return op >= ElementwiseOp::kBitwiseAnd && op <= ElementwiseOp::kShiftRight;
}
// Runs functions of truth values, kEqual and kNotEqual on bytes that are 0 or not.
void RunTruths(ElementwiseOp op, const ElementRun& run);
// kSelect of elements of so many bytes; null if there are none.
ElementFunction FindSelect(size_t element_size);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_WIDE_FUNCTIONS_H_
