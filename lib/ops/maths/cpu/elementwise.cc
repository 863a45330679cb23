#include "elementwise.h"

#include <cassert>
#include <cmath>

#include "element_functions.h"
#include "isa_clones.h"
#include "tfrt/support/half.h"
#include "vector_math.h"

namespace tfrt::cpu {
namespace {

template <typename T, typename F>
[[gnu::always_inline]] inline void Map(const T* in, T* out, int64_t size, F fn) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < size; ++i) out[i] = fn(in[i]);
}

template <typename T, typename F>
[[gnu::always_inline]] inline void MapRows(const BinaryRows<T>& r, F fn) {
  for (int64_t row = 0; row < r.rows; ++row) {
    const T* a = r.a + row * r.a_row_stride;
    const T* b = r.b + row * r.b_row_stride;
    T* out = r.out + row * r.columns;
    if (r.a_repeats) {
      T value = *a;
      if (r.b_repeats) {
        T result = fn(value, *b);
        for (int64_t i = 0; i < r.columns; ++i) out[i] = result;
        continue;
      }
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < r.columns; ++i) out[i] = fn(value, b[i]);
    } else if (r.b_repeats) {
      T value = *b;
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < r.columns; ++i) out[i] = fn(a[i], value);
    } else {
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < r.columns; ++i) out[i] = fn(a[i], b[i]);
    }
  }
}

// A function object that is inlined whatever the instruction set.
#define TFRT_LAMBDA(T, ...) [](T a, T b) __attribute__((always_inline)) { return __VA_ARGS__; }

int32_t Wrap(uint32_t value) { return static_cast<int32_t>(value); }

}  // namespace

std::string_view Name(UnaryOp op) {
  switch (op) {
    case UnaryOp::kRelu:
      return "relu";
    case UnaryOp::kGelu:
    case UnaryOp::kGeluTanh:
      return "gelu";
    case UnaryOp::kTanh:
      return "tanh";
    case UnaryOp::kSigmoid:
      return "sigmoid";
    case UnaryOp::kExp:
      return "exp";
    case UnaryOp::kSqrt:
      return "sqrt";
    case UnaryOp::kRsqrt:
      return "rsqrt";
    case UnaryOp::kLog:
      return "log";
    case UnaryOp::kLog1p:
      return "log1p";
  }
  return "";
}

std::string_view Name(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd:
      return "add";
    case BinaryOp::kSub:
      return "sub";
    case BinaryOp::kMul:
      return "mul";
    case BinaryOp::kDiv:
      return "div";
    case BinaryOp::kMaximum:
      return "maximum";
    case BinaryOp::kMinimum:
      return "minimum";
    case BinaryOp::kReluGrad:
      return "relu_grad";
  }
  return "";
}

TFRT_ISA_CLONES
void Unary(UnaryOp op, const float* in, float* out, int64_t size) {
  switch (op) {
    case UnaryOp::kRelu:
      return Map(in, out, size,
                 [](float x) __attribute__((always_inline)) { return x < 0 ? 0.0f : x; });
    case UnaryOp::kGelu:
      return Map(in, out, size, Gelu);
    case UnaryOp::kGeluTanh:
      return Map(in, out, size, GeluTanh);
    case UnaryOp::kTanh:
      return Map(in, out, size, Tanh);
    case UnaryOp::kSigmoid:
      return Map(in, out, size, Sigmoid);
    case UnaryOp::kExp:
      return Map(in, out, size, Exp);
    case UnaryOp::kSqrt:
      return Map(in, out, size,
                 [](float x) __attribute__((always_inline)) { return std::sqrt(x); });
    case UnaryOp::kRsqrt:
      return Map(in, out, size,
                 [](float x) __attribute__((always_inline)) { return 1.0f / std::sqrt(x); });
    case UnaryOp::kLog:
      return Map(in, out, size, Log);
    case UnaryOp::kLog1p:
      return Map(in, out, size, Log1p);
  }
}

