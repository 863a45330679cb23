// Attention and rotary embeddings, in steps: passes find what they have a kernel for.

#include <cmath>
#include <limits>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// [B,S,H*D] as [B,H,S,D].
Value splitHeads(Node& node, Value value, int64_t heads) {
  Value sizes = concat(
      node, {pieceOf(node, shapeOf(node, value), 0, 2), node.graph.integers({heads, -1})}, 0);
  return transpose(node, node.make("reshape", {value, sizes}), {0, 2, 1, 3});
}

// Heads that share one of the keys' and values' lie beside each other: [B,H,G,S,D].
Value grouped(Node& node, Value value, Value heads) {
  Value shape = shapeOf(node, value);
  Value sizes = concat(
      node,
      {pieceOf(node, shape, 0, 1), heads, node.graph.integers({-1}), pieceOf(node, shape, 2, 2)},
      0);
  return node.make("reshape", {value, sizes});
}

struct Heads {
  Value q, k, v;
  bool are_grouped = false;
};

// How far the keys reach beyond the queries: row i sees the keys up to i + offset.
Value causalOffset(Node& node, Value q) {
  if (node.input(4)) return sizeOf(node, node.input(4), 2);
  if (!node.input(6)) return node.graph.integer(0);
  Value lengths = node.make("sub", {wide(node, node.input(6)), sizeOf(node, q, 2)});
  return reshape(node, lengths, {-1, 1, 1, 1});
}

// 0 where a score counts, -inf elsewhere.
Value biasOf(Node& node, Value counts, Value like) {
  Value none = node.numberLike(like, -std::numeric_limits<double>::infinity());
  return node.make("select", {counts, node.numberLike(like, 0), none});
}

Value added(Node& node, Value bias, Value more) {
  return bias ? node.make("add", {bias, more}) : more;
}

// What is added to the scores; null for nothing.
Value scoreBias(Node& node, Value q, Value k) {
  Value bias, mask = node.input(3);
  auto number = [&](int64_t value) { return node.graph.integer(value); };
  Value num_keys = sizeOf(node, k, 2);
  if (mask) {
    auto rank = node.rank(mask);
    if (!rank || *rank == 0) return {};
    bool is_truth = node.elementOf(mask).isInteger(1);
    // Keys behind the mask's end do not count.
    const Dim width = node.graph.typeOf(mask).shape.dims().back();
    const Dim keys = node.graph.typeOf(k).shape.dim(2);
    if (!width.IsSameAs(keys)) {
      const auto last = static_cast<int64_t>(*rank) - 1;
      Value missing = node.make("sub", {num_keys, sizeOf(node, mask, *rank - 1)});
      Value row = concat(node, {node.graph.integers({0}), reshape(node, missing, {1})}, 0);
      row = reshape(node, row, {1, 2});
      if (last > 0) {
        Value zeros =
            reshape(node, node.graph.integers(std::vector<int64_t>(2 * last, 0)), {last, 2});
        row = concat(node, {zeros, row}, 0);
      }
      Value fill = node.numberLike(mask, is_truth ? 0 : -std::numeric_limits<double>::infinity());
      mask = node.make("pad_with", {mask, row, fill});
    }
    bias = is_truth ? biasOf(node, mask, q) : mask;
  }
  const bool causal = node.integer("is_causal", 0) != 0;
  const int64_t left = node.integer("left_window_size", -1);
  const int64_t right = node.integer("right_window_size", -1);
  if (causal || left >= 0 || right >= 0) {
    Value rows = reshape(node, range(node, sizeOf(node, q, 2)), {-1, 1});
    // How far behind the query a key is.
    Value behind =
        node.make("sub", {node.make("add", {rows, causalOffset(node, q)}), range(node, num_keys)});
    if (causal) {
      bias = added(node, bias, biasOf(node, node.make("greater_equal", {behind, number(0)}), q));
    }
    if (left >= 0) {
      bias = added(node, bias, biasOf(node, node.make("less_equal", {behind, number(left)}), q));
    }
    if (right >= 0) {
      bias =
          added(node, bias, biasOf(node, node.make("greater_equal", {behind, number(-right)}), q));
    }
  }
  if (node.input(6)) {
    Value lengths = reshape(node, wide(node, node.input(6)), {-1, 1, 1, 1});
    Value counts = node.make("less", {range(node, num_keys), lengths});
    bias = added(node, bias, biasOf(node, counts, q));
  }
  return bias;
}

