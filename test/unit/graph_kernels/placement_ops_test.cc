// Graph ops that scatter, choose and resize, beyond NumPy's cases.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph_op_runner.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

TEST(PlacementGraphOpsTest, IndicesOutsideAreErrors) {
  GraphOpRunner runner;
  for (int64_t index : {INT64_MIN, int64_t{-5}, int64_t{4}, int64_t{1} << 32, INT64_MAX}) {
    TensorHandle indices = runner.Dense<int64_t>({1, 1}, {index});
    EXPECT_EQ(runner.Error("graph.scatter_elements",
                           {runner.Floats({4, 1}), indices, runner.Floats({1, 1})}),
              StrCat("graph.scatter_elements: index ", index,
                     " is out of range for axis 0 of the shape [4, 1]"));
    EXPECT_EQ(
        runner.Error("graph.scatter_nd", {runner.Floats({4}), indices, runner.Floats({1})}),
        StrCat("graph.scatter_nd: row 0 of the indices, [", index, "], is not in the shape [4]"));
  }
  EXPECT_EQ(runner.Error(
                "graph.scatter_elements",
                {runner.Floats({2, 2}), runner.Zeros(DType::kI64, {2, 3}), runner.Floats({2, 3})}),
            "graph.scatter_elements: indices of the shape [2, 3] are outside of the shape [2, 2] "
            "in dimension 1");
}

// What nobody else holds is written where it is.
TEST(PlacementGraphOpsTest, ScattersInPlace) {
  GraphOpRunner runner;
  TensorHandle in = runner.Dense<float>({3}, {1, 2, 3});
  const void* memory = DenseOf(in).data();
  Handles arguments = {std::move(in), I64s(runner, {-1}), runner.Dense<float>({1}, {9})};
  TensorHandle out = runner.Run("graph.scatter_elements", std::move(arguments))[0];
  EXPECT_EQ(DenseOf(out).data(), memory);
  EXPECT_EQ(out.tensor()->ToString(),
            "DenseHostTensor dtype = f32, shape = [3], values = [1.000000e+00, 2.000000e+00, "
            "9.000000e+00]");
}

TEST(PlacementGraphOpsTest, Reductions) {
  GraphOpRunner runner;
  TensorHandle one = I64s(runner, {0});
  EXPECT_EQ(runner.Error("graph.scatter_elements", {runner.Floats({1}), one, runner.Floats({1})},
                         Mode("reduction", "mean")),
            "graph.scatter_elements: unknown reduction 'mean'");
  TensorHandle complex = runner.Zeros(DType::kComplex64, {1});
  EXPECT_EQ(
      runner.Error("graph.scatter_elements", {complex, one, complex}, Mode("reduction", "max")),
      "graph.scatter_elements: elements of complex64 have no reduction 'max'");
}

// Rows of several blocks, by two threads.
TEST(PlacementGraphOpsTest, LargestOfManyRows) {
  GraphOpRunner runner("mstd:2");
  constexpr int64_t kRows = 700, kColumns = 300;
  std::vector<float> elements(kRows * kColumns);
  for (size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<float>(i * 7919 % 1000);
  }
  TensorHandle matrix = runner.Dense<float>({kRows, kColumns}, elements);
  Handles results = runner.Run("graph.top_k", {matrix, I64(runner, 3)}, {}, 2);
  ASSERT_FALSE(results[0].IsError()) << results[0].ToString();
  auto* values = static_cast<const float*>(DenseOf(results[0]).data());
  auto* places = static_cast<const int64_t*>(DenseOf(results[1]).data());
  for (int64_t row = 0; row < kRows; ++row) {
    const float* begin = elements.data() + row * kColumns;
    std::vector<float> sorted(begin, begin + kColumns);
    std::sort(sorted.rbegin(), sorted.rend());
    for (int64_t i = 0; i < 3; ++i) {
      ASSERT_EQ(values[row * 3 + i], sorted[static_cast<size_t>(i)]);
      ASSERT_EQ(begin[places[row * 3 + i]], values[row * 3 + i]);
    }
  }
}

TEST(PlacementGraphOpsTest, ResizesInBlocks) {
  GraphOpRunner runner("mstd:2");
  constexpr int64_t kSize = 300;
  std::vector<float> elements(kSize * kSize);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i % kSize);
  TensorHandle in = runner.Dense<float>({kSize, kSize}, elements);
  for (const char* mode : {"nearest", "linear"}) {
    TensorHandle out =
        runner.Run1("graph.resize", {in, I64s(runner, {2 * kSize, 2 * kSize})}, Mode("mode", mode));
    ASSERT_FALSE(out.IsError()) << out.ToString();
    auto* data = static_cast<const float*>(DenseOf(out).data());
    for (int64_t i = 0; i < 4 * kSize * kSize; ++i) {
      const auto x = static_cast<float>(i % (2 * kSize));
      const float place = std::clamp((x + 0.5f) / 2 - 0.5f, 0.0f, kSize - 1.0f);
      ASSERT_EQ(data[i], mode[0] == 'l' ? place : static_cast<float>(i % (2 * kSize) / 2)) << i;
    }
  }
}

