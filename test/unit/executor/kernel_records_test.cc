// What runs record of functions and kernels, on each way to run.

#include "lib/runtime/executor/kernel_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/tracing/tracing.h"
#include "test/unit/executor/test_kernels.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/tracing/session.h"

namespace tfrt {
namespace {

using bef::FunctionSpec;
using tracing::Profile;
using tracing::Span;
using Names = std::vector<std::string>;

Names NamesOf(const std::vector<const Span*>& spans) {
  Names names;
  for (const Span* span : spans) names.emplace_back(span->name);
  return names;
}

class KernelRecordsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  }
  RCReference<BefFile> Load(FunctionSpec function) {
    bef::BefBuilder builder;
    builder.AddFunction(std::move(function));
    return host_.Load(builder);
  }
  static std::unique_ptr<tracing::Session> Start(
      tracing::StackLevel level = tracing::StackLevel::kDevice) {
    return *tracing::Session::Start({.max_level = level, .buffer_bytes = 4 << 20});
  }
  TestHost host_{GetParam()};
};

FunctionSpec Additions() {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  uint32_t one = f.AddKernel(Const(1));
  uint32_t two = f.AddKernel(Op("t.add", {one, one}, {"i32"}));
  f.returns = {f.AddKernel(Op("t.add", {two, one}, {"i32"}))};
  return f;
}

TEST_P(KernelRecordsTest, OfAStaticRun) {
  auto file = Load(Additions());
  auto session = Start();
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(host_.Run(*file, "f")[0]->get<int32_t>(), 3);
    Profile profile = session->Read();
    auto functions = profile.OfType("function");
    auto kernels = profile.OfType("kernel");
    ASSERT_EQ(functions.size(), size_t(run + 1));
    ASSERT_EQ(kernels.size(), size_t(3 * (run + 1)));
    EXPECT_EQ(functions.back()->name, "f");
    for (int k = 0; k < 3; ++k) {
      const Span& kernel = *kernels[3 * run + k];
      EXPECT_EQ(kernel.name, k == 0 ? "t.const.i32" : "t.add");
      EXPECT_EQ(kernel.Integer("number"), k);
      EXPECT_EQ(kernel.parent_id, functions[run]->id);
      EXPECT_EQ(kernel.ready_ns, kernel.end_ns);
      EXPECT_GE(kernel.begin_ns, functions[run]->begin_ns);
      EXPECT_LE(kernel.end_ns, functions[run]->end_ns);
    }
  }
}

TEST_P(KernelRecordsTest, LevelsAboveDoWithoutKernels) {
  auto file = Load(Additions());
  auto session = Start(tracing::StackLevel::kModel);
  host_.Run(*file, "f");
  EXPECT_EQ(session->Read().OfType("function").size(), 1u);
  EXPECT_TRUE(session->Read().OfType("kernel").empty());
}

TEST_P(KernelRecordsTest, ARunKnowsNothingOfASessionThatIsOver) {
  auto file = Load(Additions());
  auto session = Start();
  session->Stop();
  host_.Run(*file, "f");
  EXPECT_TRUE(session->Read().spans.empty());
}

// It goes on as a live run where a value is not there.
TEST_P(KernelRecordsTest, OfALiveRunAndWhenResultsAreReady) {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  uint32_t one = f.AddKernel(Const(1));
  uint32_t later = f.AddKernel(Op("t.later", {one}, {"i32"}));
  f.returns = {f.AddKernel(Op("t.add", {later, one}, {"i32"}))};
  auto file = Load(std::move(f));
  auto session = Start();
  EXPECT_EQ(host_.Run(*file, "f")[0]->get<int32_t>(), 2);
  Profile profile = session->Read();
  auto kernels = profile.OfType("kernel");
  ASSERT_EQ(NamesOf(kernels), (Names{"t.const.i32", "t.later", "t.add"}));
  // Its result came in a task, and before what needs it began.
  EXPECT_GE(kernels[1]->ready_ns, kernels[1]->begin_ns);
  EXPECT_LE(kernels[1]->ready_ns, kernels[2]->begin_ns);
  EXPECT_EQ(kernels[2]->ready_ns, kernels[2]->end_ns);
  // On behalf of the run, though on the stack of a task.
  uint64_t function = profile.OfType("function").at(0)->id;
  EXPECT_EQ(kernels[0]->parent_id, function);
  EXPECT_EQ(kernels[1]->parent_id, function);
  const Span* parent = kernels[2];
  while (parent && parent->id != function) parent = profile.Find(parent->parent_id);
  EXPECT_NE(parent, nullptr);
}

