// GPUs as devices of a host.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gpu/runtime/gpu_contexts.h"
#include "gpu/runtime/gpu_device.h"
#include "test/gpu/unit/runtime/fake_gpu.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu {
namespace {

using testing::HasSubstr;

class GpuDeviceTest : public testing::Test {
 protected:
  GpuDeviceTest()
      : driver_(gpu_.table(), 12040, "fake"),
        host_(std::make_unique<HostContext>([](const DecodedDiagnostic&) {},
                                            CreateMallocAllocator(),
                                            CreateWorkQueue("mstd:1").value())) {
    gpu_.AddKernel("idle", {});
  }

  GpuDevice& Device(std::string_view name) {
    devices_.push_back(host_->device_manager().GetOrCreateDevice(name).value());
    return static_cast<GpuDevice&>(*devices_.back());
  }

  FakeGpu gpu_;
  const cuda::Driver driver_;
  std::unique_ptr<HostContext> host_;
  std::vector<RCReference<tfrt::Device>> devices_;
};

TEST_F(GpuDeviceTest, TheyAreMadeWhenAskedFor) {
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  EXPECT_EQ(gpu_.NumCalls(), 0u);
  GpuDevice& device = Device("GPU:1");
  EXPECT_EQ(device.name(), "gpu:1");
  EXPECT_EQ(device.kind(), "gpu");
  EXPECT_EQ(device.tensor_type_name(), "DenseGpu");
  EXPECT_EQ(device.memory_space().name(), "gpu:1");
  EXPECT_FALSE(device.memory_space().is_host_readable());
  ASSERT_EQ(device.timelines().size(), 4u);
  EXPECT_EQ(device.timelines()[0]->name(), "gpu:1/compute");
  EXPECT_EQ(device.timelines()[2]->name(), "gpu:1/d2h");
  EXPECT_EQ(device.timelines()[3]->name(), "gpu:1/d2d");
  EXPECT_EQ(&Device("gpu:1"), &device);
  EXPECT_EQ(&device.context(),
            host_->GetOrCreateSharedContext<GpuContexts>().GetPrimary(1).value().get());
  EXPECT_EQ(gpu_.NumCalls("cuDevicePrimaryCtxRetain"), 1u);
  EXPECT_EQ(RegisterGpuDevices(*host_, {}).ToString(),
            "FAILED_PRECONDITION: options of GPUs that are in use already");
  Status status = host_->device_manager().GetOrCreateDevice("gpu:2").status();
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
}

TEST_F(GpuDeviceTest, TimelinesTellWhenTheDeviceIsThere) {
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  GpuDevice& device = Device("gpu:0");
  const Function* idle = device.context()
                             .LoadModule(std::string_view(".version 7.0\0", 13))
                             .value()
                             ->GetFunction("idle")
                             .value();
  gpu_.set_mode(FakeGpu::Mode::kReleased);
  ASSERT_TRUE(device.compute().Launch(*idle, {}, {}).ok());
  Timeline& compute = *device.timelines()[0];
  Timeline& d2h = *device.timelines()[2];
  RCReference<TimelineEvent> event = compute.Record();
  d2h.WaitFor(event);
  EXPECT_TRUE(gpu_.IsOrdered(device.compute().handle(), device.d2h().handle()));
  AsyncValueRef<Chain> done = d2h.Record()->done();
  EXPECT_FALSE(done.IsAvailable());
  gpu_.Release();
  host_->Quiesce();
  EXPECT_TRUE(done.IsConcrete());
  EXPECT_TRUE(event->Wait().ok());
  // A host's work has its place, too.
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  ASSERT_TRUE(device.compute().Launch(*idle, {}, {}).ok());
  bool was_done = false;
  compute.Enqueue("host", [&] {
    was_done = IsKnownDone(device.compute().tail());
    EXPECT_TRUE(TimelineScope::IsActive());
  });
  EXPECT_TRUE(was_done);
}

// An event of another kind of device, which has met an error.
class FailedEvent final : public TimelineEvent {
 public:
  FailedEvent() : TimelineEvent(GetTypeId<FailedEvent>()) {}
  AsyncValueRef<Chain> done() const override { return Wait(); }
  Status Wait() const override { return DataLossError("lost elsewhere"); }
};

TEST_F(GpuDeviceTest, ACallThatFailsCostsATimelineNoOrder) {
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  GpuDevice& device = Device("gpu:0");
  RCReference<Memory> memory = device.Allocate(device.compute(), 64).value();
  auto fill = [&] { return device.compute().Fill(memory->Bytes(0, 64), 0).ok(); };
  Timeline &compute = *device.timelines()[0], &h2d = *device.timelines()[1];
  ASSERT_TRUE(fill());
  gpu_.Fail("cuEventCreate", cuda::CUDA_ERROR_OUT_OF_MEMORY);
  RCReference<TimelineEvent> event = compute.Record();
  EXPECT_EQ(gpu_.NumCalls("cuEventCreate"), 1u);
  h2d.WaitFor(event);
  EXPECT_TRUE(gpu_.IsOrdered(device.compute().handle(), device.h2d().handle()));
  EXPECT_TRUE(event->Wait().ok());
  // Where the device cannot wait the thread does.
  ASSERT_TRUE(fill());
  event = compute.Record();
  gpu_.Fail("cuStreamWaitEvent", cuda::CUDA_ERROR_OUT_OF_MEMORY);
  h2d.WaitFor(event);
  EXPECT_TRUE(IsKnownDone(device.compute().tail()));
  EXPECT_TRUE(h2d.Record()->Wait().ok());
}

TEST_F(GpuDeviceTest, WhatStopsATimelineIsTheErrorOfItsEvents) {
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  GpuDevice& device = Device("gpu:0");
  RCReference<Memory> memory = device.Allocate(device.compute(), 64).value();
  Timeline &compute = *device.timelines()[0], &h2d = *device.timelines()[1];
  int ran = 0;
  ASSERT_TRUE(device.compute().Fill(memory->Bytes(0, 64), 0).ok());
  gpu_.Fail("cuEventRecord", cuda::CUDA_ERROR_OUT_OF_MEMORY);
  compute.Enqueue("host", [&] { ++ran; });
  compute.Enqueue("host", [&] { ++ran; });
  EXPECT_EQ(ran, 0);
  RCReference<TimelineEvent> event = compute.Record();
  EXPECT_THAT(std::string(event->Wait().message()), HasSubstr("cuEventRecord"));
  EXPECT_EQ(event->done().GetError(), event->Wait());
  // It goes from timeline to timeline, and the first one stays.
  h2d.WaitFor(event);
  h2d.WaitFor(MakeRef<FailedEvent>());
  EXPECT_EQ(h2d.Record()->Wait(), event->Wait());
  Timeline& d2h = *device.timelines()[2];
  d2h.WaitFor(MakeRef<FailedEvent>());
  d2h.Enqueue("host", [&] { ++ran; });
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(d2h.Record()->Wait().message(), "lost elsewhere");
  EXPECT_FALSE(device.context().is_lost());
}

TEST_F(GpuDeviceTest, LimitsOfWhichNothingCanBeTakenAreRefused) {
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  DeviceManager& devices = host_->device_manager();
  auto error = [&](const AcceleratorOptions& options) {
    EXPECT_TRUE(devices.SetAcceleratorOptions(options).ok());
    return devices.GetOrCreateDevice("gpu:0").status().ToString();
  };
  EXPECT_EQ(
      error({.memory_limit_bytes = 64}),
      "INVALID_ARGUMENT: gpu:0: the accelerator option memory_limit_bytes is 64, but memory is "
      "taken in pieces of 2097152 bytes or more");
  EXPECT_EQ(
      error({.pinned_limit_bytes = 4095}),
      "INVALID_ARGUMENT: gpu:0: the accelerator option pinned_limit_bytes is 4095, but memory "
      "is taken in pieces of 4096 bytes or more");
  EXPECT_EQ(gpu_.NumCalls("cuDevicePrimaryCtxRetain"), 0u);
  EXPECT_EQ(error({.memory_limit_bytes = 2 << 20}), "OK");
  EXPECT_EQ(devices.SetAcceleratorOptions({}).ToString(),
            "FAILED_PRECONDITION: options of accelerators, of which the host has made one");
}

TEST_F(GpuDeviceTest, AllOfAKind) {
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  auto all = host_->device_manager().GetOrCreateDevices("GPU:*");
  ASSERT_TRUE(all.ok()) << all.status().ToString();
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[0]->name(), "gpu:0");
  EXPECT_EQ((*all)[1]->name(), "gpu:1");
}

