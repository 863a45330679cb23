// The driver on hand-built programs with a few fake kernels: no kernel library is linked.

#include "lib/compat/bef_run/bef_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "tfrt/bef/bef_builder.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

int32_t ConstI32(Attribute<int32_t> value) { return *value; }
Chain Say(Attribute<int32_t> value) {
  std::printf("say %d\n", *value);
  std::fflush(stdout);
  return Chain();
}
Status Fail() { return InternalError("it broke"); }
StatusOr<int32_t> FailWithResult() { return InvalidArgumentError("bad value"); }
AsyncValueRef<int32_t> Later(int32_t value, const ExecutionContext& exec_ctx) {
  return EnqueueWork(exec_ctx, [value] { return value; });
}
Chain IgnoreRegions(RemainingFunctions, RemainingAttributes) { return Chain(); }
Chain Leak(const ExecutionContext&) {
  (void)MakeAvailableAsyncValueRef<int32_t>(1).release();
  return Chain();
}
Status KeepMemory(const ExecutionContext& exec_ctx) {
  // Reachable, so that only the driver's leak check finds it, not a sanitizer's.
  static void* volatile kept;  // volatile: nothing reads it, but it must be stored
  kept = exec_ctx.host()->allocator()->AllocateBytes(100, 8);
  return kept ? OkStatus() : InternalError("out of memory");
}
int32_t SyncConst(Attribute<int32_t> value) { return *value; }
StatusOr<int32_t> SyncFail() { return InternalError("sync broke"); }

void RegisterFakeKernels(KernelRegistry* registry) {
  registry->AddKernel("t.const", TFRT_KERNEL(ConstI32));
  registry->AddKernel("t.say", TFRT_KERNEL(Say));
  registry->AddKernel("t.fail", TFRT_KERNEL(Fail));
  registry->AddKernel("t.fail_result", TFRT_KERNEL(FailWithResult));
  registry->AddKernel("t.later", TFRT_KERNEL(Later));
  registry->AddKernel("t.leak", TFRT_KERNEL(Leak));
  registry->AddKernel("t.keep_memory", TFRT_KERNEL(KeepMemory));
  registry->AddSyncKernel("t.sync_const", TFRT_SYNC_KERNEL(SyncConst));
  registry->AddSyncKernel("t.sync_fail", TFRT_SYNC_KERNEL(SyncFail));
}

bef::KernelSpec Const(int32_t value, std::string name = "t.const") {
  return {.name = std::move(name),
          .result_types = {"i32"},
          .attributes = {{"value", bef::I32Attribute(value)}}};
}

bef::FunctionSpec ReturningConst(std::string name, int32_t value) {
  bef::FunctionSpec function{.name = std::move(name)};
  function.returns = {function.AddKernel(Const(value))};
  return function;
}

constexpr char kChoosing[] =
    "Choosing memory leak check allocator.\nChoosing single-threaded work queue.\n";

class BefExecutorTest : public ::testing::Test {
 protected:
  BefExecutorTest() {
    options_.program_name = "prog";
    options_.input_file = ::testing::TempDir() + "/bef_executor_test.bef";
    options_.register_kernels = &RegisterFakeKernels;
  }
  ~BefExecutorTest() override { std::remove(options_.input_file.c_str()); }

  void WriteBytes(const std::string& bytes) {
    std::ofstream(options_.input_file, std::ios::binary) << bytes;
  }
  void Write(std::vector<bef::FunctionSpec> functions) {
    bef::BefBuilder builder;
    for (auto& function : functions) builder.AddFunction(std::move(function));
    auto bytes = builder.Build();
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    WriteBytes(std::string(bytes->begin(), bytes->end()));
  }
  int Run() {
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    int code = RunBefExecutor(options_);
    out_ = ::testing::internal::GetCapturedStdout();
    err_ = ::testing::internal::GetCapturedStderr();
    return code;
  }

  BefExecutorOptions options_;
  std::string out_, err_;
};

TEST_F(BefExecutorTest, RunsAllFunctionsInFileOrder) {
  bef::FunctionSpec with_argument{.name = "with_argument", .argument_types = {"i32"}};
  bef::FunctionSpec empty{.name = "empty"};
  Write({ReturningConst("b", 2), with_argument, empty, ReturningConst("a", -1)});
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(out_, std::string(kChoosing) +
                      "--- Running 'b':\n'b' returned 2\n"
                      "--- Not running 'with_argument' because it has arguments.\n"
                      "--- Running 'empty':\n"
                      "--- Running 'a':\n'a' returned -1\n");
  EXPECT_EQ(err_, "");
}

