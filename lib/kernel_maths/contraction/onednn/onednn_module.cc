// The module that computes with oneDNN. Opened by the first kernel that needs it, so that programs
// without such kernels do not pay for loading oneDNN, and work where it is not installed.

#include <dnnl.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>

#include "../backend.h"
#include "onednn_handles.h"
#include "onednn_plan.h"

namespace tfrt::contraction {
namespace {

bool Describe(dnnl_memory_desc_t* layout, std::initializer_list<int64_t> dims,
              std::initializer_list<int64_t> strides) {
  return dnnl_memory_desc_init_by_strides(layout, static_cast<int>(dims.size()), dims.begin(),
                                          dnnl_f32, strides.begin()) == dnnl_success;
}
bool DescribeAny(dnnl_memory_desc_t* layout, std::initializer_list<int64_t> dims) {
  return dnnl_memory_desc_init_by_tag(layout, static_cast<int>(dims.size()), dims.begin(), dnnl_f32,
                                      dnnl_format_tag_any) == dnnl_success;
}

// oneDNN computes with sizes, strides and paddings as int in places.
bool FitsInt(std::initializer_list<int64_t> values) {
  for (int64_t value : values) {
    if (value < 0 || value > INT32_MAX) return false;
  }
  return true;
}

bool AppendActivation(dnnl_post_ops_t ops, Activation activation) {
  auto append = [&](dnnl_alg_kind_t kind) {
    return dnnl_post_ops_append_eltwise(ops, 1, kind, 0, 0) == dnnl_success;
  };
  switch (activation) {
    case Activation::kNone:
      return true;
    case Activation::kRelu:
      return append(dnnl_eltwise_relu);
    case Activation::kGelu:
      return append(dnnl_eltwise_gelu_erf);
    case Activation::kGeluTanh:
      return append(dnnl_eltwise_gelu_tanh);
    case Activation::kTanh:
      return append(dnnl_eltwise_tanh);
    case Activation::kSigmoid:
      return append(dnnl_eltwise_logistic);
  }
  return false;
}

Attributes MakeAttributes(float alpha, float beta, Activation activation) {
  dnnl_primitive_attr_t made = nullptr;
  if (dnnl_primitive_attr_create(&made) != dnnl_success) return nullptr;
  Attributes attributes(made);
  dnnl_post_ops_t ops_made = nullptr;
  if (dnnl_post_ops_create(&ops_made) != dnnl_success) return nullptr;
  PostOps ops(ops_made);
  bool complete =
      dnnl_primitive_attr_set_scratchpad_mode(made, dnnl_scratchpad_mode_user) == dnnl_success &&
      (alpha == 1 || dnnl_primitive_attr_set_output_scales(made, 1, 0, &alpha) == dnnl_success) &&
      (beta == 0 || dnnl_post_ops_append_sum(ops_made, beta) == dnnl_success) &&
      AppendActivation(ops_made, activation) &&
      dnnl_primitive_attr_set_post_ops(made, ops_made) == dnnl_success;
  return complete ? std::move(attributes) : nullptr;
}

// Implementations that oneDNN itself calls references are slower than Eigen.
bool IsReference(dnnl_primitive_desc_t desc) {
  const char* name = nullptr;
  if (dnnl_primitive_desc_query(desc, dnnl_query_impl_info_str, 0, &name) != dnnl_success) {
    return true;
  }
  return std::strncmp(name, "ref", 3) == 0;
}

// The best implementation for an operation's descriptor; null if there is none.
PrimitiveDesc Best(const void* operation, const Attributes& attributes, dnnl_engine_t engine,
                   bool accept_reference) {
  dnnl_primitive_desc_t desc = nullptr;
  if (dnnl_primitive_desc_create(&desc, operation, attributes.get(), engine, nullptr) !=
      dnnl_success) {
    return nullptr;
  }
  PrimitiveDesc owned(desc);
  return IsReference(desc) && !accept_reference ? nullptr : std::move(owned);
}

class OneDnnBackend final : public Backend {
 public:
  explicit OneDnnBackend(dnnl_engine_t engine) : engine_(engine) {}
  std::string_view name() const override { return "oneDNN"; }

  std::unique_ptr<Plan> Prepare(const MatMulProblem& p, const PackedWeights* weights,
                                bool accept_reference) override {
    if (p.alpha != 1 && p.has_bias) return nullptr;  // it would scale the bias, too
    if (!FitsInt({p.batch, p.m, p.n, p.k, p.a_row_stride, p.b_row_stride, p.out_row_stride})) {
      return nullptr;
    }
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
                  Describe(&plain_b, {p.k, p.n}, {b_strides[0], b_strides[1]}) &&
                  Describe(&out, {p.m, p.n}, {p.out_row_stride, 1}) &&
                  (!p.has_bias || Describe(&bias, {1, p.n}, {p.n, 1}))
            : Describe(&a, {p.batch, p.m, p.k}, {a_batch, a_strides[0], a_strides[1]}) &&
                  Describe(&plain_b, {p.batch, p.k, p.n}, {b_batch, b_strides[0], b_strides[1]}) &&
                  Describe(&out, {p.batch, p.m, p.n}, {out_batch, p.out_row_stride, 1}) &&
                  (!p.has_bias || Describe(&bias, {1, 1, p.n}, {p.n, p.n, 1}));
    if (!described) return nullptr;
    b = plain_b;
    if (p.packed_b) {
      if (weights) {
        b = static_cast<const OneDnnWeights*>(weights)->layout();
      } else if (!DescribeAny(&b, {p.k, p.n})) {
        return nullptr;
      }
    }
    dnnl_matmul_desc_t operation;
    if (dnnl_matmul_desc_init(&operation, &a, &b, p.has_bias ? &bias : nullptr, &out) !=
        dnnl_success) {
      return nullptr;
    }
    return Make(&operation, MakeAttributes(p.alpha, p.beta, p.activation), plain_b,
                accept_reference);
  }

