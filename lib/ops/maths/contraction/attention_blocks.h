// Attention, block by block of queries.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_ATTENTION_BLOCKS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_ATTENTION_BLOCKS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "attention.h"
#include "lib/ops/maths/cpu/attention_rows.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/status.h"

namespace tfrt::maths {

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

class AttentionBlocks {
 public:
  // The heads fit each other. `in_panels`: products by panel_products.h. `parallelism`: how many
  // threads may take blocks.
  AttentionBlocks(const Heads& q, const Heads& k, const Heads& v, const Heads& out,
                  const Mask& mask, const AttentionOptions& options, const float* q_data,
                  const float* k_data, const float* v_data, float* out_data, bool in_panels,
                  int parallelism);

  size_t num_blocks() const { return static_cast<size_t>(q_.batch * q_.heads * blocks_per_head_); }
  // Multiplications and additions of one.
  double block_cost() const {
    return double(std::min(q_.steps, queries_)) * double(k_.steps) * double(q_.size + v_.size + 8);
  }
  // On this thread. ResourceExhausted without memory.
  Status Run(const ExecutionContext& exec_ctx, size_t block) const;

 private:
  // So many queries from `first` on, of one head.
  struct Block {
    int64_t batch, head, kv_head, first, count;
  };
  Status RunSteps(const ExecutionContext& exec_ctx, const Block& block,
                  std::span<cpu::RunningSoftmax> rows) const;
  Status RunPanels(const Block& block, std::span<cpu::RunningSoftmax> rows) const;
  // How many keys row `query` sees, of the first ones.
  int64_t SeenBy(int64_t query) const;
  Status Score(const ExecutionContext& exec_ctx, const float* queries, const float* keys,
               int64_t count, int64_t taken, float* scores) const;
  Status Weigh(const ExecutionContext& exec_ctx, const float* scores, const float* values,
               int64_t count, int64_t taken, float* out) const;
  // Adds the mask to the scores of keys [first, first + count).
  void Hide(int64_t batch, int64_t head, int64_t query, int64_t first, int64_t count,
            float* scores) const;
  // Takes in the scores of the block's queries, which are `stride` apart, for `taken` keys from
  // `key` on; scores up to `filled` are hidden ones.
  void Extend(const Block& block, int64_t key, int64_t taken, int64_t filled, float* scores,
              int64_t stride, std::span<cpu::RunningSoftmax> rows) const;

  Heads q_, k_, v_, out_;
  Mask mask_;
  AttentionOptions options_;
  const float *q_data_, *k_data_, *v_data_;
  float* out_data_;
  bool in_panels_;
  int64_t queries_;  // of a block
  int64_t blocks_per_head_;
};

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_ATTENTION_BLOCKS_H_
