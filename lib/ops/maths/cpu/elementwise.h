// Element-wise arithmetic over plain memory. An output may be one of the inputs, element by
// element.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ELEMENTWISE_H_
#define TFRT_LIB_OPS_MATHS_CPU_ELEMENTWISE_H_

#include <cstdint>
#include <string_view>

namespace tfrt::cpu {

// NaN stays NaN in all of them.
enum class UnaryOp {
  kRelu,
  kGelu,      // with the error function
  kGeluTanh,  // approximated with tanh
  kTanh,
  kSigmoid,
  kExp,
  kSqrt,
  kRsqrt,
  kLog,
  kLog1p,  // log(1 + x)
};
enum class BinaryOp {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMaximum,  // NaN if one of them is
  kMinimum,
  kReluGrad,  // b where a > 0, else 0
};

// "relu", "gelu", ...
std::string_view Name(UnaryOp op);
std::string_view Name(BinaryOp op);

void Unary(UnaryOp op, const float* in, float* out, int64_t size);
// The same of T, as FindElementFunction computes it: Fp16, Bf16 or double; or kRelu alone of an
// integer T.
template <typename T>
void Unary(UnaryOp op, const T* in, T* out, int64_t size);
// kRelu only.
void ReluI32(const int32_t* in, int32_t* out, int64_t size);

// Rows of an output [rows,columns], which is dense, and where each input's elements are.
template <typename T>
struct BinaryRows {
  int64_t rows = 0;
  int64_t columns = 0;
  const T* a = nullptr;
  int64_t a_row_stride = 0;
  bool a_repeats = false;  // one element for a whole row; otherwise one after the other
  const T* b = nullptr;
  int64_t b_row_stride = 0;
  bool b_repeats = false;
  T* out = nullptr;
};
void Binary(BinaryOp op, const BinaryRows<float>& rows);
// Not kDiv. Wraps.
void Binary(BinaryOp op, const BinaryRows<int32_t>& rows);

// out -= rate * gradient.
void GradientDescent(float rate, const float* gradient, float* out, int64_t size);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_ELEMENTWISE_H_
