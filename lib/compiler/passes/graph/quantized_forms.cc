// Ops that only move elements work on integers instead of the floats that are made of them, and
// integers that become floats and the same integers again stay as they are.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "graph_passes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "quantized.h"

namespace tfrt::compiler::graph {

using mlir::Value;

namespace {

// The argument, or null if it is left out.
Value argumentAt(mlir::Operation* op, size_t index) {
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  return index < arguments.size() ? arguments[index] : Value();
}

}  // namespace

mlir::Operation* dequantizeFor(Value value) { return made<DequantizeOp>(value); }

std::optional<Quantization> quantizationOf(mlir::Operation* op, ValueFacts& facts) {
  if (!op || !mlir::isa<QuantizeOp, DequantizeOp>(op) || integerOf(op, "block") != 0) {
    return std::nullopt;
  }
  Value x = op->getOperand(0), y = op->getResult(0);
  const bool makes_floats = mlir::isa<DequantizeOp>(op);
  Value floats = makes_floats ? y : x, integers = makes_floats ? x : y;
  Quantization result{op->getOperand(1), argumentAt(op, 2)};
  const DType integer = facts.of(integers).dtype;
  if (facts.of(floats).dtype != DType::kF32 || !IsByte(integer)) return std::nullopt;
  if (facts.of(result.scale).dtype != DType::kF32) return std::nullopt;
  if (result.zero && facts.of(result.zero).dtype != integer) return std::nullopt;
  const SymbolicShape& scales = facts.of(result.scale).shape;
  if (!scales.has_rank() || scales.rank() > 1) return std::nullopt;
  result.is_one = scales.num_elements().is(1);
  if (result.is_one) return result;
  auto rank = facts.rankOf(x);
  if (!rank || scales.rank() != 1) return std::nullopt;
  result.axis = integerOf(op, "axis");
  if (result.axis < 0) result.axis += static_cast<int64_t>(*rank);
  return result;
}

bool isSameNumber(Value a, Value b, ValueFacts& facts) {
  if (a == b) return true;
  auto number = facts.scalarOf(a);
  return number && facts.isScalar(b, *number);
}

bool areSame(const Quantization& a, const Quantization& b, ValueFacts& facts) {
  if (!a.is_one || !b.is_one || !isSameNumber(a.scale, b.scale, facts)) return false;
  if (a.zero && b.zero) return isSameNumber(a.zero, b.zero, facts);
  Value zero = a.zero ? a.zero : b.zero;
  return !zero || facts.isScalar(zero, 0);
}

llvm::ArrayRef<char> bytesOf(ConstantOp constant) {
  if (auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(constant.getValue())) {
    return dense.isSplat() ? llvm::ArrayRef<char>() : dense.getRawData();
  }
  auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(constant.getValue());
  const mlir::AsmResourceBlob* blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? blob->getData() : llvm::ArrayRef<char>();
}

std::optional<std::vector<double>> numbersOf(Value value, ValueFacts& facts) {
  if (auto number = facts.scalarOf(value)) return std::vector<double>{*number};
  while (mlir::Operation* op = made<ReshapeOp, ExpandDimsOp, SqueezeOp, IdentityOp>(value)) {
    value = op->getOperand(0);
  }
  mlir::Operation* constant = made<ConstantOp>(value);
  if (!constant) return std::nullopt;
  const DType dtype = facts.of(value).dtype;
  if (dtype != DType::kF32 && dtype != DType::kI32) return std::nullopt;
  const llvm::ArrayRef<char> bytes = bytesOf(mlir::cast<ConstantOp>(constant));
  std::vector<double> numbers;
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    float number;
    int32_t integer;
    std::memcpy(&number, bytes.data() + at, 4);
    std::memcpy(&integer, bytes.data() + at, 4);
    numbers.push_back(dtype == DType::kF32 ? double{number} : static_cast<double>(integer));
  }
  return numbers.empty() ? std::nullopt : std::optional(std::move(numbers));
}

Value placedAt(mlir::Operation* op, Value value) {
  if (value) value.getDefiningOp()->setLoc(op->getLoc());
  return value;
}

bool isScale(float number) { return number > 0 && std::isnormal(number); }

