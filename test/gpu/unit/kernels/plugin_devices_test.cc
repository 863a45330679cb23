// tfrt_gpu.so as the source of devices gpu:N, for a program that links nothing of the GPU half.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "lib/runtime/host/kernel_modules.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class PluginDevicesTest : public testing::Test {
 protected:
  PluginDevicesTest()
      : host_([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
              CreateWorkQueue("mstd:1").value()) {
    host_.device_manager().set_source(MakeDeviceModules(OwnModules()));
  }
  StatusOr<RCReference<Device>> Get(std::string_view name) {
    return host_.device_manager().GetOrCreateDevice(name);
  }

  HostContext host_;
};

TEST_F(PluginDevicesTest, DevicesComeFromTheModule) {
  StatusOr<RCReference<Device>> device = Get("gpu:0");
  ASSERT_TRUE(device.ok()) << device.status().ToString();
  EXPECT_EQ((*device)->tensor_type_name(), "DenseGpu");
  EXPECT_EQ((*device)->timelines().size(), 4u);
  EXPECT_EQ(Get("GPU:0")->get(), device->get());
  EXPECT_EQ(Get("gpu:7").status().code(), StatusCode::kNotFound);
}

TEST_F(PluginDevicesTest, TheModuleGetsTheOptionsOfTheHost) {
  ASSERT_EQ(host_.device_manager().SetAcceleratorOptions({.memory_limit_bytes = 32 << 20}),
            OkStatus());
  auto devices = host_.device_manager().GetOrCreateDevices("gpu:*");
  ASSERT_TRUE(devices.ok()) << devices.status().ToString();
  ASSERT_EQ(devices->size(), 2u);
  for (const RCReference<Device>& device : *devices) {
    EXPECT_EQ(device->memory_statistics()->limit_bytes, size_t{32} << 20);
  }
}

// Its kernels may have used the GPUs before.
TEST_F(PluginDevicesTest, DevicesComeAfterKernels) {
  host_.kernel_registry().set_source(MakeKernelModules(OwnModules()));
  EXPECT_NE(host_.kernel_registry().FindKernel("tfrt_gpu.device.get"), nullptr);
  EXPECT_TRUE(Get("gpu:1").ok());
}

TEST_F(PluginDevicesTest, WithoutTheModuleTheErrorSaysSo) {
  const char* folder = std::getenv("TFRT_MODULE_PATH");
  const std::string before = folder ? folder : "";
  setenv("TFRT_MODULE_PATH", "/no/such/folder", 1);
  EXPECT_THAT(
      std::string(Get("gpu:0").status().message()),
      StartsWith("there are no devices of the kind 'gpu' (cannot load the module tfrt_gpu.so: "
                 "/no/such/folder/tfrt_gpu.so: "));
  setenv("TFRT_MODULE_PATH", before.c_str(), 1);
}

// Run by itself, with a driver that finds no GPU.
TEST_F(PluginDevicesTest, DISABLED_WithoutAGpuTheErrorSaysSo) {
  EXPECT_THAT(std::string(Get("gpu:0").status().message()), HasSubstr("CUDA_ERROR_NO_DEVICE"));
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  const Status none = host_.device_manager().GetOrCreateDevices("gpu:*").status();
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_THAT(std::string(none.message()), HasSubstr("CUDA_ERROR_NO_DEVICE"));
  EXPECT_THAT(std::string(none.message()), HasSubstr("CUDA_VISIBLE_DEVICES is ''"));
}

}  // namespace
}  // namespace tfrt
