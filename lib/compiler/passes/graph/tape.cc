// Element-wise ops that are left over, chain by chain as one op: tapes
// (lib/format/op_table/elementwise_tape.h), which compute block by block what would go through
// memory.

#include "lib/format/op_table/elementwise_tape.h"

#include <cmath>
#include <limits>

#include "graph_passes.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Pass/Pass.h"
#include "quantized.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_TAPEPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

std::optional<ElementwiseOp> tapeOpOf(Operation* op) {
  const OpDescription* row = descriptionOf(op);
  auto found = row ? FindElementwiseOp(row->name) : std::nullopt;
  if (!found || !IsTapeOp(*found)) return std::nullopt;
  if (*found == ElementwiseOp::kGelu && boolOf(op, "approximate")) return ElementwiseOp::kGeluTanh;
  return found;
}

// The numbers of `dequantize` and `quantize` with one scale: their ops check scales, tapes do not.
struct Scaling {
  float scale = 1, zero = 0;
};
std::optional<Scaling> scalingOf(Operation* op, ValueFacts& facts) {
  auto of_op = quantizationOf(op, facts);
  auto scale = of_op && of_op->is_one ? facts.scalarOf(of_op->scale) : std::nullopt;
  auto zero = of_op && of_op->zero ? facts.scalarOf(of_op->zero) : std::optional(0.0);
  if (!scale || !zero || !std::isfinite(*scale) || *scale <= 0) return std::nullopt;
  return Scaling{static_cast<float>(*scale), static_cast<float>(*zero)};
}

DType elementOf(Value value) { return valueTypeOf(value.getType()).dtype; }

// True if the op's result and operands are f32, or truth or bytes where tapes support that.
bool fitsTape(Operation* op, ValueFacts& facts) {
  if (mlir::isa<QuantizeOp, DequantizeOp>(op)) {
    return !facts.isConstant(op->getResult(0)) && scalingOf(op, facts);
  }
  auto kind = tapeOpOf(op);
  if (!kind || facts.isConstant(op->getResult(0))) return false;
  const DType result = elementOf(op->getResult(0));
  if (result != DType::kF32 && result != DType::kI1) return false;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    const bool is_condition = *kind == ElementwiseOp::kSelect && i == 0;
    if (elementOf(operand) != (is_condition ? DType::kI1 : DType::kF32)) return false;
  }
  return true;
}

// The number of a constant with one element, which is nobody's size.
std::optional<float> numberIn(Value value) {
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() != 1) return std::nullopt;
  if (!type.getElementType().isF32() || !made<ConstantOp>(value)) return std::nullopt;
  auto number = ConstantFacts().scalarOf(value);
  return number ? std::optional(static_cast<float>(*number)) : std::nullopt;
}

class TapeWriter {
 public:
  explicit TapeWriter(ValueFacts& facts) : facts_(facts) {}

  // Writes the ops in the order of the program; the last one is the result. Returns false if they
  // do not fit.
  bool write(llvm::ArrayRef<Operation*> ops) {
    llvm::DenseMap<Value, unsigned> last_reads;
    for (auto [i, op] : llvm::enumerate(ops)) {
      for (Value operand : op->getOperands()) last_reads[operand] = static_cast<unsigned>(i);
    }
    for (auto [i, op] : llvm::enumerate(ops)) {
      TapeStep step;
      if (!readOperands(op, step)) return false;
      // A slot that is read for the last time may be written by the same step.
      for (Value operand : op->getOperands()) {
        auto slot = slots_.find(operand);
        if (slot == slots_.end() || last_reads[operand] != i) continue;
        is_used_[slot->second] = false;
        slots_.erase(slot);
      }
      auto* free = std::ranges::find(is_used_, false);
      if (free == std::end(is_used_)) return false;
      *free = true;
      step.destination = static_cast<uint8_t>(free - is_used_);
      slots_[op->getResult(0)] = step.destination;
      append(step);
      if (mlir::isa<DequantizeOp>(op) && step.op == ElementwiseOp::kSub) {
        append({.op = ElementwiseOp::kMul,
                .destination = step.destination,
                .operands = {TapeOperand{Kind::kSlot, step.destination},
                             constant(scalingOf(op, facts_)->scale)}});
      }
    }
    return arguments.size() <= static_cast<size_t>(kMaxTapeArguments) && steps_ <= kMaxTapeSteps;
  }

