// Contexts that write calls down as the logging op handler does.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lib/compat/handles/core_runtime.h"
#include "lib/ops/host_ops/cpu_ops.h"
#include "test/unit/eager/eager_fixture.h"

namespace tfrt::eager {
namespace {

using testing::HasSubstr;

class LogFolder {
 public:
  LogFolder() {
    folder_ = std::filesystem::temp_directory_path() / ("eager_log_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~LogFolder() { std::filesystem::remove_all(folder_); }
  std::string Path(const std::string& name) const { return folder_ / name; }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(Path(name)).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path folder_;
};

class EagerLogTest : public testing::TestWithParam<ModeAndOrder> {
 protected:
  std::unique_ptr<Context> MakeLogged(LogOptions log, std::vector<std::string> devices) {
    return MakeContext(checked_.Options(
        std::move(devices), {.order = GetParam().order, .log = std::optional(std::move(log))}));
  }
  ScopeOptions InScope() const { return {.mode = GetParam().mode}; }

  CheckedDevices checked_;
  LogFolder files_;
};

TEST_P(EagerLogTest, TheTextIsThatOfTheHandler) {
  auto context =
      MakeLogged({.log_results = true, .metadata_prefix = files_.Path("eager-")}, {"cpu:0"});
  {
    Scope scope(*context, InScope());
    // What is there is written down at once, in the order of the calls.
    Tensor x = Make<float>({2, 2}, {1, 2, 3, 4}), z = Make<float>({3}, {1, 2, 3});
    context->Wait();
    Tensor y = MatMul(x, x, {.transpose_b = true});
    context->Wait();
    (void)AddV2(y, z).status();
    context->Wait();
  }

  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   CreateSingleThreadedWorkQueue());
  CoreRuntime& runtime = CoreRuntime::Of(&host);
  OpHandler* null = runtime.TakeOpHandler(CreateNullOpHandler());
  OpHandler* cpu = runtime.TakeOpHandler(CreateCpuOpHandler(
      &host, host.GetOrCreateSharedContext<CpuOps>().ops(), runtime.host_device(), null));
  OpHandler* logging = runtime.TakeOpHandler(*CreateLoggingOpHandler(
      &host, cpu, {.log_results = true, .metadata_prefix = files_.Path("handler-")}));
  auto handle = [&](TensorShape shape, std::vector<float> values) {
    auto tensor =
        DenseHostTensor::CreateUninitialized({DType::kF32, std::move(shape)}, host.allocator());
    std::ranges::copy(values, static_cast<float*>(*tensor->MutableData()));
    return TensorHandle(runtime.host_device(),
                        AsyncValueRef<tfrt::Tensor>(
                            MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor))));
  };
  ExecutionContext exec_ctx(RequestContextBuilder(&host, nullptr).Build());
  OpAttrs attrs;
  attrs.Set("transpose_a", false);
  attrs.Set("transpose_b", true);
  TensorHandle x = handle({2, 2}, {1, 2, 3, 4});
  std::vector<TensorHandle> arguments = {x, x}, results(1);
  runtime.Execute(
      "tf.MatMul", logging,
      {.exec_ctx = exec_ctx, .arguments = arguments, .attrs = attrs, .results = results});
  arguments = {results[0], handle({3}, {1, 2, 3})};
  runtime.Execute("tf.AddV2", logging,
                  {.exec_ctx = exec_ctx, .arguments = arguments, .attrs = {}, .results = results});