TEST_F(GpuDeviceTest, OneStreamForAll) {
  ASSERT_TRUE(host_->device_manager().SetAcceleratorOptions({.single_stream = true}).ok());
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  GpuDevice& device = Device("gpu:0");
  EXPECT_EQ(&device.h2d(), &device.compute());
  EXPECT_EQ(&device.d2h(), &device.compute());
  EXPECT_EQ(gpu_.NumCalls("cuStreamCreateWithPriority"), 1u);
}

TEST_F(GpuDeviceTest, WhoeverKeepsCopiesMakesRoom) {
  ASSERT_TRUE(
      host_->device_manager().SetAcceleratorOptions({.memory_limit_bytes = size_t{64} << 20}).ok());
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  GpuDevice& device = Device("gpu:0");
  RCReference<Memory> copy = device.Allocate(device.compute(), size_t{50} << 20).value();
  bool dropped = false;
  device.AddKeeper([&] {
    copy.reset();
    return !std::exchange(dropped, true);
  });
  EXPECT_TRUE(device.Allocate(device.compute(), size_t{60} << 20).ok());
  EXPECT_TRUE(dropped);
  EXPECT_EQ(device.Allocate(device.compute(), size_t{70} << 20).status().code(),
            StatusCode::kResourceExhausted);
}

