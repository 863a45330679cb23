// Shape functions of tensors as lists of rows, and of sums that undo broadcasts.

#include <gtest/gtest.h>

#include "inference_testing.h"

namespace tfrt {
namespace {

TEST(ListOpsTest, ListWrite) {
  EXPECT_EQ(Text("list_write", {F32({3, 2}), Int(1), F32({2})}), "f32 [3, 2]");
  EXPECT_EQ(Text("list_write", {F32({3, 2}), Int(5), F32({2})}), "f32 [6, 2]");
  EXPECT_EQ(Text("list_write", {F32({3, kUnknown}), I64(kScalar), F32({2})}), "f32 [?, 2]");
  EXPECT_EQ(Text("list_write", {F32({kBatch, 2}), Int(0), F32(kScalar)}),
            "list_write: the list is f32 [s0, 2], but the value is f32 []");
  EXPECT_EQ(Text("list_write", {F32({3, 2}), Int(0), I64({2})}),
            "list_write: the list is f32 [3, 2], but the value is i64 [2]");
  EXPECT_EQ(Text("list_write", {F32({3, 2}), Int(-1), F32({2})}),
            "list_write: the index is -1, expected 0 or more");
  EXPECT_EQ(Text("list_write", {F32({3, 2}), Ints({0, 1}), F32({2})}),
            "list_write: the index is i64 [2] {0, 1}, expected one number");
  EXPECT_EQ(Text("list_write", {F32(kScalar), Int(0), F32(kScalar)}),
            "list_write: the list has no dimensions");
}

TEST(ListOpsTest, SumTo) {
  EXPECT_EQ(Text("sum_to", {F32({4, 2, 3}), Ints({2, 1})}), "f32 [2, 1]");
  EXPECT_EQ(Text("sum_to", {F32({kUnknown, 3}), Ints({kBatch, 3})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("sum_to", {F32({4, 3}), I64({2})}), "f32 [?, ?]");
  EXPECT_EQ(Text("sum_to", {F32({4, 3}), I64(kScalar)}),
            "sum_to: the shape is i64 [], expected a vector");
  EXPECT_EQ(Text("sum_to", {F32({4, 3}), Ints({2, 3})}),
            "sum_to: [4, 3] is no broadcast of [2, 3]");
  EXPECT_EQ(Text("sum_to", {F32({3}), Ints({1, 3})}), "sum_to: [3] is no broadcast of [1, 3]");
}

}  // namespace
}  // namespace tfrt
