// Masks that let each query see the keys up to its own place.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_CAUSAL_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_CAUSAL_H_

#include <optional>

#include "rewriting.h"

namespace tfrt::compiler::graph {

// Returns `offset` if the condition on scores [...,S,T] is true of row i and column j exactly where
// j <= i + offset. With `negated` it must be true exactly elsewhere. Nothing if it is another
// condition.
std::optional<int64_t> causalCondition(mlir::Value condition, bool negated, ValueFacts& facts);

// The same of what is added to scores: 0 there, and elsewhere numbers so low that no score counts.
std::optional<int64_t> causalSummand(mlir::Value summand, ValueFacts& facts);

// A number so low that no score beside it counts.
bool isMasking(double number);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_CAUSAL_H_
