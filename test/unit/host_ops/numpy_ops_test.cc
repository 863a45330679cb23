// Eager ops on the inputs of test/numpy/cases/ops_*.bin, whose results NumPy computed
// (make_op_cases.py has the format), with one thread and with two.

#include <string>
#include <vector>

#include "test/unit/host_ops/numpy_op_check.h"
#include "tfrt/maths/compute_backend.h"

namespace tfrt {
namespace {

class NumpyOpsTest : public testing::TestWithParam<const char*> {};

TEST_P(NumpyOpsTest, OpsComputeWhatNumpyDoes) {
  const std::vector<NumpyOpCase> cases = NumpyOpCase::ReadAll(GetParam());

  for (const char* queue : {"s", "mstd:2"}) {
    HostOpRunner runner(queue);
    EXPECT_TRUE(SetComputeBackend(&runner.host(), ComputeBackend::kEigen).ok());
    SCOPED_TRACE(std::string("queue ") + queue);
    ExpectNumpyCases(&runner, cases);
  }
}

INSTANTIATE_TEST_SUITE_P(AllFamilies, NumpyOpsTest, testing::ValuesIn(kNumpyOpFamilies),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tfrt
