// Floats that are made of 8-bit integers, or become such, in programs.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_QUANTIZED_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_QUANTIZED_H_

#include <optional>
#include <vector>

#include "lib/format/op_table/product_rules.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {

// The scale and the zero point of `dequantize` or `quantize` with f32, without blocks.
struct Quantization {
  mlir::Value scale, zero;  // the zero point may be null, for 0
  int64_t axis = 0;         // not negative; of scales that are not one
  bool is_one = true;       // one scale for all elements
};

// Accepts quantize and dequantize of i8 or u8 with scales of f32, if the rank is known or there is
// one scale.
std::optional<Quantization> quantizationOf(mlir::Operation* op, ValueFacts& facts);

// Returns the `dequantize` that makes the value; null if something else makes it.
mlir::Operation* dequantizeFor(mlir::Value value);

// True if both certainly have the same scale and zero point, and one scale.
bool areSame(const Quantization& a, const Quantization& b, ValueFacts& facts);

// True if both are one value, or constants with the same number.
bool isSameNumber(mlir::Value a, mlir::Value b, ValueFacts& facts);

// The elements of a constant as they lie in memory, which need not be aligned. Empty for one number
// that all elements equal.
llvm::ArrayRef<char> bytesOf(ConstantOp constant);

// The elements of a constant of f32 or i32, or one number that all of them equal. Nothing for a
// value that is computed in other ways than by reshaping one.
std::optional<std::vector<double>> numbersOf(mlir::Value value, ValueFacts& facts);

// Places the op that makes the value where `op` is: errors name the node of that. Returns the
// value; null stays null.
mlir::Value placedAt(mlir::Operation* op, mlir::Value value);

// A kernel takes such a number as a scale: positive, normal and finite.
bool isScale(float number);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_QUANTIZED_H_
