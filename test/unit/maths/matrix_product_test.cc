#include "lib/ops/maths/contraction/matmul.h"
#include "test/unit/maths/maths_fixture.h"

namespace tfrt::maths {
namespace {

class MatrixProductTest : public MathsTest {
 protected:
  std::string Error(const DenseHostTensor& a, const DenseHostTensor& b, DenseHostTensor& out,
                    const ProductTail& tail = {}) {
    return MathsTest::Error(MultiplyMatrices(a, b, false, false, tail, out, exec_ctx_));
  }
};

TEST_F(MatrixProductTest, WrapsAndAppliesTheTail) {
  DenseHostTensor a = Tensor<int32_t>({2, 1}, {1 << 30, 1});
  DenseHostTensor b = Tensor<int32_t>({1, 3}, {2, -3, 5});
  DenseHostTensor bias = Tensor<int32_t>({3}, {1, 1, 7});
  DenseHostTensor out = Tensor<int32_t>({2, 3}, {});
  Completion done = MultiplyMatrices(a, b, false, false, {&bias, false, true}, out, exec_ctx_);
  ASSERT_TRUE(done.ok() && done->IsConcrete());
  auto* data = static_cast<const int32_t*>(out.data());
  // 2^31 + 1 wraps to a negative number, -3 * 2^30 + 1 to 2^30 + 1, 5 * 2^30 + 7 to the same + 6.
  EXPECT_EQ(std::vector(data, data + 6), (std::vector<int32_t>{0, 6, 6, 3, 0, 6}));
}

TEST_F(MatrixProductTest, ReportsWhatDoesNotFit) {
  DenseHostTensor a = Tensor<double>({2, 3}, {}), b = Tensor<double>({3, 4}, {});
  DenseHostTensor out = Tensor<double>({2, 4}, {});
  EXPECT_EQ(Error(Tensor<float>({2, 3}, {}), b, out),
            "the first matmul input is a tensor of f32, expected f64");
  EXPECT_EQ(Error(a, Tensor<float>({3, 4}, {}), out),
            "the second matmul input is a tensor of f32, expected f64");
  EXPECT_EQ(Error(a, a, out), "MatMul input tensors inner dimension mismatch: [2, 3] vs. [2, 3]");
  DenseHostTensor wrong = Tensor<double>({2, 3}, {});
  EXPECT_EQ(Error(a, b, wrong), "matmul: the output has the shape [2, 3], expected [2, 4]");
  DenseHostTensor square = Tensor<double>({2, 2}, {});
  EXPECT_EQ(Error(square, square, square), "matmul: the output overlaps an input");
  DenseHostTensor bias = Tensor<float>({4}, {}), scalar = Tensor<double>({}, {});
  EXPECT_EQ(Error(a, b, out, {&bias}), "the matmul bias is a tensor of f32, expected f64");
  EXPECT_EQ(Error(a, b, out, {&scalar}), "Bias tensor must a vector");
}

TEST_F(MatrixProductTest, KnowsWhatItMultiplies) {
  EXPECT_TRUE(CanMultiplyMatrices(DType::kF64));
  EXPECT_TRUE(CanMultiplyMatrices(DType::kComplex64));
  EXPECT_FALSE(CanMultiplyMatrices(DType::kI8));
  EXPECT_FALSE(CanMultiplyMatrices(DType::kF16));
}

}  // namespace
}  // namespace tfrt::maths
