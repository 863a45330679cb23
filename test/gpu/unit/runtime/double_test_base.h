// What the tests on the double of the driver begin with.
#ifndef TFRT_TEST_GPU_UNIT_RUNTIME_DOUBLE_TEST_BASE_H_
#define TFRT_TEST_GPU_UNIT_RUNTIME_DOUBLE_TEST_BASE_H_

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/runtime/context.h"
#include "gpu/wrapper/cuda_driver.h"
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
  static void SetUpTestSuite() {
    setenv("TFRT_GPU_DOUBLE", "mode=lazy,seed=1,devices=2,memory=512M", /*overwrite=*/0);
  }
  void SetUp() override {
    StatusOr<const cuda::Driver*> driver = cuda::Driver::Open(
        {.before_loader = {{TFRT_TEST_GPU_DOUBLE_DIR, "the test"}}, .loader = false});
    ASSERT_TRUE(driver.ok()) << driver.status().ToString();
    driver_ = *driver;
    void* library = dlopen(driver_->path().c_str(), RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(library, nullptr);
    Find(library, "tfrtDoubleNumReports", &num_reports_);
    Find(library, "tfrtDoubleReport", &report_);
    Find(library, "tfrtDoubleClearReports", &clear_reports_);
    Find(library, "tfrtDoubleNumCalls", &num_calls_);
    Find(library, "tfrtDoubleClearCalls", &clear_calls_);
    Find(library, "tfrtDoubleNumLive", &num_live_);
    Find(library, "tfrtDoubleInject", &inject_);
    queue_ = CreateWorkQueue("mstd:1").value();
    context_ = Context::RetainPrimary(driver_->table(), driver_->FindDevice(0).value(),
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
    EXPECT_THAT(TakeReports(), testing::IsEmpty());
    EXPECT_EQ(0, inject_(""));  // the driver is of use again after a fault
    for (const char* kind : {"streams", "events", "modules", "allocations", "pinned"}) {
      EXPECT_EQ(num_live_(kind), 0u) << kind;
    }
  }

  template <typename F>
  static void Find(void* library, const char* name, F** function) {
    *function = reinterpret_cast<F*>(dlsym(library, name));
    ASSERT_NE(*function, nullptr) << name;
  }
  std::vector<std::string> TakeReports() {
    std::vector<std::string> reports;
    for (size_t i = 0; i < num_reports_(); ++i) {
      std::string text(4096, '\0');
      text.resize(std::min(report_(i, text.data(), text.size()), text.size()));
      reports.push_back(std::move(text));
    }
    clear_reports_();
    return reports;
  }
  Status Add(Stream& stream, Memory& memory, float x, uint32_t n) {
    MemoryRange bytes = memory.bytes();
    LaunchArgument arguments[] = {LaunchArgument::OfAddress(bytes), LaunchArgument::Of(x),
                                  LaunchArgument::Of(n)};
    return stream.Launch(*add_, {.grid = {(n + 31) / 32, 1, 1}, .block = {32, 1, 1}}, arguments)
        .status();
  }
  void Await(const AsyncValueRef<Chain>& chain) {
    AsyncValue* value = chain.GetAsyncValue();
    queue_->Await({&value, 1});
    EXPECT_FALSE(chain.IsError()) << chain.GetError().ToString();
  }

  const cuda::Driver* driver_ = nullptr;
  size_t (*num_reports_)();
  size_t (*report_)(size_t, char*, size_t);
  void (*clear_reports_)();
  uint64_t (*num_calls_)(const char*);
  void (*clear_calls_)();
  uint64_t (*num_live_)(const char*);
  int (*inject_)(const char*);
  std::unique_ptr<ConcurrentWorkQueue> queue_;
  RCReference<Context> context_;
  const Function* add_ = nullptr;
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_UNIT_RUNTIME_DOUBLE_TEST_BASE_H_
