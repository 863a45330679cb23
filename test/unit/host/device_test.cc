#include "tfrt/host_context/device.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

class DeviceTest : public testing::Test {
 protected:
  DeviceManager& devices() { return host_.device_manager(); }

  HostContext host_{[](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                    CreateSingleThreadedWorkQueue()};
};

class NpuDevice final : public Device {
 public:
  NpuDevice(HostContext* host, int ordinal)
      : Device(DeviceName{"npu", ordinal}.ToString()), host_(host) {}
  HostAllocator* allocator() override { return host_->allocator(); }
  std::string_view tensor_type_name() const override { return "DenseNpu"; }

 private:
  HostContext* host_;
};

TEST(DeviceNameTest, Parses) {
  EXPECT_EQ(DeviceName::Parse("cpu:0")->kind, "cpu");
  EXPECT_EQ(DeviceName::Parse("GPU:12")->ToString(), "gpu:12");
  for (const char* bad : {"", "cpu", ":0", "cpu:", "cpu:x", "cpu:-1", "cpu:+1", "cpu:01", "cpu:1 ",
                          "cpu:99999999999", "cpu:1:2"}) {
    EXPECT_EQ(DeviceName::Parse(bad).status().message(),
              std::string("'") + bad + "' does not name a device: KIND:NUMBER, such as cpu:0");
  }
}

TEST_F(DeviceTest, TheHostIsTheFirstCpu) {
  RCReference<Device> cpu = host_.GetHostDevice();
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->name(), "cpu:0");
  EXPECT_EQ(cpu->kind(), "cpu");
  EXPECT_EQ(cpu->tensor_type_name(), "DenseHost");
  EXPECT_EQ(cpu->allocator(), host_.allocator());
  EXPECT_EQ(devices().GetDevice("CPU:0").get(), cpu.get());  // as programs of the original write it
  EXPECT_EQ(devices().ListDevices().size(), 1u);
}

TEST_F(DeviceTest, CpusHaveTheHostsMemoryAndNoTimelines) {
  for (const char* name : {"cpu:0", "cpu:1"}) {
    RCReference<Device> device = *devices().GetOrCreateDevice(name);
    EXPECT_EQ(&device->memory_space(), &MemorySpace::Host());
    EXPECT_TRUE(device->memory_space().is_host_readable());
    EXPECT_EQ(device->memory_space().name(), "host");
    EXPECT_TRUE(device->timelines().empty());
  }
}

TEST_F(DeviceTest, KeepersMakeRoom) {
  RCReference<Device> device = *devices().GetOrCreateDevice("cpu:1");
  EXPECT_FALSE(device->MakeRoom());
  int first = 0, second = 1;
  device->AddKeeper([&] { return std::exchange(first, 0) > 0; });
  device->AddKeeper([&] { return std::exchange(second, 0) > 0; });
  EXPECT_TRUE(device->MakeRoom());
  EXPECT_FALSE(device->MakeRoom());
  first = 1;
  EXPECT_TRUE(device->MakeRoom());
  EXPECT_EQ(first, 0);
}

TEST_F(DeviceTest, AreMadeOnceWhenTheyAreAskedFor) {
  EXPECT_FALSE(devices().GetDevice("cpu:1"));
  RCReference<Device> one = *devices().GetOrCreateDevice("cpu:1");
  EXPECT_EQ(devices().GetOrCreateDevice("Cpu:1")->get(), one.get());
  EXPECT_EQ(devices().GetDevice("cpu:1").get(), one.get());
  EXPECT_NE(one->allocator(), host_.allocator());
  EXPECT_EQ(devices().ListDevices().size(), 2u);
}

TEST_F(DeviceTest, ComeFromTheFactoryOfTheirKind) {
  EXPECT_EQ(devices().GetOrCreateDevice("npu:0").status().message(),
            "there are no devices of the kind 'npu'; the kinds are cpu");
  auto factory = [](HostContext* host, int ordinal) -> StatusOr<RCReference<Device>> {
    if (ordinal > 1) return NotFoundError("this machine has 2 npus");
    return TakeRef<Device>(new NpuDevice(host, ordinal));
  };
  ASSERT_TRUE(devices().RegisterKind("npu", factory).ok());
  EXPECT_EQ(devices().RegisterKind("npu", factory).message(),
            "the device kind 'npu' has a factory");
  EXPECT_EQ((*devices().GetOrCreateDevice("npu:1"))->tensor_type_name(), "DenseNpu");
  EXPECT_EQ(devices().GetOrCreateDevice("npu:2").status().message(), "this machine has 2 npus");
  EXPECT_FALSE(devices().GetDevice("npu:2"));
  EXPECT_EQ(devices().GetOrCreateDevice("tpu:0").status().message(),
            "there are no devices of the kind 'tpu'; the kinds are cpu, npu");
}

