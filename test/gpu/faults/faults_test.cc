// Whatever fails, and whenever: a Status with the vendor's name, no hang (each test has a
// deadline), nothing left in the driver, no order forgotten on the way out, and a device that is
// good for the next.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/abi/cuda_result.h"
#include "test/gpu/faults/faulty_runs.h"
#include "test/gpu/support/raw_driver.h"
#include "test/gpu/support/runtime_scenarios.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::test {
namespace {

using testing::HasSubstr;

class FaultsTest : public FaultyRuns<RuntimeRun> {
 protected:
  const RuntimeScenario& scenario() const { return *GetParam().scenario; }

  // Runs the scenario with these faults in contexts of its own, and once more if those are still
  // good.
  Status Run(const std::string& faults) {
    Status status;
    RunWith(faults, [&] {
      auto queue = CreateWorkQueue("mstd:2").value();
      StatusOr<RuntimeStage> stage = RuntimeStage::Create(*driver_, *queue, GetParam().results);
      status = stage.ok() ? scenario().run(*stage) : stage.status();
      if (stage.ok() && !status.ok() && !stage->is_lost()) {
        Status again = scenario().run(*stage);
        EXPECT_TRUE(again.ok()) << again.ToString();
      }
      queue->Quiesce();
    });
    return status;
  }
};

TEST_P(FaultsTest, NothingFails) {
  Status status = Run("");
  EXPECT_TRUE(status.ok()) << status.ToString();
}

TEST_P(FaultsTest, EachCallFailsOnce) {
  ASSERT_TRUE(Run("").ok());
  const auto calls = this->calls();
  ASSERT_GE(calls.size(), 8u);
  size_t num_seen = 0;
  for (const auto& [function, count] : calls) {
    // The first ones, and the last.
    std::set<uint64_t> tried = {1, std::min<uint64_t>(2, count)};
    if (!scenario().is_long) tried.insert({3, 4, 5, 6, count});
    for (uint64_t nth : tried) {
      if (nth > count) continue;
      SCOPED_TRACE(StrCat("call ", nth, " of ", function));
      // Some fail with a code that the driver says to be sticky.
      bool is_sticky = nth % 2 == 0;
      Status status = Run(StrCat("fail=", function, ":", nth, ":", is_sticky ? 700 : 999));
      if (status.ok()) {
        // On threads, not each run makes as many calls.
        EXPECT_TRUE(MayPass(function) || NumCalls(function) < nth);
        continue;
      }
      ++num_seen;
      // A thread without its context gets another code of the next call.
      bool is_indirect = function == "cuCtxSetCurrent";
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr(is_indirect ? "CUDA_ERROR_"
                            : is_sticky ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                        : "CUDA_ERROR_UNKNOWN"));
    }
  }
  EXPECT_GE(num_seen, 8u);
}

TEST_P(FaultsTest, EachLaunchFaultsOnce) {
  ASSERT_TRUE(Run("").ok());
  const bool has_launches = NumCalls("cuLaunchKernel") > 0;
  int num_faults = 0;
  // Of the process, as on hardware, and of one context, which leaves it to the runtime who hears.
  for (auto [kernel, scope] : {std::pair{"add_one", ""},
                               {"add_one", ":context"},
                               {"dynamic_shared", ""},
                               {"dynamic_shared", ":context"}}) {
    for (int nth = 1;; ++nth) {
      SCOPED_TRACE(StrCat("launch ", nth, " of ", kernel, scope));
      Status status = Run(StrCat("fault=", kernel, ":", nth, ":700", scope));
      if (status.ok()) break;  // it has fewer launches
      ++num_faults;
      EXPECT_THAT(std::string(status.message()), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
      ASSERT_LT(nth, 100);
    }
  }
  EXPECT_EQ(num_faults > 0, has_launches);
}

// An error of its memory that nothing can mend: each context answers it from then on.
TEST_P(FaultsTest, TheDeviceIsLostAtEachCommand) {
  int num_lost = 0;
  for (int device : {0, 1}) {
    for (int nth = 1, num_good = 0; num_good < 3; nth += scenario().is_long ? 3 : 1) {
      SCOPED_TRACE(StrCat("command ", nth, " of device ", device));
      Status status = Run(StrCat("lost=", device, ":", nth, ":214"));
      if (status.ok()) {  // a command that nobody waits for, or behind the last
        ++num_good;
        continue;
      }
      num_good = 0;
      ++num_lost;
      EXPECT_THAT(std::string(status.message()), HasSubstr("CUDA_ERROR_ECC_UNCORRECTABLE"));
      ASSERT_LT(nth, 100);
    }
  }
  EXPECT_GE(num_lost, 2);
}

TEST_P(FaultsTest, MemoryEndsAtEachAllocation) {
  ASSERT_TRUE(Run("").ok());
  const auto calls = this->calls();
  int num_allocations = 0;
  for (const auto& [function, count] : calls) {
    if (function != "cuMemAlloc_v2" && function != "cuMemHostAlloc") continue;
    for (uint64_t nth = 1; nth <= count; ++nth, ++num_allocations) {
      SCOPED_TRACE(StrCat("allocation ", nth, " by ", function));
      Status status = Run(StrCat("fail=", function, ":", nth, ":2"));
      if (status.ok()) continue;  // there was another way
      EXPECT_EQ(StatusCode::kResourceExhausted, status.code()) << status.ToString();
    }
  }
  EXPECT_GE(num_allocations, 1);
}

// A new call of the runtime must be part of a scenario.
TEST(FaultScenariosTest, TheyCallAllThatTheRuntimeCalls) {
  std::string why;
  const RawDriver* driver = OpenRawDriver(&why);
  if (!driver || !driver->is_double()) GTEST_SKIP() << "needs the test double: " << why;
  driver->clear_calls();
  for (const RuntimeScenario& scenario : AllRuntimeScenarios()) {
    auto queue = CreateWorkQueue("mstd:2").value();
    {
      StatusOr<RuntimeStage> stage = RuntimeStage::Create(*driver, *queue);
      ASSERT_TRUE(stage.ok()) << stage.status().ToString();
      EXPECT_TRUE(scenario.run(*stage).ok()) << scenario.name;
      queue->Quiesce();
    }
  }
  std::string sources;
  for (const auto& entry : std::filesystem::directory_iterator(TFRT_GPU_RUNTIME_SOURCES)) {
    if (entry.path().extension() != ".cc") continue;
    sources += (std::stringstream() << std::ifstream(entry.path()).rdbuf()).str();
  }
  size_t num_called = 0;
  for (const auto& function : cuda::kDriverFunctions) {
    // As a member of a table.
    if (sources.find(StrCat(".", function.name, "(")) == std::string::npos) continue;
    ++num_called;
    EXPECT_GT(driver->num_calls(function.name), 0u) << function.name;
  }
  EXPECT_GE(num_called, 25u);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, FaultsTest, testing::ValuesIn(AllRuntimeRuns()),
                         [](const auto& info) { return NameOf(info.param); });

}  // namespace
}  // namespace tfrt::gpu::test
