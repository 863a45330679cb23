// The ops of the ts dialect.
#ifndef TFRT_DIALECTS_TS_TS_OPS
#define TFRT_DIALECTS_TS_TS_OPS

include "dialects/tfrt/tfrt_base.td"
include "dialects/ts/ts_base.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ts_Op<string mnemonic, list<Trait> traits = []> : Op<Ts_Dialect, mnemonic, traits> {
  let assemblyFormat = "operands attr-dict";
}

class Ts_BuildOp<string mnemonic, Type type> : Ts_Op<mnemonic, [Pure]> {
  let arguments = (ins I64ArrayAttr:$value);
  let results = (outs type:$shape);
  let assemblyFormat = "$value attr-dict";
}
def Ts_BuildShapeOp : Ts_BuildOp<"build_shape", Ts_ShapeType> {
  let summary = "the shape with these dimensions";
}
def Ts_BuildPartialShapeOp : Ts_BuildOp<"build_partial_shape", Ts_PartialShapeType> {
  let summary = "the shape with these dimensions; -1 is an unknown one";
}
def Ts_BuildUnrankedPartialShapeOp : Ts_Op<"build_unranked_partial_shape", [Pure]> {
  let summary = "the shape of which nothing is known";
  let results = (outs Ts_PartialShapeType:$shape);
  let assemblyFormat = "attr-dict";
}

def Ts_EqualShapeOp : Ts_Op<"equal_shape"> {
  let summary = "whether two shapes are the same";
  let arguments = (ins Ts_ShapeType:$lhs, Ts_ShapeType:$rhs);
  let results = (outs I1:$result);
}
def Ts_GetDimensionOp : Ts_Op<"get_dimension"> {
  let summary = "one dimension, counted from 0";
  let arguments = (ins Ts_ShapeType:$shape, I32:$index);
  let results = (outs I64:$dimension);
}
def Ts_GetNumElementsOp : Ts_Op<"get_num_elements"> {
  let summary = "the product of the dimensions";
  let arguments = (ins Ts_ShapeType:$shape);
  let results = (outs I64:$num_elements);
}

def Ts_ToShapeOp : Ts_Op<"to_shape"> {
  let summary = "the shape itself if all of it is known";
  let arguments = (ins Ts_PartialShapeType:$partial_shape);
  let results = (outs Ts_ShapeType:$shape);
}
def Ts_ToPartialShapeOp : Ts_Op<"to_partial_shape"> {
  let summary = "a shape of which all is known";
  let arguments = (ins Ts_ShapeType:$shape);
  let results = (outs Ts_PartialShapeType:$partial_shape);
}

class Ts_PrintOp<string mnemonic, Type type> : Ts_Op<mnemonic> {
  let summary = "prints a shape";
  let arguments = (ins type:$shape, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType:$out_chain);
}
def Ts_PrintShapeOp : Ts_PrintOp<"print_shape", Ts_ShapeType>;
def Ts_PrintPartialShapeOp : Ts_PrintOp<"print_partial_shape", Ts_PartialShapeType>;

foreach rank = 0...3 in {
  def Ts_AsFixedRankShape#rank#Op : Ts_Op<"as_fixed_rank_shape." # rank, [Pure]> {
    let summary = "the shape if it has rank " # rank;
    let arguments = (ins Ts_ShapeType:$shape);
    let results = (outs Ts_FixedRankShape<rank>:$fixed_rank_shape);
  }
  def Ts_PrintFixedRankShape#rank#Op
      : Ts_PrintOp<"print_fixed_rank_shape." # rank, Ts_FixedRankShape<rank>>;
}

#endif
