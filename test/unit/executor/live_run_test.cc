// What several threads do to one register of a run at the same time. The windows are a few
// instructions wide: builds with TFRT_YIELD_POINTS widen them.

#include <gtest/gtest.h>

#include "test/support/outside_thread.h"
#include "test/support/stress_kernels.h"
#include "test/unit/executor/test_kernels.h"

namespace tfrt {
namespace {

using bef::BefBuilder;
using bef::FunctionSpec;
using bef::KernelSpec;

constexpr int kNumRuns = 2000;

KernelSpec Stress(StressKernel kernel, int32_t id, std::vector<uint32_t> operands,
                  uint32_t stream) {
  KernelSpec spec = Op(KernelName(kernel, false), std::move(operands), {"tracked"}, stream);
  spec.attributes = {{"id", bef::I32Attribute(id)}};
  if (HasLaterAttribute(kernel)) {
    spec.attributes.emplace_back("later", bef::I32Attribute(static_cast<int32_t>(Later::kTask)));
  }
  if (HasFailAttribute(kernel)) spec.attributes.emplace_back("fail", bef::BoolAttribute(false));
  return spec;
}

class LiveRunTest : public testing::TestWithParam<const char*> {
 protected:
  LiveRunTest() { RegisterStressKernels(host_.host().kernel_registry()); }
  ~LiveRunTest() override {
    OutsideThread::Get().Settle(host_.host());
    EXPECT_EQ(Tracked::live.load(), 0);
  }

  void Load(FunctionSpec function) {
    BefBuilder builder;
    builder.AddFunction(std::move(function));
    file_ = host_.Load(builder);
  }
  // Runs `f` of one argument, which another thread sets, and gives the results' values.
  std::vector<uint32_t> RunWithLateArgument() {
    const Function& function = **file_->FindFunction("f");
    auto promise = MakeUnconstructedAsyncValueRef<Tracked>();
    std::vector<RCReference<AsyncValue>> arguments = {promise.CopyRCRef()};
    std::vector<RCReference<AsyncValue>> results(function.num_results());
    function.ExecuteByValue(host_.MakeContext(), arguments, results);
    OutsideThread::Get().Add([promise = std::move(promise)] { promise.emplace(5); });
    std::vector<AsyncValue*> raw;
    for (auto& result : results) raw.push_back(result.get());
    host_.host().Await(raw);
    std::vector<uint32_t> values;
    for (auto& result : results) values.push_back(result->get<Tracked>().value());
    return values;
  }

  TestHost host_{GetParam()};
  RCReference<BefFile> file_;
};
INSTANTIATE_TEST_SUITE_P(Queues, LiveRunTest, testing::Values("s", "mstd:2", "mstd:4"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, ':');
                           return name;
                         });

// Each reader is there before the value: the first makes the placeholder, the others find it, and
// the value is stored meanwhile.
TEST_P(LiveRunTest, NonStrictReadersShareOnePlaceholder) {
  constexpr uint32_t kNumReaders = 4;
  FunctionSpec f{.name = "f", .argument_types = {"tracked"}};
  for (uint32_t reader = 0; reader < kNumReaders; ++reader) {
    uint32_t ready = f.AddKernel(Stress(StressKernel::kMix, 1, {}, reader + 1));
    f.returns.push_back(f.AddKernel(Stress(StressKernel::kPick, 1, {ready, 0}, reader + 1)));
  }
  f.result_types.assign(kNumReaders, "tracked");
  Load(std::move(f));
  for (int run = 0; run < kNumRuns; ++run) {
    ASSERT_EQ(RunWithLateArgument(), std::vector<uint32_t>(kNumReaders, 5)) << "run " << run;
  }
}

// Strict users of the same register get the value through the placeholder that was made before.
TEST_P(LiveRunTest, StrictAndNonStrictReadersOfOneValue) {
  FunctionSpec f{.name = "f", .argument_types = {"tracked"}};
  uint32_t ready = f.AddKernel(Stress(StressKernel::kMix, 1, {}, 1));
  uint32_t picked = f.AddKernel(Stress(StressKernel::kPick, 1, {ready, 0}, 1));
  uint32_t strict = f.AddKernel(Stress(StressKernel::kMix, 2, {0}, 2));
  uint32_t changed = f.AddKernel(Stress(StressKernel::kInPlace, 3, {0}, 3));
  f.returns = {picked, strict, changed, 0};
  f.result_types.assign(f.returns.size(), "tracked");
  Load(std::move(f));
  std::vector<uint32_t> expected = {5, MixedValue(2, {5}, 0), MixedValue(3, {5}, 0), 5};
  for (int run = 0; run < kNumRuns; ++run)
    ASSERT_EQ(RunWithLateArgument(), expected) << "run " << run;
}

// One user forwards the value and gives up its use while another asks whether it may change it.
TEST_P(LiveRunTest, AForwardedValueIsNotChangedInPlace) {
  FunctionSpec f{.name = "f", .argument_types = {"tracked"}};
  uint32_t value = f.AddKernel(Stress(StressKernel::kMix, 1, {0}, 0));
  for (uint32_t stream = 1; stream <= 2; ++stream) {
    f.returns.push_back(f.AddKernel(Stress(StressKernel::kForward, 2, {value}, stream)));
  }
  f.returns.push_back(f.AddKernel(Stress(StressKernel::kInPlace, 3, {value}, 3)));
  f.result_types.assign(f.returns.size(), "tracked");
  Load(std::move(f));
  uint32_t mixed = MixedValue(1, {5}, 0);
  std::vector<uint32_t> expected = {mixed, mixed, MixedValue(3, {mixed}, 0)};
  for (int run = 0; run < kNumRuns; ++run)
    ASSERT_EQ(RunWithLateArgument(), expected) << "run " << run;
}

}  // namespace
}  // namespace tfrt
