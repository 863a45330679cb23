#include "tfrt/compiler/block_streams.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "tfrt/opinfo/op_cost.h"
#include "tfrt/support/logging.h"

namespace tfrt::compiler {
namespace {

template <typename Attr>
Attr findOption(mlir::Block& block, llvm::StringRef name) {
  mlir::Operation* parent = block.getParentOp();
  if (auto function = mlir::dyn_cast<mlir::func::FuncOp>(parent)) {
    if (auto attribute = function->getAttrOfType<Attr>(name)) return attribute;
  }
  auto module = parent->getParentOfType<mlir::ModuleOp>();
  return module ? module->getAttrOfType<Attr>(name) : Attr();
}

StreamOptions readOptions(mlir::Block& block) {
  StreamOptions options;
  if (auto threshold = findOption<mlir::IntegerAttr>(block, "tfrt.cost_threshold")) {
    options.cost_threshold = threshold.getValue().getSExtValue();
  }
  if (auto merge = findOption<mlir::BoolAttr>(block, "tfrt.merge_inter_dependent_streams")) {
    options.merge_inter_dependent_streams = merge.getValue();
  }
  return options;
}

int64_t costOf(mlir::Operation& op, int64_t threshold) {
  OpCost cost = LookUpOpCost(op.getName().getStringRef());
  if (cost.kind == OpCost::Kind::kFixed) return cost.fixed;
  if (cost.kind == OpCost::Kind::kAttribute) {
    if (auto attribute = op.getAttrOfType<mlir::IntegerAttr>(cost.attribute)) {
      return std::max<int64_t>(1, attribute.getValue().getSExtValue());
    }
  }
  return threshold;
}

bool isChain(mlir::Type type) {
  return type.getDialect().getNamespace() == "tfrt" && type.getAbstractType().getName() == "tfrt.chain";
}

}  // namespace

StreamAssignment analyzeBlockStreams(mlir::Block& block, llvm::StringRef name) {
  StreamOptions options = readOptions(block);
  int64_t threshold = std::max<int64_t>(1, options.cost_threshold);
  llvm::DenseMap<mlir::Operation*, int> index;
  std::vector<StreamOp> ops;
  for (mlir::Operation& op : block) {
    StreamOp& stream_op = ops.emplace_back();
    stream_op.cost = costOf(op, threshold);
    llvm::StringRef op_name = op.getName().getStringRef();
    stream_op.is_return = op_name == "tfrt.return" || op_name == "func.return";
    for (mlir::Value operand : op.getOperands()) {
      auto found = index.find(operand.getDefiningOp());
      int definition = operand.getDefiningOp() && found != index.end() ? found->second : kRootOp;
      stream_op.operands.push_back({definition, isChain(operand.getType())});
    }
    index[&op] = static_cast<int>(ops.size()) - 1;
  }
  StreamAssignment result = AssignStreams(ops, options);
  TFRT_LOG(INFO) << "StreamAnalysis: max_cost for function "
                 << (name.empty() ? std::string("unknown") : name.str()) << " is "
                 << result.max_cost;
  return result;
}

}  // namespace tfrt::compiler
