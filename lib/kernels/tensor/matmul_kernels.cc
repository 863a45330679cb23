// eigen.matmul.*: matrix products by Eigen.

#define EIGEN_MPL2_ONLY
#include <Eigen/Core>
#include <cstdint>
#include <functional>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool Overlap(const DenseHostTensor& a, const DenseHostTensor& b) {
  std::less<const char*> less;
  auto* a_begin = static_cast<const char*>(a.data());
  auto* b_begin = static_cast<const char*>(b.data());
  return less(a_begin, b_begin + b.size_bytes()) && less(b_begin, a_begin + a.size_bytes());
}

// out [M,N] = alpha * a [M,K] * b [K,N] + beta * out. Beta 0 ignores what `out` holds, even NaN.
// Arithmetic is in type A: unsigned for integers, which wrap.
template <typename T, typename A>
StatusOr<Chain> MatMul(T alpha, const DenseHostTensor& a, const DenseHostTensor& b, T beta,
                       DenseHostTensor& out, const Chain&) {
  static_assert(sizeof(T) == sizeof(A));
  TFRT_RETURN_IF_ERROR(CheckRank(a, 2, "the first matmul input"));
  TFRT_RETURN_IF_ERROR(CheckRank(b, 2, "the second matmul input"));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 2, "the matmul output"));
  TFRT_ASSIGN_OR_RETURN(auto a_view, DenseView<T>::Create(a, "the first matmul input"));
  TFRT_ASSIGN_OR_RETURN(auto b_view, DenseView<T>::Create(b, "the second matmul input"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<T>::Create(out, "the matmul output"));
  const TensorShape& a_shape = a.shape();
  const TensorShape& b_shape = b.shape();
  const TensorShape& out_shape = out.shape();
  if (a_shape.dim(1) != b_shape.dim(0)) {
    return InvalidArgumentError(StrCat("MatMul input tensors inner dimension mismatch: ",
                                       a_shape.ToString(), " vs. ", b_shape.ToString()));
  }
  if (out_shape.dim(0) != a_shape.dim(0) || out_shape.dim(1) != b_shape.dim(1)) {
    return InvalidArgumentError(StrCat("MatMul output shape ", out_shape.ToString(),
                                       " does not match product shape of inputs: ",
                                       a_shape.ToString(), " * ", b_shape.ToString()));
  }
  auto* a_data = reinterpret_cast<const A*>(a_view.data());
  auto* b_data = reinterpret_cast<const A*>(b_view.data());
  Eigen::Map<const Matrix<A>> a_map(a_data, a_shape.dim(0), a_shape.dim(1));
  Eigen::Map<const Matrix<A>> b_map(b_data, b_shape.dim(0), b_shape.dim(1));
  Eigen::Map<Matrix<A>> out_map(reinterpret_cast<A*>(out_view.data()), out_shape.dim(0),
                                out_shape.dim(1));
  A alpha_value = static_cast<A>(alpha);
  A beta_value = static_cast<A>(beta);
  if (Overlap(a, out) || Overlap(b, out)) {
    Matrix<A> product = alpha_value * (a_map * b_map);
    if (beta_value == A(0)) {
      out_map = product;
    } else {
      out_map = product + beta_value * out_map;
    }
    return Chain();
  }
  if (beta_value == A(0)) {
    out_map.noalias() = alpha_value * a_map * b_map;
  } else {
    if (beta_value != A(1)) out_map *= beta_value;
    out_map.noalias() += alpha_value * a_map * b_map;
  }
  return Chain();
}

}  // namespace

void RegisterMatMulKernels(KernelRegistry* registry) {
  registry->AddKernel("eigen.matmul.f32", TFRT_KERNEL(MatMul<float, float>));
  registry->AddKernel("eigen.matmul.i32", TFRT_KERNEL(MatMul<int32_t, uint32_t>));
}

}  // namespace tfrt