  std::string log = files_.Read("eager-metadata.log");
  // Errors of the C++ API say more.
  const std::string error = "Output for [1] tensor 0: Error TensorHandle: '";
  auto until_error = [&](const std::string& text) { return text.substr(0, text.find(error)); };
  EXPECT_THAT(log, HasSubstr(error));
  EXPECT_EQ(until_error(log), until_error(files_.Read("handler-metadata.log")));
  EXPECT_THAT(log, HasSubstr("[0] dispatch 'tf.MatMul' 2 arguments, 1 result, "));
  EXPECT_THAT(log, HasSubstr("values = [5.000000e+00, 1.100000e+01, 1.100000e+01, 2.500000e+01]"));
}

TEST_P(EagerLogTest, EachCallIsWrittenDownWhereverItRuns) {
  auto context = MakeLogged({.log_results = true,
                             .metadata_prefix = files_.Path("m-"),
                             .tensor_prefix = files_.Path("t-")},
                            {"cpu:0", GetParam().device});
  constexpr int kCalls = 4;
  {
    ScopeOptions options = InScope();
    options.device = GetParam().device;
    Scope scope(*context, options);
    Tensor sum = Make<float>({2}, {1, 2});
    for (int i = 0; i < kCalls; ++i) sum = AddV2(std::move(sum), HostArray({2}, {1.0f, 1.0f}));
    context->Wait();
    EXPECT_THAT(ValuesOf<float>(sum), testing::ElementsAre(5, 6));
  }
  std::string log = files_.Read("m-metadata.log");
  for (int i = 0; i < kCalls; ++i) {
    std::string number = "[" + std::to_string(i) + "]";
    EXPECT_THAT(log,
                HasSubstr(number + " dispatch 'tf.AddV2' 2 arguments, 1 result, no attributes\n"));
    EXPECT_THAT(log, HasSubstr("Inputs for " + number + ": 'tf.AddV2':\n  Input for " + number +
                               " tensor 0: DenseHostTensor dtype = f32, shape = [2], values = "));
    EXPECT_THAT(log, HasSubstr("  Input for " + number +
                               " tensor 1: DenseHostTensor dtype = f32, shape = [2], values = "
                               "[1.000000e+00, 1.000000e+00]\n"));
    EXPECT_THAT(log, HasSubstr("Outputs for " + number + ": 'tf.AddV2':\n"));
  }
  EXPECT_EQ(files_.Read("t-op_3_tf.AddV2_output_0"), "5.000000e+00,6.000000e+00\n");
}

TEST_P(EagerLogTest, MissingTensorsAndErrors) {
  auto context = MakeLogged({.metadata_prefix = files_.Path("m-")}, {"cpu:0"});
  Scope scope(*context, InScope());
  Tensor none;
  (void)CallOp("test.Add", {none, Make<float>({1}, {1})}).status();
  Tensor wrong = AddV2(Make<float>({2}, {1, 2}), Make<float>({3}, {1, 2, 3}));
  (void)Relu(wrong).status();
  context->Wait();
  std::string log = files_.Read("m-metadata.log");
  EXPECT_THAT(log, HasSubstr("  Input for [0] tensor 0: NULL TensorHandle!\n"));
  EXPECT_THAT(log, HasSubstr("  Input for [2] tensor 0: Error TensorHandle: '"));
  EXPECT_THAT(log, testing::Not(HasSubstr("Output")));  // nobody asked for them
}

TEST_P(EagerLogTest, TensorsThatAreMovedInGiveTheirMemory) {
  auto context = MakeLogged({.metadata_prefix = files_.Path("m-")}, {"cpu:0"});
  Scope scope(*context, InScope());
  Tensor y = Relu(Make<float>({2}, {1, -2}));
  context->Wait();
  const void* address = AddressOf(y);
  Tensor z = Relu(std::move(y));
  EXPECT_EQ(AddressOf(z), address);
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerLogTest, testing::ValuesIn(kAllModesOnDevices), ModeName);

TEST(EagerLogOptionsTest, FilesThatCannotBeOpened) {
  LogFolder files;
  auto context = Context::Create({.log = LogOptions{.metadata_prefix = files.Path("none/")}});
  EXPECT_EQ(context.status(),
            InvalidArgumentError("error opening file " + files.Path("none/metadata.log") +
                                 ": No such file or directory"));
}

}  // namespace
}  // namespace tfrt::eager