// A copy of the device goes straight to it, and needs no second one.
TEST_F(GpuDeviceTest, MemoryOfTheHostIsPageLocked) {
  ASSERT_TRUE(host_->device_manager().SetAcceleratorOptions({.pinned_limit_bytes = 1 << 20}).ok());
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  GpuDevice& device = Device("gpu:0");
  PinnedAllocator& allocator = *device.allocator();
  auto* bytes = static_cast<char*>(allocator.AllocateBytes(5000, 64));
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ(gpu_.NumCalls("cuMemHostAlloc"), 1u);
  std::memset(bytes, 0, 5000);
  RCReference<Memory> memory = device.Allocate(device.compute(), 100).value();
  ASSERT_TRUE(device.d2h().Fill(memory->bytes(), 0x61616161).ok());
  ASSERT_TRUE(device.d2h().Copy(allocator.Find(bytes + 10, 100), memory->bytes()).ok());
  ASSERT_TRUE(device.d2h().Wait().ok());
  EXPECT_EQ(std::string_view(bytes + 9, 102), '\0' + std::string(100, 'a') + '\0');
  // Bytes that are in no block.
  for (size_t offset : {4990u, 5001u}) {
    EXPECT_EQ(allocator.Find(bytes + offset, 11).memory, nullptr);
  }
  EXPECT_EQ(allocator.Find(bytes - 1, 1).memory, nullptr);
  // It is not reused before the device has written it.
  ASSERT_TRUE(device.d2h().Copy(allocator.Find(bytes, 100), memory->bytes()).ok());
  allocator.DeallocateBytes(bytes, 5000);
  EXPECT_EQ(allocator.Find(bytes, 1).memory, nullptr);
  void* other = allocator.AllocateBytes(5000, 64);
  EXPECT_NE(other, bytes);
  allocator.DeallocateBytes(other, 5000);
  // There are blocks of no bytes, and no more than the limit allows.
  void* empty = allocator.AllocateBytes(0, 1);
  EXPECT_NE(empty, nullptr);
  allocator.DeallocateBytes(empty, 0);
  EXPECT_EQ(allocator.AllocateBytes(size_t{2} << 20, 64), nullptr);
}

TEST_F(GpuDeviceTest, ADeviceMayOutliveItsHost) {
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  GpuDevice& device = Device("gpu:0");
  RCReference<Memory> memory = device.Allocate(device.compute(), 100).value();
  std::vector<char> bytes(64);
  RCReference<Memory> registered = device.context().Register(bytes.data(), 64, {}).value();
  ASSERT_TRUE(device.compute().Fill(registered->Bytes(0, 64), 0).ok());
  auto own = host_->GetOrCreateSharedContext<GpuContexts>().Create(1).value();
  host_.reset();
  EXPECT_EQ(own->queue(), nullptr);
  registered.reset();
  devices_.clear();
  memory.reset();
}

TEST_F(GpuDeviceTest, OptionsHoldAlsoWhereADeviceHasBeenAskedFor) {
  const cuda::Driver before(gpu_.table(), 12030, "fake");
  auto& contexts = host_->GetOrCreateSharedContext<GpuContexts>();
  ASSERT_TRUE(contexts.SetOptions({.driver = &before}).ok());
  EXPECT_TRUE(contexts.FindDevice(0).ok());
  ASSERT_TRUE(RegisterGpuDevices(*host_, {.driver = &driver_}).ok());
  EXPECT_EQ(contexts.driver().value(), &driver_);
}

TEST_F(GpuDeviceTest, ContextsOfTheirOwnGoWithTheirUsers) {
  auto& contexts = host_->GetOrCreateSharedContext<GpuContexts>();
  ASSERT_TRUE(contexts.SetOptions({.driver = &driver_}).ok());
  auto own = contexts.Create(0).value();
  EXPECT_EQ(gpu_.NumCalls("cuCtxCreate_v2"), 1u);
  EXPECT_FALSE(contexts.SetOptions({}).ok());
  own.reset();
  EXPECT_EQ(gpu_.NumCalls("cuCtxDestroy_v2"), 1u);
  EXPECT_EQ(contexts.Create(-1).status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace tfrt::gpu
