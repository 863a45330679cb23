// The corert dialect, its types and its attribute.
#ifndef TFRT_DIALECTS_CORERT_CORERT_BASE
#define TFRT_DIALECTS_CORERT_CORERT_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "dialects/element_type_interface.td"

def Corert_Dialect : Dialect {
  let name = "corert";
  let cppNamespace = "::tfrt::compiler::corert";
  let summary = "eager execution: op handlers, tensor handles and the ops that run on them";
  let dependentDialects = ["::tfrt::compiler::TfrtDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 0;
  let useDefaultAttributePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

class Corert_Type<string cppName, string text> : TypeDef<Corert_Dialect, cppName> {
  let mnemonic = text;
  let summary = "!corert." # text # " type";
}

def Corert_OpHandlerType : Corert_Type<"OpHandler", "ophandler">;
def Corert_TensorHandleType : Corert_Type<"TensorHandle", "tensorhandle">;

// Element types that the builtin ones leave out.
class Corert_ElementType<string cppName, string text>
    : TypeDef<Corert_Dialect, cppName, [ElementTypeInterface]> {
  let mnemonic = text;
  let summary = "!corert." # text # " type";
  let extraClassDeclaration = "::tfrt::DType getDType() const { return ::tfrt::DType::k" # cppName # "; }";
}

def Corert_StringType : Corert_ElementType<"String", "string">;
def Corert_ResourceType : Corert_ElementType<"Resource", "resource">;
def Corert_VariantType : Corert_ElementType<"Variant", "variant">;
def Corert_QUI8Type : Corert_ElementType<"QUI8", "quint8">;
def Corert_QUI16Type : Corert_ElementType<"QUI16", "quint16">;
def Corert_QI8Type : Corert_ElementType<"QI8", "qint8">;
def Corert_QI16Type : Corert_ElementType<"QI16", "qint16">;
def Corert_QI32Type : Corert_ElementType<"QI32", "qint32">;

// #corert.shape<1x?>, and #corert.shape<*> of unknown rank.
def Corert_ShapeAttr : AttrDef<Corert_Dialect, "Shape"> {
  let attrName = "corert.shape";
  let summary = "shape of a tensor, as far as it is known";
  // An unknown dimension is -1. A shape of unknown rank has no dimensions.
  let parameters = (ins "bool":$ranked, ArrayRefParameter<"int64_t">:$dims);
}

// What the ops that create dense tensors are named after: in the names of ops, and of C++ classes.
class Corert_DType<string op_suffix, string class_suffix> {
  string text = op_suffix;
  string cpp = class_suffix;
}
defvar Corert_DTypes = [
  Corert_DType<"ui8", "UI8">, Corert_DType<"ui16", "UI16">, Corert_DType<"ui32", "UI32">,
  Corert_DType<"ui64", "UI64">, Corert_DType<"i1", "I1">, Corert_DType<"i8", "I8">,
  Corert_DType<"i16", "I16">, Corert_DType<"i32", "I32">, Corert_DType<"i64", "I64">,
  Corert_DType<"bf16", "BF16">, Corert_DType<"f16", "F16">, Corert_DType<"f32", "F32">,
  Corert_DType<"f64", "F64">, Corert_DType<"complex64", "Complex64">,
  Corert_DType<"complex128", "Complex128">];

#endif
