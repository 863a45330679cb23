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
  const int64_t one = 1, none = 0;
  for (uint32_t threads : {32u, 64u, 255u, 256u}) {
    const Pointer out = runner_.Out<float>(size * size), x = runner_.In(in);
    auto multiply = [&](const std::string& kernel, int64_t m) {
      return Refusal(kernel, threads, out, x, x, Pointer{}, one, m, size, size, none, none,
                     int32_t{0}, int32_t{0}, one);
    };
    struct Case {
      std::string refusal;
      uint32_t threads;
    };
    for (const Case& each :
         {Case{Refusal("transpose_b32", threads, out, x, one, size, size), 256},
          Case{Refusal("sum_f32", threads, out, x, size, size, one, one), 256},
          Case{Refusal("softmax_f32", threads, out, x, size, size), 256},
          Case{multiply("matmul_few_rows_f32", 3), 256}, Case{multiply("matmul_f32", size), 64}}) {
      if (threads == each.threads) {
        EXPECT_EQ(each.refusal, "");
      } else {
        EXPECT_THAT(each.refusal, testing::HasSubstr(".reqntid asks for (" +
                                                     std::to_string(each.threads) + ",1,1)"))
            << threads;
      }
    }
  }
  // A program that launches the kernel of few rows for many gets no wrong result.
  EXPECT_THAT(Refusal("matmul_few_rows_f32", 256, runner_.Out<float>(9 * size), runner_.In(in),
                      runner_.In(in), Pointer{}, one, int64_t{9}, size, size, none, none,
                      int32_t{0}, int32_t{0}, one),
              testing::HasSubstr("trap"));
}

TEST_F(BlockSizesTest, FixedBlocksHaveOneSize) {
  const std::vector<float> in(64, 1);
  const int64_t size = 64, one = 1, none = 0;
  for (uint32_t threads : {32u, 255u, 256u}) {
    const Pointer out = runner_.Out<float>(64);
    const std::string copied = Refusal("copy_b32", threads, out, runner_.In(in), one, one, one,
                                       size, none, none, none, one, none, none, none, one);
    if (threads == 256) {
      EXPECT_EQ(copied, "");
    } else {
      EXPECT_THAT(copied, testing::HasSubstr(".reqntid asks for (256,1,1)")) << threads;
    }
  }
}

}  // namespace
}  // namespace tfrt::gpu
