// Programs for the vendors' libraries of Fourier transforms, solvers and collectives load; each of
// their kernels answers with its name.
#include <gtest/gtest.h>

#include <string>

#include "test/unit/kernels/kernel_runner.h"
#include "tfrt/gpu/kernels/gpu_kernels.h"

namespace tfrt::gpu {
namespace {

TEST(UnimplementedKernelsTest, EachAnswersWithItsName) {
  KernelRunner runner;
  KernelRegistry kernels;
  RegisterGpuKernels(&kernels);
  int num_called = 0, num_others = 0;
  for (std::string_view name : kernels.KernelNames()) {
    bool is_library = false;
    for (const char* library : {"ccl", "fft", "solver"}) {
      is_library = is_library || name.starts_with(StrCat("tfrt_gpu.", library, "."));
    }
    if (!is_library) {
      ++num_others;
      continue;
    }
    runner.host().kernel_registry().AddKernel(name,
                                              {kernels.FindKernel(name)->async_function, nullptr});
    // Whatever a program gives it and expects of it.
    for (size_t count : {0, 1, 3}) {
      Values results =
          runner.Run(name, {.arguments = Values(count, I32(1)),
                            .num_results = count + 1,
                            .attributes = std::vector<Bytes>(count, ScalarBytes<int64_t>(0))});
      for (const auto& result : results) {
        ASSERT_TRUE(result->IsError()) << name;
        EXPECT_EQ(result->GetError().ToString(),
                  StrCat("UNIMPLEMENTED: ", name, " is not implemented"));
      }
    }
    ++num_called;
  }
  EXPECT_EQ(num_called, 16);
  // Of 79 ops; tfrt_gpu.streamify has no kernel, and tfrt_gpu.get_entry_point is a kernel alone.
  EXPECT_EQ(num_others, 63);
}

}  // namespace
}  // namespace tfrt::gpu
