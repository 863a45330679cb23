#include "attention_blocks.h"

#include <limits>

#include "aligned_buffer.h"
#include "contractions.h"
#include "panel_products.h"

namespace tfrt::maths {
namespace {

using contraction::AlignedBuffer;
using contraction::MatMulProblem;
using contraction::MultiplyPanels;
using contraction::Operands;
using contraction::PackPanels;
using contraction::PanelFloats;

constexpr float kHidden = -std::numeric_limits<float>::infinity();
// The scores of a block of queries and keys stay in the second-level cache.
constexpr int64_t kQueries = 64, kKeys = 512;
// With panels keys are arranged for each block, which pays for more queries, in the same cache.
constexpr int64_t kMaxQueries = 256, kScores = 1 << 16;
// So few queries are computed one by one: what a library prepares for a product costs more.
constexpr int64_t kFewQueries = 2;
// Rows of scores are whole vectors.
constexpr int64_t kVector = 16;

thread_local AlignedBuffer scores_buffer, keys_buffer, values_buffer;

Status NoMemory() { return ResourceExhaustedError("no memory for scores"); }

// Null without memory.
float* Floats(AlignedBuffer& buffer, int64_t count) {
  return buffer.Reserve(static_cast<size_t>(count) * sizeof(float))
             ? static_cast<float*>(buffer.data())
             : nullptr;
}

int64_t QueriesOfBlock(const Heads& q, const Heads& k, bool causal, int parallelism) {
  // Causal attention leaves out later keys block by block.
  if (causal) return kQueries;
  const int64_t queries =
      std::clamp<int64_t>(kScores / std::min(k.steps, kKeys), kQueries, kMaxQueries);
  const int64_t blocks = q.batch * q.heads * ((q.steps + queries - 1) / queries);
  return blocks >= 2 * parallelism || parallelism == 1 ? queries : kQueries;
}

}  // namespace

AttentionBlocks::AttentionBlocks(const Heads& q, const Heads& k, const Heads& v, const Heads& out,
                                 const Mask& mask, const AttentionOptions& options,
                                 const float* q_data, const float* k_data, const float* v_data,
                                 float* out_data, bool in_panels, int parallelism)
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
      in_panels_(in_panels && q.steps > kFewQueries && q.size > 0 && k.steps > 0),
      queries_(in_panels_ ? QueriesOfBlock(q, k, options.causal, parallelism) : kQueries),
      blocks_per_head_((q.steps - 1) / queries_ + 1) {}

Status AttentionBlocks::Run(const ExecutionContext& exec_ctx, size_t index) const {
  const auto at = static_cast<int64_t>(index);
  Block block;
  block.first = at % blocks_per_head_ * queries_;
  block.head = at / blocks_per_head_ % q_.heads;
  block.batch = at / blocks_per_head_ / q_.heads;
  block.count = std::min(queries_, q_.steps - block.first);
  block.kv_head = block.head / (q_.heads / k_.heads);
  if (k_.steps == 0) {
    // A sum of no values is 0, masked or not.
    float* row = out_data_ + out_.At(block.batch, block.head, block.first);
    for (int64_t i = 0; i < block.count; ++i)
      std::fill_n(row + i * out_.step_stride, out_.size, 0.0f);
    return OkStatus();
  }
  std::array<cpu::RunningSoftmax, kMaxQueries> all_rows;
  const auto rows = std::span(all_rows).first(static_cast<size_t>(block.count));
  std::ranges::fill(rows, cpu::RunningSoftmax{kHidden, 0});
  TFRT_RETURN_IF_ERROR(in_panels_ ? RunPanels(block, rows) : RunSteps(exec_ctx, block, rows));
  float* row = out_data_ + out_.At(block.batch, block.head, block.first);
  for (const cpu::RunningSoftmax& softmax : rows) {
    if (softmax.sum == 0) {
      const bool is_zero = options_.masked_rows_are_zero;
      std::fill_n(row, out_.size, is_zero ? 0.0f : std::numeric_limits<float>::quiet_NaN());
    } else {
      cpu::Scale(static_cast<float>(1 / softmax.sum), row, out_.size);
    }
    row += out_.step_stride;
  }
  return OkStatus();
}

Status AttentionBlocks::RunSteps(const ExecutionContext& exec_ctx, const Block& block,
                                 std::span<cpu::RunningSoftmax> rows) const {
  const int64_t count = block.count;
  const int64_t keys = std::min(kKeys, k_.steps);
  float* scores = Floats(scores_buffer, count * keys);
  if (!scores) return NoMemory();
  float* out = out_data_ + out_.At(block.batch, block.head, block.first);
  for (int64_t i = 0; i < count; ++i) std::fill_n(out + i * out_.step_stride, out_.size, 0.0f);
  const int64_t seen = SeenBy(block.first + count - 1);
  for (int64_t key = 0; key < seen; key += keys) {
    const int64_t taken = std::min(keys, seen - key);
    const float* queries = q_data_ + q_.At(block.batch, block.head, block.first);
    const float* block_keys = k_data_ + k_.At(block.batch, block.kv_head, key);
    const float* values = v_data_ + v_.At(block.batch, block.kv_head, key);
    if (count <= kFewQueries) {
      for (int64_t i = 0; i < count; ++i) {
        cpu::ScoreKeys(queries + i * q_.step_stride, block_keys, k_.step_stride, taken, q_.size,
                       options_.scale, scores + i * taken);
      }
    } else {
      TFRT_RETURN_IF_ERROR(Score(exec_ctx, queries, block_keys, count, taken, scores));
    }
    Extend(block, key, taken, taken, scores, taken, rows);
    if (count <= kFewQueries) {
      for (int64_t i = 0; i < count; ++i) {
        cpu::AddValues(scores + i * taken, values, v_.step_stride, taken, v_.size,
                       out + i * out_.step_stride);
      }
    } else {
      TFRT_RETURN_IF_ERROR(Weigh(exec_ctx, scores, values, count, taken, out));
    }
  }
  return OkStatus();
}

Status AttentionBlocks::RunPanels(const Block& block, std::span<cpu::RunningSoftmax> rows) const {
  const int64_t keys = std::min(kKeys, k_.steps);
  const int64_t stride = (keys + kVector - 1) / kVector * kVector;
  float* scores = Floats(scores_buffer, block.count * stride);
  float* key_panels = Floats(keys_buffer, PanelFloats(keys, k_.size));
  float* value_panels = Floats(values_buffer, PanelFloats(v_.size, keys));
  if (!scores || !key_panels || !value_panels) return NoMemory();
  float* out = out_data_ + out_.At(block.batch, block.head, block.first);
  const int64_t seen = SeenBy(block.first + block.count - 1);
  if (seen == 0) {
    for (int64_t i = 0; i < block.count; ++i) {
      std::fill_n(out + i * out_.step_stride, out_.size, 0.0f);
    }
  }
  for (int64_t key = 0; key < seen; key += keys) {
    const int64_t taken = std::min(keys, seen - key);
    const int64_t filled = (taken + kVector - 1) / kVector * kVector;
    PackPanels(k_data_ + k_.At(block.batch, block.kv_head, key), 1, k_.step_stride, taken, k_.size,
               key_panels);
    // With the zeros that fill up panels, rows of scores are whole vectors.
    MultiplyPanels({.rows = block.count,
                    .columns = filled,
                    .depth = q_.size,
                    .a = q_data_ + q_.At(block.batch, block.head, block.first),
                    .a_stride = q_.step_stride,
                    .panels = key_panels,
                    .out = scores,
                    .out_stride = stride,
                    .bias = nullptr,
                    .alpha = options_.scale,
                    .beta = 0},
                   nullptr, nullptr);
    // Loops over whole vectors are faster, too.
    for (int64_t i = 0; taken < filled && i < block.count; ++i) {
      std::fill(scores + i * stride + taken, scores + i * stride + filled, kHidden);
    }
    Extend(block, key, taken, filled, scores, stride, rows);
    PackPanels(v_data_ + v_.At(block.batch, block.kv_head, key), v_.step_stride, 1, v_.size, taken,
               value_panels);
    MultiplyPanels({.rows = block.count,
                    .columns = v_.size,
                    .depth = taken,
                    .a = scores,
                    .a_stride = stride,
                    .panels = value_panels,
                    .out = out,
                    .out_stride = out_.step_stride,
                    .bias = nullptr,
                    .alpha = 1,
                    .beta = key == 0 ? 0.0f : 1.0f},
                   nullptr, nullptr);
  }
  return OkStatus();
}

int64_t AttentionBlocks::SeenBy(int64_t query) const {
  if (!options_.causal) return k_.steps;
  const int64_t last = options_.causal_at_end ? query + k_.steps - q_.steps : query;
  return std::clamp<int64_t>(last + 1, 0, k_.steps);
}

Status AttentionBlocks::Score(const ExecutionContext& exec_ctx, const float* queries,
                              const float* keys, int64_t count, int64_t taken,
                              float* scores) const {
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

Status AttentionBlocks::Weigh(const ExecutionContext& exec_ctx, const float* scores,
                              const float* values, int64_t count, int64_t taken, float* out) const {
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

void AttentionBlocks::Hide(int64_t batch, int64_t head, int64_t query, int64_t first, int64_t count,
                           float* scores) const {
  const auto& strides = mask_.strides;
  const int64_t at =
      batch * strides[0] + head * strides[1] + query * strides[2] + first * strides[3];
  if (mask_.added && strides[3] == 1) {
    cpu::AddRow(mask_.added + at, count, scores);
  } else if (mask_.added) {
    for (int64_t i = 0; i < count; ++i) scores[i] += mask_.added[at + i * strides[3]];
  } else if (mask_.counts) {
    for (int64_t i = 0; i < count; ++i) {
      if (!mask_.counts[at + i * strides[3]]) scores[i] = kHidden;
    }
  }
  const int64_t seen = std::clamp<int64_t>(SeenBy(query) - first, 0, count);
  std::fill(scores + seen, scores + count, kHidden);
}

void AttentionBlocks::Extend(const Block& block, int64_t key, int64_t taken, int64_t filled,
                             float* scores, int64_t stride,
                             std::span<cpu::RunningSoftmax> rows) const {
  float* out = out_data_ + out_.At(block.batch, block.head, block.first);
  for (int64_t i = 0; i < block.count; ++i) {
    float* row = scores + i * stride;
    Hide(block.batch, block.head, block.first + i, key, taken, row);
    const float factor = cpu::Extend(rows[static_cast<size_t>(i)], row, filled);
    if (key > 0 && factor != 1) cpu::Scale(factor, out + i * out_.step_stride, out_.size);
  }
}

}  // namespace tfrt::maths
