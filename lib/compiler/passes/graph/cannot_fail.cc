#include "cannot_fail.h"

#include "dialects/graph/graph_dialect.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tfrt::compiler::graph {
namespace {

bool isStatic(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

}  // namespace

bool cannotFail(mlir::Operation* op) {
  if (!mlir::isa<AbsOp, AddOp, BatchMatmulOp, BiasAddOp, BroadcastToOp, CastOp, ConcatOp, CosOp,
                 DequantizeOp, DivOp, ErfOp, ExpandDimsOp, ExpOp, GeluOp, IdentityOp, LogOp,
                 MatmulOp, MaximumOp, MinimumOp, MulOp, NegOp, PackFilterOp, PackMatrixOp,
                 ReciprocalOp, ReduceMaxOp, ReduceMeanOp, ReduceMinOp, ReduceSumOp, ReluOp,
                 ReshapeOp, RsqrtOp, SigmoidOp, SinOp, SoftmaxOp, SqrtOp, SqueezeOp, SubOp, TanhOp,
                 TransposeOp>(op)) {
    return false;
  }
  auto isFloat = [](mlir::Type type) {
    return mlir::isa<mlir::FloatType>(mlir::cast<mlir::TensorType>(type).getElementType());
  };
  // Axes and permutations are constants that the op table has looked at.
  auto isKnown = [&](mlir::Value operand) {
    return isFloat(operand.getType()) || operand.getDefiningOp<ConstantOp>();
  };
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic) && llvm::all_of(op->getOperands(), isKnown) &&
         isFloat(op->getResult(0).getType());
}

}  // namespace tfrt::compiler::graph
