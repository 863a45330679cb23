#include "causal.h"

#include <cstring>

#include "mlir/IR/DialectResourceBlobManager.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;

constexpr int kMaxConditionDepth = 12;

// Numbers of a program, of which sums do not overflow.
std::optional<int64_t> small(int64_t number) {
  constexpr int64_t kMax = int64_t{1} << 40;
  return number >= -kMax && number <= kMax ? std::optional(number) : std::nullopt;
}

// row * i + column * j + constant, for the element at row i and column j of the last two
// dimensions.
struct Linear {
  int64_t row = 0, column = 0, constant = 0;
};

// A vector along the last dimension, or along the one before it: all others are 1.
std::optional<Linear> along(const SymbolicShape& shape, int64_t first) {
  if (!shape.has_rank() || shape.rank() == 0) return std::nullopt;
  const size_t rank = shape.rank();
  const bool is_row = rank >= 2 && shape.dim(rank - 1).is(1);
  const size_t axis = is_row ? rank - 2 : rank - 1;
  for (size_t i = 0; i < rank; ++i) {
    if (i != axis && !shape.dim(i).is(1)) return std::nullopt;
  }
  return Linear{.row = is_row, .column = !is_row, .constant = first};
}

// first, first + 1, ...: the numbers of a range or a constant, in whatever shape.
std::optional<int64_t> countsFrom(Value value, ValueFacts& facts) {
  for (int depth = 0; depth < kMaxConditionDepth; ++depth) {
    if (auto elements = facts.elementsOf(value)) {
      if (elements->empty() || !small(elements->front())) return std::nullopt;
      for (size_t i = 0; i < elements->size(); ++i) {
        if ((*elements)[i] != elements->front() + static_cast<int64_t>(i)) return std::nullopt;
      }
      return elements->front();
    }
    mlir::Operation* op = made<RangeOp, ReshapeOp, ExpandDimsOp, SqueezeOp>(value);
    if (!op) return std::nullopt;
    if (mlir::isa<RangeOp>(op)) {
      auto start = facts.elementsOf(op->getOperand(0)), step = facts.elementsOf(op->getOperand(2));
      const bool counts = start && start->size() == 1 && step && step->size() == 1;
      return counts && step->front() == 1 ? small(start->front()) : std::nullopt;
    }
    value = op->getOperand(0);
  }
  return std::nullopt;
}

std::optional<Linear> linearOf(Value value, ValueFacts& facts, int depth = kMaxConditionDepth) {
  if (depth == 0) return std::nullopt;
  if (auto number = facts.elementsOf(value); number && number->size() == 1) {
    auto constant = small(number->front());
    return constant ? std::optional(Linear{.constant = *constant}) : std::nullopt;
  }
  if (auto first = countsFrom(value, facts)) return along(facts.of(value).shape, *first);
  if (mlir::Operation* op = made<BroadcastToOp>(value)) {
    return linearOf(op->getOperand(0), facts, depth - 1);
  }
  mlir::Operation* op = made<AddOp, SubOp>(value);
  auto a = op ? linearOf(op->getOperand(0), facts, depth - 1) : std::nullopt;
  auto b = a ? linearOf(op->getOperand(1), facts, depth - 1) : std::nullopt;
  if (!b) return std::nullopt;
  const int64_t sign = mlir::isa<AddOp>(op) ? 1 : -1;
  return Linear{a->row + sign * b->row, a->column + sign * b->column,
                a->constant + sign * b->constant};
}

// Where a <= b, for integers.
std::optional<int64_t> atMost(Value a, Value b, int64_t more, ValueFacts& facts) {
  auto low = linearOf(a, facts), high = low ? linearOf(b, facts) : std::nullopt;
  if (!high) return std::nullopt;
  // 0 <= row * i + column * j + constant
  const Linear room{high->row - low->row, high->column - low->column,
                    high->constant - low->constant + more};
  return room.row == 1 && room.column == -1 ? std::optional(room.constant) : std::nullopt;
}

