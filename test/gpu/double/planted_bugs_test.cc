// Programs with one defect each, which the double must find and name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "test/gpu/support/raw_driver.h"
#include "test/gpu/support/test_kernels.h"

namespace tfrt::gpu::test {
namespace {

using namespace tfrt::gpu::cuda;  // NOLINT
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint32_t kN = 64;
constexpr size_t kBytes = kN * 4;

// Neighbours of shared memory read what others wrote, with no barrier between.
constexpr char kRacingKernel[] = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry racing(.param .u64 to)
{
  .shared .align 4 .b8 store[512];
  .reg .b32 %r<8>;
  .reg .b64 %d<5>;
  ld.param.u64 %d1, [to];
  cvta.to.global.u64 %d2, %d1;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, store;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r2, %r3;
  st.shared.u32 [%r4], %r1;
  xor.b32 %r5, %r3, 128;
  add.s32 %r6, %r2, %r5;
  ld.shared.u32 %r7, [%r6];
  mul.wide.u32 %d3, %r1, 4;
  add.s64 %d4, %d2, %d3;
  st.global.u32 [%d4], %r7;
  ret;
}
)";

class PlantedBugsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    driver_ = OpenRawDriver(&why);
    if (!driver_ || !driver_->is_double()) GTEST_SKIP() << "needs the test double: " << why;
    ASSERT_EQ(CUDA_SUCCESS, d().cuCtxCreate_v2(&context_, 0, 0));
    for (CUstream* stream : {&a_, &b_}) {
      ASSERT_EQ(CUDA_SUCCESS, d().cuStreamCreateWithPriority(stream, CU_STREAM_NON_BLOCKING, 0));
    }
  }
  void TearDown() override {
    if (!context_) return;
    EXPECT_EQ(std::vector<std::string>(), TakeReports(d()));
    d().cuCtxDestroy_v2(context_);
    d().inject("");  // a fault has ended the process's work
  }

  const RawDriver& d() { return *driver_; }
  CUdeviceptr Allocate(size_t size_bytes = kBytes) {
    CUdeviceptr address = 0;
    EXPECT_EQ(CUDA_SUCCESS, d().cuMemAlloc_v2(&address, size_bytes));
    return address;
  }
  uint32_t* Pinned() {
    void* memory = nullptr;
    EXPECT_EQ(CUDA_SUCCESS, d().cuMemHostAlloc(&memory, kBytes, 0));
    return static_cast<uint32_t*>(memory);
  }
  template <typename... Arguments>
  void Launch(CUstream stream, const char* image, const char* kernel, Arguments... arguments) {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    ASSERT_EQ(CUDA_SUCCESS, d().cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr));
    ASSERT_EQ(CUDA_SUCCESS, d().cuModuleGetFunction(&function, module, kernel));
    void* pointers[] = {&arguments..., nullptr};
    ASSERT_EQ(CUDA_SUCCESS,
              d().cuLaunchKernel(function, 1, 1, 1, kN, 1, 1, 0, stream, pointers, nullptr));
  }
  // The reports once everything has run, with the code of the wait.
  std::vector<std::string> Reports(CUresult expected = CUDA_SUCCESS) {
    EXPECT_EQ(expected, d().cuCtxSynchronize());
    return TakeReports(d());
  }

  CUcontext context_ = nullptr;
  CUstream a_ = nullptr, b_ = nullptr;

 private:
  const RawDriver* driver_ = nullptr;
};

TEST_F(PlantedBugsTest, UnorderedKernels) {
  CUdeviceptr data = Allocate();
  Launch(a_, kTestKernels, "fill", data, uint32_t{1}, kN);
  Launch(b_, kTestKernels, "fill", data, uint32_t{2}, kN);
  EXPECT_THAT(Reports(), ElementsAre(AllOf(HasSubstr("unordered: 'fill' (stream "),
                                           HasSubstr("writes bytes 0 to 256 of allocation"),
                                           HasSubstr("which 'fill' (stream "),
                                           HasSubstr("missing: an event recorded on stream"))));
}

TEST_F(PlantedBugsTest, UseAfterFreeAcrossStreams) {
  CUdeviceptr data = 0;
  CUevent event = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, d().cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemAllocAsync(&data, kBytes, a_));
  ASSERT_EQ(CUDA_SUCCESS, d().cuEventRecord(event, a_));
  ASSERT_EQ(CUDA_SUCCESS, d().cuStreamWaitEvent(b_, event, 0));
  Launch(b_, kTestKernels, "fill", data, uint32_t{2}, kN);
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemFreeAsync(data, a_));  // nothing orders it behind b's use
  std::vector<std::string> reports = Reports();
  ASSERT_FALSE(reports.empty());
  for (const std::string& report : reports) {
    EXPECT_THAT(report, AllOf(HasSubstr("use after free: "), HasSubstr("'cuMemFreeAsync'"),
                              HasSubstr("'fill'")));
  }
}

