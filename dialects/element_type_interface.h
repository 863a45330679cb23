// ElementTypeInterface: types of dialects that are element types of tensors and attributes. The
// converter asks for it, so that a dialect may add such types without changing the converter.
#ifndef TFRT_DIALECTS_ELEMENT_TYPE_INTERFACE_H_
#define TFRT_DIALECTS_ELEMENT_TYPE_INTERFACE_H_

#include "mlir/IR/Types.h"
#include "tfrt/opinfo/element_type.h"

#include "dialects/element_type_interface.h.inc"

#endif  // TFRT_DIALECTS_ELEMENT_TYPE_INTERFACE_H_