// A source that has one kind, and may have had another one.
class OneKind final : public DeviceSource {
 public:
  explicit OneKind(std::atomic<int>* num_calls) : num_calls_(*num_calls) {}
  Status RegisterKind(HostContext* host, std::string_view kind) override {
    ++num_calls_;
    if (kind == "gone") return UnavailableError("no driver");
    if (kind != "npu") return OkStatus();
    std::call_once(once_, [&] {
      status_ = host->device_manager().RegisterKind(
          "npu", [](HostContext* host, int ordinal) -> StatusOr<RCReference<Device>> {
            return TakeRef<Device>(new NpuDevice(host, ordinal));
          });
    });
    return status_;
  }

 private:
  std::atomic<int>& num_calls_;
  std::once_flag once_;
  Status status_;
};

TEST_F(DeviceTest, ASourceIsAskedForUnknownKinds) {
  std::atomic<int> num_calls{0};
  devices().set_source(std::make_unique<OneKind>(&num_calls));
  EXPECT_TRUE(devices().GetOrCreateDevice("cpu:1").ok());
  EXPECT_EQ(num_calls, 0);
  EXPECT_EQ(devices().GetOrCreateDevice("gone:0").status().message(),
            "there are no devices of the kind 'gone' (no driver); the kinds are cpu");
  EXPECT_EQ(devices().GetOrCreateDevice("tpu:0").status().message(),
            "there are no devices of the kind 'tpu'; the kinds are cpu");
  EXPECT_EQ(num_calls, 2);
  std::vector<Device*> found(4);
  std::vector<std::thread> threads;
  for (Device*& device : found) {
    threads.emplace_back([&] { device = devices().GetOrCreateDevice("npu:1")->get(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (Device* device : found) EXPECT_EQ(device, found[0]);
  const int num_before = num_calls;
  EXPECT_TRUE(devices().GetOrCreateDevice("npu:0").ok());
  EXPECT_EQ(num_calls, num_before);
}

TEST_F(DeviceTest, AllOfAKindAreNamedAtOnce) {
  auto names_of = [&](std::string_view name) -> std::string {
    StatusOr<std::vector<RCReference<Device>>> found = devices().GetOrCreateDevices(name);
    if (!found.ok()) return found.status().ToString();
    std::string names;
    for (const RCReference<Device>& device : *found) names += device->name() + " ";
    return names;
  };
  int num_npus = 0;
  auto count = [&](HostContext* host) -> StatusOr<int> {
    EXPECT_EQ(host, &host_);
    if (num_npus == 0) return NotFoundError("this machine has no npu");
    return num_npus;
  };
  auto factory = [](HostContext* host, int ordinal) -> StatusOr<RCReference<Device>> {
    return TakeRef<Device>(new NpuDevice(host, ordinal));
  };
  ASSERT_TRUE(devices().RegisterKind("npu", factory, count).ok());
  EXPECT_EQ(names_of("npu:*"), "NOT_FOUND: this machine has no npu");
  num_npus = 3;
  EXPECT_EQ(names_of("npu:1"), "npu:1 ");
  EXPECT_EQ(names_of("Npu:*"), "npu:0 npu:1 npu:2 ");
  EXPECT_EQ(
      names_of("cpu:*"),
      "INVALID_ARGUMENT: 'cpu:*': there is any number of devices of the kind 'cpu'; name each");
  EXPECT_EQ(names_of("tpu:*"),
            "NOT_FOUND: there are no devices of the kind 'tpu'; the kinds are cpu, npu");
  EXPECT_EQ(names_of(":*"),
            "INVALID_ARGUMENT: ':*' does not name devices: KIND:* or KIND:NUMBER, such as cpu:0");
  EXPECT_EQ(names_of("npu:**"),
            "INVALID_ARGUMENT: 'npu:**' does not name a device: KIND:NUMBER, such as cpu:0");
}

TEST_F(DeviceTest, OptionsOfAcceleratorsAreForThoseToCome) {
  EXPECT_EQ(
      devices().SetAcceleratorOptions({.max_in_flight = 1}).ToString(),
      "INVALID_ARGUMENT: the accelerator option max_in_flight is 1, which must be 2 to 65536");
  EXPECT_EQ(devices().SetAcceleratorOptions({.max_in_flight = 65537}).code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(devices().SetAcceleratorOptions({.max_in_flight_bytes = 1}).ToString(),
            "INVALID_ARGUMENT: the accelerator option max_in_flight_bytes is 1, which must be 2 or "
            "more");
  ASSERT_TRUE(devices().GetOrCreateDevice("cpu:1").ok());
  const AcceleratorOptions options = {.memory_limit_bytes = 5, .max_in_flight = 65536};
  EXPECT_EQ(devices().SetAcceleratorOptions(options), OkStatus());
  EXPECT_EQ(devices().accelerator_options(), options);
  ASSERT_TRUE(
      devices()
          .RegisterKind("npu",
                        [&](HostContext* host, int ordinal) -> StatusOr<RCReference<Device>> {
                          EXPECT_EQ(host->device_manager().accelerator_options(), options);
                          return TakeRef<Device>(new NpuDevice(host, ordinal));
                        })
          .ok());
  RCReference<Device> npu = *devices().GetOrCreateDevice("npu:0");
  EXPECT_EQ(devices().SetAcceleratorOptions({}).message(),
            "options of accelerators, of which the host has made one");
  EXPECT_EQ(npu->memory_statistics().status().message(), "npu:0 does not count its memory");
  EXPECT_EQ(npu->TrimMemory(), OkStatus());
}

TEST_F(DeviceTest, AFactoryMayAskForAnotherDevice) {
  ASSERT_TRUE(devices()
                  .RegisterKind("npu",
                                [](HostContext* host, int) -> StatusOr<RCReference<Device>> {
                                  return host->device_manager().GetOrCreateDevice("cpu:7");
                                })
                  .ok());
  EXPECT_EQ((*devices().GetOrCreateDevice("npu:0"))->name(), "cpu:7");
}

TEST_F(DeviceTest, ThreadsGetTheSameDevice) {
  std::vector<Device*> found(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] { found[i] = devices().GetOrCreateDevice("cpu:3")->get(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (Device* device : found) EXPECT_EQ(device, found[0]);
}

TEST_F(DeviceTest, AFactoryMayNotAskForItsOwnDevice) {
  ASSERT_TRUE(devices()
                  .RegisterKind("npu",
                                [](HostContext* host, int) -> StatusOr<RCReference<Device>> {
                                  return host->device_manager().GetOrCreateDevice("npu:0");
                                })
                  .ok());
  EXPECT_EQ(devices().GetOrCreateDevice("npu:0").status().message(),
            "what makes the device 'npu:0' asks for that device");
}

// Which may take as long as a driver needs.
TEST_F(DeviceTest, NobodyElseWaitsForAFactory) {
  std::atomic<int> num_called{0};
  std::atomic<bool> may_end{false};
  ASSERT_TRUE(devices()
                  .RegisterKind("npu",
                                [&](HostContext* host, int) -> StatusOr<RCReference<Device>> {
                                  num_called.fetch_add(1);
                                  while (!may_end.load()) std::this_thread::yield();
                                  return host->device_manager().GetOrCreateDevice("cpu:7");
                                })
                  .ok());
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { EXPECT_TRUE(devices().GetOrCreateDevice("npu:0").ok()); });
  }
  while (num_called.load() == 0) std::this_thread::yield();
  EXPECT_TRUE(devices().GetOrCreateDevice("cpu:1").ok());
  EXPECT_TRUE(devices().GetDevice("cpu:0"));
  may_end.store(true);
  for (std::thread& thread : threads) thread.join();
}

TEST_F(DeviceTest, AProgramMakesOnlySoMany) {
  Status status;
  for (int i = 0; status.ok(); ++i) {
    ASSERT_LE(i, 1024);
    status = devices().GetOrCreateDevice("cpu:" + std::to_string(i)).status();
  }
  EXPECT_EQ(status.message(), "a host has up to 1024 devices");
  EXPECT_TRUE(devices().GetOrCreateDevice("cpu:5").ok());
}

}  // namespace
}  // namespace tfrt