TEST_P(KernelRecordsTest, KernelsThatAnErrorKeepsFromRunningAreNotRecorded) {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  uint32_t failed = f.AddKernel(Op("t.fail", {}, {"i32"}));
  uint32_t one = f.AddKernel(Const(1));
  uint32_t skipped = f.AddKernel(Op("t.add", {failed, one}, {"i32"}));
  (void)skipped;
  f.returns = {f.AddKernel(Op("t.inc", {one}, {"i32"}))};
  auto file = Load(std::move(f));
  auto session = Start();
  EXPECT_EQ(host_.Run(*file, "f")[0]->get<int32_t>(), 2);
  Profile profile = session->Read();
  Names names = NamesOf(profile.OfType("kernel"));
  std::ranges::sort(names);
  EXPECT_EQ(names, (Names{"t.const.i32", "t.fail", "t.inc"}));
}

TEST_P(KernelRecordsTest, OfASyncRun) {
  for (const char* last : {"t.sync_add", "t.sync_fail"}) {
    FunctionSpec f{.name = "sync", .argument_types = {"i32", "i32"}, .result_types = {"i32"}};
    f.kind = bef::FunctionKind::kSync;
    uint32_t a = f.AddKernel(Op("t.sync_add", {0, 1}, {"i32"}));
    bool fails = std::string(last) == "t.sync_fail";
    f.returns = {
        f.AddKernel(Op(last, fails ? std::vector<uint32_t>{} : std::vector{a, a}, {"i32"}))};
    auto file = Load(std::move(f));
    auto session = Start();
    Value x = Value::Make<int32_t>(2), y = Value::Make<int32_t>(3), result;
    Value* arguments[] = {&x, &y};
    Status status = file->functions()[0]->ExecuteSync(host_.MakeContext(), arguments, {&result, 1});
    EXPECT_EQ(status.ok(), !fails);
    Profile profile = session->Read();
    EXPECT_EQ(NamesOf(profile.OfType("function")), Names{"sync"});
    EXPECT_EQ(NamesOf(profile.OfType("kernel")), (Names{"t.sync_add", last}));
    EXPECT_EQ(profile.OfType("kernel").at(0)->parent_id, profile.OfType("function").at(0)->id);
  }
}

TEST_P(KernelRecordsTest, SinksOfLevelDebugSeeTheNames) {
  class NameSink : public tracing::Sink {
   public:
    void PushScope(std::string_view name) override { text += "(" + std::string(name); }
    void PopScope() override { text += ")"; }
    void RecordEvent(std::string_view) override {}
    std::string text;
  };
  auto file = Load(Additions());
  NameSink sink;
  tracing::AddSink(&sink, std::min(tracing::Level::kDebug, tracing::kMaxLevel));
  host_.Run(*file, "f");
  tracing::RemoveSink(&sink);
  bool sees = tracing::kMaxLevel == tracing::Level::kDebug;
  EXPECT_EQ(sink.text, sees ? "(t.const.i32)(t.add)(t.add)" : "");
}

// The late result of l.mixed.
AsyncValueRef<int32_t> held;

// Long enough for every clock to tell its end from its begin.
int32_t Slow(int32_t value) {
  auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
  while (std::chrono::steady_clock::now() < until) {
  }
  return value;
}
// One late value as each result.
void Twice(int32_t value, RemainingResults results, const ExecutionContext& exec_ctx) {
  auto late = MakeUnconstructedAsyncValueRef<int32_t>();
  for (size_t i = 0; i < results.size(); ++i) results.Set(i, late.CopyRCRef());
  EnqueueWork(exec_ctx, [late = std::move(late), value] { late.emplace(value); });
}
// `held`, which is not there yet, then results that are.
void Mixed(int32_t value, RemainingResults results) {
  held = MakeUnconstructedAsyncValueRef<int32_t>();
  results.Set(0, held.CopyRCRef());
  for (size_t i = 1; i < results.size(); ++i) results.Emplace<int32_t>(i, value);
}

// Results that come later, in shapes that put other waiters above and below those of the records.
class LateResultsTest : public KernelRecordsTest {
 protected:
  void SetUp() override {
    KernelRecordsTest::SetUp();
    KernelRegistry& registry = host_.host().kernel_registry();
    registry.AddKernel("l.slow", TFRT_KERNEL(Slow));
    registry.AddKernel("l.twice", TFRT_KERNEL(Twice));
    registry.AddKernel("l.mixed", TFRT_KERNEL(Mixed));
  }
  void TearDown() override { held.reset(); }

