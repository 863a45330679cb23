// Layers that carry a state from step to step, which is also an input and an output.

#include <cmath>
#include <limits>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

Value zeros(Node& node, llvm::ArrayRef<Value> sizes, mlir::Type element) {
  return node.make("fill", {concat(node, sizes, 0), node.graph.number(element, 0)});
}

// A convolution of each channel with the steps before, [batch,channels,steps]; the state is as many
// steps as the filter reaches back.
llvm::LogicalResult causalConv(Node& node) {
  Value input = node.input(0), filter = node.input(1), past = node.input(3);
  auto rank = node.rank(input), filter_rank = node.rank(filter);
  if (!rank || !filter_rank) return mlir::failure();
  if (*rank != 3 || *filter_rank != 3) {
    return node.fail("input and weight are of ranks " + llvm::Twine(*rank) + " and " +
                     llvm::Twine(*filter_rank) + ", expected 3");
  }
  const std::string activation = node.text("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish") {
    return node.fail("unknown activation '" + activation + "'");
  }
  const SymbolicShape shape = node.graph.typeOf(filter).shape;
  if (!shape.dim(0).is_known() || !shape.dim(2).is_known() || shape.dim(2).value() < 1) {
    return node.fail("the sizes of the weight are not known");
  }
  if (!past) {
    past = zeros(node,
                 {pieceOf(node, shapeOf(node, input), 0, 2),
                  node.graph.integers({shape.dim(2).value() - 1})},
                 node.elementOf(input));
  }
  Value steps = concat(node, {past, input}, 2);
  Value result = node.make("conv", {steps, filter, node.input(2)},
                           {node.graph.attribute("groups", shape.dim(0).value())});
  if (activation != "none") {
    result = node.make("swish", {result}, {node.graph.attribute("alpha", 1.0F)});
  }
  Value begin =
      concat(node, {node.graph.integers({0, 0}), pieceOf(node, shapeOf(node, input), 2, 1)}, 0);
  Value present = node.make("slice", {steps, begin, node.graph.integers({-1, -1, -1})});
  node.outputs.append({result, present});
  return mlir::success(!node.has_failed());
}

// [B,T,heads*D] as [B,T,sizes...], of which one may be -1.
Value unpacked(Node& node, Value value, llvm::ArrayRef<int64_t> sizes) {
  Value rows = pieceOf(node, shapeOf(node, value), 0, 2);
  return node.make("reshape", {value, concat(node, {rows, node.graph.integers(sizes)}, 0)});
}

// The inputs of linear attention as its steps read them, in f32: all are [B,T,heads,...].
struct Steps {
  Value q, k, v, decay, beta;
};

// One step: the new state [B,H,dk,dv] and what the queries read of it.
llvm::LogicalResult linearStep(Node& node, const Steps& steps, Value at, Value state,
                               llvm::SmallVectorImpl<Value>& results) {
  auto step = [&](Value values) {
    return node.make("gather", {values, at, node.graph.integer(1)});
  };
  auto mul = [&](Value a, Value b) { return node.make("mul", {a, b}); };
  Value k = step(steps.k);
  Value update = expand(node, step(steps.v), {2});
  if (steps.decay) {
    state = mul(state, expand(node, node.make("exp", {step(steps.decay)}), {3}));
  }
  if (steps.beta) {
    Value known = node.make("batch_matmul", {expand(node, k, {2}), state});
    update = mul(expand(node, step(steps.beta), {3}), node.make("sub", {update, known}));
  }
  state = node.make("add", {state, mul(expand(node, k, {3}), update)});
  results.append({state, node.make("batch_matmul", {step(steps.q), state})});
  return mlir::success(!node.has_failed());
}

// Whether the rule's inputs are there: decay and beta.
llvm::LogicalResult checkRule(Node& node, llvm::StringRef rule) {
  constexpr llvm::StringRef kRules[] = {"linear", "gated", "delta", "gated_delta"};
  if (!llvm::is_contained(kRules, rule)) {
    return node.fail("unknown update_rule '" + rule + "'");
  }
  const bool wants[] = {rule.starts_with("gated"), rule.ends_with("delta")};
  constexpr llvm::StringRef kNames[] = {"decay", "beta"};
  for (size_t i = 0; i < 2; ++i) {
    if (wants[i] == (node.input(4 + i) != nullptr)) continue;
    return node.fail(kNames[i] + (wants[i] ? " is left out" : " is not used") +
                     " by the update_rule '" + rule + "'");
  }
  return mlir::success();
}

