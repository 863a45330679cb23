// Rotary embeddings, in steps.

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Slices of the last dimension.
Value lastSlice(Node& node, Value value, int64_t begin, int64_t end, int64_t step) {
  auto rank = node.rank(value);
  if (!rank) return {};
  const int64_t others = (int64_t{1} << (*rank - 1)) - 1;
  const int64_t open_end = end < 0 ? others | int64_t{1} << (*rank - 1) : others;
  std::vector<int64_t> begins(*rank, 0), ends(*rank, 0), steps(*rank, 1);
  begins.back() = begin;
  ends.back() = end;
  steps.back() = step;
  return node.make(
      "strided_slice",
      {value, node.graph.integers(begins), node.graph.integers(ends), node.graph.integers(steps)},
      {node.graph.attribute("begin_mask", others), node.graph.attribute("end_mask", open_end)});
}

}  // namespace

// Pairs of the first dimensions of each head are turned by the angles of their position.
Value rotated(Node& node, Value value, const Rotation& rotation) {
  auto rank = value ? node.rank(value) : std::nullopt;
  Value cos = rotation.cos, sin = rotation.sin;
  if (!rank || !cos || !sin) {
    (void)node.fail("an input is left out");
    return {};
  }
  const bool flat = *rank == 3;
  if (flat && rotation.heads < 1) {
    (void)node.fail("there is no num_heads");
    return {};
  }
  Value x = flat ? transpose(node, inHeads(node, value, rotation.heads), {0, 2, 1, 3}) : value;
  if (rotation.positions) {
    cos = node.make("gather", {cos, rotation.positions, node.graph.integer(0)});
    sin = node.make("gather", {sin, rotation.positions, node.graph.integer(0)});
  }
  // [B,1,S,D/2]
  cos = expand(node, cos, {1});
  sin = expand(node, sin, {1});
  if (node.has_failed()) return {};
  int64_t turned = rotation.turned;
  const Dim depth = node.graph.typeOf(x).shape.dim(3);
  Value rest;
  if (turned != 0 && !depth.is(turned)) {
    rest = lastSlice(node, x, turned, -1, 1);
    x = lastSlice(node, x, 0, turned, 1);
  } else {
    if (!depth.is_known()) {
      (void)node.fail("the size of a head is not known");
      return {};
    }
    turned = depth.value();
  }
  Value a =
      rotation.interleaved ? lastSlice(node, x, 0, -1, 2) : lastSlice(node, x, 0, turned / 2, 1);
  Value b =
      rotation.interleaved ? lastSlice(node, x, 1, -1, 2) : lastSlice(node, x, turned / 2, -1, 1);
  auto mul = [&](Value left, Value right) { return node.make("mul", {left, right}); };
  Value real = node.make("sub", {mul(cos, a), mul(sin, b)});
  Value imaginary = node.make("add", {mul(sin, a), mul(cos, b)});
  Value result;
  if (rotation.interleaved) {
    result = concat(node, {expand(node, real, {4}), expand(node, imaginary, {4})}, 4);
    result = reshapeLike(node, result, x);
  } else {
    result = concat(node, {real, imaginary}, 3);
  }
  if (rest) result = concat(node, {result, rest}, 3);
  return flat ? reshapeLike(node, transpose(node, result, {0, 2, 1, 3}), value) : result;
}

namespace {

llvm::LogicalResult rotaryEmbedding(Node& node) {
  return node.give(rotated(node, node.input(0),
                           {.cos = node.input(1),
                            .sin = node.input(2),
                            .positions = node.input(3),
                            .heads = node.integer("num_heads", 0),
                            .turned = node.integer("rotary_embedding_dim", 0),
                            .interleaved = node.integer("interleaved", 0) != 0}));
}

constexpr NodeRow kRotaryRows[] = {
    {"RotaryEmbedding", 23, rotaryEmbedding, 3,
     "the size of a head must be known unless rotary_embedding_dim is given"},
};

}  // namespace

llvm::ArrayRef<NodeRow> rotaryRows() { return kRotaryRows; }

}  // namespace tfrt::compiler::import
