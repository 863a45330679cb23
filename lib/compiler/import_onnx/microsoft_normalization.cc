// Normalisations of the domain com.microsoft, which add up what they normalise.

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

mlir::NamedAttribute epsilonOf(Node& node) { return Attr{"epsilon", 1e-12f}.of(node); }

// Over the last dimension. Without an offset it is 0.
Value normalized(Node& node, Value value, Value scale, Value offset) {
  if (!offset) {
    offset = node.make("broadcast_to", {node.numberLike(scale, 0), shapeOf(node, scale)});
  }
  return node.make("layer_norm", {value, scale, offset}, {epsilonOf(node)});
}

// Failure if an output is wanted that only training needs: the mean and the deviation.
llvm::LogicalResult noStatistics(Node& node) {
  for (size_t i : {1, 2}) {
    if (node.has_output(i)) return node.fail("output " + llvm::Twine(i) + " is not supported");
  }
  return mlir::success();
}

// The sum of input, skip and bias. The skip may have fewer batches.
Value skipped(Node& node, size_t bias) {
  Value sum = node.make("add", {node.input(0), node.input(1)});
  return node.input(bias) ? node.make("add", {sum, node.input(bias)}) : sum;
}

llvm::LogicalResult skipLayerNormalization(Node& node) {
  if (mlir::failed(noStatistics(node))) return mlir::failure();
  Value sum = skipped(node, 4);
  Value result = normalized(node, sum, node.input(2), node.input(3));
  node.outputs.append({result, Value(), Value(), sum});
  return mlir::success(!node.has_failed());
}

llvm::LogicalResult skipSimplifiedLayerNormalization(Node& node) {
  if (mlir::failed(noStatistics(node))) return mlir::failure();
  Value sum = skipped(node, 3);
  Value result = node.make("rms_norm", {sum, node.input(2)}, {epsilonOf(node)});
  node.outputs.append({result, Value(), Value(), sum});
  return mlir::success(!node.has_failed());
}

// Rows of a table, by numbers.
Value looked(Node& node, Value table, Value places) {
  return node.make("gather", {table, places, node.graph.integer(0)});
}

// The sum of the embeddings of words, positions and segments.
llvm::LogicalResult embedLayerNormalization(Node& node) {
  Value ids = node.input(0), segments = node.input(1), mask = node.input(7);
  auto rank = node.rank(ids);
  if (!rank) return mlir::failure();
  if (*rank != 2) return node.fail("input_ids is of rank " + llvm::Twine(*rank) + ", expected 2");
  for (size_t i : {2, 3, 5, 6}) {
    if (!node.input(i)) return node.fail("input " + llvm::Twine(i) + " is left out");
  }
  if ((segments != nullptr) != (node.input(4) != nullptr)) {
    return node.fail("one of segment_ids and segment_embedding is left out");
  }
  Value positions = node.input(8) ? node.input(8) : range(node, sizeOf(node, ids, 1));
  Value sum =
      node.make("add", {looked(node, node.input(2), ids), looked(node, node.input(3), positions)});
  if (segments) sum = node.make("add", {sum, looked(node, node.input(4), segments)});
  Value result = normalized(node, sum, node.input(5), node.input(6));
  // The number of ones in each row of the mask.
  const mlir::Type i32 = node.graph.builder().getI32Type();
  Value counts;
  if (node.has_output(1)) {
    Value like = mask ? mask : ids;
    Value ones = node.make("equal", {like, node.numberLike(like, 1)});
    counts = reduce(node, "reduce_sum", cast(node, ones, i32), {1}, false);
    if (!mask) counts = node.make("mul", {counts, node.graph.number(i32, 0)});
  }
  node.outputs.append({result, counts, sum});
  return mlir::success(!node.has_failed());
}

constexpr NodeRow kMicrosoftNormalizationRows[] = {
    {"EmbedLayerNormalization", 1, embedLayerNormalization, 1},
    {"SkipLayerNormalization", 1, skipLayerNormalization, 3, "not mean and deviation as results"},
    {"SkipSimplifiedLayerNormalization", 1, skipSimplifiedLayerNormalization, 3,
     "not mean and deviation as results"},
};

}  // namespace

llvm::ArrayRef<NodeRow> microsoftNormalizationRows() { return kMicrosoftNormalizationRows; }

}  // namespace tfrt::compiler::import
