#include "constant_facts.h"

#include <cmath>

#include "dialects/graph/graph_dialect.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tfrt::compiler::graph {
namespace {

// Chains that end in constants are short: scales, shapes of biases, layouts of filters.
constexpr int kMaxConstantDepth = 24;

double toDouble(llvm::APFloat number) {
  bool loses_information;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                 &loses_information);
  return number.convertToDouble();
}

// As an element of the type has it.
double rounded(double number, mlir::FloatType type) {
  llvm::APFloat element(number);
  bool loses_information;
  element.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &loses_information);
  return toDouble(element);
}

std::optional<double> splatOf(mlir::Attribute attribute) {
  auto elements = mlir::dyn_cast<mlir::DenseElementsAttr>(attribute);
  if (!elements || !elements.isSplat()) return std::nullopt;
  if (auto floats = mlir::dyn_cast<mlir::DenseFPElementsAttr>(elements)) {
    return toDouble(floats.getSplatValue<llvm::APFloat>());
  }
  auto integers = mlir::dyn_cast<mlir::DenseIntElementsAttr>(elements);
  if (!integers) return std::nullopt;
  llvm::APInt number = integers.getSplatValue<llvm::APInt>();
  bool is_unsigned =
      elements.getElementType().isInteger(1) || elements.getElementType().isUnsignedInteger();
  return is_unsigned ? static_cast<double>(number.getZExtValue())
                     : static_cast<double>(number.getSExtValue());
}

}  // namespace

bool ConstantFacts::isConstant(mlir::Value value) {
  return value && isConstantWithin(value, kMaxConstantDepth);
}

// The search ends at the op's first operand that is not constant, and constant ones are remembered.
// So an op that takes a value twice does not double the work.
bool ConstantFacts::isConstantWithin(mlir::Value value, int depth) {
  mlir::Operation* op = value.getDefiningOp();
  if (!op || depth == 0) return false;
  if (mlir::isa<ConstantOp>(op) || constants_.contains(value)) return true;
  if (!descriptionOf(op) || !mlir::isPure(op) || op->getNumOperands() == 0) return false;
  if (!llvm::all_of(op->getOperands(),
                    [&](mlir::Value each) { return isConstantWithin(each, depth - 1); })) {
    return false;
  }
  constants_.insert(value);
  return true;
}

std::optional<double> ConstantFacts::scalarOf(mlir::Value value) {
  return value ? scalarWithin(value, kMaxConstantDepth) : std::nullopt;
}

std::optional<double> ConstantFacts::scalarWithin(mlir::Value value, int depth) {
  mlir::Operation* op = value.getDefiningOp();
  if (!op || depth == 0) return std::nullopt;
  if (auto constant = mlir::dyn_cast<ConstantOp>(op)) return splatOf(constant.getValue());
  if (auto found = scalars_.find(value); found != scalars_.end()) return found->second;
  if (!descriptionOf(op)) return std::nullopt;
  auto number = computeScalar(op, depth);
  if (number) scalars_[value] = *number;
  return number;
}

std::optional<double> ConstantFacts::computeScalar(mlir::Operation* op, int depth) {
  auto argument = [&](unsigned i) { return scalarWithin(op->getOperand(i), depth - 1); };
  if (mlir::isa<ReshapeOp, ExpandDimsOp, SqueezeOp, BroadcastToOp, IdentityOp>(op)) {
    return argument(0);
  }
  auto element = mlir::dyn_cast<mlir::FloatType>(
      mlir::cast<mlir::ShapedType>(op->getResult(0).getType()).getElementType());
  if (!element) return std::nullopt;
  // Scales that programs compute step by step, each of which rounds.
  auto unary = [&](double (*apply)(double)) -> std::optional<double> {
    auto x = argument(0);
    return x ? std::optional(rounded(apply(*x), element)) : std::nullopt;
  };
  auto binary = [&](double (*apply)(double, double)) -> std::optional<double> {
    auto x = argument(0);
    if (!x) return std::nullopt;
    auto y = argument(1);
    return y ? std::optional(rounded(apply(*x, *y), element)) : std::nullopt;
  };
  return llvm::TypeSwitch<mlir::Operation*, std::optional<double>>(op)
      .Case<CastOp>([&](auto) { return unary([](double x) { return x; }); })
      .Case<SqrtOp>([&](auto) { return unary([](double x) { return std::sqrt(x); }); })
      .Case<RsqrtOp>([&](auto) { return unary([](double x) { return 1 / std::sqrt(x); }); })
      .Case<ReciprocalOp>([&](auto) { return unary([](double x) { return 1 / x; }); })
      .Case<NegOp>([&](auto) { return unary([](double x) { return -x; }); })
      .Case<MulOp>([&](auto) { return binary([](double x, double y) { return x * y; }); })
      .Case<DivOp>([&](auto) { return binary([](double x, double y) { return x / y; }); })
      .Case<AddOp>([&](auto) { return binary([](double x, double y) { return x + y; }); })
      .Case<SubOp>([&](auto) { return binary([](double x, double y) { return x - y; }); })
      .Case<PowOp>([&](auto) { return binary([](double x, double y) { return std::pow(x, y); }); })
      .Default(std::nullopt);
}

void ConstantFacts::forget(mlir::Operation* op) {
  for (mlir::Value result : op->getResults()) {
    constants_.erase(result);
    scalars_.erase(result);
  }
}

}  // namespace tfrt::compiler::graph
