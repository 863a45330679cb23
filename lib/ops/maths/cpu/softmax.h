// Softmax and what training needs of it, over rows [begin, end) of a matrix [rows,columns], f32.
#ifndef TFRT_LIB_OPS_MATHS_CPU_SOFTMAX_H_
#define TFRT_LIB_OPS_MATHS_CPU_SOFTMAX_H_

#include <cstdint>

namespace tfrt::cpu {

// out = exp(in) / sum(exp(in)) of each row; its largest element is subtracted before, so that
// nothing overflows. `out` may be `in`.
void SoftmaxRows(int64_t columns, const float* in, float* out, int64_t begin, int64_t end);
// The logarithm of that.
void LogSoftmaxRows(int64_t columns, const float* in, float* out, int64_t begin, int64_t end);
// The same of T: Fp16, Bf16 or double, computed in double.
template <typename T>
void SoftmaxRows(int64_t columns, const T* in, T* out, int64_t begin, int64_t end);
template <typename T>
void LogSoftmaxRows(int64_t columns, const T* in, T* out, int64_t begin, int64_t end);

// loss[i] = -log(softmax(logits)[i, labels[i]]). A label outside [0, columns) gives NaN.
void SoftmaxCrossEntropyRows(int64_t columns, const float* logits, const int32_t* labels,
                             float* loss, int64_t begin, int64_t end);
// Its gradient: logits_grad[i, j] = loss_grad[i] * (softmax(logits)[i, j] - (j == labels[i])).
// logits_grad may be logits.
void SoftmaxCrossEntropyGradRows(int64_t columns, const float* logits, const int32_t* labels,
                                 const float* loss_grad, float* logits_grad, int64_t begin,
                                 int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_SOFTMAX_H_