// The elements of a constant matrix, with dimensions of 1 in front: whether a score counts there,
// which is what a truth says, and 0 of numbers that are 0 or mask. Empty if it is something else.
llvm::SmallVector<bool> countingScores(mlir::TypedAttr value, mlir::Type element) {
  llvm::SmallVector<bool> counts;
  auto addNumber = [&](float number) {
    if (number != 0 && !isMasking(number)) return false;
    counts.push_back(number == 0);
    return true;
  };
  if (auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(value)) {
    if (dense.isSplat()) return {};
    if (element.isInteger(1)) llvm::append_range(counts, dense.getValues<bool>());
    if (!element.isF32()) return counts;
    for (float number : dense.getValues<float>()) {
      if (!addNumber(number)) return {};
    }
    return counts;
  }
  auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(value);
  const mlir::AsmResourceBlob* blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob) return {};
  llvm::ArrayRef<char> bytes = blob->getData();
  if (element.isInteger(1)) {
    for (char byte : bytes) counts.push_back(byte != 0);
  } else if (element.isF32()) {
    for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
      float number;
      std::memcpy(&number, bytes.data() + at, 4);
      if (!addNumber(number)) return {};
    }
  }
  return counts;
}

// The reach of the first row determines that of all others. Reads a constant of truths or numbers.
std::optional<int64_t> constantTriangle(Value value, bool of_truths, bool negated) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto type =
      constant ? mlir::dyn_cast<mlir::RankedTensorType>(value.getType()) : mlir::RankedTensorType();
  if (!type || type.getRank() < 2) return std::nullopt;
  if (type.getElementType().isInteger(1) != of_truths) return std::nullopt;
  const int64_t rows = type.getDimSize(type.getRank() - 2),
                columns = type.getDimSize(type.getRank() - 1);
  auto counts = countingScores(constant.getValue(), type.getElementType());
  const auto count = static_cast<int64_t>(counts.size());
  if (count == 0 || rows == 0 || count % rows != 0 || count / rows != columns) return std::nullopt;
  int64_t reach = 0;
  while (reach < columns && counts[static_cast<size_t>(reach)] != negated) ++reach;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const bool counts_here = counts[static_cast<size_t>(row * columns + column)] != negated;
      if (counts_here != (column < row + reach)) return std::nullopt;
    }
  }
  return reach - 1;
}

// A part of a triangle, from some row and column on.
std::optional<int64_t> ofPart(Value value, ValueFacts& facts,
                              llvm::function_ref<std::optional<int64_t>(Value)> of_whole) {
  mlir::Operation* op = made<SliceOp>(value);
  auto begin = op ? facts.elementsOf(op->getOperand(1)) : std::nullopt;
  if (!begin || begin->size() < 2) return std::nullopt;
  auto whole = of_whole(op->getOperand(0));
  if (!whole || !small(*whole)) return std::nullopt;
  for (int64_t each : *begin) {
    if (!small(each)) return std::nullopt;
  }
  return *whole + (*begin)[begin->size() - 2] - begin->back();
}

// Ones, or so, on one side of a diagonal: the diagonal's number.
std::optional<int64_t> diagonalOf(Value value, bool upper, ValueFacts& facts) {
  mlir::Operation* op = made<TriangleOp>(value);
  auto diagonal = op ? facts.elementsOf(op->getOperand(1)) : std::nullopt;
  if (!diagonal || diagonal->size() != 1 || boolOf(op, "upper") != upper) return std::nullopt;
  return small(diagonal->front());
}

// The last two dimensions are the same.
bool haveSameMatrices(Value a, Value b, ValueFacts& facts) {
  const SymbolicShape &in = facts.of(a).shape, &out = facts.of(b).shape;
  if (!in.has_rank() || !out.has_rank() || in.rank() < 2 || out.rank() < 2) return false;
  return in.dim(in.rank() - 1).IsSameAs(out.dim(out.rank() - 1)) &&
         in.dim(in.rank() - 2).IsSameAs(out.dim(out.rank() - 2));
}

