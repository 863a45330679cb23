// Runs graph ops on the host by name.
#ifndef TFRT_TEST_UNIT_GRAPH_KERNELS_GRAPH_OP_RUNNER_H_
#define TFRT_TEST_UNIT_GRAPH_KERNELS_GRAPH_OP_RUNNER_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "lib/ops/host_ops/graph_ops.h"
#include "test/unit/host_ops/host_op_runner.h"

namespace tfrt {

// HostOpRunner for "graph.X". What a call leaves out of the attributes has its default, as in
// programs.
class GraphOpRunner : public HostOpRunner {
 public:
  explicit GraphOpRunner(std::string_view queue = "s")
      : HostOpRunner(queue, CreateMallocAllocator(), &GraphOps()) {}
};

// One row of numbers, and one number.
inline TensorHandle I64s(GraphOpRunner& runner, const std::vector<int64_t>& numbers) {
  return runner.Dense<int64_t>({static_cast<int64_t>(numbers.size())}, numbers);
}
inline TensorHandle I64(GraphOpRunner& runner, int64_t number) {
  return runner.Dense<int64_t>({}, {number});
}

// An attribute that is a text.
struct Mode : OpAttrs {
  Mode(const char* name, const char* value) { SetString(name, value); }
};

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_GRAPH_KERNELS_GRAPH_OP_RUNNER_H_
