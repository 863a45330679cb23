// The names that the Open Inference Protocol has for dtypes.
#ifndef TFRT_LIB_SERVE_PROTOCOL_DATA_TYPES_H_
#define TFRT_LIB_SERVE_PROTOCOL_DATA_TYPES_H_

#include <string_view>

#include "tfrt/opinfo/element_type.h"

namespace tfrt::serve {

// Returns "FP32", "BOOL", "BYTES" (strings) and so on; empty if the protocol has no such type.
std::string_view DataTypeName(DType dtype);

// Returns the dtype of a name; kUnsupported for names that the protocol does not have.
DType DataTypeFromName(std::string_view name);

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_PROTOCOL_DATA_TYPES_H_
