#include "tfrt/tensor/shape.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "gtest/gtest.h"
#include "lib/runtime/tensor/fixed_rank_shape.h"

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

// Shapes of each encoding and at the borders between them.
const std::vector<std::vector<int64_t>>& SampleDims() {
  static const auto* samples = new std::vector<std::vector<int64_t>>{
      {},
      {0},
      {65535},
      {65536},
      {4294967295},
      {4294967296},
      {2, 3},
      {1, 65536},
      {4294967295, 1, 2},
      {4294967295, 1, 2, 1},
      {1, 2, 3, 4, 5, 6, 7},
      {1, 2, 3, 4, 5, 6, 65536},
      {1, 2, 3, 4, 5, 6, 7, 8},
      {0, 9223372036854775807},
      std::vector<int64_t>(255, 1),
  };
  return *samples;
}

TEST(TensorShapeTest, EveryEncodingKeepsTheDimensions) {
  for (const std::vector<int64_t>& dims : SampleDims()) {
    TensorShape shape = *Create(dims);
    ASSERT_EQ(shape.rank(), dims.size());
    ShapeDims kept = shape.dims();
    EXPECT_TRUE(std::ranges::equal(kept, dims));
    std::span<const int64_t> span = kept;
    EXPECT_TRUE(std::ranges::equal(span, dims));
    int64_t product = 1;
    for (size_t i = 0; i < dims.size(); ++i) {
      EXPECT_EQ(shape.dim(i), dims[i]);
      product *= dims[i];
    }
    EXPECT_EQ(shape.num_elements(), product);
    EXPECT_EQ(shape.ToString(), DimsToString(dims));
    TensorShape copy = shape;
    TensorShape moved = std::move(copy);
    EXPECT_EQ(moved, shape);
    EXPECT_EQ(copy, TensorShape());  // NOLINT: a moved-from shape is a valid one
  }
}

// Shapes that Create refuses, near each encoding that smaller ones have.
TEST(TensorShapeTest, AnySizeCanBeBuiltComparedAndPrinted) {
  const std::vector<std::vector<int64_t>> samples = {
      {65535, 65535, 65535, 65535, 65535},
      {65535, 65535, 65535, 65535, 65535, 65535, 65535},
      {4294967295, 4294967295, 2},
      {9223372036854775807, 2},
      {4294967296, 2147483648},
      {0, 4294967296, 4294967296},
      std::vector<int64_t>(255, 9223372036854775807),
  };
  std::unordered_set<TensorShape> set;
  for (const std::vector<int64_t>& dims : samples) {
    TensorShape shape = *TensorShape::CreateOfAnySize(dims);
    EXPECT_TRUE(std::ranges::equal(shape.dims(), dims));
    EXPECT_EQ(shape.ToString(), DimsToString(dims));
    EXPECT_EQ(shape.num_elements(), dims[0] == 0 ? 0 : INT64_MAX);
    EXPECT_EQ(shape.CheckSize().message(), Create(dims).status().message());
    EXPECT_FALSE(shape.CheckSize().ok());
    TensorShape copy = shape;
    EXPECT_EQ(copy, shape);
    EXPECT_NE(copy, TensorShape());
    EXPECT_TRUE(set.insert(shape).second);
    EXPECT_FALSE(set.insert(*TensorShape::CreateOfAnySize(dims)).second);
  }
  // Of other shapes it makes what Create makes.
  for (const std::vector<int64_t>& dims : SampleDims()) {
    TensorShape shape = *TensorShape::CreateOfAnySize(dims);
    EXPECT_EQ(shape, *Create(dims));
    EXPECT_TRUE(shape.CheckSize().ok());
  }
  EXPECT_FALSE(TensorShape::CreateOfAnySize(std::vector<int64_t>{-1}).ok());
  EXPECT_FALSE(TensorShape::CreateOfAnySize(std::vector<int64_t>(256, 1)).ok());
}

TEST(TensorShapeTest, EqualityAndHashFollowTheDimensions) {
  std::unordered_set<TensorShape> set;
  for (const std::vector<int64_t>& a : SampleDims()) {
    for (const std::vector<int64_t>& b : SampleDims()) {
      EXPECT_EQ(*Create(a) == *Create(b), a == b);
    }
    EXPECT_TRUE(set.insert(*Create(a)).second);
    EXPECT_FALSE(set.insert(*Create(a)).second);
  }
  EXPECT_NE((TensorShape{1, 1}).Hash(), (TensorShape{1}).Hash());
  EXPECT_NE((TensorShape{2, 3}).Hash(), (TensorShape{3, 2}).Hash());
}

TEST(TensorShapeTest, AssignsOverEveryEncoding) {
  for (const std::vector<int64_t>& from : SampleDims()) {
    for (const std::vector<int64_t>& to : SampleDims()) {
      TensorShape shape = *Create(to);
      shape = *Create(from);
      EXPECT_EQ(shape, *Create(from));
    }
  }
}

TEST(RowMajorStridesTest, AreProductsOfTheDimensionsBehind) {
  int64_t strides[3];
  RowMajorStrides(TensorShape{2, 3, 4}.dims(), strides);
  EXPECT_TRUE(std::ranges::equal(strides, std::vector<int64_t>{12, 4, 1}));
  RowMajorStrides(TensorShape{2, 0, 4}.dims(), strides);
  EXPECT_TRUE(std::ranges::equal(strides, std::vector<int64_t>{0, 4, 1}));
  RowMajorStrides({}, {});
}

TEST(FixedRankShapeTest, KnowsItsRank) {
  auto shape = FixedRankShape<2>::Create(TensorShape{2, 3});
  ASSERT_TRUE(shape.ok());
  EXPECT_EQ(shape->rank(), 2u);
  EXPECT_EQ(shape->dim(1), 3);
  EXPECT_EQ(shape->num_elements(), 6);
  EXPECT_EQ(shape->Strides(), (std::array<int64_t, 2>{3, 1}));
  EXPECT_EQ(shape->ToShape(), (TensorShape{2, 3}));
  EXPECT_EQ(shape->ToString(), "[2, 3]");
  EXPECT_EQ(*shape, *FixedRankShape<2>::Create(TensorShape{2, 3}));
  EXPECT_EQ(FixedRankShape<0>::Create(TensorShape{})->num_elements(), 1);
  EXPECT_EQ(FixedRankShape<1>::Create(TensorShape{2, 3}).status().message(),
            "shape [2, 3] has rank 2, expected 1");
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
