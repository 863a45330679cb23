#include "gpu/wrapper/cuda_handles.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
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

  Event MakeEvent(uintptr_t value) { return Event(*context_, reinterpret_cast<CUevent>(value)); }

  DriverTable table_ = FakeTable();
  std::unique_ptr<Context> context_;
};

static_assert(sizeof(Stream) == 2 * sizeof(void*));
static_assert(!std::is_copy_constructible_v<Stream> && !std::is_copy_assignable_v<Stream>);

TEST_F(CudaHandlesTest, EachIsGivenBackByItsFunction) {
  {
    Stream stream(*context_, reinterpret_cast<CUstream>(2));
    Event event = MakeEvent(3);
    Module module(*context_, reinterpret_cast<CUmodule>(4));
    EXPECT_TRUE(stream && event && module);
  }
  EXPECT_EQ(TakeLog(), "cuModuleUnload(4) cuEventDestroy_v2(3) cuStreamDestroy_v2(2) ");
}

TEST_F(CudaHandlesTest, MovesTakeTheObjectAlong) {
  Event a = MakeEvent(2), b = MakeEvent(3);
  CUevent first = a.get(), second = b.get();
  Event c = std::move(a);
  EXPECT_FALSE(a);  // NOLINT: moved from is empty
  EXPECT_EQ(a.context(), nullptr);
  EXPECT_EQ(c.get(), first);
  EXPECT_EQ(c.context(), context_.get());
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
  Event event = MakeEvent(2);
  EXPECT_EQ(event.Release(), reinterpret_cast<CUevent>(2));
  EXPECT_FALSE(event);
  event.Reset();
  EXPECT_EQ(TakeLog(), "");
}

TEST_F(CudaHandlesTest, ResetTellsWhatTheDriverSays) {
  Event event = MakeEvent(2);
  fake_calls.results["cuEventDestroy_v2"] = CUDA_ERROR_ILLEGAL_ADDRESS;
  EXPECT_EQ(event.Reset(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_FALSE(event) << "not given back twice";
}

// Modules are unloaded from the current context, whatever thread it is on.
TEST_F(CudaHandlesTest, DestroyedWithItsContextCurrent) {
  Module module(*context_, reinterpret_cast<CUmodule>(2));
  std::thread([&] { module.Reset(); }).join();
  EXPECT_EQ(TakeLog(), "cuCtxSetCurrent(1) cuModuleUnload(2) ");
}

TEST_F(CudaHandlesTest, NothingIsDestroyedWithoutItsContext) {
  Event event = MakeEvent(2);
  Context::ForgetCurrent();
  fake_calls.results["cuCtxSetCurrent"] = CUDA_ERROR_DEINITIALIZED;
  EXPECT_EQ(event.Reset(), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(TakeLog(), "cuCtxSetCurrent(1) ");
}

}  // namespace
}  // namespace tfrt::gpu::cuda