// Softmax whose rows without a key are 0. Of the bias, not of the scores, which may be NaN there.
Value guardedSoftmax(Node& node, Value scores, Value bias) {
  Value softmax = node.make("softmax", {scores});
  if (!bias) return softmax;
  Value largest = reduce(node, "reduce_max", bias, {-1}, true);
  Value none = node.make(
      "equal", {largest, node.numberLike(largest, -std::numeric_limits<double>::infinity())});
  return node.make("select", {none, node.numberLike(softmax, 0), softmax});
}

// In groups of heads, as [B,H,S,T], and back.
Value ungrouped(Node& node, Value value, const Heads& heads) {
  if (!heads.are_grouped) return value;
  Value shape = shapeOf(node, value);
  Value sizes = concat(
      node, {pieceOf(node, shape, 0, 1), node.graph.integers({-1}), pieceOf(node, shape, 3, 2)}, 0);
  return node.make("reshape", {value, sizes});
}

llvm::LogicalResult attention(Node& node) {
  graph::GraphBuilder& graph = node.graph;
  Value q = node.input(0), k = node.input(1), v = node.input(2);
  auto rank = q ? node.rank(q) : std::nullopt;
  if (!rank || !k || !v) return mlir::failure();
  if (*rank != 3 && *rank != 4) return node.fail("the inputs are of rank " + llvm::Twine(*rank));
  const mlir::Type element = node.elementOf(q);
  if (*rank == 3) {
    int64_t q_heads = node.integer("q_num_heads", 0), kv_heads = node.integer("kv_num_heads", 0);
    if (q_heads < 1 || kv_heads < 1) return node.fail("there are no numbers of heads");
    q = splitHeads(node, q, q_heads);
    k = splitHeads(node, k, kv_heads);
    v = splitHeads(node, v, kv_heads);
  }
  if (node.input(4)) k = concat(node, {node.input(4), k}, 2);
  if (node.input(5)) v = concat(node, {node.input(5), v}, 2);
  Value present_k = k, present_v = v;
  if (node.has_failed()) return mlir::failure();

  // Half of the scale for each factor, so that their products do not overflow.
  Value scale;
  const Dim depth = graph.typeOf(q).shape.dim(3);
  if (node.has("scale")) {
    scale = node.numberLike(q, std::sqrt(node.number("scale", 1)));
  } else if (depth.is_known()) {
    scale = node.numberLike(q, std::pow(static_cast<double>(depth.value()), -0.25));
  } else {
    Value root = node.make("sqrt", {cast(node, sizeOf(node, q, 3), element)});
    scale = node.make("rsqrt", {root});
  }
  const Dim q_heads = graph.typeOf(q).shape.dim(1), kv_heads = graph.typeOf(k).shape.dim(1);
  Heads heads{q, k, v, !q_heads.IsSameAs(kv_heads)};
  if (heads.are_grouped) {
    Value count = pieceOf(node, shapeOf(node, k), 1, 1);
    heads.q = grouped(node, q, count);
    heads.k = expand(node, k, {2});
    heads.v = expand(node, v, {2});
  }
  Value bias = scoreBias(node, q, k);
  Value scores = node.make("batch_matmul",
                           {node.make("mul", {heads.q, scale}), node.make("mul", {heads.k, scale})},
                           {graph.attribute("transpose_b", true)});
  scores = ungrouped(node, scores, heads);
  const float cap = node.number("softcap", 0);
  const int64_t shown = node.integer("qk_matmul_output_mode", 0);
  Value shown_scores = scores;
  if (cap > 0) {
    Value bound = node.numberLike(scores, cap);
    scores = node.make("mul", {node.make("tanh", {node.make("div", {scores, bound})}), bound});
  }
  if (cap > 0) shown_scores = scores;
  if (bias) scores = node.make("add", {scores, bias});
  if (shown == 2) shown_scores = scores;
  Value wide_scores = scores;
  if (node.has("softmax_precision")) {
    auto type = static_cast<onnx::DataType>(node.integer("softmax_precision", 1));
    mlir::Type precise = graph::elementType(onnx::DTypeOf(type), graph.context());
    if (!precise) return node.fail("no softmax in " + onnx::DataTypeName(type));
    wide_scores = cast(node, scores, precise);
  }
  Value weights = cast(node, guardedSoftmax(node, wide_scores, bias), element);
  if (shown == 3) shown_scores = weights;
  if (heads.are_grouped) weights = grouped(node, weights, pieceOf(node, shapeOf(node, k), 1, 1));
  Value result = ungrouped(node, node.make("batch_matmul", {weights, heads.v}), heads);
  if (*rank == 3) {
    result = transpose(node, result, {0, 2, 1, 3});
    Value sizes =
        concat(node, {pieceOf(node, shapeOf(node, result), 0, 2), graph.integers({-1})}, 0);
    result = node.make("reshape", {result, sizes});
  }
  node.outputs.append({result, present_k, present_v, shown_scores});
  return mlir::success(!node.has_failed());
}

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

