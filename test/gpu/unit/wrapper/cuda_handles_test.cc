#include "tfrt/gpu/wrapper/cuda_handles.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "test/gpu/unit/wrapper/fake_table.h"

namespace tfrt::gpu::cuda {
namespace {

class CudaHandlesTest : public ::testing::Test {
 protected:
  // The context is current, so that only other calls are noted.
  void SetUp() override {
    Context::ForgetCurrent();
    context_ = *Context::RetainPrimary(table_, 0);
    EXPECT_TRUE(context_->MakeCurrent().ok());
    TakeLog();
  }

  // What is noted when `handle` was made and is gone again.
  template <typename H>
  static std::string LogOf(StatusOr<H> handle) {
    EXPECT_TRUE(handle.ok()) << handle.status().ToString();
    EXPECT_TRUE(*handle);
    {
      H gone = *std::move(handle);
    }
    return TakeLog();
  }

  DriverTable table_ = FakeTable();
  std::unique_ptr<Context> context_;
};

static_assert(sizeof(Stream) == 2 * sizeof(void*));
static_assert(!std::is_copy_constructible_v<Stream> && !std::is_copy_assignable_v<Stream>);

TEST_F(CudaHandlesTest, EachIsGivenBackByItsFunction) {
  EXPECT_EQ(LogOf(CreateStream(*context_, CU_STREAM_NON_BLOCKING)),
            "cuStreamCreateWithPriority() cuStreamDestroy_v2(2) ");
  EXPECT_EQ(LogOf(CreateEvent(*context_, 0)), "cuEventCreate() cuEventDestroy_v2(3) ");
  EXPECT_EQ(LogOf(AllocateDeviceMemory(*context_, 8)), "cuMemAlloc_v2() cuMemFree_v2(4) ");
  EXPECT_EQ(LogOf(AllocatePinnedMemory(*context_, 8, 0)), "cuMemHostAlloc() cuMemFreeHost(5) ");
  void* memory = reinterpret_cast<void*>(4096);
  EXPECT_EQ(LogOf(RegisterMemory(*context_, memory, 8, 0)),
            "cuMemHostRegister_v2(4096) cuMemHostUnregister(4096) ");
  EXPECT_EQ(LogOf(CreateMemoryPool(*context_, {})), "cuMemPoolCreate() cuMemPoolDestroy(6) ");
  EXPECT_EQ(LogOf(CreateGraph(*context_)), "cuGraphCreate() cuGraphDestroy(7) ");
  EXPECT_EQ(LogOf(InstantiateGraph(*context_, nullptr, 0)),
            "cuGraphInstantiateWithFlags() cuGraphExecDestroy(8) ");
  EXPECT_EQ(LogOf(EndCapture(*context_, nullptr)), "cuStreamEndCapture() cuGraphDestroy(9) ");
  EXPECT_EQ(LogOf(LoadModule(*context_, std::string_view("", 1), "a module")),
            "cuModuleLoadDataEx() cuModuleUnload(10) ");
}

TEST_F(CudaHandlesTest, Failures) {
  fake_calls.results = {{"cuStreamCreateWithPriority", CUDA_ERROR_INVALID_VALUE},
                        {"cuEventCreate", CUDA_ERROR_OUT_OF_MEMORY},
                        {"cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY},
                        {"cuMemHostAlloc", CUDA_ERROR_OUT_OF_MEMORY},
                        {"cuMemHostRegister_v2", CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED},
                        {"cuMemPoolCreate", CUDA_ERROR_NOT_SUPPORTED},
                        {"cuGraphCreate", CUDA_ERROR_OUT_OF_MEMORY},
                        {"cuGraphInstantiateWithFlags", CUDA_ERROR_INVALID_VALUE},
                        {"cuStreamEndCapture", CUDA_ERROR_STREAM_CAPTURE_INVALIDATED}};
  EXPECT_EQ(CreateStream(*context_, 9).status().ToString(),
            "INVALID_ARGUMENT: cuStreamCreateWithPriority: CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(CreateEvent(*context_, 0).status().ToString(),
            "RESOURCE_EXHAUSTED: cuEventCreate: CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(AllocateDeviceMemory(*context_, 8).status().ToString(),
            "RESOURCE_EXHAUSTED: cuMemAlloc_v2 of 8 bytes: CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(AllocatePinnedMemory(*context_, 9, 0).status().ToString(),
            "RESOURCE_EXHAUSTED: cuMemHostAlloc of 9 bytes: CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(RegisterMemory(*context_, nullptr, 7, 0).status().ToString(),
            "ALREADY_EXISTS: cuMemHostRegister_v2 of 7 bytes: "
            "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED");
  EXPECT_EQ(CreateMemoryPool(*context_, {}).status().ToString(),
            "UNIMPLEMENTED: cuMemPoolCreate: CUDA_ERROR_NOT_SUPPORTED");
  EXPECT_EQ(CreateGraph(*context_).status().ToString(),
            "RESOURCE_EXHAUSTED: cuGraphCreate: CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(InstantiateGraph(*context_, nullptr, 0).status().ToString(),
            "INVALID_ARGUMENT: cuGraphInstantiateWithFlags: CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(EndCapture(*context_, nullptr).status().ToString(),
            "FAILED_PRECONDITION: cuStreamEndCapture: CUDA_ERROR_STREAM_CAPTURE_INVALIDATED");
}

TEST_F(CudaHandlesTest, MovesTakeTheObjectAlong) {
  Event a = *CreateEvent(*context_, 0), b = *CreateEvent(*context_, 0);
  CUevent first = a.get(), second = b.get();
  Event c = std::move(a);
  EXPECT_FALSE(a);  // NOLINT: moved from is empty
  EXPECT_EQ(a.context(), nullptr);
  EXPECT_EQ(c.get(), first);
  EXPECT_EQ(c.context(), context_.get());
  TakeLog();
  c = std::move(b);
  EXPECT_EQ(c.get(), second);
  c.Reset();
  EXPECT_EQ(TakeLog(), "cuEventDestroy_v2(3) ");
  b.Reset();  // what c had before
  EXPECT_EQ(TakeLog(), "cuEventDestroy_v2(2) ");
  EXPECT_EQ(b.Reset(), CUDA_SUCCESS) << "an empty one";
  EXPECT_EQ(TakeLog(), "");
}

TEST_F(CudaHandlesTest, ReleaseGivesUp) {
  Event event = *CreateEvent(*context_, 0);
  TakeLog();
  EXPECT_EQ(event.Release(), reinterpret_cast<CUevent>(2));
  EXPECT_FALSE(event);
  event.Reset();
  EXPECT_EQ(TakeLog(), "");
}

TEST_F(CudaHandlesTest, ResetTellsWhatTheDriverSays) {
  DeviceMemory memory = *AllocateDeviceMemory(*context_, 1);
  fake_calls.results["cuMemFree_v2"] = CUDA_ERROR_ILLEGAL_ADDRESS;
  EXPECT_EQ(memory.Reset(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_FALSE(memory) << "not given back twice";
}

// Memory is freed in the current context, whatever thread it is on.
TEST_F(CudaHandlesTest, DestroyedWithItsContextCurrent) {
  DeviceMemory memory = *AllocateDeviceMemory(*context_, 1);
  TakeLog();
  std::thread([&] { memory.Reset(); }).join();
  EXPECT_EQ(TakeLog(), "cuCtxSetCurrent(1) cuMemFree_v2(2) ");
}

TEST_F(CudaHandlesTest, NothingIsDestroyedWithoutItsContext) {
  DeviceMemory memory = *AllocateDeviceMemory(*context_, 1);
  Context::ForgetCurrent();
  TakeLog();
  fake_calls.results["cuCtxSetCurrent"] = CUDA_ERROR_DEINITIALIZED;
  EXPECT_EQ(memory.Reset(), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(TakeLog(), "cuCtxSetCurrent(1) ");
}

TEST_F(CudaHandlesTest, NotReadyIsNoError) {
  auto stream = reinterpret_cast<CUstream>(7);
  auto event = reinterpret_cast<CUevent>(8);
  EXPECT_TRUE(*IsDone(*context_, stream));
  EXPECT_TRUE(*IsDone(*context_, event));
  fake_calls.results = {{"cuStreamQuery", CUDA_ERROR_NOT_READY},
                        {"cuEventQuery", CUDA_ERROR_NOT_READY}};
  EXPECT_FALSE(*IsDone(*context_, stream));
  EXPECT_FALSE(*IsDone(*context_, event));
  fake_calls.results = {{"cuStreamQuery", CUDA_ERROR_ILLEGAL_ADDRESS},
                        {"cuEventQuery", CUDA_ERROR_LAUNCH_FAILED}};
  EXPECT_EQ(IsDone(*context_, stream).status().ToString(),
            "INTERNAL: cuStreamQuery: CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(IsDone(*context_, event).status().ToString(),
            "INTERNAL: cuEventQuery: CUDA_ERROR_LAUNCH_FAILED");
}

}  // namespace
}  // namespace tfrt::gpu::cuda
