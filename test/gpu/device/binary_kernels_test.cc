// The element-wise kernels of two operands, as PTX: each gives the very bits of its function on the
// host, with and without broadcast; and what the functions give is compared with C++.

#include <cmath>
#include <string>
#include <vector>

#include "gpu/device_code/element_ops.h"
#include "gpu/device_code/ops_by_type.h"
#include "gpu/device_code/steps.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of ops

// --- Exact results.

template <typename W>
W ExactOfFloats(std::string_view op, W x, W y) {
  auto floored = [&] {
    const W rest = std::fmod(x, y);
    if (rest == 0) return std::copysign(rest, y);
    return (rest < 0) != (y < 0) ? rest + y : rest;
  };
  if (op == "add") return x + y;
  if (op == "sub") return x - y;
  if (op == "mul") return x * y;
  if (op == "div") return x / y;
  if (op == "mod") return floored();
  if (op == "truncate_mod") return std::fmod(x, y);
  if (op == "maximum") return std::isnan(x) || std::isnan(y) ? x + y : std::fmax(x, y);
  if (op == "minimum") return std::isnan(x) || std::isnan(y) ? x + y : std::fmin(x, y);
  if (op == "prelu") return x < 0 ? x * y : x;
  if (op == "relu_grad") return y > 0 ? x : W(0);
  if (op == "pow") return std::pow(x, y);
  ADD_FAILURE() << "no reference of " << op;
  return 0;
}

// x to the power of y, which wraps up to an exponent of 2^30; others as the nearest float.
template <typename T>
T ExactPower(T x, T y) {
  if (y < 0 || y > T(1) << 30) {
    return Cast<T>(std::pow(static_cast<double>(x), static_cast<double>(y)));
  }
  uint64_t power = 1, square = static_cast<uint64_t>(x);
  for (auto n = static_cast<uint64_t>(y); n > 0; n /= 2, square *= square) {
    if (n % 2 == 1) power *= square;
  }
  return static_cast<T>(power);
}

// In twice as many bits, of which the last ones are the result.
template <typename T>
T ExactOfIntegers(std::string_view op, T a, T b) {
  using Wide = __int128;
  const Wide x = a, y = b;
  const int bits = sizeof(T) * 8;
  if (op == "add") return static_cast<T>(x + y);
  if (op == "sub") return static_cast<T>(x - y);
  if (op == "mul") return static_cast<T>(x * y);
  if (op == "div") return y == 0 ? T(0) : static_cast<T>(x / y);
  if (op == "truncate_mod") return y == 0 ? T(0) : static_cast<T>(x % y);
  if (op == "mod") return y == 0 ? T(0) : static_cast<T>((x % y + y) % y);
  if (op == "maximum") return static_cast<T>(x > y ? x : y);
  if (op == "minimum") return static_cast<T>(x < y ? x : y);
  if (op == "prelu") return static_cast<T>(x < 0 ? x * y : x);
  if (op == "relu_grad") return static_cast<T>(y > 0 ? x : 0);
  if (op == "pow") return ExactPower(a, b);
  if (op == "bitwise_and") return a & b;
  if (op == "bitwise_or") return a | b;
  if (op == "bitwise_xor") return a ^ b;
  if (op == "shift_left")
    return y < 0 || y >= bits ? T(0) : static_cast<T>(x << static_cast<int>(y));
  if (op == "shift_right")
    return static_cast<T>(x >> static_cast<int>(y < 0 || y >= bits ? 127 : y));
  ADD_FAILURE() << "no reference of " << op;
  return 0;
}

// "add", "sub", ... of floats are rounded once but for these.
double Tolerance(std::string_view op) { return op == "pow" ? 2 : op == "mod" ? 1 : 0.5; }

template <typename T>
void ExpectNear(const std::string& op, T x, T y, T result) {
  if constexpr (kIsFloatElement<T>) {
    using W = Wider<T>;
    const W exact = ExactOfFloats<W>(op, ValueOf<W>(x), ValueOf<W>(y));
    const double tolerance = Tolerance(op) + (sizeof(T) == 2 ? 0.01 : 0);
    // mod adds y to the rest, which was rounded to f32 already; where they cancel digits are lost.
    const double distance = UlpDistance<W>(ValueOf<W>(result), exact, kFormatOf<T>);
    ASSERT_LE(distance, tolerance)
        << op << "_" << TypeName<T>() << " of " << ValueOf<double>(x) << " and "
        << ValueOf<double>(y) << " is " << ValueOf<double>(result) << ", not " << exact;
  } else {
    ASSERT_EQ(result, ExactOfIntegers<T>(op, x, y))
        << op << "_" << TypeName<T>() << " of " << x << " and " << y;
  }
}

