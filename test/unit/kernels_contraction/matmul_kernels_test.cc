#include <cmath>

#include "test/unit/kernels_contraction/contraction_runner.h"

namespace tfrt {
namespace {

using Floats = std::vector<float>;

class MatMulKernelsTest : public ContractionTest {
 protected:
  Values Arguments(float alpha, RCReference<AsyncValue> a, RCReference<AsyncValue> b, float beta,
                   RCReference<AsyncValue> out) {
    return {Scalar(alpha), std::move(a), std::move(b), Scalar(beta), std::move(out), ChainValue()};
  }
};
INSTANTIATE_TEST_SUITE_P(Settings, MatMulKernelsTest, AllSettings(), SettingName);

TEST_P(MatMulKernelsTest, ComputesAlphaTimesProductPlusBetaTimesOutput) {
  auto a = runner_->Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  auto b = runner_->Tensor<float>({3, 1}, {1, 0, -1});
  auto out = runner_->Tensor<float>({2, 1}, {10, 20});
  runner_->Run("eigen.matmul.f32", Arguments(2, a, b, 0.5, out));
  EXPECT_EQ(Elements<float>(out), (Floats{1, 6}));
  runner_->Run("eigen.matmul.f32", Arguments(1, a, b, 1, out));
  EXPECT_EQ(Elements<float>(out), (Floats{-1, 4}));
}

TEST_P(MatMulKernelsTest, BetaZeroIgnoresTheOutput) {
  auto one = runner_->Tensor<float>({1, 1}, {3});
  auto out = runner_->Tensor<float>({1, 1}, {std::nanf("")});
  runner_->Run("eigen.matmul.f32", Arguments(1, one, one, 0, out));
  EXPECT_EQ(Elements<float>(out), Floats{9});
}

TEST_P(MatMulKernelsTest, AgreesWithTheDefinitionOnLargerMatrices) {
  constexpr int64_t kM = 33, kK = 70, kN = 17;
  Floats a = RandomFloats(kM * kK, 1), b = RandomFloats(kK * kN, 2), expected(kM * kN, 0);
  for (int64_t m = 0; m < kM; ++m) {
    for (int64_t n = 0; n < kN; ++n) {
      for (int64_t k = 0; k < kK; ++k) expected[m * kN + n] += a[m * kK + k] * b[k * kN + n];
    }
  }
  auto out = runner_->Tensor<float>({kM, kN}, Floats(kM * kN, 0));
  runner_->Run("eigen.matmul.f32", Arguments(1, runner_->Tensor<float>({kM, kK}, a),
                                             runner_->Tensor<float>({kK, kN}, b), 0, out));
  Floats result = Elements<float>(out);
  for (size_t i = 0; i < result.size(); ++i) EXPECT_NEAR(result[i], expected[i], 1e-5) << i;
}

TEST_P(MatMulKernelsTest, OutputMayBeAnInput) {
  auto a = runner_->Tensor<float>({2, 2}, {1, 1, 0, 1});
  runner_->Run("eigen.matmul.f32", Arguments(1, a, a, 0, a));
  EXPECT_EQ(Elements<float>(a), (Floats{1, 2, 0, 1}));
  runner_->Run("eigen.matmul.f32", Arguments(1, a, a, 1, a));
  EXPECT_EQ(Elements<float>(a), (Floats{2, 6, 0, 2}));
}

TEST_P(MatMulKernelsTest, TakesMatricesWithoutElements) {
  auto a = runner_->Tensor<float>({2, 0}, {});
  auto b = runner_->Tensor<float>({0, 2}, {});
  auto out = runner_->Tensor<float>({2, 2}, {1, 2, 3, 4});
  runner_->Run("eigen.matmul.f32", Arguments(1, a, b, 1, out));
  EXPECT_EQ(Elements<float>(out), (Floats{1, 2, 3, 4}));
  auto none = runner_->Tensor<float>({0, 0}, {});
  runner_->Run("eigen.matmul.f32", Arguments(1, b, a, 0, none));
  EXPECT_EQ(Elements<float>(none), Floats());
}

TEST_P(MatMulKernelsTest, IntegersWrap) {
  auto a = runner_->Tensor<int32_t>({1, 1}, {1 << 30});
  auto b = runner_->Tensor<int32_t>({1, 1}, {3});
  auto out = runner_->Tensor<int32_t>({1, 1}, {-1});
  runner_->Run("eigen.matmul.i32",
               {Scalar<int32_t>(1), a, b, Scalar<int32_t>(2), out, ChainValue()});
  EXPECT_EQ(Elements<int32_t>(out), std::vector<int32_t>{-1073741826});
}

TEST_P(MatMulKernelsTest, ReportsShapesAndDTypesThatDoNotFit) {
  auto m23 = runner_->Tensor<float>({2, 3}, Floats(6));
  auto m22 = runner_->Tensor<float>({2, 2}, Floats(4));
  auto m32 = runner_->Tensor<float>({3, 2}, Floats(6));
  auto vector = runner_->Tensor<float>({2}, Floats(2));
  auto ints = runner_->Tensor<int32_t>({2, 2}, {1, 2, 3, 4});
  auto error = [&](auto a, auto b, auto out) {
    return runner_->Error("eigen.matmul.f32", Arguments(1, a, b, 1, out));
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

// What a tfrt_cpu product should give, from its definition.
struct Product {
  int64_t batch = 1, m, n, k;
  bool transpose_a = false, transpose_b = false;
  float alpha = 1;
  Floats a, b, bias;

  Product(int64_t batch, int64_t m, int64_t n, int64_t k, bool transpose_a, bool transpose_b)
      : batch(batch),
        m(m),
        n(n),
        k(k),
        transpose_a(transpose_a),
        transpose_b(transpose_b),
        a(RandomFloats(batch * m * k, 3)),
        b(RandomFloats(batch * k * n, 4)) {}

  TensorShape AShape() const { return transpose_a ? TensorShape{k, m} : TensorShape{m, k}; }
  TensorShape BShape() const { return transpose_b ? TensorShape{n, k} : TensorShape{k, n}; }

  template <typename F>
  Floats Expected(F activation) const {
    Floats out(batch * m * n);
    for (int64_t e = 0; e < batch * m * n; ++e) {
      int64_t i = e / (m * n), row = e / n % m, column = e % n;
      // Pointers, as the test is not optimised.
      const float* x = a.data() + i * m * k + (transpose_a ? row : row * k);
      const float* y = b.data() + i * k * n + (transpose_b ? column * k : column);
      const int64_t x_step = transpose_a ? m : 1, y_step = transpose_b ? 1 : n;
      double sum = 0;
      for (int64_t l = 0; l < k; ++l) {
        sum += double{x[l * x_step]} * double{y[l * y_step]};
      }
      out[e] = static_cast<float>(activation(alpha * sum + (bias.empty() ? 0 : bias[column])));
    }
    return out;
  }
  Floats Expected() const {
    return Expected([](double x) { return x; });
  }
};

void ExpectNear(const Floats& result, const Floats& expected, float tolerance) {
  ASSERT_EQ(result.size(), expected.size());
  for (size_t i = 0; i < result.size(); ++i) {
    ASSERT_NEAR(result[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << "element " << i;
  }
}

class CpuMatMulTest : public ContractionTest {
 protected:
  struct Flags {
    explicit Flags(const Product& p)
        : transpose_a(EncodedAttribute::Scalar<bool>(p.transpose_a)),
          transpose_b(EncodedAttribute::Scalar<bool>(p.transpose_b)) {}
    EncodedAttribute transpose_a, transpose_b;
    std::vector<const uint8_t*> bytes() const { return {transpose_a.bytes(), transpose_b.bytes()}; }
  };

  Floats MatMul(const Product& p, RCReference<AsyncValue> b) {
    auto out = runner_->Tensor<float>({p.m, p.n}, Floats(p.m * p.n, NAN));
    Values results = runner_->Run("tfrt_cpu.matmul.f32",
                                  {runner_->Tensor<float>(p.AShape(), p.a), b, out, ChainValue()},
                                  1, Flags(p).bytes());
    EXPECT_FALSE(results[0]->IsError()) << results[0]->GetErrorIfPresent();
    return Elements<float>(out);
  }
  Floats MatMul(const Product& p) { return MatMul(p, runner_->Tensor<float>(p.BShape(), p.b)); }

  Floats MatMulBias(const Product& p, const std::string& activation) {
    auto out = runner_->Tensor<float>({p.m, p.n}, Floats(p.m * p.n, NAN));
    Flags flags(p);
    EncodedAttribute name =
        EncodedAttribute::Array(std::vector<char>(activation.begin(), activation.end()));
    Values results = runner_->Run(
        "tfrt_cpu.matmul.bias.f32",
        {runner_->Tensor<float>(p.AShape(), p.a), runner_->Tensor<float>(p.BShape(), p.b),
         runner_->Tensor<float>({p.n}, p.bias), out, ChainValue()},
        1, {name.bytes(), flags.transpose_a.bytes(), flags.transpose_b.bytes()});
    EXPECT_FALSE(results[0]->IsError());
    return Elements<float>(out);
  }
};
INSTANTIATE_TEST_SUITE_P(Settings, CpuMatMulTest, AllSettings(), SettingName);

TEST_P(CpuMatMulTest, AgreesWithTheDefinitionInAllOrientationsAndOddSizes) {
  for (int64_t m : {1, 2, 7, 33}) {
    for (int64_t n : {1, 5, 16, 65}) {
      for (int64_t k : {0, 1, 3, 64}) {
        for (int flags = 0; flags < 4; ++flags) {
          Product p(1, m, n, k, flags & 1, flags & 2);
          SCOPED_TRACE(StrCat(m, "x", n, "x", k, " flags ", flags));
          ExpectNear(MatMul(p), p.Expected(), 1e-6);
        }
      }
    }
  }
}

TEST_P(CpuMatMulTest, LargeProductsAgreeAlthoughTheyAreSplit) {
  for (int flags = 0; flags < 4; ++flags) {
    Product p(1, 131, 190, 310, flags & 1, flags & 2);
    ExpectNear(MatMul(p), p.Expected(), 1e-5);
  }
}

TEST_P(CpuMatMulTest, AddsTheBiasAndActivates) {
  for (auto [name, function] : std::initializer_list<std::pair<const char*, double (*)(double)>>{
           {"none", [](double x) { return x; }},
           {"relu", [](double x) { return x > 0 ? x : 0; }},
           {"gelu", [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2))); }},
           {"gelu_tanh",
            [](double x) {
              return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
            }},
           {"tanh", [](double x) { return std::tanh(x); }},
           {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }}}) {
    SCOPED_TRACE(name);
    Product p(1, 9, 17, 12, false, true);
    p.bias = RandomFloats(17, 5);
    ExpectNear(MatMulBias(p, name), p.Expected(function), 1e-5);
  }
}

TEST_P(CpuMatMulTest, SumsOverNothingAreTheBias) {
  Product p(1, 3, 2, 0, false, false);
  p.bias = {1, -2};
  EXPECT_EQ(MatMulBias(p, "relu"), (Floats{1, 0, 1, 0, 1, 0}));
}

TEST_P(CpuMatMulTest, NotANumberAndInfinityGoThrough) {
  auto a = runner_->Tensor<float>({2, 2}, {NAN, 0, INFINITY, 1});
  auto b = runner_->Tensor<float>({2, 1}, {1, 1});
  auto out = runner_->Tensor<float>({2, 1}, {0, 0});
  Product p(1, 2, 1, 2, false, false);
  runner_->Run("tfrt_cpu.matmul.f32", {a, b, out, ChainValue()}, 1, Flags(p).bytes());
  EXPECT_TRUE(std::isnan(Elements<float>(out)[0]));
  EXPECT_EQ(Elements<float>(out)[1], INFINITY);
}

// In loops of ours; oneDNN may make 0 of it (docs/cpu_kernels.md).
TEST_P(CpuMatMulTest, NotANumberStaysThroughRelu) {
  for (int64_t size : {8, 200}) {
    if (size > 8 && GetParam().backend != ComputeBackend::kEigen) continue;
    Product p(1, size, size, size, false, false);
    p.bias = Floats(static_cast<size_t>(size));
    p.a[0] = NAN;
    Floats out = MatMulBias(p, "relu");
    for (int64_t i = 0; i < size; ++i) EXPECT_TRUE(std::isnan(out[static_cast<size_t>(i)])) << i;
    EXPECT_FALSE(std::isnan(out[static_cast<size_t>(size)]));
  }
}

TEST_P(CpuMatMulTest, BatchesMultiplyMatrixByMatrix) {
  for (int flags = 0; flags < 4; ++flags) {
    for (auto [m, n, k] : {std::array<int64_t, 3>{5, 4, 3}, {70, 66, 65}}) {
      Product p(6, m, n, k, flags & 1, flags & 2);
      p.alpha = 0.5;
      auto shape = [](TensorShape s) { return TensorShape{2, 3, s.dim(0), s.dim(1)}; };
      auto out = runner_->Tensor<float>({2, 3, m, n}, Floats(6 * m * n, NAN));
      Flags attributes(p);
      EncodedAttribute alpha = EncodedAttribute::Scalar<float>(p.alpha);
      Values results = runner_->Run(
          "tfrt_cpu.batch_matmul.f32",
          {runner_->Tensor<float>(shape(p.AShape()), p.a),
           runner_->Tensor<float>(shape(p.BShape()), p.b), out, ChainValue()},
          1, {alpha.bytes(), attributes.transpose_a.bytes(), attributes.transpose_b.bytes()});
      EXPECT_FALSE(results[0]->IsError());
      ExpectNear(Elements<float>(out), p.Expected(), 1e-5);
    }
  }
}

// Each product is that of the two matrices, which come from a kernel of two matrices alone.
TEST_P(CpuMatMulTest, BatchesAreBroadcast) {
  struct Batches {
    std::vector<int64_t> a, b, out;
    std::vector<std::array<int64_t, 2>> pairs;  // matrices of a and b
  };
  const std::vector<Batches> cases = {
      {{3}, {}, {3}, {{0, 0}, {1, 0}, {2, 0}}},
      {{}, {3}, {3}, {{0, 0}, {0, 1}, {0, 2}}},
      {{2, 1}, {3}, {2, 3}, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}},
      {{2, 2}, {2, 1}, {2, 2}, {{0, 0}, {1, 0}, {2, 1}, {3, 1}}},
      {{2}, {2, 1}, {2, 2}, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}},
      {{1, 2}, {2, 2}, {2, 2}, {{0, 0}, {1, 1}, {0, 2}, {1, 3}}},
  };
  auto shape = [](std::vector<int64_t> dims, TensorShape matrix) {
    for (size_t i = 0; i < 2; ++i) dims.push_back(matrix.dim(i));
    return *TensorShape::Create(dims);
  };
  for (const Batches& batches : cases) {
    for (int flags = 0; flags < 4; ++flags) {
      // Less than a task, some, and such that are split.
      for (auto [m, n, k] :
           {std::array<int64_t, 3>{5, 4, 3}, {3, 2, 0}, {72, 66, 130}, {128, 130, 129}}) {
        if (m > 60 && flags % 3 != 0) continue;
        if (m > 100 && (flags != 0 || batches.out.size() > 1)) continue;
        const Product p(4, m, n, k, flags & 1, flags & 2);
        TensorShape a_shape = shape(batches.a, p.AShape()), b_shape = shape(batches.b, p.BShape());
        Floats a(p.a.begin(), p.a.begin() + a_shape.num_elements());
        Floats b(p.b.begin(), p.b.begin() + b_shape.num_elements());
        const auto size = static_cast<int64_t>(batches.pairs.size());
        auto out = runner_->Tensor<float>(shape(batches.out, {m, n}), Floats(size * m * n, NAN));
        Flags attributes(p);
        EncodedAttribute alpha = EncodedAttribute::Scalar<float>(1);
        Values results = runner_->Run(
            "tfrt_cpu.batch_matmul.f32",
            {runner_->Tensor<float>(a_shape, a), runner_->Tensor<float>(b_shape, b), out,
             ChainValue()},
            1, {alpha.bytes(), attributes.transpose_a.bytes(), attributes.transpose_b.bytes()});
        ASSERT_FALSE(results[0]->IsError());
        Floats expected;
        for (auto [i, j] : batches.pairs) {
          Product one(1, m, n, k, flags & 1, flags & 2);
          one.a.assign(a.begin() + i * m * k, a.begin() + (i + 1) * m * k);
          one.b.assign(b.begin() + j * k * n, b.begin() + (j + 1) * k * n);
          for (float x : one.Expected()) expected.push_back(x);
        }
        ExpectNear(Elements<float>(out), expected, 1e-5);
      }
    }
  }
}

