// Bad input: each error names the op, the argument, what disagrees, and the line of the call.

#include <mutex>

#include "test/unit/eager/eager_fixture.h"
#include "test/unit/host_ops/attribute_samples.h"

namespace tfrt::eager {
namespace {

using EagerErrorsTest = EagerModesTest;

TEST_P(EagerErrorsTest, UnknownOp) {
  Scope scope(*context_, {.mode = mode()});
  Tensor result = CallOp("tf.Nothing", {});
  EXPECT_EQ(result.status().code(), StatusCode::kNotFound);
  EXPECT_EQ(TFRT_MESSAGE_AT(result.status(), __LINE__ - 2), "there is no op 'tf.Nothing'");
  EXPECT_TRUE(result.IsError());
  EXPECT_EQ(result.device(), "");
}

TEST_P(EagerErrorsTest, AnOpThatNoDeviceHas) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.MetadataOnly", {x}).status(), __LINE__),
            "test.MetadataOnly is known by its metadata only: no device has it");
}

TEST_P(EagerErrorsTest, NumbersOfArgumentsAndResults) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("tf.MatMul", {x}).status(), __LINE__),
            "tf.MatMul takes 2 arguments, but there are 1");
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("tf.Relu", {x, x}).status(), __LINE__),
            "tf.Relu takes 1 arguments, but there are 2");
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Optional", {x, x, x}).status(), __LINE__),
            "test.Optional takes 1 to 2 arguments, but there are 3");
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Optional", {}).status(), __LINE__),
            "test.Optional takes 1 to 2 arguments, but there are 0");
  TensorArgument argument(x);
  Tensor results[2];
  Status status = Execute("tf.Relu", {&argument, 1}, {}, results);
  EXPECT_EQ(TFRT_MESSAGE_AT(status, __LINE__ - 1), "tf.Relu has 1 results, but is asked for 2");
  EXPECT_EQ(results[0].status(), status);
  EXPECT_EQ(results[1].status(), status);
  // The same of a call that is known but for its results.
  EXPECT_TRUE(CallOp("tf.Relu", {x}).status().ok());
  status = Execute("tf.Relu", {&argument, 1}, {}, results);
  EXPECT_EQ(TFRT_MESSAGE_AT(status, __LINE__ - 1), "tf.Relu has 1 results, but is asked for 2");
  EXPECT_EQ(results[1].status(), status);
}

TEST_P(EagerErrorsTest, AttributesOfOtherKinds) {
  Scope scope(*context_, {.mode = mode()});
  const Tensor x = Make({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f});
  for (const OpSpelling* spelling : AllOpSpellings()) {
    const OpDefinition* op = context_->FindOp(spelling->name);
    ASSERT_TRUE(op) << spelling->name;
    ForEachWrongAttribute(*op, [&](const OpAttrsRef& attrs, const OpAttrSpec& wrong) {
      std::vector<TensorArgument> arguments(op->arguments.size(), TensorArgument(x));
      std::vector<Tensor> results(op->results.size());
      EXPECT_THAT(std::string(Execute(op->name, arguments, attrs, results).message()),
                  testing::AnyOf(testing::HasSubstr(StrCat("the attribute '", wrong.name, "' is ")),
                                 testing::HasSubstr("no device has it")))
          << op->name;
    });
  }
}

TEST_P(EagerErrorsTest, Attributes) {
  Scope scope(*context_, {.mode = mode()});
  OpAttrs missing;
  missing.Set("b", true);
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Attributes", {}, missing).status(), __LINE__),
            "test.Attributes needs the attribute 'i', an i64");
  OpAttrs mistyped;
  mistyped.Set("b", true);
  mistyped.Set("i", int32_t{1});
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Attributes", {}, mistyped).status(), __LINE__),
            "test.Attributes: the attribute 'i' is an i32, expected an i64");
  OpAttrs right;
  right.Set("i", int64_t{3});
  right.Set("b", true);
  EXPECT_EQ(CallOp("test.Attributes", {}, right).Item<int64_t>().value(), 3);
  OpAttrs other;
  other.Set("b", int8_t{1});
  other.Set("i", int64_t{3});
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Attributes", {}, other).status(), __LINE__),
            "test.Attributes: the attribute 'b' is of type code " +
                std::to_string(int{Attribute<int8_t>::kCode}) + ", expected a bool");
}

