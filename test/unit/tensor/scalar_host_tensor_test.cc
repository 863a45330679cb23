#include "tfrt/tensor/scalar_host_tensor.h"

#include <complex>

#include "gtest/gtest.h"

namespace tfrt {
namespace {

TEST(ScalarHostTensorTest, HoldsOneValueForAllElements) {
  ScalarHostTensor<float> tensor(TensorShape{2, 3}, 0.25f);
  EXPECT_EQ(tensor.value(), 0.25f);
  EXPECT_EQ(tensor.metadata(), (TensorMetadata{DType::kF32, {2, 3}}));
  EXPECT_EQ(tensor.tensor_type(), kScalarHostTensorType);
  ScalarHostTensor<float> moved = std::move(tensor);
  EXPECT_EQ(moved.value(), 0.25f);
  EXPECT_EQ(moved.shape(), (TensorShape{2, 3}));
}

TEST(ScalarHostTensorTest, PrintsItsValue) {
  EXPECT_EQ(ScalarHostTensor<float>(TensorShape{2, 3}, 0.25f).ToString(),
            "ScalarHostTensor dtype = f32, shape = [2, 3], value = 2.500000e-01");
  EXPECT_EQ(ScalarHostTensor<bool>(TensorShape{}, true).ToString(),
            "ScalarHostTensor dtype = i1, shape = [], value = 1");
  EXPECT_EQ(ScalarHostTensor<std::complex<double>>(TensorShape{0}, {1, -2}).ToString(),
            "ScalarHostTensor dtype = complex128, shape = [0], value = "
            "(1.000000e+00,-2.000000e+00)");
}

TEST(TensorTypeTest, IsKnownByName) {
  EXPECT_EQ(HostTensorTypeNamed("DenseHost"), kDenseHostTensorType);
  EXPECT_EQ(HostTensorTypeNamed("ScalarHost"), kScalarHostTensorType);
  EXPECT_EQ(HostTensorTypeNamed("StringHost"), kStringHostTensorType);
  EXPECT_EQ(HostTensorTypeNamed("CooHost"), kCooHostTensorType);
  EXPECT_EQ(HostTensorTypeNamed("DenseGpu"), kUnknownTensorType);
  EXPECT_EQ(kUnknownTensorType.name(), "Unknown");
  EXPECT_NE(TensorType("DenseGpu"), kDenseHostTensorType);
  EXPECT_LT(kCooHostTensorType, kDenseHostTensorType);
}

}  // namespace
}  // namespace tfrt
