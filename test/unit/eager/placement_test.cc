// Where ops run, and what becomes of inputs that are elsewhere.

#include <thread>

#include "test/unit/eager/eager_fixture.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;
using EagerPlacementTest = EagerModesTest;

TEST_P(EagerPlacementTest, TheScopeDecides) {
  for (const char* device : {"cpu:0", device()}) {
    Scope scope(*context_, On(device));
    Tensor x = Make({2}, {-1.0f, 2.0f});
    EXPECT_EQ(x.device(), device);
    EXPECT_EQ(Relu(x).device(), device);
    EXPECT_THAT(ValuesOf<float>(Relu(x)), ElementsAre(0, 2));
  }
}

TEST_P(EagerPlacementTest, ResourcesComeFirst) {
  Tensor variable;
  {
    Scope scope(*context_, On(device()));
    variable = CallOp("test.Variable", {});
    ASSERT_TRUE(variable.status().ok()) << variable.status().message();
    EXPECT_EQ(variable.dtype().value(), DType::kResource);
  }
  Scope scope(*context_, On("cpu:0"));
  Tensor value = CallOp("test.Read", {variable});
  EXPECT_EQ(value.device(), device());
  EXPECT_EQ(value.Item<int32_t>().value(), 5);
  // Before small integers, too.
  EXPECT_EQ(CallOp("test.Read", {variable, Make({1}, {1})}).device(), device());
  // One of another device stays there.
  Tensor other = CallOp("test.Variable", {});
  ASSERT_TRUE(other.status().ok());
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Read", {variable, other}).status(), __LINE__),
            OnDevice("test.Read: argument x is a resource of cpu:0, but the op runs on cpu:1; "
                     "resources are not copied"));
}

TEST_P(EagerPlacementTest, AFewIntegersStayOnTheHost) {
  Tensor few, many, wide, floats;
  {
    Scope scope(*context_, On("cpu:0"));
    few = Make({2}, {1, 2});
    wide = Make<int64_t>({2}, {1, 2});
    many = Tensor::FromArray(HostArray::Take(std::span<const int64_t>({65}), std::vector<int>(65)));
    floats = Make({2}, {1.0f, 2.0f});
  }
  Scope scope(*context_, On(device()));
  EXPECT_EQ(Add(few, few).device(), "cpu:0");
  EXPECT_EQ(Add(wide, wide).device(), "cpu:0");
  EXPECT_EQ(Add(many, many).device(), device());
  EXPECT_EQ(Add(floats, floats).device(), device());
  // All of them must be in host memory.
  Tensor there = few.CopyTo(device());
  EXPECT_EQ(Add(few, there).device(), device());
  EXPECT_THAT(ValuesOf<int32_t>(Add(few, there)), ElementsAre(2, 4));
  // None is not a few.
  EXPECT_EQ(CallOp("test.OnlyOptional", {TensorArgument()}).device(), device());
}

// What only a run can tell does not count, in any mode, whether the run is over or not.
TEST_P(EagerPlacementTest, OnlyWhatACallCanTellCounts) {
  for (bool over : {true, false}) {
    TestOps(*context_).CloseGate();
    if (is_sync() || over) TestOps(*context_).OpenGate();
    Tensor late, derived, early;
    {
      Scope scope(*context_, On("cpu:0"));
      early = CallOp("test.Gate", {Make({1}, {1})});
      late = CallOp("test.Same", {early});  // has no metadata function
      derived = Add(late, late);
      if (over) context_->Wait();
    }
    Scope scope(*context_, On(device()));
    EXPECT_EQ(Add(early, early).device(), "cpu:0");
    Tensor sums[3];
    if (over) {
      for (Tensor& sum : sums)
        sum = &sum == &sums[0]   ? Add(late, late)
              : &sum == &sums[1] ? Add(late, early)
                                 : Add(derived, derived);
    } else {
      // The call waits for what is on another device: it may be a resource.
      std::thread opens([&] {
        if (!is_sync()) TestOps(*context_).OpenGate();
      });
      sums[0] = Add(late, late);
      sums[1] = Add(late, early);
      sums[2] = Add(derived, derived);
      opens.join();
    }
    for (const Tensor& sum : sums) EXPECT_EQ(sum.device(), device());
    EXPECT_EQ(sums[2].Item<int32_t>().value(), 4);
    // So do copies.
    EXPECT_EQ(Add(late.CopyTo("cpu:0"), late).device(), device());
    context_->Wait();
  }
}