llvm::LogicalResult linearAttention(Node& node) {
  const int64_t q_heads = node.integer("q_num_heads", 0), heads = node.integer("kv_num_heads", 0);
  if (heads < 1 || q_heads < 1 || q_heads % heads != 0) {
    return node.fail(llvm::Twine(q_heads) + " heads of queries are not for " + llvm::Twine(heads) +
                     " heads of keys");
  }
  if (mlir::failed(checkRule(node, node.text("update_rule", "gated_delta")))) {
    return mlir::failure();
  }
  for (size_t i : {0, 1, 2, 4, 5}) {
    auto rank = node.input(i) ? node.rank(node.input(i)) : 3;
    if (!rank) return mlir::failure();
    if (*rank != 3) {
      return node.fail("input " + llvm::Twine(i) + " is of rank " + llvm::Twine(*rank) +
                       ", expected 3");
    }
  }
  const Dim hidden = node.graph.typeOf(node.input(0)).shape.dim(2);
  if (!hidden.is_known() || hidden.value() % q_heads != 0) {
    return node.fail("the size of a head is not known");
  }
  const int64_t depth = hidden.value() / q_heads;
  const mlir::Type f32 = node.graph.builder().getF32Type(), element = node.elementOf(node.input(0));
  auto wideInput = [&](size_t i) { return cast(node, node.input(i), f32); };
  float scale = node.number("scale", 0);
  if (scale == 0) scale = static_cast<float>(1 / std::sqrt(static_cast<double>(depth)));
  Value q = node.make("mul", {wideInput(0), node.graph.number(f32, scale)});
  Steps steps = {.q = unpacked(node, q, {heads, q_heads / heads, depth}),
                 .k = unpacked(node, wideInput(1), {heads, depth}),
                 .v = unpacked(node, wideInput(2), {heads, -1}),
                 .decay = node.input(4) ? unpacked(node, wideInput(4), {heads, -1}) : Value(),
                 .beta = node.input(5) ? expand(node, wideInput(5), {3}) : Value()};
  if (node.has_failed()) return mlir::failure();
  Value state = node.input(3) ? wideInput(3)
                              : zeros(node,
                                      {pieceOf(node, shapeOf(node, steps.k), 0, 1),
                                       pieceOf(node, shapeOf(node, steps.k), 2, 2),
                                       pieceOf(node, shapeOf(node, steps.v), 3, 1)},
                                      f32);
  if (!state) return mlir::failure();
  auto body = [&](llvm::ArrayRef<Value> arguments, llvm::SmallVectorImpl<Value>& values) {
    values.push_back(arguments[1]);
    return linearStep(node, steps, arguments[0], arguments[2], values);
  };
  mlir::Operation* loop =
      node.graph.createLoop(sizeOf(node, node.input(0), 1), {}, {state}, body,
                            [&] { return node.fail("the state changes its type"); });
  if (!loop) return mlir::failure();
  Value result = transpose(node, loop->getResult(1), {1, 0, 2, 3, 4});
  result = unpacked(node, result, {-1});
  node.outputs.append({cast(node, result, element), cast(node, loop->getResult(0), element)});
  return mlir::success(!node.has_failed());
}

// The carried product goes along the axis, which is in front meanwhile.
llvm::LogicalResult cumulativeProduct(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  if (!rank) return mlir::failure();
  if (*rank == 0) return node.fail("the input is a scalar");
  const AxisMoves moves = movesOfAxis(node, reshape(node, wide(node, node.input(1)), {}), *rank, 0);
  value = node.make("transpose", {value, moves.there});
  const bool reverse = node.integer("reverse", 0) != 0;
  const bool exclusive = node.integer("exclusive", 0) != 0;
  auto reversed = [&](Value values) {
    if (!reverse) return values;
    return node.make("strided_slice", {values, node.graph.integers({-1}),
                                       node.graph.integers({std::numeric_limits<int64_t>::min()}),
                                       node.graph.integers({-1})});
  };
  value = reversed(value);
  if (!value) return mlir::failure();
  Value row = pieceOf(node, shapeOf(node, value), 1, static_cast<int64_t>(*rank) - 1);
  Value one = node.make("fill", {row, node.numberLike(value, 1)});
  auto body = [&](llvm::ArrayRef<Value> arguments, llvm::SmallVectorImpl<Value>& values) {
    Value step = node.make("gather", {value, arguments[0], node.graph.integer(0)});
    Value product = node.make("mul", {arguments[2], step});
    values.append({arguments[1], product, exclusive ? arguments[2] : product});
    return mlir::success(!node.has_failed());
  };
  mlir::Operation* loop =
      one ? node.graph.createLoop(sizeOf(node, value, 0), {}, {one}, body,
                                  [&] { return node.fail("the product changes its type"); })
          : nullptr;
  if (!loop) return mlir::failure();
  return node.give(node.make("transpose", {reversed(loop->getResult(1)), moves.back}));
}

constexpr NodeRow kStateRows[] = {
    {"CausalConvWithState", 27, causalConv, 2, "the sizes of the weight must be known"},
    {"CumProd", 26, cumulativeProduct, 2},
    {"LinearAttention", 27, linearAttention, 3, "the size of a head must be known"},
};

}  // namespace

llvm::ArrayRef<NodeRow> stateRows() { return kStateRows; }

}  // namespace tfrt::compiler::import