TEST_F(PlantedBugsTest, FreeByTheHostWithoutAWait) {
  CUdeviceptr data = Allocate();
  Launch(a_, kTestKernels, "fill", data, uint32_t{2}, kN);
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemFree_v2(data));
  std::vector<std::string> reports = Reports(CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_FALSE(reports.empty());
  EXPECT_THAT(reports[0], AllOf(HasSubstr("use after free: 'fill'"), HasSubstr("'cuMemFree_v2'")));
}

TEST_F(PlantedBugsTest, ReadOfUnwrittenMemory) {
  CUdeviceptr data = Allocate();
  uint32_t* host = Pinned();
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemsetD32Async(data, 1, kN - 1, a_));
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemcpyDtoHAsync_v2(host, data, kBytes, a_));
  EXPECT_THAT(Reports(), ElementsAre(AllOf(HasSubstr("read of unwritten: 'cuMemcpyDtoHAsync_v2'"),
                                           HasSubstr("reads bytes 252 to 256 of allocation"),
                                           HasSubstr("since 'cuMemAlloc_v2' (host, call"))));
}

TEST_F(PlantedBugsTest, KernelReadsUnwrittenMemory) {
  CUdeviceptr data = Allocate();
  Launch(a_, kTestKernels, "add_one", data, kN);
  std::vector<std::string> reports = Reports();
  ASSERT_FALSE(reports.empty());
  EXPECT_THAT(reports[0], HasSubstr("'add_one' (stream "));
}

// Two kernels on two streams read the same bytes, one of them by volatile loads: no defect. Nor do
// such loads make memory written.
TEST_F(PlantedBugsTest, StrongLoadsAreReads) {
  constexpr char kStrongLoad[] = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry strong_load(.param .u64 p)
{
  .reg .b32 %r<2>;
  .reg .b64 %d<2>;
  ld.param.u64 %d1, [p];
  ld.volatile.global.u32 %r1, [%d1];
  ret;
}
)";
  CUdeviceptr data = Allocate(), to = Allocate(), unwritten = Allocate();
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemsetD32Async(data, 1, kN, a_));
  EXPECT_EQ(std::vector<std::string>(), Reports());
  Launch(a_, kStrongLoad, "strong_load", data);
  Launch(b_, kTestKernels, "copy", to, data, kN);
  EXPECT_EQ(std::vector<std::string>(), Reports());
  Launch(a_, kStrongLoad, "strong_load", unwritten);
  EXPECT_EQ(1u, Reports().size());
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemcpyDtoDAsync_v2(to, unwritten, 4, a_));
  EXPECT_THAT(Reports(), ElementsAre(HasSubstr("read of unwritten")));
}

TEST_F(PlantedBugsTest, OutOfBoundsByOneElement) {
  CUdeviceptr data = Allocate();
  CUdeviceptr second = Allocate();  // a neighbour that must not be met
  Launch(a_, kTestKernels, "fill", data + 4, uint32_t{1}, kN);
  std::vector<std::string> reports = Reports(CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_FALSE(reports.empty());
  EXPECT_THAT(reports[0], AllOf(HasSubstr("'fill' (stream "), HasSubstr("thread (63,0,0)"),
                                HasSubstr("0 bytes behind the end of allocation")));
  EXPECT_NE(0u, second);
}

TEST_F(PlantedBugsTest, HostWritesPinnedSourceInFlight) {
  CUdeviceptr data = Allocate();
  uint32_t* host = Pinned();
  std::fill(host, host + kN, 1);
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemcpyHtoDAsync_v2(data, host, kBytes, a_));
  host[5] = 2;
  EXPECT_THAT(Reports(),
              ElementsAre(AllOf(HasSubstr("write to a source in flight: 'cuMemcpyHtoDAsync_v2'"),
                                HasSubstr("pinned allocation"))));
}

TEST_F(PlantedBugsTest, HostReadsPinnedTargetInFlight) {
  CUdeviceptr data = Allocate();
  uint32_t* host = Pinned();
  std::fill(host, host + kN, 7);
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemsetD32Async(data, 7, kN, a_));
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemcpyDtoHAsync_v2(host, data, kBytes, a_));
  EXPECT_NE(7u, host[0]) << "what was there before would hide that nobody has waited";
  EXPECT_EQ(std::vector<std::string>(), Reports());
  EXPECT_EQ(7u, host[0]);
}

// A function that is not ordered before the copy is no excuse for what the host does.
TEST_F(PlantedBugsTest, HostWritesPinnedSourceBesideAFunction) {
  CUdeviceptr data = Allocate();
  uint32_t* host = Pinned();
  std::fill(host, host + kN, 1);
  ASSERT_EQ(CUDA_SUCCESS, d().cuLaunchHostFunc(b_, [](void*) {}, nullptr));
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemcpyHtoDAsync_v2(data, host, kBytes, a_));
  host[5] = 2;
  EXPECT_THAT(Reports(), ElementsAre(HasSubstr("write to a source in flight")));
}

