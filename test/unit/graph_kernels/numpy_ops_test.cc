// Graph ops on the inputs of test/numpy/cases/graph_*.bin, whose results NumPy computed
// (make_graph_cases.py), with one thread and with two.

#include <string>
#include <vector>

#include "graph_op_runner.h"
#include "test/unit/host_ops/numpy_op_check.h"

namespace tfrt {
namespace {

class NumpyGraphOpsTest : public testing::TestWithParam<const char*> {};

TEST_P(NumpyGraphOpsTest, OpsComputeWhatNumpyDoes) {
  const std::vector<NumpyOpCase> cases = NumpyOpCase::ReadAll(GetParam());
  for (const char* queue : {"s", "mstd:2"}) {
    SCOPED_TRACE(std::string("queue ") + queue);
    GraphOpRunner runner(queue);
    ExpectNumpyCases(&runner, cases);
  }
}

INSTANTIATE_TEST_SUITE_P(AllFamilies, NumpyGraphOpsTest, testing::ValuesIn(kNumpyGraphFamilies),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tfrt
