#include <cmath>

#include "test/unit/kernels_contraction/contraction_runner.h"

namespace tfrt {
namespace {

using Floats = std::vector<float>;

class PackedMatrixTest : public ContractionTest {
 protected:
  RCReference<AsyncValue> Pack(RCReference<AsyncValue> b, int64_t rows, bool transpose_b) {
    auto hint = EncodedAttribute::Scalar<int64_t>(rows);
    auto transpose = EncodedAttribute::Scalar<bool>(transpose_b);
    return runner_->Run("tfrt_cpu.pack_matrix.f32", {std::move(b)}, 1,
                        {hint.bytes(), transpose.bytes()})[0];
  }
  // a [m,k], or [k,m] if it is transposed, * b by the given operand b.
  Floats MatMul(RCReference<AsyncValue> a, RCReference<AsyncValue> b, int64_t m, int64_t n,
                bool transpose_b, bool transpose_a = false) {
    auto first = EncodedAttribute::Scalar<bool>(transpose_a);
    auto transpose = EncodedAttribute::Scalar<bool>(transpose_b);
    auto out = runner_->Tensor<float>({m, n}, Floats(m * n, NAN));
    Values results =
        runner_->Run("tfrt_cpu.matmul.f32", {std::move(a), std::move(b), out, ChainValue()}, 1,
                     {first.bytes(), transpose.bytes()});
    EXPECT_FALSE(results[0]->IsError()) << results[0]->GetErrorIfPresent();
    return Elements<float>(out);
  }
};
INSTANTIATE_TEST_SUITE_P(Settings, PackedMatrixTest, AllSettings(), SettingName);

TEST_P(PackedMatrixTest, GivesTheSameForEveryNumberOfRows) {
  for (bool transpose_b : {false, true}) {
    for (auto [n, k] : {std::pair<int64_t, int64_t>{10, 84}, {120, 400}, {65, 3}}) {
      auto b = runner_->Tensor<float>(transpose_b ? TensorShape{n, k} : TensorShape{k, n},
                                      RandomFloats(n * k, 1));
      auto packed = Pack(b, 1, transpose_b);
      ASSERT_FALSE(packed->IsError()) << packed->GetErrorIfPresent();
      for (int64_t m : {1, 2, 64, 450}) {
        auto a = runner_->Tensor<float>({m, k}, RandomFloats(m * k, 2));
        Floats expected = MatMul(a, b, m, n, transpose_b);
        Floats result = MatMul(a, packed, m, n, transpose_b);
        ASSERT_EQ(result.size(), expected.size());
        for (size_t i = 0; i < result.size(); ++i) ASSERT_NEAR(result[i], expected[i], 1e-4);
      }
    }
  }
}

TEST_P(PackedMatrixTest, GivesTheSameWhenItsColumnsAreSplit) {
  for (bool transpose_b : {false, true}) {
    for (auto [n, k] : {std::pair<int64_t, int64_t>{1000, 700}, {768, 1024}}) {
      const Floats weights = RandomFloats(n * k, 1);
      auto b = runner_->Tensor<float>(transpose_b ? TensorShape{n, k} : TensorShape{k, n}, weights);
      auto packed = Pack(b, 1, transpose_b);
      ASSERT_FALSE(packed->IsError()) << packed->GetErrorIfPresent();
      for (int64_t m : {1, 3, 40}) {
        const Floats a = RandomFloats(m * k, 2);
        Floats result = MatMul(runner_->Tensor<float>({m, k}, a), packed, m, n, transpose_b);
        for (int64_t i = 0; i < m; ++i) {
          for (int64_t j = 0; j < n; j += 37) {
            // Pointers, as the test is not optimised.
            const float* row = a.data() + i * k;
            const float* column = weights.data() + (transpose_b ? j * k : j);
            const int64_t step = transpose_b ? 1 : n;
            double sum = 0;
            for (int64_t l = 0; l < k; ++l) {
              sum += double{row[l]} * double{column[l * step]};
            }
            ASSERT_NEAR(result[i * n + j], sum, 1e-4) << m << " " << i << " " << j;
          }
        }
      }
    }
  }
}

TEST_P(PackedMatrixTest, TakesATransposedFirstFactor) {
  const int64_t m = 9, n = 300, k = 500;
  auto b = runner_->Tensor<float>({k, n}, RandomFloats(n * k, 1));
  const Floats a = RandomFloats(m * k, 2);
  Floats across(a.size());
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t l = 0; l < k; ++l) across[l * m + i] = a[i * k + l];
  }
  Floats expected = MatMul(runner_->Tensor<float>({m, k}, a), b, m, n, false);
  Floats result =
      MatMul(runner_->Tensor<float>({k, m}, across), Pack(b, 1, false), m, n, false, true);
  for (size_t i = 0; i < result.size(); ++i) ASSERT_NEAR(result[i], expected[i], 1e-4) << i;
}

TEST_P(PackedMatrixTest, ReportsWhatDoesNotFit) {
  auto b = runner_->Tensor<float>({3, 2}, Floats(6));
  auto hint = EncodedAttribute::Scalar<int64_t>(0);
  auto no = EncodedAttribute::Scalar<bool>(false), yes = EncodedAttribute::Scalar<bool>(true);
  EXPECT_EQ(runner_->Error("tfrt_cpu.pack_matrix.f32", {b}, {hint.bytes(), no.bytes()}),
            "rows must be between 1 and 2147483647, but is 0");
  EXPECT_EQ(runner_->Error("tfrt_cpu.pack_matrix.f32", {runner_->Tensor<float>({2}, Floats(2))},
                           {hint.bytes(), no.bytes()}),
            "the matrix to pack has the shape [2], expected rank 2");
  auto packed = Pack(b, 1, false);
  auto a = runner_->Tensor<float>({1, 3}, Floats(3));
  auto out = runner_->Tensor<float>({1, 2}, Floats(2));
  EXPECT_EQ(runner_->Error("tfrt_cpu.matmul.f32", {a, packed, out, ChainValue()},
                           {no.bytes(), yes.bytes()}),
            "the packed matrix and the matmul differ in transpose_b");
  EXPECT_EQ(runner_->Error("tfrt_cpu.matmul.f32", {out, packed, out, ChainValue()},
                           {no.bytes(), no.bytes()}),
            "MatMul input tensors inner dimension mismatch: [1, 2] vs. [3, 2]");
}

}  // namespace
}  // namespace tfrt
