#include "gpu/wrapper/cuda_context.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "gpu/wrapper/cuda_handles.h"
#include "test/gpu/unit/wrapper/fake_table.h"

namespace tfrt::gpu::cuda {
namespace {

class CudaContextTest : public ::testing::Test {
 protected:
  void SetUp() override { Context::ForgetCurrent(); }

  std::unique_ptr<Context> Primary(CUdevice device = 0) {
    return *Context::RetainPrimary(table_, device);
  }

  DriverTable table_ = FakeTable();
};

TEST_F(CudaContextTest, PrimaryIsReleased) {
  {
    std::unique_ptr<Context> context = Primary(3);
    EXPECT_EQ(context->device(), 3);
    EXPECT_EQ(context->get(), reinterpret_cast<CUcontext>(1));
    EXPECT_EQ(&context->driver(), &table_);
  }
  EXPECT_EQ(TakeLog(), "cuDevicePrimaryCtxRetain() cuDevicePrimaryCtxRelease_v2(3) ");
}

// Creating a context makes it current; the thread must not notice.
TEST_F(CudaContextTest, CreatedOneIsTakenOffTheStackAndDestroyed) {
  Context::Create(table_, 0, CU_CTX_SCHED_BLOCKING_SYNC)->reset();
  EXPECT_EQ(TakeLog(), "cuCtxCreate_v2() cuCtxPopCurrent_v2() cuCtxDestroy_v2(1) ");
}

TEST_F(CudaContextTest, CreatedOneThatStaysOnTheStackIsDestroyed) {
  fake_calls.results["cuCtxPopCurrent_v2"] = CUDA_ERROR_INVALID_CONTEXT;
  EXPECT_EQ(Context::Create(table_, 0, 0).status().ToString(),
            "FAILED_PRECONDITION: cuCtxPopCurrent_v2: CUDA_ERROR_INVALID_CONTEXT");
  EXPECT_EQ(TakeLog(), "cuCtxCreate_v2() cuCtxPopCurrent_v2() cuCtxDestroy_v2(1) ");
}

TEST_F(CudaContextTest, Failures) {
  fake_calls.results["cuDevicePrimaryCtxRetain"] = CUDA_ERROR_DEVICE_UNAVAILABLE;
  fake_calls.results["cuCtxCreate_v2"] = CUDA_ERROR_OUT_OF_MEMORY;
  EXPECT_EQ(Context::RetainPrimary(table_, 5).status().ToString(),
            "UNAVAILABLE: cuDevicePrimaryCtxRetain of device 5: CUDA_ERROR_DEVICE_UNAVAILABLE");
  EXPECT_EQ(Context::Create(table_, 5, 0).status().ToString(),
            "RESOURCE_EXHAUSTED: cuCtxCreate_v2 on device 5: CUDA_ERROR_OUT_OF_MEMORY");
}

TEST_F(CudaContextTest, CurrentIsRemembered) {
  std::unique_ptr<Context> a = Primary(0), b = Primary(1);
  TakeLog();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(a->MakeCurrent().ok());
  EXPECT_EQ(TakeLog(), "cuCtxSetCurrent(1) ");
  EXPECT_TRUE(b->MakeCurrent().ok());
  EXPECT_TRUE(a->MakeCurrent().ok());
  EXPECT_EQ(TakeLog(), "cuCtxSetCurrent(2) cuCtxSetCurrent(1) ");
  Context::ForgetCurrent();
  EXPECT_TRUE(a->MakeCurrent().ok());
  EXPECT_EQ(TakeLog(), "cuCtxSetCurrent(1) ");
}

TEST_F(CudaContextTest, CurrentIsRememberedPerThread) {
  std::unique_ptr<Context> context = Primary();
  EXPECT_TRUE(context->MakeCurrent().ok());
  TakeLog();
  std::thread([&] {
    EXPECT_TRUE(context->MakeCurrent().ok());
    EXPECT_TRUE(context->MakeCurrent().ok());
  }).join();
  EXPECT_EQ(TakeLog(), "cuCtxSetCurrent(1) ");
}

// The driver gives the address of a context that is gone to the next one.
TEST_F(CudaContextTest, AddressesComeAgain) {
  std::unique_ptr<Context> context = Primary();
  EXPECT_TRUE(context->MakeCurrent().ok());
  context.reset();
  fake_calls.next_handle = 1;
  context = Primary();
  TakeLog();
  EXPECT_TRUE(context->MakeCurrent().ok());
  EXPECT_EQ(TakeLog(), "cuCtxSetCurrent(1) ");
}

TEST_F(CudaContextTest, DestroyedOneIsNotCurrentAnyMore) {
  std::unique_ptr<Context> context = Primary(2);
  EXPECT_TRUE(context->MakeCurrent().ok());
  TakeLog();
  context.reset();
  EXPECT_EQ(TakeLog(), "cuCtxSetCurrent(0) cuDevicePrimaryCtxRelease_v2(2) ");
}

TEST_F(CudaContextTest, FailureIsNotRemembered) {
  std::unique_ptr<Context> context = Primary();
  fake_calls.results["cuCtxSetCurrent"] = CUDA_ERROR_DEINITIALIZED;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(context->MakeCurrent().ToString(),
              "FAILED_PRECONDITION: cuCtxSetCurrent: CUDA_ERROR_DEINITIALIZED");
  }
  fake_calls.results.clear();
  EXPECT_TRUE(context->MakeCurrent().ok());
}

#ifndef NDEBUG
TEST_F(CudaContextTest, HandleThatOutlivesItsContextIsABug) {
  EXPECT_DEATH(
      {
        std::unique_ptr<Context> context = Primary();
        Stream stream(*context, reinterpret_cast<CUstream>(7));
        context.reset();
      },
      "a handle outlives its context");
}
#endif

}  // namespace
}  // namespace tfrt::gpu::cuda
