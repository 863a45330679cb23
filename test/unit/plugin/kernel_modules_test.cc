#include "lib/runtime/host/kernel_modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "test/unit/executor/test_kernels.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

int32_t One() { return 1; }

// Modules in the folder of the library POINT_PLUGIN, whose kernels are plugin.*.
class KernelModulesTest : public testing::Test {
 protected:
  KernelModulesTest() {
    const std::filesystem::path plugin(POINT_PLUGIN);
    setenv("TFRT_MODULE_PATH", plugin.parent_path().c_str(), 1);
    registry_.AddKernel("plugin.mine", TFRT_KERNEL(One));
    registry_.set_source(MakeKernelModules(
        {{{"second.", "plugin."}, plugin.filename()}, {{"missing."}, "no_such_module.so"}}));
  }
  ~KernelModulesTest() override { unsetenv("TFRT_MODULE_PATH"); }

  KernelRegistry registry_;
};

TEST_F(KernelModulesTest, AModuleIsOpenedForItsKernels) {
  const KernelEntry* entry = registry_.FindKernel("plugin.fits");
  ASSERT_NE(entry, nullptr);
  EXPECT_NE(entry->async_function, nullptr);
  EXPECT_EQ(registry_.FindKernel("plugin.fits"), entry);
  EXPECT_NE(registry_.FindKernel("plugin.point"), nullptr);
  // Names that a registry lists are its own.
  EXPECT_THAT(registry_.KernelNames(), testing::ElementsAre("plugin.mine"));
}

TEST_F(KernelModulesTest, RegisteredKernelsComeFirst) {
  EXPECT_NE(registry_.FindKernel("plugin.mine"), nullptr);
}

TEST_F(KernelModulesTest, OtherNamesAreNotItsBusiness) {
  Status error;
  EXPECT_EQ(registry_.FindKernel("other.kernel", &error), nullptr);
  EXPECT_TRUE(error.ok());
}

TEST_F(KernelModulesTest, AKernelThatTheModuleDoesNotHave) {
  Status error;
  EXPECT_EQ(registry_.FindKernel("plugin.no_such_kernel", &error), nullptr);
  EXPECT_EQ(error.code(), StatusCode::kNotFound);
  EXPECT_THAT(std::string(error.message()), HasSubstr("has no such kernel"));
  // Nor one of its other prefix.
  error = OkStatus();
  EXPECT_EQ(registry_.FindKernel("second.kernel", &error), nullptr);
  EXPECT_THAT(std::string(error.message()), HasSubstr("has no such kernel"));
}

TEST_F(KernelModulesTest, AModuleThatIsNotThere) {
  for (int i = 0; i < 2; ++i) {
    Status error;
    EXPECT_EQ(registry_.FindKernel("missing.kernel", &error), nullptr);
    EXPECT_EQ(error.code(), StatusCode::kUnavailable);
    EXPECT_THAT(std::string(error.message()),
                StartsWith("cannot load the module no_such_module.so: "));
  }
}

TEST_F(KernelModulesTest, ManyThreadsOpenItOnce) {
  std::vector<const KernelEntry*> entries(4);
  std::vector<std::thread> threads;
  for (const KernelEntry*& entry : entries) {
    threads.emplace_back([this, &entry] { entry = registry_.FindKernel("plugin.fits"); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(entries, testing::Each(entries[0]));
  EXPECT_NE(entries[0], nullptr);
}

TEST_F(KernelModulesTest, AFileSaysWhyItDoesNotLoad) {
  TestHost host("s");
  host.host().kernel_registry().set_source(
      MakeKernelModules({{{"missing."}, "no_such_module.so"}}));
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel(Op("missing.kernel", {}, {}));
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  auto file = host.TryLoad(builder);
  EXPECT_THAT(file.status().ToString(),
              HasSubstr("unknown kernel name 'missing.kernel': cannot load the module"));
}

// --- devices ---

TEST_F(KernelModulesTest, AModuleIsOpenedForItsDevices) {
  TestHost host("s");
  DeviceManager& devices = host.host().device_manager();
  const std::filesystem::path plugin(DEVICE_PLUGIN);
  devices.set_source(MakeDeviceModules(
      {{.file_name = "no_such_module.so", .device_kinds = {"missing"}},
       {.file_name = std::filesystem::path(POINT_PLUGIN).filename(), .device_kinds = {"point"}},
       {.file_name = plugin.filename(), .device_kinds = {"plugged", "broken"}}}));
  EXPECT_EQ((*devices.GetOrCreateDevice("plugged:3"))->name(), "plugged:3");
  EXPECT_EQ((*devices.GetOrCreateDevice("PLUGGED:4"))->name(), "plugged:4");
  // Each error says why there is no such device.
  auto error_of = [&](const char* name) {
    return std::string(devices.GetOrCreateDevice(name).status().message());
  };
  EXPECT_THAT(error_of("missing:0"), StartsWith("there are no devices of the kind 'missing' "
                                                "(cannot load the module no_such_module.so: "));
  EXPECT_THAT(error_of("point:0"), HasSubstr("has no C symbol 'RegisterDevices'"));
  EXPECT_EQ(error_of("broken:0"),
            "there are no devices of the kind 'broken'; the kinds are cpu, plugged");
  EXPECT_EQ(error_of("unknown:0"),
            "there are no devices of the kind 'unknown'; the kinds are cpu, plugged");
}

}  // namespace
}  // namespace tfrt
