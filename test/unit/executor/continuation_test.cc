// The live run on one thread: continuations, lives of values, references. Its order is tested in
// order_test.cc, its results in executor_test.cc, its races in live_run_test.cc and stress_test.cc.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "test/unit/executor/test_kernels.h"
#include "tfrt/tracing/session.h"

namespace tfrt {
namespace {

using bef::FunctionSpec;
using bef::KernelSpec;

struct Tracked {
  Tracked() { ++live; }
  Tracked(Tracked&&) noexcept { ++live; }
  ~Tracked() { --live; }
  static inline std::atomic<int32_t> live{0};
};
Tracked MakeTracked(int32_t) { return {}; }
Chain UseTracked(const Tracked&) { return {}; }

// Makes the next promise available, from within the kernel that waited for the one before.
std::vector<AsyncValueRef<int32_t>> promises;
thread_local int depth = 0;
std::atomic<int> max_depth{0};
std::atomic<int32_t> num_run{0};
Chain KeepNextPromise(int32_t index) {
  num_run.fetch_add(1);
  ++depth;
  if (int seen = max_depth.load(); depth > seen) max_depth.store(depth);  // roughly, with threads
  if (static_cast<size_t>(index) + 1 < promises.size()) promises[index + 1].emplace(index + 1);
  --depth;
  return {};
}
std::thread::id kernel_thread;
int32_t NoteThread(int32_t value) {
  kernel_thread = std::this_thread::get_id();
  return value;
}

class ContinuationTest : public testing::TestWithParam<const char*> {
 protected:
  ContinuationTest() {
    KernelRegistry& registry = host_.host().kernel_registry();
    registry.AddKernel("k.make", TFRT_KERNEL(MakeTracked));
    registry.AddKernel("k.use", TFRT_KERNEL(UseTracked));
    registry.AddKernel("k.keep_next", TFRT_KERNEL(KeepNextPromise));
    registry.AddKernel("k.note_thread", TFRT_KERNEL(NoteThread));
  }

  // A chain of so many continuations, each of which is started from within the one before.
  void RunChain(uint32_t length) {
    FunctionSpec f{.name = "f"};
    f.argument_types.assign(length, "i32");
    for (uint32_t i = 0; i < length; ++i) f.AddKernel(Op("k.keep_next", {i}, {"!tfrt.chain"}));
    auto file = Load(std::move(f));
    std::vector<AsyncValue*> arguments;
    for (uint32_t i = 0; i < length; ++i) {
      promises.push_back(MakeUnconstructedAsyncValueRef<int32_t>());
      arguments.push_back(promises.back().GetAsyncValue());
    }
    max_depth = num_run = 0;
    (*file->FindFunction("f"))->Execute(host_.MakeContext(), arguments, {});
    promises[0].emplace(0);
    host_.host().Quiesce();
    EXPECT_EQ(num_run.load(), static_cast<int32_t>(length));
    promises.clear();
  }

  RCReference<BefFile> Load(FunctionSpec function) {
    bef::BefBuilder builder;
    builder.AddFunction(std::move(function));
    return host_.Load(builder);
  }

  TestHost host_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Queues, ContinuationTest, testing::Values("s", "mstd:2"),
                         [](const auto& info) {
                           return std::string(info.param) == "s" ? "single" : "multi";
                         });

TEST_P(ContinuationTest, ContinuationsDoNotNestWithoutEnd) {
  RunChain(20'000);
  EXPECT_GT(max_depth.load(), 10) << "the test does not nest";
  EXPECT_LE(max_depth.load(), 101);
}

// Records wrap waiters and tasks, and queues then call tasks without destroying them.
TEST_P(ContinuationTest, DeepContinuationsAreRecorded) {
  if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  auto session = *tracing::Session::Start({.max_level = tracing::StackLevel::kDevice});
  RunChain(1000);
}

TEST_P(ContinuationTest, AllResultsOfAKernelMayComeLater) {
  constexpr int kLength = 300;
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  uint32_t first = f.AddKernel(Op("t.later", {f.AddKernel(Const(1))}, {"i32"}));
  uint32_t second = first;
  for (int i = 0; i < kLength; ++i) {
    KernelSpec late = Op("t.visit_late", {first, second}, {"i32", "i32"});
    late.attributes = {{"id", bef::I32Attribute(i)}};
    first = f.AddKernel(std::move(late));
    second = first + 1;
  }
  f.returns = {f.AddKernel(Op("t.add", {first, second}, {"i32"}))};
  auto file = Load(std::move(f));
  RCReference<AsyncValue> result = host_.Run(*file, "f")[0];
  file.reset();  // the run alone keeps the program
  AsyncValue* awaited = result.get();
  host_.host().Await({&awaited, 1});
  EXPECT_EQ(result->get<int32_t>(), 0);
  EXPECT_EQ(TestLog::Get().entries().size(), static_cast<size_t>(kLength));
}

TEST_P(ContinuationTest, AKernelRunsOnTheThreadThatMakesItsLastOperandAvailable) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("k.note_thread", {0}, {"i32"}))};
  auto file = Load(std::move(f));
  auto late = MakeUnconstructedAsyncValueRef<int32_t>();
  AsyncValue* argument = late.GetAsyncValue();
  RCReference<AsyncValue> result;
  (*file->FindFunction("f"))->Execute(host_.MakeContext(), {&argument, 1}, {&result, 1});
  std::thread producer([&] { late.emplace(3); });
  std::thread::id id = producer.get_id();
  producer.join();
  EXPECT_EQ(result->get<int32_t>(), 3);
  EXPECT_EQ(kernel_thread, id);
}

