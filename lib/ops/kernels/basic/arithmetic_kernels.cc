#include <limits>

#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"

namespace tfrt {
namespace {

// Integers wrap around; floats follow IEEE 754.
template <typename T>
T Add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  } else {
    return a + b;
  }
}

template <typename T>
T Minus(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
}

template <typename T>
T Multiply(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else {
    return a * b;
  }
}

template <typename T>
T Minimum(T a, T b) {
  return b < a ? b : a;
}

// Truncated quotient and remainder. The one quotient that does not fit wraps around, like the sum.
template <typename T>
StatusOr<std::tuple<T, T>> IntegerDivide(T a, T b) {
  if (b == 0) return InternalError("Divide by zero");
  if (b == -1) return std::tuple<T, T>(Minus<T>(0, a), 0);
  return std::tuple<T, T>(a / b, a % b);
}

template <typename T>
StatusOr<T> FloatDivide(T a, T b) {
  if (b == 0) return InternalError("Divide by zero");
  return a / b;
}

template <typename T>
bool Equal(T a, T b) {
  return a == b;
}
template <typename T>
bool LessEqual(T a, T b) {
  return a <= b;
}
bool And(bool a, bool b) { return a && b; }

template <typename To>
To FromI64(int64_t value) {
  return static_cast<To>(value);
}

// Truncates. Numbers that do not fit, and NaN, give the smallest integer, as on x86; C leaves them
// undefined.
template <typename From>
int64_t ToI64(From value) {
  constexpr From kLimit = 9223372036854775808.0;  // 2^63
  if (!(value >= -kLimit && value < kLimit)) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

}  // namespace

void RegisterArithmeticKernels(KernelRegistry* registry) {
  constexpr KernelFlags kOrderFree = KernelFlags::kOrderFree;
  registry->AddKernel("tfrt.add.i32", TFRT_KERNEL(Add<int32_t>), kOrderFree);
  registry->AddKernel("tfrt.add.i64", TFRT_KERNEL(Add<int64_t>), kOrderFree);
  registry->AddKernel("tfrt.add.f32", TFRT_KERNEL(Add<float>), kOrderFree);
  registry->AddKernel("tfrt.add.f64", TFRT_KERNEL(Add<double>), kOrderFree);
  registry->AddKernel("tfrt.minus.i32", TFRT_KERNEL(Minus<int32_t>), kOrderFree);
  registry->AddKernel("tfrt.minus.i64", TFRT_KERNEL(Minus<int64_t>), kOrderFree);
  registry->AddKernel("tfrt.mul.i32", TFRT_KERNEL(Multiply<int32_t>), kOrderFree);
  registry->AddKernel("tfrt.mul.i64", TFRT_KERNEL(Multiply<int64_t>), kOrderFree);
  registry->AddKernel("tfrt.multiply.f32", TFRT_KERNEL(Multiply<float>), kOrderFree);
  registry->AddKernel("tfrt.multiply.f64", TFRT_KERNEL(Multiply<double>), kOrderFree);
  registry->AddKernel("tfrt.minimum.f32", TFRT_KERNEL(Minimum<float>), kOrderFree);
  registry->AddKernel("tfrt.minimum.f64", TFRT_KERNEL(Minimum<double>), kOrderFree);
  registry->AddKernel("tfrt.div.i32", TFRT_KERNEL(IntegerDivide<int32_t>));
  registry->AddKernel("tfrt.div.i64", TFRT_KERNEL(IntegerDivide<int64_t>));
  registry->AddKernel("tfrt.div.f32", TFRT_KERNEL(FloatDivide<float>));
  registry->AddKernel("tfrt.div.f64", TFRT_KERNEL(FloatDivide<double>));
  registry->AddKernel("tfrt.equal.i32", TFRT_KERNEL(Equal<int32_t>), kOrderFree);
  registry->AddKernel("tfrt.equal.i64", TFRT_KERNEL(Equal<int64_t>), kOrderFree);
  registry->AddKernel("tfrt.lessequal.i32", TFRT_KERNEL(LessEqual<int32_t>), kOrderFree);
  registry->AddKernel("tfrt.lessequal.i64", TFRT_KERNEL(LessEqual<int64_t>), kOrderFree);
  registry->AddKernel("tfrt.and.i1", TFRT_KERNEL(And), kOrderFree);
  registry->AddKernel("tfrt.cast.i64_to_f32", TFRT_KERNEL(FromI64<float>), kOrderFree);
  registry->AddKernel("tfrt.cast.i64_to_f64", TFRT_KERNEL(FromI64<double>), kOrderFree);
  registry->AddKernel("tfrt.cast.f32_to_i64", TFRT_KERNEL(ToI64<float>), kOrderFree);
  registry->AddKernel("tfrt.cast.f64_to_i64", TFRT_KERNEL(ToI64<double>), kOrderFree);

  registry->AddSyncKernel("tfrt.add_s.i32", TFRT_SYNC_KERNEL(Add<int32_t>));
  registry->AddSyncKernel("tfrt.add_s.i64", TFRT_SYNC_KERNEL(Add<int64_t>));
  registry->AddSyncKernel("tfrt.mul_s.i32", TFRT_SYNC_KERNEL(Multiply<int32_t>));
  registry->AddSyncKernel("tfrt.mul_s.i64", TFRT_SYNC_KERNEL(Multiply<int64_t>));
}

}  // namespace tfrt