TEST_P(EagerPlacementTest, ArraysAreValuesOnTheHost) {
  Tensor few;
  {
    Scope scope(*context_, On("cpu:0"));
    few = Make({2}, {1, 2});
  }
  Scope scope(
      *context_,
      {.mode = mode(), .device = device(), .misplaced_input = MisplacedInputPolicy::kExplicit});
  HostArray integers({2}, {3, 4}), floats({2}, {1.0f, -2.0f});
  Tensor sum = Add(few, integers);
  EXPECT_EQ(sum.device(), "cpu:0");
  EXPECT_THAT(ValuesOf<int32_t>(sum), ElementsAre(4, 6));
  EXPECT_EQ(Add(integers, integers).device(), "cpu:0");
  // Others go where the op runs, which is no misplaced input.
  Tensor y = Relu(floats);
  EXPECT_EQ(y.device(), device());
  EXPECT_THAT(ValuesOf<float>(y), ElementsAre(1, 0));
  EXPECT_EQ(Tensor::FromArray(integers).device(), device());
}

TEST_P(EagerPlacementTest, ResourcesThatAreOnTheirWay) {
  Tensor variable;
  {
    Scope scope(*context_, On(device()));
    variable = CallOp("test.Variable", {});  // has no metadata function
  }
  Scope scope(*context_, On("cpu:0"));
  Tensor value = CallOp("test.Read", {variable});
  EXPECT_EQ(value.device(), device());
  EXPECT_EQ(value.Item<int32_t>().value(), 5);
}

TEST_P(EagerPlacementTest, SmallIntegersAreAnOption) {
  auto context = MakeContext(Options({.max_small_integers = 0}));
  Tensor few;
  {
    Scope scope(*context, On("cpu:0"));
    few = Make({2}, {1, 2});
  }
  Scope scope(*context, On(device()));
  EXPECT_EQ(Add(few, few).device(), device());
}

TEST_P(EagerPlacementTest, SoftPlacement) {
  ContextOptions options = Options({}, {"cpu:2"});
  options.supports = [](std::string_view device, const OpDefinition& op) {
    return op.name == "tf.Relu" ? device != "cpu:2" : device == "cpu:2";
  };
  options.device_priority = {device(), "cpu:0"};
  auto context = MakeContext(options);
  {
    Scope scope(*context, On("cpu:2"));
    Tensor x = Make({2}, {-1.0f, 2.0f});
    EXPECT_EQ(x.device(), "cpu:2");
    EXPECT_EQ(Relu(x).device(), device());
    EXPECT_THAT(ValuesOf<float>(Relu(x)), ElementsAre(0, 2));
  }
  {
    Scope scope(*context, {.mode = mode()});
    Tensor x = Make({2}, {1.0f, 2.0f});
    EXPECT_EQ(x.device(), "cpu:0");
    EXPECT_EQ(Relu(x).device(), device());
    EXPECT_EQ(TFRT_MESSAGE_AT(Add(x, x).status(), __LINE__),
              OnDevice("test.Add: no device has test.Add; the devices are cpu:0, cpu:1, cpu:2"));
  }
  options.soft_placement = false;
  context = MakeContext(options);
  Scope scope(*context, On("cpu:2"));
  Tensor x = Make({2}, {1.0f, 2.0f});
  EXPECT_EQ(TFRT_MESSAGE_AT(Relu(x).status(), __LINE__),
            "tf.Relu: the device cpu:2 does not have tf.Relu, and soft placement is off");
}