TEST_P(CpuMatMulTest, EmptyBatchesAndRowsDoNothing) {
  Product p(1, 0, 3, 2, false, false);
  EXPECT_EQ(MatMul(p), Floats());
}

class CpuMatMulErrorTest : public testing::Test {
 protected:
  std::string MatMulError(RCReference<AsyncValue> a, RCReference<AsyncValue> b,
                          RCReference<AsyncValue> out, bool transpose_b = false) {
    auto no = EncodedAttribute::Scalar<bool>(false);
    auto transpose = EncodedAttribute::Scalar<bool>(transpose_b);
    return runner_.Error("tfrt_cpu.matmul.f32", {a, b, out, ChainValue()},
                         {no.bytes(), transpose.bytes()});
  }
  std::string BiasError(RCReference<AsyncValue> bias, std::string activation) {
    auto no = EncodedAttribute::Scalar<bool>(false);
    auto name = EncodedAttribute::Array(std::vector<char>(activation.begin(), activation.end()));
    auto out = runner_.Tensor<float>({2, 2}, Floats(4));
    return runner_.Error("tfrt_cpu.matmul.bias.f32", {m22_, m22_, bias, out, ChainValue()},
                         {name.bytes(), no.bytes(), no.bytes()});
  }
  std::string BatchError(RCReference<AsyncValue> a, RCReference<AsyncValue> b,
                         RCReference<AsyncValue> out) {
    auto no = EncodedAttribute::Scalar<bool>(false);
    auto one = EncodedAttribute::Scalar<float>(1);
    return runner_.Error("tfrt_cpu.batch_matmul.f32", {a, b, out, ChainValue()},
                         {one.bytes(), no.bytes(), no.bytes()});
  }
  ContractionRunner runner_;
  RCReference<AsyncValue> m22_ = runner_.Tensor<float>({2, 2}, Floats(4));
  RCReference<AsyncValue> vector_ = runner_.Tensor<float>({2}, Floats(2));
};

