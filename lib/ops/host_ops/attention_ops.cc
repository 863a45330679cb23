// Attention.

#include "lib/ops/maths/contraction/attention.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {
namespace {

maths::AttentionOptions AttentionOptionsOf(const OpAttrsRef& attrs) {
  return {.scale = attrs.Get<float>("scale").value_or(1),
          .heads_last = attrs.GetString("layout").value_or("bhsd") == "bshd",
          .causal = attrs.Get<bool>("causal").value_or(false),
          .causal_at_end = attrs.Get<bool>("causal_at_end").value_or(false),
          .masked_rows_are_zero = attrs.Get<bool>("masked_rows_are_zero").value_or(false)};
}

Status Attention(const DenseHostTensor& q, const DenseHostTensor& k, const DenseHostTensor& v,
                 OptionalOpArgument<DenseHostTensor> mask, const TensorMetadata& result,
                 OpCall& call) {
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::Attention(q, k, v, mask.get(), AttentionOptionsOf(call.attrs()), out,
                            call.exec_ctx());
  });
}

Status PackedAttention(const DenseHostTensor& qkv, OptionalOpArgument<DenseHostTensor> mask,
                       const TensorMetadata& result, OpCall& call) {
  const OpAttrsRef& attrs = call.attrs();
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::PackedAttention(qkv, attrs.Get<int64_t>("heads").value_or(1),
                                  attrs.Get<int64_t>("kv_heads").value_or(1), mask.get(),
                                  AttentionOptionsOf(attrs), out, call.exec_ctx());
  });
}

}  // namespace

void RegisterAttentionOps(OpRegistry* registry) {
  registry->Implement("graph.attention", {.function = TFRT_OP(Attention)});
  registry->Implement("graph.packed_attention", {.function = TFRT_OP(PackedAttention)});
}

}  // namespace tfrt