namespace {

// A scale for which ((q - zero) * scale) / scale is q - zero but for roundings.
bool isOrdinary(Value scale, ValueFacts& facts) {
  auto number = facts.scalarOf(scale);
  return number && *number > 1e-30 && *number < 1e30;
}

// Integers that become floats and the same integers again.
llvm::LogicalResult dropRoundTrip(QuantizeOp op, Replacement& make, ValueFacts& facts) {
  mlir::Operation* floats = dequantizeFor(op->getOperand(0));
  auto to = quantizationOf(op, facts), from = quantizationOf(floats, facts);
  if (!to || !from || !areSame(*to, *from, facts) || !isOrdinary(to->scale, facts)) {
    return mlir::failure();
  }
  Value integers = floats->getOperand(0);
  if (facts.of(integers).dtype != facts.of(op->getResult(0)).dtype) return mlir::failure();
  return make.finish(integers);
}

// Makes another op like this one, whose first operand is the value.
Value alike(mlir::Operation* op, Value value, Replacement& make) {
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  arguments[0] = value;
  return placedAt(op, make.value(op->getName().stripDialect(), arguments, tableAttributesOf(op)));
}

// The ops that take elements of their first operand, all alike.
bool isMovement(mlir::Operation* op) {
  return op && mlir::isa<ReshapeOp, ExpandDimsOp, SqueezeOp, TransposeOp, SliceOp, StridedSliceOp,
                         GatherOp, GatherNdOp>(op);
}

// True if no window can lie in the padding alone: of floats its largest is an infinity, of bytes it
// is a number.
bool readsInAllWindows(mlir::Operation* pool, ValueFacts& facts) {
  const SymbolicShape& in = facts.of(pool->getOperand(0)).shape;
  const SymbolicShape& out = facts.of(pool->getResult(0)).shape;
  if (!in.has_rank() || !out.has_rank() || out.rank() != in.rank()) return false;
  const std::vector<int64_t> kernel = integersOf(pool, "kernel");
  std::vector<int64_t> strides = integersOf(pool, "strides"), pads = integersOf(pool, "pads"),
                       dilations = integersOf(pool, "dilations");
  strides.resize(kernel.size(), 1);
  dilations.resize(kernel.size(), 1);
  const bool is_explicit = textOf(pool, "padding") == "explicit";
  const bool is_padded = llvm::any_of(pads, [](int64_t pad) { return pad != 0; });
  if (is_explicit && !is_padded) return true;
  pads.resize(2 * kernel.size(), 0);
  const size_t first = boolOf(pool, "channels_last") ? 1 : 2;
  for (size_t i = 0; i < kernel.size(); ++i) {
    if (first + i >= in.rank()) return false;
    const Dim size = in.dim(first + i), count = out.dim(first + i);
    if (!size.is_known() || !count.is_known() || dilations[i] > size.value()) return false;
    if (!is_explicit) continue;
    int64_t last_tap, last_window;
    if (llvm::MulOverflow(kernel[i] - 1, dilations[i], last_tap) ||
        llvm::MulOverflow(count.value() - 1, strides[i], last_window)) {
      return false;
    }
    // The first window ends behind the padding, and the last one begins before that at the end.
    if (last_tap < pads[i] || last_window - pads[i] >= size.value()) return false;
  }
  return true;
}

// move(dequantize(q)) is dequantize(move(q)), and the largest of floats is that of their integers.
llvm::LogicalResult moveIntegers(mlir::Operation* op, Replacement& make, ValueFacts& facts) {
  const bool is_pool = mlir::isa<MaxPoolOp>(op);
  if ((!is_pool && !isMovement(op)) || op->getNumResults() != 1) return mlir::failure();
  mlir::Operation* floats = dequantizeFor(op->getOperand(0));
  auto from = quantizationOf(floats, facts);
  if (!from || !from->is_one) return mlir::failure();
  // Constants are floats before the program runs, but of a table few elements are taken.
  if (facts.isConstant(op->getOperand(0)) && !mlir::isa<GatherOp, GatherNdOp>(op)) {
    return mlir::failure();
  }
  if (is_pool && (!isOrdinary(from->scale, facts) || !readsInAllWindows(op, facts))) {
    return mlir::failure();
  }
  Value moved = alike(op, floats->getOperand(0), make);
  return moved ? make.finish(alike(floats, moved, make)) : mlir::failure();
}

// Pieces with one scale and zero point.
llvm::LogicalResult joinIntegers(ConcatOp op, Replacement& make, ValueFacts& facts) {
  llvm::SmallVector<Value> pieces;
  mlir::Operation* first = dequantizeFor(op->getOperand(0));
  auto of_first = quantizationOf(first, facts);
  if (!of_first || !of_first->is_one) return mlir::failure();
  for (Value piece : op->getOperands().drop_back()) {
    mlir::Operation* floats = dequantizeFor(piece);
    auto from = quantizationOf(floats, facts);
    if (!from || !areSame(*from, *of_first, facts)) return mlir::failure();
    pieces.push_back(floats->getOperand(0));
    if (facts.of(pieces.back()).dtype != facts.of(pieces.front()).dtype) return mlir::failure();
  }
  pieces.push_back(op->getOperands().back());
  Value joined = make.value("concat", pieces);
  return joined ? make.finish(alike(first, joined, make)) : mlir::failure();
}

// quantize(move(x)) is move(quantize(x)): fewer bytes move, and `quantize` meets what makes x.
llvm::LogicalResult quantizeBefore(QuantizeOp op, Replacement& make, ValueFacts& facts) {
  auto to = quantizationOf(op, facts);
  Value moved = op->getOperand(0);
  mlir::Operation* move = moved.getDefiningOp();
  if (!to || !to->is_one || !moved.hasOneUse() || facts.isConstant(moved)) return mlir::failure();
  if (made<ConcatOp>(moved)) {
    // Each piece gets what it needs: a piece with another scale is rounded alone.
    llvm::SmallVector<Value> pieces;
    for (Value piece : move->getOperands().drop_back()) {
      pieces.push_back(alike(op, piece, make));
      if (!pieces.back()) return mlir::failure();
    }
    pieces.push_back(move->getOperands().back());
    return make.finish(make.value("concat", pieces));
  }
  // An op that repeats elements would quantise fewer, and one that drops them more.
  if (!made<ReshapeOp, ExpandDimsOp, SqueezeOp, TransposeOp>(moved)) return mlir::failure();
  Value integers = alike(op, move->getOperand(0), make);
  return integers ? make.finish(alike(move, integers, make)) : mlir::failure();
}

}  // namespace

void addQuantizedForms(mlir::RewritePatternSet& patterns, ValueFacts& facts) {
  addRule(patterns, facts, dropRoundTrip, 2);
  addRule(patterns, facts, moveIntegers);
  addRule(patterns, facts, joinIntegers);
  addRule(patterns, facts, quantizeBefore);
}

}  // namespace tfrt::compiler::graph
