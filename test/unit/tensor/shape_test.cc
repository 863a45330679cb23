#include "tfrt/tensor/shape.h"

#include <vector>

#include "gtest/gtest.h"

namespace tfrt {
namespace {

StatusOr<TensorShape> Create(std::vector<int64_t> dims) { return TensorShape::Create(dims); }

TEST(TensorShapeTest, RankZeroHasOneElement) {
  TensorShape shape;
  EXPECT_EQ(shape.rank(), 0u);
  EXPECT_EQ(shape.num_elements(), 1);
  EXPECT_EQ(shape.ToString(), "[]");
}

TEST(TensorShapeTest, CountsElements) {
  EXPECT_EQ((TensorShape{2, 3}).num_elements(), 6);
  EXPECT_EQ((TensorShape{2, 0, 3}).num_elements(), 0);
  EXPECT_EQ((TensorShape{2, 3}).ToString(), "[2, 3]");
  EXPECT_EQ((TensorShape{2, 3}).dim(1), 3);
}

TEST(TensorShapeTest, CopiesAndMovesShapesOfAnyRank) {
  for (size_t rank : {0, 1, 4, 5, 255}) {
    std::vector<int64_t> dims(rank, 1);
    if (rank) dims.back() = 7;
    TensorShape shape = *Create(dims);
    TensorShape copy = shape;
    EXPECT_EQ(copy, shape);
    TensorShape moved = std::move(copy);
    EXPECT_EQ(moved, shape);
    EXPECT_EQ(copy.rank(), 0u);  // NOLINT: a moved-from shape is a valid one
    EXPECT_EQ(copy.num_elements(), 1);
    TensorShape assigned{1, 2, 3, 4, 5, 6};
    assigned = moved;
    EXPECT_EQ(assigned, shape);
    EXPECT_EQ(assigned.num_elements(), rank ? 7 : 1);
    assigned = TensorShape{9};
    EXPECT_EQ(assigned.ToString(), "[9]");
  }
}

TEST(TensorShapeTest, ComparesDimensions) {
  EXPECT_EQ((TensorShape{2, 3}), (TensorShape{2, 3}));
  EXPECT_NE((TensorShape{2, 3}), (TensorShape{3, 2}));
  EXPECT_NE((TensorShape{2}), (TensorShape{2, 1}));
}

TEST(TensorShapeTest, RefusesWhatIsNoShape) {
  EXPECT_EQ(Create({2, -1}).status().message(), "shape [2, -1] has the negative dimension -1");
  EXPECT_EQ(Create({int64_t{1} << 32, int64_t{1} << 31}).status().message(),
            "shape [4294967296, 2147483648] has more than 9223372036854775807 elements");
  // A zero does not excuse the other dimensions.
  EXPECT_FALSE(Create({0, int64_t{1} << 32, int64_t{1} << 32}).ok());
  EXPECT_TRUE(Create({0, int64_t{1} << 32, int64_t{1} << 30}).ok());
  EXPECT_EQ(Create(std::vector<int64_t>(256, 1)).status().message(),
            "a shape of rank 256 is above the limit of 255");
  EXPECT_EQ(Create({-1}).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tfrt
