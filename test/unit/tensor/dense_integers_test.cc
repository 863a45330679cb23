#include "lib/runtime/tensor/dense_integers.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "test/unit/tensor/test_tensors.h"

namespace tfrt {
namespace {

TEST(DenseIntegersTest, ReadsBothWidths) {
  EXPECT_TRUE(std::ranges::equal(ReadIntegers(MakeDense<int32_t>({2}, {-1, 7})),
                                 std::vector<int64_t>{-1, 7}));
  const int64_t large = int64_t{1} << 40;
  EXPECT_TRUE(std::ranges::equal(ReadIntegers(MakeDense<int64_t>({1, 1}, {large})),
                                 std::vector<int64_t>{large}));
  EXPECT_TRUE(ReadIntegers(MakeDense<int32_t>({0}, {})).empty());
  EXPECT_EQ(*ReadInteger("op", "axis", MakeDense<int64_t>({}, {3})), 3);
  EXPECT_EQ(*ShapeOfIntegers(MakeDense<int32_t>({2}, {2, 3})), (TensorShape{2, 3}));
}

TEST(DenseIntegersTest, SaysWhatDoesNotFit) {
  EXPECT_EQ(ReadInteger("op", "axis", MakeDense<int32_t>({2}, {0, 1})).status(),
            InvalidArgumentError("op: the axis has the shape [2], expected one element"));
  EXPECT_FALSE(ShapeOfIntegers(MakeDense<int32_t>({1}, {-1})).ok());
}

}  // namespace
}  // namespace tfrt
