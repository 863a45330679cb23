// Random programs of several threads. Meant for the sanitizers, too; scripts/run_soak.sh runs them
// for longer.

#include "test/support/eager_stress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tfrt/async/async_value.h"

namespace tfrt::eager {
namespace {

struct Setup {
  const char* queue;
  ExecutionOrder order;
};

class EagerStressTest : public testing::TestWithParam<Setup> {};

TEST_P(EagerStressTest, RandomPrograms) {
  constexpr uint32_t kPrograms = 8;
  for (uint32_t seed = 0; seed < kPrograms; ++seed) {
    int64_t values_before = NumLiveAsyncValues();
    EagerStress stress{.work_queue = GetParam().queue,
                       .order = GetParam().order,
                       .num_callers = 3,
                       .num_steps = 60,
                       .seed = seed};
    ASSERT_EQ(stress.Run(), "") << "seed " << seed;
    ASSERT_EQ(NumLiveAsyncValues(), values_before) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Queues, EagerStressTest,
                         testing::Values(Setup{"s", ExecutionOrder::kDataflow},
                                         Setup{"s", ExecutionOrder::kFifo},
                                         Setup{"mstd:1", ExecutionOrder::kDataflow},
                                         Setup{"mstd:1", ExecutionOrder::kFifo},
                                         Setup{"mstd:4", ExecutionOrder::kDataflow},
                                         Setup{"mstd:4", ExecutionOrder::kFifo}),
                         [](const testing::TestParamInfo<Setup>& info) {
                           std::string name = info.param.queue;
                           std::erase(name, ':');
                           bool fifo = info.param.order == ExecutionOrder::kFifo;
                           return name + (fifo ? "Fifo" : "Dataflow");
                         });

// What the checks compare with is right where it can be said in one line.
TEST(EagerStressModelTest, Mixed) {
  EXPECT_EQ(Mixed({1, 2, 4096}, {10, -1, 0}), (Elements{54, 2, 1}));
  EXPECT_EQ(Mixed({4095}, {4095}), Elements{4089});  // 8 * 4095 + 1 modulo 4096
}

}  // namespace
}  // namespace tfrt::eager
