// Random numbers. They follow from the seed, or from the node where it has none: each run of a
// model gives the same.

#include <numbers>

#include "llvm/ADT/bit.h"
#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Random words in this shape. Nodes of equal seeds give equal numbers, others have streams of their
// own.
Value wordsOf(Node& node, Value sizes) {
  const bool has_seed = node.has("seed");
  const auto seed = llvm::bit_cast<uint32_t>(node.number("seed", 0));
  const auto stream = has_seed ? int64_t{0} : static_cast<int64_t>(node.ordinal());
  return node.make("random_bits", {sizes},
                   {node.graph.attribute("seed", static_cast<int64_t>(seed)),
                    node.graph.attribute("stream", stream)});
}

// Numbers of a word's upper 24 bits: [0, 1), or (0, 1].
Value fractions(Node& node, Value words, bool has_zero) {
  const mlir::Type i64 = node.graph.builder().getI64Type();
  Value upper = node.make("shift_right", {words, node.numberLike(words, 8)});
  if (!has_zero) upper = node.make("add", {cast(node, upper, i64), node.graph.integer(1)});
  Value numbers = cast(node, upper, node.graph.builder().getF32Type());
  return node.make("mul", {numbers, node.numberLike(numbers, 0x1p-24)});
}

Value uniform(Node& node, Value sizes) { return fractions(node, wordsOf(node, sizes), true); }

// Two words for each number, by Box and Muller: sqrt(-2 log a) cos(2 pi b).
Value normal(Node& node, Value sizes) {
  Value words = wordsOf(node, concat(node, {node.graph.integers({2}), wide(node, sizes)}, 0));
  auto part = [&](int64_t which) {
    return node.make("gather", {words, node.graph.integer(which), node.graph.integer(0)});
  };
  Value logarithm = node.make("log", {fractions(node, part(0), false)});
  Value length = node.make("sqrt", {node.make("mul", {logarithm, node.numberLike(logarithm, -2)})});
  Value angle = fractions(node, part(1), true);
  angle = node.make("mul", {angle, node.numberLike(angle, 2 * std::numbers::pi)});
  return node.make("mul", {length, node.make("cos", {angle})});
}

// The wanted type: `dtype`, or else that of the input; null after an error.
mlir::Type typeOf(Node& node, mlir::Type otherwise) {
  mlir::Type element = otherwise;
  if (node.has("dtype")) {
    element = node.elementNamed("dtype", onnx::DataType::kFloat, "no random numbers of ");
  }
  if (element && !mlir::isa<mlir::FloatType>(element)) {
    (void)node.fail("there are random numbers of floats alone");
    return {};
  }
  return element;
}

// numbers * scale + offset
llvm::LogicalResult giveScaled(Node& node, Value numbers, mlir::Type element, float scale,
                               float offset) {
  if (!element || !numbers) return mlir::failure();
  if (scale != 1) numbers = node.make("mul", {numbers, node.numberLike(numbers, scale)});
  if (offset != 0) numbers = node.make("add", {numbers, node.numberLike(numbers, offset)});
  return node.give(cast(node, numbers, element));
}

llvm::LogicalResult giveUniform(Node& node, Value sizes, mlir::Type element) {
  const float low = node.number("low", 0), high = node.number("high", 1);
  if (!(low <= high)) {
    return node.fail("low is " + std::to_string(low) + ", but high is " + std::to_string(high));
  }
  return giveScaled(node, uniform(node, sizes), element, high - low, low);
}

llvm::LogicalResult giveNormal(Node& node, Value sizes, mlir::Type element) {
  return giveScaled(node, normal(node, sizes), element, node.number("scale", 1),
                    node.number("mean", 0));
}

using Give = llvm::LogicalResult (*)(Node& node, Value sizes, mlir::Type element);

// In the shape of the attribute.
template <Give give>
llvm::LogicalResult ofSizes(Node& node) {
  if (!node.has("shape")) return node.fail("there is no shape");
  const std::vector<int64_t> sizes = node.integers("shape");
  for (int64_t size : sizes) {
    if (size < 0) return node.fail("a size is " + llvm::Twine(size));
  }
  return give(node, node.graph.integers(sizes), typeOf(node, node.graph.builder().getF32Type()));
}

// In the shape of the input.
template <Give give>
llvm::LogicalResult like(Node& node) {
  return give(node, shapeOf(node, node.input(0)), typeOf(node, node.elementOf(node.input(0))));
}

// 1 as often as the input says.
llvm::LogicalResult bernoulli(Node& node) {
  Value likely = node.input(0);
  mlir::Type element = node.elementOf(likely);
  if (node.has("dtype")) {
    element = node.elementNamed("dtype", onnx::DataType::kFloat, "no random numbers of ");
  }
  if (!element) return mlir::failure();
  // In 16 bits some random numbers would round to 1.
  auto floats = mlir::dyn_cast_if_present<mlir::FloatType>(node.elementOf(likely));
  if (floats && floats.getWidth() < 32) {
    likely = cast(node, likely, node.graph.builder().getF32Type());
  }
  Value numbers = cast(node, uniform(node, shapeOf(node, likely)), node.elementOf(likely));
  return node.give(cast(node, node.make("less", {numbers, likely}), element));
}

// Classes by logarithms of their likelihoods, [batch,classes]: the first one at which the sum of
// the likelihoods exceeds a random number.
llvm::LogicalResult multinomial(Node& node) {
  const mlir::Type f32 = node.graph.builder().getF32Type(), i64 = node.graph.builder().getI64Type();
  const int64_t samples = node.integer("sample_size", 1);
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  if (*rank != 2) return node.fail("the input is of rank " + llvm::Twine(*rank) + ", expected 2");
  if (samples < 1) {
    return node.fail("sample_size is " + llvm::Twine(samples) + ", expected 1 or more");
  }
  mlir::Type element = node.elementNamed("dtype", onnx::DataType::kInt32, "no classes of ");
  if (!element) return mlir::failure();
  if (!element.isInteger(32) && !element.isInteger(64)) {
    return node.fail("classes are INT32 or INT64");
  }
  Value likely = node.make("softmax", {cast(node, node.input(0), f32)});
  Value sums = node.make("cumulative_sum", {likely, node.graph.integer(1)});
  Value batch = pieceOf(node, shapeOf(node, likely), 0, 1);
  Value numbers = uniform(node, concat(node, {batch, node.graph.integers({samples})}, 0));
  Value passed = node.make("less_equal", {expand(node, sums, {1}), expand(node, numbers, {2})});
  Value index = reduce(node, "reduce_sum", cast(node, passed, i64), {2}, false);
  // Rounding may leave the sum of all below 1.
  Value last = node.make("sub", {sizeOf(node, likely, 1), node.graph.integer(1)});
  return node.give(cast(node, node.make("minimum", {index, last}), element));
}

constexpr llvm::StringRef kSame = "each run gives the same numbers";

constexpr NodeRow kRandomnessRows[] = {
    {"Bernoulli", 15, bernoulli, 1, kSame},
    {"Multinomial", 7, multinomial, 1, kSame},
    {"RandomNormal", 1, ofSizes<giveNormal>, 0, kSame},
    {"RandomNormalLike", 1, like<giveNormal>, 1, kSame},
    {"RandomUniform", 1, ofSizes<giveUniform>, 0, kSame},
    {"RandomUniformLike", 1, like<giveUniform>, 1, kSame},
};

}  // namespace

llvm::ArrayRef<NodeRow> randomnessRows() { return kRandomnessRows; }

}  // namespace tfrt::compiler::import
