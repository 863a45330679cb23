// Leaves out each record and each wait of each scenario in turn. The double must report every one
// of them, whichever streams it happens to run first, and nothing where nothing is left out.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/gpu/drop_one/dropping_driver.h"
#include "test/gpu/drop_one/scenarios.h"

namespace tfrt::gpu::test {
namespace {

struct Outcome {
  bool good = false;
  std::vector<std::string> calls, reports;
};

class DropOneTest : public testing::TestWithParam<Scenario> {
 protected:
  void SetUp() override {
    std::string why;
    driver_ = OpenRawDriver(&why);
    if (!driver_) GTEST_SKIP() << "no CUDA driver: " << why;
    if (!driver_->is_double()) GTEST_SKIP() << "only the test double reports what is left out";
  }

  // Runs the scenario in a context of its own.
  Outcome Run(int dropped) {
    Outcome outcome;
    cuda::CUcontext context = nullptr;
    EXPECT_EQ(cuda::CUDA_SUCCESS, driver_->cuCtxCreate_v2(&context, 0, 0));
    DroppingDriver dropping(*driver_, dropped);
    Stage stage(dropping.table());
    outcome.good = GetParam().run(stage);
    driver_->cuCtxSynchronize();  // what has not run yet is checked as well
    outcome.reports = TakeReports(*driver_);
    outcome.calls = dropping.calls();
    EXPECT_EQ(cuda::CUDA_SUCCESS, driver_->cuCtxDestroy_v2(context));
    driver_->clear_reports();
    driver_->inject("");  // a fault has ended the process's work
    return outcome;
  }

  const RawDriver* driver_ = nullptr;
};

TEST_P(DropOneTest, NothingIsReportedWithoutADrop) {
  Outcome outcome = Run(-1);
  EXPECT_TRUE(outcome.good);
  EXPECT_EQ(std::vector<std::string>(), outcome.reports);
  EXPECT_GE(outcome.calls.size(), 2u);
}

TEST_P(DropOneTest, EveryDropIsReported) {
  size_t num_calls = Run(-1).calls.size();
  for (size_t i = 0; i < num_calls; ++i) {
    Outcome outcome = Run(static_cast<int>(i));
    EXPECT_FALSE(outcome.reports.empty())
        << "call " << i << " of " << num_calls << ", " << outcome.calls[i] << ", was left out";
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, DropOneTest, testing::ValuesIn(AllScenarios()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tfrt::gpu::test
