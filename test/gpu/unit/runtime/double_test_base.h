// DoubleTest: the fixture of tests of the runtime on the double of the driver.
#ifndef TFRT_TEST_GPU_UNIT_RUNTIME_DOUBLE_TEST_BASE_H_
#define TFRT_TEST_GPU_UNIT_RUNTIME_DOUBLE_TEST_BASE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/runtime/context.h"
#include "test/gpu/support/gpu_double.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu {

// out[i] = out[i] + x for n numbers.
inline constexpr char kAdd[] = R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry add(.param .u64 out, .param .f32 x, .param .u32 n) {
  .reg .pred %p;
  .reg .b32 %i, %t, %b, %n;
  .reg .b64 %a, %o;
  .reg .f32 %x, %v;
  ld.param.u64 %a, [out];
  ld.param.f32 %x, [x];
  ld.param.u32 %n, [n];
  cvta.to.global.u64 %a, %a;
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mov.u32 %i, %ntid.x;
  mad.lo.u32 %i, %b, %i, %t;
  setp.ge.u32 %p, %i, %n;
  @%p bra DONE;
  mul.wide.u32 %o, %i, 4;
  add.u64 %a, %a, %o;
  ld.global.f32 %v, [%a];
  add.f32 %v, %v, %x;
  st.global.f32 [%a], %v;
DONE:
  ret;
}
)";

// A context on the first device of the double. A report that a test leaves is its failure.
class DoubleTest : public testing::Test {
 protected:
  void SetUp() override {
    queue_ = CreateWorkQueue("mstd:1").value();
    context_ = Context::RetainPrimary(driver().table(), driver().FindDevice(0).value(),
                                      {.queue = queue_.get()})
                   .value();
    StatusOr<RCReference<Module>> module =
        context_->LoadModule(std::string_view(kAdd, sizeof(kAdd)));
    ASSERT_TRUE(module.ok()) << module.status().ToString();
    add_ = (*module)->GetFunction("add").value();
  }
  void TearDown() override {
    queue_->Quiesce();
    context_.reset();
    EXPECT_THAT(double_.TakeReports(), testing::IsEmpty());
    EXPECT_EQ(0, double_.Inject(""));  // the driver is of use again after a fault
    for (const char* kind : {"streams", "events", "modules", "allocations", "pinned"}) {
      EXPECT_EQ(double_.NumLive(kind), 0u) << kind;
    }
  }

  const cuda::Driver& driver() const { return double_.driver(); }
  Status Add(Stream& stream, Memory& memory, float x, uint32_t n) {
    MemoryRange bytes = memory.bytes();
    LaunchArgument arguments[] = {LaunchArgument::OfAddress(bytes), LaunchArgument::Of(x),
                                  LaunchArgument::Of(n)};
    return stream.Launch(*add_, {.grid = {(n + 31) / 32, 1, 1}, .block = {32, 1, 1}}, arguments)
        .status();
  }
  template <typename T>
  void Await(const AsyncValueRef<T>& chain) {
    AsyncValue* value = chain.GetAsyncValue();
    queue_->Await({&value, 1});
    EXPECT_FALSE(chain.IsError()) << chain.GetError().ToString();
  }

  GpuDouble& double_ = GpuDouble::Get();
  std::unique_ptr<ConcurrentWorkQueue> queue_;
  RCReference<Context> context_;
  const Function* add_ = nullptr;
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_UNIT_RUNTIME_DOUBLE_TEST_BASE_H_
