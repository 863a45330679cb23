#include "rewriting.h"

#include <cmath>
#include <variant>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tfrt::compiler::graph {
namespace {

// Chains that end in constants are short: scales, shapes of biases, layouts of filters.
constexpr int kMaxConstantDepth = 24;

bool isConstantWithin(mlir::Value value, int depth) {
  mlir::Operation* op = value.getDefiningOp();
  if (!op || depth == 0) return false;
  if (mlir::isa<ConstantOp>(op)) return true;
  if (!descriptionOf(op) || !mlir::isPure(op) || op->getNumOperands() == 0) return false;
  return llvm::all_of(op->getOperands(),
                      [&](mlir::Value each) { return isConstantWithin(each, depth - 1); });
}

std::optional<double> splatOf(mlir::Attribute attribute) {
  auto elements = mlir::dyn_cast<mlir::DenseElementsAttr>(attribute);
  if (!elements || !elements.isSplat()) return std::nullopt;
  if (auto floats = mlir::dyn_cast<mlir::DenseFPElementsAttr>(elements)) {
    llvm::APFloat number = floats.getSplatValue<llvm::APFloat>();
    bool loses_information;
    number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                   &loses_information);
    return number.convertToDouble();
  }
  auto integers = mlir::dyn_cast<mlir::DenseIntElementsAttr>(elements);
  if (!integers) return std::nullopt;
  llvm::APInt number = integers.getSplatValue<llvm::APInt>();
  bool is_unsigned =
      elements.getElementType().isInteger(1) || elements.getElementType().isUnsignedInteger();
  return is_unsigned ? static_cast<double>(number.getZExtValue())
                     : static_cast<double>(number.getSExtValue());
}

std::optional<double> scalarWithin(mlir::Value value, int depth);

std::optional<double> scalarOfOp(mlir::Operation* op, int depth) {
  auto argument = [&](unsigned i) { return scalarWithin(op->getOperand(i), depth - 1); };
  if (mlir::isa<ReshapeOp, ExpandDimsOp, SqueezeOp, BroadcastToOp, IdentityOp>(op)) {
    return argument(0);
  }
  auto element = mlir::cast<mlir::ShapedType>(op->getResult(0).getType()).getElementType();
  if (!mlir::isa<mlir::FloatType>(element)) return std::nullopt;
  // Scales that programs compute step by step, in f32.
  auto unary = [&](double (*apply)(double)) -> std::optional<double> {
    auto x = argument(0);
    return x ? std::optional(static_cast<double>(static_cast<float>(apply(*x)))) : std::nullopt;
  };
  auto binary = [&](double (*apply)(double, double)) -> std::optional<double> {
    auto x = argument(0), y = argument(1);
    if (!x || !y) return std::nullopt;
    return static_cast<double>(static_cast<float>(apply(*x, *y)));
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

std::optional<double> scalarWithin(mlir::Value value, int depth) {
  mlir::Operation* op = value ? value.getDefiningOp() : nullptr;
  if (!op || depth == 0) return std::nullopt;
  if (auto constant = mlir::dyn_cast<ConstantOp>(op)) return splatOf(constant.getValue());
  return descriptionOf(op) ? scalarOfOp(op, depth) : std::nullopt;
}

template <typename T>
T attributeOf(mlir::Operation* op, llvm::StringRef name) {
  const std::string_view key(name.data(), name.size());
  if (auto found = AttributeReader(op->getAttrDictionary()).Get(key)) {
    return std::get<T>(*std::move(found));
  }
  for (const OpAttrSpec& spec : descriptionOf(op)->attrs) {
    if (spec.name == key) return std::get<T>(*ParseDefault(spec));
  }
  llvm_unreachable("an attribute of the row");
}

}  // namespace

bool isConstant(mlir::Value value) { return value && isConstantWithin(value, kMaxConstantDepth); }

std::optional<double> scalarOf(mlir::Value value) { return scalarWithin(value, kMaxConstantDepth); }

bool isScalar(mlir::Value value, double number) { return scalarOf(value) == number; }

bool boolOf(mlir::Operation* op, llvm::StringRef name) { return attributeOf<bool>(op, name); }
int64_t integerOf(mlir::Operation* op, llvm::StringRef name) {
  return attributeOf<int64_t>(op, name);
}
double numberOf(mlir::Operation* op, llvm::StringRef name) { return attributeOf<float>(op, name); }
std::string textOf(mlir::Operation* op, llvm::StringRef name) {
  return attributeOf<std::string>(op, name);
}
std::vector<int64_t> integersOf(mlir::Operation* op, llvm::StringRef name) {
  return attributeOf<std::vector<int64_t>>(op, name);
}

mlir::Value Replacement::value(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                               llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  llvm::SmallVector<const ValueType*> known;
  for (mlir::Value argument : arguments) known.push_back(argument ? &facts_.of(argument) : nullptr);
  while (!known.empty() && !known.back()) known.pop_back();
  llvm::SmallVector<ValueType> results;
  mlir::Operation* op =
      createTableOp(rewriter_, op_->getLoc(), name, arguments.take_front(known.size()), known,
                    attributes, results);
  if (!op) return {};
  for (auto [result, type] : llvm::zip(op->getResults(), results)) facts_.refine(result, type);
  return op->getResult(0);
}

mlir::Value Replacement::transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation) {
  return this->value("transpose", {value, graph_.integers(permutation)});
}

