// The static run: lives of values, the thread it runs on, and how it goes on as a live one. Its
// order is tested in order_test.cc, its results in executor_test.cc.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "lib/runtime/executor/run.h"
#include "test/unit/executor/test_kernels.h"

namespace tfrt {
namespace {

using bef::FunctionSpec;

struct Tracked {
  Tracked() { ++live; }
  Tracked(Tracked&&) noexcept { ++live; }
  ~Tracked() { --live; }
  static inline std::atomic<int32_t> live{0};
};
Tracked MakeTracked() { return {}; }
Chain UseTracked(const Tracked&) { return {}; }
Chain LogLive(Chain) {
  TestLog::Get().Add(Tracked::live.load());
  return {};
}
std::thread::id kernel_thread;
int32_t NoteThread(int32_t value) {
  kernel_thread = std::this_thread::get_id();
  return value;
}
// A promise that the test keeps.
AsyncValueRef<int32_t> promise;
AsyncValueRef<int32_t> GetPromise() { return promise.CopyRef(); }

class StaticRunTest : public testing::Test {
 protected:
  StaticRunTest() {
    KernelRegistry& registry = host_.host().kernel_registry();
    registry.AddKernel("k.make", TFRT_KERNEL(MakeTracked));
    registry.AddKernel("k.use", TFRT_KERNEL(UseTracked));
    registry.AddKernel("k.log_live", TFRT_KERNEL(LogLive));
    registry.AddKernel("k.note_thread", TFRT_KERNEL(NoteThread));
    registry.AddKernel("k.promise", TFRT_KERNEL(GetPromise));
    promise = MakeUnconstructedAsyncValueRef<int32_t>();
  }
  ~StaticRunTest() override { promise.reset(); }

  RCReference<BefFile> Load(FunctionSpec function) {
    bef::BefBuilder builder;
    builder.AddFunction(std::move(function));
    return host_.Load(builder);
  }

  TestHost host_;
};

TEST_F(StaticRunTest, AValueDiesRightAfterItsLastUse) {
  FunctionSpec f{.name = "f"};
  uint32_t tracked = f.AddKernel(Op("k.make", {}, {"t"}));
  uint32_t used = f.AddKernel(Op("k.use", {tracked}, {"!tfrt.chain"}));
  uint32_t logged = f.AddKernel(Op("k.log_live", {used}, {"!tfrt.chain"}));
  uint32_t again = f.AddKernel(Op("k.use", {tracked, logged}, {"!tfrt.chain"}));
  f.AddKernel(Op("k.log_live", {again}, {"!tfrt.chain"}));
  host_.Run(*Load(std::move(f)), "f");
  EXPECT_EQ(TestLog::Get().entries(), (std::vector<int32_t>{1, 0}));
}

TEST_F(StaticRunTest, AResultThatNobodyWantsDiesAtOnce) {
  FunctionSpec f{.name = "f", .argument_types = {"!tfrt.chain"}};
  f.AddKernel(Op("k.make", {}, {"t"}));
  f.AddKernel(Op("k.log_live", {0}, {"!tfrt.chain"}));
  host_.Run(*Load(std::move(f)), "f", {GetReadyChain().ReleaseRCRef()});
  EXPECT_EQ(TestLog::Get().entries(), std::vector<int32_t>{0});
}

TEST_F(StaticRunTest, BorrowedArgumentsKeepTheirCountsAndOwnedOnesAreDropped) {
  FunctionSpec f{
      .name = "f", .argument_types = {"i32", "i32", "i32"}, .result_types = {"i32", "i32"}};
  f.returns = {1, f.AddKernel(Op("t.inc", {0}, {"i32"}))};  // used; returned; neither
  auto file = Load(std::move(f));
  const Function* function = *file->FindFunction("f");
  std::vector<RCReference<AsyncValue>> kept = {MakeInt(1), MakeInt(2), MakeInt(3)};
  for (bool by_value : {false, true}) {
    std::vector<RCReference<AsyncValue>> given = kept, results(2);
    AsyncValue* borrowed[] = {given[0].get(), given[1].get(), given[2].get()};
    if (by_value) {
      function->ExecuteByValue(host_.MakeContext(), given, results);
      for (const auto& argument : given) EXPECT_FALSE(argument);
    } else {
      function->Execute(host_.MakeContext(), borrowed, results);
      given.clear();
    }
    EXPECT_EQ(kept[0]->NumRef(), 1u);
    EXPECT_EQ(kept[1]->NumRef(), 2u) << "it is result 0";
    EXPECT_EQ(kept[2]->NumRef(), 1u);
    EXPECT_EQ(results[0].get(), kept[1].get());
    EXPECT_EQ(results[1]->get<int32_t>(), 2);
  }
}

TEST_F(StaticRunTest, ARunThatGoesOnLiveKeepsWhatItStillNeeds) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  uint32_t before = f.AddKernel(Op("t.inc", {0}, {"i32"}));
  uint32_t tracked = f.AddKernel(Op("k.make", {}, {"t"}));
  uint32_t late = f.AddKernel(Op("k.promise", {}, {"i32"}));
  uint32_t sum = f.AddKernel(Op("t.add", {late, before}, {"i32"}));
  uint32_t all = f.AddKernel(Op("t.add", {sum, 0}, {"i32"}));
  uint32_t chain = f.AddKernel(Op("t.log", {all}, {"!tfrt.chain"}));
  f.AddKernel(Op("k.use", {tracked, chain}, {"!tfrt.chain"}));
  f.returns = {all};
  auto file = Load(std::move(f));
  RCReference<AsyncValue> result;
  {
    RCReference<AsyncValue> argument = MakeInt(10);
    AsyncValue* borrowed = argument.get();
    (*file->FindFunction("f"))->Execute(host_.MakeContext(), {&borrowed, 1}, {&result, 1});
  }  // the caller's references are gone before the run has ended
  host_.host().Quiesce();
  EXPECT_FALSE(result->IsAvailable());
  EXPECT_EQ(Tracked::live.load(), 1);
  promise.emplace(100);
  EXPECT_EQ(result->get<int32_t>(), 121);
  host_.host().Quiesce();
  EXPECT_EQ(Tracked::live.load(), 0);
}

TEST_F(StaticRunTest, AResultThatNobodyWaitsForDoesNotEndTheStaticRun) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32", "i32"}};
  uint32_t late = f.AddKernel(Op("k.promise", {}, {"i32"}));
  f.returns = {late, f.AddKernel(Op("t.inc", {0}, {"i32"}))};
  auto results = std::vector<RCReference<AsyncValue>>(2);
  auto file = Load(std::move(f));
  RCReference<AsyncValue> argument = MakeInt(1);
  AsyncValue* borrowed = argument.get();
  (*file->FindFunction("f"))->Execute(host_.MakeContext(), {&borrowed, 1}, results);
  EXPECT_EQ(results[0].get(), promise.GetAsyncValue()) << "the value itself, not a placeholder";
  EXPECT_EQ(results[1]->get<int32_t>(), 2);
  promise.emplace(1);
}

