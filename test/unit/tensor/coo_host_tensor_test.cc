#include "lib/runtime/tensor/coo_host_tensor.h"

#include <complex>
#include <limits>

#include "test/unit/tensor/test_tensors.h"

namespace tfrt {
namespace {

constexpr CooIndexOrder kBothOrders[] = {CooIndexOrder::kRowMajor, CooIndexOrder::kReversedShape};

TEST(CooHostTensorTest, ListsValuesWithTheirPlaces) {
  auto coo = MakeCoo<float>(TensorShape{2, 3}, {0, 1, 1, 2}, {3.5f, -1.0f});
  ASSERT_TRUE(coo.ok());
  EXPECT_EQ(coo->metadata(), (TensorMetadata{DType::kF32, {2, 3}}));
  EXPECT_EQ(coo->tensor_type(), kCooHostTensorType);
  EXPECT_EQ(coo->num_values(), 2u);
  EXPECT_EQ(coo->LinearIndex(0), 1);
  EXPECT_EQ(coo->LinearIndex(1), 5);
  EXPECT_EQ(coo->ToString(),
            "CooHostTensor dtype = f32, shape = [2, 3], indices = [0, 1, 1, 2], values = "
            "[3.500000e+00, -1.000000e+00]\n");
}

TEST(CooHostTensorTest, PrintsEverything) {
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < 40; ++i) indices.push_back(i);
  auto coo = MakeCoo<int32_t>(TensorShape{40}, indices, std::vector<int32_t>(40, 7));
  EXPECT_EQ(coo->ToString().find("..."), std::string::npos);
  EXPECT_EQ(MakeCoo<int32_t>(TensorShape{2}, {}, {})->ToString(),
            "CooHostTensor dtype = i32, shape = [2], indices = [], values = []\n");
}

TEST(CooHostTensorTest, ReversedShapeOrderNamesElementsOtherwise) {
  auto dense = MakeDense<int32_t>(TensorShape{2, 3}, {0, 10, 0, 0, 0, 20});
  auto usual = SparseFromDense(dense, CooIndexOrder::kRowMajor, TestAllocator());
  EXPECT_EQ(
      usual->ToString(),
      "CooHostTensor dtype = i32, shape = [2, 3], indices = [0, 1, 1, 2], values = [10, 20]\n");
  auto reversed = SparseFromDense(dense, CooIndexOrder::kReversedShape, TestAllocator());
  EXPECT_EQ(
      reversed->ToString(),
      "CooHostTensor dtype = i32, shape = [2, 3], indices = [0, 1, 2, 1], values = [10, 20]\n");
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(usual->LinearIndex(i), reversed->LinearIndex(i));
}

TEST(CooHostTensorTest, BecomesDenseAgain) {
  for (CooIndexOrder order : kBothOrders) {
    for (const TensorShape& shape :
         {TensorShape{12}, TensorShape{3, 4}, TensorShape{2, 3, 2}, TensorShape{12, 1, 1}}) {
      auto dense = MakeDense<int64_t>(
          shape, {0, 1, 0, 2, 3, 0, 0, 4, 5, 6, 0, std::numeric_limits<int64_t>::min()});
      auto coo = SparseFromDense(dense, order, TestAllocator());
      ASSERT_TRUE(coo.ok());
      EXPECT_EQ(coo->num_values(), 7u);
      auto back = DenseFromSparse(*coo, TestAllocator());
      EXPECT_EQ(back->metadata(), dense.metadata());
      EXPECT_EQ(ElementsOf<int64_t>(*back), ElementsOf<int64_t>(dense));
    }
    auto scalar = SparseFromDense(MakeDense<float>(TensorShape{}, {2}), order, TestAllocator());
    EXPECT_EQ(scalar->indices().shape(), (TensorShape{1, 0}));
    EXPECT_EQ(ElementsOf<float>(*DenseFromSparse(*scalar, TestAllocator())), std::vector<float>{2});
    auto empty = SparseFromDense(MakeDense<float>(TensorShape{0, 2}, {}), order, TestAllocator());
    EXPECT_EQ(empty->num_values(), 0u);
  }
}

TEST(CooHostTensorTest, TheLastValueOfAnElementCounts) {
  auto coo = MakeCoo<int32_t>(TensorShape{2}, {1, 1}, {3, 4});
  EXPECT_EQ(ElementsOf<int32_t>(*DenseFromSparse(*coo, TestAllocator())),
            (std::vector<int32_t>{0, 4}));
}

TEST(CooHostTensorTest, ZeroIsWhatEqualsZero) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  auto dense = MakeDense<float>(TensorShape{3}, {0.0f, -0.0f, nan});
  EXPECT_EQ(SparseFromDense(dense, CooIndexOrder::kRowMajor, TestAllocator())->num_values(), 1u);
  using Complex = std::complex<double>;
  auto complex = MakeDense<Complex>(TensorShape{2}, {Complex(0, 0), Complex(0, 1)});
  EXPECT_EQ(SparseFromDense(complex, CooIndexOrder::kRowMajor, TestAllocator())->num_values(), 1u);
  auto bools = MakeDense<bool>(TensorShape{2}, {true, false});
  EXPECT_EQ(SparseFromDense(bools, CooIndexOrder::kRowMajor, TestAllocator())->num_values(), 1u);
}

TEST(CooHostTensorTest, RefusesPartsThatDoNotFit) {
  auto create = [](TensorShape shape, DenseHostTensor indices, DenseHostTensor values) {
    auto coo = CooHostTensor::Create(shape, std::move(indices), std::move(values));
    return std::string(coo.status().message());
  };
  auto indices = [] { return MakeDense<int64_t>(TensorShape{1, 2}, {0, 1}); };
  auto values = [] { return MakeDense<float>(TensorShape{1}, {5}); };
  EXPECT_EQ(create({2, 2}, MakeDense<int32_t>(TensorShape{1, 2}, {0, 1}), values()),
            "the index tensor is a tensor of i32, expected i64");
  EXPECT_EQ(create({2, 2}, MakeDense<int64_t>(TensorShape{2}, {0, 1}), values()),
            "the index tensor has the shape [2], expected rank 2");
  EXPECT_EQ(create({2, 2}, indices(), MakeDense<float>(TensorShape{}, {5})),
            "the tensor of values has the shape [], expected rank 1");
  EXPECT_EQ(create({2, 2}, indices(), MakeDense<float>(TensorShape{2}, {5, 6})),
            "a sparse tensor of shape [2, 2] with 2 values has indices of shape [1, 2]");
  EXPECT_EQ(create({2, 2, 2}, indices(), values()),
            "a sparse tensor of shape [2, 2, 2] with 1 values has indices of shape [1, 2]");
  EXPECT_EQ(create({2, 1}, indices(), values()),
            "index 1 at position 0, 1 is outside the dimension 1");
  EXPECT_EQ(create({2, 2}, MakeDense<int64_t>(TensorShape{1, 2}, {-1, 1}), values()),
            "index -1 at position 0, 0 is outside the dimension 2");
}

TEST(CooHostTensorTest, SaysWhatCannotBecomeSparse) {
  auto tensor = DenseHostTensor::CreateUninitialized({DType::kQI8, {1}}, TestAllocator());
  EXPECT_EQ(SparseFromDense(*tensor, CooIndexOrder::kRowMajor, TestAllocator()).status().message(),
            "a tensor of qi8 cannot become sparse");
}

}  // namespace
}  // namespace tfrt
