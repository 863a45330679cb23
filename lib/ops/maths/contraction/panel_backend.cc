#include "panel_backend.h"

#include <cassert>

#include "aligned_buffer.h"
#include "lib/ops/maths/cpu/activate.h"
#include "panel_products.h"

namespace tfrt::contraction {
namespace {

class PanelWeights final : public PackedWeights {
 public:
  // Uninitialized; null without memory.
  static std::unique_ptr<PanelWeights> Create(int64_t columns, int64_t depth) {
    auto made = std::make_unique<PanelWeights>();
    made->size_bytes_ = static_cast<size_t>(PanelFloats(columns, depth)) * sizeof(float);
    return made->buffer_.Reserve(made->size_bytes_) ? std::move(made) : nullptr;
  }
  size_t size_bytes() const override { return size_bytes_; }
  float* data() const { return static_cast<float*>(buffer_.data()); }

 private:
  size_t size_bytes_ = 0;
  AlignedBuffer buffer_;
};

thread_local AlignedBuffer rows_buffer;  // of a transposed first factor

class PanelMatMul final : public Plan {
 public:
  explicit PanelMatMul(const MatMulProblem& problem) : p_(problem) {
    assert(p_.packed_b && p_.batch == 1 && p_.first_column % kPanelColumns == 0);
  }

  bool Run(const Operands& o) const override {
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
    const PanelProduct product{
        p_.m,     p_.n,
        p_.k,     a,
        a_stride, static_cast<const PanelWeights*>(o.packed)->data() + p_.first_column * p_.k,
        o.out,    p_.out_row_stride,
        o.bias,   p_.alpha,
        p_.beta};
    const Output output{p_.function(), o.out, p_.out_row_stride};
    MultiplyPanels(product, p_.activation == Activation::kNone ? nullptr : Activate, &output);
    return true;
  }

  std::unique_ptr<PackedWeights> Pack(const void* weights) const override {
    std::unique_ptr<PanelWeights> packed = PanelWeights::Create(p_.n, p_.k);
    if (!packed) return nullptr;
    const int64_t stride = p_.b_row_stride;
    PackPanels(static_cast<const float*>(weights), p_.transpose_b ? 1 : stride,
               p_.transpose_b ? stride : 1, p_.n, p_.k, packed->data());
    return packed;
  }

 private:
  struct Output {
    maths::ActivationWithParameters function;
    float* data;
    int64_t stride;
  };
  // While the columns are in a cache.
  static void Activate(const void* context, int64_t row, int64_t rows, int64_t first,
                       int64_t count) {
    const auto& out = *static_cast<const Output*>(context);
    float* data = out.data + row * out.stride + first;
    if (ActivatePanel(out.function.kind, data, rows, count, out.stride)) return;
    cpu::ActivateRows(out.function, data, rows, count, out.stride);
  }

  MatMulProblem p_;
};

class PanelBackend final : public Backend {
 public:
  std::string_view name() const override { return "panels"; }
  std::string_view instructions(bool in_bf16) const override { return in_bf16 ? "" : "AVX-512"; }
  std::unique_ptr<Plan> Prepare(const MatMulProblem& problem, const PackedWeights*, bool) override {
    return std::make_unique<PanelMatMul>(problem);
  }
  std::unique_ptr<Plan> Prepare(const ConvolutionProblem&, const PackedWeights*, bool) override {
    return nullptr;
  }
  bool Unpack(const ConvolutionProblem&, const PackedWeights&, float*) override {
    return false;  // packs no filters
  }
};

}  // namespace

std::unique_ptr<Backend> CreatePanelBackend() {
  return CanMultiplyPanels() ? std::make_unique<PanelBackend>() : nullptr;
}

bool FillsPanels(const MatMulProblem& problem) { return problem.n >= kPanelColumns; }

}  // namespace tfrt::contraction
