#include "onednn_describe.h"

#include <cstring>

namespace tfrt::contraction {

bool Describe(dnnl_memory_desc_t* layout, const Layout& lies) {
  return dnnl_memory_desc_init_by_strides(layout, static_cast<int>(lies.dims.size()),
                                          lies.dims.data(), lies.type,
                                          lies.strides.data()) == dnnl_success;
}
bool DescribeAny(dnnl_memory_desc_t* layout, const Layout& lies) {
  return dnnl_memory_desc_init_by_tag(layout, static_cast<int>(lies.dims.size()), lies.dims.data(),
                                      lies.type, dnnl_format_tag_any) == dnnl_success;
}
bool Describe(dnnl_memory_desc_t* layout, std::initializer_list<int64_t> dims,
              std::initializer_list<int64_t> strides, dnnl_data_type_t type) {
  return Describe(layout, Layout{dims, strides, type});
}
bool DescribeAny(dnnl_memory_desc_t* layout, std::initializer_list<int64_t> dims,
                 dnnl_data_type_t type) {
  return DescribeAny(layout, Layout{dims, {}, type});
}

namespace {

// Each instruction set has the bits of those that it contains.
bool Has(dnnl_cpu_isa_t isa) {
  const auto bits = static_cast<unsigned>(isa);
  return (static_cast<unsigned>(dnnl_get_effective_cpu_isa()) & bits) == bits;
}

}  // namespace

bool HasFastBf16() { return Has(dnnl_cpu_isa_avx512_core_bf16); }

std::string_view Instructions(bool in_bf16) {
  if (in_bf16) {
    if (Has(dnnl_cpu_isa_avx512_core_amx)) return "AMX";
    return HasFastBf16() ? "AVX-512 BF16" : "";
  }
  if (Has(dnnl_cpu_isa_avx512_core)) return "AVX-512";
  if (Has(dnnl_cpu_isa_avx2)) return "AVX2";
  return Has(dnnl_cpu_isa_avx) ? "AVX" : "SSE4.1";
}

bool FitsInt(std::initializer_list<int64_t> values) {
  for (int64_t value : values) {
    if (value < 0 || value > INT32_MAX) return false;
  }
  return true;
}

namespace {

bool AppendActivation(dnnl_post_ops_t ops, const maths::ActivationWithParameters& activation) {
  auto append = [&](dnnl_alg_kind_t kind, float alpha = 0, float beta = 0) {
    return dnnl_post_ops_append_eltwise(ops, 1, kind, alpha, beta) == dnnl_success;
  };
  const float alpha = activation.alpha, beta = activation.beta;
  switch (activation.kind) {
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
    case Activation::kLeakyRelu:
      return append(dnnl_eltwise_relu, alpha);
    case Activation::kClip:
      return append(dnnl_eltwise_clip, alpha, beta);
    case Activation::kHardSigmoid:
      return append(dnnl_eltwise_linear, alpha, beta) && append(dnnl_eltwise_clip, 0, 1);
    case Activation::kHardSwish:
      return append(dnnl_eltwise_hardswish);
    case Activation::kSwish:
      return append(dnnl_eltwise_swish, alpha);
    case Activation::kElu:
      return append(dnnl_eltwise_elu, alpha);
    case Activation::kSoftplus:
      return append(dnnl_eltwise_soft_relu);
    case Activation::kMish:
      return append(dnnl_eltwise_mish);
  }
  return false;
}

}  // namespace

Attributes MakeAttributes(float alpha, float beta,
                          const maths::ActivationWithParameters& activation) {
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

namespace {

// Implementations that oneDNN itself calls references are slower than Eigen.
bool IsReference(dnnl_primitive_desc_t desc) {
  const char* name = nullptr;
  if (dnnl_primitive_desc_query(desc, dnnl_query_impl_info_str, 0, &name) != dnnl_success) {
    return true;
  }
  return std::strncmp(name, "ref", 3) == 0;
}

}  // namespace

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

bool TakePart(const PrimitiveDesc& desc, std::span<const int64_t> dims, size_t dim, int64_t first,
              dnnl_memory_desc_t* weights, size_t* offset_bytes) {
  dnnl_dims_t offsets = {};
  offsets[dim] = first;
  dnnl_memory_desc_t part;
  if (dnnl_memory_desc_init_submemory(&part, weights, dims.data(), offsets) != dnnl_success) {
    return false;
  }
  *offset_bytes = static_cast<size_t>(part.offset0) *
                  (part.data_type == dnnl_bf16 ? sizeof(uint16_t) : sizeof(float));
  part.offset0 = 0;
  const dnnl_memory_desc_t* read =
      dnnl_primitive_desc_query_md(desc.get(), dnnl_query_weights_md, 0);
  if (!read || !dnnl_memory_desc_equal(&part, read)) return false;
  *weights = part;
  return true;
}

}  // namespace tfrt::contraction
