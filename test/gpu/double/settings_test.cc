#include "test/gpu/vendor/driver/settings.h"

#include <gtest/gtest.h>

#include <string>

namespace tfrt::gpu::cuda_double {
namespace {

std::string Wrong(std::string_view text) {
  Settings settings;
  return ParseSettings(text, &settings);
}

TEST(SettingsTest, AllAtOnce) {
  Settings settings;
  EXPECT_EQ(
      "",
      ParseSettings(
          "mode=threads,seed=17,devices=2,memory=3M,cc=8.6,workers=2,contract=on,nc=own,log=a.txt,"
          "fail=cuMemAlloc_v2:3:2,fail=cuInit:1:999,fault=k:5:700,lost=1:4:46,"
          "fault=a::b:1:719:context,version=cublas:120300",
          &settings));
  EXPECT_EQ(Mode::kThreads, settings.mode);
  EXPECT_TRUE(settings.contracts);
  EXPECT_TRUE(settings.allows_own_writes_after_nc);
  EXPECT_EQ(17u, settings.seed);
  EXPECT_EQ(2, settings.num_devices);
  EXPECT_EQ(3u << 20, settings.memory_bytes);
  EXPECT_EQ(8, settings.major);
  EXPECT_EQ(6, settings.minor);
  EXPECT_EQ(2, settings.num_workers);
  EXPECT_EQ("a.txt", settings.log_path);
  ASSERT_EQ(2u, settings.faults.calls.size());
  EXPECT_EQ("cuMemAlloc_v2", settings.faults.calls[0].name);
  EXPECT_EQ(3u, settings.faults.calls[0].nth);
  EXPECT_EQ(2, settings.faults.calls[0].code);
  ASSERT_EQ(2u, settings.faults.kernels.size());
  EXPECT_FALSE(settings.faults.kernels[0].of_context);
  EXPECT_EQ("a::b", settings.faults.kernels[1].name);
  EXPECT_EQ(719, settings.faults.kernels[1].code);
  EXPECT_TRUE(settings.faults.kernels[1].of_context);
  ASSERT_EQ(1u, settings.faults.devices.size());
  EXPECT_EQ(120300u, settings.versions.at("cublas"));
}

TEST(SettingsTest, DefaultsAreForTests) {
  Settings settings;
  EXPECT_EQ("", ParseSettings("", &settings));
  EXPECT_EQ(Mode::kLazy, settings.mode);
  EXPECT_EQ(uint64_t{1} << 30, settings.memory_bytes);
}

TEST(SettingsTest, WhatIsWrongIsSaid) {
  EXPECT_EQ("unknown setting 'sed'", Wrong("sed=1"));
  EXPECT_EQ("setting 'lazy' is not of the form key=value", Wrong("lazy"));
  EXPECT_EQ("setting 'mode' is 'fast', and should be lazy, threads, inline or null",
            Wrong("mode=fast"));
  EXPECT_EQ("setting 'seed' is '-1', and should be a number", Wrong("seed=-1"));
  EXPECT_EQ("setting 'devices' is '17', and should be 0 to 16", Wrong("devices=17"));
  EXPECT_EQ("setting 'workers' is '0', and should be 1 to 64", Wrong("workers=0"));
  EXPECT_EQ("setting 'memory' is '1T', and should be a number of bytes from 4096 to 1024G",
            Wrong("memory=1T"));
  EXPECT_EQ("setting 'cc' is '9', and should be a compute capability like 9.0", Wrong("cc=9"));
  EXPECT_EQ("setting 'contract' is '1', and should be on or off", Wrong("contract=1"));
  EXPECT_EQ("setting 'nc' is '1', and should be own or none", Wrong("nc=1"));
  EXPECT_EQ("setting 'log' is '', and should be a file", Wrong("log="));
  EXPECT_EQ("setting 'fail' is 'cuInit:0:1', and should be FUNCTION:N:CODE",
            Wrong("fail=cuInit:0:1"));
  EXPECT_EQ("setting 'fault' is 'k', and should be KERNEL:N:CODE or KERNEL:N:CODE:context",
            Wrong("fault=k"));
  EXPECT_EQ("setting 'lost' is '0:1:46:context', and should be DEVICE:N:CODE",
            Wrong("lost=0:1:46:context"));
  EXPECT_EQ("setting 'version' is 'cublas', and should be LIBRARY:NUMBER", Wrong("version=cublas"));
  EXPECT_EQ("setting 'lost' is 'x:1:46', and should be DEVICE:N:CODE", Wrong("lost=x:1:46"));
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double
