// The accelerator as a device of a host: its timelines, and tensors that come there and back.

#include "lib/devices/sim/device/sim_device.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "lib/devices/sim/device/sim_tensor.h"
#include "test/support/order_checker/order_checker.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/scalar_host_tensor.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::sim {
namespace {

class SimDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(RegisterSimDevices(
                    host_, {.num_devices = 2, .memory_bytes = 1 << 20, .observer = &checker_})
                    .ok());
  }
  void TearDown() override {
    host_.Quiesce();
    EXPECT_TRUE(checker_.TakeReports().empty());
  }
  RCReference<Device> DeviceNamed(std::string_view name) {
    return *host_.device_manager().GetOrCreateDevice(name);
  }
  // The tensor on another device, or the error.
  AsyncValueRef<Tensor> Copy(const Tensor& tensor, Device& from, Device& to) {
    return host_.GetOrCreateSharedContext<ConversionRegistry>().Convert(
        tensor, {from, to, to.allocator()}, CopiedType(tensor.tensor_type(), to), exec_ctx_);
  }
  std::string TextOf(const AsyncValueRef<Tensor>& tensor) {
    AsyncValue* value = tensor.GetAsyncValue();
    host_.Await({&value, 1});
    return tensor.IsError() ? std::string(tensor.GetError().message()) : tensor->ToString();
  }

  OrderChecker checker_;
  HostContext host_{[](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                    CreateMultiThreadedWorkQueue(2, 2)};
  ExecutionContext exec_ctx_{RequestContextBuilder(&host_, nullptr).Build()};
};

TEST_F(SimDeviceTest, ComesFromItsFactory) {
  RCReference<Device> device = DeviceNamed("sim:0");
  EXPECT_EQ(device->kind(), "sim");
  EXPECT_EQ(device->tensor_type_name(), "DenseSim");
  EXPECT_EQ(device->memory_space().name(), "sim:0");
  EXPECT_FALSE(device->memory_space().is_host_readable());
  ASSERT_EQ(device->timelines().size(), 4u);
  EXPECT_EQ(device->timelines()[0]->name(), "sim:0/compute");
  EXPECT_EQ(host_.device_manager().GetOrCreateDevice("sim:2").status(),
            NotFoundError("there is no sim:2: sim devices are 2 in number"));
  EXPECT_EQ(RegisterSimDevices(host_).code(), StatusCode::kAlreadyExists);
}

// An event of a timeline of another kind.
class OtherEvent final : public TimelineEvent {
 public:
  OtherEvent() : TimelineEvent(GetTypeId<OtherEvent>()) {}
  AsyncValueRef<Chain> done() const override { return done_.CopyRef(); }
  Status Wait() const override {
    while (!done_.IsAvailable()) std::this_thread::yield();
    return OkStatus();
  }
  void Happen() { done_.emplace(); }

 private:
  const AsyncValueRef<Chain> done_ = MakeUnconstructedAsyncValueRef<Chain>();
};

TEST_F(SimDeviceTest, TimelinesWaitForEachOther) {
  RCReference<Device> one = DeviceNamed("sim:0"), two = DeviceNamed("sim:1");
  Timeline& first = *one->timelines()[0];
  Timeline& second = *two->timelines()[1];
  auto other = MakeRef<OtherEvent>();
  std::atomic<int> order = 0;
  int first_at = 0, second_at = 0;
  first.WaitFor(other);
  first.Enqueue("first", [&] { first_at = ++order; });
  RCReference<TimelineEvent> event = first.Record();
  second.WaitFor(event);
  second.Enqueue("second", [&] { second_at = ++order; });
  RCReference<TimelineEvent> last = second.Record();
  EXPECT_FALSE(event->done().IsAvailable());
  other->Happen();
  EXPECT_TRUE(last->Wait().ok());
  EXPECT_TRUE(event->done().IsConcrete());
  EXPECT_EQ(first_at, 1);
  EXPECT_EQ(second_at, 2);
}

TEST_F(SimDeviceTest, TensorsComeThereAndBack) {
  RCReference<Device> cpu = host_.GetHostDevice(), cpu1 = DeviceNamed("cpu:1");
  RCReference<Device> one = DeviceNamed("sim:0"), two = DeviceNamed("sim:1");
  auto dense =
      DenseHostTensor::CreateUninitialized({DType::kI32, TensorShape{2}}, host_.allocator());
  auto* numbers = static_cast<int32_t*>(*dense->MutableData());
  numbers[0] = 3;
  numbers[1] = 4;
  AsyncValueRef<Tensor> there = Copy(*dense, *cpu, *one);
  ASSERT_TRUE(there.IsConcrete());
  EXPECT_EQ(there->ToString(), "DenseSimTensor dtype = i32, shape = [2], on sim:0");
  EXPECT_EQ(&there->memory_space(), &one->memory_space());
  ASSERT_NE(there->elements(), nullptr);
  AsyncValueRef<Tensor> further = Copy(*there, *one, *two);
  AsyncValueRef<Tensor> back = Copy(*further, *two, *cpu1);
  EXPECT_EQ(TextOf(back), dense->ToString());
  EXPECT_TRUE(there->elements()->IsConcrete());
  EXPECT_TRUE(further->elements()->IsConcrete());
  ScalarHostTensor<float> scalar(TensorShape{3}, 2);
  AsyncValueRef<Tensor> filled = Copy(scalar, *cpu, *two);
  EXPECT_EQ(TextOf(Copy(*filled, *two, *cpu)),
            "DenseHostTensor dtype = f32, shape = [3], values = [2.000000e+00, 2.000000e+00, "
            "2.000000e+00]");
}

TEST_F(SimDeviceTest, MemoryRunsOut) {
  RCReference<Device> cpu = host_.GetHostDevice(), sim = DeviceNamed("sim:0");
  auto dense =
      DenseHostTensor::CreateUninitialized({DType::kI8, TensorShape{700 << 10}}, host_.allocator());
  AsyncValueRef<Tensor> first = Copy(*dense, *cpu, *sim);
  ASSERT_TRUE(first.IsConcrete());
  EXPECT_EQ(TextOf(Copy(*dense, *cpu, *sim)), "Cannot allocate tensor");
  // Those who keep what they could drop are asked.
  sim->AddKeeper([&] {
    bool kept = static_cast<bool>(first);
    first = nullptr;
    return kept;
  });
  EXPECT_TRUE(Copy(*dense, *cpu, *sim).IsConcrete());
}

TEST_F(SimDeviceTest, TensorsOutliveTheHost) {
  auto host = std::make_unique<HostContext>(
      [](const DecodedDiagnostic&) {}, CreateMallocAllocator(), CreateSingleThreadedWorkQueue());
  ASSERT_TRUE(RegisterSimDevices(*host, {.memory_bytes = 1 << 20, .observer = &checker_}).ok());
  AsyncValueRef<Tensor> there;
  {
    ExecutionContext exec_ctx(RequestContextBuilder(host.get(), nullptr).Build());
    RCReference<Device> sim = *host->device_manager().GetOrCreateDevice("sim:0");
    ScalarHostTensor<float> scalar(TensorShape{3}, 2);
    there = host->GetOrCreateSharedContext<ConversionRegistry>().Convert(
        scalar, {*host->GetHostDevice(), *sim, nullptr}, kDenseSimTensorType, exec_ctx);
    ASSERT_TRUE(there.IsConcrete());
  }
  host.reset();  // which waits for the copy
  EXPECT_TRUE(there->elements()->IsConcrete());
}

}  // namespace
}  // namespace tfrt::sim
