// The ts dialect and its types.
#ifndef TFRT_DIALECTS_TS_TS_BASE
#define TFRT_DIALECTS_TS_TS_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Ts_Dialect : Dialect {
  let name = "ts";
  let cppNamespace = "::tfrt::compiler::ts";
  let summary = "shapes of tensors";
  let dependentDialects = ["::tfrt::compiler::TfrtDialect"];
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

class Ts_Type<string cppName, string text> : TypeDef<Ts_Dialect, cppName> {
  let mnemonic = text;
  let summary = "!ts." # text # " type";
}

def Ts_ShapeType : Ts_Type<"Shape", "shape">;
def Ts_PartialShapeType : Ts_Type<"PartialShape", "partial_shape">;

// Without a mnemonic: the type can be printed but not parsed, so its values stay between the ops with syntax
// of their own that make and use them.
def Ts_FixedRankShapeType : TypeDef<Ts_Dialect, "FixedRankShape"> {
  let typeName = "ts.fixed_rank_shape";
  let summary = "shape whose rank is known";
  let parameters = (ins "unsigned":$rank);
}
class Ts_FixedRankShape<int rank>
    : Type<CPred<"::tfrt::compiler::ts::isFixedRankShape($_self, " # rank # ")">,
           "!ts.fixed_rank_shape." # rank # " type">,
      BuildableType<"::tfrt::compiler::ts::FixedRankShapeType::get($_builder.getContext(), "
                    # rank # ")">;

#endif
