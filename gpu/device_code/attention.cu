// Attention: softmax(scale * q k + mask) v for each head, without scores in global memory.
//
//   attention_TYPE(out, q, k, v, added, counts, batch, heads, kv_heads, queries, keys, size,
//                  value_size, batch_step, head_step, query_step, key_step, scale, heads_last,
//                  causal, hidden_is_zero)
//     q [batch,heads,queries,size], k [batch,kv_heads,keys,size],
//     v [batch,kv_heads,keys,value_size] -> out [batch,heads,queries,value_size]; with `heads_last`
//     (i32), heads are the third dimension instead of the second. `heads` is a multiple of
//     `kv_heads`: neighbours share keys and values.
//     A mask, `added` of TYPE or `counts` of i1, or null, has steps along the four dimensions of
//     the scores: numbers are added, keys whose truth value is false do not count.
//     `causal` (i32): 0 none; 1: query i sees the keys 0 to i; 2: 0 to i + keys - queries.
//     Queries that see no key get NaN, or 0 with `hidden_is_zero` (i32). Without keys all is 0.
//
// All is computed in f32. `scale` is f32, sizes are i32, steps of the mask i64. Queries and keys
// are at most 2^30 each, and the elements of all heads of a row below 2^31. A block has
// kAttentionRows queries of a head and up to kAttentionColumns elements of their results. It goes
// over the keys, so many at a time, with the largest score of each query so far, by which earlier
// sums are corrected (online softmax). The order of sums depends on sizes alone. `out` shares no
// memory with what is read. The launch is in launch_blocks.h.

#include "device_math.h"
#include "fixed_blocks.h"
#include "launch_sizes.h"
#include "ops_by_type.h"
#include "teams.h"

namespace tfrt::gpu::device {
namespace {

using Element = TFRT_TYPE;

constexpr int kRows = kAttentionRows, kColumns = kAttentionColumns;
constexpr int kKeys = 64;                         // at a time
constexpr f32 kHidden = -Format<f32>::kInfinity;  // the score of a key that does not count
constexpr int kDepth = 16;  // elements of queries and keys, or values, in shared memory at a time
constexpr int kSide = 16;   // the block's threads as a square
constexpr int kPart = kRows / kSide, kOfColumns = kColumns / kSide;
static_assert(kSide * kSide == kBlockThreads && kPart * kSide == kKeys && kKeys == 2 * kWarp);

struct Memory {
  f32 scores[kRows][kKeys + 1];  // a column more against conflicts of banks
  union {
    struct {
      f32 queries[kDepth][kRows + 1];
      f32 keys[kDepth][kKeys + 1];
    };
    f32 values[kDepth][kColumns];
  };
  // The largest score of each query so far, before some keys and after them, in turn.
  f32 largest[2][kRows];
  f32 factor[kRows];  // by which sums made with the largest one before are multiplied
};

struct Problem {
  Element* out;
  const Element *q, *k, *v, *added;
  const i1* counts;
  int32_t batch, heads, kv_heads, queries, keys, size, value_size;
  int64_t batch_step, head_step, query_step, key_step;
  f32 scale;
  bool heads_last;
  int32_t causal;
  bool hidden_is_zero;

  // The number of keys that a query sees: the first ones.
  TFRT_DEVICE int32_t SeenBy(int32_t query) const {
    if (causal == 0) return keys;
    const int32_t seen = query + 1 + (causal == 2 ? keys - queries : 0);
    return seen < 0 ? 0 : seen < keys ? seen : keys;
  }
};

// The rows of a head, from `first` on, in a tensor with so many.
template <typename T>
struct Rows {
  T* data;
  int32_t step;

  TFRT_DEVICE Rows(T* tensor, const Problem& p, int64_t image, int64_t head, int32_t heads,
                   int32_t rows, int32_t size, int64_t first = 0)
      : data(tensor + image * heads * rows * size + head * size * (p.heads_last ? 1 : rows)),
        step(p.heads_last ? heads * size : size) {
    data += first * step;
  }
  TFRT_DEVICE T& At(int32_t row, int32_t element) const {
    return data[int64_t{row} * step + element];
  }
};

// Elements [element, element + kDepth) of rows become columns: those of as many as are in `to`, of
// which there are `rest`.
template <int rows>
TFRT_DEVICE void LoadColumns(f32 (&to)[kDepth][rows + 1], const Rows<const Element>& from,
                             int32_t begin, int32_t rest, int32_t element, int32_t size) {
  const int d = static_cast<int>(ThreadInBlock()) % kDepth;
  const int first = static_cast<int>(ThreadInBlock()) / kDepth;
  const Element* at = &from.At(begin + first, element + d);
#pragma unroll
  for (int row = first; row < rows; row += kBlockThreads / kDepth) {
    to[d][row] = row < rest && element + d < size ? Decode(*at) : 0;
    at += int64_t{kBlockThreads / kDepth} * from.step;
  }
}

// A tile of queries of a head, in which each thread has kPart queries, and of each kPart keys and
// kOfColumns elements of results.
struct Tile {
  const Problem& p;
  Memory& memory;
  int32_t image, head, first, column;
  int x = static_cast<int>(ThreadInBlock()) % kSide, y = static_cast<int>(ThreadInBlock()) / kSide;

