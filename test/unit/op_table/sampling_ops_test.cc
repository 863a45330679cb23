// Shape functions of ops that sample images, compare slices, and put them into another order.

#include <gtest/gtest.h>

#include "inference_testing.h"

namespace tfrt {
namespace {

TEST(SamplingOpsTest, Slices) {
  EXPECT_EQ(Text("reverse_sequence", {F32({kLength, kBatch, 3}), I64({kBatch})}),
            "f32 [s1, s0, 3]");
  EXPECT_EQ(Text("reverse_sequence", {F32({4, 2}), I64({3})}),
            "reverse_sequence: sizes that must be equal are 3 and 2");
  EXPECT_EQ(Text("reverse_sequence", {F32({4, 2}), I64({2})}, {{"time_axis", int64_t{-1}}}),
            "reverse_sequence: axis 1 is that of the batch and of time");
  EXPECT_EQ(Text("unique", {F32({2, 3})}), "f32 [?], i64 [?], i64 [6], i64 [?]");
  EXPECT_EQ(Text("unique", {F32({kBatch, 3})}, {{"axes", Numbers{-2}}}),
            "f32 [?, 3], i64 [?], i64 [s0], i64 [?]");
  EXPECT_EQ(Text("unique", {F32({2, 3})}, {{"axes", Numbers{0, 1}}}),
            "unique: there are 2 axes, expected one");
  EXPECT_EQ(Text("compress", {F32({2, 3}), I1({3})}, {{"axes", Numbers{1}}}), "f32 [2, ?]");
  EXPECT_EQ(Text("compress", {F32({2, 3}), F32({3})}),
            "compress: the condition is f32, expected i1");
  // Numbers that are known are not passed on: the op would be taken away, and with it the check.
  EXPECT_EQ(Text("split_sizes", {Ints({1, 2}), Ints({4})}), "i64 [2]");
  EXPECT_EQ(Text("split_sizes", {F32({2}), Ints({4})}),
            "split_sizes: the sizes are f32, expected i64");
  EXPECT_EQ(Text("split_sizes", {Ints({1, 2}), Ints({4, 1})}),
            "split_sizes: the whole has 2 elements, expected one");
}

TEST(SamplingOpsTest, Matrices) {
  EXPECT_EQ(Text("eye_like", {F32({kBatch, 3})}, {{"dtype", DType::kI64}}), "i64 [s0, 3]");
  EXPECT_EQ(Text("eye_like", {F32({3})}, {{"dtype", DType::kI64}}),
            "eye_like: the input has the shape [3], expected rank 2");
  EXPECT_EQ(Text("bit_cast", {F32({kBatch})}, {{"dtype", DType::kUI32}}), "u32 [s0]");
  EXPECT_EQ(Text("bit_cast", {F32({2})}, {{"dtype", DType::kF16}}),
            "bit_cast: elements of f32 and f16 differ in size");
  EXPECT_EQ(Text("center_crop_pad", {F32({kBatch, 5, 6}), Ints({3, 8})}, {{"axes", Numbers{2, 1}}}),
            "f32 [s0, 8, 3]");
  EXPECT_EQ(Text("center_crop_pad", {F32({4, 5}), Ints({3})}),
            "center_crop_pad: there are 1 sizes for 2 dimensions");
}

TEST(SamplingOpsTest, Images) {
  EXPECT_EQ(Text("grid_sample", {F32({kBatch, 3, 4, 5}), F32({kBatch, 6, 7, 2})}),
            "f32 [s0, 3, 6, 7]");
  EXPECT_EQ(Text("grid_sample", {F32({1, 3, 4, 5}), F32({1, 6, 2})}),
            "grid_sample: the input has the shape [1, 3, 4, 5] and the grid [1, 6, 2], expected "
            "the same rank of 3 or more");
  EXPECT_EQ(Text("grid_sample", {F32({1, 3, 4, 5}), F32({1, 6, 7, 3})}),
            "grid_sample: sizes that must be equal are 3 and 2");
  EXPECT_EQ(Text("roi_align", {F32({1, 3, 8, 8}), F32({kBatch, 4}), I64({kBatch})},
                 {{"height", int64_t{2}}, {"width", int64_t{5}}}),
            "f32 [s0, 3, 2, 5]");
  EXPECT_EQ(Text("roi_align", {F32({1, 3, 8, 8}), F32({2, 4}), I64({2})}, {{"width", int64_t{0}}}),
            "roi_align: the height is 1 and the width 0");
  EXPECT_EQ(Text("add_blocks", {F32({kBatch, 12, 9}), Ints({5, 6}), Ints({2, 3})}),
            "f32 [s0, 2, 5, 6]");
  EXPECT_EQ(Text("add_blocks", {F32({1, 5, 9}), Ints({5, 6}), Ints({2, 3})}),
            "add_blocks: blocks of 6 elements do not divide 5");
}

TEST(SamplingOpsTest, NothingKnownIsNoError) {
  for (const char* op : {"reverse_sequence", "unique", "compress", "grid_sample", "roi_align",
                         "center_crop_pad", "add_blocks", "split_sizes"}) {
    std::vector<ValueType> arguments(FindOpDescription(op)->arguments.size());
    EXPECT_EQ(Text(op, arguments).find(op), std::string::npos) << op << ": " << Text(op, arguments);
  }
}

}  // namespace
}  // namespace tfrt
