// Adds to the messages of ops what the C++ API adds; programs print the ops' messages as they are.
#ifndef TFRT_LIB_API_EAGER_MESSAGES_H_
#define TFRT_LIB_API_EAGER_MESSAGES_H_

#include <cstddef>
#include <string>

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::eager {

// "argument x"; "argument values[2]" of a variadic one; "argument 3" if the op has no name for it.
std::string NameOfArgument(const OpDefinition& op, size_t index);

// "f32 [2, 3]"
std::string Describe(const TensorMetadata& metadata);

// An InvalidArgument error of an op with what the op was given: "MESSAGE: x is f32 [3], y is i32
// [2]". Others as they are. `arguments` are null where left out or not known.
Status WithArguments(const OpDefinition& op, OpMetadataArguments arguments, const Status& error);

// A ResourceExhausted error with what memory was asked for: "MESSAGE: 4000 bytes for f32 [1000]".
// Others as they are. `refused` may be null: not known.
Status WithMemory(const TensorMetadata* refused, const Status& error);

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_MESSAGES_H_
