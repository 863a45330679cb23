// The dialects of tfrt, for every tool that reads or writes MLIR.
#ifndef TFRT_COMPILER_DIALECTS_H_
#define TFRT_COMPILER_DIALECTS_H_

namespace mlir {
class DialectRegistry;
}  // namespace mlir

namespace tfrt::compiler {

// The dialects of the folder dialects/, and func with what the inliner needs of it. In the library
// tfrt::translation.
void registerAllTfrtDialects(mlir::DialectRegistry& registry);

// Those of imported models and what they are compiled to: graph, tfrt and func. In the library
// tfrt::graph_passes, which needs no other dialect.
void registerModelDialects(mlir::DialectRegistry& registry);

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_DIALECTS_H_
