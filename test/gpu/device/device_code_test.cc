#include "gpu/device_code/device_code.h"

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

class DeviceCodeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (DeviceModules().empty()) GTEST_SKIP() << "built without the compiler for device code";
  }
};

TEST_F(DeviceCodeTest, ModulesAreTextsForDrivers) {
  std::set<std::string_view> families;
  for (const DeviceModule& module : DeviceModules()) {
    EXPECT_TRUE(families.insert(module.family).second) << module.family;
    EXPECT_EQ(module.ptx.data()[module.ptx.size()], '\0') << module.family;
    EXPECT_EQ(module.ptx.find('\0'), std::string_view::npos) << module.family;
    // The least that the drivers and GPUs named in AddPtx.cmake take.
    EXPECT_NE(module.ptx.find("\n.version 7.0\n.target sm_75\n"), std::string_view::npos)
        << module.family;
  }
}

TEST_F(DeviceCodeTest, EntryPointsAreInTheirModuleAndHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const DeviceModule& module : DeviceModules()) {
    std::string_view last;
    for (const DeviceEntry& entry : module.entries) {
      EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
      EXPECT_LT(last, entry.name);
      last = entry.name;
      EXPECT_NE(module.ptx.find(StrCat(".visible .entry ", entry.name, "(")),
                std::string_view::npos);
      auto found = FindDeviceKernel(entry.name);
      ASSERT_TRUE(found.ok()) << found.status().ToString();
      EXPECT_EQ(found->module, &module);
      EXPECT_EQ(found->entry, &entry);
    }
  }
  EXPECT_GE(names.size(), 500u);
}

TEST_F(DeviceCodeTest, Parameters) {
  auto kernel = FindDeviceKernel("leaky_relu_f16");
  ASSERT_TRUE(kernel.ok());
  EXPECT_EQ(kernel->module->family, "unary_f16");
  EXPECT_EQ(kernel->entry->parameters, "ptr ptr u64 f32 f32");
}

TEST_F(DeviceCodeTest, WhatIsMissingIsNamed) {
  auto module = FindDeviceModule("unary_f128");
  EXPECT_EQ(module.status().ToString(), "NOT_FOUND: there is no device code \"unary_f128\"");
  auto kernel = FindDeviceKernel("exp_f3");
  EXPECT_EQ(kernel.status().ToString(), "NOT_FOUND: there is no device code \"exp_f3\"");
}

}  // namespace
}  // namespace tfrt::gpu