  std::unique_ptr<Plan> Prepare(const ConvolutionProblem& p, const PackedWeights* weights,
                                bool accept_reference) override {
    if (!FitsInt({p.batch, p.in_height, p.in_width, p.in_channels, p.filter_height, p.filter_width,
                  p.out_height, p.out_width, p.out_channels, p.stride_height, p.stride_width,
                  p.dilation_height, p.dilation_width, p.pad_top, p.pad_bottom, p.pad_left,
                  p.pad_right}) ||
        !FitsInt({p.filter_height * p.dilation_height, p.filter_width * p.dilation_width,
                  p.in_height * p.in_width, p.in_width * p.in_channels,
                  p.out_width * p.out_channels})) {
      return nullptr;
    }
    OneOpenMpThread one_thread;
    dnnl_memory_desc_t in, filter, plain_filter, bias = {}, out;
    int64_t in_row = p.in_width * p.in_channels;
    int64_t out_row = p.out_width * p.out_channels;
    int64_t filter_column = p.in_channels * p.out_channels;
    // oneDNN names dimensions NCHW and OIHW; the strides say how they lie.
    bool described =
        Describe(&in, {p.batch, p.in_channels, p.in_height, p.in_width},
                 {p.in_height * in_row, 1, in_row, p.in_channels}) &&
        Describe(&plain_filter, {p.out_channels, p.in_channels, p.filter_height, p.filter_width},
                 {1, p.out_channels, p.filter_width * filter_column, filter_column}) &&
        Describe(&out, {p.batch, p.out_channels, p.out_height, p.out_width},
                 {p.out_height * out_row, 1, out_row, p.out_channels}) &&
        (!p.has_bias || Describe(&bias, {p.out_channels}, {1}));
    if (!described) return nullptr;
    if (p.packed_filter && weights) {
      filter = static_cast<const OneDnnWeights*>(weights)->layout();
    } else if (p.packed_filter || ReorderPays(p)) {
      if (!DescribeAny(&filter, {p.out_channels, p.in_channels, p.filter_height, p.filter_width})) {
        return nullptr;
      }
    } else {
      filter = plain_filter;
    }
    const int64_t strides[] = {p.stride_height, p.stride_width};
    const int64_t dilations[] = {p.dilation_height - 1, p.dilation_width - 1};
    const int64_t pad_begin[] = {p.pad_top, p.pad_left};
    const int64_t pad_end[] = {p.pad_bottom, p.pad_right};
    dnnl_convolution_desc_t operation;
    if (dnnl_dilated_convolution_forward_desc_init(&operation, dnnl_forward_inference,
                                                   dnnl_convolution_direct, &in, &filter,
                                                   p.has_bias ? &bias : nullptr, &out, strides,
                                                   dilations, pad_begin, pad_end) != dnnl_success) {
      return nullptr;
    }
    return Make(&operation, MakeAttributes(1, p.beta, p.activation), plain_filter,
                accept_reference);
  }

 private:
  // True if the convolution in the layout that oneDNN likes, with the filter reordered at every
  // run, is faster than with the filter as it is: the other way copies the windows, which a filter
  // of one element without strides does not have, and the reordering is shared by all output
  // pixels.
  static bool ReorderPays(const ConvolutionProblem& p) {
    constexpr int64_t kPixels = 128, kPixelsForOneTap = 512;
    int64_t pixels = p.batch * p.out_height * p.out_width;
    if (p.filter_height > 1 || p.filter_width > 1) return pixels >= kPixels;
    return (p.stride_height > 1 || p.stride_width > 1) && pixels >= kPixelsForOneTap;
  }

  std::unique_ptr<Plan> Make(const void* operation, const Attributes& attributes,
                             const dnnl_memory_desc_t& plain_weights, bool accept_reference) {
    if (!attributes) return nullptr;
    PrimitiveDesc desc = Best(operation, attributes, engine_, accept_reference);
    if (!desc) return nullptr;
    return OneDnnPlan::Create(engine_, std::move(desc), plain_weights);
  }

  dnnl_engine_t engine_;
};

}  // namespace
}  // namespace tfrt::contraction

extern "C" __attribute__((visibility("default"))) tfrt::contraction::Backend*
tfrt_create_contraction_backend(int version) {
  using namespace tfrt::contraction;
  if (version != kBackendModuleVersion) return nullptr;
  // One for the process, never destroyed: threads keep streams of it for as long as they live.
  static dnnl_engine_t engine = [] {
    OneOpenMpThread one_thread;
    dnnl_engine_t made = nullptr;
    return dnnl_engine_create(&made, dnnl_cpu, 0) == dnnl_success ? made : nullptr;
  }();
  return engine ? new OneDnnBackend(engine) : nullptr;
}
