// Matrix products by Eigen, on the calling thread.

#include "eigen_plans.h"

namespace tfrt::contraction {
namespace {

// Returns the columns of B that belong to the problem.
const float* Weights(const MatMulProblem& p, const Operands& operands) {
  if (!operands.packed) return operands.b;
  return static_cast<const PlainWeights*>(operands.packed)->data() +
         p.first_column * (p.transpose_b ? p.b_row_stride : 1);
}

class MatMulPlan final : public Plan {
 public:
  explicit MatMulPlan(const MatMulProblem& problem) : p_(problem) {}

  bool Run(const Operands& operands) const override {
    const float* b_data = Weights(p_, operands);
    int64_t a_rows = p_.transpose_a ? p_.k : p_.m, a_columns = p_.transpose_a ? p_.m : p_.k;
    int64_t b_rows = p_.transpose_b ? p_.n : p_.k, b_columns = p_.transpose_b ? p_.k : p_.n;
    for (int64_t i = 0; i < p_.batch; ++i) {
      ConstMap a(operands.a + i * a_rows * p_.a_row_stride, a_rows, a_columns,
                 Strided(p_.a_row_stride));
      ConstMap b(b_data + i * b_rows * p_.b_row_stride, b_rows, b_columns,
                 Strided(p_.b_row_stride));
      float* out_data = operands.out + i * p_.m * p_.out_row_stride;
      Map out(out_data, p_.m, p_.n, Strided(p_.out_row_stride));
      auto multiply = [&](const auto& x, const auto& y) {
        Multiply(x, y, p_.alpha, p_.beta, operands.bias, out);
      };
      if (p_.transpose_a && p_.transpose_b) {
        multiply(a.transpose(), b.transpose());
      } else if (p_.transpose_a) {
        multiply(a.transpose(), b);
      } else if (p_.transpose_b) {
        multiply(a, b.transpose());
      } else {
        multiply(a, b);
      }
      cpu::ActivateRows(p_.function(), out_data, p_.m, p_.n, p_.out_row_stride);
    }
    return true;
  }

  std::unique_ptr<PackedWeights> Pack(const void* weights) const override {
    return PlainWeights::Copy(static_cast<const float*>(weights),
                              (p_.transpose_b ? p_.n : p_.k) * p_.b_row_stride);
  }

 private:
  MatMulProblem p_;
};

class EigenBackend final : public Backend {
 public:
  std::string_view name() const override { return "Eigen"; }
  std::string_view instructions(bool in_bf16) const override {
    return in_bf16 ? "" : Eigen::SimdInstructionSetsInUse();
  }
  std::unique_ptr<Plan> Prepare(const MatMulProblem& problem, const PackedWeights*, bool) override {
    const auto& p = problem;
    if (!p.has_products()) {
      return MakeNoProductsPlan(p.batch * p.m, p.n, p.out_row_stride, p.beta, p.function());
    }
    return std::make_unique<MatMulPlan>(p);
  }
  std::unique_ptr<Plan> Prepare(const ConvolutionProblem& problem, const PackedWeights*,
                                bool) override {
    return PrepareEigenConvolution(problem);
  }
  bool Unpack(const ConvolutionProblem&, const PackedWeights&, float*) override {
    return false;  // has a plan for every problem
  }
};

}  // namespace

std::unique_ptr<Backend> CreateEigenBackend() { return std::make_unique<EigenBackend>(); }

}  // namespace tfrt::contraction
