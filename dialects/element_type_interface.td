// Element types that dialects add to the builtin ones.
#ifndef TFRT_DIALECTS_ELEMENT_TYPE_INTERFACE
#define TFRT_DIALECTS_ELEMENT_TYPE_INTERFACE

include "mlir/IR/OpBase.td"

def ElementTypeInterface : TypeInterface<"ElementTypeInterface"> {
  let cppNamespace = "::tfrt::compiler";
  let description = "A type that is the element type of tensors and of attributes.";
  let methods = [InterfaceMethod<"Which of the runtime's element types it is.", "::tfrt::DType", "getDType">];
}

#endif
