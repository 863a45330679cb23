// Promotion: the dtype in which the inputs of one call meet. docs/python.md has the table.
#ifndef TFRT_PYTHON_PROMOTION_H_
#define TFRT_PYTHON_PROMOTION_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "ops.h"
#include "tfrt/eager/context.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/location.h"

namespace tfrt::python {

// Returns the dtype in which elements of both meet; kUnsupported if one holds no numbers.
DType PromotedDType(DType a, DType b);

// Fills `info.promotion`, and `promotes` of the inputs that take part, by the row's name.
void SetPromotion(std::string_view row, OpInfo& info);
// The same for `rule`, whatever the row.
void SetPromotion(PromotionRule rule, OpInfo& info);

// Casts the inputs that take part to the dtype in which they meet. Returns the op for elements of
// that dtype. Waits for dtypes that are not known yet; an input that is an error stays as it is.
// `keeps_lock`: the casts are short enough to keep the interpreter's lock.
const OpDefinition* Promote(const OpInfo& info, std::span<eager::TensorArgument> arguments,
                            bool keeps_lock, Location where);

void BindPromotion(nanobind::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_PROMOTION_H_