TEST_P(EagerErrorsTest, AttributesThatTheOpDoesNotHave) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1, 1}, {3.0f});
  OpAttrs misspelt;
  misspelt.Set("transposeB", true);
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("tf.MatMul", {x, x}, misspelt).status(), __LINE__),
            "tf.MatMul has no attribute 'transposeB'; it has transpose_a, transpose_b; "
            "did you mean 'transpose_b'?");
  OpAttrs type;
  type.SetType("T", DType::kF32);
  type.Set("transpose_a", false);
  type.Set("transpose_b", false);
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("tf.MatMul", {x, x}, type).status(), __LINE__),
            "tf.MatMul has no attribute 'T'; it has transpose_a, transpose_b");
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("tf.Relu", {x}, type).status(), __LINE__),
            "tf.Relu has no attribute 'T'; it has none");
  OpAttrs upper;
  upper.Set("I", int64_t{1});
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Attributes", {}, upper).status(), __LINE__),
            "test.Attributes has no attribute 'I'; it has b, i; did you mean 'i'?");
}

TEST_P(EagerErrorsTest, AttributesWithDefaultsNeedNotBeGiven) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1, 2}, {3.0f, 4.0f});
  OpAttrs transpose_b;
  transpose_b.Set("transpose_b", true);
  EXPECT_EQ(ValuesOf<float>(CallOp("tf.MatMul", {x, x}, transpose_b)), std::vector<float>{25});
  EXPECT_EQ(CallOp("test.Defaults", {}).Item<int64_t>().value(), 3);
  OpAttrs by;
  by.Set("by", int64_t{4});
  EXPECT_EQ(CallOp("test.Defaults", {}, by).Item<int64_t>().value(), 4);
  EXPECT_EQ(CallOp("test.Defaults", {}).Item<int64_t>().value(), 3);  // not what the cache has seen
  // The same kernel, whoever fills the default in.
  uint64_t misses = context_->cache_statistics().misses;
  EXPECT_EQ(ValuesOf<float>(MatMul(x, x, {.transpose_b = true})), std::vector<float>{25});
  EXPECT_EQ(context_->cache_statistics().misses, misses);
}

TEST_P(EagerErrorsTest, SayWhatTheArgumentsAre) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({3}, {1.0f, 2.0f, 3.0f}), y = Make({2}, {1, 2});
  EXPECT_EQ(TFRT_MESSAGE_AT(AddV2(x, y).status(), __LINE__),
            "tf.AddV2: incompatible dtypes for binary operation: x is f32 [3], y is i32 [2]");
  Tensor z = Make({2}, {1.0f, 2.0f});
  EXPECT_EQ(TFRT_MESSAGE_AT(AddV2(x, z).status(), __LINE__),
            "tf.AddV2: Dimensions must be equal, but are 3 and 2: x is f32 [3], y is f32 [2]");
  // The same when the op has been prepared, and when it is the op's function that says no.
  EXPECT_EQ(ValuesOf<float>(AddV2(x, x)), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(TFRT_MESSAGE_AT(AddV2(x, z).status(), __LINE__),
            "tf.AddV2: Dimensions must be equal, but are 3 and 2: x is f32 [3], y is f32 [2]");
  Tensor bytes = Make<int8_t>({1}, {1});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(TFRT_MESSAGE_AT(Add(bytes, bytes).status(), __LINE__),
              "test.Add: unsupported dtype i8: a is i8 [1], b is i8 [1]");
  }
  // Of any number of arguments those at the front.
  std::vector<Tensor> many(12, x);
  many[1] = z;
  many[11] = Make({}, {1});
  EXPECT_THAT(std::string(ConcatV2(many).status().message()),
              testing::EndsWith(": values_and_axis[0] is f32 [3], values_and_axis[1] is f32 [2], "
                                "values_and_axis[2] is f32 [3], values_and_axis[3] is f32 [3], "
                                "values_and_axis[4] is f32 [3], values_and_axis[5] is f32 [3], "
                                "values_and_axis[6] is f32 [3], values_and_axis[7] is f32 [3], "
                                "..."));
}