// A kernel has a pointer to all of the memory; what counts is what it does with it.
TEST_F(PlantedBugsTest, HostBesideAKernelInFlight) {
  uint32_t* host = Pinned();
  CUdeviceptr data = Allocate();
  std::fill(host, host + kN, 7);
  Launch(a_, kTestKernels, "copy", data, host, kN / 2);
  d().host_access(host, kBytes, 0);
  d().host_access(host + kN / 2, kBytes / 2, 1);
  EXPECT_EQ(std::vector<std::string>(), Reports());
  Launch(a_, kTestKernels, "copy", data, host, kN / 2);
  d().host_access(host + kN / 2 - 1, 8, 1);
  EXPECT_THAT(Reports(), ElementsAre(AllOf(HasSubstr("unordered: 'copy' (stream "),
                                           HasSubstr("which 'write by the host'"))));
  Launch(a_, kTestKernels, "fill", host, uint32_t{1}, kN / 2);
  d().host_access(host, 4, 0);
  EXPECT_THAT(Reports(), ElementsAre(AllOf(HasSubstr("unordered: 'fill' (stream "),
                                           HasSubstr("which 'read by the host'"))));
}

TEST_F(PlantedBugsTest, PinnedMemoryFreedInFlight) {
  CUdeviceptr data = Allocate();
  uint32_t* host = Pinned();
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemsetD32Async(data, 7, kN, a_));
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemcpyDtoHAsync_v2(host, data, kBytes, a_));
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemFreeHost(host));
  std::vector<std::string> reports = Reports(CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_FALSE(reports.empty());
  EXPECT_THAT(reports[0], AllOf(HasSubstr("use after free: 'cuMemcpyDtoHAsync_v2'"),
                                HasSubstr("'cuMemFreeHost'")));
}

// What the function does with it nobody sees, but it must not crash.
TEST_F(PlantedBugsTest, PinnedMemoryFreedBeforeAFunctionUsesIt) {
  uint32_t* host = Pinned();
  ASSERT_EQ(CUDA_SUCCESS,
            d().cuLaunchHostFunc(a_, [](void* data) { *static_cast<uint32_t*>(data) = 1; }, host));
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemFreeHost(host));
  EXPECT_THAT(Reports(), ElementsAre());
}

TEST_F(PlantedBugsTest, SharedMemoryRace) {
  CUdeviceptr data = Allocate();
  Launch(a_, kRacingKernel, "racing", data);
  std::vector<std::string> reports = Reports();
  ASSERT_FALSE(reports.empty());
  EXPECT_THAT(reports[0], AllOf(HasSubstr("'racing' (stream "), HasSubstr("shared")));
}

TEST_F(PlantedBugsTest, ReuseOfAnUnorderedBlock) {
  CUdeviceptr data = 0;
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemAllocAsync(&data, kBytes, a_));
  Launch(b_, kTestKernels, "fill", data, uint32_t{2},
         kN);              // nothing orders it behind the allocation
  d().cuCtxSynchronize();  // a fault if the kernel comes first
  std::vector<std::string> reports = TakeReports(d());
  ASSERT_FALSE(reports.empty());
}

TEST_F(PlantedBugsTest, UseOfADestroyedHandle) {
  ASSERT_EQ(CUDA_SUCCESS, d().cuStreamDestroy_v2(b_));
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, d().cuStreamSynchronize(b_));
  EXPECT_THAT(TakeReports(d()), ElementsAre(AllOf(HasSubstr("use of a destroyed handle"),
                                                  HasSubstr("cuStreamSynchronize"))));
}

TEST_F(PlantedBugsTest, DoubleFree) {
  CUdeviceptr data = Allocate();
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemFree_v2(data));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, d().cuMemFree_v2(data));
  EXPECT_THAT(TakeReports(d()), ElementsAre(HasSubstr("bad free: cuMemFree_v2")));
}

TEST_F(PlantedBugsTest, IllegalCallInACapture) {
  CUgraph graph = nullptr;
  CUdeviceptr address = 0;
  ASSERT_EQ(CUDA_SUCCESS, d().cuStreamBeginCapture_v2(a_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_EQ(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, d().cuMemAlloc_v2(&address, 64));
  EXPECT_EQ(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, d().cuStreamEndCapture(a_, &graph));
}

// The vendor: the areas may not overlap. A GPU copies wrong bytes.
TEST_F(PlantedBugsTest, CopiesThatOverlap) {
  CUdeviceptr data = Allocate();
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemsetD8Async(data, 1, kBytes, a_));
  for (int64_t distance : {4, -4, 0}) {
    const CUdeviceptr from = data + 8;
    ASSERT_EQ(CUDA_SUCCESS, d().cuMemcpyDtoDAsync_v2(from + static_cast<CUdeviceptr>(distance),
                                                     from, kBytes - 16, a_));
    ASSERT_EQ(CUDA_SUCCESS, d().cuStreamSynchronize(a_));
    EXPECT_THAT(TakeReports(d()), ElementsAre(HasSubstr("overlapping copy")));
  }
  ASSERT_EQ(CUDA_SUCCESS, d().cuMemcpyDtoDAsync_v2(data, data + kBytes / 2, kBytes / 2, a_));
  ASSERT_EQ(CUDA_SUCCESS, d().cuStreamSynchronize(a_));
  EXPECT_THAT(TakeReports(d()), testing::IsEmpty());
}

}  // namespace
}  // namespace tfrt::gpu::test
