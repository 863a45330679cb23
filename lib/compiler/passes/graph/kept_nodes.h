// The nodes of a model that a pass to narrower numbers leaves in f32, because a user named them.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_KEPT_NODES_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_KEPT_NODES_H_

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tfrt::compiler::graph {

class KeptNodes {
 public:
  explicit KeptNodes(llvm::ArrayRef<std::string> names) : names_(names) {}

  // Whether a node that the op computes is one of them.
  bool has(mlir::Operation* op);
  // Fails, with an error, if no op that was asked for has one of the names. The text says what the
  // ops are: "product with a constant matrix".
  llvm::LogicalResult checkAllFound(mlir::func::FuncOp function, llvm::StringRef what) const;

 private:
  llvm::ArrayRef<std::string> names_;
  llvm::StringSet<> found_;
};

// The name of the node that the op computes, in quotes; "an unnamed KIND" if it has none.
std::string nodeNameOf(mlir::Operation* op, llvm::StringRef kind);

// "1.5 kB"
std::string sizeText(size_t bytes);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_KEPT_NODES_H_
