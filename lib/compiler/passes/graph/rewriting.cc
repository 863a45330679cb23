#include "rewriting.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tfrt::compiler::graph {
namespace {

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

class AnyOpPattern final : public mlir::RewritePattern {
 public:
  AnyOpPattern(mlir::MLIRContext* context, Rule<mlir::Operation*> rule, ValueFacts& facts)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context), rule_(rule), facts_(facts) {}
  llvm::LogicalResult matchAndRewrite(mlir::Operation* op,
                                      mlir::PatternRewriter& rewriter) const override {
    Replacement make(rewriter, facts_, op);
    return rule_(op, make, facts_);
  }

 private:
  const Rule<mlir::Operation*> rule_;
  ValueFacts& facts_;
};

}  // namespace

void addRule(mlir::RewritePatternSet& patterns, ValueFacts& facts, Rule<mlir::Operation*> rule) {
  patterns.add<AnyOpPattern>(patterns.getContext(), rule, facts);
}

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

std::optional<std::vector<int64_t>> targetOf(const SymbolicShape& shape) {
  if (!shape.has_rank()) return std::nullopt;
  std::vector<int64_t> sizes;
  bool has_open = false, has_zero = false;
  for (Dim dim : shape.dims()) {
    if (!dim.is_known() && has_open) return std::nullopt;
    has_open |= !dim.is_known();
    has_zero |= dim.is(0);
    sizes.push_back(dim.is_known() ? dim.value() : -1);
  }
  if (has_open && has_zero) return std::nullopt;
  return sizes;
}

mlir::NamedAttrList tableAttributesOf(mlir::Operation* op) {
  mlir::NamedAttrList attributes;
  for (const OpAttrSpec& spec : descriptionOf(op)->attrs) {
    llvm::StringRef name(spec.name);
    if (mlir::Attribute value = op->getAttr(name)) attributes.append(name, value);
  }
  return attributes;
}

std::array<std::pair<mlir::Value, mlir::Value>, 2> laterFirst(mlir::Operation* op) {
  auto orders = eitherOrder(op);
  mlir::Operation *a = op->getOperand(0).getDefiningOp(), *b = op->getOperand(1).getDefiningOp();
  if (a && b && a->getBlock() == b->getBlock() && a->isBeforeInBlock(b)) {
    std::swap(orders[0], orders[1]);
  }
  return orders;
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

// Ops that were made in vain go at once: the driver takes the end of ops that are not used for a
// change, tries again, and never ends.
llvm::LogicalResult Replacement::drop(mlir::Value value) {
  llvm::SmallVector<mlir::Operation*> unused = {value.getDefiningOp()};
  llvm::SmallPtrSet<mlir::Operation*, 8> erased;
  while (!unused.empty()) {
    mlir::Operation* op = unused.pop_back_val();
    if (!op || erased.contains(op) || !mlir::isOpTriviallyDead(op)) continue;
    for (mlir::Value operand : op->getOperands()) unused.push_back(operand.getDefiningOp());
    erased.insert(op);
    rewriter_.eraseOp(op);
  }
  return mlir::failure();
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
  if (type != old.getType() && !llvm::all_of(old.getUsers(), keepsType)) return drop(value);
  if (type != value.getType() && !llvm::all_of(value.getUsers(), keepsType)) {
    type = value.getType();
    if (type != old.getType()) return drop(value);
  }
  if (type != value.getType()) {
    rewriter_.modifyOpInPlace(maker, [&] { value.setType(type); });
  }
  facts_.refine(value, known);
  rewriter_.replaceAllUsesWith(old, value);
  rewriter_.eraseOp(op_);
  return mlir::success();
}

std::optional<bool> isExact(llvm::StringRef numerics, mlir::func::FuncOp function) {
  if (numerics == "exact" || numerics == "fast") return numerics == "exact";
  function.emitError("unknown numerics '") << numerics << "', expected exact or fast";
  return std::nullopt;
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
  // Constants stay where they are used: values that are hoisted later are not hoisted here.
  config.enableConstantCSE(false);
  auto ended = mlir::applyPatternsGreedily(function, std::move(patterns), config);
  updateResultTypes(function);
  return ended;
}

}  // namespace tfrt::compiler::graph
