#include "tfrt/kernel_maths/attention.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <vector>

#include "aligned_buffer.h"
#include "contractions.h"
#include "fallible_blocks.h"
#include "tfrt/kernel_maths/cpu/attention_rows.h"
#include "tfrt/kernel_maths/in_floats.h"
#include "tfrt/kernel_maths/operand_checks.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

using contraction::MatMulProblem;
using contraction::Operands;

constexpr float kHidden = -std::numeric_limits<float>::infinity();
// The scores of a block of queries and keys stay in the second-level cache.
constexpr int64_t kQueries = 64, kKeys = 512;
// So few queries are computed one by one: what a library prepares for a product costs more.
constexpr int64_t kFewQueries = 2;

thread_local contraction::AlignedBuffer scores_buffer;

// Sizes and strides of [batch, heads, steps, size], whichever order they have in memory.
struct Heads {
  Heads(const TensorShape& shape, bool heads_last)
      : batch(shape.dim(0)),
        heads(shape.dim(heads_last ? 2 : 1)),
        steps(shape.dim(heads_last ? 1 : 2)),
        size(shape.dim(3)),
        batch_stride(heads * steps * size),
        head_stride(heads_last ? size : steps * size),
        step_stride(heads_last ? heads * size : size) {}
  // In rows of `row` elements, of which these heads are some.
  Heads(int64_t batch, int64_t heads, int64_t steps, int64_t size, int64_t row)
      : batch(batch),
        heads(heads),
        steps(steps),
        size(size),
        batch_stride(steps * row),
        head_stride(size),
        step_stride(row) {}
  int64_t At(int64_t b, int64_t head, int64_t step) const {
    return b * batch_stride + head * head_stride + step * step_stride;
  }
  int64_t batch, heads, steps, size, batch_stride, head_stride, step_stride;
};

struct Mask {
  const float* added = nullptr;
  const bool* counts = nullptr;
  std::array<int64_t, 4> strides = {};  // 0 where it is repeated
};

class Attend {
 public:
  Attend(const Heads& q, const Heads& k, const Heads& v, const Heads& out, const Mask& mask,
         const AttentionOptions& options, const float* q_data, const float* k_data,
         const float* v_data, float* out_data)
      : q_(q),
        k_(k),
        v_(v),
        out_(out),
        mask_(mask),
        options_(options),
        q_data_(q_data),
        k_data_(k_data),
        v_data_(v_data),
        out_data_(out_data),
        blocks_per_head_((q.steps - 1) / kQueries + 1) {}

  size_t num_blocks() const { return static_cast<size_t>(q_.batch * q_.heads * blocks_per_head_); }
  // Multiplications and additions of one.
  double block_cost() const {
    return double(std::min(q_.steps, kQueries)) * double(k_.steps) * double(q_.size + v_.size + 8);
  }

