#include <cmath>
#include <random>

#include "test/unit/kernels_tensor/kernel_runner.h"

namespace tfrt {
namespace {

using Floats = std::vector<float>;

class MatMulKernelsTest : public testing::Test {
 protected:
  Values Arguments(float alpha, RCReference<AsyncValue> a, RCReference<AsyncValue> b, float beta,
                   RCReference<AsyncValue> out) {
    return {Scalar(alpha), std::move(a), std::move(b), Scalar(beta), std::move(out), ChainValue()};
  }
  KernelRunner runner_;
};

TEST_F(MatMulKernelsTest, ComputesAlphaTimesProductPlusBetaTimesOutput) {
  auto a = runner_.Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  auto b = runner_.Tensor<float>({3, 1}, {1, 0, -1});
  auto out = runner_.Tensor<float>({2, 1}, {10, 20});
  runner_.Run("eigen.matmul.f32", Arguments(2, a, b, 0.5, out));
  EXPECT_EQ(Elements<float>(out), (Floats{1, 6}));
  runner_.Run("eigen.matmul.f32", Arguments(1, a, b, 1, out));
  EXPECT_EQ(Elements<float>(out), (Floats{-1, 4}));
}

TEST_F(MatMulKernelsTest, BetaZeroIgnoresTheOutput) {
  auto one = runner_.Tensor<float>({1, 1}, {3});
  auto out = runner_.Tensor<float>({1, 1}, {std::nanf("")});
  runner_.Run("eigen.matmul.f32", Arguments(1, one, one, 0, out));
  EXPECT_EQ(Elements<float>(out), Floats{9});
}

TEST_F(MatMulKernelsTest, AgreesWithTheDefinitionOnLargerMatrices) {
  constexpr int64_t kM = 33, kK = 70, kN = 17;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Floats a(kM * kK), b(kK * kN), expected(kM * kN, 0);
  for (float& x : a) x = uniform(random);
  for (float& x : b) x = uniform(random);
  for (int64_t m = 0; m < kM; ++m) {
    for (int64_t n = 0; n < kN; ++n) {
      for (int64_t k = 0; k < kK; ++k) expected[m * kN + n] += a[m * kK + k] * b[k * kN + n];
    }
  }
  auto out = runner_.Tensor<float>({kM, kN}, Floats(kM * kN, 0));
  runner_.Run("eigen.matmul.f32", Arguments(1, runner_.Tensor<float>({kM, kK}, a),
                                            runner_.Tensor<float>({kK, kN}, b), 0, out));
  Floats result = Elements<float>(out);
  for (size_t i = 0; i < result.size(); ++i) EXPECT_NEAR(result[i], expected[i], 1e-5) << i;
}

TEST_F(MatMulKernelsTest, OutputMayBeAnInput) {
  auto a = runner_.Tensor<float>({2, 2}, {1, 1, 0, 1});
  runner_.Run("eigen.matmul.f32", Arguments(1, a, a, 0, a));
  EXPECT_EQ(Elements<float>(a), (Floats{1, 2, 0, 1}));
  runner_.Run("eigen.matmul.f32", Arguments(1, a, a, 1, a));
  EXPECT_EQ(Elements<float>(a), (Floats{2, 6, 0, 2}));
}

TEST_F(MatMulKernelsTest, TakesMatricesWithoutElements) {
  auto a = runner_.Tensor<float>({2, 0}, {});
  auto b = runner_.Tensor<float>({0, 2}, {});
  auto out = runner_.Tensor<float>({2, 2}, {1, 2, 3, 4});
  runner_.Run("eigen.matmul.f32", Arguments(1, a, b, 1, out));
  EXPECT_EQ(Elements<float>(out), (Floats{1, 2, 3, 4}));
  auto none = runner_.Tensor<float>({0, 0}, {});
  runner_.Run("eigen.matmul.f32", Arguments(1, b, a, 0, none));
  EXPECT_EQ(Elements<float>(none), Floats());
}

TEST_F(MatMulKernelsTest, IntegersWrap) {
  auto a = runner_.Tensor<int32_t>({1, 1}, {1 << 30});
  auto b = runner_.Tensor<int32_t>({1, 1}, {3});
  auto out = runner_.Tensor<int32_t>({1, 1}, {-1});
  runner_.Run("eigen.matmul.i32",
              {Scalar<int32_t>(1), a, b, Scalar<int32_t>(2), out, ChainValue()});
  EXPECT_EQ(Elements<int32_t>(out), std::vector<int32_t>{-1073741826});
}

TEST_F(MatMulKernelsTest, ReportsShapesAndDTypesThatDoNotFit) {
  auto m23 = runner_.Tensor<float>({2, 3}, Floats(6));
  auto m22 = runner_.Tensor<float>({2, 2}, Floats(4));
  auto m32 = runner_.Tensor<float>({3, 2}, Floats(6));
  auto vector = runner_.Tensor<float>({2}, Floats(2));
  auto ints = runner_.Tensor<int32_t>({2, 2}, {1, 2, 3, 4});
  auto error = [&](auto a, auto b, auto out) {
    return runner_.Error("eigen.matmul.f32", Arguments(1, a, b, 1, out));
  };
  EXPECT_EQ(error(m23, m22, m22),
            "MatMul input tensors inner dimension mismatch: [2, 3] vs. [2, 2]");
  EXPECT_EQ(error(m23, m32, m23),
            "MatMul output shape [2, 3] does not match product shape of inputs: [2, 3] * [3, 2]");
  EXPECT_EQ(error(vector, m22, m22), "the first matmul input has the shape [2], expected rank 2");
  EXPECT_EQ(error(m22, vector, m22), "the second matmul input has the shape [2], expected rank 2");
  EXPECT_EQ(error(m22, m22, vector), "the matmul output has the shape [2], expected rank 2");
  EXPECT_EQ(error(ints, m22, m22), "the first matmul input is a tensor of i32, expected f32");
  EXPECT_EQ(error(m22, ints, m22), "the second matmul input is a tensor of i32, expected f32");
  EXPECT_EQ(error(m22, m22, ints), "the matmul output is a tensor of i32, expected f32");
}

}  // namespace
}  // namespace tfrt
