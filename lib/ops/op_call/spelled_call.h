// Calls of ops of the table under names with attributes of their own.
#ifndef TFRT_LIB_OPS_OP_CALL_SPELLED_CALL_H_
#define TFRT_LIB_OPS_OP_CALL_SPELLED_CALL_H_

#include "tfrt/core_runtime/op_call.h"

namespace tfrt {

// The function of an OpDefinition whose state is that of its row. It calls the row's function with
// all of the row's attributes, by canonical names. The value that is an attribute in the spelling
// becomes an argument there.
void CallSpelled(OpCall& call) noexcept;

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_SPELLED_CALL_H_
