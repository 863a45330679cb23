// Eigen's templates take long to compile, so there is one kind of matrix: f64 by columns. Matrices
// of f32 are computed with in f64, too, and their results are rounded once.

#include "linear_algebra.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/shapes/batch_broadcast.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

using Matrix = Eigen::MatrixXd;
using Lu = Eigen::PartialPivLU<Matrix>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The matrices of a tensor; vectors are columns, and scalars have one row and column.
class Matrices {
 public:
  Matrices(const DenseHostTensor& tensor, size_t matrix_rank)
      : data_(const_cast<void*>(tensor.data())), is_f32_(tensor.dtype() == DType::kF32) {
    assert(is_f32_ || tensor.dtype() == DType::kF64);
    const ShapeDims own = tensor.shape().dims();
    const std::span<const int64_t> dims = own;
    count_ = 1;
    for (int64_t dim : dims.first(dims.size() - matrix_rank)) count_ *= dim;
    if (matrix_rank > 0) rows_ = dims[dims.size() - matrix_rank];
    if (matrix_rank > 1) columns_ = dims.back();
  }

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  int64_t count() const { return count_; }

  Matrix operator[](int64_t index) const {
    Matrix matrix(rows_, columns_);
    auto copy = [&](const auto* from) {
      for (int64_t i = 0; i < rows_; ++i) {
        for (int64_t j = 0; j < columns_; ++j) matrix(i, j) = *from++;
      }
    };
    const int64_t at = index * rows_ * columns_;
    is_f32_ ? copy(static_cast<const float*>(data_) + at)
            : copy(static_cast<const double*>(data_) + at);
    return matrix;
  }
  void Set(int64_t index, const Matrix& matrix, bool transposed = false) const {
    auto copy = [&]<typename T>(T* to) {
      for (int64_t i = 0; i < rows_; ++i) {
        for (int64_t j = 0; j < columns_; ++j) {
          *to++ = static_cast<T>(transposed ? matrix(j, i) : matrix(i, j));
        }
      }
    };
    const int64_t at = index * rows_ * columns_;
    is_f32_ ? copy(static_cast<float*>(data_) + at) : copy(static_cast<double*>(data_) + at);
  }
  void SetNumber(int64_t index, double number) const {
    Set(index, Matrix::Constant(rows_, columns_, number));
  }
  void SetIdentity(int64_t index) const { Set(index, Matrix::Identity(rows_, columns_)); }

 private:
  void* data_;
  bool is_f32_;
  int64_t rows_ = 1, columns_ = 1, count_;
};

double Cube(int64_t n) { return double(n) * double(n) * double(n); }

// Calls run(i) for each matrix, which has about `cost` operations. False: the matrix is `bad`, and
// the first such one is the error.
template <typename Run>
AsyncValueRef<Chain> ForEachMatrix(const ExecutionContext& exec_ctx, std::string_view op,
                                   std::string_view bad, int64_t count, double cost,
                                   std::initializer_list<const DenseHostTensor*> operands,
                                   Run run) {
  auto first_bad = std::make_shared<std::atomic<int64_t>>(count);
  const auto item_cost = static_cast<size_t>(std::clamp(cost, 1.0, double(kBlockCost)));
  AsyncValueRef<Chain> done =
      RunBlocks(exec_ctx, static_cast<size_t>(count), ItemsPerBlock(item_cost), operands,
                [first_bad, run = std::move(run)](size_t begin, size_t end) {
                  for (auto i = static_cast<int64_t>(begin); i < static_cast<int64_t>(end); ++i) {
                    if (run(i)) continue;
                    // relaxed: the loop's end orders it before the load below.
                    int64_t first = first_bad->load(std::memory_order_relaxed);
                    while (i < first &&
                           !first_bad->compare_exchange_weak(first, i, std::memory_order_relaxed)) {
                    }
                  }
                });
  return done.Map([first_bad, exec_ctx, op, bad, count](Chain&) -> StatusOr<Chain> {
    const int64_t first = first_bad->load(std::memory_order_relaxed);
    if (first == count) return Chain();
    return EmitError(exec_ctx, InvalidArgumentError(StrCat(op, ": matrix ", first, " is ", bad)));
  });
}

