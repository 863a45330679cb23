// Formats elements as text. The element types themselves are in tfrt/opinfo/element_type.h.
#ifndef TFRT_TENSOR_DTYPE_H_
#define TFRT_TENSOR_DTYPE_H_

#include <string>

#include "tfrt/opinfo/element_type.h"

namespace tfrt {

// Appends the element at `data` (DTypeSize(dtype) bytes, any alignment) as tensors print it: "7",
// "2.500000e-01", "fp16(15872)", "(1.000000e+00,-2.000000e+00)", "qu8(2)".
void AppendElement(DType dtype, const void* data, std::string* out);

}  // namespace tfrt

#endif  // TFRT_TENSOR_DTYPE_H_
