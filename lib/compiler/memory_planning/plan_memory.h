// Memory planning of MLIR functions (docs/compiler.md): tensors of known shape that a
// function makes for its own use become parts of one buffer.
#ifndef TFRT_LIB_COMPILER_MEMORY_PLANNING_PLAN_MEMORY_H_
#define TFRT_LIB_COMPILER_MEMORY_PLANNING_PLAN_MEMORY_H_

#include <cstddef>
#include <cstdint>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace mlir {
class Operation;
namespace func {
class FuncOp;
}  // namespace func
}  // namespace mlir

namespace tfrt::compiler {

struct PlannedMemory {
  size_t num_tensors = 0;  // tfrt_dht.create_uninitialized_tensor ops before planning
  size_t num_planned = 0;  // those that became parts of the buffer; 0: nothing was changed
  int64_t unplanned_bytes = 0;
  int64_t planned_bytes = 0;
  int64_t lower_bound_bytes = 0;
};

// Plans one function and rewrites it. Fewer than two tensors that can be planned stay as they are.
// Sync functions, declarations, functions of several blocks and those with the attribute
// `tfrt.memory_planned` are not changed. This function sets that attribute. The callback `explain`
// receives the reason for each tensor that is not planned.
PlannedMemory planMemory(
    mlir::func::FuncOp function,
    llvm::function_ref<void(mlir::Operation* tensor, const llvm::Twine& reason)> explain);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_MEMORY_PLANNING_PLAN_MEMORY_H_