// Places that are not numbers are outside, whatever is computed of them.
TEST(PlacementGraphOpsTest, ScalesThatAreAlmostZero) {
  GraphOpRunner runner;
  TensorHandle in = runner.Dense<float>({2}, {1, 2});
  for (const char* mode : {"nearest", "linear", "cubic"}) {
    for (const char* coordinates : {"half_pixel", "half_pixel_symmetric", "align_corners"}) {
      Mode attrs("mode", mode);
      attrs.SetString("coordinates", coordinates);
      TensorHandle scale = runner.Dense<float>({1}, {std::numeric_limits<float>::denorm_min()});
      TensorHandle out = runner.Run1("graph.resize", {in, I64s(runner, {3}), scale}, attrs);
      ASSERT_FALSE(out.IsError()) << out.ToString();
      auto* data = static_cast<const float*>(DenseOf(out).data());
      for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(data[i] == 1 || data[i] == 2) << mode << " " << coordinates << " " << data[i];
      }
    }
  }
}

// Factors that are integers, of elements and units of all sizes.
TEST(PlacementGraphOpsTest, RepeatedPositions) {
  GraphOpRunner runner;
  for (int64_t factor : {2, 3, 4, 5}) {
    for (int64_t unit : {1, 2, 3}) {
      for (DType dtype : {DType::kI8, DType::kF16, DType::kF32, DType::kF64, DType::kComplex128}) {
        const size_t unit_bytes = DTypeSize(dtype) * static_cast<size_t>(unit);
        DenseHostTensor in = runner.Uninitialized({dtype, {2, 7, unit}});
        auto* bytes = static_cast<uint8_t*>(*in.MutableData());
        for (size_t i = 0; i < in.size_bytes(); ++i) bytes[i] = static_cast<uint8_t>(i * 31);
        const std::vector<uint8_t> before(bytes, bytes + in.size_bytes());
        TensorHandle out = runner.Run1(
            "graph.resize",
            {runner.Handle(std::move(in)), I64s(runner, {2 * factor, 7 * factor, unit})});
        ASSERT_FALSE(out.IsError()) << out.ToString();
        auto* data = static_cast<const uint8_t*>(DenseOf(out).data());
        for (size_t i = 0; i < DenseOf(out).size_bytes(); ++i) {
          const size_t at = i / unit_bytes, times = static_cast<size_t>(factor);
          const size_t from = at / (7 * times) / times * 7 + at % (7 * times) / times;
          ASSERT_EQ(data[i], before[from * unit_bytes + i % unit_bytes]) << i;
        }
      }
    }
  }
}

TEST(PlacementGraphOpsTest, Errors) {
  GraphOpRunner runner;
  TensorHandle in = runner.Floats({2, 2});
  TensorHandle sizes = I64s(runner, {3, 3});
  EXPECT_EQ(runner.Error("graph.resize", {in, sizes}, Mode("mode", "area")),
            "graph.resize: unknown mode 'area'");
  EXPECT_EQ(runner.Error("graph.resize", {in, sizes}, Mode("coordinates", "corner")),
            "graph.resize: unknown coordinates 'corner'");
  EXPECT_EQ(runner.Error("graph.resize", {in, sizes}, Mode("nearest", "up")),
            "graph.resize: unknown rounding 'up'");
  EXPECT_EQ(runner.Error("graph.resize", {in, sizes, runner.Floats({3})}),
            "graph.resize: the scale is f32 [3], expected 2 f32");
  EXPECT_EQ(runner.Error("graph.resize", {in, sizes, runner.Floats({2})}),
            "graph.resize: scale 0 is not above 0");
  EXPECT_EQ(runner.Error("graph.resize",
                         {in, sizes, runner.Dense<float>({2}, {1.5f, 1.5f}), runner.Floats({2})}),
            "graph.resize: the box is f32 [2], expected 4 f32");
  EXPECT_EQ(runner.Error("graph.resize", {runner.Floats({0, 2}), sizes}),
            "graph.resize: nothing of the shape [0, 2] can become [3, 3]");
  EXPECT_EQ(runner.Error("graph.resize", {runner.Zeros(DType::kComplex64, {2, 2}), sizes},
                         Mode("mode", "cubic")),
            "graph.resize: a tensor of complex64 can only be resized to the nearest");
  EXPECT_EQ(runner.Error("graph.top_k", {runner.Zeros(DType::kI1, {3}), I64(runner, 1)}, {}, 2),
            "graph.top_k does not take tensors of i1");
  EXPECT_EQ(runner.Error("graph.top_k", {runner.Floats({3}), I64(runner, 4)}, {}, 2),
            "top_k: there are no 4 largest of [3]");
  TensorHandle f64 = runner.Zeros(DType::kF64, {});
  EXPECT_EQ(
      runner.Error("graph.non_max_suppression", {runner.Floats({1, 2, 4}), runner.Floats({1, 1, 2}),
                                                 I64(runner, 1), f64, runner.Floats({})}),
      "graph.non_max_suppression: the iou_threshold is f64 [], expected one f32");
  EXPECT_EQ(runner.Error("graph.non_max_suppression",
                         {runner.Floats({1, 2, 4}), runner.Zeros(DType::kF64, {1, 1, 2}),
                          I64(runner, 1), runner.Floats({}), runner.Floats({})}),
            "scores is a tensor of f64, expected f32");
}

}  // namespace
}  // namespace tfrt