// The same for what all matrices have.
template <typename Run>
AsyncValueRef<Chain> ForEachMatrix(const ExecutionContext& exec_ctx, int64_t count, double cost,
                                   std::initializer_list<const DenseHostTensor*> operands,
                                   Run run) {
  const auto item_cost = static_cast<size_t>(std::clamp(cost, 1.0, double(kBlockCost)));
  return RunBlocks(exec_ctx, static_cast<size_t>(count), ItemsPerBlock(item_cost), operands,
                   [run = std::move(run)](size_t begin, size_t end) {
                     for (size_t i = begin; i < end; ++i) run(static_cast<int64_t>(i));
                   });
}

// Eigen has no decompositions of empty matrices, which no function below asks for.
bool IsSingular(const Lu& lu) { return (lu.matrixLU().diagonal().array() == 0.0).any(); }

// u and vh are left out where only the values are wanted.
void SvdOf(const Matrix& x, int64_t index, const Matrices& s, const std::optional<Matrices>& u,
           const std::optional<Matrices>& vh) {
  if (!x.allFinite()) {
    s.SetNumber(index, kNan);
    if (u) u->SetNumber(index, kNan), vh->SetNumber(index, kNan);
    return;
  }
  if (x.size() == 0) {
    if (u) u->SetIdentity(index), vh->SetIdentity(index);
    return;
  }
  unsigned options = 0;
  if (u) {
    options |= u->columns() == x.rows() ? Eigen::ComputeFullU : Eigen::ComputeThinU;
    options |= vh->rows() == x.cols() ? Eigen::ComputeFullV : Eigen::ComputeThinV;
  }
  // Divide and conquer, which leaves matrices of less than 16 columns to Jacobi's rotations.
  const Eigen::BDCSVD<Matrix> svd(x, options);
  s.Set(index, svd.singularValues());
  if (u) u->Set(index, svd.matrixU()), vh->Set(index, svd.matrixV(), true);
}

