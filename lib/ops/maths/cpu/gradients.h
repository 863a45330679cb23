// Gradients of activations and of layer normalisation. f32, or T: Fp16, Bf16 or double, which are
// computed in double.
#ifndef TFRT_LIB_OPS_MATHS_CPU_GRADIENTS_H_
#define TFRT_LIB_OPS_MATHS_CPU_GRADIENTS_H_

#include <cstdint>

namespace tfrt::cpu {

// Computes in_grad = out_grad * g'(in), where g is the Gaussian error linear unit (Hendrycks and
// Gimpel, arXiv:1606.08415). With the normal distribution P and its density p
//   g(x) = x P(x)    g'(x) = P(x) + x p(x)
// or, approximate, with s(v) = 1 / (1 + exp(-v)) and v = 2 sqrt(2 / pi) (x + 0.044715 x^3)
//   g(x) = x s(v)    g'(x) = s(v) + x s(v) (1 - s(v)) 2 sqrt(2 / pi) (1 + 0.134145 x^2)
// in_grad may be out_grad or in.
void GeluGrad(bool approximate, const float* out_grad, const float* in, float* in_grad,
              int64_t size);
template <typename T>
void GeluGrad(bool approximate, const T* out_grad, const T* in, T* in_grad, int64_t size);

// Rows [begin, end) of [rows,columns]. With y = softmax(x), dy_i / dx_j = y_i ((i == j) - y_j):
//   in_grad = (out_grad - sum(out_grad * y)) * y
// `out` is y. in_grad may be out_grad or out.
void SoftmaxGradRows(int64_t columns, const float* out_grad, const float* out, float* in_grad,
                     int64_t begin, int64_t end);
template <typename T>
void SoftmaxGradRows(int64_t columns, const T* out_grad, const T* out, T* in_grad, int64_t begin,
                     int64_t end);
// The same for y = log(softmax(x)), dy_i / dx_j = (i == j) - exp(y_j):
//   in_grad = out_grad - exp(y) * sum(out_grad)
void LogSoftmaxGradRows(int64_t columns, const float* out_grad, const float* out, float* in_grad,
                        int64_t begin, int64_t end);
template <typename T>
void LogSoftmaxGradRows(int64_t columns, const T* out_grad, const T* out, T* in_grad, int64_t begin,
                        int64_t end);

// The gradient of LayerNormRows, for rows [begin, end) of [rows,columns] (Ba, Kiros and Hinton,
// arXiv:1607.06450, differentiated). With x' = (in - mean) * r, r = 1 / sqrt(variance + epsilon), g
// = out_grad * scale and means over the row:
//   in_grad = r * (g - mean(g) - x' * mean(g * x'))
// and the gradients of scale and offset are sums over all rows, to which this adds:
//   scale_sums += out_grad * x'    offset_sums += out_grad
// in_grad may be out_grad or in.
void LayerNormGradRows(int64_t columns, const float* scale, float epsilon, const float* out_grad,
                       const float* in, float* in_grad, double* scale_sums, double* offset_sums,
                       int64_t begin, int64_t end);

// out -= rate * gradient.
void GradientDescent(float rate, const float* gradient, float* out, int64_t size);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_GRADIENTS_H_
