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

TEST_F(BlockSizesTest, TilesHaveOneSize) {
  const int64_t size = 64;
  const std::vector<float> in(size * size, 1);
  for (uint32_t threads : {64u, 128u, 255u, 256u}) {
    const Pointer out = runner_.Out<float>(size * size);
    const std::string transposed =
        Refusal("transpose_b32", threads, out, runner_.In(in), int64_t{1}, size, size);
    const std::string multiplied =
        Refusal("matmul_f32", threads, out, runner_.In(in), runner_.In(in), Pointer{}, int64_t{1},
                size, size, size, int64_t{0}, int64_t{0}, int32_t{0}, int32_t{0});
    if (threads == 256) {
      EXPECT_EQ(transposed, "");
      EXPECT_EQ(multiplied, "");
    } else {
      EXPECT_THAT(transposed, testing::HasSubstr(".reqntid asks for (256,1,1)")) << threads;
      EXPECT_THAT(multiplied, testing::HasSubstr(".reqntid asks for (256,1,1)")) << threads;
    }
  }
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

TEST_F(BlockSizesTest, RowsHaveWholeWarps) {
  const int64_t rows = 3, columns = 70;
  const std::vector<float> in(rows * columns, 1);
  for (uint32_t threads : {1u, 31u, 33u, 100u, 64u, 256u}) {
    const Pointer out = runner_.Out<float>(rows * columns);
    for (const std::string& refusal :
         {Refusal("sum_rows_f32", threads, out, runner_.In(in), rows, columns),
          Refusal("sum_columns_f32", threads, out, runner_.In(in), int64_t{1}, rows, columns),
          Refusal("softmax_f32", threads, out, runner_.In(in), rows, columns)}) {
      EXPECT_EQ(refusal.find("trap") != refusal.npos, threads % 32 != 0) << threads << refusal;
      EXPECT_EQ(refusal.empty(), threads % 32 == 0) << threads << refusal;
    }
  }
}

}  // namespace
}  // namespace tfrt::gpu