  // Whether a warp has queries at all. Barriers are for all of them.
  TFRT_DEVICE bool IsBusy() const { return first + y / 2 * 2 * kPart < p.queries; }

  TFRT_DEVICE void Score(f32 (&scores)[kPart][kPart], const Rows<const Element>& queries,
                         const Rows<const Element>& keys, int32_t key) const {
#pragma unroll 1
    for (int32_t element = 0; element < p.size; element += kDepth) {
      Barrier();  // what was there before is used
      LoadColumns<kRows>(memory.queries, queries, 0, p.queries - first, element, p.size);
      LoadColumns<kKeys>(memory.keys, keys, key, p.keys - key, element, p.size);
      Barrier();
      if (!IsBusy()) continue;
#pragma unroll 4
      for (int d = 0; d < kDepth; ++d) {
        f32 left[kPart], right[kPart];
#pragma unroll
        for (int i = 0; i < kPart; ++i) left[i] = memory.queries[d][y * kPart + i];
#pragma unroll
        for (int j = 0; j < kPart; ++j) right[j] = memory.keys[d][x + j * kSide];
#pragma unroll
        for (int i = 0; i < kPart; ++i) {
#pragma unroll
          for (int j = 0; j < kPart; ++j) scores[i][j] = Fma(left[i], right[j], scores[i][j]);
        }
      }
    }
  }

  // Puts the scores into shared memory.
  TFRT_DEVICE void Put(const f32 (&scores)[kPart][kPart]) const {
#pragma unroll
    for (int i = 0; i < kPart; ++i) {
#pragma unroll
      for (int j = 0; j < kPart; ++j) {
        memory.scores[y * kPart + i][x + j * kSide] = scores[i][j];
      }
    }
  }

  // Score `sum` of a query and a key, masked.
  TFRT_DEVICE f32 Masked(f32 sum, int32_t query, int32_t key, int32_t seen) const {
    if (key >= seen) return kHidden;
    const int64_t at =
        image * p.batch_step + head * p.head_step + query * p.query_step + key * p.key_step;
    if (p.counts != nullptr && !Decode(p.counts[at])) return kHidden;
    const f32 score = p.scale * sum;
    return p.added == nullptr ? score : score + Decode(p.added[at]);
  }

  // Scores become weights: a warp has some queries, one after the other, and all keys of each.
  // `part`: 0, 1, 0, ... for one part of the keys after the other.
  TFRT_DEVICE void Weigh(int32_t key, int part) const {
    constexpr int kQueries = kRows / (kBlockThreads / kWarp);
    const int lane = static_cast<int>(ThreadInBlock()) % kWarp;
    const int begin = static_cast<int>(ThreadInBlock()) / kWarp * kQueries;
#pragma unroll 1
    for (int row = begin; row < begin + kQueries; ++row) {
      const int32_t query = first + row, seen = query < p.queries ? p.SeenBy(query) : 0;
      f32 &left = memory.scores[row][lane], &right = memory.scores[row][lane + kWarp];
      const f32 a = Masked(left, query, key + lane, seen);
      const f32 b = Masked(right, query, key + lane + kWarp, seen);
      const f32 before = memory.largest[part][row];
      const f32 most =
          Larger(CombineWarp(Larger(a, b), [](f32 c, f32 d) { return Larger(c, d); }), before);
      // A query that has seen no key yet has no largest score to subtract.
      const bool sees_none = most == kHidden;
      left = sees_none ? 0 : Exp(a - most);
      right = sees_none ? 0 : Exp(b - most);
      if (lane != 0) continue;
      memory.largest[1 - part][row] = most;
      memory.factor[row] = before == kHidden ? 0 : Exp(before - most);
    }
  }

