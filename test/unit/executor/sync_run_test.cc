#include "lib/runtime/executor/sync_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>

#include "test/unit/executor/test_kernels.h"

namespace tfrt {
namespace {

using bef::BefBuilder;
using bef::FunctionSpec;

class SyncRunTest : public testing::Test {
 protected:
  RCReference<BefFile> Load(FunctionSpec function) {
    function.kind = bef::FunctionKind::kSync;
    BefBuilder builder;
    builder.AddFunction(std::move(function));
    return host_.Load(builder);
  }
  TestHost host_;
};

TEST_F(SyncRunTest, RunsInProgramOrder) {
  FunctionSpec f{.name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32"}};
  uint32_t a = f.AddKernel(Op("t.sync_add", {0, 1}, {"i32"}));
  f.returns = {f.AddKernel(Op("t.sync_add", {a, a}, {"i32"}))};
  auto file = Load(std::move(f));
  Value x = Value::Make<int32_t>(2), y = Value::Make<int32_t>(3), result;
  Value* arguments[] = {&x, &y};
  Status status = file->functions()[0]->ExecuteSync(host_.MakeContext(), arguments, {&result, 1});
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(result.get<int32_t>(), 10);
  EXPECT_EQ(x.get<int32_t>(), 2);
}

TEST_F(SyncRunTest, StopsAtTheFirstError) {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  uint32_t a = f.AddKernel(Op("t.sync_fail", {}, {"i32"}));
  f.returns = {f.AddKernel(Op("t.sync_add", {a, a}, {"i32"}))};
  auto file = Load(std::move(f));
  Value result;
  Status status = file->functions()[0]->ExecuteSync(host_.MakeContext(), {}, {&result, 1});
  EXPECT_EQ(status.message(), "sync failed");
  EXPECT_FALSE(result.has_value());
}

// Values of several types share registers in turn; strings must be destroyed, numbers need not.
TEST_F(SyncRunTest, RandomProgramsOfNumbersAndStrings) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    FunctionSpec f{.name = "f", .argument_types = {"i32"}};
    struct Register {
      bool is_text;
      int32_t value;  // the number, or the length
    };
    std::vector<Register> expected = {{false, 40}};
    auto any = [&](bool is_text) {
      uint32_t r = random() % expected.size();
      while (expected[r].is_text != is_text) r = (r + 1) % static_cast<uint32_t>(expected.size());
      return r;
    };
    bool fails = round % 10 == 9;
    for (int k = 0; k < 50; ++k) {
      bool has_text = std::any_of(expected.begin(), expected.end(),
                                  [](const Register& r) { return r.is_text; });
      uint32_t kind = random() % (has_text ? 4 : 2);
      uint32_t a = any(kind >= 2), b = any(kind >= 2);
      // Keeps numbers and texts small.
      if (kind == 0 && expected[a].value + expected[b].value > 1000000) continue;
      if (kind == 1 && expected[a].value > 10000) continue;
      switch (kind) {
        case 0:
          f.AddKernel(Op("t.sync_add", {a, b}, {"i32"}));
          expected.push_back({false, expected[a].value + expected[b].value});
          break;
        case 1:
          f.AddKernel(Op("t.sync_text", {a}, {"s"}));
          expected.push_back({true, expected[a].value});
          break;
        case 2:
          if (expected[a].value + expected[b].value > 10000) continue;
          f.AddKernel(Op("t.sync_join", {a, b}, {"s"}));
          expected.push_back({true, expected[a].value + expected[b].value});
          break;
        default:
          f.AddKernel(Op("t.sync_size", {a}, {"i32"}));
          expected.push_back({false, expected[a].value});
      }
    }
    uint32_t number = static_cast<uint32_t>(expected.size()) - 1;
    if (fails) f.AddKernel(Op("t.sync_fail", {}, {"i32"}));
    while (expected[number].is_text) --number;
    bool returns_argument = number == 0;
    if (!returns_argument) f.returns = {number};
    auto file = Load(std::move(f));
    Value argument = Value::Make<int32_t>(40), result;
    Value* arguments[] = {&argument};
    for (int run = 0; run < 2; ++run) {
      Status status = file->functions()[0]->ExecuteSync(
          host_.MakeContext(), arguments, {&result, returns_argument ? size_t{0} : size_t{1}});
      ASSERT_EQ(status.ok(), !fails) << status.ToString();
      if (!fails && !returns_argument) {
        ASSERT_EQ(result.get<int32_t>(), expected[number].value) << "program " << round;
      }
    }
    EXPECT_EQ(argument.get<int32_t>(), 40);
  }
}

TEST_F(SyncRunTest, MistypedArgument) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.sync_add", {0, 0}, {"i32"}))};
  auto file = Load(std::move(f));
  Value x = Value::Make<float>(2.0f), result;
  Value* arguments[] = {&x};
  EXPECT_EQ(
      file->functions()[0]->ExecuteSync(host_.MakeContext(), arguments, {&result, 1}).message(),
      "argument 0 has type 'float', but the kernel takes 'int'");
}