  // Of f, which calls g (i32) -> i32 and gives the result to l.slow.
  Profile ProfileOfCall(FunctionSpec g) {
    FunctionSpec f{.name = "f", .result_types = {"i32"}};
    bef::KernelSpec call = Op("t.call", {f.AddKernel(Const(1))}, {"i32"});
    call.callees = {"g"};
    uint32_t result = f.AddKernel(std::move(call));
    f.returns = {f.AddKernel(Op("l.slow", {result}, {"i32"}))};
    bef::BefBuilder builder;
    builder.AddFunction(std::move(g));
    builder.AddFunction(std::move(f));
    auto file = host_.Load(builder);
    auto session = Start();
    host_.Run(*file, "f");
    return session->Read();
  }
  // The last call of a kernel; null, and a failure, if there is none.
  static const Span* Last(const Profile& profile, std::string_view kernel) {
    const Span* last = nullptr;
    for (const Span* span : profile.OfType("kernel")) {
      if (span->name == kernel) last = span;
    }
    EXPECT_NE(last, nullptr) << kernel;
    return last;
  }
  static void ExpectReadyBefore(const Profile& profile, std::string_view kernel,
                                std::string_view user) {
    EXPECT_NE(Last(profile, kernel)->ready_ns, 0) << kernel;
    EXPECT_LE(Last(profile, kernel)->ready_ns, Last(profile, user)->begin_ns) << kernel;
  }
};

TEST_P(LateResultsTest, ReturnedByAStaticRun) {
  FunctionSpec g{.name = "g", .argument_types = {"i32"}, .result_types = {"i32"}};
  g.returns = {g.AddKernel(Op("t.later", {0}, {"i32"}))};
  Profile profile = ProfileOfCall(std::move(g));
  ExpectReadyBefore(profile, "t.later", "l.slow");
  ExpectReadyBefore(profile, "t.call", "l.slow");
}

TEST_P(LateResultsTest, ReturnedByALiveRunThatDoesNotUseThem) {
  FunctionSpec g{.name = "g", .argument_types = {"i32"}, .result_types = {"i32"}};
  uint32_t late = g.AddKernel(Op("t.later", {0}, {"i32"}));
  uint32_t next = g.AddKernel(Op("t.inc", {late}, {"i32"}));
  g.returns = {g.AddKernel(Op("t.later", {next}, {"i32"}))};
  ExpectReadyBefore(ProfileOfCall(std::move(g)), "t.later", "l.slow");
}

TEST_P(LateResultsTest, OneValueAsTwoResults) {
  FunctionSpec f{.name = "f", .result_types = {"i32", "i32"}};
  uint32_t one = f.AddKernel(Const(1));
  uint32_t first = f.AddKernel(Op("l.twice", {one}, {"i32", "i32"}));
  uint32_t increased = f.AddKernel(Op("t.inc", {first}, {"i32"}));
  f.returns = {increased, f.AddKernel(Op("l.slow", {first + 1}, {"i32"}))};
  auto file = Load(std::move(f));
  auto session = Start();
  auto results = host_.Run(*file, "f");
  EXPECT_EQ(results[0]->get<int32_t>(), 2);
  EXPECT_EQ(results[1]->get<int32_t>(), 1);
  Profile profile = session->Read();
  ExpectReadyBefore(profile, "l.twice", "t.inc");
  ExpectReadyBefore(profile, "l.twice", "l.slow");
}

// Who waits for the second result sets the first, while the results are handed out.
TEST_P(LateResultsTest, BesideResultsThatWereThere) {
  FunctionSpec f{.name = "f", .result_types = {"i32", "i32"}};
  uint32_t late = f.AddKernel(Op("t.later", {f.AddKernel(Const(1))}, {"i32"}));
  uint32_t mixed = f.AddKernel(Op("l.mixed", {late}, {"i32", "i32", "i32"}));
  f.returns = {mixed + 1, f.AddKernel(Op("l.slow", {mixed}, {"i32"}))};
  auto file = Load(std::move(f));
  auto session = Start();
  std::vector<RCReference<AsyncValue>> results(2);
  (*file->FindFunction("f"))->Execute(host_.MakeContext(), {}, results);
  results[0]->AndThen([] { held.emplace(3); });
  host_.host().Quiesce();
  EXPECT_EQ(results[1]->get<int32_t>(), 3);
  ExpectReadyBefore(session->Read(), "l.mixed", "l.slow");
}

TEST_P(LateResultsTest, AreRecordedBeforeWhoWaitsForThemEndsTheSession) {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.later", {f.AddKernel(Const(1))}, {"i32"}))};
  auto file = Load(std::move(f));
  auto session = Start();
  std::vector<RCReference<AsyncValue>> results(1);
  (*file->FindFunction("f"))->Execute(host_.MakeContext(), {}, results);
  results[0]->AndThen([&] { session->Stop(); });
  host_.host().Quiesce();
  EXPECT_NE(Last(session->Read(), "t.later")->ready_ns, 0);
}

TEST_P(KernelRecordsTest, OfAFunctionWithoutKernels) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  f.returns = {0};
  auto file = Load(std::move(f));
  auto session = Start();
  host_.Run(*file, "f", {MakeInt(1)});
  EXPECT_EQ(NamesOf(session->Read().OfType("function")), Names{"f"});
}

INSTANTIATE_TEST_SUITE_P(Queues, KernelRecordsTest, testing::Values("s", "mstd:1"));
INSTANTIATE_TEST_SUITE_P(Queues, LateResultsTest, testing::Values("s", "mstd:1"));

}  // namespace
}  // namespace tfrt
