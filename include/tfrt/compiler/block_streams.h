// Stream analysis of an MLIR block.
#ifndef TFRT_COMPILER_BLOCK_STREAMS_H_
#define TFRT_COMPILER_BLOCK_STREAMS_H_

#include "llvm/ADT/StringRef.h"
#include "tfrt/compiler/stream_analysis.h"

namespace mlir {
class Block;
}  // namespace mlir

namespace tfrt::compiler {

// Streams of the block's ops, in order, the return included. The options come from attributes of the
// function that the block is the body of, else of the closest module. Logs the analysis' maximum cost
// under `name`.
StreamAssignment analyzeBlockStreams(mlir::Block& block, llvm::StringRef name);

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_BLOCK_STREAMS_H_
