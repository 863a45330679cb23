#include "tfrt/tensor/dense_integers.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "test/unit/tensor/test_tensors.h"

namespace tfrt {
namespace {

TEST(DenseIntegersTest, ReadsBothWidths) {
  auto narrow = ReadIntegers("op", "axes", MakeDense<int32_t>({2}, {-1, 7}));
  ASSERT_TRUE(narrow.ok());
  EXPECT_TRUE(std::ranges::equal(*narrow, std::vector<int64_t>{-1, 7}));
  const int64_t large = int64_t{1} << 40;
  auto wide = ReadIntegers("op", "axes", MakeDense<int64_t>({1, 1}, {large}));
  ASSERT_TRUE(wide.ok());
  EXPECT_TRUE(std::ranges::equal(*wide, std::vector<int64_t>{large}));
  auto none = ReadIntegers("op", "axes", MakeDense<int32_t>({0}, {}));
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->empty());
  EXPECT_EQ(*ReadInteger("op", "axis", MakeDense<int64_t>({}, {3})), 3);
  EXPECT_EQ(*ShapeOfIntegers("op", MakeDense<int32_t>({2}, {2, 3})), (TensorShape{2, 3}));
}

TEST(DenseIntegersTest, SaysWhatDoesNotFit) {
  DenseHostTensor floats = MakeDense<float>({1}, {1});
  EXPECT_EQ(ReadIntegers("op", "axes", floats).status(),
            InvalidArgumentError("op: the axes is a tensor of f32, expected i32 or i64"));
  EXPECT_EQ(ReadInteger("op", "axis", MakeDense<int32_t>({2}, {0, 1})).status(),
            InvalidArgumentError("op: the axis has the shape [2], expected one element"));
  EXPECT_EQ(ShapeOfIntegers("op", floats).status(),
            InvalidArgumentError("op: the shape is a tensor of f32, expected i32 or i64"));
  EXPECT_FALSE(ShapeOfIntegers("op", MakeDense<int32_t>({1}, {-1})).ok());
}

}  // namespace
}  // namespace tfrt
