// The passes on graphs (graph_passes.td), and a function for each family of the patterns that some
// consist of.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_GRAPH_PASSES_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_GRAPH_PASSES_H_

#include <memory>
#include <string>

namespace mlir {
class Pass;
class RewritePatternSet;
}  // namespace mlir

namespace tfrt::compiler::graph {

class ValueFacts;

// create...Pass, with the options of the pass.
#define GEN_PASS_DECL
#include "lib/compiler/graph_passes.h.inc"

// Canonical forms. They keep what is rounded; those with `exact` the signs of zeros, too.
void addElementwiseForms(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact);
void addMovementForms(mlir::RewritePatternSet& patterns, ValueFacts& facts);
void addQuantizedForms(mlir::RewritePatternSet& patterns, ValueFacts& facts);

// Fusion. Those without `exact` change what is rounded.
void addEagerForms(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact);
void addActivationFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts);
void addNormFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts);
void addAttentionFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts);
void addPackedAttention(mlir::RewritePatternSet& patterns, ValueFacts& facts);
void addProductFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact);
void addConvolutionFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact);
void addQuantizedFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_GRAPH_PASSES_H_
