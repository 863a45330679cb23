// The element-wise ops (lib/format/op_table/elementwise_tape.h) on runs of elements, of all dtypes.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ELEMENT_FUNCTIONS_H_
#define TFRT_LIB_OPS_MATHS_CPU_ELEMENT_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>

#include "lib/format/op_table/elementwise_tape.h"
#include "tfrt/opinfo/element_type.h"

namespace tfrt::cpu {

// Elements one after the other, of which the result may have the very memory of an operand with
// equally large elements that does not repeat.
struct ElementRun {
  int64_t size = 0;
  const void* in[kMaxElementwiseOperands] = {};
  bool repeats[kMaxElementwiseOperands] = {};  // one element for the whole run
  void* out = nullptr;
};

using ElementFunction = void (*)(ElementwiseOp op, const ElementRun& run);

// Returns the function that computes the op for operands of this dtype (for `select`: of the
// selected values); null if there is none. Results have this dtype; those of relations and
// predicates are i1. Operands that are attributes in the op table repeat and are f32, bools 0 and
// 1. The bounds of `clip` are never left out; the exponents of `pow` are of ExponentDType. Integers
// wrap, and their divisors are not 0. Values of f16 and bf16 are computed in f32. Complex numbers
// are added, subtracted, multiplied and divided.
ElementFunction FindElementFunction(ElementwiseOp op, DType dtype);

// f32 for f32, f16 and bf16, f64 otherwise.
DType ExponentDType(DType dtype);

// True for relations, predicates and functions of truth values.
bool GivesTruth(ElementwiseOp op);

// Returns the cost of an element, in the unit of ItemsPerBlock.
size_t CostOfElement(ElementwiseOp op, DType dtype);

// --- Of one dtype; the op must be one of those that FindElementFunction has for it.

void RunFloats(ElementwiseOp op, const ElementRun& run);
// The same, but relations give f32 0 and 1, and the condition of `select` is f32, 0 or not.
void RunTapeFloats(ElementwiseOp op, const ElementRun& run);
// Numbers as tapes have them: of i1, i8 or u8.
void ToTapeFloats(DType from, const void* in, int64_t size, float* out);
// Whole numbers that i8 or u8 has; both have the same bits.
void FromTapeFloats(const float* in, int64_t size, void* out);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_ELEMENT_FUNCTIONS_H_
