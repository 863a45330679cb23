// Leaves out each wait of the runtime's scenarios, and each record that is waited for, in turn: all
// are needed. But those with which a context ends, and where nobody looks at what comes out, all
// but those of streams. A GPU runs them as they are.
#include <gtest/gtest.h>

#include "test/gpu/drop_one/drop_each.h"
#include "test/gpu/support/runtime_scenarios.h"

namespace tfrt::gpu::test {
namespace {

class RuntimeDropOneTest : public testing::TestWithParam<RuntimeRun> {
 protected:
  void SetUp() override {
    std::string why;
    driver_ = OpenRawDriver(&why);
    if (!driver_) GTEST_SKIP() << "no CUDA driver: " << why;
  }
  static const RuntimeScenario& scenario() { return *GetParam().scenario; }

  static DropOutcome Run(const RawDriver& driver, int dropped) {
    DropOutcome outcome;
    DroppingDriver dropping(driver, dropped);
    auto queue = CreateWorkQueue("s").value();
    {
      StatusOr<RuntimeStage> stage =
          RuntimeStage::Create(dropping.table(), *queue, GetParam().results);
      EXPECT_TRUE(stage.ok()) << stage.status().ToString();
      outcome.status = scenario().run(*stage);
      outcome.NoteCalls(dropping);
      queue->Quiesce();
    }
    outcome.reports = TakeReports(driver);
    return outcome;
  }

  const RawDriver* driver_ = nullptr;
};

TEST_P(RuntimeDropOneTest, NothingIsReportedWithoutADrop) {
  ExpectNoReportWithoutADrop(*driver_, Run);
}

TEST_P(RuntimeDropOneTest, EveryDropIsNoticed) {
  if (!driver_->is_double()) GTEST_SKIP() << "needs the test double";
  ExpectEachDropIsNoticed(*driver_, Run, /*only_of_streams=*/!scenario().reads_results);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, RuntimeDropOneTest, testing::ValuesIn(AllRuntimeRuns()),
                         [](const auto& info) { return NameOf(info.param); });

}  // namespace
}  // namespace tfrt::gpu::test
