// Attention of the domain com.microsoft, whose scores get a number added where keys are masked.

#include <cmath>
#include <string>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Part of the last of three dimensions.
Value columns(Node& node, Value value, int64_t begin, int64_t size) {
  return node.make(
      "slice", {value, node.graph.integers({0, 0, begin}), node.graph.integers({-1, -1, size})});
}

// The layer's attributes that all of these ops have. Failure for those that are not supported.
struct HeadOptions {
  int64_t heads = 0;
  bool causal = false;
  float filter = 0;  // what scores of masked keys get
};

llvm::LogicalResult readOptions(Node& node, HeadOptions& options) {
  options.heads = node.integer("num_heads", 0);
  options.causal = node.integer("unidirectional", 0) != 0;
  options.filter = node.number("mask_filter_value", -10000);
  if (node.has_failed()) return mlir::failure();
  if (options.heads < 1) {
    return node.fail("num_heads is " + llvm::Twine(options.heads) + ", expected 1 or more");
  }
  for (llvm::StringRef name : {"do_rotary", "past_present_share_buffer"}) {
    if (node.integer(name, 0) != 0) return node.fail(name + " is not supported");
  }
  return mlir::success(!node.has_failed());
}

// 0 where the condition holds, and the filter's number elsewhere.
Value biasWhere(Node& node, Value condition, Value like, float filter) {
  return node.make("select", {condition, node.numberLike(like, 0), node.numberLike(like, filter)});
}

// A mask as the summand of scores [B,N,S,T]: lengths [B], ends and starts [2B], or numbers [B,T] or
// [B,S,T] that are 0 where keys are masked.
Value maskBias(Node& node, Value mask, Value like, Dim batch, Value num_keys, float filter) {
  auto rank = node.rank(mask);
  if (!rank) return {};
  mask = wide(node, mask);
  if (*rank == 2 || *rank == 3) {
    Value keeps = node.make("greater", {mask, node.graph.integer(0)});
    keeps = *rank == 2 ? expand(node, keeps, {1, 1}) : expand(node, keeps, {1});
    return biasWhere(node, keeps, like, filter);
  }
  const SymbolicShape shape = node.graph.typeOf(mask).shape;
  const bool has_starts =
      *rank == 1 && batch.is_known() && batch.value() > 0 && shape.dim(0).is(2 * batch.value());
  if (*rank != 1 || (!has_starts && !shape.dim(0).IsSameAs(batch))) {
    (void)node.fail("the mask has the shape " + shape.ToString() +
                    ", expected [batch], [2 * batch], [batch, keys] or [batch, queries, keys]");
    return {};
  }
  Value places = range(node, num_keys);
  auto bounds = [&](int64_t begin) {
    Value part = has_starts ? pieceOf(node, mask, begin, batch.value()) : mask;
    return reshape(node, part, {-1, 1, 1, 1});
  };
  Value keeps = node.make("less", {places, bounds(0)});
  if (has_starts) {
    Value started = node.make("greater_equal", {places, bounds(batch.value())});
    keeps = node.make("logical_and", {keeps, started});
  }
  return biasWhere(node, keeps, like, filter);
}

// Queries, keys and values, [B,S,N,H] or [B,N,S,H].
struct HeadLayer {
  Value q, k, v;
  bool heads_last = true;
};

// The result as [B,S,N*H]; `bias` is added to scores, and may be null.
Value attended(Node& node, const HeadLayer& layer, const HeadOptions& options, Value bias,
               bool has_past) {
  if (node.has_failed()) return {};
  const Dim depth = node.graph.typeOf(layer.q).shape.dim(3);
  float scale = node.number("scale", 0);
  if (scale == 0) {
    if (!depth.is_known()) {
      (void)node.fail("the size of a head is not known");
      return {};
    }
    scale = static_cast<float>(1 / std::sqrt(static_cast<double>(depth.value())));
  }
  Value result = node.make(
      "attention", {layer.q, layer.k, layer.v, bias},
      {node.graph.attribute("causal", options.causal),
       node.graph.attribute("causal_at_end", options.causal && has_past),
       node.graph.attribute("layout", layer.heads_last ? "bshd" : "bhsd"),
       node.graph.attribute("masked_rows_are_zero", false), node.graph.attribute("scale", scale)});
  if (!layer.heads_last) result = transpose(node, result, {0, 2, 1, 3});
  Value rows = pieceOf(node, shapeOf(node, result), 0, 2);
  return node.make("reshape", {result, concat(node, {rows, node.graph.integers({-1})}, 0)});
}