// Types that are no elements of tensors are errors of the compiler.
template <typename T>
concept IsReadable = requires(Tensor tensor) { tensor.Values<T>(); };
template <typename T>
concept MakesScalars = requires(T value) { Tensor::Scalar(value); };
template <typename T>
concept MakesArrays = requires(std::span<const T> values) { HostArray({1}, values); };
static_assert(IsReadable<float> && MakesScalars<int64_t> && MakesArrays<bool>);
static_assert(!IsReadable<long double> && !MakesScalars<const char*> && !MakesArrays<wchar_t>);

TEST_P(EagerErrorsTest, ShapesAndTypesAtTheCallIfTheyAreKnown) {
  Scope scope(*context_, {.mode = ExecutionMode::kAsync});
  Tensor x = CallOp("test.Gate", {Make({2, 3}, {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f})});
  Tensor y = CallOp("test.Gate", {Make({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f})});
  Tensor i = CallOp("test.Gate", {Make({2, 2}, {1, 2, 3, 4})});
  Tensor result = MatMul(x, y);
  EXPECT_TRUE(result.IsError());  // though no element is there
  EXPECT_EQ(TFRT_MESSAGE_AT(result.status(), __LINE__ - 2),
            "tf.MatMul: matmul arguments have incompatible shapes: In[0]: [2, 3], In[1]: [2, 2]. "
            "transpose_a: 0, transpose_b: 0: a is f32 [2, 3], b is f32 [2, 2]");
  result = Add(y, i);
  EXPECT_TRUE(result.IsError());
  EXPECT_EQ(TFRT_MESSAGE_AT(result.status(), __LINE__ - 2),
            "test.Add: incompatible dtypes: a is f32 [2, 2], b is i32 [2, 2]");
  result = Add(x, y);
  EXPECT_EQ(TFRT_MESSAGE_AT(result.status(), __LINE__ - 1),
            "test.Add: incompatible shapes: a is f32 [2, 3], b is f32 [2, 2]");
  TestOps(*context_).OpenGate();
}

TEST_P(EagerErrorsTest, ShapesLaterIfTheyAreNot) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = CallOp("test.Same", {Make({1, 2}, {1.0f, 2.0f})});
  Tensor y = CallOp("test.Same", {Make({1, 3}, {1.0f, 2.0f, 3.0f})});
  Tensor result = Add(x, y);
  EXPECT_EQ(TFRT_MESSAGE_AT(result.status(), __LINE__ - 1),
            "test.Add: incompatible shapes: a is f32 [1, 2], b is f32 [1, 3]");
  EXPECT_EQ(result.dtype().status(), result.status());
  EXPECT_EQ(result.shape().status(), result.status());
}

TEST_P(EagerErrorsTest, UnsupportedTypes) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make<int8_t>({1}, {1});
  EXPECT_EQ(TFRT_MESSAGE_AT(Add(x, x).status(), __LINE__),
            "test.Add: unsupported dtype i8: a is i8 [1], b is i8 [1]");
  Tensor variable = CallOp("test.Variable", {});
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Same", {variable}).status(), __LINE__),
            "test.Same: argument 0 is a Variable tensor, which the op does not take: "
            "x is resource");
}

TEST_P(EagerErrorsTest, DevicesThatDoNotExist) {
  Scope scope(*context_, On("cpu:7"));
  EXPECT_EQ(scope.status().code(), StatusCode::kNotFound);
  EXPECT_EQ(scope.status().message(), "there is no device cpu:7; the devices are cpu:0, cpu:1");
  EXPECT_EQ(TFRT_MESSAGE_AT(Make({1}, {1.0f}).status(), __LINE__),
            "Const: there is no device cpu:7; the devices are cpu:0, cpu:1");
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Scalar", {}).status(), __LINE__),
            "test.Scalar: there is no device cpu:7; the devices are cpu:0, cpu:1");
  Scope good(*context_, On("cpu:1"));
  EXPECT_TRUE(good.status().ok());
  Tensor x = Make({1}, {1.0f});
  EXPECT_EQ(TFRT_MESSAGE_AT(x.CopyTo("gpu:0").status(), __LINE__),
            "Copy: there is no device gpu:0; the devices are cpu:0, cpu:1");
}

