// Values of types that have no dtype (lib/compiler/onnx/narrow_types.h). The importer follows which
// values are of such a type; all others are of the type that they are stored in.

#include "narrow.h"

#include <string>

#include "lib/compiler/onnx/elements.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Ops that move elements, so that results are of the type of their inputs.
bool movesElements(llvm::StringRef op) {
  constexpr llvm::StringRef kOps[] = {"Concat", "Expand",    "Flatten",  "Gather", "Identity",
                                      "Pad",    "Reshape",   "Slice",    "Split",  "Squeeze",
                                      "Tile",   "Transpose", "Unsqueeze"};
  return llvm::is_contained(kOps, op);
}

bool readsAnyType(llvm::StringRef op) {
  constexpr llvm::StringRef kOps[] = {"Cast",           "CastLike", "DequantizeLinear",
                                      "QuantizeLinear", "Shape",    "Size"};
  return llvm::is_contained(kOps, op);
}

// Returns i32 numbers with only those bits that the type has.
Value wrapped(Node& node, Value value, const onnx::NarrowType& type) {
  const double mask = (1 << type.bits) - 1, sign = 1 << (type.bits - 1);
  value = node.make("bitwise_and", {value, node.numberLike(value, mask)});
  if (!type.is_signed) return value;
  value = node.make("bitwise_xor", {value, node.numberLike(value, sign)});
  return node.make("sub", {value, node.numberLike(value, sign)});
}

Value bitsOf(Node& node, Value value, mlir::Type element) {
  return node.make("bit_cast", {value}, {node.graph.attribute("dtype", element)});
}

// The size of f32 numbers below 2^17, rounded to the type's steps: of two nearest ones the even
// one.
Value rounded(Node& node, Value size, const onnx::NarrowType& type) {
  const mlir::Type i32 = node.graph.builder().getI32Type(), f32 = node.elementOf(size);
  constexpr int kFraction = 23;
  auto number = [&](double value) { return node.graph.number(i32, value); };
  // A sum with 1.5 * 2^(e + 23) has steps of 2^e.
  Value exponent = node.make("shift_right", {bitsOf(node, size, i32), number(kFraction)});
  exponent = node.make("maximum", {exponent, number(128 - type.bias)});
  exponent = node.make("add", {exponent, number(kFraction - type.fraction)});
  Value bits = node.make("shift_left", {exponent, number(kFraction)});
  bits = node.make("add", {bits, number(1 << (kFraction - 1))});
  Value large = bitsOf(node, bits, f32);
  return node.make("sub", {node.make("add", {size, large}), large});
}

// f32 numbers as those of a float type.
Value roundedTo(Node& node, Value value, const onnx::NarrowType& type, bool saturates) {
  auto number = [&](double each) { return node.numberLike(value, each); };
  constexpr double kLarge = 0x1p17;
  Value size = node.make("minimum", {node.make("abs", {value}), number(kLarge)});
  size = rounded(node, size, type);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double beyond = saturates || !type.has_nan ? type.max
                        : type.has_infinity        ? std::numeric_limits<double>::infinity()
                                                   : nan;
  Value is_large = node.make("greater", {size, number(type.max)});
  size = node.make("select", {is_large, number(beyond), size});
  // The sign bit, as -0 has it, too.
  const mlir::Type i32 = node.graph.builder().getI32Type();
  Value is_negative = node.make("less", {bitsOf(node, value, i32), node.graph.number(i32, 0)});
  Value result = node.make("select", {is_negative, node.make("neg", {size}), size});
  if (!type.has_negative_zero) {
    result = node.make("select", {node.make("equal", {result, number(0)}), number(0), result});
  }
  return node.make("select",
                   {node.make("is_nan", {value}), number(type.has_nan ? nan : 0), result});
}

// f32 numbers as powers of two. Smaller numbers than 2^-126 have no exponent, but a fraction.
Value exponentsOf(Node& node, Value value, llvm::StringRef mode, bool saturates) {
  const mlir::Type i32 = node.graph.builder().getI32Type(), f32 = node.elementOf(value);
  auto number = [&](double each) { return node.graph.number(i32, each); };
  constexpr int kFraction = 23;
  Value bits = bitsOf(node, node.make("abs", {value}), i32);
  Value exponent = node.make("shift_right", {bits, number(kFraction)});
  Value fraction = node.make("bitwise_and", {bits, number((1 << kFraction) - 1)});
  // Fractions from which on it is the next power, of numbers with an exponent and others.
  const double half = 1 << (kFraction - 1);
  double from = 1, small_from = half + 1;
  if (mode == "nearest") {
    from = half;
    small_from = half + half / 2;
  } else if (mode == "down") {
    from = small_from = 1 << kFraction;
  } else if (mode != "up") {
    (void)node.fail("unknown round_mode '" + mode + "'");
    return {};
  }
  Value is_small = node.make("equal", {exponent, number(0)});
  Value limit = node.make("select", {is_small, number(small_from), number(from)});
  Value up = cast(node, node.make("greater_equal", {fraction, limit}), i32);
  Value result = node.make("add", {exponent, up});
  // 2^-127 is half the smallest number with an exponent.
  Value least = node.make("equal", {result, number(0)});
  Value shifted =
      node.make("shift_left", {node.make("minimum", {result, number(254)}), number(kFraction)});
  Value power = bitsOf(node, node.make("select", {least, number(half), shifted}), f32);
  Value nan = node.numberLike(power, std::numeric_limits<double>::quiet_NaN());
  if (!saturates) {
    Value is_out = node.make("greater", {result, number(254)});
    Value is_below = node.make("less", {bits, number(half)});
    power = node.make("select", {node.make("logical_or", {is_out, is_below}), nan, power});
  }
  return node.make("select", {node.make("is_nan", {value}), nan, power});
}

}  // namespace

