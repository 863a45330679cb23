#include "attention.h"

#include <array>
#include <initializer_list>
#include <vector>

#include "attention_blocks.h"
#include "contractions.h"
#include "fallible_blocks.h"
#include "in_floats.h"
#include "lib/ops/maths/tensor/operand_checks.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

StatusOr<Mask> MakeMask(const DenseHostTensor* tensor, const std::array<int64_t, 4>& scores) {
  Mask mask;
  if (!tensor) return mask;
  if (tensor->dtype() == DType::kI1) {
    mask.counts = static_cast<const bool*>(tensor->data());
  } else {
    TFRT_RETURN_IF_ERROR(CheckDType(*tensor, DType::kF32, "the attention mask"));
    mask.added = static_cast<const float*>(tensor->data());
  }
  const TensorShape& shape = tensor->shape();
  bool fits = shape.rank() <= 4;
  int64_t stride = 1;
  for (size_t back = 1; fits && back <= shape.rank(); ++back) {
    const int64_t size = shape.dim(shape.rank() - back);
    fits = size == 1 || size == scores[4 - back];
    mask.strides[4 - back] = size == 1 ? 0 : stride;
    stride *= size;
  }
  if (fits) return mask;
  return InvalidArgumentError(StrCat("the attention mask has the shape ", shape.ToString(),
                                     ", which is not broadcast to the scores"));
}

struct Input {
  Heads heads;
  const float* data;
};

// The heads fit each other and the output, which shares no memory with `inputs`.
Completion AttendHeads(const Input& q, const Input& k, const Input& v, const Heads& result,
                       const DenseHostTensor* mask, const AttentionOptions& options,
                       std::initializer_list<const DenseHostTensor*> inputs, DenseHostTensor& out,
                       const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(Mask scores_mask, MakeMask(mask, {q.heads.batch, q.heads.heads,
                                                          q.heads.steps, k.heads.steps}));
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  if (out.num_elements() == 0) return GetReadyChain();
  TFRT_ASSIGN_OR_RETURN(bool in_panels, contraction::Contractions::Of(exec_ctx).UsesPanels());
  const AttentionBlocks attend(q.heads, k.heads, v.heads, result, scores_mask, options, q.data,
                               k.data, v.data, static_cast<float*>(data), in_panels,
                               contraction::ParallelismOf(exec_ctx.work_queue()));
  const double cost = attend.block_cost();
  std::vector<const DenseHostTensor*> operands(inputs);
  operands.push_back(&out);
  if (mask) operands.push_back(mask);
  return RunFallibleBlocks(
      exec_ctx, attend.num_blocks(),
      ItemsPerBlock(cost < double(kBlockCost) ? static_cast<size_t>(cost) : kBlockCost),
      "attention", operands,
      [attend, exec_ctx](size_t block) { return attend.Run(exec_ctx, block); });
}

Completion AttendFloats(const DenseHostTensor& q, const DenseHostTensor& k,
                        const DenseHostTensor& v, const DenseHostTensor* mask,
                        const AttentionOptions& options, DenseHostTensor& out,
                        const ExecutionContext& exec_ctx) {
  for (auto [tensor, name] : {std::pair{&q, "q"}, {&k, "k"}, {&v, "v"}}) {
    TFRT_RETURN_IF_ERROR(CheckDType(*tensor, DType::kF32, name));
    TFRT_RETURN_IF_ERROR(CheckRank(*tensor, 4, name));
  }
  TFRT_RETURN_IF_ERROR(CheckRank(out, 4, "the attention output"));
  const Heads queries(q.shape(), options.heads_last), keys(k.shape(), options.heads_last),
      values(v.shape(), options.heads_last), result(out.shape(), options.heads_last);
  const bool fits = queries.batch == keys.batch && queries.batch == values.batch &&
                    queries.size == keys.size && keys.steps == values.steps &&
                    keys.heads == values.heads && result.batch == queries.batch &&
                    result.heads == queries.heads && result.steps == queries.steps &&
                    result.size == values.size &&
                    (queries.heads == 0 || (keys.heads > 0 && queries.heads % keys.heads == 0));
  if (!fits) {
    return InvalidArgumentError(StrCat("attention of ", q.shape().ToString(), ", ",
                                       k.shape().ToString(), " and ", v.shape().ToString(),
                                       " cannot give ", out.shape().ToString()));
  }
  TFRT_RETURN_IF_ERROR(CheckApart("attention", out, {&q, &k, &v}));
  return AttendHeads({queries, static_cast<const float*>(q.data())},
                     {keys, static_cast<const float*>(k.data())},
                     {values, static_cast<const float*>(v.data())}, result, mask, options,
                     {&q, &k, &v}, out, exec_ctx);
}

