#include "tfrt/tensor/dense_view.h"

#include "gtest/gtest.h"
#include "test/unit/tensor/test_constant.h"

namespace tfrt {
namespace {

TEST(DenseViewTest, ReadsAndWritesElements) {
  auto allocator = CreateMallocAllocator();
  auto tensor = DenseHostTensor::CreateUninitialized({DType::kI64, {2, 3}}, allocator.get());
  ASSERT_TRUE(tensor.ok());
  auto writer = MutableDenseView<int64_t>::Create(*tensor, "it");
  ASSERT_TRUE(writer.ok());
  ASSERT_EQ(writer->size(), 6u);
  for (size_t i = 0; i < 6; ++i) (*writer)[i] = 10 * i;
  auto reader = DenseView<int64_t>::Create(*tensor, "it");
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ((*reader)[5], 50);
  EXPECT_EQ(reader->elements().size(), 6u);
  EXPECT_EQ(reader->shape(), (TensorShape{2, 3}));
}

TEST(DenseViewTest, ChecksDTypeRankAndPermission) {
  TestConstant constant(8, {2}, std::vector<int32_t>{1, 2});
  auto tensor = DenseHostTensor::CreateFromConstant(constant.attribute());
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(DenseView<float>::Create(*tensor, "the bias").status(),
            InvalidArgumentError("the bias is a tensor of i32, expected f32"));
  EXPECT_EQ(MutableDenseView<float>::Create(*tensor, "the bias").status(),
            InvalidArgumentError("the bias is a tensor of i32, expected f32"));
  EXPECT_EQ(MutableDenseView<int32_t>::Create(*tensor, "the bias").status(),
            FailedPreconditionError("cannot write to the constant tensor of shape [2]"));
  EXPECT_TRUE(CheckRank(*tensor, 1, "the bias").ok());
  EXPECT_EQ(CheckRank(*tensor, 2, "the bias"),
            InvalidArgumentError("the bias has the shape [2], expected rank 2"));
}

}  // namespace
}  // namespace tfrt