  Status Run(const ExecutionContext& exec_ctx, size_t block) const {
    const auto index = static_cast<int64_t>(block);
    const int64_t first = index % blocks_per_head_ * kQueries;
    const int64_t head = index / blocks_per_head_ % q_.heads;
    const int64_t batch = index / blocks_per_head_ / q_.heads;
    const int64_t count = std::min(kQueries, q_.steps - first);
    const int64_t kv_head = head / (q_.heads / k_.heads);
    const int64_t keys = std::min(kKeys, k_.steps);
    if (!scores_buffer.Reserve(static_cast<size_t>(count * keys) * sizeof(float))) {
      return ResourceExhaustedError("no memory for scores");
    }
    auto* scores = static_cast<float*>(scores_buffer.data());
    std::array<cpu::RunningSoftmax, kQueries> rows;
    rows.fill({kHidden, 0});
    float* out = out_data_ + out_.At(batch, head, first);
    for (int64_t i = 0; i < count; ++i) std::fill_n(out + i * out_.step_stride, out_.size, 0.0f);
    const int64_t seen = SeenBy(first + count - 1);
    for (int64_t key = 0; key < seen; key += keys) {
      const int64_t taken = std::min(keys, seen - key);
      const float* queries = q_data_ + q_.At(batch, head, first);
      const float* block_keys = k_data_ + k_.At(batch, kv_head, key);
      const float* values = v_data_ + v_.At(batch, kv_head, key);
      if (count <= kFewQueries) {
        for (int64_t i = 0; i < count; ++i) {
          cpu::ScoreKeys(queries + i * q_.step_stride, block_keys, k_.step_stride, taken, q_.size,
                         options_.scale, scores + i * taken);
        }
      } else {
        TFRT_RETURN_IF_ERROR(Score(exec_ctx, queries, block_keys, count, taken, scores));
      }
      for (int64_t i = 0; i < count; ++i) {
        float* row = scores + i * taken;
        Hide(batch, head, first + i, key, taken, row);
        const float factor = cpu::Extend(rows[i], row, taken);
        if (key > 0 && factor != 1) cpu::Scale(factor, out + i * out_.step_stride, out_.size);
      }
      if (count <= kFewQueries) {
        for (int64_t i = 0; i < count; ++i) {
          cpu::AddValues(scores + i * taken, values, v_.step_stride, taken, v_.size,
                         out + i * out_.step_stride);
        }
      } else {
        TFRT_RETURN_IF_ERROR(Weigh(exec_ctx, scores, values, count, taken, out));
      }
    }
    for (int64_t i = 0; i < count; ++i) {
      float* row = out + i * out_.step_stride;
      if (rows[i].sum == 0) {
        const bool is_zero = options_.masked_rows_are_zero;
        std::fill_n(row, out_.size, is_zero ? 0.0f : std::numeric_limits<float>::quiet_NaN());
      } else {
        cpu::Scale(static_cast<float>(1 / rows[i].sum), row, out_.size);
      }
    }
    return OkStatus();
  }

 private:
  // How many keys row `query` sees, of the first ones.
  int64_t SeenBy(int64_t query) const {
    if (!options_.causal) return k_.steps;
    const int64_t last = options_.causal_at_end ? query + k_.steps - q_.steps : query;
    return std::clamp<int64_t>(last + 1, 0, k_.steps);
  }

  Status Score(const ExecutionContext& exec_ctx, const float* queries, const float* keys,
               int64_t count, int64_t taken, float* scores) const {
    MatMulProblem problem;
    problem.m = count;
    problem.k = q_.size;
    problem.n = taken;
    problem.transpose_b = true;
    problem.alpha = options_.scale;
    problem.a_row_stride = q_.step_stride;
    problem.b_row_stride = k_.step_stride;
    problem.out_row_stride = taken;
    problem.is_transient = options_.scale != options_.scale;
    return contraction::ComputeOnThisThread(exec_ctx, problem,
                                            Operands{.a = queries, .b = keys, .out = scores});
  }

  Status Weigh(const ExecutionContext& exec_ctx, const float* scores, const float* values,
               int64_t count, int64_t taken, float* out) const {
    MatMulProblem problem;
    problem.m = count;
    problem.k = taken;
    problem.n = v_.size;
    problem.beta = 1;
    problem.a_row_stride = taken;
    problem.b_row_stride = v_.step_stride;
    problem.out_row_stride = out_.step_stride;
    return contraction::ComputeOnThisThread(exec_ctx, problem,
                                            Operands{.a = scores, .b = values, .out = out});
  }

  // Adds the mask to the scores of keys [first, first + count).
  void Hide(int64_t batch, int64_t head, int64_t query, int64_t first, int64_t count,
            float* scores) const {
    const auto& strides = mask_.strides;
    const int64_t at =
        batch * strides[0] + head * strides[1] + query * strides[2] + first * strides[3];
    if (mask_.added) {
      for (int64_t i = 0; i < count; ++i) scores[i] += mask_.added[at + i * strides[3]];
    } else if (mask_.counts) {
      for (int64_t i = 0; i < count; ++i) {
        if (!mask_.counts[at + i * strides[3]]) scores[i] = kHidden;
      }
    }
    const int64_t seen = std::clamp<int64_t>(SeenBy(query) - first, 0, count);
    std::fill(scores + seen, scores + count, kHidden);
  }

  Heads q_, k_, v_, out_;
  Mask mask_;
  AttentionOptions options_;
  const float *q_data_, *k_data_, *v_data_;
  float* out_data_;
  int64_t blocks_per_head_;
};

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
  const Attend attend(q.heads, k.heads, v.heads, result, scores_mask, options, q.data, k.data,
                      v.data, static_cast<float*>(data));
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
