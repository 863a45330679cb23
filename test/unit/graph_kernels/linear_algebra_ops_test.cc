// Factors of matrices, whose signs are free: their products are the matrices. What is no matrix,
// or has no inverse, is an error.

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "graph_op_runner.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Row-major matrices of one size.
struct MatrixStack {
  int64_t rows = 0, columns = 0;
  std::vector<double> elements;
  int64_t count() const {
    return rows * columns == 0 ? 0 : static_cast<int64_t>(elements.size()) / (rows * columns);
  }
  double at(int64_t matrix, int64_t row, int64_t column) const {
    return elements[static_cast<size_t>((matrix * rows + row) * columns + column)];
  }
};

MatrixStack Product(const MatrixStack& a, const MatrixStack& b) {
  MatrixStack product{a.rows, b.columns, {}};
  for (int64_t k = 0; k < a.count(); ++k) {
    for (int64_t i = 0; i < a.rows; ++i) {
      for (int64_t j = 0; j < b.columns; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < a.columns; ++l) sum += a.at(k, i, l) * b.at(k, l, j);
        product.elements.push_back(sum);
      }
    }
  }
  return product;
}

MatrixStack Transposed(const MatrixStack& a) {
  MatrixStack transposed{a.columns, a.rows, {}};
  for (int64_t k = 0; k < a.count(); ++k) {
    for (int64_t j = 0; j < a.columns; ++j) {
      for (int64_t i = 0; i < a.rows; ++i) transposed.elements.push_back(a.at(k, i, j));
    }
  }
  return transposed;
}

MatrixStack RandomMatrices(int64_t count, int64_t rows, int64_t columns) {
  std::mt19937 random(static_cast<uint32_t>(100 * rows + columns));
  std::uniform_real_distribution<double> uniform(-1, 1);
  MatrixStack made{rows, columns, std::vector<double>(static_cast<size_t>(count * rows * columns))};
  for (double& element : made.elements) element = uniform(random);
  return made;
}

MatrixStack MatricesOf(const TensorHandle& handle) {
  const DenseHostTensor& tensor = DenseOf(handle);
  const TensorShape& shape = tensor.shape();
  MatrixStack made{shape.dim(shape.rank() - 2), shape.dim(shape.rank() - 1), {}};
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    made.elements.push_back(tensor.dtype() == DType::kF32
                                ? double{static_cast<const float*>(tensor.data())[i]}
                                : static_cast<const double*>(tensor.data())[i]);
  }
  return made;
}

void ExpectNear(const MatrixStack& actual, const MatrixStack& expected, double tolerance) {
  ASSERT_EQ(actual.elements.size(), expected.elements.size());
  for (size_t i = 0; i < actual.elements.size(); ++i) {
    ASSERT_NEAR(actual.elements[i], expected.elements[i], tolerance) << "element " << i;
  }
}

void ExpectOrthonormalColumns(const MatrixStack& q, double tolerance) {
  const MatrixStack product = Product(Transposed(q), q);
  for (int64_t k = 0; k < product.count(); ++k) {
    for (int64_t i = 0; i < product.rows; ++i) {
      for (int64_t j = 0; j < product.rows; ++j) {
        ASSERT_NEAR(product.at(k, i, j), i == j ? 1 : 0, tolerance) << k << " " << i << " " << j;
      }
    }
  }
}

struct Setting {
  DType dtype;
  const char* queue;
};

class LinearAlgebraOpsTest : public testing::TestWithParam<Setting> {
 protected:
  TensorHandle Tensor(const MatrixStack& matrices) {
    const TensorShape shape{matrices.count(), matrices.rows, matrices.columns};
    if (!is_f32()) return runner_.Dense<double>(shape, matrices.elements);
    return runner_.Dense<float>(
        shape, std::vector<float>(matrices.elements.begin(), matrices.elements.end()));
  }
  TensorHandle Square(std::vector<double> elements) {
    const auto size = static_cast<int64_t>(std::lround(std::sqrt(elements.size())));
    return Tensor({size, size, std::move(elements)});
  }
  bool is_f32() const { return GetParam().dtype == DType::kF32; }
  double tolerance() const { return is_f32() ? 1e-5 : 1e-12; }

  GraphOpRunner runner_{GetParam().queue};
};

