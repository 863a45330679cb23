// An op handler as the door of an accelerator: what programs call through it runs there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/compat/handles/core_runtime.h"
#include "lib/devices/sim/device/sim_device.h"
#include "lib/devices/sim/device/sim_tensor.h"
#include "lib/ops/host_ops/cpu_ops.h"
#include "test/support/order_checker/order_checker.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/scalar_host_tensor.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::sim {
namespace {

using testing::ElementsAre;
using Handles = std::vector<TensorHandle>;

class DeviceHandlerTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(RegisterSimDevices(
                    host_, {.num_devices = 2, .memory_bytes = 1 << 20, .observer = &checker_})
                    .ok());
    own_ops_.Add({.name = "test.Fail",
                  .results = {"y"},
                  .metadata = TFRT_OP_METADATA(Same),
                  .function = TFRT_OP(Fail)});
    own_ops_.Add({.name = "test.Effect",
                  .arguments = {{"x"}},
                  .flags = OpFlags::kSideEffects,
                  .closure = MakeOpClosure([this](const Tensor&) { ++effects_; })});
    own_ops_.Add({.name = "test.AsTheyAre",
                  .arguments = {{"x"}, {"y"}},
                  .results = {"x", "y"},
                  .flags = OpFlags::kAnyPlace,
                  .composite = &PassOn});
    own_ops_.Add(
        {.name = "test.ToHost",
         .arguments = {{"x", OpArgumentSpec::Kind::kRequired, OpArgumentSpec::HostValue::kYes}},
         .results = {"x"},
         .flags = OpFlags::kHostResults,
         .composite = &PassOn});
    const OpRegistry& ops = host_.GetOrCreateSharedContext<CpuOps>().ops();
    OpHandler* null = runtime().TakeOpHandler(CreateNullOpHandler());
    cpu_ = runtime().TakeOpHandler(CreateCpuOpHandler(&host_, ops, cpu_device(), null));
    sim_ = Handler(ops, "sim:0", Handler(own_ops_, "sim:0", null));
  }
  void TearDown() override {
    host_.Quiesce();
    for (const OrderReport& report : checker_.TakeReports()) ADD_FAILURE() << report.ToString();
  }

  CoreRuntime& runtime() { return CoreRuntime::Of(&host_); }
  const RCReference<Device>& cpu_device() { return host_.GetHostDevice(); }
  RCReference<Device> DeviceNamed(std::string_view name) {
    return *host_.device_manager().GetOrCreateDevice(name);
  }
  OpHandler* Handler(const OpRegistry& ops, std::string_view device, OpHandler* fallback) {
    auto handler = CreateDeviceOpHandler(&host_, ops, DeviceNamed(device), fallback);
    EXPECT_TRUE(handler.ok()) << handler.status().message();
    return runtime().TakeOpHandler(*std::move(handler));
  }

  // A dense tensor of the host.
  AsyncValueRef<Tensor> Value(TensorShape shape, std::vector<float> values) {
    auto tensor =
        DenseHostTensor::CreateUninitialized({DType::kF32, std::move(shape)}, host_.allocator());
    std::ranges::copy(values, static_cast<float*>(*tensor->MutableData()));
    return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor));
  }
  TensorHandle Host(TensorShape shape, std::vector<float> values) {
    return TensorHandle(cpu_device(), Value(std::move(shape), std::move(values)));
  }
  TensorHandle On(std::string_view device, const TensorHandle& handle) {
    return handle.TransferToInferredType(exec_ctx_, DeviceNamed(device));
  }
  TensorHandle Axis(int32_t axis) {
    return TensorHandle(cpu_device(),
                        AsyncValueRef<Tensor>(MakeAvailableAsyncValueRef<ScalarHostTensor<int32_t>>(
                            TensorShape{1}, axis)));
  }
  Handles Run(OpHandler* handler, std::string_view op, Handles arguments, const OpAttrsRef& attrs,
              size_t num_results = 1, AsyncValueRef<Chain>* chain = nullptr) {
    Handles results(num_results);
    runtime().Execute(op, handler,
                      {.exec_ctx = exec_ctx_,
                       .arguments = arguments,
                       .attrs = attrs,
                       .results = results,
                       .chain = chain});
    return results;
  }
  TensorHandle MatMul(OpHandler* handler, TensorHandle a, TensorHandle b) {
    OpAttrs attrs;
    attrs.Set("transpose_a", false);
    attrs.Set("transpose_b", false);
    return Run(handler, "tf.MatMul", {std::move(a), std::move(b)}, attrs)[0];
  }
  // The elements, fetched from wherever they are; the text of an error.
  std::vector<float> ValuesOf(const TensorHandle& handle) {
    TensorHandle back = On("cpu:0", handle);
    AsyncValue* value = back.async_tensor();
    host_.Await({&value, 1});
    if (back.IsError()) {
      ADD_FAILURE() << back.ToString();
      return {};
    }
    const auto& dense = static_cast<const DenseHostTensor&>(*back.tensor());
    auto* data = static_cast<const float*>(dense.data());
    return {data, data + dense.num_elements()};
  }
  std::string ErrorOf(const TensorHandle& handle) {
    TensorHandle back = On("cpu:0", handle);
    AsyncValue* value = back.async_tensor();
    host_.Await({&value, 1});
    return back.IsError() ? std::string(value->GetError().message()) : "(no error)";
  }

  static OpOutcome PassOn(const OpRun& run) {
    for (size_t i = 0; i < run.results.size(); ++i) run.results[i] = FormRef(run.arguments[i]);
    return {};
  }
  static TensorMetadata Same(const TensorMetadata& x) { return x; }
  static Status Fail(const Tensor&) { return InternalError("the op failed"); }

  OrderChecker checker_;
  OpRegistry own_ops_;
  int effects_ = 0;
  HostContext host_{[](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                    CreateMultiThreadedWorkQueue(2, 2)};
  ExecutionContext exec_ctx_{RequestContextBuilder(&host_, nullptr).Build()};
  OpHandler* cpu_ = nullptr;
  OpHandler* sim_ = nullptr;
};