llvm::LogicalResult checkNarrow(Node& node) {
  for (auto [index, value] : llvm::enumerate(node.inputs())) {
    const onnx::NarrowType* type = node.narrow.find(value);
    if (!type || movesElements(node.op()) || readsAnyType(node.op())) continue;
    return node.fail("input " + llvm::Twine(index) + " is of " + onnx::DataTypeName(type->type) +
                     ", which only casts, quantisation and movement support");
  }
  return mlir::success();
}

llvm::LogicalResult followNarrow(Node& node) {
  if (!movesElements(node.op()) || node.num_inputs() == 0) return mlir::success();
  const onnx::NarrowType* type = node.narrow.find(node.input(0));
  if (node.op() == "Concat") {
    for (Value value : node.inputs()) {
      if (node.narrow.find(value) != type) return node.fail("the inputs are of different types");
    }
  }
  if (!type) return mlir::success();
  for (Value output : node.outputs) node.narrow.set(output, *type);
  return mlir::success();
}

llvm::LogicalResult giveNarrow(Node& node, Value value, const onnx::NarrowType& type) {
  if (!value) return mlir::failure();
  node.narrow.set(value, type);
  return node.give(value);
}

Value castToNarrow(Node& node, Value value, const onnx::NarrowType& type) {
  mlir::Builder& builder = node.graph.builder();
  const mlir::Type element = node.elementOf(value);
  if (!element) return {};
  const mlir::Type stored = elementType(type.stored, node.graph.context());
  if (!type.is_float()) {
    const mlir::Type i32 = builder.getI32Type();
    // Numbers that i32 has not have bits of i64.
    Value integers = element.isInteger(64) ? value : cast(node, value, i32);
    return cast(node, wrapped(node, integers, type), stored);
  }
  if (element.isF64()) {
    (void)node.fail("no cast from f64 to " + onnx::DataTypeName(type.type));
    return {};
  }
  const bool saturates = node.integer("saturate", 1) != 0;
  Value numbers = cast(node, value, builder.getF32Type());
  Value result = type.is_exponent()
                     ? exponentsOf(node, numbers, node.text("round_mode", "up"), saturates)
                     : roundedTo(node, numbers, type, saturates);
  return cast(node, result, stored);
}

Value alongAxis(Node& node, Value scale, Value like, int64_t axis, int64_t block) {
  auto rank = scale ? node.rank(scale) : std::nullopt, wanted = node.rank(like);
  if (!rank || !wanted || *rank == 0) return scale;
  if (block == 0) {
    if (*rank > 1) {
      (void)node.fail("the scale is of rank " + llvm::Twine(*rank) + ", expected 0 or 1");
      return {};
    }
    if (*wanted <= 1 || node.graph.typeOf(scale).shape.dim(0).is(1)) {
      return *wanted == 0 ? reshape(node, scale, {}) : scale;
    }
  }
  auto at = node.axis(axis, *wanted);
  if (!at) return {};
  if (block == 0) {
    std::vector<int64_t> sizes(*wanted, 1);
    sizes[*at] = -1;
    return reshape(node, scale, sizes);
  }
  if (*rank != *wanted || block < 0) {
    (void)node.fail("the scale of blocks is of rank " + llvm::Twine(*rank) + ", expected " +
                    llvm::Twine(*wanted));
    return {};
  }
  // Each scale as often as a block has places, without those of the last block that are too many.
  const auto place = static_cast<int64_t>(*at);
  std::vector<int64_t> repeats(*wanted + 1, 1);
  repeats[*at + 1] = block;
  Value many = node.make("tile", {expand(node, scale, {place + 1}), node.graph.integers(repeats)});
  std::vector<Value> sizes;
  Value shape = shapeOf(node, scale);
  for (size_t i = 0; i < *wanted; ++i) {
    sizes.push_back(i == *at ? node.graph.integers({-1})
                             : pieceOf(node, shape, static_cast<int64_t>(i), 1));
  }
  many = node.make("reshape", {many, concat(node, sizes, 0)});
  std::vector<int64_t> begins(*wanted, 0);
  return node.make("slice", {many, node.graph.integers(begins), shapeOf(node, like)});
}

}  // namespace tfrt::compiler::import
