// Stream analysis of an MLIR block.
#ifndef TFRT_LIB_COMPILER_CONVERSION_BLOCK_STREAMS_H_
#define TFRT_LIB_COMPILER_CONVERSION_BLOCK_STREAMS_H_

#include "mlir/IR/Block.h"
#include "stream_analysis.h"

namespace tfrt::compiler {

// Analyzes all ops of `block`; node i + 1 of the result is its i-th op. Options are the attributes
// tfrt.cost_threshold and tfrt.merge_inter_dependent_streams of the function that owns the block,
// or otherwise of the closest module. Costs are those of opinfo by op name.
StreamAssignment analyzeBlock(mlir::Block& block);

// Logs the maximal cost, for callers that requested the analysis.
void logStreams(mlir::Block& block, const StreamAssignment& streams);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_CONVERSION_BLOCK_STREAMS_H_