TEST_P(EagerPlacementTest, AResourceWhoseDeviceDoesNotHaveTheOp) {
  ContextOptions options = Options();
  options.supports = [](std::string_view device, const OpDefinition& op) {
    return op.name != "test.Read" || device == "cpu:0";
  };
  auto context = MakeContext(options);
  Scope scope(*context, On(device()));
  Tensor variable = CallOp("test.Variable", {});
  ASSERT_TRUE(variable.status().ok());
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Read", {variable}).status(), __LINE__),
            OnDevice("test.Read: argument v is a resource of cpu:1, which does not have "
                     "test.Read"));
}

TEST_P(EagerPlacementTest, CopiesAreRememberedAndHaveMemoryOfTheirOwn) {
  Tensor x;
  {
    Scope scope(*context_, On("cpu:0"));
    x = Make({2}, {1.0f, 2.0f});
  }
  Scope scope(*context_, On(device()));
  Tensor y = Relu(x);
  Tensor copy = x.CopyTo(device());
  EXPECT_EQ(copy.state(), x.CopyTo(device()).state());
  EXPECT_EQ(copy.device(), device());
  ASSERT_TRUE(copy.status().ok());
  EXPECT_NE(AddressOf(copy), AddressOf(x));
  // And back: once, too.
  EXPECT_EQ(y.Values<float>()->data(), y.Values<float>()->data());
  EXPECT_NE(y.Values<float>()->data(), AddressOf(y));
  EXPECT_EQ(x.CopyTo("cpu:0").state(), x.state());
}

TEST_P(EagerPlacementTest, ValuesOfACopyThatIsOnItsWay) {
  Scope scope(*context_, {.mode = ExecutionMode::kAsync, .device = device()});
  Tensor x = CallOp("test.Gate", {Make({2}, {1.0f, 2.0f})});
  Tensor back = x.CopyTo("cpu:0");
  EXPECT_FALSE(back.IsAvailable());
  // A SYNC call of another thread would find the same copy.
  std::thread other([&] {
    Scope of_thread(*context_, {.device = "cpu:0"});
    EXPECT_THAT(ValuesOf<float>(Relu(x)), ElementsAre(1, 2));
  });
  TestOps(*context_).OpenGate();
  EXPECT_THAT(ValuesOf<float>(x), ElementsAre(1, 2));
  EXPECT_EQ(x.Values<float>()->data(), back.Values<float>()->data());
  other.join();
}

// Tensors on cpu:0 for an op on the second device.
class EagerPolicyTest : public EagerPlacementTest {
 protected:
  void SetUp() override {
    Scope scope(*context_, On("cpu:0"));
    float_ = Make({1}, {1.0f});
    integer_ = Tensor::FromArray(
        HostArray::Take(std::span<const int64_t>({65}), std::vector<int32_t>(65, 1)));
    wide_ = Tensor::FromArray(
        HostArray::Take(std::span<const int64_t>({65}), std::vector<int64_t>(65, 1)));
  }
  ScopeOptions With(MisplacedInputPolicy policy) {
    return {.mode = mode(), .device = device(), .misplaced_input = policy};
  }
  Tensor float_, integer_, wide_;
};

TEST_P(EagerPolicyTest, Explicit) {
  Scope scope(*context_, With(MisplacedInputPolicy::kExplicit));
  Status status = Relu(float_).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(TFRT_MESSAGE_AT(status, __LINE__ - 2),
            OnDevice("tf.Relu: argument x is on cpu:0, but the op runs on cpu:1; copy it with "
                     "CopyTo(\"cpu:1\")"));
  EXPECT_EQ(TFRT_MESSAGE_AT(Add(integer_.CopyTo(device()), integer_).status(), __LINE__),
            OnDevice("test.Add: argument b is on cpu:0, but the op runs on cpu:1; copy it with "
                     "CopyTo(\"cpu:1\")"));
  EXPECT_THAT(ValuesOf<float>(Relu(float_.CopyTo(device()))), ElementsAre(1));
}

// Axes, shapes and sizes are read on the host, wherever the op runs.
TEST_P(EagerPolicyTest, HostValuesAreNoInputsThatAreElsewhere) {
  Scope scope(*context_, With(MisplacedInputPolicy::kExplicit));
  Tensor x = Make({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f}), axis;
  {
    Scope on_host(*context_, On("cpu:0"));
    axis = Make({1}, {0});
  }
  // On the host, in the memory of the program, and, brought to the host, on the device.
  Tensor from_host = Sum(x, axis), from_array = Sum(x, {0}), from_device = Sum(x, Make({1}, {0}));
  for (const Tensor* sum : {&from_host, &from_array, &from_device}) {
    EXPECT_THAT(ValuesOf<float>(*sum), ElementsAre(4, 6));
    EXPECT_EQ(sum->device(), device());
  }
  // The last one of any number.
  Tensor both = ConcatV2({x, x}, axis);
  EXPECT_THAT(ValuesOf<float>(both), ElementsAre(1, 2, 3, 4, 1, 2, 3, 4));
  EXPECT_EQ(both.device(), device());
}

TEST_P(EagerPolicyTest, Silent) {
  Scope scope(*context_, With(MisplacedInputPolicy::kSilent));
  EXPECT_THAT(ValuesOf<float>(Relu(float_)), ElementsAre(1));
}

TEST_P(EagerPolicyTest, SilentForI32) {
  Scope scope(*context_, With(MisplacedInputPolicy::kSilentForI32));
  EXPECT_EQ(ValuesOf<int32_t>(Add(integer_, integer_)), std::vector<int32_t>(65, 2));
  for (Tensor* misplaced : {&float_, &wide_}) {
    EXPECT_EQ(TFRT_MESSAGE_AT(Add(*misplaced, *misplaced).status(), __LINE__),
              OnDevice("test.Add: argument a is on cpu:0, but the op runs on cpu:1; copy it with "
                       "CopyTo(\"cpu:1\")"));
  }
}

TEST_P(EagerPolicyTest, SilentForI32WaitsForTypes) {
  Tensor integer, floating, error;
  {
    Scope scope(*context_, On("cpu:0"));
    integer = CallOp("test.Same", {integer_});
    floating = CallOp("test.Same", {float_});
    error = CallOp("test.Same", {CallOp("test.Error", {float_})});
  }
  Scope scope(*context_, With(MisplacedInputPolicy::kSilentForI32));
  EXPECT_EQ(ValuesOf<int32_t>(Add(integer, integer)), std::vector<int32_t>(65, 2));
  EXPECT_EQ(Relu(floating).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Relu(error).status(), error.status());
}

TEST_P(EagerPolicyTest, WarnsOfEachCopyOnce) {
  Scope scope(*context_, With(MisplacedInputPolicy::kWarn));
  testing::internal::CaptureStderr();
  EXPECT_THAT(ValuesOf<float>(Relu(float_)), ElementsAre(1));
  std::string line = std::to_string(__LINE__ - 1);
  std::string first = testing::internal::GetCapturedStderr();
  EXPECT_NE(first.find(OnDevice("placement_test.cc:" + line +
                                ": tf.Relu: argument x is copied from cpu:0 to cpu:1")),
            std::string::npos)
      << first;
  testing::internal::CaptureStderr();
  EXPECT_THAT(ValuesOf<float>(Relu(float_)), ElementsAre(1));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerPlacementTest, testing::ValuesIn(kAllModesOnDevices),
                         ModeName);
INSTANTIATE_TEST_SUITE_P(Modes, EagerPolicyTest, testing::ValuesIn(kAllModesOnDevices), ModeName);

}  // namespace
}  // namespace tfrt::eager
