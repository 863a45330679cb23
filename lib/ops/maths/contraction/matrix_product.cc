#define EIGEN_MPL2_ONLY
#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <complex>
#include <memory>
#include <vector>

#include "lib/format/op_table/product_rules.h"
#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/cpu/strided_copy.h"
#include "lib/ops/maths/shapes/batch_broadcast.h"
#include "lib/ops/maths/shapes/row_shapes.h"
#include "lib/ops/maths/tensor/operand_checks.h"
#include "matmul.h"
#include "matmul_checks.h"

namespace tfrt::maths {
namespace {

// The matrices of `in` transposed: [batch,rows,columns] of [batch,columns,rows].
template <typename T>
std::shared_ptr<std::vector<T>> Transposed(const T* in, int64_t batch, int64_t rows,
                                           int64_t columns) {
  auto out = std::make_shared<std::vector<T>>(batch * rows * columns);
  if (out->empty()) return out;
  const int64_t permutation[] = {0, 2, 1};
  const cpu::CopyPlan plan = cpu::TransposePlan(TensorShape{batch, columns, rows}, permutation);
  cpu::Copy(plan, sizeof(T), in, out->data(), 0, plan.num_units());
  return out;
}

int64_t NumMatrices(const TensorShape& shape) {
  int64_t count = 1;
  for (size_t i = 0; i + 2 < shape.rank(); ++i) count *= shape.dim(i);
  return count;
}

template <typename T>
Completion Multiply(const DenseHostTensor& a, const DenseHostTensor& b, bool transpose_a,
                    bool transpose_b, const ProductTail& tail, DenseHostTensor& out,
                    const ExecutionContext& exec_ctx) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Row = Eigen::Matrix<T, 1, Eigen::Dynamic>;
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  const size_t rank = out.shape().rank(), a_rank = a.shape().rank();
  const int64_t m = out.shape().dim(rank - 2), n = out.shape().dim(rank - 1);
  const int64_t k = a.shape().dim(transpose_a ? a_rank - 2 : a_rank - 1);
  BatchBroadcast batch(a.shape(), b.shape());
  if (out.num_elements() == 0) return GetReadyChain();
  const auto* x = static_cast<const T*>(a.data());
  const auto* y = static_cast<const T*>(b.data());
  std::shared_ptr<std::vector<T>> x_transposed, y_transposed;
  if (transpose_a)
    x_transposed = Transposed(x, NumMatrices(a.shape()), m, k), x = x_transposed->data();
  if (transpose_b)
    y_transposed = Transposed(y, NumMatrices(b.shape()), k, n), y = y_transposed->data();
  T* z = static_cast<T*>(data);
  const T* bias = tail.bias ? static_cast<const T*>(tail.bias->data()) : nullptr;
  // Blocks of so many rows that each reads the second matrix once for many of them.
  constexpr int64_t kRowsPerBlock = 64;
  const int64_t blocks_per_matrix = (m - 1) / kRowsPerBlock + 1;
  const double block_cost = double(std::min(m, kRowsPerBlock)) * double(n) * double(k + 1);
  const size_t cost =
      block_cost < double(kBlockCost) ? static_cast<size_t>(block_cost) : kBlockCost;
  const bool relu = tail.relu, relu6 = tail.relu6;
  const int64_t num_matrices = batch.size();
  auto multiply = [=, batch = std::move(batch), x_kept = std::move(x_transposed),
                   y_kept = std::move(y_transposed)](size_t begin, size_t end) {
    for (size_t block = begin; block < end; ++block) {
      const int64_t matrix = block / blocks_per_matrix;
      const int64_t first = block % blocks_per_matrix * kRowsPerBlock;
      const int64_t rows = std::min(kRowsPerBlock, m - first);
      Eigen::Map<Matrix> product(z + (matrix * m + first) * n, rows, n);
      if (k == 0) {
        product.setZero();
      } else {
        const BatchBroadcast::Pair factors = batch.At(matrix);
        product.noalias() = Eigen::Map<const Matrix>(x + (factors.a * m + first) * k, rows, k) *
                            Eigen::Map<const Matrix>(y + factors.b * k * n, k, n);
      }
      if (bias) product.rowwise() += Eigen::Map<const Row>(bias, n);
      if constexpr (std::is_same_v<T, uint32_t>) {
        // Negative numbers are those with the highest bit.
        if (relu || relu6) product = (product.array() > T{0x7FFFFFFF}).select(T{0}, product);
        if (relu6) product = product.cwiseMin(T{6});
      }
    }
  };
  return RunBlocks(exec_ctx, num_matrices * blocks_per_matrix, ItemsPerBlock(cost),
                   {&a, &b, tail.bias ? tail.bias : &b, &out}, std::move(multiply));
}

using MultiplyFunction = Completion (*)(const DenseHostTensor& a, const DenseHostTensor& b,
                                        bool transpose_a, bool transpose_b, const ProductTail& tail,
                                        DenseHostTensor& out, const ExecutionContext& exec_ctx);

MultiplyFunction FindMultiply(DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return &Multiply<float>;
    case DType::kF64:
      return &Multiply<double>;
    case DType::kI32:
    case DType::kUI32:
      return &Multiply<uint32_t>;  // whose arithmetic wraps
    case DType::kI64:
    case DType::kUI64:
      return &Multiply<uint64_t>;
    case DType::kComplex64:
      return &Multiply<std::complex<float>>;
    case DType::kComplex128:
      return &Multiply<std::complex<double>>;
    default:
      return nullptr;
  }
}

}  // namespace

bool CanMultiplyMatrices(DType dtype) { return FindMultiply(dtype) != nullptr; }

Completion MultiplyMatrices(const DenseHostTensor& a, const DenseHostTensor& b, bool transpose_a,
                            bool transpose_b, const ProductTail& tail, DenseHostTensor& out,
                            const ExecutionContext& exec_ctx) {
  MultiplyFunction multiply = FindMultiply(out.dtype());
  assert(multiply && "a product of numbers that has none");
  TFRT_RETURN_IF_ERROR(CheckDType(a, out.dtype(), kFirst));
  TFRT_RETURN_IF_ERROR(CheckDType(b, out.dtype(), kSecond));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ShapeByRule<BatchMatMulRule>({&a.shape(), &b.shape()},
                                                                        transpose_a, transpose_b));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("matmul", out, shape));
  TFRT_RETURN_IF_ERROR(CheckApart("matmul", out, {&a, &b}));
  if (tail.bias) {
    TFRT_RETURN_IF_ERROR(CheckDType(*tail.bias, out.dtype(), "the matmul bias"));
    TFRT_RETURN_IF_ERROR(CheckMatMulBias(tail.bias->shape(), shape.dim(shape.rank() - 1)));
    TFRT_RETURN_IF_ERROR(CheckApart("matmul", out, {tail.bias}));
  }
  return multiply(a, b, transpose_a, transpose_b, tail, out, exec_ctx);
}

}  // namespace tfrt::maths