TEST_F(SyncRunTest, WrongKindAndArity) {
  FunctionSpec f{.name = "f", .result_types = {}};
  auto file = Load(std::move(f));
  Value extra;
  EXPECT_EQ(file->functions()[0]->ExecuteSync(host_.MakeContext(), {}, {&extra, 1}).message(),
            "sync function 'f' takes 0 arguments and has 0 results, but got 0 and 1");

  FunctionSpec async{.name = "g"};
  BefBuilder builder;
  builder.AddFunction(std::move(async));
  auto async_file = host_.Load(builder);
  EXPECT_EQ(async_file->functions()[0]->ExecuteSync(host_.MakeContext(), {}, {}).message(),
            "function 'g' is not a sync function");
  EXPECT_EQ(host_.diagnostics().size(), 2u);
}

struct Tracked {
  Tracked() { ++live; }
  Tracked(Tracked&&) noexcept { ++live; }
  ~Tracked() { --live; }
  static inline std::atomic<int32_t> live{0};
};
Tracked MakeTracked(int32_t) { return {}; }
int32_t CountLive(const Tracked&, int32_t) { return Tracked::live.load(); }
int32_t CountLiveAfter(int32_t) { return Tracked::live.load(); }

TEST_F(SyncRunTest, AValueDiesRightAfterItsLastUse) {
  host_.host().kernel_registry().AddSyncKernel("k.make", TFRT_SYNC_KERNEL(MakeTracked));
  host_.host().kernel_registry().AddSyncKernel("k.count", TFRT_SYNC_KERNEL(CountLive));
  host_.host().kernel_registry().AddSyncKernel("k.count_after", TFRT_SYNC_KERNEL(CountLiveAfter));
  for (bool fails : {false, true}) {
    FunctionSpec f{.name = "f", .argument_types = {"i32"}};
    uint32_t tracked = f.AddKernel(Op("k.make", {0}, {"t"}));
    uint32_t first = f.AddKernel(Op("k.count", {tracked, 0}, {"i32"}));
    uint32_t second = f.AddKernel(Op("k.count", {tracked, first}, {"i32"}));
    uint32_t after = f.AddKernel(Op("k.count_after", {second}, {"i32"}));
    f.AddKernel(Op("k.make", {0}, {"t"}));  // nobody wants it
    uint32_t last = f.AddKernel(Op("k.count_after", {after}, {"i32"}));
    if (fails) {
      f.AddKernel(Op("k.make", {0}, {"t"}));
      f.AddKernel(Op("t.sync_fail", {}, {"i32"}));
    }
    f.returns = {first, second, after, last};
    auto file = Load(std::move(f));
    Value argument = Value::Make<int32_t>(0), results[4];
    Value* arguments[] = {&argument};
    Status status = file->functions()[0]->ExecuteSync(host_.MakeContext(), arguments, results);
    ASSERT_EQ(status.ok(), !fails) << status.ToString();
    const int32_t expected[] = {1, 1, 0, 0};
    for (size_t i = 0; i < 4 && !fails; ++i) EXPECT_EQ(results[i].get<int32_t>(), expected[i]) << i;
    EXPECT_EQ(Tracked::live.load(), 0);
  }
}

std::pair<int32_t, int32_t> Split(int32_t value) { return {value / 2, value - value / 2}; }

TEST_F(SyncRunTest, MoreRegistersThanAThreadKeeps) {
  host_.host().kernel_registry().AddSyncKernel("k.split", TFRT_SYNC_KERNEL(Split));
  FunctionSpec f{.name = "f", .argument_types = {"i32"}};
  std::vector<uint32_t> parts;  // all alive until they are added up
  for (int i = 0; i < 5000; ++i) {
    uint32_t half = f.AddKernel(Op("k.split", {0}, {"i32", "i32"}));
    parts.insert(parts.end(), {half, half + 1});
  }
  uint32_t sum = parts[0];
  for (size_t i = 1; i < parts.size(); ++i)
    sum = f.AddKernel(Op("t.sync_add", {sum, parts[i]}, {"i32"}));
  f.returns = {sum};
  auto file = Load(std::move(f));
  Value argument = Value::Make<int32_t>(7), result;
  Value* arguments[] = {&argument};
  for (int run = 0; run < 2; ++run) {
    ASSERT_TRUE(
        file->functions()[0]->ExecuteSync(host_.MakeContext(), arguments, {&result, 1}).ok());
    EXPECT_EQ(result.get<int32_t>(), 5000 * 7);
  }
}

int32_t num_steps = 0;
int32_t CancelAtStep(int32_t step, const ExecutionContext& exec_ctx) {
  if (++num_steps == step) exec_ctx.request_ctx()->Cancel();
  return step;
}

TEST_F(SyncRunTest, CancellationStopsALongFunctionSoon) {
  host_.host().kernel_registry().AddSyncKernel("k.cancel_at", TFRT_SYNC_KERNEL(CancelAtStep));
  FunctionSpec f{.name = "f", .argument_types = {"i32"}};
  uint32_t last = 0;
  for (int i = 0; i < 1000; ++i) last = f.AddKernel(Op("k.cancel_at", {last}, {"i32"}));
  f.returns = {last};
  auto file = Load(std::move(f));
  for (int32_t step : {1, 16, 500}) {
    num_steps = 0;
    Value argument = Value::Make<int32_t>(step), result;
    Value* arguments[] = {&argument};
    Status status = file->functions()[0]->ExecuteSync(host_.MakeContext(), arguments, {&result, 1});
    EXPECT_EQ(status.code(), StatusCode::kCancelled);
    EXPECT_FALSE(result.has_value());
    EXPECT_LT(num_steps, step + 17) << "kernels in a row without a look";
  }
}

}  // namespace
}  // namespace tfrt