TEST_P(EagerErrorsTest, MovedFromTensors) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  Tensor y = Relu(std::move(x));
  EXPECT_FALSE(x.valid());  // NOLINT: that is the test
  Status status = MatMul(y, x).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(TFRT_MESSAGE_AT(status, __LINE__ - 2),
            "tf.MatMul: argument b is not a tensor; has it been moved from?");
  const char* message = "this is not a tensor; has it been moved from?";
  EXPECT_EQ(x.status().message(), message);
  EXPECT_EQ(x.dtype().status().message(), message);
  EXPECT_EQ(x.shape().status().message(), message);
  EXPECT_EQ(x.Values<float>().status().message(), message);
  EXPECT_EQ(x.ToString(), std::string("error: ") + message);
  EXPECT_EQ(x.device(), "");
  EXPECT_FALSE(x.IsAvailable());
  EXPECT_FALSE(x.IsError());
  EXPECT_EQ(TFRT_MESSAGE_AT(x.CopyTo("cpu:1").status(), __LINE__), std::string("Copy: ") + message);
}

TEST_P(EagerErrorsTest, MovedFromArrays) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  HostArray array({1}, {2.0f});
  EXPECT_EQ(AddV2(x, std::move(array)).status(), OkStatus());
  const char* message = "tf.AddV2: argument y is not a tensor; has it been moved from?";
  EXPECT_EQ(TFRT_MESSAGE_AT(AddV2(x, std::move(array)).status(), __LINE__), message);  // NOLINT
  EXPECT_EQ(TFRT_MESSAGE_AT(AddV2(x, array).status(), __LINE__), message);             // NOLINT
}

TEST_P(EagerErrorsTest, ArgumentsAreForOneCall) {
  Scope scope(*context_, {.mode = mode()});
  HostArray array({1}, {1.0f});
  Tensor kept = Make({1}, {2.0f});
  TensorArgument arguments[] = {Make({1}, {3.0f}), kept};
  Tensor result;
  ASSERT_TRUE(Execute("test.Add", arguments, {}, {&result, 1}).ok());
  EXPECT_EQ(result.Item<float>().value(), 5);
  EXPECT_EQ(TFRT_MESSAGE_AT(Execute("test.Add", arguments, {}, {&result, 1}), __LINE__),
            "test.Add: argument a is not a tensor; has it been moved from?");
  TensorArgument of_array[] = {array, kept};
  ASSERT_TRUE(Execute("test.Add", of_array, {}, {&result, 1}).ok());
  EXPECT_EQ(result.Item<float>().value(), 3);
  EXPECT_FALSE(Execute("test.Add", of_array, {}, {&result, 1}).ok());
}

TEST_P(EagerErrorsTest, TensorsOfAnotherContext) {
  auto other = MakeContext({.devices = {"cpu:0"}});
  Tensor x;
  {
    Scope scope(*other, {.mode = mode()});
    x = Make({1}, {1.0f});
  }
  Scope scope(*context_, {.mode = mode()});
  EXPECT_EQ(TFRT_MESSAGE_AT(Relu(x).status(), __LINE__),
            "tf.Relu: argument x belongs to another context");
  EXPECT_EQ(TFRT_MESSAGE_AT(x.CopyTo("cpu:1").status(), __LINE__),
            "Copy: this thread has no scope of the tensor's context");
}

TEST_P(EagerErrorsTest, ReadingAsAnotherType) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({2}, {1.0f, 2.0f});
  EXPECT_EQ(x.Values<int32_t>().status().message(),
            "the tensor has elements of f32, but i32 are asked for");
  EXPECT_EQ(x.Item<float>().status().message(), "the tensor has 2 elements, not one");
  Tensor variable = CallOp("test.Variable", {});
  EXPECT_EQ(variable.ToDlpack().status().message(),
            "a Variable tensor of resource has no elements of a fixed size");
  EXPECT_EQ(variable.ToString(), "Variable");
}