// [B,S,N,H] as [B,N,S,H].
void headsFirst(Node& node, HeadLayer& layer) {
  if (!layer.heads_last) return;
  for (Value* each : {&layer.q, &layer.k, &layer.v}) {
    *each = transpose(node, *each, {0, 2, 1, 3});
  }
  layer.heads_last = false;
}

// Attention of one input with itself, given its product with the weights of queries, keys and
// values. The inputs that follow are at these places.
llvm::LogicalResult selfAttention(Node& node, Value packed, const std::vector<int64_t>& sizes,
                                  size_t mask, size_t past, size_t score_bias) {
  HeadOptions options;
  if (mlir::failed(readOptions(node, options))) return mlir::failure();
  auto rank = node.rank(packed);
  if (!rank) return mlir::failure();
  if (*rank != 3) return node.fail("the input is of rank " + llvm::Twine(*rank) + ", expected 3");
  for (int64_t size : sizes) {
    if (size < 1 || size % options.heads != 0) {
      return node.fail("a hidden size of " + llvm::Twine(size) + " is not for " +
                       llvm::Twine(options.heads) + " heads");
    }
  }
  HeadLayer layer;
  layer.q = inHeads(node, columns(node, packed, 0, sizes[0]), options.heads);
  layer.k = inHeads(node, columns(node, packed, sizes[0], sizes[1]), options.heads);
  layer.v = inHeads(node, columns(node, packed, sizes[0] + sizes[1], sizes[2]), options.heads);
  Value present;
  if (node.input(past) || node.has_output(1)) headsFirst(node, layer);
  if (node.input(past)) {
    auto part = [&](int64_t which) {
      return node.make("gather",
                       {node.input(past), node.graph.integer(which), node.graph.integer(0)});
    };
    layer.k = concat(node, {part(0), layer.k}, 2);
    layer.v = concat(node, {part(1), layer.v}, 2);
  }
  if (node.has_output(1)) {
    present = concat(node, {expand(node, layer.k, {0}), expand(node, layer.v, {0})}, 0);
  }
  if (node.has_failed()) return mlir::failure();
  Value bias = node.input(score_bias);
  if (node.input(mask)) {
    const Dim batch = node.graph.typeOf(packed).shape.dim(0);
    Value keys = sizeOf(node, layer.k, layer.heads_last ? 1 : 2);
    Value masked = maskBias(node, node.input(mask), layer.q, batch, keys, options.filter);
    bias = bias ? node.make("add", {bias, masked}) : masked;
  }
  node.outputs.append({attended(node, layer, options, bias, node.input(past) != nullptr), present});
  return mlir::success(!node.has_failed());
}

// The sizes of queries, keys and values in the columns of the weights.
std::optional<std::vector<int64_t>> hiddenSizes(Node& node, Value weights) {
  std::vector<int64_t> sizes = node.integers("qkv_hidden_sizes");
  auto rank = node.rank(weights);
  if (!rank) return std::nullopt;
  const Dim width = *rank == 2 ? node.graph.typeOf(weights).shape.dim(1) : Dim();
  if (!width.is_known()) {
    (void)node.fail("the number of the weights' columns is not known");
    return std::nullopt;
  }
  if (sizes.empty()) sizes.assign(3, width.value() / 3);
  // Those that are no part of the width might not be added up in 64 bits.
  const bool are_parts = sizes.size() == 3 && llvm::all_of(sizes, [&](int64_t size) {
                           return size >= 1 && size <= width.value();
                         });
  if (!are_parts || sizes[0] > width.value() - sizes[1] ||
      sizes[2] != width.value() - sizes[1] - sizes[0]) {
    (void)node.fail("the weights have " + llvm::Twine(width.value()) +
                    " columns, which is not the sum of three hidden sizes");
    return std::nullopt;
  }
  if (sizes[0] != sizes[1]) {
    (void)node.fail("the hidden sizes of queries and keys are " + llvm::Twine(sizes[0]) + " and " +
                    llvm::Twine(sizes[1]));
    return std::nullopt;
  }
  return sizes;
}

