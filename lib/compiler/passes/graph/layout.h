// Permutations between images [N,C,X...] and [N,X...,C].
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_LAYOUT_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_LAYOUT_H_

#include <numeric>
#include <vector>

#include "rewriting.h"

namespace tfrt::compiler::graph {

// Returns the permutation from [N,C,X...] to [N,X...,C]; the next function returns the inverse.
inline std::vector<int64_t> channelsToLast(size_t rank) {
  std::vector<int64_t> permutation(rank);
  std::iota(permutation.begin(), permutation.end(), 1);
  permutation.front() = 0;
  permutation.back() = 1;
  return permutation;
}
inline std::vector<int64_t> channelsToFirst(size_t rank) {
  std::vector<int64_t> permutation(rank);
  std::iota(permutation.begin(), permutation.end(), -1);
  permutation[0] = 0;
  permutation[1] = static_cast<int64_t>(rank) - 1;
  return permutation;
}

// Returns the images [N,X...,C] that a transpose turns into the value [N,C,X...]; null if there is
// no such transpose. For rank 3 it accepts only transposes of the layout pass itself: matrices that
// a program transposes look the same.
mlir::Value lastOf(mlir::Value value, ValueFacts& facts);

// Finishes with the images, turned.
llvm::LogicalResult finishTurned(Replacement& make, mlir::Value last, size_t rank);

// Ops on the result of such a transpose, which comes behind them.
void addTransposeSinking(mlir::RewritePatternSet& patterns, ValueFacts& facts);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_LAYOUT_H_
