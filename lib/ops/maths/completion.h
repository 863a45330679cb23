// Completion is the return type of functions of tensors.
#ifndef TFRT_LIB_OPS_MATHS_COMPLETION_H_
#define TFRT_LIB_OPS_MATHS_COMPLETION_H_

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/support/status.h"

namespace tfrt::maths {

// Holds an error of the operands, for the caller to report, if nothing was begun. Otherwise it
// holds a chain that is available once the output is written, often at once. Until then the
// function keeps the memory of its operands alive, so that the tensors themselves need not live. An
// error of the chain has been reported at the context's location.
using Completion = StatusOr<AsyncValueRef<Chain>>;

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_COMPLETION_H_