llvm::LogicalResult microsoftAttention(Node& node) {
  auto sizes = hiddenSizes(node, node.input(1));
  if (!sizes) return mlir::failure();
  if (node.input(6)) return node.fail("past_sequence_length is not supported");
  Value packed = matrixProduct(node, node.input(0), node.input(1));
  if (node.input(2)) packed = node.make("add", {packed, node.input(2)});
  if (!packed) return mlir::failure();
  return selfAttention(node, packed, *sizes, 3, 4, 5);
}

// Input and weights are integers, with scales 3 and 4 and zero points 6 and 7.
llvm::LogicalResult qAttention(Node& node) {
  auto sizes = hiddenSizes(node, node.input(1));
  if (!sizes) return mlir::failure();
  Value packed = integerProduct(node, {.a = node.input(0),
                                       .b = node.input(1),
                                       .a_scale = node.input(3),
                                       .b_scale = node.input(4),
                                       .a_zero = node.input(6),
                                       .b_zero = node.input(7)});
  if (node.input(2)) packed = node.make("add", {packed, node.input(2)});
  if (!packed) return mlir::failure();
  return selfAttention(node, packed, *sizes, 5, 8, 9);
}

// One of several in the last dimension but one: [B,S,N,parts,H] as [B,S,N,H].
Value partOf(Node& node, Value packed, int64_t which) {
  return node.make("gather", {packed, node.graph.integer(which), node.graph.integer(3)});
}

// The part of the bias that begins there, which has the size of N heads of H elements.
Value withBias(Node& node, Value value, Value bias, int64_t begin) {
  if (!bias || !value) return value;
  const SymbolicShape shape = node.graph.typeOf(value).shape;
  if (!shape.dim(2).is_known() || !shape.dim(3).is_known()) {
    (void)node.fail("the size of a head is not known");
    return {};
  }
  const int64_t heads = shape.dim(2).value(), depth = shape.dim(3).value();
  Value part = pieceOf(node, bias, begin, heads * depth);
  return node.make("add", {value, reshape(node, part, {heads, depth})});
}

// The layer of the three ways in which queries, keys and values are given.
llvm::LogicalResult readLayer(Node& node, int64_t heads, HeadLayer& layer) {
  Value query = node.input(0), key = node.input(1), value = node.input(2);
  auto rank = node.rank(query), key_rank = key ? node.rank(key) : 0;
  if (!rank || !key_rank) return mlir::failure();
  Value keys, values;
  if (*rank == 5 && !key && !value) {
    layer.q = partOf(node, query, 0);
    keys = partOf(node, query, 1);
    values = partOf(node, query, 2);
  } else if (*rank == 3 && *key_rank == 5 && !value) {
    layer.q = inHeads(node, query, heads);
    keys = partOf(node, key, 0);
    values = partOf(node, key, 1);
  } else if (*rank == 3 && *key_rank == 3 && value) {
    layer.q = inHeads(node, query, heads);
    keys = inHeads(node, key, heads);
    values = inHeads(node, value, heads);
  } else if (*rank == 3 && *key_rank == 4 && value) {
    // [B,N,S,H], of another layer, without bias.
    Value q = inHeads(node, query, heads);
    layer.q = transpose(node, withBias(node, q, node.input(3), 0), {0, 2, 1, 3});
    layer.k = key;
    layer.v = value;
    layer.heads_last = false;
    return mlir::success(!node.has_failed());
  } else {
    return node.fail("query, key and value are of ranks " + llvm::Twine(*rank) + ", " +
                     (key ? std::to_string(*key_rank) : "none") + " and " +
                     (value ? "some" : "none") + ", which is no known layout");
  }
  if (node.has_failed()) return mlir::failure();
  const Dim depth = node.graph.typeOf(layer.q).shape.dim(3);
  const int64_t hidden = node.input(3) && depth.is_known() ? heads * depth.value() : 0;
  layer.q = withBias(node, layer.q, node.input(3), 0);
  layer.k = withBias(node, keys, node.input(3), hidden);
  layer.v = withBias(node, values, node.input(3), 2 * hidden);
  return mlir::success(!node.has_failed());
}

