// The passes on programs of the graph dialect: their names, texts and options.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_GRAPH_PASSES
#define TFRT_LIB_COMPILER_PASSES_GRAPH_GRAPH_PASSES

include "mlir/Pass/PassBase.td"

class Graph_Pass<string name, string text, list<Option> itsOptions = []>
    : Pass<name, "::mlir::func::FuncOp"> {
  let summary = text;
  let options = itsOptions;
}
class Graph_Numerics<string text>
    : Option<"numerics", "numerics", "std::string", "\"fast\"", text>;
def Graph_Remarks : Option<"remarks", "remarks", "bool", "false", "Report how much was done">;

def ShapesPass
    : Graph_Pass<"graph-shapes", "Infer types, and make constants of integers that are known",
                 [Graph_Remarks]>;
def WidenPass
    : Graph_Pass<"graph-widen", "Compute f16 and bf16 in f32, without rounding between two ops",
                 [Graph_Remarks]>;
def CanonicalizePass
    : Graph_Pass<"graph-canonicalize",
                 "Bring ops into canonical forms, and drop what changes nothing or is not used",
                 [Graph_Numerics<"fast, or exact: keep the signs of zeros, too">, Graph_Remarks]>;
def CsePass
    : Graph_Pass<"graph-cse", "Compute once what ops without effects compute of the same values">;
def DeadCodePass
    : Graph_Pass<"graph-dead-code", "Drop what nobody uses, in branches and loops, too">;
def HoistInvariantsPass
    : Graph_Pass<"graph-hoist-invariants", "Move what does not change out of loops",
                 [Graph_Remarks]>;
def FusePass
    : Graph_Pass<"graph-fuse", "Put ops together that one kernel computes",
                 [Graph_Numerics<"fast, or exact: keep the rounding of the program">,
                  Graph_Remarks]>;
def QuantizePass
    : Graph_Pass<"graph-quantize", "Compute products with constant matrices in 8 bits",
                 [ListOption<"keep", "keep", "std::string", "Names of nodes that stay in f32">,
                  Graph_Remarks]> {
  let dependentDialects = ["GraphDialect"];
}
def NarrowPass
    : Graph_Pass<"graph-narrow", "Keep constant weights of products and convolutions in 16 bits",
                 [Option<"dtype", "dtype", "std::string", "\"bf16\"", "bf16 or f16">,
                  ListOption<"keep", "keep", "std::string", "Names of nodes that stay in f32">,
                  Graph_Remarks]> {
  let dependentDialects = ["GraphDialect"];
}
def LayoutPass
    : Graph_Pass<"graph-layout", "Convolutions with channels last; transposes between them cancel",
                 [Graph_Remarks]>;
def TapePass
    : Graph_Pass<"graph-tape", "Compute chains of element-wise ops as one op", [Graph_Remarks]>;
def PackPass
    : Graph_Pass<"graph-pack", "Pack constant filters and matrices for the kernels that read them"> {
  let dependentDialects = ["GraphDialect"];
}

def LowerGraphPass : Pass<"lower-graph", "::mlir::ModuleOp"> {
  let summary = "Move what depends on constants alone into @load, and make kernels of graph ops";
  let dependentDialects = ["GraphDialect", "TfrtDialect", "::mlir::func::FuncDialect"];
}

#endif