INSTANTIATE_TEST_SUITE_P(All, LinearAlgebraOpsTest,
                         testing::Values(Setting{DType::kF32, "s"}, Setting{DType::kF64, "s"},
                                         Setting{DType::kF64, "mstd:2"}),
                         [](const testing::TestParamInfo<Setting>& info) {
                           return StrCat(DTypeName(info.param.dtype),
                                         info.param.queue[0] == 's' ? "" : "_threads");
                         });

constexpr int64_t kShapes[][2] = {{1, 1}, {5, 5}, {7, 3}, {3, 7}, {40, 25}, {25, 40}, {1, 9}};

TEST_P(LinearAlgebraOpsTest, QrIsTheMatrix) {
  for (auto [rows, columns] : kShapes) {
    for (bool complete : {false, true}) {
      SCOPED_TRACE(StrCat(rows, " x ", columns, complete ? ", complete" : ""));
      OpAttrs attrs;
      attrs.Set("complete", complete);
      const MatrixStack in = RandomMatrices(4, rows, columns);
      Handles results = runner_.Run("graph.qr", {Tensor(in)}, attrs.Freeze(), 2);
      ASSERT_FALSE(results[0].IsError()) << results[0].ToString();
      const MatrixStack q = MatricesOf(results[0]), r = MatricesOf(results[1]);
      EXPECT_EQ(q.columns, complete ? rows : std::min(rows, columns));
      ExpectNear(Product(q, r), in, tolerance());
      ExpectOrthonormalColumns(q, tolerance());
      for (int64_t i = 0; i < r.rows; ++i) {
        for (int64_t j = 0; j < std::min(i, r.columns); ++j) EXPECT_EQ(r.at(3, i, j), 0);
      }
    }
  }
}

TEST_P(LinearAlgebraOpsTest, SvdIsTheMatrix) {
  for (auto [rows, columns] : kShapes) {
    for (bool full : {false, true}) {
      SCOPED_TRACE(StrCat(rows, " x ", columns, full ? ", full" : ""));
      OpAttrs attrs;
      attrs.Set("full_matrices", full);
      const MatrixStack in = RandomMatrices(3, rows, columns);
      Handles results = runner_.Run("graph.svd", {Tensor(in)}, attrs.Freeze(), 3);
      ASSERT_FALSE(results[0].IsError()) << results[0].ToString();
      const MatrixStack u = MatricesOf(results[0]), s = MatricesOf(results[1]),
                        vh = MatricesOf(results[2]);
      const int64_t k = std::min(rows, columns);
      ASSERT_EQ(s.columns, k);
      EXPECT_EQ(u.columns, full ? rows : k);
      EXPECT_EQ(vh.rows, full ? columns : k);
      MatrixStack diagonal{u.columns, vh.rows, {}};
      for (int64_t matrix = 0; matrix < 3; ++matrix) {
        for (int64_t i = 0; i < diagonal.rows; ++i) {
          for (int64_t j = 0; j < diagonal.columns; ++j) {
            diagonal.elements.push_back(i == j && i < k ? s.at(0, matrix, i) : 0);
          }
        }
        for (int64_t i = 1; i < k; ++i) EXPECT_LE(s.at(0, matrix, i), s.at(0, matrix, i - 1));
        EXPECT_GE(s.at(0, matrix, k - 1), 0);
      }
      ExpectNear(Product(Product(u, diagonal), vh), in, 4 * tolerance());
      ExpectOrthonormalColumns(u, 4 * tolerance());
      ExpectOrthonormalColumns(Transposed(vh), 4 * tolerance());
    }
  }
}

TEST_P(LinearAlgebraOpsTest, EighIsTheMatrix) {
  for (int64_t size : {1, 2, 6, 33}) {
    for (bool lower : {true, false}) {
      SCOPED_TRACE(StrCat(size, lower ? ", lower" : ", upper"));
      const MatrixStack in = RandomMatrices(3, size, size);
      MatrixStack symmetric = in;
      for (int64_t k = 0; k < 3; ++k) {
        for (int64_t i = 0; i < size; ++i) {
          for (int64_t j = 0; j < size; ++j) {
            const bool read = lower ? i >= j : i <= j;
            symmetric.elements[static_cast<size_t>((k * size + i) * size + j)] =
                read ? in.at(k, i, j) : in.at(k, j, i);
          }
        }
      }
      OpAttrs attrs;
      attrs.Set("lower", lower);
      Handles results = runner_.Run("graph.eigh", {Tensor(in)}, attrs.Freeze(), 2);
      ASSERT_FALSE(results[0].IsError()) << results[0].ToString();
      const MatrixStack values = MatricesOf(results[0]), vectors = MatricesOf(results[1]);
      ExpectOrthonormalColumns(vectors, 4 * tolerance());
      MatrixStack scaled = vectors;
      for (int64_t k = 0; k < 3; ++k) {
        for (int64_t i = 0; i < size; ++i) {
          for (int64_t j = 0; j < size; ++j) {
            scaled.elements[static_cast<size_t>((k * size + i) * size + j)] *= values.at(0, k, j);
          }
        }
        for (int64_t i = 1; i < size; ++i) EXPECT_LE(values.at(0, k, i - 1), values.at(0, k, i));
      }
      ExpectNear(Product(scaled, Transposed(vectors)), symmetric, 8 * tolerance());
    }
  }
}