llvm::LogicalResult multiHeadAttention(Node& node) {
  HeadOptions options;
  HeadLayer layer;
  if (mlir::failed(readOptions(node, options)) ||
      mlir::failed(readLayer(node, options.heads, layer))) {
    return mlir::failure();
  }
  constexpr const char* kInputs[] = {"past_sequence_length", "cache_indirection"};
  for (size_t i = 0; i < 2; ++i) {
    if (node.input(8 + i)) return node.fail(llvm::Twine(kInputs[i]) + " is not supported");
  }
  if (node.has_output(3)) return node.fail("the output of scores is not supported");
  const bool has_past = node.input(6) && node.input(7);
  if (!has_past && (node.input(6) || node.input(7))) {
    return node.fail("one of past_key and past_value is left out");
  }
  if (has_past || node.has_output(1) || node.has_output(2)) headsFirst(node, layer);
  if (has_past) {
    layer.k = concat(node, {node.input(6), layer.k}, 2);
    layer.v = concat(node, {node.input(7), layer.v}, 2);
  }
  if (node.has_failed()) return mlir::failure();
  Value bias = node.input(5);
  if (node.input(4)) {
    const Dim batch = node.graph.typeOf(layer.q).shape.dim(0);
    Value keys = sizeOf(node, layer.k, layer.heads_last ? 1 : 2);
    Value masked = maskBias(node, node.input(4), layer.q, batch, keys, options.filter);
    bias = bias ? node.make("add", {bias, masked}) : masked;
  }
  node.outputs.push_back(attended(node, layer, options, bias, has_past));
  const bool shows = !layer.heads_last;
  node.outputs.append({shows ? layer.k : Value(), shows ? layer.v : Value()});
  return mlir::success(!node.has_failed());
}

// The positions are [B,S], or one, that of the first step.
llvm::LogicalResult microsoftRotary(Node& node) {
  Value value = node.input(0), positions = node.input(1), cos = node.input(2);
  auto rank = node.rank(value), cache_rank = node.rank(cos), given = node.rank(positions);
  if (!rank || !cache_rank || !given) return mlir::failure();
  if (*rank != 3 && *rank != 4) {
    return node.fail("the input is of rank " + llvm::Twine(*rank) + ", expected 3 or 4");
  }
  if (*cache_rank != 2) {
    return node.fail("cos_cache is of rank " + llvm::Twine(*cache_rank) + ", expected 2");
  }
  if (node.number("scale", 1) != 1) return node.fail("a scale other than 1 is not supported");
  if (node.integer("is_packed_batching", 0) != 0) {
    return node.fail("is_packed_batching is not supported");
  }
  int64_t turned = node.integer("rotary_embedding_dim", 0);
  int64_t heads = node.integer("num_heads", 0);
  if (*rank == 3 && heads == 0) {
    const Dim half = node.graph.typeOf(cos).shape.dim(1);
    const Dim hidden = node.graph.typeOf(value).shape.dim(2);
    if (turned != 0 || !half.is_known() || !hidden.is_known() || half.value() < 1 ||
        hidden.value() % (2 * half.value()) != 0) {
      return node.fail("there is no num_heads");
    }
    heads = hidden.value() / (2 * half.value());
  }
  positions = wide(node, positions);
  if (*given == 1) {
    Value steps = range(node, sizeOf(node, value, *rank == 3 ? 1 : 2));
    positions = expand(node, node.make("add", {positions, steps}), {0});
  }
  return node.give(rotated(node, value,
                           {.cos = cos,
                            .sin = node.input(3),
                            .positions = positions,
                            .heads = heads,
                            .turned = turned,
                            .interleaved = node.integer("interleaved", 0) != 0}));
}

constexpr NodeRow kMicrosoftAttentionRows[] = {
    {"Attention", 1, microsoftAttention, 2, "not do_rotary and shared buffers of the past"},
    {"MultiHeadAttention", 1, multiHeadAttention, 1, "not scores as a result, and buffers"},
    {"QAttention", 1, qAttention, 5, "not do_rotary and shared buffers of the past"},
    {"RotaryEmbedding", 1, microsoftRotary, 4, "not a scale and packed batches"},
};

}  // namespace

llvm::ArrayRef<NodeRow> microsoftAttentionRows() { return kMicrosoftAttentionRows; }

}  // namespace tfrt::compiler::import
