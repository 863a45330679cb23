#include "fold_launches.h"

#include <cstdint>
#include <iterator>
#include <optional>

#include "dialects/tfrt_gpu/tfrt_gpu_dialect.h"
#include "lib/format/op_table/op_cost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes.h"

namespace tfrt::compiler {
namespace {

using gpu::FunctionLaunchOp;

// Returns the constant that an operand is; nothing if it is computed, or has more than 32 bits.
std::optional<uint32_t> constantOf(mlir::Value operand) {
  mlir::Operation* constant = operand.getDefiningOp();
  if (!constant) return std::nullopt;
  const llvm::StringRef name = constant->getName().getStringRef();
  if (name != "tfrt.constant.ui64" && name != "tfrt.constant.ui32") return std::nullopt;
  auto value = constant->getAttrOfType<mlir::IntegerAttr>("value");
  if (!value || value.getValue().getActiveBits() > 32) return std::nullopt;
  return static_cast<uint32_t>(value.getValue().getZExtValue());
}

// Attributes go to a kernel by their place among all of them: others would move those of sizes.
bool hasOtherAttributes(FunctionLaunchOp launch) {
  return llvm::any_of(launch->getAttrs(), [](mlir::NamedAttribute attribute) {
    return attribute.getName() != llvm::StringRef(kCostAttribute);
  });
}

// Constants that only the folded launches have used are added to `constants`.
void fold(FunctionLaunchOp launch, llvm::SetVector<mlir::Operation*>* constants) {
  if (hasOtherAttributes(launch)) return;
  const mlir::Value operands[] = {launch.getGridX(),      launch.getGridY(),  launch.getGridZ(),
                                  launch.getBlockX(),     launch.getBlockY(), launch.getBlockZ(),
                                  launch.getSharedBytes()};
  mlir::OpBuilder builder(launch);
  const mlir::Type type = builder.getIntegerType(32, /*isSigned=*/false);
  llvm::SmallVector<mlir::Attribute, std::size(operands)> sizes;
  for (mlir::Value operand : operands) {
    std::optional<uint32_t> size = constantOf(operand);
    if (!size) return;
    sizes.push_back(builder.getIntegerAttr(type, *size));
  }
  const llvm::ArrayRef<mlir::Attribute> all(sizes);
  auto folded = gpu::FunctionLaunchStaticOp::create(
      builder, launch.getLoc(), launch->getResultTypes()[0], launch.getStream(),
      launch.getFunction(), launch.getInChain(), launch.getArgs(),
      builder.getArrayAttr(all.take_front(3)), mlir::cast<mlir::IntegerAttr>(all.back()),
      builder.getArrayAttr(all.slice(3, 3)));
  folded->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  for (mlir::Value operand : operands) constants->insert(operand.getDefiningOp());
  launch.replaceAllUsesWith(folded.getOperation());
  launch.erase();
}

struct FoldLaunchesPass
    : public mlir::PassWrapper<FoldLaunchesPass, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FoldLaunchesPass)

  llvm::StringRef getArgument() const override { return "tfrt-gpu-fold-launches"; }
  llvm::StringRef getDescription() const override {
    return "Make constant sizes of launches attributes, as mlir_to_bef does";
  }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<gpu::TfrtGpuDialect>();
  }
  void runOnOperation() override { foldLaunches(getOperation()); }
};

}  // namespace

void foldLaunches(mlir::ModuleOp module) {
  llvm::SetVector<mlir::Operation*> constants;
  module.walk([&](FunctionLaunchOp launch) { fold(launch, &constants); });
  for (mlir::Operation* constant : constants) {
    if (constant->use_empty()) constant->erase();
  }
}

void registerFoldLaunchesPass() { mlir::PassRegistration<FoldLaunchesPass>(); }

}  // namespace tfrt::compiler