  void take(TapeWriter&& other) {
    program = std::move(other.program);
    constants = std::move(other.constants);
    arguments = std::move(other.arguments);
  }

  std::vector<int64_t> program;
  std::vector<float> constants;
  llvm::SmallVector<Value> arguments;

 private:
  using Kind = TapeOperand::Kind;

  TapeOperand constant(float number) {
    auto found = std::ranges::find_if(constants, [&](float each) {
      return llvm::bit_cast<uint32_t>(each) == llvm::bit_cast<uint32_t>(number);
    });
    if (found == constants.end()) found = constants.insert(found, number);
    return {Kind::kConstant, static_cast<uint16_t>(found - constants.begin())};
  }
  TapeOperand read(Value value) {
    if (auto slot = slots_.find(value); slot != slots_.end()) return {Kind::kSlot, slot->second};
    if (auto number = numberIn(value)) return constant(*number);
    auto* found = llvm::find(arguments, value);
    if (found == arguments.end()) {
      arguments.push_back(value);
      found = arguments.end() - 1;
    }
    return {Kind::kArgument, static_cast<uint16_t>(found - arguments.begin())};
  }
  void append(const TapeStep& step) {
    AppendTapeStep(step, &program);
    ++steps_;
  }
  // (x - zero) * scale, of which a zero point of 0 leaves one step.
  void readScaling(Operation* op, TapeStep& step) {
    const Scaling scaling = *scalingOf(op, facts_);
    step.operands[0] = read(op->getOperand(0));
    if (mlir::isa<QuantizeOp>(op)) {
      step.op = elementOf(op->getResult(0)) == DType::kUI8 ? ElementwiseOp::kQuantizeU8
                                                           : ElementwiseOp::kQuantizeI8;
      step.operands[1] = constant(scaling.scale);
      step.operands[2] = constant(scaling.zero);
      return;
    }
    step.op = scaling.zero == 0 ? ElementwiseOp::kMul : ElementwiseOp::kSub;
    step.operands[1] = constant(scaling.zero == 0 ? scaling.scale : scaling.zero);
  }
  bool readOperands(Operation* op, TapeStep& step) {
    if (mlir::isa<QuantizeOp, DequantizeOp>(op)) {
      readScaling(op, step);
      return true;
    }
    step.op = *tapeOpOf(op);
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    size_t count = 0;
    for (Value argument : argumentsOf(op)) {
      // Only bounds may be left out.
      step.operands[count] = argument ? read(argument) : constant(-kInfinity);
      ++count;
    }
    if (auto clip = mlir::dyn_cast<ClipOp>(op)) {
      if (count < 2) step.operands[1] = constant(-kInfinity);
      if (!clip.argument("max")) step.operands[2] = constant(kInfinity);
      count = 3;
    }
    const OpDescription* row = descriptionOf(op);
    for (size_t i = 0; i < ParametersOf(step.op); ++i) {
      llvm::StringRef name(row->attrs[i].name.data(), row->attrs[i].name.size());
      const bool is_truth = row->attrs[i].kind == OpAttrSpec::Kind::kBool;
      step.operands[count++] = constant(is_truth ? static_cast<float>(boolOf(op, name))
                                                 : static_cast<float>(numberOf(op, name)));
    }
    return count == OperandsOf(step.op);
  }

  llvm::DenseMap<Value, uint8_t> slots_;
  bool is_used_[kTapeSlots] = {};
  size_t steps_ = 0;
  ValueFacts& facts_;
};

