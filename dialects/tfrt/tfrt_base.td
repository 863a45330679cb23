// The tfrt dialect and its types.
#ifndef TFRT_DIALECTS_TFRT_TFRT_BASE
#define TFRT_DIALECTS_TFRT_TFRT_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/OpBase.td"

def Tfrt_Dialect : Dialect {
  let name = "tfrt";
  let cppNamespace = "::tfrt::compiler";
  let summary = "control flow, arithmetic and chains of kernel graphs";
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    // The unit attribute of a function whose tensors share memory by a plan (docs/compiler.md). The plan counts on
    // every dependency between ops, so what would take one away leaves such a function alone.
    static constexpr char kMemoryPlanned[] = "tfrt.memory_planned";

    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

class Tfrt_Type<string cppName, string text> : TypeDef<Tfrt_Dialect, cppName> {
  let mnemonic = text;
  let summary = "!tfrt." # text # " type";
}

def Tfrt_ChainType : Tfrt_Type<"Chain", "chain">;
def Tfrt_StringType : Tfrt_Type<"String", "string">;
def Tfrt_TensorTypeType : Tfrt_Type<"TensorType", "tensor_type">;
def Tfrt_DeviceType : Tfrt_Type<"Device", "device">;

def Tfrt_F16Attr : FloatAttrBase<F16, "16-bit float attribute">;
def Tfrt_BF16Attr
    : TypedAttrBase<BF16, "FloatAttr",
                    CPred<"::llvm::isa<::mlir::FloatAttr>($_self) && "
                          "::llvm::cast<::mlir::FloatAttr>($_self).getType().isBF16()">,
                    "bfloat16 attribute"> {
  let returnType = [{ ::llvm::APFloat }];
}

#endif
