#include "half_backend.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "aligned_buffer.h"
#include "half_products.h"
#include "lib/ops/maths/cpu/activate.h"
#include "panel_products.h"

namespace tfrt::contraction {
namespace {

class HalfWeights final : public PackedWeights {
 public:
  // Uninitialized; null without memory.
  static std::unique_ptr<HalfWeights> Create(int64_t columns, int64_t depth, bool is_bf16) {
    auto made = std::make_unique<HalfWeights>();
    made->is_bf16_ = is_bf16;
    made->size_bytes_ = static_cast<size_t>(PanelFloats(columns, depth)) * sizeof(uint16_t);
    return made->buffer_.Reserve(made->size_bytes_) ? std::move(made) : nullptr;
  }
  size_t size_bytes() const override { return size_bytes_; }
  uint16_t* data() const { return static_cast<uint16_t*>(buffer_.data()); }
  bool is_bf16() const { return is_bf16_; }

 private:
  bool is_bf16_ = false;
  size_t size_bytes_ = 0;
  AlignedBuffer buffer_;
};

thread_local AlignedBuffer rows_buffer;  // of a transposed first factor

class HalfMatMul final : public Plan {
 public:
  explicit HalfMatMul(const MatMulProblem& problem) : p_(problem) {
    assert(p_.packed_b && p_.batch == 1 && p_.first_column % kPanelColumns == 0);
  }

  bool Run(const Operands& o) const override {
    const auto& weights = *static_cast<const HalfWeights*>(o.packed);
    const float* a = o.a;
    int64_t a_stride = p_.a_row_stride;
    if (p_.transpose_a) {
      if (!rows_buffer.Reserve(static_cast<size_t>(p_.m * p_.k) * sizeof(float))) return false;
      auto* rows = static_cast<float*>(rows_buffer.data());
      for (int64_t i = 0; i < p_.m; ++i) {
        for (int64_t k = 0; k < p_.k; ++k) rows[i * p_.k + k] = o.a[k * p_.a_row_stride + i];
      }
      a = rows;
      a_stride = p_.k;
    }
    const uint16_t* panel = weights.data() + p_.first_column * p_.k;
    for (int64_t column = 0; column < p_.n; column += kPanelColumns) {
      const int64_t columns = std::min(kPanelColumns, p_.n - column);
      for (int64_t row = 0; row < p_.m; row += kRowsAtOnce) {
        const int64_t rows = std::min(kRowsAtOnce, p_.m - row);
        float sums[kRowsAtOnce * kPanelColumns];
        MultiplyHalfPanel(a + row * a_stride, a_stride, rows, panel, p_.k, weights.is_bf16(), sums);
        Finish(o, sums, row, rows, column, columns);
      }
      panel += kPanelColumns * p_.k;
    }
    return true;
  }

  std::unique_ptr<PackedWeights> Pack(const void*) const override { return nullptr; }

 private:
  // Writes rows and columns of the output.
  void Finish(const Operands& o, const float* sums, int64_t row, int64_t rows, int64_t column,
              int64_t columns) const {
    for (int64_t r = 0; r < rows; ++r, sums += kPanelColumns) {
      float* out = o.out + (row + r) * p_.out_row_stride + column;
      const float* bias = o.bias ? o.bias + column : nullptr;
      for (int64_t j = 0; j < columns; ++j) {
        float sum = p_.alpha * sums[j];
        if (bias) sum += bias[j];
        if (p_.beta != 0) sum += p_.beta * out[j];
        out[j] = sum;
      }
    }
    if (p_.activation == Activation::kNone) return;
    cpu::ActivateRows(p_.function(), o.out + row * p_.out_row_stride + column, rows, columns,
                      p_.out_row_stride);
  }

  MatMulProblem p_;
};

class HalfBackend final : public Backend {
 public:
  std::string_view name() const override { return "half panels"; }
  std::string_view instructions(bool in_bf16) const override { return in_bf16 ? "" : "F16C"; }
  std::unique_ptr<Plan> Prepare(const MatMulProblem& problem, const PackedWeights*, bool) override {
    return std::make_unique<HalfMatMul>(problem);
  }
  std::unique_ptr<Plan> Prepare(const ConvolutionProblem&, const PackedWeights*, bool) override {
    return nullptr;
  }
  bool Unpack(const ConvolutionProblem&, const PackedWeights&, float*) override {
    return false;  // packs no filters
  }
};

}  // namespace

std::unique_ptr<Backend> CreateHalfBackend() {
  return CanMultiplyHalves() ? std::make_unique<HalfBackend>() : nullptr;
}

std::unique_ptr<PackedWeights> PackHalves(const MatMulProblem& problem, bool is_bf16,
                                          const uint16_t* weights) {
  std::unique_ptr<HalfWeights> packed = HalfWeights::Create(problem.n, problem.k, is_bf16);
  if (!packed) return nullptr;
  const int64_t stride = problem.b_row_stride;
  PackPanels(weights, problem.transpose_b ? 1 : stride, problem.transpose_b ? stride : 1, problem.n,
             problem.k, packed->data());
  return packed;
}

}  // namespace tfrt::contraction