TEST_F(DeviceHandlerTest, RunsOpsOnTheDevice) {
  EXPECT_EQ(sim_->name(), "sim");
  TensorHandle a = On("sim:0", Host({2, 2}, {1, 2, 3, 4}));
  TensorHandle b = On("sim:0", Host({2, 2}, {1, 0, 0, 2}));
  TensorHandle product = MatMul(sim_, a, b);
  ASSERT_TRUE(product.tensor().IsConcrete());
  EXPECT_EQ(product.AvailableDevice(), DeviceNamed("sim:0"));
  EXPECT_EQ(product.tensor()->ToString(), "DenseSimTensor dtype = f32, shape = [2, 2], on sim:0");
  EXPECT_EQ(&product.tensor()->memory_space(), &DeviceNamed("sim:0")->memory_space());
  EXPECT_THAT(ValuesOf(product), ElementsAre(1, 4, 3, 8));
  // One op after the other, without waiting.
  TensorHandle sum = Run(sim_, "tf.AddV2", {product, a}, {})[0];
  EXPECT_THAT(ValuesOf(sum), ElementsAre(2, 6, 6, 12));
}

TEST_F(DeviceHandlerTest, ArgumentsThatLieElsewhereAreCopied) {
  TensorHandle a = Host({2, 2}, {1, 2, 3, 4});
  TensorHandle there = On("sim:1", Host({2, 2}, {1, 0, 0, 2}));
  TensorHandle product = MatMul(sim_, a, there);
  EXPECT_THAT(ValuesOf(product), ElementsAre(1, 4, 3, 8));
  EXPECT_EQ(product.AvailableDevice(), DeviceNamed("sim:0"));
  // One number fills a tensor, and the host reads what an accelerator has made.
  TensorHandle two(cpu_device(),
                   AsyncValueRef<Tensor>(MakeAvailableAsyncValueRef<ScalarHostTensor<float>>(
                       TensorShape{2, 2}, 2.0f)));
  EXPECT_THAT(ValuesOf(Run(sim_, "tf.AddV2", {product, two}, {})[0]), ElementsAre(3, 6, 5, 10));
  TensorHandle on_host = MatMul(cpu_, a, product);
  EXPECT_EQ(on_host.AvailableDevice(), cpu_device());
  EXPECT_THAT(ValuesOf(on_host), ElementsAre(7, 20, 15, 44));
}

TEST_F(DeviceHandlerTest, WhatAnOpReadsOnTheHostStaysThere) {
  TensorHandle x = On("sim:0", Host({2, 2}, {1, 2, 3, 4}));
  OpAttrs attrs;
  attrs.Set("keep_dims", false);
  EXPECT_THAT(ValuesOf(Run(sim_, "tf.Sum", {x, Axis(0)}, attrs)[0]), ElementsAre(4, 6));
  // Or comes there.
  EXPECT_THAT(ValuesOf(Run(sim_, "tf.Sum", {x, On("sim:0", Axis(1))}, attrs)[0]),
              ElementsAre(3, 7));
}

