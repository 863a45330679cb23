// -cast-tfrt-streamify: removes the casts that the other passes leave. Events are made of streams
// where tokens need them.

#include "gpu_passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::gpu {

#define GEN_PASS_DEF_CASTSTREAMIFYPASS
#include "lib/compiler/gpu_passes.h.inc"

namespace {

using mlir::Type;
using mlir::Value;
using Cast = mlir::UnrealizedConversionCastOp;

// The operands of the cast before this one if both together change nothing.
mlir::ValueRange valuesBefore(Cast cast) {
  if (cast.getInputs().empty()) return {};
  auto before = cast.getInputs().front().getDefiningOp<Cast>();
  if (!before || before.getResults() != cast.getInputs() ||
      before.getInputs().getTypes() != cast.getResultTypes()) {
    return {};
  }
  return before.getInputs();
}

// A token of a stream as one of a new event, which stands for the stream's work so far.
llvm::SmallVector<Value, 2> makeEvent(Cast cast) {
  const bool is_one_to_two = cast.getInputs().size() == 1 && cast.getNumResults() == 2;
  if (!is_one_to_two || !mlir::isa<ChainType>(cast.getResult(0).getType()) ||
      !mlir::isa<EventType>(cast.getResult(1).getType())) {
    return {};
  }
  std::optional<TokenParts> parts = partsOf(cast.getInputs().front());
  if (!parts || !parts->isOfStream()) return {};
  Value context = contextFor(cast);
  if (!context) return {};
  KernelBuilder builder(cast);
  Value event = builder.makeOne<EventType>("tfrt_gpu.event.create", context);
  Value chain = builder.makeChain("tfrt_gpu.event.record", {event, parts->second, parts->chain});
  return {chain, event};
}

// An index, for kernels that have no such type.
Value numberOf(Cast cast) {
  if (cast.getInputs().size() != 1 || cast.getNumResults() != 1) return {};
  auto constant = cast.getInputs().front().getDefiningOp<mlir::arith::ConstantOp>();
  auto type = mlir::dyn_cast<mlir::IntegerType>(cast.getResult(0).getType());
  const bool is_number =
      type && !type.isSigned() && (type.getWidth() == 32 || type.getWidth() == 64);
  if (!constant || !constant.getType().isIndex() || !is_number) return {};
  return KernelBuilder(cast).makeConstant(type, *constantOf(constant));
}

struct CastStreamifyPass : impl::CastStreamifyPassBase<CastStreamifyPass> {
  void runOnOperation() override {
    llvm::SmallVector<Cast> casts;
    getOperation().walk<mlir::WalkOrder::PreOrder>([&](Cast cast) { casts.push_back(cast); });
    for (Cast cast : casts) replaceUses(cast);
    Cast illegal;
    for (Cast cast : llvm::reverse(casts)) {
      if (!cast->use_empty()) {
        illegal = cast;
        continue;
      }
      llvm::SmallVector<Value> inputs(cast.getInputs());
      cast.erase();
      for (Value input : inputs) eraseUnusedConstant(input);
    }
    if (!illegal) return;
    (void)reportIllegal(illegal);
    signalPassFailure();
  }

 private:
  static void replaceUses(Cast cast) {
    if (cast->use_empty()) return;
    if (mlir::ValueRange before = valuesBefore(cast); !before.empty()) {
      cast->replaceAllUsesWith(before);
    } else if (auto event = makeEvent(cast); !event.empty()) {
      cast->replaceAllUsesWith(event);
    } else if (Value number = numberOf(cast)) {
      cast->replaceAllUsesWith(mlir::ValueRange(number));
    }
  }
};

}  // namespace
}  // namespace tfrt::compiler::gpu
