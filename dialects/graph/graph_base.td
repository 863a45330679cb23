// The graph dialect, its token type, and the class of the ops that the op table describes.
#ifndef TFRT_DIALECTS_GRAPH_GRAPH_BASE
#define TFRT_DIALECTS_GRAPH_GRAPH_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::tfrt::compiler::graph";
  let summary = "ops on tensors, with value semantics";
  let description = [{
    Programs of ops on tensors, wherever they come from and whatever will run them (docs/graph.md).
    Types are builtin tensors. Each op but those of structure is a row of the op table, with its canonical name,
    arguments and attributes; the table says what its results are. Effects are ordered by tokens.
  }];
  let useDefaultTypePrinterParser = 1;
}

def Graph_TokenType : TypeDef<Graph_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "what orders effects: an op that takes it comes behind the one that made it";
}

// The op's types and attributes are those that its row in the table allows.
def Graph_TableOpTrait : NativeOpTrait<"TableOpTrait"> {
  let cppNamespace = "::tfrt::compiler::graph";
}

class Graph_TableOp<string name, list<Trait> traits> : Op<Graph_Dialect, name, traits # [Graph_TableOpTrait]> {
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif
