// Devices that do not have the ops of the host: where calls run, and what is prepared for them.

#include <thread>

#include "test/unit/eager/eager_fixture.h"
#include "test/unit/sim/unlike_host.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;

class DeviceOpsTest : public EagerModesTest {
 protected:
  DeviceOpsTest() { Recreate({}); }
  void Recreate(ContextOptions options) {
    options.devices = {"cpu:0", "sim:0"};
    options.order = GetParam().order;
    options.register_devices = [this](HostContext& host) {
      return sim::RegisterSimDevices(
          host, {.memory_bytes = 16 << 20, .observer = &devices_.checker()},
          std::make_unique<sim::UnlikeHostRunner>(
              &counts_, std::vector<std::string_view>{"test.Add", "test.OnHost", "test.Effect"}));
    };
    context_ = MakeContext(std::move(options));
    ASSERT_TRUE(context_->RegisterOp(sim::UnlikeHostRunner::DeviceOnly()).ok());
    ASSERT_TRUE(context_
                    ->RegisterOp({.name = "test.Everywhere",
                                  .arguments = {{"x"}},
                                  .results = {"y"},
                                  .metadata = TFRT_OP_METADATA(Same),
                                  .composite = &Everywhere})
                    .ok());
    ASSERT_TRUE(
        context_
            ->RegisterOp(
                {.name = "test.Later", .arguments = {{"x"}}, .results = {"y"}, .composite = &Later})
            .ok());
  }
  // Its result, of which nothing is known at the call, is available when `later` is.
  static OpOutcome Later(const OpRun& run) {
    run.results[0] = later->CopyRCRef();
    return {};
  }
  static inline AsyncValueRef<DenseHostTensor>* later = nullptr;
  // Knows no device: gives its argument.
  static OpOutcome Everywhere(const OpRun& run) {
    run.results[0] = FormRef(run.arguments[0]);
    return {};
  }
  static TensorMetadata Same(const TensorMetadata& x) { return x; }

  sim::UnlikeHostCounts counts_;
};

TEST_P(DeviceOpsTest, AnOpThatOnlyOneHasRunsThere) {
  {
    Scope scope(*context_, On("cpu:0"));
    Tensor twice = CallOp("test.DeviceOnly", {Make({2}, {1.0f, 2.0f})});
    EXPECT_EQ(twice.device(), "sim:0");
    EXPECT_THAT(ValuesOf<float>(twice), ElementsAre(2, 4));
  }
  Scope scope(*context_, On("sim:0"));
  Tensor x = Make({2}, {1.0f, 2.0f});
  EXPECT_EQ(x.device(), "sim:0");
  Tensor sum = Add(x, x);
  EXPECT_EQ(sum.device(), "cpu:0");
  EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(2, 4));
  EXPECT_EQ(Relu(x).device(), "sim:0");
}

// No device computes them, and no elements are copied.
TEST_P(DeviceOpsTest, SizesAreKnownToTheHost) {
  Scope scope(*context_, {.device = "sim:0", .misplaced_input = MisplacedInputPolicy::kExplicit});
  Tensor x = Make({2, 3}, {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
  EXPECT_EQ(x.device(), "sim:0");
  Tensor sizes = Shape(x);
  EXPECT_EQ(sizes.device(), "cpu:0");
  EXPECT_THAT(ValuesOf<int32_t>(sizes), ElementsAre(2, 3));
}

// The call returns at once, as it copies nothing.
TEST_P(DeviceOpsTest, SizesOfALateTensorDoNotHoldTheirCallerUp) {
  if (is_sync()) GTEST_SKIP() << "calls end before they return";
  auto value = MakeUnconstructedAsyncValueRef<DenseHostTensor>();
  later = &value;
  Scope scope(*context_, {.mode = mode(), .device = "sim:0"});
  Tensor x = CallOp("test.Later", {Make({1}, {1.0f})});
  EXPECT_EQ(x.device(), "sim:0");
  Tensor sizes = Shape(x);  // would wait for ever
  value.emplace(*DenseHostTensor::CreateUninitialized({DType::kF32, TensorShape{4, 5}},
                                                      context_->host()->allocator()));
  EXPECT_THAT(ValuesOf<int32_t>(sizes), ElementsAre(4, 5));
  context_->Wait();
}

TEST_P(DeviceOpsTest, WithoutSoftPlacementTheErrorNamesTheDevice) {
  Recreate({.soft_placement = false});
  for (auto [device, op] : {std::pair{"cpu:0", "test.DeviceOnly"}, {"sim:0", "test.Add"}}) {
    Scope scope(*context_, On(device));
    Tensor x = Make({1}, {1.0f});
    std::vector<TensorArgument> arguments(op == std::string_view("test.Add") ? 2 : 1, x);
    EXPECT_EQ(TFRT_MESSAGE_AT(CallOp(op, arguments).status(), __LINE__),
              std::string(op) + ": the device " + device + " does not have " + op +
                  ", and soft placement is off");
  }
}

TEST_P(DeviceOpsTest, AnOpThatNoDeviceHas) {
  Scope scope(*context_, On("sim:0"));
  EXPECT_EQ(CallOp("test.MetadataOnly", {Make({1}, {1.0f})}).status().code(),
            StatusCode::kUnimplemented);
}

TEST_P(DeviceOpsTest, ARowWithAFunctionOfTheProgramsOwnIsOnEachDevice) {
  for (const char* device : {"cpu:0", "sim:0"}) {
    Scope scope(*context_, On(device));
    Tensor y = CallOp("test.Everywhere", {Make({1}, {7.0f})});
    EXPECT_THAT(ValuesOf<float>(y), ElementsAre(7));
    EXPECT_EQ(y.device(), device);
  }
  EXPECT_EQ(counts_.prepared, 0);
}

TEST_P(DeviceOpsTest, CallsArePreparedOnce) {
  Scope scope(*context_, On("sim:0"));
  Tensor x = Make({2}, {1.0f, 2.0f}), integers = Make({2}, {3, 4});
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(ValuesOf<float>(CallOp("test.DeviceOnly", {x})), ElementsAre(2, 4));
  }
  EXPECT_EQ(counts_.prepared, 1);
  EXPECT_EQ(counts_.ran_prepared, 5);
  // Also at another shape; not with another dtype.
  EXPECT_THAT(ValuesOf<float>(CallOp("test.DeviceOnly", {Make({1}, {4.0f})})), ElementsAre(8));
  EXPECT_EQ(counts_.prepared, 1);
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(ValuesOf<int32_t>(CallOp("test.DeviceOnly", {integers})), ElementsAre(6, 8));
  }
  EXPECT_EQ(counts_.prepared, 2);
  EXPECT_EQ(counts_.ran, 0);
}

TEST_P(DeviceOpsTest, AResultThatTheDeviceLeavesUnsetIsAnError) {
  Scope scope(*context_, On("sim:0"));
  Tensor x = Make({1}, {1.0f});
  EXPECT_THAT(ValuesOf<float>(CallOp("test.DeviceOnly", {x})), ElementsAre(2));
  counts_.leaves_unset = true;
  EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.DeviceOnly", {x}).status(), __LINE__),
            "test.DeviceOnly: result 0 is not set");
}

TEST_P(DeviceOpsTest, EvictedCallsAreDropped) {
  Recreate({.kernel_cache_capacity = 2});
  Scope scope(*context_, On("sim:0"));
  EXPECT_THAT(ValuesOf<float>(CallOp("test.DeviceOnly", {Make({1}, {1.0f})})), ElementsAre(2));
  Tensor x = Make({1}, {1.0f});
  for (int i = 0; i < 4; ++i) {
    for (const char* op : {"tf.Relu", "tf.Exp", "tf.Tanh", "tf.Rsqrt"}) {
      EXPECT_TRUE(CallOp(op, {x}).status().ok()) << op;
    }
  }
  // What the cache holds, and what the last call has evicted.
  EXPECT_LE(counts_.alive, 3);
}

TEST_P(DeviceOpsTest, WithoutACacheNothingIsPrepared) {
  Recreate({.kernel_cache_capacity = 0});
  Scope scope(*context_, On("sim:0"));
  EXPECT_THAT(ValuesOf<float>(CallOp("test.DeviceOnly", {Make({1}, {1.0f})})), ElementsAre(2));
  EXPECT_EQ(counts_.prepared, 0);
  EXPECT_EQ(counts_.ran, 1);
}

// An entry that is left out while a call of it is on its way keeps what that call needs.
TEST_P(DeviceOpsTest, APreparedCallOutlivesItsEntry) {
  Recreate({.kernel_cache_capacity = 1});
  Scope scope(*context_, On("sim:0"));
  if (is_sync()) TestOps(*context_).OpenGate();
  Tensor gate = CallOp("test.Gate", {Make({1}, {1.0f})});
  Tensor twice = CallOp("test.DeviceOnly", {gate});
  for (int i = 0; i < 3; ++i) {
    (void)CallOp("test.DeviceOnly", {Make({1}, {i})});
    (void)Relu(Make({1}, {1.0f}));
  }
  if (!is_sync()) TestOps(*context_).OpenGate();
  EXPECT_THAT(ValuesOf<float>(twice), ElementsAre(2));
}

TEST_P(DeviceOpsTest, ThreadsPrepareACallOnce) {
  Tensor x;
  {
    Scope scope(*context_, On("sim:0"));
    x = Make({1}, {1.0f});
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      Scope scope(*context_, On("sim:0"));
      for (int i = 0; i < 50; ++i) {
        EXPECT_THAT(ValuesOf<float>(CallOp("test.DeviceOnly", {x})), ElementsAre(2));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counts_.prepared, 1);
  EXPECT_EQ(counts_.ran_prepared, 200);
}

INSTANTIATE_TEST_SUITE_P(Modes, DeviceOpsTest, testing::ValuesIn(kAllModes), ModeName);

}  // namespace
}  // namespace tfrt::eager