template <typename T>
void ExpectRelation(const std::string& op, T x, T y, i1 result) {
  const auto a = Decode(x), b = Decode(y);
  const bool expected = op == "less"            ? a < b
                        : op == "less_equal"    ? a <= b
                        : op == "greater"       ? a > b
                        : op == "greater_equal" ? a >= b
                        : op == "equal"         ? a == b
                        : op == "not_equal"     ? a != b
                        : op == "logical_and"   ? a != 0 && b != 0
                        : op == "logical_or"    ? a != 0 || b != 0
                                                : (a != 0) != (b != 0);
  ASSERT_EQ(result.byte, expected) << op << "_" << TypeName<T>();
}

template <typename Op, typename T, typename R>
R OnHost(T x, T y) {
  return Encode<R>(Op::Apply(Decode(x), Decode(y)));
}

class BinaryKernelsTest : public KernelTest {
 protected:
  // All pairs of some elements, by broadcast; then some of them without.
  template <typename T, typename R>
  void Check(const std::string& op, R (*on_host)(T, T)) {
    // As many as fill vectors of all types.
    std::vector<T> some = SomeElements<T>(60);
    while (some.size() % 16 != 0) some.push_back(some[some.size() / 2]);
    const auto count = static_cast<int64_t>(some.size());
    const std::string name = op + "_" + TypeName<T>();
    const auto steps =
        PlanBroadcast(std::vector<int64_t>{count, 1}, std::vector<int64_t>{1, count});
    ASSERT_TRUE(steps);
    const Pointer x = runner_.In(some), out = runner_.Out<R>(some.size() * some.size());
    const auto& [sizes, a, b] = *steps;
    ASSERT_TRUE(runner_.Run("broadcast_" + name, ElementwiseLaunch(count * count), out, x, x,
                            sizes[0], sizes[1], sizes[2], sizes[3], a[0], a[1], a[2], a[3], b[0],
                            b[1], b[2], b[3]));
    const std::vector<R> results = runner_.Read<R>(out);
    for (size_t i = 0; i < some.size(); ++i) {
      for (size_t j = 0; j < some.size(); ++j) {
        const R result = results[i * some.size() + j];
        const R expected = on_host(some[i], some[j]);
        ASSERT_TRUE(IsSame(result, expected))
            << name << " of " << ValueOf<double>(some[i]) << " and " << ValueOf<double>(some[j])
            << " is " << ValueOf<double>(result) << " on the device and "
            << ValueOf<double>(expected) << " on the host";
        if constexpr (kSame<R, i1>) {
          ExpectRelation(op, some[i], some[j], result);
        } else {
          ExpectNear(op, some[i], some[j], result);
        }
        if (testing::Test::HasFatalFailure()) return;
      }
    }
    CheckFlat<T, R>(name, some, results);
    CheckFewColumns<T, R>(name, some, results);
    runner_.Clear();
  }

  // Element with element, and one element with each, on either side.
  template <typename T, typename R>
  void CheckFlat(const std::string& name, const std::vector<T>& some, const std::vector<R>& pairs) {
    const auto count = static_cast<int64_t>(some.size()) - 3;  // no whole vectors
    const size_t one = 7;
    const Pointer x = runner_.In(some), scalar = runner_.In<T>({some[one]});
    struct Way {
      Pointer a, b;
      int64_t a_step, b_step;
    };
    for (const Way& way : {Way{x, x, 1, 1}, Way{scalar, x, 0, 1}, Way{x, scalar, 1, 0}}) {
      const Pointer out = runner_.Out<R>(some.size() - 3);
      ASSERT_TRUE(runner_.Run(name, {1, 64}, out, way.a, way.b, count, way.a_step, way.b_step));
      const std::vector<R> results = runner_.Read<R>(out);
      for (size_t i = 0; i < results.size(); ++i) {
        const size_t a = way.a_step == 1 ? i : one, b = way.b_step == 1 ? i : one;
        ASSERT_TRUE(IsSame(results[i], pairs[a * some.size() + b])) << name << " at " << i;
      }
    }
  }

