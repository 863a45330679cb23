// The ops of the graph dialect: those of structure, and one for each row of the op table.
#ifndef TFRT_DIALECTS_GRAPH_GRAPH_OPS
#define TFRT_DIALECTS_GRAPH_GRAPH_OPS

include "dialects/graph/graph_base.td"
include "dialects/graph/graph_table_ops.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Graph_ConstantOp : Op<Graph_Dialect, "constant", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a tensor that is known when the program is compiled";
  let description = [{
    Large ones are resources over the file that they come from, so that nothing copies or compares their elements.
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Graph_WeightOp : Op<Graph_Dialect, "weight", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant that a model file has among its weights";
  let description = [{
    What a large constant is lowered to. The kernel finds it by its number in the file's section of weights, which the
    converter gives it; the elements are read where they lie.
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "attr-dict $value";
}

def Graph_ReturnOp : Op<Graph_Dialect, "return", [Pure, ReturnLike, Terminator]> {
  let summary = "the results of a function or a region";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
  let hasVerifier = 1;
}

#endif