namespace {

ElementwiseOp ElementwiseOpOf(UnaryOp op) {
  switch (op) {
    case UnaryOp::kRelu:
      return ElementwiseOp::kRelu;
    case UnaryOp::kGelu:
      return ElementwiseOp::kGelu;
    case UnaryOp::kGeluTanh:
      return ElementwiseOp::kGeluTanh;
    case UnaryOp::kTanh:
      return ElementwiseOp::kTanh;
    case UnaryOp::kSigmoid:
      return ElementwiseOp::kSigmoid;
    case UnaryOp::kExp:
      return ElementwiseOp::kExp;
    case UnaryOp::kSqrt:
      return ElementwiseOp::kSqrt;
    case UnaryOp::kRsqrt:
      return ElementwiseOp::kRsqrt;
    case UnaryOp::kLog:
      return ElementwiseOp::kLog;
    case UnaryOp::kLog1p:
      return ElementwiseOp::kLog1p;
  }
  return ElementwiseOp::kRelu;
}

}  // namespace

template <typename T>
void Unary(UnaryOp op, const T* in, T* out, int64_t size) {
  const ElementwiseOp function = ElementwiseOpOf(op);
  FindElementFunction(function, DTypeOf<T>())(function, {.size = size, .in = {in}, .out = out});
}
#define TFRT_INSTANTIATE(T) template void Unary(UnaryOp, const T*, T*, int64_t);
TFRT_INSTANTIATE(Fp16)
TFRT_INSTANTIATE(Bf16)
TFRT_INSTANTIATE(double)
TFRT_INSTANTIATE(int8_t)
TFRT_INSTANTIATE(int16_t)
TFRT_INSTANTIATE(int64_t)
TFRT_INSTANTIATE(uint8_t)
TFRT_INSTANTIATE(uint16_t)
TFRT_INSTANTIATE(uint32_t)
TFRT_INSTANTIATE(uint64_t)
#undef TFRT_INSTANTIATE

TFRT_ISA_CLONES
void ReluI32(const int32_t* in, int32_t* out, int64_t size) {
  Map(in, out, size, [](int32_t x) __attribute__((always_inline)) { return x < 0 ? 0 : x; });
}

TFRT_ISA_CLONES
void Binary(BinaryOp op, const BinaryRows<float>& rows) {
  switch (op) {
    case BinaryOp::kAdd:
      return MapRows(rows, TFRT_LAMBDA(float, a + b));
    case BinaryOp::kSub:
      return MapRows(rows, TFRT_LAMBDA(float, a - b));
    case BinaryOp::kMul:
      return MapRows(rows, TFRT_LAMBDA(float, a* b));
    case BinaryOp::kDiv:
      return MapRows(rows, TFRT_LAMBDA(float, a / b));
    case BinaryOp::kMaximum:
      return MapRows(rows, TFRT_LAMBDA(float, ((a > b) | (a != a)) ? a : b));
    case BinaryOp::kMinimum:
      return MapRows(rows, TFRT_LAMBDA(float, ((a < b) | (a != a)) ? a : b));
    case BinaryOp::kReluGrad:
      return MapRows(rows, TFRT_LAMBDA(float, a > 0 ? b : 0.0f));
  }
}

TFRT_ISA_CLONES
void Binary(BinaryOp op, const BinaryRows<int32_t>& rows) {
  switch (op) {
    case BinaryOp::kAdd:
      return MapRows(rows, TFRT_LAMBDA(int32_t, Wrap(uint32_t(a) + uint32_t(b))));
    case BinaryOp::kSub:
      return MapRows(rows, TFRT_LAMBDA(int32_t, Wrap(uint32_t(a) - uint32_t(b))));
    case BinaryOp::kMul:
      return MapRows(rows, TFRT_LAMBDA(int32_t, Wrap(uint32_t(a) * uint32_t(b))));
    case BinaryOp::kMaximum:
      return MapRows(rows, TFRT_LAMBDA(int32_t, a > b ? a : b));
    case BinaryOp::kMinimum:
      return MapRows(rows, TFRT_LAMBDA(int32_t, a < b ? a : b));
    case BinaryOp::kReluGrad:
      return MapRows(rows, TFRT_LAMBDA(int32_t, a > 0 ? b : 0));
    case BinaryOp::kDiv:
      assert(false && "integers may divide by zero");
      return;
  }
}

TFRT_ISA_CLONES
void GradientDescent(float rate, const float* gradient, float* out, int64_t size) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < size; ++i) out[i] -= rate * gradient[i];
}

}  // namespace tfrt::cpu
