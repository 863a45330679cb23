#define EIGEN_MPL2_ONLY
#include <Eigen/Core>
#include <cstring>
#include <type_traits>

#include "contractions.h"
#include "lib/ops/maths/tensor/operand_checks.h"
#include "matmul.h"
#include "matmul_checks.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

using contraction::Compute;
using contraction::MatMulProblem;
using contraction::Operands;

// A copy that the output does not overlap; the tensor itself if it does not.
StatusOr<DenseHostTensor> ApartFrom(const DenseHostTensor& out, const DenseHostTensor& input,
                                    const ExecutionContext& exec_ctx) {
  if (!Overlap(out, input)) return input.ShareBuffer();
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor copy, DenseHostTensor::CreateUninitialized(
                                                  input.metadata(), exec_ctx.host()->allocator()));
  TFRT_ASSIGN_OR_RETURN(void* data, copy.MutableData());
  std::memcpy(data, input.data(), input.size_bytes());
  return copy;
}

// In which the arithmetic of T wraps, if T is an integer.
template <typename T>
struct ArithmeticOf : std::make_unsigned<T> {};
template <>
struct ArithmeticOf<double> {
  using type = double;
};

}  // namespace

Completion ScaledMatMul(float alpha, const DenseHostTensor& a, const DenseHostTensor& b, float beta,
                        DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckRank(a, 2, kFirst));
  TFRT_RETURN_IF_ERROR(CheckRank(b, 2, kSecond));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 2, kOutput));
  TFRT_RETURN_IF_ERROR(CheckDType(a, DType::kF32, kFirst));
  TFRT_RETURN_IF_ERROR(CheckDType(b, DType::kF32, kSecond));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<float>::Create(out, kOutput));
  MatrixSize a_size = SizeOf(a.shape(), false), b_size = SizeOf(b.shape(), false);
  TFRT_RETURN_IF_ERROR(CheckInnerDimensions(a.shape(), a_size, b.shape(), b_size));
  TFRT_RETURN_IF_ERROR(CheckOutput(a.shape(), a_size, b.shape(), b_size, out.shape()));
  MatMulProblem problem;
  problem.alpha = alpha;
  problem.beta = beta;
  problem.is_transient = alpha != 1 || (beta != 0 && beta != 1);
  SetSizes(problem, a_size, b_size);
  Operands operands;
  operands.out = out_view.data();
  if (Overlap(a, out) || Overlap(b, out)) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor a_apart, ApartFrom(out, a, exec_ctx));
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor b_apart, ApartFrom(out, b, exec_ctx));
    operands.a = static_cast<const float*>(a_apart.data());
    operands.b = static_cast<const float*>(b_apart.data());
    return Compute<MatMulProblem>(exec_ctx, problem, operands, nullptr, {&a_apart, &b_apart, &out});
  }
  operands.a = static_cast<const float*>(a.data());
  operands.b = static_cast<const float*>(b.data());
  return Compute<MatMulProblem>(exec_ctx, problem, operands, nullptr, {&a, &b, &out});
}

template <typename T>
Status ScaledMatMul(T alpha, const DenseHostTensor& a, const DenseHostTensor& b, T beta,
                    DenseHostTensor& out) {
  using Number = typename ArithmeticOf<T>::type;
  using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  TFRT_RETURN_IF_ERROR(CheckRank(a, 2, kFirst));
  TFRT_RETURN_IF_ERROR(CheckRank(b, 2, kSecond));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 2, kOutput));
  TFRT_ASSIGN_OR_RETURN(auto a_view, DenseView<T>::Create(a, kFirst));
  TFRT_ASSIGN_OR_RETURN(auto b_view, DenseView<T>::Create(b, kSecond));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<T>::Create(out, kOutput));
  MatrixSize a_size = SizeOf(a.shape(), false), b_size = SizeOf(b.shape(), false);
  TFRT_RETURN_IF_ERROR(CheckInnerDimensions(a.shape(), a_size, b.shape(), b_size));
  TFRT_RETURN_IF_ERROR(CheckOutput(a.shape(), a_size, b.shape(), b_size, out.shape()));
  auto map = [](const T* data, MatrixSize size) {
    return Eigen::Map<const Matrix>(reinterpret_cast<const Number*>(data), size.rows, size.columns);
  };
  Eigen::Map<Matrix> result(reinterpret_cast<Number*>(out_view.data()), a_size.rows,
                            b_size.columns);
  // Eigen makes the product in memory of its own first: the output may share memory with the
  // inputs.
  Matrix product =
      static_cast<Number>(alpha) * (map(a_view.data(), a_size) * map(b_view.data(), b_size));
  if (beta == 0) {
    result = product;
  } else {
    result = product + static_cast<Number>(beta) * result;
  }
  return OkStatus();
}

template Status ScaledMatMul(double, const DenseHostTensor&, const DenseHostTensor&, double,
                             DenseHostTensor&);
template Status ScaledMatMul(int32_t, const DenseHostTensor&, const DenseHostTensor&, int32_t,
                             DenseHostTensor&);
template Status ScaledMatMul(int64_t, const DenseHostTensor&, const DenseHostTensor&, int64_t,
                             DenseHostTensor&);

}  // namespace tfrt::maths
