// The graph dialect and its token type.
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
    Programs of ops on tensors, wherever they come from and whatever will run them (docs/compiler.md).
    Types are builtin tensors. Each op but those of structure is a row of the op table, with its canonical name,
    arguments and attributes; the table says what its results are. Effects are ordered by tokens.
  }];
  let useDefaultTypePrinterParser = 1;
}

def Graph_TokenType : TypeDef<Graph_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "what orders effects: an op that takes it comes behind the one that made it";
}

#endif
