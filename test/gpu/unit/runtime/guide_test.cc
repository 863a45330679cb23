// The example of gpu/runtime/README.md, on the test double.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "gpu/runtime/context.h"
#include "gpu/runtime/gpu_contexts.h"
#include "gpu/runtime/staging.h"
#include "gpu/wrapper/cuda_driver.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu {
namespace {

constexpr char kFill[] = R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry fill(.param .u64 out, .param .u32 n) {
  .reg .pred %p;
  .reg .b32 %i, %t, %b, %n;
  .reg .b64 %a, %o;
  ld.param.u64 %a, [out];
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
  st.global.u32 [%a], %i;
DONE:
  ret;
}
)";

StatusOr<AsyncValueRef<Chain>> Fill(HostContext* host, std::string_view ptx, uint32_t n,
                                    std::vector<uint32_t>* result) {
  auto& contexts = host->GetOrCreateSharedContext<GpuContexts>();
  TFRT_ASSIGN_OR_RETURN(RCReference<Context> context, contexts.GetPrimary(0));
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, context->CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Module> module,
                        context->LoadModule(ptx));  // with its zero byte
  TFRT_ASSIGN_OR_RETURN(const Function* fill, module->GetFunction("fill"));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, context->Allocate(*stream, 4 * n));

  MemoryRange bytes = memory->bytes();
  LaunchArgument arguments[] = {LaunchArgument::OfAddress(bytes), LaunchArgument::Of(n)};
  LaunchShape shape = {.grid = {(n + 255) / 256, 1, 1}, .block = {256, 1, 1}};
  TFRT_RETURN_IF_ERROR(stream->Launch(*fill, shape, arguments).status());
  return context->staging().CopyToHost(stream, result->data(), bytes, {});
}

TEST(GuideTest, TheExampleRuns) {
  setenv("TFRT_GPU_DOUBLE", "mode=lazy,seed=1", /*overwrite=*/0);
  StatusOr<const cuda::Driver*> driver = cuda::Driver::Open(
      {.before_loader = {{TFRT_TEST_GPU_DOUBLE_DIR, "the test"}}, .loader = false});
  ASSERT_TRUE(driver.ok()) << driver.status().ToString();
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   CreateWorkQueue("s").value());
  auto& contexts = host.GetOrCreateSharedContext<GpuContexts>();
  ASSERT_TRUE(contexts.SetOptions({.driver = *driver}).ok());
  std::vector<uint32_t> result(1000);
  auto done = Fill(&host, std::string_view(kFill, sizeof(kFill)), 1000, &result);
  ASSERT_TRUE(done.ok()) << done.status().ToString();
  host.Quiesce();
  ASSERT_TRUE(done->IsConcrete());
  for (uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(result[i], i);
}

}  // namespace
}  // namespace tfrt::gpu
