#include "gpu_passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tfrt::compiler::gpu {

using mlir::Operation;
using mlir::Type;
using mlir::Value;
using mlir::ValueRange;

Operation* KernelBuilder::make(llvm::StringRef name, ValueRange operands, mlir::TypeRange results,
                               llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  mlir::OperationState state(location, name, operands, results, attributes);
  return create(state);
}

Value KernelBuilder::makeOnce(llvm::StringRef function, Value context, Type result) {
  return OnceOp::create(*this, location, result, function, context).getResult(0);
}

Value KernelBuilder::makeConstant(Type type, int64_t value) {
  std::string name;
  llvm::raw_string_ostream(name) << "tfrt.constant." << type;
  return make(name, {}, type, getNamedAttr("value", getIntegerAttr(type, value)))->getResult(0);
}

Value KernelBuilder::mergeChains(ValueRange chains) {
  if (chains.size() == 1) return chains.front();
  return makeChain("tfrt.merge.chains", chains);
}

Value KernelBuilder::makeToken(Value chain, Value second) {
  return cast({chain, second}, mlir::gpu::AsyncTokenType::get(getContext())).getResult(0);
}

std::optional<TokenParts> partsOf(Value token) {
  auto cast = token.getDefiningOp<mlir::UnrealizedConversionCastOp>();
  if (!cast || cast.getInputs().size() != 2 || cast.getNumResults() != 1) return std::nullopt;
  TokenParts parts = {cast.getInputs()[0], cast.getInputs()[1]};
  if (!mlir::isa<mlir::gpu::AsyncTokenType>(token.getType()) ||
      !mlir::isa<ChainType>(parts.chain.getType()) ||
      !mlir::isa<StreamType, EventType>(parts.second.getType())) {
    return std::nullopt;
  }
  return parts;
}

// Whether the chain that the body returns is available where the op is.
static bool isReturnedBefore(Operation* op) {
  Operation* made_by = op->getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  return !made_by || made_by->getBlock() != op->getBlock() || made_by->isBeforeInBlock(op);
}

Value chainBefore(Operation* op) {
  mlir::Block& body = *op->getBlock();
  return isReturnedBefore(op) ? body.getTerminator()->getOperand(0) : body.getArgument(0);
}

void returnChain(Operation* op, Value chain) {
  Operation* end = op->getBlock()->getTerminator();
  if (!isReturnedBefore(op)) {
    KernelBuilder builder(mlir::OpBuilder(end), op->getLoc());
    chain = builder.mergeChains({end->getOperand(0), chain});
  }
  end->setOperand(0, chain);
}

bool isIsolatedWithin(Operation* op, Operation* function) {
  for (Operation* parent = op->getParentOp(); parent != function; parent = parent->getParentOp()) {
    if (parent->mightHaveTrait<mlir::OpTrait::IsIsolatedFromAbove>()) return true;
  }
  return false;
}

Value contextFor(Operation* op) {
  constexpr llvm::StringLiteral kGetContext = "tfrt_gpu.stream.get_context";
  auto function = op->getParentOfType<mlir::func::FuncOp>();
  if (!function || isIsolatedWithin(op, function)) return {};
  mlir::Block& body = function.getBody().front();
  Operation* outer = body.findAncestorOpInBlock(*op);
  for (Operation& each : body) {
    if (&each == outer) break;
    if (each.getName().getStringRef() == kGetContext) return each.getResult(0);
  }
  if (function.getNumArguments() < 2 || !mlir::isa<StreamType>(function.getArgument(1).getType())) {
    return {};
  }
  KernelBuilder builder(mlir::OpBuilder::atBlockBegin(&body), op->getLoc());
  return builder.makeOne<ContextType>(kGetContext, function.getArgument(1));
}

std::optional<int64_t> constantOf(Value value) {
  Operation* op = value.getDefiningOp();
  if (!op || (!mlir::isa<mlir::arith::ConstantOp>(op) &&
              !op->getName().getStringRef().starts_with("tfrt.constant."))) {
    return std::nullopt;
  }
  auto number = op->getAttrOfType<mlir::IntegerAttr>("value");
  if (!number) return std::nullopt;
  return number.getType().isUnsignedInteger() ? number.getValue().getZExtValue()
                                              : number.getValue().getSExtValue();
}

void eraseUnusedConstant(Value value) {
  auto constant = value.getDefiningOp<mlir::arith::ConstantOp>();
  if (constant && constant->use_empty()) constant.erase();
}

mlir::LogicalResult reportIllegal(Operation* op) {
  return op->emitError() << "failed to legalize operation '" << op->getName()
                         << "' that was explicitly marked illegal";
}

}  // namespace tfrt::compiler::gpu
