// The ht dialect: the type of blocks of host memory.
#ifndef TFRT_DIALECTS_HT
#define TFRT_DIALECTS_HT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Ht_Dialect : Dialect {
  let name = "ht";
  let cppNamespace = "::tfrt::compiler::ht";
  let summary = "blocks of host memory";
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

def Ht_HostBufferType : TypeDef<Ht_Dialect, "HostBuffer"> {
  let mnemonic = "host_buffer";
  let summary = "!ht.host_buffer type";
}

#endif