class TapeFusion {
 public:
  explicit TapeFusion(mlir::func::FuncOp function)
      : function_(function), facts_(function), rewriter_(function.getContext(), &facts_) {}

  void run() {
    llvm::SmallVector<Operation*> ops;
    function_.walk([&](Operation* op) {
      if (fitsTape(op, facts_)) ops.push_back(op);
    });
    for (Operation* op : llvm::reverse(ops)) {
      if (taken_.contains(op)) continue;
      if (elementOf(op->getResult(0)) == DType::kF32 || mlir::isa<QuantizeOp>(op)) fuse(op);
    }
  }

  unsigned num_tapes = 0, num_ops = 0;

 private:
  // With all before it that nothing else needs and that is as large.
  void fuse(Operation* root) {
    llvm::SetVector<Operation*> group;
    group.insert(root);
    TapeWriter tape(facts_);
    if (!tape.write(group.getArrayRef())) return;
    for (size_t i = 0; i < group.size(); ++i) {
      for (Value operand : group[i]->getOperands()) {
        Operation* op = operand.getDefiningOp();
        if (!op || group.contains(op) || taken_.contains(op) || !belongs(op, root, group)) continue;
        group.insert(op);
        TapeWriter larger(facts_);
        if (larger.write(inOrder(group))) {
          tape.take(std::move(larger));
        } else {
          group.pop_back();
        }
      }
    }
    if (group.size() < 2) return;
    Replacement make(rewriter_, facts_, root);
    GraphBuilder& graph = make.graph();
    const size_t count = group.size();
    llvm::SmallVector<Operation*> ops = inOrder(group);
    // Constants have no size of their own: the arguments must have all that the result has.
    Value result = make.value("elementwise_tape", tape.arguments,
                              {graph.attribute("constants", llvm::ArrayRef<float>(tape.constants)),
                               graph.attribute("program", llvm::ArrayRef<int64_t>(tape.program))});
    if (!result) return;
    if (!facts_.haveSameShape(result, root->getResult(0))) {
      rewriter_.eraseOp(result.getDefiningOp());
      return;
    }
    for (Operation* op : ops) taken_.insert(op);
    if (mlir::failed(make.finish(result))) return;
    for (Operation* op : llvm::reverse(ops)) {
      if (op != root) rewriter_.eraseOp(op);
    }
    ++num_tapes;
    num_ops += static_cast<unsigned>(count);
  }

  bool belongs(Operation* op, Operation* root, const llvm::SetVector<Operation*>& group) {
    return op->getBlock() == root->getBlock() && fitsTape(op, facts_) &&
           facts_.haveSameShape(op->getResult(0), root->getResult(0)) &&
           llvm::all_of(op->getResult(0).getUsers(),
                        [&](Operation* user) { return group.contains(user); });
  }

  static llvm::SmallVector<Operation*> inOrder(const llvm::SetVector<Operation*>& group) {
    llvm::SmallVector<Operation*> ops(group.begin(), group.end());
    llvm::sort(ops, [](Operation* a, Operation* b) { return a->isBeforeInBlock(b); });
    return ops;
  }

  mlir::func::FuncOp function_;
  ValueFacts facts_;
  mlir::IRRewriter rewriter_;
  llvm::DenseSet<Operation*> taken_;
};

struct TapePass : impl::TapePassBase<TapePass> {
  using TapePassBase::TapePassBase;
  void runOnOperation() override {
    if (getOperation().isExternal()) return;
    TapeFusion fusion(getOperation());
    fusion.run();
    updateResultTypes(getOperation());
    if (remarks) {
      getOperation().emitRemark() << "put " << fusion.num_ops << " ops into " << fusion.num_tapes
                                  << " tapes";
    }
  }
};

}  // namespace

}  // namespace tfrt::compiler::graph
