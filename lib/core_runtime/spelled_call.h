// Calls of ops of the table under names with attributes of their own.
#ifndef TFRT_LIB_CORE_RUNTIME_SPELLED_CALL_H_
#define TFRT_LIB_CORE_RUNTIME_SPELLED_CALL_H_

#include "tfrt/core_runtime/op_call.h"

namespace tfrt {

// The function of an OpDefinition whose state is that of its row: calls that with all of the row's
// attributes, by canonical names, and with what the spelling has as an attribute as an argument.
void CallSpelled(OpCall& call) noexcept;

}  // namespace tfrt

#endif  // TFRT_LIB_CORE_RUNTIME_SPELLED_CALL_H_
