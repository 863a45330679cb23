#include "kept_nodes.h"

#include "llvm/Support/FormatVariadic.h"

namespace tfrt::compiler::graph {
namespace {

// The names of the nodes that an op computes.
void addNames(mlir::Location location, llvm::SmallVectorImpl<llvm::StringRef>& names) {
  if (auto name = mlir::dyn_cast<mlir::NameLoc>(location)) names.push_back(name.getName());
  if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(location)) {
    for (mlir::Location part : fused.getLocations()) addNames(part, names);
  }
}

}  // namespace

bool KeptNodes::has(mlir::Operation* op) {
  llvm::SmallVector<llvm::StringRef> names;
  addNames(op->getLoc(), names);
  bool is_kept = false;
  for (const std::string& name : names_) {
    if (!llvm::is_contained(names, name)) continue;
    found_.insert(name);
    is_kept = true;
  }
  return is_kept;
}

llvm::LogicalResult KeptNodes::checkAllFound(mlir::func::FuncOp function,
                                             llvm::StringRef what) const {
  for (const std::string& name : names_) {
    if (found_.contains(name)) continue;
    return mlir::emitError(function.getLoc()) << "no " << what << " is named '" << name << "'";
  }
  return llvm::success();
}

std::string nodeNameOf(mlir::Operation* op, llvm::StringRef kind) {
  llvm::SmallVector<llvm::StringRef> names;
  addNames(op->getLoc(), names);
  return names.empty() ? ("an unnamed " + kind).str() : ("'" + names.front() + "'").str();
}

std::string sizeText(size_t bytes) {
  const auto size = static_cast<double>(bytes);
  return bytes < 1'000'000 ? llvm::formatv("{0:f1} kB", size * 1e-3).str()
                           : llvm::formatv("{0:f1} MB", size * 1e-6).str();
}

}  // namespace tfrt::compiler::graph
