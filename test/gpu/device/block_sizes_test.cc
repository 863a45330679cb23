// Blocks that a kernel cannot run with are refused: the result would be wrong. Not for a GPU, where
// some of them end the process's use of it.

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"

namespace tfrt::gpu {
namespace {

class BlockSizesTest : public KernelTest {
 protected:
  // What goes wrong in a launch with so many threads; nothing if it is right.
  template <typename... Args>
  std::string Refusal(const std::string& kernel, uint32_t threads, Args... args) {
    testing::TestPartResultArray failures;
    {
      testing::ScopedFakeTestPartResultReporter reporter(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
      runner_.Run(kernel, {1, threads}, args...);
    }
    std::string text;
    for (int i = 0; i < failures.size(); ++i) text += failures.GetTestPartResult(i).message();
    return text;
  }
};

TEST_F(BlockSizesTest, TilesAndRowsHaveOneSize) {
  const int64_t size = 64;
  const std::vector<float> in(size * size, 1);
  for (uint32_t threads : {32u, 64u, 255u, 256u}) {
    const Pointer out = runner_.Out<float>(size * size);
    for (const std::string& refusal :
         {Refusal("transpose_b32", threads, out, runner_.In(in), int64_t{1}, size, size),
          Refusal("matmul_f32", threads, out, runner_.In(in), runner_.In(in), Pointer{}, int64_t{1},
                  size, size, size, int64_t{0}, int64_t{0}, int32_t{0}, int32_t{0}),
          Refusal("sum_f32", threads, out, runner_.In(in), size, size, int64_t{1}, int64_t{1}),
          Refusal("softmax_f32", threads, out, runner_.In(in), size, size)}) {
      if (threads == 256) {
        EXPECT_EQ(refusal, "");
      } else {
        EXPECT_THAT(refusal, testing::HasSubstr(".reqntid asks for (256,1,1)")) << threads;
      }
    }
  }
}

}  // namespace
}  // namespace tfrt::gpu
