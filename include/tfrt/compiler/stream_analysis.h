// Stream analysis: which ops of a block should run on the same thread. The algorithm is described in
// docs/language.md ("Streams"); its results are stored in the BEF file and are part of what programs can
// observe under the single-threaded queue, so it is followed to the letter. Plain data, no MLIR.
#ifndef TFRT_COMPILER_STREAM_ANALYSIS_H_
#define TFRT_COMPILER_STREAM_ANALYSIS_H_

#include <cstdint>
#include <vector>

namespace tfrt::compiler {

inline constexpr int kRootOp = -1;  // stands for the entry of the block, which defines its arguments

struct StreamOperand {
  int definition = kRootOp;  // index of the defining op
  bool is_chain = false;
};

struct StreamOp {
  int64_t cost = 1;
  bool is_return = false;
  std::vector<StreamOperand> operands;
};

struct StreamOptions {
  int64_t cost_threshold = 0;  // not positive: automatic
  bool merge_inter_dependent_streams = false;
};

struct StreamAssignment {
  struct Stream {
    int64_t cost = 0;
    int parent_op = kRootOp;  // of the root stream: no meaning
    int parent_stream = -1;
    bool used = false;        // false: merged into another stream
  };
  int root_stream = 0;
  std::vector<int> op_streams;   // by op
  std::vector<Stream> streams;   // by stream id
  int64_t max_cost = 1;
};

// `ops` in program order, the return included. An op's operands are defined by earlier ops.
StreamAssignment AssignStreams(const std::vector<StreamOp>& ops, const StreamOptions& options);

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_STREAM_ANALYSIS_H_