TEST_F(DeviceHandlerTest, AnOpMayTakeTensorsWhereverTheyAre) {
  TensorHandle here = Host({1}, {1}), there = On("sim:0", Host({1}, {2}));
  Handles results = Run(sim_, "test.AsTheyAre", {here, there}, {}, 2);
  EXPECT_EQ(results[0].async_tensor(), here.async_tensor());
  EXPECT_EQ(results[1].async_tensor(), there.async_tensor());
}

TEST_F(DeviceHandlerTest, AnOpMayLeaveItsResultsOnTheHost) {
  TensorHandle result = Run(sim_, "test.ToHost", {On("sim:0", Host({2}, {1, 2}))}, {})[0];
  EXPECT_EQ(result.AvailableDevice(), cpu_device());
  AsyncValue* value = result.async_tensor();
  host_.Await({&value, 1});
  EXPECT_EQ(&result.tensor()->memory_space(), &MemorySpace::Host());
  // So it can go on from there.
  EXPECT_THAT(ValuesOf(Run(sim_, "tf.AddV2", {result, result}, {})[0]), ElementsAre(2, 4));
}

TEST_F(DeviceHandlerTest, ArgumentsThatComeLater) {
  for (bool known : {false, true}) {
    RCReference<IndirectAsyncValue> value = MakeIndirectAsyncValue();
    AsyncValueRef<Tensor> tensor{RCReference<AsyncValue>(value)};
    TensorHandle later =
        known ? TensorHandle(cpu_device(), TensorMetadata{DType::kF32, TensorShape{2, 2}},
                             std::move(tensor))
              : TensorHandle(cpu_device(), std::move(tensor));
    TensorHandle product = MatMul(sim_, On("sim:0", Host({2, 2}, {1, 2, 3, 4})), later);
    EXPECT_EQ(product.IsMetadataAvailable(), known);
    value->ForwardTo(Value({2, 2}, {1, 0, 0, 2}).ReleaseRCRef());
    EXPECT_THAT(ValuesOf(product), ElementsAre(1, 4, 3, 8));
  }
}

TEST_F(DeviceHandlerTest, EffectsComeInTheOrderOfTheChain) {
  auto start = MakeUnconstructedAsyncValueRef<Chain>();
  AsyncValueRef<Chain> chain = start.CopyRef();
  TensorHandle x = On("sim:0", Host({1}, {1}));
  Run(sim_, "test.Effect", {x}, {}, 0, &chain);
  Run(sim_, "test.Effect", {x}, {}, 0, &chain);
  EXPECT_FALSE(chain.IsAvailable());
  start.emplace();
  AsyncValue* end = chain.GetAsyncValue();
  host_.Await({&end, 1});
  EXPECT_TRUE(chain.IsConcrete());
  EXPECT_EQ(effects_, 2);
}

TEST_F(DeviceHandlerTest, Errors) {
  TensorHandle x = On("sim:0", Host({1}, {1}));
  // One that the device finds is that of the elements, and of what is computed from them.
  TensorHandle failed = Run(sim_, "test.Fail", {x}, {})[0];
  EXPECT_EQ(ErrorOf(Run(sim_, "tf.AddV2", {failed, x}, {})[0]), "the op failed");
  // One of the metadata is there at once.
  TensorHandle wrong = MatMul(sim_, x, x);
  EXPECT_TRUE(wrong.IsError());
  // There is no memory for the copy of an argument.
  TensorHandle large(cpu_device(),
                     AsyncValueRef<Tensor>(MakeAvailableAsyncValueRef<ScalarHostTensor<float>>(
                         TensorShape{1 << 20}, 1.0f)));
  TensorHandle none = Run(sim_, "tf.AddV2", {large, large}, {})[0];
  EXPECT_EQ(ErrorOf(none), "Cannot allocate tensor");
  EXPECT_EQ(runtime().FindOp("test.Unknown", sim_).status(),
            NotFoundError("test.Unknown was not supported by NullOpHandler."));
}

TEST_F(DeviceHandlerTest, OpsNeedARunnerOfTheDevice) {
  class Npu final : public Device {
   public:
    Npu() : Device("npu:0") {}
    HostAllocator* allocator() override { return nullptr; }
    std::string_view tensor_type_name() const override { return "DenseNpu"; }
  };
  auto handler = CreateDeviceOpHandler(&host_, own_ops_, MakeRef<Npu>(), cpu_);
  EXPECT_EQ(handler.status(),
            UnimplementedError("the device npu:0 cannot run ops: nobody has said how devices of "
                               "the kind 'npu' do (OpRunnerRegistry)"));
}

}  // namespace
}  // namespace tfrt::sim