  TFRT_DEVICE void AddValues(f32 (&sums)[kPart][kOfColumns], f32 (&weights)[kPart],
                             const Rows<const Element>& values, int32_t key) const {
    if (IsBusy()) {
#pragma unroll
      for (int i = 0; i < kPart; ++i) {
        const f32 factor = memory.factor[y * kPart + i];
        weights[i] *= factor;
#pragma unroll
        for (int j = 0; j < kOfColumns; ++j) sums[i][j] *= factor;
      }
    }
#pragma unroll 1
    for (int begin = 0; begin < kKeys && key + begin < p.keys; begin += kDepth) {
      Barrier();  // the weights are there, the values before are used
#pragma unroll
      for (int item = 0; item < kDepth * kColumns / kBlockThreads; ++item) {
        const int number = static_cast<int>(ThreadInBlock()) + item * kBlockThreads;
        const int row = number / kColumns, at = number % kColumns;
        const bool is_inside = row < p.keys - key - begin && at < p.value_size - column;
        memory.values[row][at] = is_inside ? Decode(values.At(key + begin + row, at)) : 0;
      }
      Barrier();
      if (!IsBusy()) continue;
#pragma unroll 2
      for (int d = 0; d < kDepth; ++d) {
        f32 left[kPart];
#pragma unroll
        for (int i = 0; i < kPart; ++i) {
          left[i] = memory.scores[y * kPart + i][begin + d];
          weights[i] += left[i];
        }
#pragma unroll
        for (int j = 0; j < kOfColumns; ++j) {
          const f32 value = memory.values[d][x + j * kSide];
#pragma unroll
          for (int i = 0; i < kPart; ++i) sums[i][j] = Fma(left[i], value, sums[i][j]);
        }
      }
    }
  }

  // The larger one; NaN if there is one.
  TFRT_DEVICE static f32 Larger(f32 a, f32 b) { return a > b || a != a ? a : b; }
};

TFRT_DEVICE void Attend(Memory& memory, const Problem& p) {
  const int64_t tiles = CeilDiv(p.queries, kRows), slices = CeilDiv(p.value_size, kColumns);
#pragma unroll 1
  for (int64_t i = Block(); i < int64_t{p.batch} * p.heads * tiles * slices; i += NumBlocks()) {
    const int64_t tile_number = Divide(i, slices), all_heads = Divide(tile_number, tiles);
    const auto image = static_cast<int32_t>(Divide(all_heads, p.heads));
    const auto head = static_cast<int32_t>(all_heads - int64_t{image} * p.heads);
    const Tile tile = {p,
                       memory,
                       image,
                       head,
                       static_cast<int32_t>(tile_number - all_heads * tiles) * kRows,
                       static_cast<int32_t>(i - tile_number * slices) * kColumns};
    const int32_t kv_head = head / (p.heads / p.kv_heads);
    const Rows<const Element> queries(p.q, p, image, head, p.heads, p.queries, p.size, tile.first);
    const Rows<const Element> keys(p.k, p, image, kv_head, p.kv_heads, p.keys, p.size);
    const Rows<const Element> values(p.v + tile.column, p, image, kv_head, p.kv_heads, p.keys,
                                     p.value_size);
    const int32_t rest = p.queries - tile.first;
    const int32_t seen = p.SeenBy(tile.first + (kRows < rest ? kRows : rest) - 1);
    f32 sums[kPart][kOfColumns] = {}, weights[kPart] = {};
    if (ThreadInBlock() < kRows) memory.largest[0][ThreadInBlock()] = kHidden;
    int part = 0;
#pragma unroll 1
    for (int32_t key = 0; key < seen; key += kKeys) {
      f32 scores[kPart][kPart] = {};
      Barrier();  // the scores before are used, the largest ones are there
      tile.Score(scores, queries, keys, key);
      tile.Put(scores);
      Barrier();
      tile.Weigh(key, part);
      Barrier();
      tile.AddValues(sums, weights, values, key);
      part = 1 - part;
    }
    const f32 of_hidden = p.hidden_is_zero || p.keys == 0 ? 0 : Format<f32>::kNan;
    const Rows<Element> out(p.out + tile.column, p, image, head, p.heads, p.queries, p.value_size,
                            tile.first);
#pragma unroll
    for (int r = 0; r < kPart; ++r) {
      const int row = tile.y * kPart + r;
      const f32 factor = 1 / weights[r];
#pragma unroll
      for (int j = 0; j < kOfColumns; ++j) {
        const int at = tile.x + j * kSide;
        if (row < rest && at < p.value_size - tile.column) {
          out.At(row, at) = Encode<Element>(weights[r] == 0 ? of_hidden : sums[r][j] * factor);
        }
      }
    }
    Barrier();  // before the next scores
  }
}

}  // namespace

__attribute__((launch_bounds(kBlockThreads, 2))) TFRT_KERNEL TFRT_ENTRY(attention)(
    Element* out, const Element* q, const Element* k, const Element* v, const Element* added,
    const i1* counts, int32_t batch, int32_t heads, int32_t kv_heads, int32_t queries, int32_t keys,
    int32_t size, int32_t value_size, int64_t batch_step, int64_t head_step, int64_t query_step,
    int64_t key_step, f32 scale, int32_t heads_last, int32_t causal, int32_t hidden_is_zero) {
  TFRT_SHARED static Memory memory;
  Attend(memory, {out,
                  q,
                  k,
                  v,
                  added,
                  counts,
                  batch,
                  heads,
                  kv_heads,
                  queries,
                  keys,
                  size,
                  value_size,
                  batch_step,
                  head_step,
                  query_step,
                  key_step,
                  scale,
                  heads_last != 0,
                  causal,
                  hidden_is_zero != 0});
}

}  // namespace tfrt::gpu::device
