// Ops between floats and the integers that stand for them, and ops on such integers, which are
// computed as floats.

#include "narrow.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// A zero point in the shape of its scale: both may be one number, of rank 0 or 1.
Value shapedLike(Node& node, Value zero, Value scale) {
  if (!zero || !scale) return zero;
  const SymbolicShape have = node.graph.typeOf(zero).shape;
  const SymbolicShape want = node.graph.typeOf(scale).shape;
  if (!have.has_rank() || !want.has_rank() || have.rank() == want.rank()) return zero;
  return reshapeLike(node, zero, scale);
}

}  // namespace

Value dequantized(Node& node, Value value, Value scale, Value zero, int64_t axis, int64_t block) {
  return node.make("dequantize", {value, scale, shapedLike(node, zero, scale)},
                   {node.graph.attribute("axis", axis), node.graph.attribute("block", block)});
}

Value quantized(Node& node, Value value, Value scale, Value zero, int64_t axis, int64_t block,
                mlir::Type dtype) {
  llvm::SmallVector<mlir::NamedAttribute> attributes = {node.graph.attribute("axis", axis),
                                                        node.graph.attribute("block", block)};
  if (dtype) attributes.push_back(node.graph.attribute("dtype", dtype));
  return node.make("quantize", {value, scale, shapedLike(node, zero, scale)}, attributes);
}

Value integerProduct(Node& node, const IntegerProduct& product) {
  if (!product.a || !product.b) return {};
  Value sums = node.make("matmul_integer", {product.a, product.b, product.a_zero, product.b_zero});
  if (product.addend) sums = node.make("add", {sums, product.addend});
  const mlir::Type f32 = node.graph.builder().getF32Type();
  Value scale =
      node.make("mul", {cast(node, product.a_scale, f32), cast(node, product.b_scale, f32)});
  if (product.alpha != 1) scale = node.make("mul", {scale, node.numberLike(scale, product.alpha)});
  return node.make("mul", {cast(node, sums, f32), scale});
}

namespace {

// Integers of fewer than 8 bits are in the range of those of 8; floats are rounded quotients.
llvm::LogicalResult quantizeToNarrow(Node& node, const onnx::NarrowType& type) {
  const int64_t axis = node.integer("axis", 1), block = node.integer("block_size", 0);
  Value value = node.input(0), scale = node.input(1), zero = node.input(2);
  if (!type.is_float()) {
    mlir::Type dtype = elementType(type.stored, node.graph.context());
    Value result = quantized(node, value, scale, zero, axis, block, zero ? mlir::Type() : dtype);
    const double most = (1 << (type.is_signed ? type.bits - 1 : type.bits)) - 1;
    const double least = type.is_signed ? -most - 1 : 0;
    result =
        node.make("clip", {result, node.numberLike(result, least), node.numberLike(result, most)});
    return giveNarrow(node, result, type);
  }
  value = cast(node, value, node.elementOf(scale));
  Value quotient = node.make("div", {value, alongAxis(node, scale, value, axis, block)});
  if (zero) {
    Value shift = cast(node, zero, node.elementOf(quotient));
    quotient = node.make("add", {quotient, alongAxis(node, shift, value, axis, block)});
  }
  return giveNarrow(node, castToNarrow(node, quotient, type), type);
}

llvm::LogicalResult quantizeLinear(Node& node) {
  const auto wanted = static_cast<onnx::DataType>(node.integer("output_dtype", 0));
  const onnx::NarrowType* named = onnx::FindNarrowType(wanted);
  const onnx::NarrowType* given = node.narrow.find(node.input(2));
  if (named && node.input(2) && named != given) {
    return node.fail("output_dtype is not the type of the zero point");
  }
  if (named || given) return quantizeToNarrow(node, named ? *named : *given);
  mlir::Type dtype;
  if (node.integer("output_dtype", 0) != 0) {
    dtype = node.elementNamed("output_dtype", onnx::DataType::kUndefined, "no quantisation to ");
    if (!dtype) return mlir::failure();
  }
  return node.give(quantized(node, node.input(0), node.input(1), node.input(2),
                             node.integer("axis", 1), node.integer("block_size", 0), dtype));
}

Value dequantizedFloat(Node& node, int64_t axis, int64_t block) {
  Value scale = node.input(1), zero = node.input(2);
  Value value = cast(node, node.input(0), node.elementOf(scale));
  if (zero) {
    zero = cast(node, zero, node.elementOf(scale));
    value = node.make("sub", {value, alongAxis(node, zero, value, axis, block)});
  }
  return node.make("mul", {value, alongAxis(node, scale, value, axis, block)});
}

llvm::LogicalResult dequantizeLinear(Node& node) {
  const int64_t axis = node.integer("axis", 1), block = node.integer("block_size", 0);
  const onnx::NarrowType* type = node.narrow.find(node.input(0));
  if (node.input(2) && node.narrow.find(node.input(2)) != type) {
    return node.fail("the zero point is of another type than the input");
  }
  Value result = type && type->is_float()
                     ? dequantizedFloat(node, axis, block)
                     : dequantized(node, node.input(0), node.input(1), node.input(2), axis, block);
  if (node.integer("output_dtype", 0) == 0) return node.give(result);
  return node.give(
      cast(node, result,
           node.elementNamed("output_dtype", onnx::DataType::kUndefined, "no values of ")));
}

// Scales may have half as many bits as sums need.
Value wideScale(Node& node, size_t input) {
  return cast(node, node.input(input), node.graph.builder().getF32Type());
}

// Scales and zero points are for all of a matrix, for rows of the first or for columns of the
// second.
llvm::LogicalResult qLinearMatMul(Node& node) {
  if (node.num_inputs() != 8) return node.fail("it has eight inputs");
  Value a = dequantized(node, node.input(0), wideScale(node, 1), node.input(2), -2);
  Value b = dequantized(node, node.input(3), wideScale(node, 4), node.input(5), -1);
  Value product = matrixProduct(node, a, b);
  return node.give(quantized(node, product, wideScale(node, 6), node.input(7), -2));
}

// The bias is in units of the product of both scales.
llvm::LogicalResult qLinearConv(Node& node) {
  if (node.num_inputs() < 8) return node.fail("it has eight inputs or nine");
  auto attributes = convolutionAttributes(node);
  Value stored = filterOf(node, 3);
  if (!attributes || !stored) return mlir::failure();
  Value scale = wideScale(node, 1), filter_scale = wideScale(node, 4);
  Value image = dequantized(node, node.input(0), scale, node.input(2), 1);
  Value filter = dequantized(node, stored, filter_scale, node.input(5), 0);
  Value bias;
  if (node.input(8)) {
    Value units = node.make("mul", {scale, filter_scale});
    bias = dequantized(node, node.input(8), units, {}, 0);
  }
  Value result = node.make("conv", {image, filter, bias}, *attributes);
  return node.give(quantized(node, result, wideScale(node, 6), node.input(7), 1));
}

constexpr NodeRow kQuantizationRows[] = {
    {"DequantizeLinear", 10, dequantizeLinear, 2},
    {"DynamicQuantizeLinear", 11, same<"dynamic_quantize">},
    {"QLinearConv", 10, qLinearConv, 8},
    {"QLinearMatMul", 10, qLinearMatMul, 8},
    {"QuantizeLinear", 10, quantizeLinear, 2},
};

}  // namespace

llvm::ArrayRef<NodeRow> quantizationRows() { return kQuantizationRows; }

}  // namespace tfrt::compiler::import
