// Stream analysis: groups the ops of one block into streams. Ops of one stream may run one after
// another on one thread while independent streams run in parallel. The algorithm
// (docs/reference/stream_analysis.md) is deterministic, because stream ids are part of the BEF
// file. Plain data, no MLIR: block_streams.h applies it to a block.
#ifndef TFRT_LIB_COMPILER_CONVERSION_STREAM_ANALYSIS_H_
#define TFRT_LIB_COMPILER_CONVERSION_STREAM_ANALYSIS_H_

#include <cstdint>
#include <vector>

namespace tfrt::compiler {

struct StreamOptions {
  // The cost from which work gets a separate stream. Not positive: automatic.
  int64_t cost_threshold = 0;
  bool merge_inter_dependent_streams = false;
};

// An operand. Node 0 is the function entry (it defines the block's arguments), node i + 1 is op i.
struct StreamOperand {
  uint32_t node = 0;  // the node that defines it; must come before the op that uses it
  bool is_chain = false;
};

struct StreamOp {
  int64_t cost = 1;
  bool is_return = false;
  std::vector<StreamOperand> operands;
};

struct Stream {
  static constexpr int64_t kNone = -1;
  int64_t cost = 0;
  int64_t parent_node = kNone;    // the node it branches off; kNone for the root stream
  int64_t parent_stream = kNone;  // that node's stream
};

struct StreamAssignment {
  int64_t max_cost = 1;
  std::vector<uint32_t> node_streams;  // per node: its stream id
  // By id. Ids have gaps: entries of streams that were merged into others are meaningless.
  std::vector<Stream> streams;

  uint32_t root_stream() const { return node_streams[0]; }
};

// Assigns each op to a stream. Costs are added without overflow: sums stay in the range of int64_t.
StreamAssignment AssignStreams(const std::vector<StreamOp>& ops, const StreamOptions& options);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_CONVERSION_STREAM_ANALYSIS_H_
