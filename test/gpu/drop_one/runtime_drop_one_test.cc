// Leaves out each wait of the runtime's scenarios, and each record that is waited for, in turn: all
// are needed. But those with which a context ends, and where nobody looks at what comes out, all
// but those of streams. The double must report what is not ordered any more, or the numbers must be
// wrong; nothing of the kind where nothing is left out.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "test/gpu/drop_one/dropping_driver.h"
#include "test/gpu/support/runtime_scenarios.h"

namespace tfrt::gpu::test {
namespace {

struct Outcome {
  Status status;
  std::vector<std::string> calls, reports;
  std::set<int> used;
};

class RuntimeDropOneTest : public testing::TestWithParam<RuntimeRun> {
 protected:
  void SetUp() override {
    std::string why;
    driver_ = OpenRawDriver(&why);
    if (!driver_ || !driver_->is_double()) GTEST_SKIP() << "needs the test double: " << why;
  }
  static const RuntimeScenario& scenario() { return *GetParam().scenario; }

  // Runs the scenario in contexts of its own.
  Outcome Run(int dropped) {
    Outcome outcome;
    DroppingDriver dropping(*driver_, dropped);
    auto queue = CreateWorkQueue("s").value();
    {
      StatusOr<RuntimeStage> stage =
          RuntimeStage::Create(dropping.table(), *queue, GetParam().results);
      EXPECT_TRUE(stage.ok()) << stage.status().ToString();
      outcome.status = scenario().run(*stage);
      outcome.calls = dropping.calls();
      outcome.used = dropping.used();
      queue->Quiesce();
    }
    outcome.reports = TakeReports(*driver_);
    return outcome;
  }

  const RawDriver* driver_ = nullptr;
};

TEST_P(RuntimeDropOneTest, NothingIsReportedWithoutADrop) {
  Outcome outcome = Run(-1);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  EXPECT_EQ(std::vector<std::string>(), outcome.reports);
  EXPECT_GE(outcome.used.size(), 1u);
}

TEST_P(RuntimeDropOneTest, EveryDropIsNoticed) {
  const Outcome whole = Run(-1);
  size_t num_noticed = 0;
  for (size_t i = 0; i < whole.calls.size(); ++i) {
    Outcome outcome = Run(static_cast<int>(i));
    // By its own account: the host asks before it waits, so that not all runs make the same calls.
    if (!outcome.used.contains(static_cast<int>(i))) continue;
    if (!scenario().reads_results && outcome.calls[i] != "cuStreamWaitEvent") continue;
    ++num_noticed;
    EXPECT_TRUE(!outcome.reports.empty() || !outcome.status.ok())
        << "call " << i << ", " << outcome.calls[i] << ", was left out of "
        << testing::PrintToString(outcome.calls);
  }
  EXPECT_GE(num_noticed, 1u);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, RuntimeDropOneTest, testing::ValuesIn(AllRuntimeRuns()),
                         [](const auto& info) { return NameOf(info.param); });

}  // namespace
}  // namespace tfrt::gpu::test