// All elements of a value, if they are one number.
std::optional<double> filledWith(Value value, ValueFacts& facts) {
  if (mlir::Operation* op = made<FillOp>(value)) return facts.scalarOf(op->getOperand(1));
  if (mlir::Operation* op = made<BroadcastToOp>(value)) return facts.scalarOf(op->getOperand(0));
  return facts.scalarOf(value);
}

std::optional<int64_t> conditionWithin(Value condition, bool negated, ValueFacts& facts,
                                       int depth) {
  mlir::Operation* op = condition.getDefiningOp();
  if (!op || depth == 0) return std::nullopt;
  if (mlir::isa<LogicalNotOp>(op))
    return conditionWithin(op->getOperand(0), !negated, facts, depth - 1);
  if (mlir::isa<ReshapeOp, ExpandDimsOp, BroadcastToOp, CastOp>(op)) {
    // The matrix stays one: only dimensions in front of it come and go.
    Value before = op->getOperand(0);
    if (!haveSameMatrices(before, condition, facts)) return std::nullopt;
    return conditionWithin(before, negated, facts, depth - 1);
  }
  if (auto found = constantTriangle(condition, true, negated)) return found;
  if (auto found = ofPart(condition, facts, [&](Value whole) {
        return conditionWithin(whole, negated, facts, depth - 1);
      })) {
    return found;
  }
  if (mlir::isa<TriangleOp>(op) && filledWith(op->getOperand(0), facts) == 1) {
    auto lower = diagonalOf(condition, false, facts), upper = diagonalOf(condition, true, facts);
    if (!negated) return lower;
    return upper ? std::optional(*upper - 1) : std::nullopt;
  }
  if (op->getNumOperands() != 2) return std::nullopt;
  Value a = op->getOperand(0), b = op->getOperand(1);
  // Not a < b is b <= a.
  if (mlir::isa<LessEqualOp>(op)) return negated ? atMost(b, a, -1, facts) : atMost(a, b, 0, facts);
  if (mlir::isa<GreaterEqualOp>(op)) {
    return negated ? atMost(a, b, -1, facts) : atMost(b, a, 0, facts);
  }
  if (mlir::isa<LessOp>(op)) return negated ? atMost(b, a, 0, facts) : atMost(a, b, -1, facts);
  if (mlir::isa<GreaterOp>(op)) return negated ? atMost(a, b, 0, facts) : atMost(b, a, -1, facts);
  return std::nullopt;
}

std::optional<int64_t> summandWithin(Value summand, ValueFacts& facts, int depth) {
  if (depth == 0) return std::nullopt;
  if (auto found = constantTriangle(summand, false, false)) return found;
  if (auto found = ofPart(summand, facts,
                          [&](Value whole) { return summandWithin(whole, facts, depth - 1); })) {
    return found;
  }
  if (mlir::Operation* op = made<TriangleOp>(summand)) {
    auto number = filledWith(op->getOperand(0), facts);
    auto diagonal = diagonalOf(summand, true, facts);
    if (!number || !isMasking(*number) || !diagonal) return std::nullopt;
    return *diagonal - 1;
  }
  mlir::Operation* op = made<SelectOp>(summand);
  // Numbers may be what makes it as large as the scores.
  if (!op || !haveSameMatrices(op->getOperand(0), summand, facts)) return std::nullopt;
  auto x = facts.scalarOf(op->getOperand(1)), y = facts.scalarOf(op->getOperand(2));
  if (x == 0.0 && y && isMasking(*y)) return causalCondition(op->getOperand(0), false, facts);
  if (y == 0.0 && x && isMasking(*x)) return causalCondition(op->getOperand(0), true, facts);
  return std::nullopt;
}

}  // namespace

bool isMasking(double number) { return number <= -1e30; }

std::optional<int64_t> causalCondition(Value condition, bool negated, ValueFacts& facts) {
  return conditionWithin(condition, negated, facts, kMaxConditionDepth);
}

std::optional<int64_t> causalSummand(Value summand, ValueFacts& facts) {
  return summandWithin(summand, facts, kMaxConditionDepth);
}

}  // namespace tfrt::compiler::graph
