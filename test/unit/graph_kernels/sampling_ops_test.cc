// Graph ops that sample images and compare slices, beyond NumPy's cases.

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph_op_runner.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

TEST(SamplingGraphOpsTest, BytesAreNotCopied) {
  GraphOpRunner runner;
  TensorHandle in = runner.Dense<float>({2}, {1, -2});
  OpAttrs attrs;
  attrs.SetType("dtype", DType::kUI32);
  TensorHandle out = runner.Run1("graph.bit_cast", {in}, attrs);
  EXPECT_EQ(DenseOf(out).data(), DenseOf(in).data());
  EXPECT_EQ(out.tensor()->ToString(),
            "DenseHostTensor dtype = u32, shape = [2], values = [1065353216, 3221225472]");
  OpAttrs to_i1;
  to_i1.SetType("dtype", DType::kI1);
  EXPECT_EQ(runner.Error("graph.bit_cast", {runner.Zeros(DType::kI8, {1})}, to_i1),
            "graph.bit_cast: bytes of i8 are not always those of i1");
}

// Places that are nowhere, however far, are zeros or the border.
TEST(SamplingGraphOpsTest, GridsOutside) {
  GraphOpRunner runner;
  TensorHandle image = runner.Dense<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const float most = std::numeric_limits<float>::max(), infinity = INFINITY;
  for (const char* mode : {"nearest", "linear", "cubic"}) {
    for (const char* padding : {"zeros", "border", "reflection"}) {
      Mode attrs("mode", mode);
      attrs.SetString("padding", padding);
      TensorHandle grid = runner.Dense<float>(
          {1, 1, 6, 2},
          {most, most, -most, most, infinity, -infinity, NAN, NAN, 1e10f, 1e20f, 3, 3});
      TensorHandle out = runner.Run1("graph.grid_sample", {image, grid}, attrs);
      ASSERT_FALSE(out.IsError()) << out.ToString();
      auto* data = static_cast<const float*>(DenseOf(out).data());
      for (int i = 0; i < 6; ++i) {
        EXPECT_TRUE(std::isfinite(data[i])) << mode << " " << padding;
        if (padding[0] == 'z') EXPECT_EQ(data[i], 0) << mode;
        if (padding[0] == 'b' && i == 0) EXPECT_FLOAT_EQ(data[i], 4) << mode;
      }
    }
  }
}

TEST(SamplingGraphOpsTest, ManyPointsInBlocks) {
  GraphOpRunner runner("mstd:2");
  constexpr int64_t kPoints = 20000;
  TensorHandle image = runner.Dense<float>({1, 1, 1, 3}, {0, 1, 2});
  std::vector<float> grid(2 * kPoints, 0);
  for (int64_t i = 0; i < kPoints; ++i) {
    grid[static_cast<size_t>(2 * i)] = static_cast<float>(i % 3) - 1;
  }
  OpAttrs attrs;
  attrs.Set<bool>("align_corners", true);
  TensorHandle out = runner.Run1("graph.grid_sample",
                                 {image, runner.Dense<float>({1, kPoints, 1, 2}, grid)}, attrs);
  ASSERT_FALSE(out.IsError()) << out.ToString();
  auto* data = static_cast<const float*>(DenseOf(out).data());
  for (int64_t i = 0; i < kPoints; ++i) ASSERT_EQ(data[i], static_cast<float>(i % 3));
}

TEST(SamplingGraphOpsTest, Errors) {
  GraphOpRunner runner;
  TensorHandle image = runner.Floats({1, 1, 4, 4});
  TensorHandle grid = runner.Floats({1, 1, 1, 2});
  EXPECT_EQ(runner.Error("graph.grid_sample", {image, grid}, Mode("mode", "area")),
            "graph.grid_sample: unknown mode 'area'");
  EXPECT_EQ(runner.Error("graph.grid_sample", {image, grid}, Mode("padding", "wrap")),
            "graph.grid_sample: unknown padding 'wrap'");
  EXPECT_EQ(runner.Error("graph.grid_sample", {runner.Floats({1, 1, 0, 4}), grid}),
            "graph.grid_sample: there is nothing to sample in the shape [1, 1, 0, 4]");
  EXPECT_EQ(runner.Error("graph.grid_sample", {runner.Zeros(DType::kI32, {1, 1, 4, 4}),
                                               runner.Zeros(DType::kI32, {1, 1, 1, 2})}),
            "graph.grid_sample takes tensors of f32 and f64, but there is one of i32");
  TensorHandle region = runner.Floats({1, 4});
  EXPECT_EQ(runner.Error("graph.roi_align", {image, region, I64s(runner, {1})}),
            "graph.roi_align: region 0 is of image 1, but there are 1");
  EXPECT_EQ(runner.Error("graph.roi_align", {image, region, I64s(runner, {INT64_MIN})}),
            StrCat("graph.roi_align: region 0 is of image ", INT64_MIN, ", but there are 1"));
  for (float size : {1e30f, INFINITY, NAN}) {
    TensorHandle large = runner.Dense<float>({1, 4}, {0, 0, size, size});
    EXPECT_EQ(runner.Error("graph.roi_align", {image, large, I64s(runner, {0})}),
              "graph.roi_align: region 0 is too large");
  }
  EXPECT_EQ(
      runner.Error("graph.roi_align", {image, region, I64s(runner, {0})}, Mode("mode", "min")),
      "graph.roi_align: unknown mode 'min'");
  EXPECT_EQ(runner.Error("graph.reverse_sequence", {runner.Floats({2, 1}), I64s(runner, {3})}),
            "graph.reverse_sequence: length 0 is 3, expected 0 to 2");
  EXPECT_EQ(runner.Error("graph.compress",
                         {runner.Floats({2}), runner.Dense<bool>({3}, {true, true, true})}),
            "graph.compress: the condition is true at 2, but there are 2");
  auto split = [&](std::vector<int64_t> sizes, int64_t whole) {
    return runner.Error("graph.split_sizes", {I64s(runner, sizes), I64s(runner, {whole})});
  };
  EXPECT_EQ(split({2, 3}, 6), "graph.split_sizes: the sizes add up to 5, but the dimension has 6");
  EXPECT_EQ(split({7, -1}, 6), "graph.split_sizes: size 1 is -1");
  EXPECT_EQ(split({INT64_MAX, 1}, 6), "graph.split_sizes: size 1 is 1");
  EXPECT_EQ(runner.Error("graph.unique", {runner.Zeros(DType::kComplex64, {2})}, {}, 4),
            "graph.unique does not take tensors of complex64");
  EXPECT_EQ(runner.Error("graph.add_blocks",
                         {runner.Floats({1, 4, 5}), I64s(runner, {3, 3}), I64s(runner, {2, 2})}),
            "graph.add_blocks: there are 5 blocks, expected 4");
  EXPECT_EQ(runner.Error("graph.add_blocks",
                         {runner.Floats({1, 4, 5}), I64s(runner, {1, 3}), I64s(runner, {2, 2})}),
            "graph.add_blocks: no block of 2 fits dimension 0 of 1");
}

}  // namespace
}  // namespace tfrt
