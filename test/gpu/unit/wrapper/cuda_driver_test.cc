#include "gpu/wrapper/cuda_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda {
namespace {

using ::testing::HasSubstr;

std::string FolderOf(const std::string& fake) { return FAKE_DRIVERS "/" + fake; }

StatusOr<const Driver*> Open(const std::string& fake) {
  LibrarySearch search;
  search.loader = false;
  search.before_loader.push_back({FolderOf(fake), "a test"});
  return Driver::Open(search);
}

std::string FileOf(const std::string& fake) { return FolderOf(fake) + "/libcuda.so.1"; }

// Error texts with FILE for the library's path.
std::string WithoutPath(const std::string& fake, const Status& status) {
  std::string text = status.ToString();
  size_t begin = text.find(FileOf(fake));
  return begin == std::string::npos ? text : text.replace(begin, FileOf(fake).size(), "FILE");
}
std::string ErrorOf(const std::string& fake) { return WithoutPath(fake, Open(fake).status()); }

class CudaDriverTest : public ::testing::Test {
 protected:
  void SetUp() override { unsetenv("CUDA_VISIBLE_DEVICES"); }
};

TEST_F(CudaDriverTest, TableIsFilled) {
  StatusOr<const Driver*> driver = Open("cuda_12_4");
  ASSERT_TRUE(driver.ok()) << driver.status().ToString();
  EXPECT_EQ((*driver)->version(), 12040);
  EXPECT_EQ((*driver)->path(), FileOf("cuda_12_4"));
  const DriverTable& table = (*driver)->table();
#define CHECK_FUNCTION(result, name, since, parameters, arguments) \
  EXPECT_EQ(table.name != nullptr, since <= 12040) << #name;
  TFRT_CUDA_DRIVER_FUNCTIONS(CHECK_FUNCTION)
#undef CHECK_FUNCTION
}

TEST_F(CudaDriverTest, WhatADriverHasGoesByItsVersion) {
  const DriverTable& oldest = (*Open("cuda_12_0"))->table();
  EXPECT_EQ(oldest.cuFuncLoad, nullptr);
  EXPECT_EQ(oldest.cuStreamGetCaptureInfo_v3, nullptr);
  EXPECT_NE(oldest.cuGraphExecUpdate_v2, nullptr);
  const DriverTable& newest = (*Open("cuda_13_1"))->table();
  EXPECT_NE(newest.cuGraphNodeGetToolsId, nullptr);
  EXPECT_NE(newest.cuFuncLoad, nullptr);
}

TEST_F(CudaDriverTest, NewerFunctionsMayBeMissing) {
  StatusOr<const Driver*> driver = Open("lacks_newer");
  ASSERT_TRUE(driver.ok()) << driver.status().ToString();
  EXPECT_EQ((*driver)->table().cuGraphNodeGetToolsId, nullptr);
}

TEST_F(CudaDriverTest, SameFileIsTheSameDriver) {
  EXPECT_EQ(*Open("cuda_12_4"), *Open("cuda_12_4"));
  EXPECT_NE(*Open("cuda_12_4"), *Open("cuda_13_1"));
}

TEST_F(CudaDriverTest, NoDriver) {
  StatusOr<const Driver*> driver = Open("none");
  EXPECT_EQ(driver.status().ToString(), StrCat("NOT_FOUND: libcuda.so.1 cannot be loaded; ",
                                               FolderOf("none"), " (a test): no such file"));
}

// That it also lacks functions is not what its user must know.
TEST_F(CudaDriverTest, OldDriver) {
  EXPECT_EQ(ErrorOf("cuda_11_8"),
            "FAILED_PRECONDITION: "
            "FILE is a driver for CUDA 11.8; CUDA 12.0 or newer is needed");
}

TEST_F(CudaDriverTest, MissingFunctions) {
  EXPECT_EQ(ErrorOf("lacks_two"),
            "FAILED_PRECONDITION: "
            "FILE lacks cuEventQuery, cuGraphLaunch, which a driver for CUDA 12.2 has");
}

TEST_F(CudaDriverTest, LibraryThatIsNoDriver) {
  EXPECT_EQ(ErrorOf("lacks_version"), "FAILED_PRECONDITION: FILE lacks cuDriverGetVersion");
}

TEST_F(CudaDriverTest, VersionCannotBeAsked) {
  EXPECT_EQ(ErrorOf("fails_version"), "UNKNOWN: cuDriverGetVersion of FILE: CUDA_ERROR_UNKNOWN");
}

TEST_F(CudaDriverTest, NoDevice) {
  EXPECT_EQ(ErrorOf("no_device"),
            "NOT_FOUND: cuInit of FILE: CUDA_ERROR_NO_DEVICE (nothing is plugged in)");
}

TEST_F(CudaDriverTest, DevicesThatAreHidden) {
  setenv("CUDA_VISIBLE_DEVICES", "7", 1);
  EXPECT_EQ(ErrorOf("no_device"),
            "NOT_FOUND: cuInit of FILE: CUDA_ERROR_NO_DEVICE (nothing is plugged in); "
            "CUDA_VISIBLE_DEVICES is '7'");
  unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_F(CudaDriverTest, StubLibrary) {
  EXPECT_EQ(ErrorOf("stub"), "FAILED_PRECONDITION: cuInit of FILE: CUDA_ERROR_STUB_LIBRARY");
}

TEST_F(CudaDriverTest, ErrorThatIsNewerThanTheTable) {
  EXPECT_EQ(ErrorOf("newer_error"), "UNKNOWN: cuInit of FILE: CUDA error 4321");
}

TEST_F(CudaDriverTest, Devices) {
  const Driver& driver = **Open("cuda_12_4");
  EXPECT_EQ(*driver.NumDevices(), 2);
  EXPECT_EQ(*driver.FindDevice(1), 41);
  EXPECT_EQ(*driver.DeviceName(41), std::string(255, 'x'));
  EXPECT_EQ(*driver.DeviceAttribute(40, CU_DEVICE_ATTRIBUTE_WARP_SIZE), 50);
  EXPECT_EQ(*driver.DeviceMemoryBytes(40), size_t{80} << 30);
  EXPECT_EQ(WithoutPath("cuda_12_4", driver.FindDevice(2).status()),
            "NOT_FOUND: "
            "there is no GPU with the number 2: CUDA_ERROR_INVALID_DEVICE; FILE finds 2");
  EXPECT_EQ(driver.FindDevice(-1).status().code(), StatusCode::kNotFound);
}

// A call of the driver that fails is told by its name, whatever it was for.
TEST_F(CudaDriverTest, DeviceCallsFail) {
  DriverTable table;
  table.cuDeviceGetCount = [](int*) { return CUDA_ERROR_NOT_INITIALIZED; };
  table.cuDeviceGetName = [](char*, int, CUdevice) { return CUDA_ERROR_INVALID_DEVICE; };
  table.cuDeviceGetAttribute = [](int*, CUdevice_attribute, CUdevice) {
    return CUDA_ERROR_INVALID_VALUE;
  };
  table.cuDeviceTotalMem_v2 = [](size_t*, CUdevice) { return CUDA_ERROR_INVALID_CONTEXT; };
  Driver driver(table, 12040, "a table");
  EXPECT_EQ(driver.NumDevices().status().message(), "cuDeviceGetCount: CUDA_ERROR_NOT_INITIALIZED");
  EXPECT_EQ(driver.FindDevice(0).status(), driver.NumDevices().status());
  EXPECT_EQ(driver.DeviceName(0).status().message(), "cuDeviceGetName: CUDA_ERROR_INVALID_DEVICE");
  EXPECT_EQ(driver.DeviceAttribute(0, CU_DEVICE_ATTRIBUTE_WARP_SIZE).status().message(),
            "cuDeviceGetAttribute: CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(driver.DeviceMemoryBytes(0).status().message(),
            "cuDeviceTotalMem_v2: CUDA_ERROR_INVALID_CONTEXT");
  table.cuDeviceGetCount = [](int* count) {
    *count = 1;
    return CUDA_SUCCESS;
  };
  table.cuDeviceGet = [](CUdevice*, int) { return CUDA_ERROR_INVALID_DEVICE; };
  EXPECT_EQ(Driver(table, 12040, "a table").FindDevice(0).status().message(),
            "cuDeviceGet: CUDA_ERROR_INVALID_DEVICE");
}

// The process's driver is opened once, and no failure is final.
TEST_F(CudaDriverTest, DriverOfTheProcess) {
  std::string missing = FolderOf("lacks_two");
  setenv("TFRT_GPU_LIBRARY_PATH", missing.c_str(), 1);
  EXPECT_THAT(Driver::Get().status().message(), HasSubstr("lacks cuEventQuery"));
  std::string good = FolderOf("cuda_12_4");
  setenv("TFRT_GPU_LIBRARY_PATH", good.c_str(), 1);
  const Driver* found[4] = {};
  {
    std::vector<std::jthread> threads;
    for (const Driver*& driver : found)
      threads.emplace_back([&driver] { driver = *Driver::Get(); });
  }
  for (const Driver* driver : found) EXPECT_EQ(driver, *Open("cuda_12_4"));
  setenv("TFRT_GPU_LIBRARY_PATH", missing.c_str(), 1);
  EXPECT_EQ(*Driver::Get(), found[0]);
  unsetenv("TFRT_GPU_LIBRARY_PATH");
}

TEST_F(CudaDriverTest, Versions) {
  EXPECT_EQ(VersionText(12000), "12.0");
  EXPECT_EQ(VersionText(12080), "12.8");
  EXPECT_EQ(VersionText(13010), "13.1");
}

}  // namespace
}  // namespace tfrt::gpu::cuda