TEST_P(EagerErrorsTest, PoisonOnlyWhatDependsOnThem) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  Tensor bad = CallOp("test.Error", {x});
  uint32_t line = __LINE__ - 1;
  Tensor poisoned = Relu(Add(bad, x));
  Tensor fine = Relu(Add(x, x));
  EXPECT_EQ(poisoned.status(), bad.status());
  EXPECT_EQ(TFRT_MESSAGE_AT(bad.status(), line), "test.Error: failed");
  EXPECT_EQ(fine.Item<float>().value(), 2);
  EXPECT_EQ(poisoned.ToString(), "error: " + std::string(bad.status().message()));
  // Poison passes between devices, and through copies.
  Scope elsewhere(*context_, On("cpu:1"));
  EXPECT_EQ(Relu(bad).status(), bad.status());
  EXPECT_EQ(bad.CopyTo("cpu:1").status(), bad.status());
}

TEST_P(EagerErrorsTest, LateErrorsNameTheLine) {
  TestOps(*context_).OpenGate();
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  Tensor bad = CallOp("test.LateError", {x});
  EXPECT_EQ(TFRT_MESSAGE_AT(bad.status(), __LINE__ - 1), "test.LateError: failed late");
  EXPECT_EQ(Relu(bad).status(), bad.status());
}

TEST_P(EagerErrorsTest, SyncCallsReturnTheErrorOfWhatTheyNeed) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  TensorArgument argument(x);
  Tensor result;
  Status status = Execute("test.Error", {&argument, 1}, {}, {&result, 1});
  EXPECT_EQ(status.ok(), !is_sync());
  EXPECT_FALSE(result.status().ok());
  EXPECT_EQ(CallEffect("test.FailingEffect", x).ok(), !is_sync());
}

TEST_P(EagerErrorsTest, TheContextKeepsTheFirstOneThatNoResultHas) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  EXPECT_EQ(context_->TakeError(), OkStatus());
  int line = __LINE__ + 1;
  Status known = CallEffect("test.FailingEffect", x);
  CallEffect("test.FailingEffect", x).ok();
  ASSERT_TRUE(Relu(x).status().ok());
  context_->Wait();
  // The error of a call that has said so itself is not kept.
  Status kept = context_->TakeError();
  EXPECT_NE(known.ok(), kept.ok());
  EXPECT_EQ(TFRT_MESSAGE_AT(known.ok() ? kept : known, line), "test.FailingEffect: no effect");
  EXPECT_EQ(context_->TakeError(), OkStatus());
}

TEST_P(EagerErrorsTest, TheContextKeepsNoneOfResultsAndOfCancelledCalls) {
  Scope scope(*context_, {.mode = mode()});
  EXPECT_FALSE(CallOp("test.Error", {Make({1}, {1.0f})}).status().ok());
  if (!is_sync()) {
    Tensor x = CallOp("test.Gate", {Make({1}, {1.0f})});
    EXPECT_TRUE(CallEffect("test.Effect", x).ok());
  }
  context_->Cancel();
  TestOps(*context_).OpenGate();
  context_->Wait();
  EXPECT_EQ(context_->TakeError(), OkStatus());
}

TEST_P(EagerErrorsTest, AreReportedAtTheirLine) {
  std::mutex mutex;
  std::vector<std::string> reported;
  auto context = MakeContext({.devices = {"cpu:0"},
                              .order = GetParam().order,
                              .diagnostic_handler = [&](const DecodedDiagnostic& diagnostic) {
                                std::lock_guard lock(mutex);
                                reported.push_back(diagnostic.location.file.substr(
                                                       diagnostic.location.file.rfind('/') + 1) +
                                                   ":" + std::to_string(diagnostic.location.line) +
                                                   " " + std::string(diagnostic.status.message()));
                              }});
  uint32_t line = __LINE__ + 2;
  Scope scope(*context, {.mode = mode()});
  Tensor x = Make({1, 2}, {1.0f, 2.0f});
  CallOp("test.Error", {x}).status().ok();
  CallOp("test.None", {x}).status().ok();
  CallOp("tf.Relu", {x, x}).status().ok();
  HostArray bad({3}, {1.0f});
  Tensor::FromArray(bad).status().ok();
  x.CopyTo("cpu:7").status().ok();
  auto at = [&](uint32_t offset) {
    return "call_errors_test.cc:" + std::to_string(line + offset) + " ";
  };
  std::lock_guard lock(mutex);
  EXPECT_THAT(reported,
              testing::ElementsAre(
                  at(1) + "failed", at(2) + "there is no op 'test.None'",
                  at(3) + "tf.Relu takes 1 arguments, but there are 2",
                  at(5) + "a tensor of f32 with the shape [3] needs 12 bytes, but the buffer has 4",
                  at(6) + "there is no device cpu:7; the devices are cpu:0"));
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerErrorsTest, testing::ValuesIn(kAllModes), ModeName);