TEST_F(BefExecutorTest, RegionsAreSkippedUnlessTheyHaveArguments) {
  bef::FunctionSpec with_region{.name = "f"};
  bef::KernelSpec kernel{.name = "t.say",
                         .result_types = {"!tfrt.chain"},
                         .attributes = {{"value", bef::I32Attribute(1)}}};
  bef::FunctionSpec region{.name = "", .argument_types = {"i32"}};
  bef::FunctionSpec other = ReturningConst("", 1);
  kernel.regions = {region, other};
  with_region.AddKernel(std::move(kernel));
  options_.register_kernels = [](KernelRegistry* registry) {
    registry->AddKernel("t.say", TFRT_KERNEL(IgnoreRegions));
    registry->AddKernel("t.const", TFRT_KERNEL(ConstI32));
  };
  Write({with_region});
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(out_, std::string(kChoosing) +
                      "--- Not running '' because it has arguments.\n--- Running 'f':\n");
}

TEST_F(BefExecutorTest, ChosenFunctionsAndInitFunction) {
  Write({ReturningConst("a", 1), ReturningConst("b", 2), ReturningConst("c", 3)});
  options_.functions = {"c", "b", "a"};
  options_.test_init_function = "b";
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, EndsWith("--- Running 'b':\n'b' returned 2\n--- Running 'c':\n'c' returned 3\n"
                             "--- Running 'a':\n'a' returned 1\n"));
  options_.functions = {};
  options_.test_init_function = "nobody";
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, EndsWith("'a' returned 1\n--- Running 'b':\n'b' returned 2\n"
                             "--- Running 'c':\n'c' returned 3\n"));
}

TEST_F(BefExecutorTest, UnknownFunction) {
  Write({ReturningConst("a", 1)});
  options_.functions = {"a", "nobody"};
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(out_, kChoosing);
  EXPECT_EQ(err_, "prog: couldn't find function nobody\n");
}

TEST_F(BefExecutorTest, WaitsForResultsThenDrainsTheQueue) {
  bef::FunctionSpec f{.name = "f"};
  uint32_t value = f.AddKernel(Const(5));
  f.returns = {f.AddKernel({.name = "t.later", .operands = {value}, .result_types = {"i32"}}),
               value};
  Write({f});
  for (const char* queue : {"s", "mstd:2,2"}) {
    options_.work_queue_type = queue;
    EXPECT_EQ(Run(), 0);
    EXPECT_THAT(out_, EndsWith("--- Running 'f':\n'f' returned 5,5\n"));
  }
  EXPECT_THAT(out_, HasSubstr("Choosing Multi-threaded C++ work queue (2 threads, 2 blocking "
                              "threads) work queue.\n"));
}

TEST_F(BefExecutorTest, ErrorResultsAndCodes) {
  bef::FunctionSpec f{.name = "f"};
  f.returns = {f.AddKernel({.name = "t.fail_result", .result_types = {"i32"}})};
  Write({f});
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(out_, EndsWith("'f' returned <<error: bad value>>\n"));
  EXPECT_EQ(err_, "<unknown>:0: error: unexpected error: runtime error: bad value\n");
  options_.print_error_code = true;
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(out_, EndsWith("'f' returned <<error: bad value, code: INVALID_ARGUMENT>>\n"));
}

TEST_F(BefExecutorTest, ExpectedErrorInTheSource) {
  std::string source = ::testing::TempDir() + "/bef_executor_test.mlir";
  std::ofstream(source) << "// expected-error@+1 {{it broke}}\n\"t.fail\"\n";
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel({.name = "t.fail", .location = bef::FileLocation(source, 2, 1)});
  Write({f});
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(err_, "");
  std::ofstream(source) << "\n\"t.fail\"\n// expected-error {{never}}\n";
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(err_, source +
                      ":2:1: error: unexpected error: runtime error: it broke\n"
                      "\"t.fail\"\n^\n" +
                      source +
                      ":3:4: error: expected error \"never\" was not produced\n"
                      "// expected-error {{never}}\n   ^\n");
  std::remove(source.c_str());
}

