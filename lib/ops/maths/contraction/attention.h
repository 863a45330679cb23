// Attention. Thread-safe; tensors are borrowed for the time of the call, their memory until the
// completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_ATTENTION_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_ATTENTION_H_

#include <cstdint>

#include "lib/ops/maths/completion.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

struct AttentionOptions {
  float scale = 1;
  bool heads_last = false;  // [B,S,H,D] instead of [B,H,S,D]
  // Row i sees the keys 0 to i or, at the end, 0 to i + T - S.
  bool causal = false;
  bool causal_at_end = false;
  bool masked_rows_are_zero = false;  // else NaN, where no key counts
};

// Computes out [B,H,S,E] = softmax(scale * q [B,H,S,D] * k [B,G,T,D] + mask) * v [B,G,T,E]. Each of
// the G heads serves H / G heads of q. The mask, which may be null, is f32 or i1 and broadcast to
// [B,H,S,T]. Where an i1 mask is false the key does not count. Element types are f32, f16 and bf16,
// the latter two computed in f32; an additive mask has the same dtype. InvalidArgument for shapes
// that do not fit.
Completion Attention(const DenseHostTensor& q, const DenseHostTensor& k, const DenseHostTensor& v,
                     const DenseHostTensor* mask, const AttentionOptions& options,
                     DenseHostTensor& out, const ExecutionContext& exec_ctx);

// Computes the same for q, k and v side by side in each row of `qkv` [B,S,(heads + 2 * kv_heads) *
// D]. The output is out [B,S,heads * D]. Ignores `heads_last`.
Completion PackedAttention(const DenseHostTensor& qkv, int64_t heads, int64_t kv_heads,
                           const DenseHostTensor* mask, const AttentionOptions& options,
                           DenseHostTensor& out, const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_ATTENTION_H_