mlir::Value Replacement::reshape(mlir::Value value, llvm::ArrayRef<int64_t> sizes) {
  return this->value("reshape", {value, graph_.integers(sizes)});
}

llvm::LogicalResult Replacement::finish(mlir::Value value) {
  if (!value) return mlir::failure();
  mlir::Value old = op_->getResult(0);
  ValueType known = mergedType(facts_.of(value), facts_.of(old));
  mlir::Type type = tensorType(known, rewriter_.getContext());
  // The entry of a block keeps its type, as does what an op of another kind makes.
  mlir::Operation* maker = value.getDefiningOp();
  const bool can_refine = maker && descriptionOf(maker);
  if (!can_refine) type = value.getType();
  auto keepsType = [&](mlir::Operation* user) {
    return !user->hasTrait<mlir::OpTrait::IsTerminator>() ||
           mlir::isa<mlir::func::FuncOp>(user->getParentOp());
  };
  if (type != old.getType() && !llvm::all_of(old.getUsers(), keepsType)) return mlir::failure();
  if (type != value.getType() && !llvm::all_of(value.getUsers(), keepsType)) {
    type = value.getType();
    if (type != old.getType()) return mlir::failure();
  }
  if (type != value.getType()) {
    rewriter_.modifyOpInPlace(maker, [&] { value.setType(type); });
  }
  facts_.refine(value, known);
  rewriter_.replaceAllUsesWith(old, value);
  rewriter_.eraseOp(op_);
  return mlir::success();
}

void updateResultTypes(mlir::func::FuncOp function) {
  if (function.isExternal()) return;
  mlir::Operation* end = function.getBody().back().getTerminator();
  function.setFunctionType(mlir::FunctionType::get(
      function.getContext(), function.getArgumentTypes(), end->getOperandTypes()));
}

llvm::LogicalResult applyPatterns(mlir::func::FuncOp function, ValueFacts& facts,
                                  mlir::RewritePatternSet&& patterns) {
  mlir::GreedyRewriteConfig config;
  config.setListener(&facts);
  config.enableFolding(false);
  // What is hoisted later is not: the constants stay where they are used.
  config.enableConstantCSE(false);
  auto ended = mlir::applyPatternsGreedily(function, std::move(patterns), config);
  updateResultTypes(function);
  return ended;
}

}  // namespace tfrt::compiler::graph
