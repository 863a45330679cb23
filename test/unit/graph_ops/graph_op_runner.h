// Runs graph ops on the host by name.
#ifndef TFRT_TEST_UNIT_GRAPH_OPS_GRAPH_OP_RUNNER_H_
#define TFRT_TEST_UNIT_GRAPH_OPS_GRAPH_OP_RUNNER_H_

#include <memory>
#include <string_view>

#include "test/unit/core_runtime_ops/host_op_runner.h"
#include "tfrt/core_runtime/graph_ops.h"

namespace tfrt {

// HostOpRunner for "graph.X". What a call leaves out of the attributes has its default, as in
// programs.
class GraphOpRunner : public HostOpRunner {
 public:
  explicit GraphOpRunner(std::string_view queue = "s")
      : HostOpRunner(queue, CreateMallocAllocator(), &GraphOps()) {}
};

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_GRAPH_OPS_GRAPH_OP_RUNNER_H_