TEST_P(ContinuationTest, AValueDiesAfterItsLastUseThoughTheRunGoesOn) {
  FunctionSpec f{.name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32"}};
  uint32_t tracked = f.AddKernel(Op("k.make", {0}, {"t"}));
  uint32_t used = f.AddKernel(Op("k.use", {tracked}, {"!tfrt.chain"}));
  f.AddKernel(Op("k.use", {tracked, used}, {"!tfrt.chain"}));
  f.AddKernel(Op("k.make", {0}, {"t"}));  // nobody wants it
  f.returns = {f.AddKernel(Op("t.inc", {1}, {"i32"}))};
  auto file = Load(std::move(f));
  auto first = MakeUnconstructedAsyncValueRef<int32_t>();
  auto second = MakeUnconstructedAsyncValueRef<int32_t>();
  AsyncValue* arguments[] = {first.GetAsyncValue(), second.GetAsyncValue()};
  RCReference<AsyncValue> result;
  (*file->FindFunction("f"))->Execute(host_.MakeContext(), arguments, {&result, 1});
  first.emplace(1);
  host_.host().Quiesce();
  EXPECT_EQ(Tracked::live.load(), 0);
  EXPECT_FALSE(result->IsAvailable());
  second.emplace(1);
  EXPECT_EQ(result->get<int32_t>(), 2);
}

TEST_P(ContinuationTest, BorrowedArgumentsAreKeptAndOwnedOnesTakenOver) {
  FunctionSpec f{.name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.add", {0, 1}, {"i32"}))};
  auto file = Load(std::move(f));
  const Function* function = *file->FindFunction("f");
  for (bool by_value : {false, true}) {
    auto late = MakeUnconstructedAsyncValueRef<int32_t>();
    RCReference<AsyncValue> kept = MakeInt(5), result;
    {
      RCReference<AsyncValue> given[] = {late.CopyRCRef(), kept};
      AsyncValue* borrowed[] = {given[0].get(), given[1].get()};
      if (by_value) {
        function->ExecuteByValue(host_.MakeContext(), given, {&result, 1});
        EXPECT_FALSE(given[1]);
      } else {
        function->Execute(host_.MakeContext(), borrowed, {&result, 1});
      }
    }
    EXPECT_EQ(kept->NumRef(), 2u) << "the run holds it";
    late.emplace(2);
    host_.host().Quiesce();
    EXPECT_EQ(result->get<int32_t>(), 7);
    EXPECT_EQ(kept->NumRef(), 1u);
  }
}

TEST_P(ContinuationTest, ARunKeepsItsProgramAlive) {
  auto late = MakeUnconstructedAsyncValueRef<int32_t>();
  RCReference<AsyncValue> result;
  {
    FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
    uint32_t one = f.AddKernel(Const(1));
    f.returns = {f.AddKernel(Op("t.add", {0, one}, {"i32"}))};
    auto file = Load(std::move(f));
    AsyncValue* argument = late.GetAsyncValue();
    (*file->FindFunction("f"))->Execute(host_.MakeContext(), {&argument, 1}, {&result, 1});
  }
  late.emplace(1);
  EXPECT_EQ(result->get<int32_t>(), 2);
}

TEST_P(ContinuationTest, ALateErrorReachesWhatWaitsForIt) {
  FunctionSpec f{
      .name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32", "i32", "i32"}};
  uint32_t of_late = f.AddKernel(Op("t.inc", {0}, {"i32"}));
  uint32_t of_both = f.AddKernel(Op("t.add", {of_late, 1}, {"i32"}));
  f.returns = {of_late, of_both, f.AddKernel(Op("t.inc", {1}, {"i32"}))};
  auto file = Load(std::move(f));
  auto late = MakeUnconstructedAsyncValueRef<int32_t>();
  RCReference<AsyncValue> five = MakeInt(5);
  AsyncValue* arguments[] = {late.GetAsyncValue(), five.get()};
  std::vector<RCReference<AsyncValue>> results(3);
  (*file->FindFunction("f"))->Execute(host_.MakeContext(), arguments, results);
  late.SetError(InternalError("too late"));
  host_.host().Quiesce();
  EXPECT_EQ(results[0]->GetError().message(), "too late");
  EXPECT_EQ(results[1]->GetError().message(), "too late");
  EXPECT_EQ(results[2]->get<int32_t>(), 6);
  EXPECT_TRUE(host_.diagnostics().empty()) << "it is not the program's error";
}

TEST_P(ContinuationTest, CancellationWhileItWaitsSkipsWhatFollows) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.log", {0}, {"!tfrt.chain"}))};
  auto file = Load(std::move(f));
  auto late = MakeUnconstructedAsyncValueRef<int32_t>();
  AsyncValue* argument = late.GetAsyncValue();
  RCReference<AsyncValue> result;
  ExecutionContext exec_ctx = host_.MakeContext();
  (*file->FindFunction("f"))->Execute(exec_ctx, {&argument, 1}, {&result, 1});
  exec_ctx.request_ctx()->Cancel();
  late.emplace(1);
  host_.host().Quiesce();
  EXPECT_EQ(result->GetError().code(), StatusCode::kCancelled);
  EXPECT_TRUE(TestLog::Get().entries().empty());
}

}  // namespace
}  // namespace tfrt
