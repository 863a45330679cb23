// Shape functions of normalisation, quantisation and further reductions.

#include <gtest/gtest.h>

#include "inference_testing.h"

namespace tfrt {
namespace {

TEST(NormalizationOpsTest, ChannelsAreWhereTheySay) {
  EXPECT_EQ(Text("instance_norm", {F32({kBatch, kUnknown, 4}), F32({3}), F32({3})}),
            "f32 [s0, 3, 4]");
  EXPECT_EQ(Text("instance_norm", {F32({2, 4, 3}), F32({3}), F32({3})}, {{"channels_last", true}}),
            "f32 [2, 4, 3]");
  EXPECT_EQ(Text("instance_norm", {F32({2, 4, 3}), F32({3}), F32({3})}),
            "instance_norm: sizes that must be equal are 4 and 3");
  EXPECT_EQ(Text("instance_norm", {F32({2}), F32({2}), F32({2})}),
            "instance_norm: the input has the shape [2], which has no channels");
  EXPECT_EQ(Text("group_norm", {F32({2, 6, 5}), F32({6}), F32({6})}, {{"groups", int64_t{4}}}),
            "group_norm: 6 channels are not in 4 groups");
  EXPECT_EQ(Text("group_norm", {F32({2, 6, 5}), F32({6}), F32({6})}, {{"groups", int64_t{0}}}),
            "group_norm: there are 0 groups");
  EXPECT_EQ(Text("rms_norm", {F32({kBatch, kUnknown}), F32({3})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("lrn", {F32({kBatch, 3})}, {{"size", int64_t{3}}}), "f32 [s0, 3]");
  EXPECT_EQ(Text("hardmax", {F32({kBatch, 3})}), "f32 [s0, 3]");
}

TEST(NormalizationOpsTest, ScalesFitWhatTheyScale) {
  const ValueType zero{DType::kI8, {3}};
  EXPECT_EQ(Text("quantize", {F32({kBatch, 3}), F32({3}), zero}), "i8 [s0, 3]");
  EXPECT_EQ(Text("quantize", {F32({kBatch, 3}), F32(kScalar)}), "u8 [s0, 3]");
  EXPECT_EQ(Text("quantize", {F32({2, 4}), F32({3}), zero}),
            "quantize: sizes that must be equal are 4 and 3");
  EXPECT_EQ(Text("quantize", {F32({2, 4}), F32({2, 2})}, {{"block", int64_t{2}}}), "u8 [2, 4]");
  EXPECT_EQ(Text("quantize", {F32({2, 4}), F32({2, 2})}),
            "quantize: the scale has the shape [2, 2], expected rank 0 or 1");
  EXPECT_EQ(Text("dequantize", {{DType::kI8, {2, 3}}, F32({3}), zero}), "f32 [2, 3]");
  EXPECT_EQ(Text("dynamic_quantize", {F32({kBatch})}), "u8 [s0], f32 [], u8 []");
}

TEST(NormalizationOpsTest, Reductions) {
  for (const char* op : {"reduce_prod", "reduce_l1", "reduce_log_sum_exp"}) {
    EXPECT_EQ(Text(op, {F32({kBatch, 3}), Ints({1})}), "f32 [s0]");
  }
  EXPECT_EQ(Text("argmin", {F32({kBatch, 3}), Int(-1)}), "i64 [s0]");
}

}  // namespace
}  // namespace tfrt
