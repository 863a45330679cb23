// The functions of device code against the kernels of the CPU: what a program gets does not depend
// on where it runs, but for the last digits. NaN, infinities, signs of zeros, whole numbers.

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/device_code/element_ops.h"
#include "gpu/device_code/ops_by_type.h"
#include "gtest/gtest.h"
#include "host_types.h"
#include "lib/format/op_table/elementwise_tape.h"
#include "lib/ops/maths/cpu/element_functions.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of ops

constexpr float kAlpha = 0.25f, kBeta = 1.5f;

// The host's op of this name; nothing for those that only devices have.
std::optional<ElementwiseOp> HostOp(std::string_view name) {
  if (name == "truncate_mod") return ElementwiseOp::kMod;
  if (name == "gelu_tanh") return ElementwiseOp::kGeluTanh;
  if (name == "gelu") return ElementwiseOp::kGelu;
  return FindElementwiseOp(name);
}

// Near enough for two approximations of what is computed from `operand`: equal zeros, infinities
// and NaN; a few units of the type. Where digits cancel, few of 1 or the operand.
template <typename T>
bool Agree(std::string_view op, double operand, T a, T b) {
  if constexpr (kIsFloatElement<T>) {
    const auto x = ValueOf<double>(a), y = ValueOf<double>(b);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    if (x == y) return x != 0 || std::signbit(x) == std::signbit(y);
    if (std::isinf(x) || std::isinf(y)) return false;
    const bool cancels = op.starts_with("gelu") || op.starts_with("hard_");
    // Factors that are subnormal lose digits, or are 0 already.
    const double smallest = std::ldexp(1.0, kFormatOf<Compute<T>>.min_exponent + 10);
    if (std::fabs(x) < smallest && std::fabs(y) < smallest) return true;
    const double size = cancels ? std::fmax(1, std::fabs(operand)) : std::fabs(y);
    return std::fabs(x - y) <= size * std::ldexp(40.0, 1 - kFormatOf<T>.digits);
  } else {
    return IsSame(a, b);
  }
}

template <typename T, typename R>
void ExpectAgreement(std::string_view name, const std::vector<T>& x, const std::vector<T>* y,
                     const std::vector<R>& on_device) {
  const std::optional<ElementwiseOp> op = HostOp(name);
  if (!op) return;
  const cpu::ElementFunction function = cpu::FindElementFunction(*op, HostDType<T>());
  ASSERT_NE(function, nullptr) << name << "_" << TypeName<T>();
  std::vector<R> on_host(x.size());
  const float truncates = name == "truncate_mod";
  cpu::ElementRun run;
  run.size = static_cast<int64_t>(x.size());
  run.in[0] = x.data();
  run.out = on_host.data();
  // Exponents are f32 or f64 on the host.
  std::vector<f32> exponents;
  std::vector<f64> wide_exponents;
  if (y) {
    run.in[1] = y->data();
    if (name == "pow" && sizeof(T) == 2) {
      for (const T& element : *y) exponents.push_back(ValueOf<f32>(element));
      run.in[1] = exponents.data();
    } else if (name == "pow" && !kIsFloatElement<T>) {
      for (const T& element : *y) wide_exponents.push_back(ValueOf<f64>(element));
      run.in[1] = wide_exponents.data();
    }
    run.in[2] = &truncates;
    run.repeats[2] = true;
  } else {
    run.in[1] = &kAlpha;
    run.in[2] = &kBeta;
    run.repeats[1] = run.repeats[2] = true;
  }
  function(*op, run);
  for (size_t i = 0; i < x.size(); ++i) {
    // The C library's power of a signalling NaN is NaN whatever the exponent is.
    if (name == "pow" && std::isnan(ValueOf<double>(x[i]))) continue;
    ASSERT_TRUE(Agree(name, ValueOf<double>(x[i]), on_device[i], on_host[i]))
        << name << "_" << TypeName<T>() << " of " << ValueOf<double>(x[i])
        << (y ? " and " + std::to_string(ValueOf<double>((*y)[i])) : "") << " is "
        << ValueOf<double>(on_device[i]) << " on a device and " << ValueOf<double>(on_host[i])
        << " on the host";
  }
}

// Pointers to these keep the loops below out of hundreds of instances, one per op and type.
template <typename Op, typename T, typename R>
R ApplyOne(T x) {
  using C = Compute<T>;
  return Encode<R>(Op::Apply(Decode(x), C(kAlpha), C(kBeta)));
}
template <typename Op, typename T, typename R>
R ApplyTwo(T x, T y) {
  return Encode<R>(Op::Apply(Decode(x), Decode(y)));
}

template <typename T, typename R>
void CheckOne(std::string_view name, R (*apply)(T)) {
  const std::vector<T> x = ManyElements<T>(20'000);
  std::vector<R> results;
  for (const T& element : x) results.push_back(apply(element));
  ExpectAgreement<T, R>(name, x, nullptr, results);
}

// All pairs of some elements; of whole numbers no division by 0, which the host refuses before.
template <typename T, typename R>
void CheckTwo(std::string_view name, R (*apply)(T, T)) {
  const std::vector<T> some = SomeElements<T>(150);
  const bool divides = name == "div" || name == "mod" || name == "truncate_mod";
  std::vector<T> x, y;
  std::vector<R> results;
  for (const T& a : some) {
    for (const T& b : some) {
      if (!kIsFloatElement<T> && divides && !ValueOf<bool>(b)) continue;
      x.push_back(a);
      y.push_back(b);
      results.push_back(apply(a, b));
    }
  }
  ExpectAgreement<T, R>(name, x, &y, results);
}

#define TFRT_ONE(name, op) CheckOne<T, T>(#name, ApplyOne<op, T, T>);
#define TFRT_TWO(name, op) CheckTwo<T, T>(#name, ApplyTwo<op, T, T>);
#define TFRT_PREDICATE(name, op) CheckOne<T, i1>(#name, ApplyOne<op, T, i1>);
#define TFRT_RELATION(name, op) CheckTwo<T, i1>(#name, ApplyTwo<op, T, i1>);

template <typename T>
void CheckFloats() {
  TFRT_UNARY_FLOATS(TFRT_ONE)
  TFRT_PARAMETRIC_FLOATS(TFRT_ONE)
  TFRT_PREDICATES_FLOATS(TFRT_PREDICATE)
  TFRT_BINARY_FLOATS(TFRT_TWO)
  TFRT_COMPARE_NUMBERS(TFRT_RELATION)
}
template <typename T>
void CheckIntegers(){TFRT_UNARY_INTEGERS(TFRT_ONE) TFRT_BINARY_INTEGERS(TFRT_TWO)
                         TFRT_COMPARE_NUMBERS(TFRT_RELATION)}

TEST(HostSemanticsTest, F16) {
  CheckFloats<f16>();
}
TEST(HostSemanticsTest, Bf16) { CheckFloats<bf16>(); }
TEST(HostSemanticsTest, F32) { CheckFloats<f32>(); }
TEST(HostSemanticsTest, F64) { CheckFloats<f64>(); }
TEST(HostSemanticsTest, I32) { CheckIntegers<i32>(); }
TEST(HostSemanticsTest, I64) { CheckIntegers<i64>(); }
TEST(HostSemanticsTest, Truths) {
  using T = i1;
  TFRT_UNARY_i1(TFRT_PREDICATE) TFRT_COMPARE_i1(TFRT_RELATION)
}

}  // namespace
}  // namespace tfrt::gpu
