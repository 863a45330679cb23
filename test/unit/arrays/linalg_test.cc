// Linear algebra, with figures of NumPy.

#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "test/unit/arrays/arrays_fixture.h"

namespace tfrt::eager {
namespace {

namespace linalg = arrays::linalg;

class LinalgTest : public ArraysTest {
 protected:
  const Tensor a = Make<float>({2, 2}, {4, 2, 2, 3});  // positive definite
  const Tensor b = Make<float>({2, 2}, {1, 2, 3, 4});
  const Tensor r = Make<float>({2, 3}, {1, 2, 2, 2, 1, -2});
  const Tensor ones = Make<float>({2, 2}, {1, 1, 1, 1});
  const Tensor v = Make<float>({3}, {3, -4, 0});
  const double infinity = std::numeric_limits<double>::infinity();
};

TEST_F(LinalgTest, Cholesky) {
  ExpectEverywhere([](const Tensor& x) { return Rounded(linalg::Cholesky(x)); }, a,
                   "f32 [2, 2]: 2 0 1 1.414");
  EXPECT_EQ(TextOf(Rounded(linalg::Cholesky(a, {.upper = true}))), "f32 [2, 2]: 2 1 0 1.414");
  EXPECT_EQ(TextOf(Rounded(linalg::Cholesky(arrays::Stack({a, a * 4})))),
            "f32 [2, 2, 2]: 2 0 1 1.414 4 0 2 2.828");
  EXPECT_EQ(TextOf(linalg::Cholesky(arrays::Zeros({3, 0, 0}))), "f32 [3, 0, 0]:");
  EXPECT_THAT(TextOf(linalg::Cholesky(arrays::Stack({a, b * -1}))),
              AllOf(HasSubstr("linalg_test.cc:"), HasSubstr("matrix 1 is not positive definite")));
}

TEST_F(LinalgTest, Eigenvalues) {
  ExpectEverywhere([](const Tensor& x) { return Rounded(linalg::Eigvalsh(x)); }, a,
                   "f32 [2]: 1.438 5.562");
  // V diag(w) V^T is the matrix again.
  auto again = [](const Tensor& x) {
    auto [values, vectors] = linalg::Eigh(x);
    return Rounded(linalg::Matmul(vectors * values, linalg::MatrixTranspose(vectors)));
  };
  ExpectEverywhere(again, a, "f32 [2, 2]: 4 2 2 3");
  EXPECT_EQ(linalg::Eigh(arrays::Stack({a, a})).eigenvectors.shape()->ToString(), "[2, 2, 2]");
  EXPECT_EQ(
      TextOf(Rounded(linalg::Eigvalsh(arrays::AsType(arrays::Stack({a, a * 2}), DType::kF64)))),
      "f64 [2, 2]: 1.438 5.562 2.877 11.123");
}

TEST_F(LinalgTest, SingularValues) {
  ExpectEverywhere([](const Tensor& x) { return Rounded(linalg::Svdvals(x)); }, r, "f32 [2]: 3 3");
  auto again = [](const Tensor& x) {
    auto [u, s, vh] = linalg::Svd(x, {.full_matrices = false});
    return Rounded(linalg::Matmul(u * s, vh));
  };
  ExpectEverywhere(again, r, "f32 [2, 3]: 1 2 2 2 1 -2");
  auto [u, s, vh] = linalg::Svd(r);
  EXPECT_EQ(u.shape()->ToString(), "[2, 2]");
  EXPECT_EQ(s.shape()->ToString(), "[2]");
  EXPECT_EQ(vh.shape()->ToString(), "[3, 3]");
}

TEST_F(LinalgTest, Qr) {
  auto again = [](const Tensor& x) {
    auto [q, r] = linalg::Qr(x);
    return Rounded(linalg::Matmul(q, r));
  };
  const Tensor tall = linalg::MatrixTranspose(r);
  ExpectEverywhere(again, tall, "f32 [3, 2]: 1 2 2 1 2 -2");
  EXPECT_EQ(linalg::Qr(tall).q.shape()->ToString(), "[3, 2]");
  auto [q, upper] = linalg::Qr(tall, {.mode = "complete"});
  EXPECT_EQ(q.shape()->ToString(), "[3, 3]");
  EXPECT_EQ(upper.shape()->ToString(), "[3, 2]");
  EXPECT_EQ(TextOf(Rounded(linalg::Matmul(linalg::MatrixTranspose(q), q))),
            "f32 [3, 3]: 1 0 0 0 1 0 0 0 1");
}

TEST_F(LinalgTest, Equations) {
  const Tensor eights = Make<float>({2}, {8, 8});
  ExpectEverywhere([&](const Tensor& x) { return Rounded(linalg::Solve(x, eights)); }, a,
                   "f32 [2]: 1 2");
  EXPECT_EQ(TextOf(Rounded(linalg::Solve(a, Make<double>({2, 2}, {8, 4, 8, 0})))),
            "f64 [2, 2]: 1 1.5 2 -1");
  EXPECT_EQ(TextOf(Rounded(linalg::Solve(arrays::Stack({a, a * 2}), Make<float>({2, 1}, {8, 8})))),
            "f32 [2, 2, 1]: 1 2 0.5 1");
  ExpectEverywhere([](const Tensor& x) { return Rounded(linalg::Inv(x)); }, b,
                   "f32 [2, 2]: -2 1 1.5 -0.5");
  ExpectEverywhere([](const Tensor& x) { return Rounded(linalg::Det(x)); }, b, "f32 []: -2");
  ExpectEverywhere([](const Tensor& x) { return Rounded(linalg::Slogdet(x).logabsdet); }, b,
                   "f32 []: 0.693");
  EXPECT_EQ(TextOf(linalg::Slogdet(b).sign), "f32 []: -1");
  EXPECT_EQ(TextOf(linalg::Slogdet(ones).logabsdet), "f32 []: -inf");
  EXPECT_EQ(TextOf(linalg::Det(arrays::Zeros({2, 0, 0}))), "f32 [2]: 1 1");
  EXPECT_THAT(TextOf(linalg::Inv(arrays::Stack({b, ones}))), HasSubstr("matrix 1 is singular"));
}

TEST_F(LinalgTest, PseudoInverses) {
  ExpectEverywhere([](const Tensor& x) { return Rounded(linalg::Pinv(x)); }, r,
                   "f32 [3, 2]: 0.111 0.222 0.222 0.111 0.222 -0.222");
  ExpectEverywhere([](const Tensor& x) { return Rounded(linalg::Pinv(x)); }, ones,
                   "f32 [2, 2]: 0.25 0.25 0.25 0.25");
  const Tensor two = Make<float>({2, 2, 2}, {4, 0, 0, 1, 4, 0, 0, 1});
  EXPECT_EQ(TextOf(Rounded(linalg::Pinv(two, {.rtol = 0.5}))),
            "f32 [2, 2, 2]: 0.25 0 0 0 0.25 0 0 0");
  EXPECT_EQ(TextOf(Rounded(linalg::Pinv(two, {.rtol = Make<double>({2}, {0.5, 0.1})}))),
            "f32 [2, 2, 2]: 0.25 0 0 0 0.25 0 0 1");
  using Number = std::complex<float>;
  const Tensor complex = linalg::Pinv(Make<Number>({2, 2}, {Number(1, 1), 0, 0, 2}));
  EXPECT_EQ(TextOf(Rounded(Real(complex))), "f32 [2, 2]: 0.5 0 0 0.5");
  EXPECT_EQ(TextOf(Rounded(Imag(complex))), "f32 [2, 2]: -0.5 0 0 0");
  EXPECT_EQ(TextOf(linalg::Pinv(arrays::Zeros({0, 2}))), "f32 [2, 0]:");
}

TEST_F(LinalgTest, Ranks) {
  ExpectEverywhere([](const Tensor& x) { return linalg::MatrixRank(x); }, r, "i32 []: 2");
  EXPECT_EQ(TextOf(linalg::MatrixRank(arrays::Stack({ones, b}))), "i32 [2]: 1 2");
  EXPECT_EQ(TextOf(linalg::MatrixRank(arrays::Stack({a, b}), {.rtol = 0.2})), "i32 [2]: 2 1");
  EXPECT_EQ(TextOf(linalg::MatrixRank(arrays::Zeros({2, 0, 3}))), "i32 [2]: 0 0");
}

TEST_F(LinalgTest, Powers) {
  ExpectEverywhere([](const Tensor& x) { return linalg::MatrixPower(x, 0); }, b,
                   "f32 [2, 2]: 1 0 0 1");
  ExpectEverywhere([](const Tensor& x) { return linalg::MatrixPower(x, 5); }, b,
                   "f32 [2, 2]: 1069 1558 2337 3406");
  EXPECT_EQ(TextOf(linalg::MatrixPower(b, 1)), "f32 [2, 2]: 1 2 3 4");
  EXPECT_EQ(TextOf(linalg::MatrixPower(arrays::Stack({b, b}), 3)),
            "f32 [2, 2, 2]: 37 54 81 118 37 54 81 118");
  EXPECT_EQ(TextOf(Rounded(linalg::MatrixPower(b, -2))), "f32 [2, 2]: 5.5 -2.5 -3.75 1.75");
  const Tensor identity = arrays::Eye(2);
  EXPECT_EQ(TextOf(linalg::MatrixPower(identity, std::numeric_limits<int64_t>::min())),
            "f32 [2, 2]: 1 0 0 1");
}

TEST_F(LinalgTest, NormsOfMatrices) {
  ExpectEverywhere([](const Tensor& x) { return Rounded(linalg::MatrixNorm(x)); }, r,
                   "f32 []: 4.243");
  ExpectEverywhere([](const Tensor& x) { return linalg::MatrixNorm(x, {.ord = 1}); }, r,
                   "f32 []: 4");
  ExpectEverywhere([](const Tensor& x) { return Rounded(linalg::MatrixNorm(x, {.ord = 2})); }, r,
                   "f32 []: 3");
  auto norm = [&](linalg::MatrixOrder ord) {
    return TextOf(Rounded(linalg::MatrixNorm(r, {.ord = ord})));
  };
  EXPECT_EQ(norm("nuc"), "f32 []: 6");
  EXPECT_EQ(norm(-1), "f32 []: 3");
  EXPECT_EQ(norm(-2), "f32 []: 3");
  EXPECT_EQ(norm(infinity), "f32 []: 5");
  EXPECT_EQ(norm(-infinity), "f32 []: 5");
  EXPECT_EQ(TextOf(linalg::MatrixNorm(arrays::Stack({a, b}), {.keepdims = true, .ord = infinity})),
            "f32 [2, 1, 1]: 6 7");
  EXPECT_EQ(TextOf(linalg::MatrixNorm(arrays::Zeros({0, 2}), {.ord = 1})), "f32 []: 0");
  EXPECT_THAT(norm(3), HasSubstr("matrix_norm: ord is 'fro', 'nuc', 1, -1, 2, -2, infinity or "
                                 "-infinity, not 3"));
  EXPECT_THAT(norm("max"), HasSubstr("not 'max'"));
}

TEST_F(LinalgTest, NormsOfVectors) {
  ExpectEverywhere([](const Tensor& x) { return linalg::VectorNorm(x); }, v, "f32 []: 5");
  ExpectEverywhere(
      [](const Tensor& x) {
        return Rounded(linalg::VectorNorm(x, {.axis = 0, .keepdims = true, .ord = 3}));
      },
      r, "f32 [1, 3]: 2.08 2.08 2.52");
  auto norm = [&](double ord) { return TextOf(Rounded(linalg::VectorNorm(v, {.ord = ord}))); };
  EXPECT_EQ(norm(1), "f32 []: 7");
  EXPECT_EQ(norm(0), "f32 []: 2");
  EXPECT_EQ(norm(0.5), "f32 []: 13.928");
  EXPECT_EQ(norm(infinity), "f32 []: 4");
  EXPECT_EQ(norm(-infinity), "f32 []: 0");
  EXPECT_EQ(TextOf(linalg::VectorNorm(arrays::AsType(v, DType::kF16))), "f16 []: 5");
  EXPECT_EQ(TextOf(linalg::VectorNorm(arrays::Zeros(0), {.ord = infinity})), "f32 []: 0");
  EXPECT_THAT(TextOf(linalg::VectorNorm(v, {.axis = 1})),
              HasSubstr("vector_norm: axis 1 is out of range for an array of 1 dimension"));
  EXPECT_THAT(TextOf(linalg::VectorNorm(Make<int32_t>({2}, {3, 4}))),
              HasSubstr("x has elements of f16, bf16, f32 or f64, not i32"));
}

TEST_F(LinalgTest, Cross) {
  const Tensor y = Make<float>({3}, {4, 5, 6});
  ExpectEverywhere([&](const Tensor& x) { return linalg::Cross(x, y); },
                   Make<float>({3}, {1, 2, 3}), "f32 [3]: -3 6 -3");
  const Tensor axes = Make<int32_t>({2, 3}, {1, 0, 0, 0, 1, 0});
  const Tensor z = Make<int64_t>({3}, {0, 0, 1});
  EXPECT_EQ(TextOf(linalg::Cross(axes, z)), "i64 [2, 3]: 0 -1 0 1 0 0");
  EXPECT_EQ(
      TextOf(linalg::Cross(linalg::MatrixTranspose(axes), arrays::Reshape(z, {3, 1}), {.axis = 0})),
      "i64 [3, 2]: 0 1 -1 0 0 0");
  EXPECT_THAT(TextOf(linalg::Cross(y, a)),
              HasSubstr("cross: x2 has vectors of size 2 along axis -1, not 3"));
  EXPECT_THAT(TextOf(linalg::Cross(y > 4, y > 5)), HasSubstr("x1 and x2 have numbers, not i1"));
  EXPECT_THAT(TextOf(linalg::Cross(y, y, {.axis = -2})), HasSubstr("axis -2 is out of range"));
}

TEST_F(LinalgTest, Diagonals) {
  const Tensor m = arrays::Reshape(arrays::Arange(12), {3, 4});
  auto diagonal = [](int64_t offset) {
    return [=](const Tensor& x) { return linalg::Diagonal(x, {.offset = offset}); };
  };
  ExpectEverywhere(diagonal(0), m, "i32 [3]: 0 5 10");
  ExpectEverywhere(diagonal(1), m, "i32 [3]: 1 6 11");
  ExpectEverywhere(diagonal(3), m, "i32 [1]: 3");
  ExpectEverywhere(diagonal(-2), m, "i32 [1]: 8");
  for (int64_t far : {int64_t{4}, int64_t{-3}, std::numeric_limits<int64_t>::max(),
                      std::numeric_limits<int64_t>::min()}) {
    ExpectEverywhere(diagonal(far), m, "i32 [0]:");
  }
  EXPECT_EQ(TextOf(diagonal(-1)(arrays::Stack({a, b}) > 2)), "i1 [2, 1]: 0 1");
  EXPECT_EQ(TextOf(diagonal(0)(arrays::Zeros({2, 0, 3}))), "f32 [2, 0]:");
  ExpectEverywhere([](const Tensor& x) { return linalg::Trace(x); }, m, "i32 []: 15");
  EXPECT_EQ(TextOf(linalg::Trace(m, {.offset = 1, .dtype = DType::kF64})), "f64 []: 18");
  EXPECT_EQ(TextOf(linalg::Trace(arrays::AsType(m, DType::kI8))), "i32 []: 15");
  EXPECT_THAT(TextOf(linalg::Trace(m > 3)), HasSubstr("trace: x has numbers, not i1"));
  EXPECT_THAT(TextOf(linalg::Diagonal(v)),
              HasSubstr("diagonal: x has 2 dimensions or more, not 1"));
}

TEST_F(LinalgTest, Products) {
  EXPECT_EQ(TextOf(linalg::Matmul(a, b)), "f32 [2, 2]: 10 16 11 16");
  EXPECT_EQ(TextOf(linalg::Outer(v, v)), "f32 [3, 3]: 9 -12 0 -12 16 -0 0 -0 0");
  EXPECT_EQ(TextOf(linalg::Vecdot(v, v)), "f32 []: 25");
  EXPECT_EQ(TextOf(linalg::Tensordot(a, b)), "f32 []: 26");
}

TEST_F(LinalgTest, Errors) {
  const Tensor integers = Make<int32_t>({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(TextOf(linalg::Det(r)),
              AllOf(HasSubstr("linalg_test.cc:"),
                    HasSubstr("det: x has square matrices, but 2 rows and 3 columns")));
  EXPECT_THAT(TextOf(linalg::Svdvals(integers)),
              HasSubstr("svdvals: x has elements of f32 or f64, not i32"));
  EXPECT_THAT(TextOf(linalg::Pinv(v)), HasSubstr("pinv: x has 2 dimensions or more, not 1"));
  EXPECT_THAT(TextOf(linalg::Pinv(a, {.rtol = integers})),
              HasSubstr("rtol has elements of f16, bf16, f32 or f64, not i32"));
  EXPECT_THAT(TextOf(linalg::Solve(a, v)), HasSubstr("solve: x1 has 2 rows, but x2 has 3"));
  EXPECT_THAT(TextOf(linalg::Solve(a, v.At(0))),
              HasSubstr("x2 has 1 dimension or more, but it has none"));
  EXPECT_THAT(TextOf(linalg::Solve(a, integers)),
              HasSubstr("x2 has elements of f32 or f64, not i32"));
  EXPECT_THAT(TextOf(linalg::Qr(a, {.mode = "raw"}).r),
              HasSubstr("qr: mode is 'reduced' or 'complete', not 'raw'"));
  EXPECT_THAT(TextOf(linalg::Svd(v).vh), HasSubstr("svd: x has 2 dimensions or more, not 1"));
  EXPECT_THAT(TextOf(linalg::Eigh(r).eigenvectors), HasSubstr("eigh: x has square matrices"));
  EXPECT_THAT(TextOf(linalg::Slogdet(r).sign), HasSubstr("slogdet: x has square matrices"));
  // The error of an argument is that of the call.
  EXPECT_THAT(TextOf(linalg::Inv(linalg::Det(r))), HasSubstr("det: x has square matrices"));
  EXPECT_THAT(TextOf(linalg::Det(Tensor())), HasSubstr("det: this is not a tensor"));
}

}  // namespace
}  // namespace tfrt::eager
