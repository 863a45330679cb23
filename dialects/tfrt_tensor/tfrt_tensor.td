// The tfrt_tensor dialect: the type of host tensors.
#ifndef TFRT_DIALECTS_TFRT_TENSOR
#define TFRT_DIALECTS_TFRT_TENSOR

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def TfrtTensor_Dialect : Dialect {
  let name = "tfrt_tensor";
  let cppNamespace = "::tfrt::compiler";
  let summary = "host tensors";
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

def TfrtTensor_TensorType : TypeDef<TfrtTensor_Dialect, "HostTensor"> {
  let mnemonic = "tensor";
  let summary = "!tfrt_tensor.tensor type";
}

#endif