Completion AttendPackedFloats(const DenseHostTensor& qkv, int64_t heads, int64_t kv_heads,
                              const DenseHostTensor* mask, const AttentionOptions& options,
                              DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(qkv, DType::kF32, "the queries, keys and values"));
  TFRT_RETURN_IF_ERROR(CheckRank(qkv, 3, "the queries, keys and values"));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 3, "the attention output"));
  const int64_t batch = qkv.shape().dim(0), steps = qkv.shape().dim(1), row = qkv.shape().dim(2);
  if (heads < 1 || kv_heads < 1 || heads % kv_heads != 0 || row % (heads + 2 * kv_heads) != 0) {
    return InvalidArgumentError(StrCat("rows of ", row, " do not have ", heads, " queries with ",
                                       kv_heads, " keys and values"));
  }
  const int64_t size = row / (heads + 2 * kv_heads);
  TFRT_RETURN_IF_ERROR(CheckOutputShape("attention", out, {batch, steps, heads * size}));
  TFRT_RETURN_IF_ERROR(CheckApart("attention", out, {&qkv}));
  const auto* data = static_cast<const float*>(qkv.data());
  const Heads queries(batch, heads, steps, size, row), keys(batch, kv_heads, steps, size, row);
  return AttendHeads(
      {queries, data}, {keys, data + heads * size}, {keys, data + (heads + kv_heads) * size},
      Heads(batch, heads, steps, size, heads * size), mask, options, {&qkv}, out, exec_ctx);
}

}  // namespace

Completion Attention(const DenseHostTensor& q, const DenseHostTensor& k, const DenseHostTensor& v,
                     const DenseHostTensor* mask, const AttentionOptions& options,
                     DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  if (!IsHalf(out.dtype())) return AttendFloats(q, k, v, mask, options, out, exec_ctx);
  const bool added = mask && mask->dtype() != DType::kI1;
  return ComputeInFloats(
      {&q, &k, &v, added ? mask : nullptr}, out, false, exec_ctx,
      [&](std::span<const DenseHostTensor* const> inputs, DenseHostTensor& floats) {
        return AttendFloats(*inputs[0], *inputs[1], *inputs[2], added ? inputs[3] : mask, options,
                            floats, exec_ctx);
      });
}

Completion PackedAttention(const DenseHostTensor& qkv, int64_t heads, int64_t kv_heads,
                           const DenseHostTensor* mask, const AttentionOptions& options,
                           DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  if (!IsHalf(out.dtype())) {
    return AttendPackedFloats(qkv, heads, kv_heads, mask, options, out, exec_ctx);
  }
  const bool added = mask && mask->dtype() != DType::kI1;
  return ComputeInFloats(
      {&qkv, added ? mask : nullptr}, out, false, exec_ctx,
      [&](std::span<const DenseHostTensor* const> inputs, DenseHostTensor& floats) {
        return AttendPackedFloats(*inputs[0], heads, kv_heads, added ? inputs[1] : mask, options,
                                  floats, exec_ctx);
      });
}

}  // namespace tfrt::maths
