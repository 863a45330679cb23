#include "lib/runtime/tensor/partial_shape.h"

#include <unordered_set>
#include <vector>

#include "gtest/gtest.h"

namespace tfrt {
namespace {

StatusOr<PartialTensorShape> CreatePartial(std::vector<int64_t> dims) {
  return PartialTensorShape::Create(dims);
}

TEST(PartialTensorShapeTest, KnowsWhatIsKnown) {
  PartialTensorShape shape = *CreatePartial({-1, 5});
  EXPECT_TRUE(shape.has_rank());
  EXPECT_EQ(shape.rank(), 2u);
  EXPECT_EQ(shape.dims()[1], 5);
  EXPECT_FALSE(shape.IsFullyKnown());
  EXPECT_EQ(shape.ToString(), "[-1, 5]");

  PartialTensorShape unranked = PartialTensorShape::Unranked();
  EXPECT_FALSE(unranked.has_rank());
  EXPECT_FALSE(unranked.IsFullyKnown());
  EXPECT_EQ(unranked.ToString(), "Unknown rank");

  EXPECT_TRUE(CreatePartial({})->IsFullyKnown());
  EXPECT_EQ(CreatePartial({})->ToString(), "[]");
}

TEST(PartialTensorShapeTest, BecomesAShapeWhenAllIsKnown) {
  EXPECT_EQ(*CreatePartial({2, 5})->ToShape(), (TensorShape{2, 5}));
  EXPECT_EQ(*PartialTensorShape(TensorShape{6, 1}).ToShape(), (TensorShape{6, 1}));
  EXPECT_EQ(PartialTensorShape::Unranked().ToShape().status().message(), "Unknown rank");
  EXPECT_EQ(CreatePartial({-1, 5, -1})->ToShape().status().message(),
            "Unknown dimensions at following indices = [0, 2]");
}

TEST(PartialTensorShapeTest, AdmitsTheShapesThatItMayBe) {
  EXPECT_TRUE(PartialTensorShape::Unranked().Admits(TensorShape{3}));
  EXPECT_TRUE(CreatePartial({-1, 5})->Admits(TensorShape{3, 5}));
  EXPECT_FALSE(CreatePartial({-1, 5})->Admits(TensorShape{3, 4}));
  EXPECT_FALSE(CreatePartial({-1, 5})->Admits(TensorShape{5}));
}

TEST(PartialTensorShapeTest, ComparesAndHashes) {
  EXPECT_EQ(*CreatePartial({-1, 5}), *CreatePartial({-1, 5}));
  EXPECT_NE(*CreatePartial({-1, 5}), *CreatePartial({5, -1}));
  EXPECT_NE(*CreatePartial({}), PartialTensorShape::Unranked());
  std::unordered_set<PartialTensorShape> set{*CreatePartial({}), PartialTensorShape::Unranked(),
                                             *CreatePartial({-1}), *CreatePartial({-1})};
  EXPECT_EQ(set.size(), 3u);
}

TEST(PartialTensorShapeTest, MayHaveMoreElementsThanCanBeCounted) {
  PartialTensorShape partial = *CreatePartial({-1, int64_t{1} << 32, int64_t{1} << 31});
  EXPECT_EQ(partial.ToString(), "[-1, 4294967296, 2147483648]");
  StatusOr<TensorShape> shape = CreatePartial({4, int64_t{1} << 32, int64_t{1} << 31})->ToShape();
  ASSERT_TRUE(shape.ok());
  EXPECT_TRUE(partial.Admits(*shape));
  EXPECT_FALSE(shape->CheckSize().ok());
}

TEST(PartialTensorShapeTest, RefusesWhatIsNoShape) {
  EXPECT_EQ(CreatePartial({2, -2}).status().message(),
            "partial shape [2, -2] has the dimension -2 below -1");
  EXPECT_EQ(CreatePartial(std::vector<int64_t>(256, -1)).status().message(),
            "a shape of rank 256 is above the limit of 255");
}

}  // namespace
}  // namespace tfrt