// The algorithms would go on for long, or end anywhere.
TEST_P(LinearAlgebraOpsTest, WhatIsNotFiniteIsNan) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (double bad : {nan, infinity, -infinity}) {
    MatrixStack in = RandomMatrices(2, 20, 20);
    in.elements[5 * 20 + 5] = bad;
    for (const char* op : {"graph.svd", "graph.eigh"}) {
      Handles results = runner_.Run(op, {Tensor(in)}, {}, op[6] == 's' ? 3 : 2);
      for (const TensorHandle& result : results) {
        const MatrixStack of = MatricesOf(result);
        EXPECT_TRUE(std::isnan(of.elements.front()));
        EXPECT_FALSE(std::isnan(of.elements.back()));  // of the second matrix
      }
    }
  }
  for (const char* op : {"graph.inverse", "graph.cholesky"}) {
    const TensorHandle result = runner_.Run1(op, {Square({nan, 0, 0, 1})});
    ASSERT_FALSE(result.IsError()) << result.ToString();
    EXPECT_TRUE(std::isnan(MatricesOf(result).elements[0])) << op;
  }
}

TEST_P(LinearAlgebraOpsTest, TheFirstBadMatrixIsNamed) {
  // 40 matrices, so that several threads find bad ones.
  MatrixStack in{2, 2, {}};
  for (int i = 0; i < 40; ++i) {
    const double last = i == 17 || i == 30 ? 1 : 5;
    in.elements.insert(in.elements.end(), {1, 1, 1, last});
  }
  const MatrixStack right = RandomMatrices(40, 2, 3);
  EXPECT_EQ(runner_.Error("graph.inverse", {Tensor(in)}), "inverse: matrix 17 is singular");
  EXPECT_EQ(runner_.Error("graph.solve", {Tensor(in), Tensor(right)}),
            "solve: matrix 17 is singular");
  for (size_t i : {size_t{21}, size_t{39}}) in.elements[4 * i + 3] = -1;
  EXPECT_EQ(runner_.Error("graph.cholesky", {Tensor(in)}),
            "cholesky: matrix 17 is not positive definite");
}

TEST_P(LinearAlgebraOpsTest, ShapesAndDtypesAreRefused) {
  const TensorHandle vector = runner_.Floats({3}), wide = runner_.Floats({2, 3}),
                     square = runner_.Floats({2, 2}), halves = runner_.Zeros(DType::kF16, {2, 2});
  for (const char* name : {"cholesky", "eigvalsh", "inverse", "determinant"}) {
    const std::string op = StrCat("graph.", name);
    EXPECT_EQ(runner_.Error(op, {vector}),
              StrCat(name, ": the shape [3] is not of matrices, which have rank 2 or more"));
    EXPECT_EQ(runner_.Error(op, {wide}),
              StrCat(name, ": the matrices are not square: the shape is [2, 3]"));
    EXPECT_EQ(runner_.Error(op, {halves}),
              StrCat(name, ": there are matrices of f32 and f64, not of f16"));
  }
  EXPECT_EQ(runner_.Error("graph.solve", {square, runner_.Floats({3, 1})}),
            "solve: matrices of the shape [2, 2] have no right side of the shape [3, 1]");
  EXPECT_EQ(runner_.Error("graph.solve", {runner_.Floats({2, 2, 2}), runner_.Floats({3, 2, 1})}),
            "solve: the shapes [2] and [3] cannot be broadcast together");
  EXPECT_EQ(runner_.Error("graph.solve", {square, runner_.Zeros(DType::kF64, {2, 1})}),
            "solve: incompatible dtypes f32 and f64");
}

}  // namespace
}  // namespace tfrt