void EighOf(Matrix x, bool lower, int64_t index, const Matrices& values,
            const std::optional<Matrices>& vectors) {
  if (x.size() == 0) return;
  // The solver reads the lower triangle.
  if (!lower) x.transposeInPlace();
  x.triangularView<Eigen::StrictlyUpper>().setZero();
  if (!x.allFinite()) {
    values.SetNumber(index, kNan);
    if (vectors) vectors->SetNumber(index, kNan);
    return;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(
      x, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
  values.Set(index, solver.eigenvalues());
  if (vectors) vectors->Set(index, solver.eigenvectors());
}

}  // namespace

Completion Cholesky(const DenseHostTensor& x, bool upper, DenseHostTensor& y,
                    const ExecutionContext& exec_ctx) {
  const Matrices in(x, 2), out(y, 2);
  return ForEachMatrix(exec_ctx, "cholesky", "not positive definite", in.count(),
                       Cube(in.rows()) / 3, {&x, &y}, [=](int64_t i) {
                         if (in.rows() == 0) return true;
                         const Eigen::LLT<Matrix> factor(in[i]);
                         if (factor.info() != Eigen::Success) return false;
                         out.Set(i, factor.matrixL(), upper);
                         return true;
                       });
}

Completion Qr(const DenseHostTensor& x, DenseHostTensor& q, DenseHostTensor& r,
              const ExecutionContext& exec_ctx) {
  const Matrices in(x, 2), q_out(q, 2), r_out(r, 2);
  const double cost = 4.0 * double(in.rows()) * double(in.columns()) * double(q_out.columns());
  return ForEachMatrix(exec_ctx, in.count(), cost, {&x, &q, &r}, [=](int64_t i) {
    if (in.rows() == 0 || in.columns() == 0) return q_out.SetIdentity(i);
    const Eigen::HouseholderQR<Matrix> factors(in[i]);
    q_out.Set(i, factors.householderQ() * Matrix::Identity(in.rows(), q_out.columns()));
    r_out.Set(i, factors.matrixQR().topRows(r_out.rows()).triangularView<Eigen::Upper>());
  });
}

Completion Svd(const DenseHostTensor& x, DenseHostTensor* u, DenseHostTensor& s,
               DenseHostTensor* vh, const ExecutionContext& exec_ctx) {
  const Matrices in(x, 2), values(s, 1);
  std::optional<Matrices> left, right;
  if (u) left.emplace(*u, 2), right.emplace(*vh, 2);
  const double cost = 20.0 * double(in.rows()) * double(in.columns()) * double(values.rows());
  return ForEachMatrix(exec_ctx, in.count(), cost, {&x, u ? u : &s, &s, vh ? vh : &s},
                       [=](int64_t i) { SvdOf(in[i], i, values, left, right); });
}

Completion Eigh(const DenseHostTensor& x, bool lower, DenseHostTensor& values,
                DenseHostTensor* vectors, const ExecutionContext& exec_ctx) {
  const Matrices in(x, 2), values_out(values, 1);
  std::optional<Matrices> vectors_out;
  if (vectors) vectors_out.emplace(*vectors, 2);
  return ForEachMatrix(exec_ctx, in.count(), 9 * Cube(in.rows()),
                       {&x, &values, vectors ? vectors : &values},
                       [=](int64_t i) { EighOf(in[i], lower, i, values_out, vectors_out); });
}

Completion Solve(const DenseHostTensor& a, const DenseHostTensor& b, bool transpose_a,
                 DenseHostTensor& y, const ExecutionContext& exec_ctx) {
  const Matrices left(a, 2), right(b, 2), out(y, 2);
  const double cost =
      Cube(left.rows()) + 2.0 * double(left.rows()) * double(left.rows()) * double(right.columns());
  return ForEachMatrix(exec_ctx, "solve", "singular", out.count(), cost, {&a, &b, &y},
                       [=, batch = BatchBroadcast(a.shape(), b.shape())](int64_t i) {
                         if (left.rows() == 0) return true;
                         const BatchBroadcast::Pair pair = batch.At(i);
                         Matrix matrix = left[pair.a];
                         if (transpose_a) matrix.transposeInPlace();
                         const Lu lu(matrix);
                         if (IsSingular(lu)) return false;
                         if (right.columns() > 0) out.Set(i, lu.solve(right[pair.b]));
                         return true;
                       });
}

Completion Inverse(const DenseHostTensor& x, DenseHostTensor& y, const ExecutionContext& exec_ctx) {
  const Matrices in(x, 2), out(y, 2);
  return ForEachMatrix(exec_ctx, "inverse", "singular", in.count(), 2 * Cube(in.rows()), {&x, &y},
                       [=](int64_t i) {
                         if (in.rows() == 0) return true;
                         const Lu lu(in[i]);
                         if (IsSingular(lu)) return false;
                         out.Set(i, lu.inverse());
                         return true;
                       });
}

Completion Determinant(const DenseHostTensor& x, DenseHostTensor& y,
                       const ExecutionContext& exec_ctx) {
  const Matrices in(x, 2), out(y, 0);
  return ForEachMatrix(exec_ctx, in.count(), Cube(in.rows()), {&x, &y}, [=](int64_t i) {
    out.SetNumber(i, in.rows() == 0 ? 1.0 : Lu(in[i]).determinant());
  });
}

Completion Slogdet(const DenseHostTensor& x, DenseHostTensor& sign, DenseHostTensor& logabsdet,
                   const ExecutionContext& exec_ctx) {
  const Matrices in(x, 2), sign_out(sign, 0), log_out(logabsdet, 0);
  return ForEachMatrix(
      exec_ctx, in.count(), Cube(in.rows()), {&x, &sign, &logabsdet}, [=](int64_t i) {
        double signs = 1, logs = 0;
        if (in.rows() > 0) {
          const Lu lu(in[i]);
          signs = lu.permutationP().determinant();
          for (const double pivot : lu.matrixLU().diagonal()) {
            signs *= std::isnan(pivot) ? kNan : double(pivot > 0) - double(pivot < 0);
            logs += std::log(std::abs(pivot));
          }
        }
        sign_out.SetNumber(i, signs);
        log_out.SetNumber(i, logs);
      });
}

}  // namespace tfrt::maths