TEST_F(BefExecutorTest, SyncFunctions) {
  bef::FunctionSpec good{.name = "good", .kind = bef::FunctionKind::kSync};
  good.returns = {good.AddKernel(Const(3, "t.sync_const"))};
  bef::FunctionSpec bad{.name = "bad", .kind = bef::FunctionKind::kSync};
  bad.AddKernel({.name = "t.sync_fail", .result_types = {"i32"}});
  Write({good, bad});
  options_.print_error_code = true;
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(out_, EndsWith("--- Running 'good':\n'good' returned 3\n"
                             "--- Running 'bad':\n'bad' returned <<error: sync broke>>\n"));
}

TEST_F(BefExecutorTest, Allocators) {
  Write({ReturningConst("a", 1)});
  options_.host_allocator_type = HostAllocatorType::kMalloc;
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, StartsWith("Choosing malloc.\n"));
  options_.host_allocator_type = HostAllocatorType::kFixedSize1k;
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, StartsWith("Choosing fixed size malloc.\n"));
  options_.host_allocator_type = HostAllocatorType::kProfiled;
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, StartsWith("Choosing profiled allocator based on malloc.\n"));
  EXPECT_THAT(out_, HasSubstr("\nHostAllocator profile:\nCurrent number of allocations = 0\n"));
}

TEST_F(BefExecutorTest, LeakedMemoryIsReported) {
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel({.name = "t.keep_memory"});
  Write({f});
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(out_, EndsWith("Memory leak detected: 1 alive allocations, 100 alive bytes\n"));
}

TEST_F(BefExecutorTest, LeakedAsyncValuesAbort) {
#ifndef TFRT_TRACK_LIVE_OBJECTS
  GTEST_SKIP() << "this build does not count AsyncValues";
#endif
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel({.name = "t.leak", .result_types = {"!tfrt.chain"}});
  Write({f});
  EXPECT_DEATH(RunBefExecutor(options_),
               "Evaluation of function 'f' leaked 1 async values \\(before: [0-9]+, after: "
               "[0-9]+\\)!");
}

TEST_F(BefExecutorTest, MissingFile) {
  options_.input_file = "/no/such/file.bef";
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(out_, "");
  EXPECT_EQ(err_, "cannot open input file '/no/such/file.bef': No such file or directory\n");
  options_.input_file = ::testing::TempDir();
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(err_, EndsWith("': Is a directory\n"));
}

TEST_F(BefExecutorTest, BadFile) {
  WriteBytes("hello");
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(out_, kChoosing);
  EXPECT_THAT(err_, StartsWith("<unknown>:0: error: unexpected error: runtime error: "));
  WriteBytes("");
  EXPECT_EQ(Run(), 1);
}

TEST_F(BefExecutorTest, BadWorkQueue) {
  Write({});
  options_.work_queue_type = "xyz";
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(out_, "Choosing memory leak check allocator.\n");
  EXPECT_EQ(err_, "prog: couldn't create work queue type xyz\n");
  options_.work_queue_type = "mstd:two";
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(err_, HasSubstr("] Invalid argument for "));
  EXPECT_THAT(err_, EndsWith("prog: couldn't create work queue type mstd:two\n"));
}

TEST_F(BefExecutorTest, BadLibrary) {
  Write({});
  options_.shared_libs = {"/no/such/library.so"};
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(out_, kChoosing);
  EXPECT_THAT(err_, StartsWith("prog: couldn't load library "));
  EXPECT_THAT(err_, HasSubstr("/no/such/library.so"));
}

TEST_F(BefExecutorTest, KernelRegisteredTwice) {
  Write({});
  options_.register_kernels = [](KernelRegistry* registry) {
    for (int i = 0; i < 2; ++i) registry->AddKernel("t.twice", {nullptr, nullptr});
  };
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(out_, kChoosing);
  EXPECT_EQ(err_, "prog: couldn't register kernels: kernel 't.twice' is registered twice\n");
}

TEST_F(BefExecutorTest, TracesTheRunAndItsFunctions) {
  class Names final : public tracing::Sink {
   public:
    void PushScope(std::string_view name) override { names.emplace_back(name); }
    void PopScope() override { names.emplace_back("end"); }
    void RecordEvent(std::string_view) override {}
    std::vector<std::string> names;
  } sink;
  Write({ReturningConst("a", 1), bef::FunctionSpec{.name = "b"}});
  options_.tracing = {{&sink, tracing::Level::kVerbose}};
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(sink.names, ::testing::ElementsAre("Bef Executor", "Function: a", "end",
                                                 "Function: b", "end", "end"));
}

}  // namespace
}  // namespace tfrt
