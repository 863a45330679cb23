// One function per pass on graphs, and per family of the patterns that some consist of.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_GRAPH_PASSES_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_GRAPH_PASSES_H_

#include <memory>

namespace mlir {
class Pass;
class RewritePatternSet;
}  // namespace mlir

namespace tfrt::compiler::graph {

class ValueFacts;

std::unique_ptr<mlir::Pass> createShapesPass();
std::unique_ptr<mlir::Pass> createCanonicalizePass(bool exact);
std::unique_ptr<mlir::Pass> createCsePass();
std::unique_ptr<mlir::Pass> createDeadCodePass();
std::unique_ptr<mlir::Pass> createFusePass(bool exact);
std::unique_ptr<mlir::Pass> createHoistInvariantsPass();
std::unique_ptr<mlir::Pass> createLayoutPass();
std::unique_ptr<mlir::Pass> createTapePass();
std::unique_ptr<mlir::Pass> createPackPass();

// Canonical forms. They keep what is rounded; those with `exact` the signs of zeros, too.
void addElementwiseForms(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact);
void addMovementForms(mlir::RewritePatternSet& patterns, ValueFacts& facts);

// Fusion. Those without `exact` change what is rounded.
void addEagerForms(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact);
void addActivationFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts);
void addNormFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts);
void addAttentionFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts);
void addPackedAttention(mlir::RewritePatternSet& patterns, ValueFacts& facts);
void addProductFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact);
void addConvolutionFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_GRAPH_PASSES_H_
