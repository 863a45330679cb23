// Calls that the double refuses, as the documentation says, though a driver has been seen to take
// them: statements that are not in the conformance suite, as they are not true of hardware.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "test/gpu/support/raw_driver.h"
#include "test/gpu/support/test_kernels.h"

namespace tfrt::gpu::test {
namespace {

using namespace tfrt::gpu::cuda;  // NOLINT

constexpr size_t kMemoryBytes = 4096;

class RefusalsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    driver_ = OpenRawDriver(&why);
    if (!driver_ || !driver_->is_double()) GTEST_SKIP() << "needs the test double: " << why;
    ASSERT_EQ(CUDA_SUCCESS, d().cuCtxCreate_v2(&context_, 0, 0));
    ASSERT_EQ(CUDA_SUCCESS, d().cuStreamCreateWithPriority(&stream_, CU_STREAM_NON_BLOCKING, 0));
    for (CUdeviceptr* memory : {&a_, &b_}) {
      ASSERT_EQ(CUDA_SUCCESS, d().cuMemAlloc_v2(memory, kMemoryBytes));
      ASSERT_EQ(CUDA_SUCCESS, d().cuMemsetD8Async(*memory, 1, kMemoryBytes, stream_));
    }
    ASSERT_EQ(CUDA_SUCCESS, d().cuStreamSynchronize(stream_));
  }
  void TearDown() override {
    if (!context_) return;
    EXPECT_EQ(CUDA_SUCCESS, d().cuCtxDestroy_v2(context_));
    for (const std::string& report : TakeReports(d())) ADD_FAILURE() << report;
  }

  const RawDriver& d() const { return *driver_; }
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  CUdeviceptr a_ = 0, b_ = 0;

 private:
  const RawDriver* driver_ = nullptr;
};

// A driver takes the parameters and leaves `extra` alone.
TEST_F(RefusalsTest, BothKindsOfParameters) {
  CUmodule module = nullptr;
  CUfunction idle = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, d().cuModuleLoadDataEx(&module, kTestKernels, 0, nullptr, nullptr));
  ASSERT_EQ(CUDA_SUCCESS, d().cuModuleGetFunction(&idle, module, "idle"));
  void* parameters[] = {nullptr};
  void* extra[] = {reinterpret_cast<void*>(uintptr_t{CU_LAUNCH_PARAM_END_AS_INT})};
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            d().cuLaunchKernel(idle, 1, 1, 1, 1, 1, 1, 0, stream_, parameters, extra));
}

TEST_F(RefusalsTest, PoolAllocationOfNothing) {
  CUdeviceptr memory = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, d().cuMemAllocAsync(&memory, 0, stream_));
}

TEST_F(RefusalsTest, CaptureModeThatDoesNotExist) {
  auto mode = static_cast<CUstreamCaptureMode>(9);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, d().cuThreadExchangeStreamCaptureMode(&mode));
}

// A driver takes them, and the copy ends in an illegal address.
TEST_F(RefusalsTest, PitchAboveTheLargest) {
  int largest = 0;
  ASSERT_EQ(CUDA_SUCCESS, d().cuDeviceGetAttribute(&largest, CU_DEVICE_ATTRIBUTE_MAX_PITCH, 0));
  for (size_t pitch : {static_cast<size_t>(largest) + 1, size_t{1} << 63}) {
    for (bool of_source : {true, false}) {
      CUDA_MEMCPY2D copy = {};
      copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      copy.srcDevice = a_;
      copy.dstDevice = b_;
      copy.srcPitch = of_source ? pitch : 32;
      copy.dstPitch = of_source ? 32 : pitch;
      copy.WidthInBytes = 16;
      copy.Height = 3;
      EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, d().cuMemcpy2DAsync_v2(&copy, stream_));
    }
  }
  EXPECT_EQ(CUDA_SUCCESS, d().cuStreamSynchronize(stream_));
}

TEST_F(RefusalsTest, FillNodesThatWrapAround) {
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUDA_MEMSET_NODE_PARAMS fill = {
      .dst = a_, .pitch = size_t{1} << 63, .value = 6, .elementSize = 4, .width = 2, .height = 3};
  ASSERT_EQ(CUDA_SUCCESS, d().cuGraphCreate(&graph, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            d().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context_));
  fill.pitch = 0;
  fill.height = 1;
  fill.width = (size_t{1} << 62) + 1;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            d().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context_));
  EXPECT_EQ(CUDA_SUCCESS, d().cuGraphDestroy(graph));
}

TEST_F(RefusalsTest, SharedMemoryWhoseSizeWrapsAround) {
  CUmodule module = nullptr;
  CUfunction idle = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, d().cuModuleLoadDataEx(&module, kTestKernels, 0, nullptr, nullptr));
  ASSERT_EQ(CUDA_SUCCESS, d().cuModuleGetFunction(&idle, module, "idle"));
  for (size_t bytes : {SIZE_MAX - 1150, SIZE_MAX}) {
    int blocks = -1;  // 32 of them, says a driver
    EXPECT_EQ(CUDA_SUCCESS,
              d().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, idle, 32, bytes));
    EXPECT_EQ(0, blocks);
  }
}

}  // namespace
}  // namespace tfrt::gpu::test