  // A broadcast whose rows are no whole vectors: elements 20 to 26 with 0 to 4.
  template <typename T, typename R>
  void CheckFewColumns(const std::string& name, const std::vector<T>& some,
                       const std::vector<R>& pairs) {
    const int64_t rows = 7, columns = 5, one = 1, none = 0;
    const size_t first = 20;
    const Pointer x = runner_.In(std::vector<T>(some.begin() + first, some.begin() + first + rows)),
                  y = runner_.In(some), out = runner_.Out<R>(rows * columns);
    ASSERT_TRUE(runner_.Run("broadcast_" + name, {1, 32}, out, x, y, one, one, rows, columns, none,
                            none, one, none, none, none, none, one));
    const std::vector<R> results = runner_.Read<R>(out);
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_TRUE(IsSame(results[i], pairs[(first + i / 5) * some.size() + i % 5])) << name << i;
    }
  }

  template <typename T>
  void CheckFloats() {
#define TFRT_CHECK(name, op) Check<T, T>(#name, OnHost<op, T, T>);
    TFRT_BINARY_FLOATS(TFRT_CHECK)
#undef TFRT_CHECK
    CheckRelations<T>();
  }
  template <typename T>
  void CheckIntegers() {
#define TFRT_CHECK(name, op) Check<T, T>(#name, OnHost<op, T, T>);
    TFRT_BINARY_INTEGERS(TFRT_CHECK)
#undef TFRT_CHECK
    CheckRelations<T>();
  }
  template <typename T>
  void CheckRelations() {
#define TFRT_CHECK(name, op) Check<T, i1>(#name, OnHost<op, T, i1>);
    TFRT_COMPARE_NUMBERS(TFRT_CHECK)
#undef TFRT_CHECK
  }
};

TEST_F(BinaryKernelsTest, F16) { CheckFloats<f16>(); }
TEST_F(BinaryKernelsTest, Bf16) { CheckFloats<bf16>(); }
TEST_F(BinaryKernelsTest, F32) { CheckFloats<f32>(); }
TEST_F(BinaryKernelsTest, F64) { CheckFloats<f64>(); }
TEST_F(BinaryKernelsTest, I32) { CheckIntegers<i32>(); }
TEST_F(BinaryKernelsTest, I64) { CheckIntegers<i64>(); }
TEST_F(BinaryKernelsTest, U8) { CheckRelations<u8>(); }
TEST_F(BinaryKernelsTest, I1) {
#define TFRT_CHECK(name, op) Check<i1, i1>(#name, OnHost<op, i1, i1>);
  TFRT_COMPARE_i1(TFRT_CHECK)
#undef TFRT_CHECK
}

// Four dimensions with all kinds of steps.
TEST_F(BinaryKernelsTest, BroadcastOfFourDimensions) {
  std::vector<i32> a(2 * 1 * 3 * 1), b(1 * 4 * 1 * 5);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<i32>(i) * 100;
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<i32>(i);
  const auto steps =
      PlanBroadcast(std::vector<int64_t>{2, 1, 3, 1}, std::vector<int64_t>{1, 4, 1, 5});
  ASSERT_TRUE(steps);
  const auto& [sizes, a_steps, b_steps] = *steps;
  const Pointer out = runner_.Out<i32>(120);
  ASSERT_TRUE(runner_.Run("broadcast_add_i32", ElementwiseLaunch(120), out, runner_.In(a),
                          runner_.In(b), sizes[0], sizes[1], sizes[2], sizes[3], a_steps[0],
                          a_steps[1], a_steps[2], a_steps[3], b_steps[0], b_steps[1], b_steps[2],
                          b_steps[3]));
  const std::vector<i32> results = runner_.Read<i32>(out);
  size_t i = 0;
  for (size_t p = 0; p < 2; ++p)
    for (size_t q = 0; q < 4; ++q)
      for (size_t r = 0; r < 3; ++r)
        for (size_t s = 0; s < 5; ++s, ++i) {
          ASSERT_EQ(results[i], a[p * 3 + r] + b[q * 5 + s]) << p << q << r << s;
        }
}

}  // namespace
}  // namespace tfrt::gpu
