#include "matrix_product.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/Core>
#include <algorithm>
#include <memory>
#include <vector>

#include "number_dispatch.h"
#include "op_output.h"
#include "tfrt/kernel_maths/batch_broadcast.h"
#include "tfrt/kernel_maths/cpu/data_movement.h"

namespace tfrt {
namespace {

// In which the arithmetic of T wraps.
template <typename T>
struct Element {
  using Type = T;
};
template <>
struct Element<int32_t> {
  using Type = uint32_t;
};
template <>
struct Element<int64_t> {
  using Type = uint64_t;
};

// The matrices of `in` transposed: [batch,rows,columns] of [batch,columns,rows].
template <typename T>
std::shared_ptr<std::vector<T>> Transposed(const T* in, int64_t batch, int64_t rows,
                                           int64_t columns) {
  auto out = std::make_shared<std::vector<T>>(batch * rows * columns);
  if (out->empty()) return out;
  const int64_t permutation[] = {0, 2, 1};
  cpu::TransposePlan plan(TensorShape{batch, columns, rows}, permutation);
  cpu::Transpose(plan, sizeof(T), in, out->data(), 0, plan.num_units());
  return out;
}

int64_t NumMatrices(const TensorShape& shape) {
  int64_t count = 1;
  for (size_t i = 0; i + 2 < shape.rank(); ++i) count *= shape.dim(i);
  return count;
}

template <typename T>
Status Multiply(OpCall& call, const DenseHostTensor& a, const DenseHostTensor& b, bool transpose_a,
                bool transpose_b, const TensorMetadata& result, const ProductTail& tail) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Row = Eigen::Matrix<T, 1, Eigen::Dynamic>;
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  const size_t rank = result.shape.rank(), a_rank = a.shape().rank();
  const int64_t m = result.shape.dim(rank - 2), n = result.shape.dim(rank - 1);
  const int64_t k = a.shape().dim(transpose_a ? a_rank - 2 : a_rank - 1);
  BatchBroadcast batch(a.shape(), b.shape());
  if (out.num_elements() == 0) {
    SetResult(call, 0, std::move(out));
    return OkStatus();
  }
  const auto* x = static_cast<const T*>(a.data());
  const auto* y = static_cast<const T*>(b.data());
  std::shared_ptr<std::vector<T>> x_transposed, y_transposed;
  if (transpose_a)
    x_transposed = Transposed(x, NumMatrices(a.shape()), m, k), x = x_transposed->data();
  if (transpose_b)
    y_transposed = Transposed(y, NumMatrices(b.shape()), k, n), y = y_transposed->data();
  T* z = WritableData<T>(out);
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
  ComputeResult(call, num_matrices * blocks_per_matrix, cost, {&a, &b, tail.bias ? tail.bias : &b},
                std::move(out), std::move(multiply));
  return OkStatus();
}

}  // namespace

StatusOr<bool> MultiplyMatrices(OpCall& call, const DenseHostTensor& a, const DenseHostTensor& b,
                                bool transpose_a, bool transpose_b, const TensorMetadata& result,
                                const ProductTail& tail) {
  Status status;
  bool supported = false;
  DispatchNumber(result.dtype, [&]<typename T>(std::type_identity<T>) {
    if constexpr (!internal::kIsHalf<T> && sizeof(T) >= 4) {
      supported = true;
      status =
          Multiply<typename Element<T>::Type>(call, a, b, transpose_a, transpose_b, result, tail);
    }
  });
  if (!status.ok()) return status;
  return supported;
}

}  // namespace tfrt
