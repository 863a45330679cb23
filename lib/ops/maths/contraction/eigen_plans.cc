#include "eigen_plans.h"

#include <cstring>

namespace tfrt::contraction {

std::unique_ptr<PlainWeights> PlainWeights::Create(size_t count) {
  auto made = std::make_unique<PlainWeights>();
  made->size_bytes_ = count * sizeof(float);
  return made->buffer_.Reserve(made->size_bytes_) ? std::move(made) : nullptr;
}

std::unique_ptr<PlainWeights> PlainWeights::Copy(const float* weights, size_t count) {
  std::unique_ptr<PlainWeights> made = Create(count);
  if (made && count > 0) std::memcpy(made->data(), weights, count * sizeof(float));
  return made;
}

namespace {

class NoProductsPlan final : public Plan {
 public:
  NoProductsPlan(int64_t rows, int64_t columns, int64_t row_stride, float beta,
                 const maths::ActivationWithParameters& activation)
      : rows_(rows),
        columns_(columns),
        row_stride_(row_stride),
        beta_(beta),
        activation_(activation) {}

  bool Run(const Operands& operands) const override {
    Map out(operands.out, rows_, columns_, Strided(row_stride_));
    if (beta_ == 0) {
      out.setZero();
    } else {
      out *= beta_;
    }
    if (operands.bias)
      out.rowwise() += Eigen::Map<const Eigen::RowVectorXf>(operands.bias, columns_);
    cpu::ActivateRows(activation_, operands.out, rows_, columns_, row_stride_);
    return true;
  }
  std::unique_ptr<PackedWeights> Pack(const void*) const override {
    return PlainWeights::Create(0);
  }

 private:
  int64_t rows_, columns_, row_stride_;
  float beta_;
  maths::ActivationWithParameters activation_;
};

}  // namespace

std::unique_ptr<Plan> MakeNoProductsPlan(int64_t rows, int64_t columns, int64_t row_stride,
                                         float beta,
                                         const maths::ActivationWithParameters& activation) {
  return std::make_unique<NoProductsPlan>(rows, columns, row_stride, beta, activation);
}

}  // namespace tfrt::contraction