TEST_F(CpuMatMulErrorTest, MatMul) {
  EXPECT_EQ(MatMulError(m22_, m22_, m22_), "the matmul output shares memory with an input");
  EXPECT_EQ(MatMulError(m22_, Scalar<float>(1), m22_),
            "the second matmul input is a float, expected a dense tensor or a matrix of "
            "tfrt_cpu.pack_matrix.f32");
  EXPECT_EQ(MatMulError(vector_, m22_, m22_),
            "the first matmul input has the shape [2], expected rank 2");
}

TEST_F(CpuMatMulErrorTest, Bias) {
  EXPECT_EQ(BiasError(runner_.Tensor<float>({3}, Floats(3)), "relu"),
            "the matmul bias has the shape [3], expected [2]");
  EXPECT_EQ(BiasError(runner_.Tensor<int32_t>({2}, {1, 2}), "relu"),
            "the matmul bias is a tensor of i32, expected f32");
  EXPECT_EQ(BiasError(vector_, "swish"),
            "unknown activation 'swish'; there are none, relu, gelu, gelu_tanh, tanh and sigmoid");
}

TEST_F(CpuMatMulErrorTest, Batches) {
  auto a = runner_.Tensor<float>({2, 2, 2}, Floats(8));
  auto b = runner_.Tensor<float>({3, 2, 2}, Floats(12));
  EXPECT_EQ(
      BatchError(a, b, runner_.Tensor<float>({2, 2, 2}, Floats(8))),
      "the leading dimensions of a batch matmul do not fit: [2, 2, 2] * [3, 2, 2] = [2, 2, 2]");
  // They are broadcast.
  auto one = runner_.Tensor<float>({1, 2, 2}, Floats(4));
  EXPECT_EQ(
      BatchError(one, b, one),
      "the leading dimensions of a batch matmul do not fit: [1, 2, 2] * [3, 2, 2] = [1, 2, 2]");
  EXPECT_EQ(BatchError(one, m22_, m22_),
            "the leading dimensions of a batch matmul do not fit: [1, 2, 2] * [2, 2] = [2, 2]");
  EXPECT_EQ(BatchError(vector_, m22_, m22_),
            "the first matmul input has the shape [2], expected at least rank 2");
  EXPECT_EQ(BatchError(m22_, vector_, m22_),
            "the second matmul input has the shape [2], expected at least rank 2");
  EXPECT_EQ(BatchError(m22_, m22_, vector_),
            "the matmul output has the shape [2], expected at least rank 2");
}

}  // namespace
}  // namespace tfrt
