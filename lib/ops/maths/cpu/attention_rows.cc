#include "attention_rows.h"

#include <algorithm>
#include <limits>

#include "isa_clones.h"
#include "row_sums.h"
#include "vector_math.h"

namespace tfrt::cpu {
namespace {

constexpr auto kIdentity = [](auto x) __attribute__((always_inline)) { return x; };

}  // namespace

TFRT_ISA_CLONES
float Extend(RunningSoftmax& softmax, float* scores, int64_t count) {
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  const float before = softmax.largest;
  const float found = MaxOf(scores, count);
  // NaN among them is the largest, and stays.
  const float largest = found > before || found != found ? found : before;
  softmax.largest = largest;
  if (largest == kNone) {
    std::fill_n(scores, count, 0.0f);
    return 1;
  }
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) scores[i] = Exp(scores[i] - largest);
  const float factor = before == kNone ? 0.0f : Exp(before - largest);
  softmax.sum = softmax.sum * static_cast<double>(factor) + SumOf(scores, count, kIdentity);
  return factor;
}

TFRT_ISA_CLONES
void AddRow(const float* added, int64_t count, float* scores) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) scores[i] += added[i];
}

TFRT_ISA_CLONES
void Scale(float factor, float* out, int64_t count) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) out[i] *= factor;
}

TFRT_ISA_CLONES
void ScoreKeys(const float* query, const float* keys, int64_t stride, int64_t count, int64_t size,
               float scale, float* scores) {
  for (int64_t t = 0; t < count; ++t) {
    scores[t] = scale * static_cast<float>(DotOf(query, keys + t * stride, size));
  }
}

TFRT_ISA_CLONES
void AddValues(const float* weights, const float* values, int64_t stride, int64_t count,
               int64_t size, float* out) {
  constexpr int64_t kTogether = 4;
  int64_t t = 0;
  for (; t + kTogether <= count; t += kTogether, values += kTogether * stride) {
    const float *a = values, *b = a + stride, *c = b + stride, *d = c + stride;
    const float wa = weights[t], wb = weights[t + 1], wc = weights[t + 2], wd = weights[t + 3];
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < size; ++i) {
      out[i] += (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
    }
  }
  for (; t < count; ++t, values += stride) {
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < size; ++i) out[i] += weights[t] * values[i];
  }
}

}  // namespace tfrt::cpu
