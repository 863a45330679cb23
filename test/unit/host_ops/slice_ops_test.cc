// tf.Slice, tf.StridedSlice, tf.GatherV2 and tf.GatherNd beyond NumPy's cases.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "test/unit/host_ops/host_op_runner.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

TEST(SliceOpsTest, SlicesAndGathersInBlocks) {
  HostOpRunner runner("mstd:2");
  constexpr int64_t kRows = 600, kColumns = 500;
  std::vector<float> elements(kRows * kColumns);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i);
  TensorHandle matrix = runner.Dense<float>({kRows, kColumns}, elements);
  TensorHandle box =
      runner.Run1("tf.StridedSlice",
                  {matrix, runner.Ints({-1, 499}), runner.Ints({-601, 0}), runner.Ints({-1, -2})});
  ASSERT_EQ(DenseOf(box).shape(), (TensorShape{kRows, 250}));
  auto* data = static_cast<const float*>(DenseOf(box).data());
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t column = 0; column < 250; ++column) {
      ASSERT_EQ(data[row * 250 + column], elements[(599 - row) * kColumns + 499 - 2 * column]);
    }
  }
  std::vector<int32_t> rows(5000);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int32_t>(i * 7 % kRows);
  TensorHandle slices =
      runner.Run1("tf.GatherNd", {matrix, runner.Dense<int32_t>({5000, 1}, rows)});
  ASSERT_EQ(DenseOf(slices).shape(), (TensorShape{5000, kColumns}));
  data = static_cast<const float*>(DenseOf(slices).data());
  for (int64_t i = 0; i < 5000 * kColumns; ++i) {
    ASSERT_EQ(data[i], elements[rows[i / kColumns] * kColumns + i % kColumns]);
  }
}

// Numbers that would lead outside of the tensor, were they believed.
TEST(SliceOpsTest, HostileIndices) {
  HostOpRunner runner;
  constexpr int64_t kLeast = INT64_MIN, kMost = INT64_MAX;
  for (int64_t index : {kLeast, int64_t{-5}, int64_t{4}, int64_t{1} << 32, kMost}) {
    TensorHandle indices = runner.Dense<int64_t>({1, 1}, {index});
    EXPECT_EQ(runner.Error("tf.GatherV2", {runner.Floats({4}), indices, runner.Ints({0})}),
              StrCat("tf.GatherV2: index ", index, " is out of range for axis 0 of the shape [4]"));
    EXPECT_EQ(runner.Error("tf.GatherNd", {runner.Floats({4}), indices}),
              StrCat("tf.GatherNd: row 0 of the indices, [", index, "], is not in the shape [4]"));
    EXPECT_THAT(runner.Error("tf.Slice", {runner.Floats({4}), runner.Dense<int64_t>({1}, {1}),
                                          runner.Dense<int64_t>({1}, {index == -5 ? 9 : index})}),
                testing::EndsWith("from 1 lies in dimension 0 of [4]"));
  }
  // Both bounds of a strided slice stop at the ends, whatever they are.
  const std::vector<int64_t> numbers = {kLeast, kLeast + 1, -5, -4,        -1,   0,
                                        3,      4,          5,  kMost - 1, kMost};
  TensorHandle four = runner.Dense<float>({4}, {0, 1, 2, 3});
  for (int64_t begin : numbers) {
    for (int64_t end : numbers) {
      for (int64_t stride : numbers) {
        if (stride == 0) continue;
        TensorHandle box =
            runner.Run1("tf.StridedSlice",
                        {four, runner.Dense<int64_t>({1}, {begin}),
                         runner.Dense<int64_t>({1}, {end}), runner.Dense<int64_t>({1}, {stride})});
        ASSERT_FALSE(box.IsError());
        // As Python does.
        auto clamp = [&](int64_t n) {
          const int64_t from_begin = n < 0 ? n + 4 : n;
          return std::clamp<int64_t>(from_begin, stride > 0 ? 0 : -1, stride > 0 ? 4 : 3);
        };
        std::vector<float> expected;
        for (__int128 i = clamp(begin); stride > 0 ? i < clamp(end) : i > clamp(end); i += stride) {
          expected.push_back(static_cast<float>(i));
        }
        auto* data = static_cast<const float*>(DenseOf(box).data());
        EXPECT_EQ(std::vector<float>(data, data + DenseOf(box).num_elements()), expected)
            << begin << ":" << end << ":" << stride;
      }
    }
  }
}

// Shapes of many rows and no elements cost no time.
TEST(SliceOpsTest, ManyEmptyRows) {
  HostOpRunner runner;
  constexpr int64_t kMany = int64_t{1} << 60;
  TensorHandle none =
      runner.Run1("tf.GatherNd", {runner.Floats({0}), runner.Zeros(DType::kI64, {kMany, 0})});
  EXPECT_EQ(DenseOf(none).shape(), (TensorShape{kMany, 0}));
  TensorHandle box = runner.Run1("tf.StridedSlice", {runner.Floats({kMany, 0}), runner.Ints({1}),
                                                     runner.Ints({-1}), runner.Ints({2})});
  EXPECT_EQ(DenseOf(box).shape(), (TensorShape{kMany / 2 - 1, 0}));
}

TEST(SliceOpsTest, Errors) {
  HostOpRunner runner;
  auto error = [&](TensorShape in, std::vector<int32_t> begin, std::vector<int32_t> end,
                   std::vector<int32_t> strides, const char* mask = nullptr, int64_t bits = 0) {
    OpAttrs attrs;
    if (mask) attrs.Set(mask, bits);
    return runner.Error(
        "tf.StridedSlice",
        {runner.Floats(in), runner.Ints(begin), runner.Ints(end), runner.Ints(strides)}, attrs);
  };
  EXPECT_EQ(error({4}, {0, 0}, {1}, {1, 1}),
            "tf.StridedSlice: sizes that must be equal are 2 and 1");
  const std::vector<int32_t> many(33, 1);
  EXPECT_EQ(error({4}, many, many, many, "new_axis_mask", -1),
            "tf.StridedSlice: 33 entries with 0 ellipses do not fit rank 1");
  EXPECT_EQ(error({4}, {0, 0}, {1, 1}, {1, 1}, "ellipsis_mask", 3),
            "tf.StridedSlice: 2 entries with 2 ellipses do not fit rank 1");
  EXPECT_EQ(error({4}, {0, 0}, {1, 1}, {1, 1}),
            "tf.StridedSlice: 2 entries with 0 ellipses do not fit rank 1");
  EXPECT_EQ(error({4, 4}, {0, 0}, {1, 1}, {1, 0}), "tf.StridedSlice: a stride is 0");
  EXPECT_EQ(error({4}, {0}, {1}, {-1}, "shrink_axis_mask", 1),
            "strided_slice: the stride of dimension 0, which is shrunk, is -1, expected 1 or more");
  for (int32_t index : {4, -5, INT32_MIN}) {
    EXPECT_EQ(error({4}, {index}, {1}, {1}, "shrink_axis_mask", 1),
              StrCat("strided_slice: index ", index,
                     " is out of range for dimension 0 of the shape [4]"));
  }
  EXPECT_EQ(runner.Error("tf.StridedSlice", {runner.Floats({4}), runner.Ints({1}),
                                             runner.Floats({1}), runner.Ints({1})}),
            "tf.StridedSlice: end is a tensor of f32, expected i32 or i64");
}

}  // namespace
}  // namespace tfrt
