// Random programs with late results, errors and cancellation, run by several callers at once on 1
// to 8 threads. What comes out must be what a sequential reading of the program says, and nothing
// may be left over. Meant for the thread sanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "lib/base/tracing/tracing.h"
#include "test/support/outside_thread.h"
#include "test/support/stress_program.h"
#include "test/unit/executor/test_kernels.h"
#include "tfrt/tracing/session.h"

namespace tfrt {
namespace {

struct Stress {
  const char* name;
  const char* queue;
  int num_callers;
  bool cancel;
};

class StressTest : public testing::TestWithParam<Stress> {};
INSTANTIATE_TEST_SUITE_P(Queues, StressTest,
                         testing::Values(Stress{"CallerOnly", "s", 1, false},
                                         Stress{"CallerOnlyCancelled", "s", 1, true},
                                         Stress{"OneThread", "mstd:1", 2, false},
                                         Stress{"TwoThreads", "mstd:2", 1, false},
                                         Stress{"TwoThreadsCancelled", "mstd:2", 2, true},
                                         Stress{"ThreeThreadsCancelled", "mstd:3", 1, true},
                                         Stress{"FourThreads", "mstd:4", 3, false},
                                         Stress{"EightThreads", "mstd:8", 2, false},
                                         Stress{"EightThreadsCancelled", "mstd:8", 3, true}),
                         [](const auto& info) { return info.param.name; });

// The program of a seed, run by several threads.
void CheckProgram(const Stress& stress, uint32_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  StressProgram program(random);
  {
    TestHost host(stress.queue);
    RegisterStressKernels(host.host().kernel_registry());
    auto file = host.Load(program.Build());
    auto function = file->FindFunction("f");
    ASSERT_TRUE(function.ok()) << function.status().ToString();
    auto call = [&](uint32_t caller) {
      std::mt19937 choose(seed * 7919 + caller * 104729);
      for (int n = 0; n < 4; ++n) {
        StressRun run = StressRun::Random(choose);
        if (stress.cancel) run.cancel_after = choose() % 3000;
        EXPECT_EQ(program.RunAndCheck(run, **function, host.MakeContext(), host.host()), "");
      }
    };
    std::vector<std::thread> others;
    for (int caller = 1; caller < stress.num_callers; ++caller) {
      others.emplace_back(call, static_cast<uint32_t>(caller));
    }
    call(0);
    for (std::thread& other : others) other.join();
    OutsideThread::Get().Settle(host.host());
  }
  ASSERT_EQ(Tracked::live.load(), 0);
}

TEST_P(StressTest, ResultsAreAsExpectedAndNothingIsLeft) {
  for (uint32_t seed = 0; seed < 150 && !HasFatalFailure(); ++seed) CheckProgram(GetParam(), seed);
}

// Recorded runs hand on other values: those whose coming is recorded.
TEST_P(StressTest, SessionsThatBeginAndEndChangeNothing) {
  if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  std::atomic<bool> is_over{false};
  std::thread recorder([&] {
    for (int n = 0; !is_over.load(std::memory_order_relaxed); ++n) {
      auto session = tracing::Session::Start(
          {.max_level = tracing::StackLevel::kDevice, .buffer_bytes = 1 << 20});
      ASSERT_TRUE(session.ok()) << session.status().ToString();
      std::this_thread::sleep_for(std::chrono::microseconds(n % 2 ? 300 : 3000));
    }
  });
  for (uint32_t seed = 0; seed < 50 && !HasFatalFailure(); ++seed) CheckProgram(GetParam(), seed);
  is_over.store(true, std::memory_order_relaxed);
  recorder.join();
}

// Runs whose results nobody waits for, on a host that ends while they are queued.
TEST_P(StressTest, NothingIsLeftWhenTheHostEnds) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    StressProgram program(random, /*outside_work=*/false);
    {
      TestHost host(GetParam().queue);
      RegisterStressKernels(host.host().kernel_registry());
      auto file = host.Load(program.Build());
      auto function = file->FindFunction("f");
      ASSERT_TRUE(function.ok()) << function.status().ToString();
      ExecutionContext exec_ctx = host.MakeContext();
      for (int n = 0; n < 8; ++n) program.StartAndForget(**function, exec_ctx);
      if (GetParam().cancel) exec_ctx.request_ctx()->Cancel();
    }
    ASSERT_EQ(Tracked::live.load(), 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tfrt
