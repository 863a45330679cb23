#include <gmock/gmock.h>

#include "lib/compat/test_kernels/benchmark_statistics.h"
#include "test/unit/kernels/kernel_runner.h"

namespace tfrt {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

std::vector<Bytes> Attributes(int32_t duration_secs, int32_t max_count, int32_t num_warmup_runs) {
  return {ScalarBytes(duration_secs), ScalarBytes(max_count), StringBytes("it"),
          ScalarBytes(num_warmup_runs)};
}

TEST(BenchmarkTest, CountsMeasuredRunsAndPrintsAllLines) {
  KernelRunner runner;
  int runs = 0;
  TestFunction body("", {"i32"}, {"i32"},
                    [&](const ExecutionContext&, std::span<AsyncValue* const> arguments) {
                      ++runs;
                      return Values{FormRef(arguments[0])};
                    });
  std::string output =
      runner.Output("tfrt_test.benchmark", {{I32(1)}, 1, Attributes(100, 7, 2), {&body}});
  EXPECT_EQ(runs, 9);
  EXPECT_THAT(output, HasSubstr("BM:it:Count: 7\n"));
  EXPECT_THAT(output, MatchesRegex("BM:it:Duration\\(ns\\): [0-9]+\n"
                                   "BM:it:Count: [0-9]+\n"
                                   "BM:it:Time Min\\(ns\\): [0-9]+\n"
                                   "BM:it:Time 50%\\(ns\\): [0-9]+\n"
                                   "BM:it:Time 95%\\(ns\\): [0-9]+\n"
                                   "BM:it:Time 99%\\(ns\\): [0-9]+\n"
                                   "BM:it:CPU Min\\(ns\\): [0-9]+\n"
                                   "BM:it:CPU 50%\\(ns\\): [0-9]+\n"
                                   "BM:it:CPU 95%\\(ns\\): [0-9]+\n"
                                   "BM:it:CPU 99%\\(ns\\): [0-9]+\n"
                                   "BM:it:CPU utilization\\(percent\\): [0-9.]+e[-+][0-9]+\n"));
}

TEST(BenchmarkTest, StopsAtAnError) {
  KernelRunner runner;
  TestFunction body("", {}, {"i32"}, [](const ExecutionContext&, std::span<AsyncValue* const>) {
    return Values{MakeErrorAsyncValue(InternalError("broken"))};
  });
  EXPECT_EQ(runner.Error("tfrt_test.benchmark", {{}, 1, Attributes(100, 7, 0), {&body}}), "broken");
}

TEST(BenchmarkTest, NeedsOneResult) {
  KernelRunner runner;
  TestFunction body("", {}, {},
                    [](const ExecutionContext&, std::span<AsyncValue* const>) { return Values(); });
  EXPECT_EQ(runner.Error("tfrt_test.benchmark", {{}, 1, Attributes(1, 1, 0), {&body}}),
            "Benchmark op requires the input function have exactly one return value");
}

// A sync function that fails, or does nothing.
class SyncFunction : public Function {
 public:
  SyncFunction(FunctionKind kind, std::span<const std::string_view> argument_types,
               std::span<const std::string_view> result_types, Status status = OkStatus())
      : Function("work", kind, argument_types, result_types), status_(std::move(status)) {}
  void Execute(const ExecutionContext&, std::span<AsyncValue* const>,
               std::span<RCReference<AsyncValue>>) const override {}
  Status ExecuteSync(const ExecutionContext&, std::span<Value* const>,
                     std::span<Value>) const override {
    return status_;
  }
  void AddRef() const override {}
  void DropRef() const override {}

 private:
  Status status_;
};

// The message of tfrt_test.sync_benchmark without operands on `function`; empty if it succeeds.
std::string RunSyncBenchmark(KernelRunner& runner, const Function& function) {
  std::vector<Bytes> bytes = {ScalarBytes(100), ScalarBytes(4), ScalarBytes(1)};
  const uint8_t* attributes[] = {bytes[0].data(), bytes[1].data(), bytes[2].data()};
  const Function* functions[] = {&function};
  ExecutionContext exec_ctx(FormRef(&runner.request()));
  KernelCallSite site;
  site.num_attributes = 3;
  site.num_functions = 1;
  SyncKernelFrame::Parts parts;
  parts.site = &site;
  parts.attributes = attributes;
  parts.functions = functions;
  parts.exec_ctx = &exec_ctx;
  SyncKernelFrame frame(parts);
  runner.host().kernel_registry().FindKernel("tfrt_test.sync_benchmark")->sync_function(&frame);
  return std::string(frame.status().message());
}

TEST(SyncBenchmarkTest, PrintsUnderTheNameOfTheFunction) {
  KernelRunner runner;
  testing::internal::CaptureStdout();
  EXPECT_EQ(RunSyncBenchmark(runner, SyncFunction(FunctionKind::kSync, {}, {})), "");
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("BM:work:Count: 4\n"));
}

TEST(SyncBenchmarkTest, RefusesOtherFunctions) {
  KernelRunner runner;
  const std::string_view types[] = {"i32"};
  EXPECT_EQ(RunSyncBenchmark(runner, SyncFunction(FunctionKind::kAsync, {}, {})),
            "SyncBenchmark op requires the input function be a sync function");
  EXPECT_EQ(RunSyncBenchmark(runner, SyncFunction(FunctionKind::kSync, {}, types)),
            "SyncBenchmark op requires the input function have zero return value");
  EXPECT_EQ(RunSyncBenchmark(runner, SyncFunction(FunctionKind::kSync, types, {})),
            "Incorrect number of arguments for the target function for the SyncBenchmark op");
  EXPECT_EQ(
      RunSyncBenchmark(runner, SyncFunction(FunctionKind::kSync, {}, {}, InternalError("broken"))),
      "broken");
}

TEST(BenchmarkTest, NoMeasuredRuns) {
  BenchmarkStatistics statistics("none", {std::chrono::seconds(1), 0, 0});
  EXPECT_TRUE(statistics.IsDone());
  EXPECT_THAT(statistics.Summary(), HasSubstr("BM:none:Time 99%(ns): 0\n"));
  EXPECT_THAT(statistics.Summary(), HasSubstr("CPU utilization(percent): 0.000000e+00\n"));
}

TEST(BenchmarkTest, DurationEndsTheRuns) {
  BenchmarkStatistics statistics("short", {std::chrono::nanoseconds(1), 1000000, 1});
  EXPECT_FALSE(statistics.IsDone());
  statistics.StartRun();
  statistics.StopRun();  // the warm-up run
  EXPECT_FALSE(statistics.IsDone());
  statistics.StartRun();
  statistics.StopRun();
  EXPECT_TRUE(statistics.IsDone());
  EXPECT_THAT(statistics.Summary(), HasSubstr("BM:short:Count: 1\n"));
}

}  // namespace
}  // namespace tfrt
