#include "tfrt/tensor/indexable_view.h"

#include "test/unit/tensor/test_constant.h"
#include "test/unit/tensor/test_tensors.h"

namespace tfrt {
namespace {

TEST(IndexableViewTest, FindsElementsByTheirCoordinates) {
  auto tensor = MakeDense<int32_t>(TensorShape{2, 3}, {0, 1, 2, 10, 11, 12});
  auto view = DenseIndexableView<int32_t, 2>::Create(tensor, "it");
  ASSERT_TRUE(view.ok());
  EXPECT_EQ((*view)(1, 2), 12);
  EXPECT_EQ((*view)(std::array<int64_t, 2>{0, 1}), 1);
  EXPECT_EQ(view->rank(), 2u);
  EXPECT_EQ(view->dim(1), 3);
  EXPECT_EQ(view->dims(), (std::array<int64_t, 2>{2, 3}));
  EXPECT_EQ(view->strides(), (std::array<int64_t, 2>{3, 1}));
  EXPECT_EQ(view->Chip(1)(2), 12);
  EXPECT_EQ(view->FixDim(1, 2)(1), 12);
  EXPECT_EQ(view->FixDim(1, 2).strides(), (std::array<int64_t, 1>{3}));
  EXPECT_EQ(view->Chip(1).Chip(1)(), 11);
}

TEST(IndexableViewTest, Writes) {
  auto tensor = MakeDense<float>(TensorShape{2, 2, 2}, std::vector<float>(8));
  auto view = MutableDenseIndexableView<float, 3>::Create(tensor, "it");
  ASSERT_TRUE(view.ok());
  (*view)(1, 0, 1) = 5;
  view->FixDim(1, 1)(0, 0) = 7;
  EXPECT_EQ(ElementsOf<float>(tensor), (std::vector<float>{0, 0, 7, 0, 0, 5, 0, 0}));
}

TEST(IndexableViewTest, RankZero) {
  auto tensor = MakeDense<float>(TensorShape{}, {3});
  EXPECT_EQ((*DenseIndexableView<float, 0>::Create(tensor, "it"))(), 3);
}

TEST(IndexableViewTest, ChecksDTypeRankAndPermission) {
  auto tensor = MakeDense<float>(TensorShape{2}, {1, 2});
  EXPECT_EQ((DenseIndexableView<float, 2>::Create(tensor, "the image").status().message()),
            "the image has the shape [2], expected rank 2");
  EXPECT_EQ((DenseIndexableView<int32_t, 1>::Create(tensor, "the image").status().message()),
            "the image is a tensor of f32, expected i32");
  EXPECT_EQ((MutableDenseIndexableView<float, 2>::Create(tensor, "the image").status().message()),
            "the image has the shape [2], expected rank 2");
  TestConstant constant(8, {2}, std::vector<int32_t>{1, 2});
  auto read_only = DenseHostTensor::CreateFromConstant(constant.attribute());
  EXPECT_EQ((MutableDenseIndexableView<int32_t, 1>::Create(*read_only, "it").status().message()),
            "cannot write to the constant tensor of shape [2]");
}

}  // namespace
}  // namespace tfrt
