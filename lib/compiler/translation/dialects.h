// The dialects of tfrt, for every tool that reads or writes MLIR.
#ifndef TFRT_LIB_COMPILER_TRANSLATION_DIALECTS_H_
#define TFRT_LIB_COMPILER_TRANSLATION_DIALECTS_H_

namespace mlir {
class DialectRegistry;
}  // namespace mlir

namespace tfrt::compiler {

// Registers the dialects of the folder dialects/, and func with the parts that the inliner needs.
// In the library tfrt::translation.
void registerAllTfrtDialects(mlir::DialectRegistry& registry);

// Registers the dialects of imported models and of their compiled form: graph, tfrt and func. In
// the library tfrt::graph_passes, which needs no other dialect.
void registerModelDialects(mlir::DialectRegistry& registry);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_TRANSLATION_DIALECTS_H_
