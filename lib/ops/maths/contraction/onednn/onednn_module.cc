// The module that computes with oneDNN. Opened by the first kernel that needs it, so that programs
// without such kernels do not pay for loading oneDNN, and work where it is not installed.

#include <dnnl.h>

#include <cstdint>

#include "lib/ops/maths/contraction/backend.h"
#include "onednn_describe.h"
#include "onednn_handles.h"
#include "onednn_plan.h"

namespace tfrt::contraction {
namespace {

class OneDnnBackend final : public Backend {
 public:
  explicit OneDnnBackend(dnnl_engine_t engine) : engine_(engine) {}
  std::string_view name() const override { return "oneDNN"; }
  std::string_view instructions(bool in_bf16) const override { return Instructions(in_bf16); }

  std::unique_ptr<Plan> Prepare(const MatMulProblem& p, const PackedWeights* weights,
                                bool accept_reference) override {
    if (p.alpha != 1 && p.has_bias) return nullptr;  // it would scale the bias, too
    if (!FitsInt({p.batch, p.m, p.n, p.k, p.a_row_stride, p.b_row_stride, p.out_row_stride})) {
      return nullptr;
    }
    const bool is_part = p.all_columns != 0;
    if (is_part && !weights) return nullptr;
    if (p.in_bf16 && !HasFastBf16()) return nullptr;
    const dnnl_data_type_t type = FactorType(p.in_bf16);
    OneOpenMpThread one_thread;
    dnnl_memory_desc_t a, b, plain_b, bias = {}, out;
    int64_t a_rows = p.transpose_a ? p.k : p.m;
    int64_t b_rows = p.transpose_b ? p.n : p.k;
    int64_t a_batch = a_rows * p.a_row_stride;
    int64_t b_batch = b_rows * p.b_row_stride;
    int64_t out_batch = p.m * p.out_row_stride;
    int64_t a_strides[] = {p.a_row_stride, 1}, b_strides[] = {p.b_row_stride, 1};
    if (p.transpose_a) std::swap(a_strides[0], a_strides[1]);
    if (p.transpose_b) std::swap(b_strides[0], b_strides[1]);
    bool described =
        p.batch == 1
            ? Describe(&a, {p.m, p.k}, {a_strides[0], a_strides[1]}) &&
                  Describe(&plain_b, {p.k, p.n}, {b_strides[0], b_strides[1]}, type) &&
                  Describe(&out, {p.m, p.n}, {p.out_row_stride, 1}) &&
                  (!p.has_bias || Describe(&bias, {1, p.n}, {p.n, 1}))
            : Describe(&a, {p.batch, p.m, p.k}, {a_batch, a_strides[0], a_strides[1]}) &&
                  Describe(&plain_b, {p.batch, p.k, p.n}, {b_batch, b_strides[0], b_strides[1]}) &&
                  Describe(&out, {p.batch, p.m, p.n}, {out_batch, p.out_row_stride, 1}) &&
                  (!p.has_bias || Describe(&bias, {1, 1, p.n}, {p.n, p.n, 1}));
    if (!described) return nullptr;
    b = plain_b;
    if (p.packed_b) {
      if (weights && !is_part) {
        b = static_cast<const OneDnnWeights*>(weights)->layout();
      } else if (!DescribeAny(&b, {p.k, p.n}, type)) {
        return nullptr;
      }
    }
    // oneDNN's fast code writes dense matrices: some of the columns are copied to their places.
    const dnnl_memory_desc_t wanted = out;
    if (is_part && !Describe(&out, {p.m, p.n}, {p.n, 1})) return nullptr;
    dnnl_memory_desc_t source = a;
    if (p.in_bf16 && !Describe(&source, {p.m, p.k}, {p.k, 1}, type)) return nullptr;
    dnnl_matmul_desc_t operation;
    if (dnnl_matmul_desc_init(&operation, &source, &b, p.has_bias ? &bias : nullptr, &out) !=
        dnnl_success) {
      return nullptr;
    }
    const Attributes attributes = MakeAttributes(p.alpha, p.beta, p.function());
    PrimitiveDesc desc =
        attributes ? Best(&operation, attributes, engine_, accept_reference) : nullptr;
    if (!desc) return nullptr;
    OneDnnPlan::Operands plain{
        .source = a, .weights = plain_b, .destination = wanted, .beta = p.beta};
    if (is_part) {
      plain.weights = static_cast<const OneDnnWeights*>(weights)->layout();
      const int64_t dims[] = {p.k, p.n};
      if (!TakePart(desc, dims, /*dim=*/1, p.first_column, &plain.weights,
                    &plain.weights_offset_bytes)) {
        return nullptr;
      }
    }
    return OneDnnPlan::Create(engine_, std::move(desc), plain);
  }

  std::unique_ptr<Plan> Prepare(const ConvolutionProblem& p, const PackedWeights* weights,
                                bool accept_reference) override {
    return PrepareConvolution(p, weights, engine_, accept_reference);
  }
  bool Unpack(const ConvolutionProblem& p, const PackedWeights& weights, float* filter) override {
    return UnpackFilter(p, weights, engine_, filter);
  }

 private:
  dnnl_engine_t engine_;
};

}  // namespace
}  // namespace tfrt::contraction

extern "C" __attribute__((visibility("default"))) tfrt::contraction::Backend*
tfrt_create_contraction_backend(int version) {
  using namespace tfrt::contraction;  // NOLINT: the function is of C
  if (version != kBackendModuleVersion) return nullptr;
  // One for the process, never destroyed: threads keep streams of it for as long as they live.
  static dnnl_engine_t engine = [] {
    OneOpenMpThread one_thread;
    dnnl_engine_t made = nullptr;
    return dnnl_engine_create(&made, dnnl_cpu, 0) == dnnl_success ? made : nullptr;
  }();
  return engine ? new OneDnnBackend(engine) : nullptr;
}
