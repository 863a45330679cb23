// What comes later, and what is no tensor; test/lit/corert/logging.mlir has the formats.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "eager_test.h"
#include "lib/compat/handles/op_handler.h"
#include "tfrt/core_runtime/op_log.h"

namespace tfrt {
namespace {

using testing::HasSubstr;
using testing::Not;

// The first argument, with nothing known before it is there.
void First(OpCall& call) noexcept { call.SetResult(0, FormRef(call.argument(0))); }
Status Fail(const Tensor&) { return InternalError("the op failed"); }

class LoggingOpHandlerTest : public EagerTest {
 protected:
  LoggingOpHandlerTest() {
    folder_ = std::filesystem::temp_directory_path() /
              ("logging_op_handler_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    ops_.Add({.name = "test.First",
              .arguments = {{"a"}, {"b", OpArgumentSpec::Kind::kOptional}},
              .flags = OpFlags::kAllowsScalar | OpFlags::kAllowsString,
              .function = First});
    ops_.Add({.name = "test/../Fail", .function = TFRT_OP(Fail)});
    auto* null = runtime().TakeOpHandler(CreateNullOpHandler());
    auto* cpu = runtime().TakeOpHandler(CreateCpuOpHandler(host(), ops_, device(), null));
    auto handler = CreateLoggingOpHandler(
        host(), cpu,
        {.log_results = true, .metadata_prefix = Path("m-"), .tensor_prefix = Path("t-")});
    EXPECT_TRUE(handler.ok()) << handler.status().ToString();
    handler_ = runtime().TakeOpHandler(*std::move(handler));
  }
  ~LoggingOpHandlerTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }
  static std::string Read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::string Log() const { return Read(Path("m-metadata.log")); }
  std::vector<TensorHandle> Call(std::string_view op, std::vector<TensorHandle> arguments,
                                 size_t num_results = 1) {
    std::vector<TensorHandle> results(num_results);
    ExecutionContext context = exec_ctx();
    runtime().Execute(
        op, handler_,
        {.exec_ctx = context, .arguments = arguments, .attrs = {}, .results = results});
    return results;
  }

  std::filesystem::path folder_;
  OpRegistry ops_;
  OpHandler* handler_;
};

TEST_F(LoggingOpHandlerTest, TensorsThatComeLaterAreLoggedThen) {
  Later later = MakeLater();
  auto results = Call("test.First", {later.handle});
  EXPECT_EQ(Log(), "[0] dispatch 'test.First' 1 argument, 1 result, no attributes\n");
  later.Resolve(ScalarHandle(2, {2}).tensor().CopyRef());
  std::string text =
      "DenseHostTensor dtype = f32, shape = [2], values = [2.000000e+00, 2.000000e+00]";
  EXPECT_THAT(Log(), HasSubstr("Inputs for [0]: 'test.First':\n  Input for [0] tensor 0: " + text));
  EXPECT_THAT(Log(),
              HasSubstr("Outputs for [0]: 'test.First':\n  Output for [0] tensor 0: " + text));
  EXPECT_EQ(Read(Path("t-op_0_test.First_output_0")), "2.000000e+00,2.000000e+00\n");
}

TEST_F(LoggingOpHandlerTest, ErrorsAndMissingTensors) {
  Call("test.First", {TensorHandle::CreateError(InternalError("boo"))});
  EXPECT_THAT(Log(), HasSubstr("Input for [0] tensor 0: Error TensorHandle: 'boo'\n"));
  EXPECT_THAT(Log(), HasSubstr("Output for [0] tensor 0: Error TensorHandle: 'boo'\n"));
  Call("test.First", {Handle({1}), TensorHandle()});
  EXPECT_THAT(Log(), HasSubstr("Input for [1] tensor 1: NULL TensorHandle!\n"));
  Later later = MakeLater();
  auto results = Call("test.First", {later.handle});
  later.Fail("too late");
  EXPECT_THAT(Log(), HasSubstr("Output for [2] tensor 0: Error TensorHandle: 'too late'\n"));
  // Files stay where they belong, whatever the op is called.
  EXPECT_EQ(ErrorOf(Call("test/../Fail", {Handle({1})})[0]), "the op failed");
  EXPECT_EQ(Read(Path("t-op_3_test_.._Fail_input_0")), "1.000000e+00\n");
}

TEST_F(LoggingOpHandlerTest, Strings) {
  Call("test.First", {StringHandle("a b")});
  EXPECT_THAT(Log(), HasSubstr("tensor 0: StringHostTensor shape = [1], values = [\"a b\"]\n"));
  EXPECT_EQ(Read(Path("t-op_0_test.First_input_0")), "a b\n");
}

TEST_F(LoggingOpHandlerTest, UnknownOpsAreErrorsOfTheFallback) {
  EXPECT_EQ(ErrorOf(Call("test.Unknown", {})[0]),
            "test.Unknown was not supported by NullOpHandler.");
  EXPECT_EQ(Log(), "");
}

TEST_F(LoggingOpHandlerTest, WithoutResults) {
  auto handler =
      CreateLoggingOpHandler(host(), handler_->fallback(), {.metadata_prefix = Path("quiet-")});
  handler_ = runtime().TakeOpHandler(*std::move(handler));
  Call("test.First", {Handle({1})});
  std::string log = Read(Path("quiet-metadata.log"));
  EXPECT_THAT(log, HasSubstr("Input for [0] tensor 0"));
  EXPECT_THAT(log, Not(HasSubstr("Output")));
}

TEST_F(LoggingOpHandlerTest, FilesThatCannotBeOpened) {
  auto handler = CreateLoggingOpHandler(host(), handler_, {.metadata_prefix = Path("none/")});
  ASSERT_FALSE(handler.ok());
  EXPECT_EQ(handler.status().message(),
            "error opening file " + Path("none/metadata.log") + ": No such file or directory");
}

TEST_F(LoggingOpHandlerTest, ManyThreads) {
  constexpr int kThreads = 4, kCalls = 25;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kCalls; ++i) Call("test.First", {Handle({1})});
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::istringstream log(Log());
  std::string line;
  int dispatches = 0, inputs = 0, outputs = 0;
  while (std::getline(log, line)) {
    if (line.find("dispatch 'test.First' 1 argument, 1 result, no attributes") != line.npos)
      ++dispatches;
    if (line.find("  Input for [") == 0) ++inputs;
    if (line.find("  Output for [") == 0) ++outputs;
  }
  EXPECT_EQ(dispatches, kThreads * kCalls);
  EXPECT_EQ(inputs, kThreads * kCalls);
  EXPECT_EQ(outputs, kThreads * kCalls);
}

}  // namespace
}  // namespace tfrt
