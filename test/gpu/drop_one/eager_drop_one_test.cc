// Leaves out each wait of the scenarios of eager ops, and each record that is waited for, in turn:
// all are needed. A GPU runs them as they are.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "gpu/wrapper/cuda_driver.h"
#include "test/gpu/drop_one/drop_each.h"
#include "test/gpu/support/eager_scenarios.h"

namespace tfrt::gpu::test {
namespace {

class EagerDropOneTest : public testing::TestWithParam<EagerScenario> {
 protected:
  void SetUp() override {
    std::string why;
    driver_ = OpenRawDriver(&why);
    if (!driver_) GTEST_SKIP() << "no CUDA driver: " << why;
  }

  static DropOutcome Run(const RawDriver& driver, int dropped) {
    DropOutcome outcome;
    DroppingDriver dropping(driver, dropped);
    const cuda::Driver opened(dropping.table(), cuda::kMinDriverVersion, "the test");
    auto context = MakeEagerContext(opened, "s");
    EXPECT_TRUE(context.ok()) << context.status().ToString();
    outcome.status = GetParam().run(*context);
    outcome.NoteCalls(dropping);
    context->reset();
    outcome.reports = TakeReports(driver);
    return outcome;
  }

  const RawDriver* driver_ = nullptr;
};

TEST_P(EagerDropOneTest, NothingIsReportedWithoutADrop) {
  int num_devices = 0;
  ASSERT_EQ(driver_->cuDeviceGetCount(&num_devices), cuda::CUDA_SUCCESS);
  if (GetParam().needs_two_devices && num_devices < 2) GTEST_SKIP() << "needs two devices";
  ExpectNoReportWithoutADrop(*driver_, Run);
}

TEST_P(EagerDropOneTest, EveryDropIsNoticed) {
  if (!driver_->is_double()) GTEST_SKIP() << "needs the test double";
  ExpectEachDropIsNoticed(*driver_, Run, /*only_of_streams=*/false);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, EagerDropOneTest, testing::ValuesIn(EagerOrderScenarios()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tfrt::gpu::test
