// Functions instead of the regions of graph ops.
#ifndef TFRT_LIB_COMPILER_PASSES_OUTLINE_REGIONS_H_
#define TFRT_LIB_COMPILER_PASSES_OUTLINE_REGIONS_H_

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tfrt::compiler {

// Each graph.if and graph.loop of the function becomes a graph.if_call or graph.loop_call of new
// private functions behind it.
void outlineRegions(mlir::func::FuncOp function);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_PASSES_OUTLINE_REGIONS_H_