// Pairs of the first dimensions of each head are turned by the angles of their position.
llvm::LogicalResult rotaryEmbedding(Node& node) {
  Value value = node.input(0), cos = node.input(1), sin = node.input(2);
  auto rank = value ? node.rank(value) : std::nullopt;
  if (!rank || !cos || !sin) return node.fail("an input is left out");
  const bool flat = *rank == 3;
  const int64_t heads = node.integer("num_heads", 0);
  if (flat && heads < 1) return node.fail("there is no num_heads");
  Value x = flat ? splitHeads(node, value, heads) : value;
  if (node.input(3)) {
    cos = node.make("gather", {cos, node.input(3), node.graph.integer(0)});
    sin = node.make("gather", {sin, node.input(3), node.graph.integer(0)});
  }
  // [B,1,S,D/2]
  cos = expand(node, cos, {1});
  sin = expand(node, sin, {1});
  if (node.has_failed()) return mlir::failure();
  int64_t turned = node.integer("rotary_embedding_dim", 0);
  const Dim depth = node.graph.typeOf(x).shape.dim(3);
  Value rest;
  if (turned != 0 && !depth.is(turned)) {
    rest = lastSlice(node, x, turned, -1, 1);
    x = lastSlice(node, x, 0, turned, 1);
  } else {
    if (!depth.is_known()) return node.fail("the size of a head is not known");
    turned = depth.value();
  }
  const bool interleaved = node.integer("interleaved", 0) != 0;
  Value a = interleaved ? lastSlice(node, x, 0, -1, 2) : lastSlice(node, x, 0, turned / 2, 1);
  Value b = interleaved ? lastSlice(node, x, 1, -1, 2) : lastSlice(node, x, turned / 2, -1, 1);
  auto mul = [&](Value left, Value right) { return node.make("mul", {left, right}); };
  Value real = node.make("sub", {mul(cos, a), mul(sin, b)});
  Value imaginary = node.make("add", {mul(sin, a), mul(cos, b)});
  Value result;
  if (interleaved) {
    result = concat(node, {expand(node, real, {4}), expand(node, imaginary, {4})}, 4);
    result = reshapeLike(node, result, x);
  } else {
    result = concat(node, {real, imaginary}, 3);
  }
  if (rest) result = concat(node, {result, rest}, 3);
  if (flat) result = reshapeLike(node, transpose(node, result, {0, 2, 1, 3}), value);
  return node.give(result);
}

constexpr NodeRow kRows[] = {
    {"Attention", 23, attention},
    {"RotaryEmbedding", 23, rotaryEmbedding,
     "the size of a head must be known unless rotary_embedding_dim is given"}};

}  // namespace

llvm::ArrayRef<NodeRow> attentionRows() { return kRows; }

}  // namespace tfrt::compiler::import