TEST_F(StaticRunTest, KernelsBehindAnErrorAreSkippedAndOthersRun) {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  uint32_t bad = f.AddKernel(Op("t.fail", {}, {"i32"}));
  f.AddKernel(Op("t.log", {bad}, {"!tfrt.chain"}));
  uint32_t tracked = f.AddKernel(Op("k.make", {}, {"t"}));
  uint32_t used = f.AddKernel(Op("k.use", {tracked}, {"!tfrt.chain"}));
  f.AddKernel(Op("k.log_live", {used}, {"!tfrt.chain"}));
  f.returns = {bad};
  auto results = host_.Run(*Load(std::move(f)), "f");
  EXPECT_EQ(results[0]->GetError().message(), "failed");
  EXPECT_EQ(TestLog::Get().entries(), std::vector<int32_t>{0});
}

// --- measured kernels ---

using internal::KernelTimes;
using std::chrono::nanoseconds;

TEST(KernelTimesTest, UnknownKernelsAreNotShort) {
  KernelTimes times;
  EXPECT_FALSE(times.are_short());
  times.Record(nanoseconds(5), 0);  // nothing has run
  EXPECT_FALSE(times.are_short());
}

TEST(KernelTimesTest, TheAverageOfTheLastRunCounts) {
  KernelTimes times;
  times.Record(nanoseconds(49'990), 10);
  EXPECT_TRUE(times.are_short());
  times.Record(nanoseconds(50'000), 10);
  EXPECT_FALSE(times.are_short());
  times.Record(nanoseconds(0), 10);  // known, though less than the clock sees
  EXPECT_TRUE(times.are_short());
  times.Record(std::chrono::hours(100), 1);  // more than fits
  EXPECT_FALSE(times.are_short());
}

TEST_F(StaticRunTest, OneSegmentRunsOnTheCallingThread) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("k.note_thread", {0}, {"i32"}))};
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  TestHost host("mstd:2");
  host.host().kernel_registry().AddKernel("k.note_thread", TFRT_KERNEL(NoteThread));
  auto file = host.Load(builder);
  kernel_thread = {};
  host.Run(*file, "f", {MakeInt(1)});
  EXPECT_EQ(kernel_thread, std::this_thread::get_id());
}

}  // namespace
}  // namespace tfrt
