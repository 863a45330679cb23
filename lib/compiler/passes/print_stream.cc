#include <map>

#include "lib/compiler/conversion/block_streams.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes.h"

namespace tfrt::compiler {
namespace {

void emitStreamRemark(mlir::Operation* op, const StreamAssignment& streams, uint32_t node,
                      const std::vector<uint32_t>& children) {
  uint32_t id = streams.node_streams[node];
  const Stream& stream = streams.streams[id];
  mlir::InFlightDiagnostic remark = op->emitRemark();
  remark << "stream id: " << id << ", stream cost: " << stream.cost
         << ", parent stream: " << stream.parent_stream;
  if (children.empty()) return;
  remark << ", child streams: [";
  llvm::interleaveComma(children, remark);
  remark << "]";
}

struct PrintStreamPass
    : public mlir::PassWrapper<PrintStreamPass, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintStreamPass)

  llvm::StringRef getArgument() const override { return "tfrt-print-stream"; }
  llvm::StringRef getDescription() const override { return "Print the stream of each op"; }

  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    markAllAnalysesPreserved();
    if (!function.getBody().hasOneBlock()) return;
    StreamAssignment streams = analyzeBlock(function.getBody().front());
    logStreams(function.getBody().front(), streams);
    // Per node: the streams that branch off there, in the order of their first ops.
    std::map<int64_t, std::vector<uint32_t>> children;
    std::vector<bool> seen(streams.streams.size(), false);
    for (uint32_t id : streams.node_streams) {
      if (seen[id]) continue;
      seen[id] = true;
      if (streams.streams[id].parent_node != Stream::kNone) {
        children[streams.streams[id].parent_node].push_back(id);
      }
    }
    emitStreamRemark(function, streams, 0, children[0]);
    uint32_t node = 0;
    for (mlir::Operation& op : function.getBody().front()) {
      ++node;
      emitStreamRemark(&op, streams, node, children[node]);
    }
  }
};

}  // namespace

void registerPrintStreamPass() { mlir::PassRegistration<PrintStreamPass>(); }

}  // namespace tfrt::compiler
