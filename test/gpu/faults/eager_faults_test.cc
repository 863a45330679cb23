// Each call of the driver fails once while eager ops run: an error with the vendor's name at the
// line of an op, or of the context that cannot be made; no hang, nothing left in the driver, and a
// device that is good for the next program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include "gpu/wrapper/cuda_driver.h"
#include "test/gpu/faults/faulty_runs.h"
#include "test/gpu/support/eager_scenarios.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::test {
namespace {

using testing::HasSubstr;

// More than an op is tried.
constexpr int kTries = 8;

class EagerFaultsTest : public FaultyRuns<EagerScenario> {
 protected:
  struct Outcome {
    Status status;
    bool is_of_context = false;  // the context could not be made
  };
  // Runs the scenario in a context of its own.
  Outcome Run(const std::string& faults) {
    Outcome outcome;
    RunWith(faults, [&] {
      const cuda::Driver opened(*driver_, cuda::kMinDriverVersion, "the test");
      auto context = MakeEagerContext(opened, "s");
      outcome.is_of_context = !context.ok();
      outcome.status = context.ok() ? GetParam().run(*context) : context.status();
    });
    return outcome;
  }
  // An op that cannot be prepared is tried again by its call, so that a short fault passes.
  static bool IsTriedAgain(const std::string& function) {
    return function.starts_with("cuModule") || function.starts_with("cuFunc");
  }
  // The calls to try, of `count`. All take minutes.
  static std::set<uint64_t> Tried(uint64_t count) {
    if (std::getenv("TFRT_FAULTS_WHOLE") == nullptr) return {1, (count + 1) / 2, count};
    std::set<uint64_t> all;
    for (uint64_t nth = 1; nth <= count; ++nth) all.insert(nth);
    return all;
  }
};

TEST_P(EagerFaultsTest, EachCallFailsOnce) {
  const Outcome whole = Run("");
  ASSERT_TRUE(whole.status.ok()) << whole.status.ToString();
  const auto calls = this->calls();
  ASSERT_GE(calls.size(), 8u);
  size_t num_seen = 0;
  for (const auto& [function, count] : calls) {
    for (uint64_t nth : Tried(count)) {
      // Some fail with a code that the driver says to be sticky.
      const bool is_sticky = nth % 2 == 0;
      const int code = is_sticky ? 700 : 999;
      SCOPED_TRACE(StrCat("call ", nth, " of ", count, " of ", function));
      std::string faults = StrCat("fail=", function, ":", nth, ":", code);
      Outcome outcome = Run(faults);
      if (outcome.status.ok() && IsTriedAgain(function)) {
        for (int i = 1; i < kTries; ++i) {
          faults += StrCat(",fail=", function, ":", nth + static_cast<uint64_t>(i), ":", code);
        }
        outcome = Run(faults);
      }
      if (outcome.status.ok()) {
        // On threads, not each run makes as many calls.
        EXPECT_TRUE(MayPass(function) || NumCalls(function) < nth);
        continue;
      }
      ++num_seen;
      const std::string message(outcome.status.message());
      // A thread without its context gets another code of the next call.
      EXPECT_THAT(message, HasSubstr(function == "cuCtxSetCurrent" ? "CUDA_ERROR_"
                                     : is_sticky                   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                                                   : "CUDA_ERROR_UNKNOWN"));
      if (!outcome.is_of_context) EXPECT_THAT(message, HasSubstr("eager_scenarios.cc:"));
    }
  }
  EXPECT_GE(num_seen, 8u);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, EagerFaultsTest, testing::ValuesIn(EagerFaultScenarios()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tfrt::gpu::test