TEST(EagerContextErrorsTest, OptionsThatContradictThemselves) {
  auto error_of = [](std::vector<std::string> devices) {
    return Context::Create({.devices = std::move(devices)}).status();
  };
  EXPECT_EQ(error_of({"cpu"}).message(),
            "'cpu' does not name a device: KIND:NUMBER, such as cpu:0");
  EXPECT_EQ(error_of({"cpu:1", "CPU:1"}).message(), "the devices of a context name cpu:1 twice");
  EXPECT_EQ(error_of({"cpu:0", "cpu:1", "cpu:0"}).message(),
            "the devices of a context name cpu:0 twice");
  EXPECT_EQ(error_of({"cpu:0", "npu:0"}).code(), StatusCode::kNotFound);
  EXPECT_EQ(error_of({"cpu:0", "npu:0"}).message(),
            "there are no devices of the kind 'npu'; the kinds are cpu");
  std::vector<std::string> many;
  for (int i = 1; i <= 16; ++i) many.push_back("cpu:" + std::to_string(i));
  EXPECT_EQ(error_of(many).message(),
            "a context has at most 16 devices with cpu:0, but is asked for 17");
  EXPECT_FALSE(Context::Create({.work_queue = "nonsense"}).ok());
  EXPECT_EQ(Context::Create({.devices = {"cpu:0", "cpu:1"}, .device_priority = {"cpu:1", "cpu:2"}})
                .status()
                .message(),
            "the device priority names cpu:2; the devices are cpu:0, cpu:1");
  EXPECT_EQ(Context::Create({.device_priority = {"sim:*"}}).status().message(),
            "the device priority names sim:*; the devices are cpu:0");
  EXPECT_EQ(error_of({"cpu:*"}).message(),
            "'cpu:*': there is any number of devices of the kind 'cpu'; name each");
  EXPECT_EQ(Context::Create({.accelerator = {.max_in_flight = 0}}).status().message(),
            "the accelerator option max_in_flight is 0, which must be 2 to 65536");
  auto other = MakeContext();
  EXPECT_EQ(Context::Create({.host = other->host(), .accelerator = {.launch_blocking = true}})
                .status()
                .message(),
            "ContextOptions::accelerator is for a host that the context makes; for a given host "
            "there is DeviceManager::SetAcceleratorOptions");
}

TEST(EagerContextErrorsTest, KindsThatCannotBeRegistered) {
  auto context = Context::Create({.register_devices = [](HostContext& host) {
    return host.device_manager().RegisterKind("cpu", nullptr);
  }});
  EXPECT_EQ(context.status().message(), "the device kind 'cpu' has a factory");
}

TEST(EagerContextErrorsTest, OpsOfOneName) {
  auto context = MakeContext();
  Status status = context->RegisterOp({.name = "tf.Relu", .summary = ""});
  EXPECT_EQ(status.code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(status.message(), "there is an op 'tf.Relu' already");
  EXPECT_EQ(context->RegisterOp({.name = "test.Add", .summary = ""}).message(),
            "there is an op 'test.Add' already");
}

TEST(EagerContextErrorsTest, DefaultsThatCannotBeRead) {
  auto context = MakeContext();
  Status status = context->RegisterOp(
      {.name = "test.Bad", .summary = "", .attrs = {{"n", OpAttrSpec::Kind::kI64, "many"}}});
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "the default of the attribute 'n', many, is not an i64");
  EXPECT_EQ(context->FindOp("test.Bad"), nullptr);
}

}  // namespace
}  // namespace tfrt::eager
