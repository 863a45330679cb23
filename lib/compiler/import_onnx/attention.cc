// Attention: as one op of the table, or in steps.

#include <cmath>
#include <limits>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Heads before steps, or the other way round.
Value swapHeads(Node& node, Value value) { return transpose(node, value, {0, 2, 1, 3}); }

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

// Returns the value that is added to the scores; null for none.
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

// Makes a softmax whose rows without a key are 0. Such rows are found in the bias, not in the
// scores, which may be NaN there.
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

// The attributes of the table's op for the node, whose keys may have those of the past in front.
// Nothing if the node asks for more than the op does.
std::optional<llvm::SmallVector<mlir::NamedAttribute>> attributesOfOp(Node& node, Value q, Value k,
                                                                      bool heads_last) {
  const mlir::Type element = node.elementOf(q);
  const size_t steps = heads_last ? 1 : 2;
  const ValueType queries = node.graph.typeOf(q), keys = node.graph.typeOf(k);
  // The op's softmax is of f32.
  const bool is_precise = element.isF32() || element.isF16() || element.isBF16();
  const auto precision = static_cast<onnx::DataType>(node.integer("softmax_precision", 1));
  if (!is_precise || precision != onnx::DataType::kFloat) return std::nullopt;
  if (node.number("softcap", 0) > 0 || node.has_output(3) || node.input(6) ||
      node.integer("left_window_size", -1) >= 0 || node.integer("right_window_size", -1) >= 0) {
    return std::nullopt;
  }
  if (Value mask = node.input(3)) {
    const mlir::Type mask_element = node.elementOf(mask);
    const ValueType type = node.graph.typeOf(mask);
    if (mask_element != element && !mask_element.isInteger(1)) return std::nullopt;
    if (!type.shape.has_rank() || type.shape.rank() == 0) return std::nullopt;
    if (!type.shape.dims().back().IsSameAs(keys.shape.dim(steps))) return std::nullopt;
  }
  const Dim depth = queries.shape.dim(3);
  if (!node.has("scale") && !depth.is_known()) return std::nullopt;
  const float scale = node.has("scale")
                          ? node.number("scale", 1)
                          : static_cast<float>(1 / std::sqrt(static_cast<double>(depth.value())));
  const bool causal = node.integer("is_causal", 0) != 0;
  // With a past the queries are the last ones, if there are as many as keys that are new.
  const bool has_past = node.input(4) != nullptr;
  if (causal && has_past) {
    const ValueType fresh = node.graph.typeOf(node.input(1));
    const size_t at = fresh.shape.rank() == 3 ? 1 : 2;
    if (!fresh.shape.dim(at).IsSameAs(queries.shape.dim(steps))) return std::nullopt;
  }
  return llvm::SmallVector<mlir::NamedAttribute>{
      node.graph.attribute("causal", causal),
      node.graph.attribute("causal_at_end", causal && has_past),
      node.graph.attribute("layout", heads_last ? "bshd" : "bhsd"),
      node.graph.attribute("masked_rows_are_zero", true), node.graph.attribute("scale", scale)};
}

// Scores, their softmax and its product with the values, one after the other; outputs as ONNX has
// them.
llvm::LogicalResult attentionInSteps(Node& node, Value q, Value k, Value v, Value& result,
                                     Value& shown_scores) {
  graph::GraphBuilder& graph = node.graph;
  const mlir::Type element = node.elementOf(q);
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
  shown_scores = scores;
  if (cap > 0) {
    Value bound = node.numberLike(scores, cap);
    scores = node.make("mul", {node.make("tanh", {node.make("div", {scores, bound})}), bound});
  }
  if (cap > 0) shown_scores = scores;
  if (bias) scores = node.make("add", {scores, bias});
  if (shown == 2) shown_scores = scores;
  Value wide_scores = scores;
  if (node.has("softmax_precision")) {
    wide_scores =
        cast(node, scores,
             node.elementNamed("softmax_precision", onnx::DataType::kFloat, "no softmax in "));
    if (!wide_scores) return mlir::failure();
  }
  Value weights = cast(node, guardedSoftmax(node, wide_scores, bias), element);
  if (shown == 3) shown_scores = weights;
  if (heads.are_grouped) weights = grouped(node, weights, pieceOf(node, shapeOf(node, k), 1, 1));
  result = ungrouped(node, node.make("batch_matmul", {weights, heads.v}), heads);
  return mlir::success(!node.has_failed());
}

llvm::LogicalResult attention(Node& node) {
  Value q = node.input(0), k = node.input(1), v = node.input(2);
  auto rank = q ? node.rank(q) : std::nullopt;
  if (!rank || !k || !v) return mlir::failure();
  if (*rank != 3 && *rank != 4) return node.fail("the inputs are of rank " + llvm::Twine(*rank));
  for (size_t i : {1, 2, 4, 5}) {
    const size_t wanted = i < 3 ? *rank : 4;
    auto found = node.input(i) ? node.rank(node.input(i)) : wanted;
    if (!found) return mlir::failure();
    if (*found != wanted) {
      return node.fail("input " + llvm::Twine(i) + " is of rank " + llvm::Twine(*found) +
                       ", expected " + llvm::Twine(wanted));
    }
  }
  const bool is_flat = *rank == 3;
  if (is_flat) {
    int64_t q_heads = node.integer("q_num_heads", 0), kv_heads = node.integer("kv_num_heads", 0);
    if (q_heads < 1 || kv_heads < 1) return node.fail("there are no numbers of heads");
    q = inHeads(node, q, q_heads);
    k = inHeads(node, k, kv_heads);
    v = inHeads(node, v, kv_heads);
  }
  if (node.has_failed()) return mlir::failure();
  // Nothing needs heads before steps but what ONNX has so, and what is computed in steps.
  bool heads_last = is_flat && !node.input(4) && !node.input(5) && !node.has_output(1) &&
                    !node.has_output(2) && attributesOfOp(node, q, k, true);
  if (is_flat && !heads_last) {
    for (Value* each : {&q, &k, &v}) *each = swapHeads(node, *each);
  }
  if (node.input(4)) k = concat(node, {node.input(4), k}, 2);
  if (node.input(5)) v = concat(node, {node.input(5), v}, 2);
  if (node.has_failed()) return mlir::failure();
  Value result, shown_scores;
  if (auto attributes = attributesOfOp(node, q, k, heads_last)) {
    result = node.make("attention", {q, k, v, node.input(3)}, *attributes);
  } else if (mlir::failed(attentionInSteps(node, q, k, v, result, shown_scores))) {
    return mlir::failure();
  }
  if (is_flat) {
    if (!heads_last) result = swapHeads(node, result);
    Value sizes =
        concat(node, {pieceOf(node, shapeOf(node, result), 0, 2), node.graph.integers({-1})}, 0);
    result = node.make("reshape", {result, sizes});
  }
  node.outputs.append({result, k, v, shown_scores});
  return mlir::success(!node.has_failed());
}

constexpr NodeRow kAttentionRows[] = {
    {"Attention", 23, attention, 3},
};

}  // namespace

llvm::ArrayRef<NodeRow> attentionRows() { return kAttentionRows; }

}  // namespace tfrt::compiler::import
