// Shape functions of the ops that models have beside those of eager programs.

#include <gtest/gtest.h>

#include "inference_testing.h"

namespace tfrt {
namespace {

TEST(ModelOpsTest, Elementwise) {
  EXPECT_EQ(Text("abs", {F32({kBatch, 2})}), "f32 [s0, 2]");
  EXPECT_EQ(Text("pow", {F32({kBatch, 1}), I64({3})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("is_nan", {F32({2})}), "i1 [2]");
  EXPECT_EQ(Text("logical_and", {I1({2}), I1({2})}), "i1 [2]");
  EXPECT_EQ(Text("logical_not", {I1({kBatch})}), "i1 [s0]");
  EXPECT_EQ(Text("logical_or", {F32({2}), I1({2})}), "logical_or: an argument is f32, expected i1");
  EXPECT_EQ(Text("prelu", {F32({2, 3}), F32({3})}), "f32 [2, 3]");
  EXPECT_EQ(Text("prelu", {F32({3}), F32({2, 3})}),
            "prelu: shapes that must be equal are [2, 3] and [3]");
  EXPECT_EQ(Text("clip", {F32({2}), F32(kScalar)}), "f32 [2]");
  EXPECT_EQ(Text("clip", {F32({2}), F32({2})}), "clip: a bound has 2 elements, expected one");
  EXPECT_EQ(Text("clip", {F32({2}), Int(1)}), "clip: incompatible dtypes f32 and i64");
}

TEST(ModelOpsTest, SelectFollowsSizes) {
  EXPECT_EQ(Text("select", {I1({kBatch, 1}), F32({3}), F32(kScalar)}), "f32 [s0, 3]");
  EXPECT_EQ(Text("select", {F32({1}), F32({3}), F32({3})}),
            "select: the condition is f32, expected i1");
  ValueType condition{DType::kI1, {2}, {{1, 0}}};
  EXPECT_EQ(Text("select", {condition, Ints({kBatch, 2}), Ints({3, 4})}), "i64 [2] {s0, 4}");
}

TEST(ModelOpsTest, ComparisonsAndSlicesFollowSizes) {
  EXPECT_EQ(Text("equal", {Ints({-1, 3, kBatch, kBatch}), Ints({-1, 4, kBatch, -1})}),
            "i1 [4] {1, 0, 1, 0}");
  EXPECT_EQ(Text("equal", {Ints({kBatch, kUnknown}), Int(2)}), "i1 [2] {?, ?}");
  auto slice = [](Numbers begin, Numbers end, Numbers stride, int64_t mask = 0) {
    auto ints = [](const Numbers& numbers) {
      return Ints(std::vector<Dim>(numbers.begin(), numbers.end()));
    };
    return Text("strided_slice",
                {Ints({kBatch, 1, 2, kLength}), ints(begin), ints(end), ints(stride)},
                {{"begin_mask", mask}, {"end_mask", mask}});
  };
  EXPECT_EQ(slice({1}, {3}, {1}), "i64 [2] {1, 2}");
  EXPECT_EQ(slice({-1}, {INT64_MAX}, {1}), "i64 [1] {s1}");
  EXPECT_EQ(slice({5}, {-5}, {-2}), "i64 [2] {s1, 1}");
  EXPECT_EQ(slice({0}, {0}, {-1}, 1), "i64 [4] {s1, 2, 1, s0}");
  EXPECT_EQ(slice({1}, {4}, {INT64_MAX}), "i64 [1] {1}");
}

TEST(ModelOpsTest, Convolutions) {
  EXPECT_EQ(Text("conv", {F32({1, 3, 224, 224}), F32({64, 3, 7, 7})},
                 {{"strides", Numbers{2, 2}}, {"pads", Numbers{3, 3, 3, 3}}}),
            "f32 [1, 64, 112, 112]");
  EXPECT_EQ(Text("conv", {F32({kBatch, 4, kLength}), F32({8, 2, 3}), F32({8})},
                 {{"groups", int64_t{2}}, {"padding", std::string("same_upper")}}),
            "f32 [s0, 8, s1]");
  EXPECT_EQ(Text("conv", {F32({1, 9, 9, 4}), F32({3, 3, 4, 8})},
                 {{"channels_last", true}, {"dilations", Numbers{2, 2}}}),
            "f32 [1, 5, 5, 8]");
  EXPECT_EQ(Text("conv", {F32({1, 1, 5, 6, 7}), F32({2, 1, 1, 2, 3})}), "f32 [1, 2, 5, 5, 5]");
  EXPECT_EQ(Text("conv", {F32({1, 3, 5, 5}), F32({2, 4, 3, 3})}),
            "conv: the input has 3 channels, but the filter is for 1 groups of 4");
  EXPECT_EQ(Text("conv", {F32({1, 3, 2, 2}), F32({2, 3, 3, 3})}),
            "conv: no window fits the size 2 of spatial dimension 0");
  EXPECT_EQ(Text("conv", {F32({1, 3}), F32({2, 3})}),
            "conv: the input has the shape [1, 3], expected rank 3 or more");
  EXPECT_EQ(Text("conv", {F32({1, 3, 4, 4}), F32({2, 3, 1, 1})}, {{"strides", Numbers{1}}}),
            "conv: strides has 1 numbers, expected 2");
  EXPECT_EQ(Text("conv", {F32({1, 3, 4, 4}), F32({3, 1, 1, 1})}, {{"groups", int64_t{2}}}),
            "conv: 3 output channels are not in 2 groups");
}

TEST(ModelOpsTest, TransposedConvolutions) {
  EXPECT_EQ(Text("conv_transpose", {F32({1, 4, 3, 3}), F32({4, 2, 3, 3})},
                 {{"strides", Numbers{2, 2}}, {"output_padding", Numbers{1, 0}}}),
            "f32 [1, 2, 8, 7]");
  EXPECT_EQ(Text("conv_transpose", {F32({kBatch, 4, 3, kLength}), F32({4, 2, 3, 3})},
                 {{"groups", int64_t{2}},
                  {"padding", std::string("same_lower")},
                  {"strides", Numbers{2, 1}}}),
            "f32 [s0, 4, 6, s1]");
  // The bias has a number for each output channel, and the dtype of the others.
  EXPECT_EQ(Text("conv_transpose", {F32({1, 4, 3, 3}), F32({4, 2, 3, 3}), F32({1})}),
            "conv_transpose: sizes that must be equal are 2 and 1");
  EXPECT_EQ(Text("conv_transpose", {F32({1, 4, 3, 3}), F32({4, kLength, 3, 3}), F32({6})}),
            "f32 [1, 6, 5, 5]");
  EXPECT_EQ(Text("conv_transpose", {F32({1, 4, 3, 3}), F32({4, 2, 3, 3}), I64({2})}),
            "conv_transpose: incompatible dtypes f32 and i64");
}

TEST(ModelOpsTest, Pools) {
  Attrs attrs = {{"kernel", Numbers{2, 2}}, {"strides", Numbers{2, 2}}};
  EXPECT_EQ(Text("max_pool", {F32({1, 3, 5, 5})}, attrs), "f32 [1, 3, 2, 2]");
  attrs["ceil"] = true;
  EXPECT_EQ(Text("max_pool", {F32({1, 3, 5, 5})}, attrs), "f32 [1, 3, 3, 3]");
  // The third window would begin in the padding behind the image.
  attrs["pads"] = Numbers{0, 0, 1, 1};
  EXPECT_EQ(Text("average_pool", {F32({1, 3, 4, 4})}, attrs), "f32 [1, 3, 2, 2]");
  EXPECT_EQ(Text("max_pool_with_places", {F32({kBatch, 3, 4, 4})}, {{"kernel", Numbers{3, 3}}}),
            "f32 [s0, 3, 2, 2], i64 [s0, 3, 2, 2]");
  EXPECT_EQ(Text("lp_pool", {F32({1, 3, 4})}, {{"kernel", Numbers{2, 2}}}),
            "lp_pool: the input has the shape [1, 3, 4], expected rank 4");
}

TEST(ModelOpsTest, Places) {
  EXPECT_EQ(Text("broadcast_to", {F32({3}), Ints({kBatch, 1})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("broadcast_to", {F32({3}), I64({2})}), "f32 [?, 3]");
  EXPECT_EQ(Text("range", {Int(0), Int(kLength), Int(1)}), "i64 [s1]");
  EXPECT_EQ(Text("range", {Int(5), Int(0), Int(-2)}), "i64 [3] {5, 3, 1}");
  EXPECT_EQ(Text("range", {Int(0), Int(-1), Int(1)}), "i64 [0] {}");
  EXPECT_EQ(Text("range", {Int(INT64_MIN), Int(INT64_MAX), Int(INT64_MAX)}),
            "i64 [3] {-9223372036854775808, -1, 9223372036854775806}");
  EXPECT_EQ(Text("range", {Int(0), Int(2), Int(0)}), "range: the step is 0");
  EXPECT_EQ(Text("resize", {F32({1, 3, 2, 2}), Ints({1, 3, 4, kLength})}), "f32 [1, 3, 4, s1]");
  EXPECT_EQ(Text("resize", {F32({1, 3}), Ints({1, 3, 4})}),
            "resize: there are 3 sizes for the shape [1, 3]");
  EXPECT_EQ(Text("depth_to_space", {F32({kBatch, 8, 2, 3})}, {{"block", int64_t{2}}}),
            "f32 [s0, 2, 4, 6]");
  EXPECT_EQ(Text("space_to_depth", {F32({1, 2, 3, 4})}, {{"block", int64_t{2}}}),
            "space_to_depth: blocks of 2 do not divide the shape [1, 2, 3, 4]");
  EXPECT_EQ(Text("triangle", {F32({3}), Int(0)}),
            "triangle: the input has the shape [3], expected matrices");
}

TEST(ModelOpsTest, PaddingCuts) {
  ValueType paddings{DType::kI64, {2, 2}, {{-1, 0, 2, -1}}};
  EXPECT_EQ(Text("pad", {F32({kBatch, 4}), paddings}), "f32 [?, 5]");
  EXPECT_EQ(Text("extend", {F32({3, 4}), paddings}, {{"mode", std::string("edge")}}), "f32 [2, 5]");
  EXPECT_EQ(Text("pad", {F32({0, 4}), paddings}),
            "pad: a dimension of 0 cannot be padded by -1 and 0");
}

TEST(ModelOpsTest, SizesFromTheEnd) {
  EXPECT_EQ(Text("gather", {Ints({kBatch, 3, 4}), Ints({-1, 0}), Int(0)}), "i64 [2] {4, s0}");
  EXPECT_EQ(Text("gather", {Ints({kBatch, 3, 4}), Ints({-4}), Int(0)}),
            "gather: index -4 is out of range for i64 [3] {s0, 3, 4}");
}

TEST(ModelOpsTest, Choices) {
  EXPECT_EQ(Text("gather_elements", {F32({3, 4}), I64({2, 4})}, {{"axis", int64_t{0}}}),
            "f32 [2, 4]");
  EXPECT_EQ(Text("scatter_elements", {F32({3, 4}), I64({2, 4}), F32({2, 4})}), "f32 [3, 4]");
  EXPECT_EQ(Text("scatter_nd", {F32({3, 4, 5}), I64({2, 1}), F32({2, 4, 5})}), "f32 [3, 4, 5]");
  EXPECT_EQ(Text("scatter_nd", {F32({3, 4}), I64({2, 1}), F32({2, 3})}),
            "scatter_nd: shapes that must be equal are [2, 3] and [2, 4]");
  EXPECT_EQ(Text("top_k", {F32({kBatch, 10}), Int(3)}), "f32 [s0, 3], i64 [s0, 3]");
  EXPECT_EQ(Text("top_k", {F32({2, 10}), Int(11)}), "top_k: there are no 11 largest of [2, 10]");
  EXPECT_EQ(Text("nonzero", {F32({2, 3})}), "i64 [2, ?]");
  EXPECT_EQ(Text("non_max_suppression",
                 {F32({1, 6, 4}), F32({1, 2, 6}), Int(3), F32(kScalar), F32(kScalar)}),
            "i64 [?, 3]");
  EXPECT_EQ(Text("cumulative_sum", {F32({kBatch}), Int(0)}), "f32 [s0]");
  EXPECT_EQ(Text("sort", {F32({kBatch, 3})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("sort", {F32(kScalar)}), "sort: a tensor of rank 0 has no axis");
  EXPECT_EQ(Text("argsort", {F32({kBatch, 3})}, {{"axis", int64_t{0}}}), "i64 [s0, 3]");
  EXPECT_EQ(Text("argsort", {F32({3})}, {{"dtype", DType::kF32}}),
            "argsort: no places of f32, only i32 and i64");
  EXPECT_EQ(Text("search_sorted", {F32({kBatch}), F32({2, 3})}), "i64 [2, 3]");
  EXPECT_EQ(Text("search_sorted", {F32({2, 2}), F32({2, 3})}),
            "search_sorted: what is sorted has the shape [2, 2], expected rank 1");
}

// Whatever little is known of the arguments: an op says nothing that is wrong, and does not fail.
TEST(ModelOpsTest, NothingKnownIsNoError) {
  for (const char* op :
       {"abs", "pow", "select", "clip", "conv", "conv_transpose", "broadcast_to", "resize",
        "scatter_nd", "nonzero", "triangle", "sort", "argsort", "search_sorted"}) {
    std::vector<ValueType> arguments(FindOpDescription(op)->arguments.size());
    EXPECT_EQ(Text(op, arguments).find(op), std::string::npos) << op << ": " << Text(op, arguments);
  }
}

}  // namespace
}  // namespace tfrt
