// Helpers that all plans which compute with Eigen share.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_EIGEN_PLANS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_EIGEN_PLANS_H_

#define EIGEN_MPL2_ONLY
#include <Eigen/Core>
#include <memory>

#include "aligned_buffer.h"
#include "backend.h"
#include "lib/ops/maths/cpu/activate.h"

namespace tfrt::contraction {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Strided = Eigen::OuterStride<>;
using ConstMap = Eigen::Map<const Matrix, Eigen::Unaligned, Strided>;
using Map = Eigen::Map<Matrix, Eigen::Unaligned, Strided>;

// Weights in an order of our own: what Eigen reads fastest it arranges by itself, piece by piece.
class PlainWeights final : public PackedWeights {
 public:
  // Uninitialized; null without memory.
  static std::unique_ptr<PlainWeights> Create(size_t count);
  static std::unique_ptr<PlainWeights> Copy(const float* weights, size_t count);
  size_t size_bytes() const override { return size_bytes_; }
  const float* data() const { return static_cast<const float*>(buffer_.data()); }
  float* data() { return static_cast<float*>(buffer_.data()); }

 private:
  size_t size_bytes_ = 0;
  AlignedBuffer buffer_;
};

// out = alpha * a b + bias + beta * out, by whichever of a and b are transposed in memory.
template <typename A, typename B>
void Multiply(const A& a, const B& b, float alpha, float beta, const float* bias, Map& out) {
  if (beta == 0) {
    out.noalias() = alpha * a * b;
  } else {
    if (beta != 1) out *= beta;
    out.noalias() += alpha * a * b;
  }
  if (bias) out.rowwise() += Eigen::Map<const Eigen::RowVectorXf>(bias, out.cols());
}

// A sum over nothing: the output is bias and its old contents. Reads no weights.
std::unique_ptr<Plan> MakeNoProductsPlan(int64_t rows, int64_t columns, int64_t row_stride,
                                         float beta,
                                         const maths::ActivationWithParameters& activation);

std::unique_ptr<Plan> PrepareEigenConvolution(const ConvolutionProblem& problem);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_EIGEN_PLANS_H_
