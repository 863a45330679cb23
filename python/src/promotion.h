// Promotion (lib/api/eager/promotion.h) of the inputs of a call from Python.
#ifndef TFRT_PYTHON_PROMOTION_H_
#define TFRT_PYTHON_PROMOTION_H_

#include <nanobind/nanobind.h>

#include <span>

#include "lib/api/eager/promotion.h"
#include "ops.h"
#include "tfrt/eager/context.h"
#include "tfrt/support/location.h"

namespace tfrt::python {

// Sets `info.promotion`, and `promotes` of the inputs that take part.
void SetPromotion(const eager::Promotion& promotion, OpInfo& info);

// Casts the inputs that take part to the dtype in which they meet. Returns the op for elements of
// that dtype. Waits for dtypes that are not known yet; an input that is an error stays as it is.
// `keeps_lock`: all dtypes are known, and the casts short enough to keep the interpreter's lock.
const OpDefinition* Promote(const OpInfo& info, std::span<eager::TensorArgument> arguments,
                            bool keeps_lock, Location where);

void BindPromotion(nanobind::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_PROMOTION_H_
