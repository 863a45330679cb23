#include "block_streams.h"

#include "lib/base/support/logging.h"
#include "lib/format/op_table/op_cost.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

namespace tfrt::compiler {
namespace {

// The attribute of the function that owns the block, else of the closest module.
mlir::Attribute lookUpOption(mlir::Block& block, llvm::StringRef name) {
  mlir::Operation* parent = block.getParentOp();
  if (!parent) return {};
  if (llvm::isa<mlir::func::FuncOp>(parent)) {
    if (mlir::Attribute value = parent->getAttr(name)) return value;
  }
  auto module = parent->getParentOfType<mlir::ModuleOp>();
  return module ? module->getAttr(name) : mlir::Attribute();
}

StreamOptions lookUpOptions(mlir::Block& block) {
  StreamOptions options;
  if (auto threshold =
          llvm::dyn_cast_or_null<mlir::IntegerAttr>(lookUpOption(block, "tfrt.cost_threshold"))) {
    options.cost_threshold = threshold.getValue().sextOrTrunc(64).getSExtValue();
  }
  if (auto merge = llvm::dyn_cast_or_null<mlir::BoolAttr>(
          lookUpOption(block, "tfrt.merge_inter_dependent_streams"))) {
    options.merge_inter_dependent_streams = merge.getValue();
  }
  return options;
}

int64_t costOf(mlir::Operation& op, int64_t threshold) {
  llvm::StringRef name = op.getName().getStringRef();
  OpCost cost = LookUpOpCost({name.data(), name.size()});
  if (cost.kind == OpCost::Kind::kFixed) return cost.fixed;
  if (cost.kind == OpCost::Kind::kAttribute) {
    llvm::StringRef attribute(cost.attribute.data(), cost.attribute.size());
    if (auto value = op.getAttrOfType<mlir::IntegerAttr>(attribute)) {
      return value.getValue().sextOrTrunc(64).getSExtValue();
    }
  }
  return threshold;
}

bool isChain(mlir::Type type) {
  // Chains of an unregistered tfrt dialect are opaque types; the printed form is the same.
  if (type.getDialect().getNamespace() != "tfrt" && !llvm::isa<mlir::OpaqueType>(type)) {
    return false;
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text == "!tfrt.chain";
}

llvm::StringRef nameForLog(mlir::Block& block) {
  auto function = llvm::dyn_cast_or_null<mlir::func::FuncOp>(block.getParentOp());
  return function ? function.getName() : "unknown";
}

}  // namespace

StreamAssignment analyzeBlock(mlir::Block& block) {
  StreamOptions options = lookUpOptions(block);
  const int64_t threshold = options.cost_threshold > 0 ? options.cost_threshold : 1;
  llvm::DenseMap<mlir::Operation*, uint32_t> nodes;
  llvm::DenseMap<mlir::Type, bool> chains;
  std::vector<StreamOp> ops;
  for (mlir::Operation& op : block) {
    StreamOp out;
    out.cost = costOf(op, threshold);
    llvm::StringRef name = op.getName().getStringRef();
    out.is_return = name == "tfrt.return" || name == "func.return";
    for (mlir::Value operand : op.getOperands()) {
      auto [chain, is_new] = chains.try_emplace(operand.getType(), false);
      if (is_new) chain->second = isChain(operand.getType());
      // Arguments, and values from elsewhere, belong to the entry.
      out.operands.push_back({nodes.lookup(operand.getDefiningOp()), chain->second});
    }
    ops.push_back(std::move(out));
    nodes[&op] = ops.size();
  }
  return AssignStreams(ops, options);
}

void logStreams(mlir::Block& block, const StreamAssignment& streams) {
  TFRT_LOG(INFO) << "StreamAnalysis: max_cost for function " << nameForLog(block).str() << " is "
                 << streams.max_cost;
}

}  // namespace tfrt::compiler
