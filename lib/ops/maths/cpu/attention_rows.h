// Pieces of attention over one row of scores, f32.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ATTENTION_ROWS_H_
#define TFRT_LIB_OPS_MATHS_CPU_ATTENTION_ROWS_H_

#include <cstdint>

namespace tfrt::cpu {

// Describes the part of a row of scores that has been seen so far: the sum is that of exp(score -
// largest).
struct RunningSoftmax {
  float largest;  // -infinity: none counts yet
  double sum;
};

// Takes in `count` further scores, which become exp(score - largest). Returns the factor by which
// what has been made with the scores before is to be multiplied.
float Extend(RunningSoftmax& softmax, float* scores, int64_t count);

// scores[i] += added[i]
void AddRow(const float* added, int64_t count, float* scores);

// out[i] *= factor
void Scale(float factor, float* out, int64_t count);

// scores[t] = scale * sum of query[i] * keys[t * stride + i]
void ScoreKeys(const float* query, const float* keys, int64_t stride, int64_t count, int64_t size,
               float scale, float* scores);
// out[i] += sum over t of weights[t] * values[t * stride + i]
void AddValues(const float* weights, const float* values, int64_t stride, int64_t count,
               int64_t size, float* out);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_ATTENTION_ROWS_H_
