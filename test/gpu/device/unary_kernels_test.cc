// The element-wise kernels of one operand, as PTX: each gives the very bits of its function on the
// host, and is as near to the exact result as device_math.h says.

#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "gpu/device_code/element_ops.h"
#include "gpu/device_code/ops_by_type.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of ops

constexpr float kAlpha = 0.25f, kBeta = 1.5f;

// Exact functions by name.
template <typename W>
W Exact(std::string_view op, W x) {
  const W alpha = W(kAlpha), beta = W(kBeta);
  auto sigmoid = [](W v) { return 1 / (1 + std::exp(-v)); };
  auto clipped = [](W v) { return v < 0 ? W(0) : v > 1 ? W(1) : v; };
  const bool is_far_below = std::isinf(x) && x < 0;
  if (op == "abs") return std::fabs(x);
  if (op == "neg") return -x;
  if (op == "sign") return x > 0 ? W(1) : x < 0 ? W(-1) : x;
  if (op == "relu") return x < 0 ? W(0) : x;
  if (op == "reciprocal") return 1 / x;
  if (op == "sqrt") return std::sqrt(x);
  if (op == "rsqrt") return 1 / std::sqrt(x);
  if (op == "exp") return std::exp(x);
  if (op == "exp2") return std::exp2(x);
  if (op == "expm1") return std::expm1(x);
  if (op == "log") return std::log(x);
  if (op == "log1p") return std::log1p(x);
  if (op == "erf") return std::erf(x);
  if (op == "floor") return std::floor(x);
  if (op == "ceil") return std::ceil(x);
  if (op == "round") return std::nearbyint(x);
  if (op == "hard_swish") return x * clipped(x / 6 + W(0.5));
  if (op == "softplus")
    return std::isnan(x) ? x : std::fmax(x, W(0)) + std::log1p(std::exp(-std::fabs(x)));
  if (op == "sigmoid") return sigmoid(x);
  if (op == "tanh") return std::tanh(x);
  if (op == "leaky_relu") return x < 0 ? alpha * x : x;
  if (op == "elu") return x < 0 ? alpha * std::expm1(x) : x;
  if (op == "selu") return beta * (x < 0 ? alpha * std::expm1(x) : x);
  if (op == "hard_sigmoid") return clipped(alpha * x + beta);
  if (is_far_below) return W(-0.0);  // the limit of the functions below
  if (op == "mish") return x * std::tanh(std::log1p(std::exp(x)));
  if (op == "swish") return x * sigmoid(alpha * x);
  if (op == "gelu") return x * std::erfc(-x * std::sqrt(W(0.5))) / 2;
  if (op == "gelu_tanh") {
    return x * sigmoid(2 * std::sqrt(2 / std::acos(W(-1))) * (x + W(0.044715) * x * x * x));
  }
  ADD_FAILURE() << "no reference of " << op;
  return 0;
}

// In units in the last place, of what the op is computed in.
double Tolerance(std::string_view op) {
  static const std::map<std::string_view, double> kTolerances = {
      {"exp", 2},        {"exp2", 2},        {"expm1", 2},    {"log", 2},  {"log1p", 2},
      {"erf", 2},        {"rsqrt", 2},       {"softplus", 2}, {"tanh", 3}, {"sigmoid", 3},
      {"elu", 3},        {"selu", 4},        {"swish", 6},    {"mish", 8}, {"gelu", 8},
      {"leaky_relu", 1}, {"hard_sigmoid", 2}};
  auto found = kTolerances.find(op);
  return found == kTolerances.end() ? 0.5 : found->second;
}

template <typename T>
bool IsNear(std::string_view op, T x, T result) {
  using W = Wider<T>;
  const W value = ValueOf<W>(x), exact = Exact<W>(op, value);
  if (op == "hard_swish" || op == "hard_sigmoid") {
    // A sum that may lose its digits: near to what is added, if not to the result.
    if (std::isnan(exact) || std::isinf(exact)) {
      return std::isnan(exact) == std::isnan(ValueOf<W>(result)) &&
             (std::isnan(exact) || ValueOf<W>(result) == exact);
    }
    const W added = op == "hard_swish" ? std::fmax(std::fabs(value), W(1e-30)) : W(1);
    return std::fabs(ValueOf<W>(result) - exact) <=
           2 * added * std::ldexp(W(1), 1 - kFormatOf<T>.digits) +
               std::ldexp(W(1), kFormatOf<T>.min_exponent - kFormatOf<T>.digits);
  }
  double tolerance = Tolerance(op);
  if (op == "gelu_tanh") {
    tolerance =
        4 + (std::isfinite(value) && value < 0
                 ? 8 * std::fabs(static_cast<double>(value + W(0.0447) * value * value * value))
                 : 0);
  }
  const bool has_small_factor = op == "mish" || op == "swish" || op.starts_with("gelu");
  if (has_small_factor &&
      std::fabs(exact) < 1000 * std::ldexp(W(1), kFormatOf<Compute<T>>.min_exponent)) {
    tolerance = 1000;
  }
  if (sizeof(T) == 2) {  // one rounding more, of digits that are 2^13 or 2^16 times larger
    tolerance = 0.5 + tolerance / 4096;
  }
  return UlpDistance<W>(ValueOf<W>(result), exact, kFormatOf<T>) <= tolerance;
}

template <typename Op, typename T, typename R>
R OnHost(T x) {
  using C = Compute<T>;
  return Encode<R>(Op::Apply(Decode(x), C(kAlpha), C(kBeta)));
}

class UnaryKernelsTest : public KernelTest {
 protected:
  // `on_host` is the kernel's function. Not a template of the op, of which there are many.
  template <typename T, typename R, typename... Parameters>
  void Check(const std::string& op, R (*on_host)(T), Parameters... parameters) {
    const std::vector<T> in = ManyElements<T>(4000);
    const auto size = static_cast<int64_t>(in.size());
    const Pointer x = runner_.In(in), y = runner_.Out<R>(in.size());
    ASSERT_TRUE(
        runner_.Run(op + "_" + TypeName<T>(), ElementwiseLaunch(size), y, x, size, parameters...));
    const std::vector<R> out = runner_.Read<R>(y);
    for (size_t i = 0; i < in.size(); ++i) {
      const R expected = on_host(in[i]);
      ASSERT_TRUE(IsSame(out[i], expected))
          << op << "_" << TypeName<T>() << " of " << ValueOf<double>(in[i]) << " is "
          << ValueOf<double>(out[i]) << " on the device and " << ValueOf<double>(expected)
          << " on the host";
      if constexpr (kIsFloatElement<R>) {
        ASSERT_TRUE(IsNear(op, in[i], out[i]))
            << op << "_" << TypeName<T>() << " of " << ValueOf<double>(in[i]) << " is "
            << ValueOf<double>(out[i]) << ", not " << Exact<double>(op, ValueOf<double>(in[i]));
      }
    }
    // In place, in two blocks that walk several times over the elements, which are no whole
    // vectors.
    if (sizeof(R) == sizeof(T)) {
      const int64_t most = size - size % 8 - 3;
      ASSERT_TRUE(runner_.Run(op + "_" + TypeName<T>(), {2, 96}, x, x, most, parameters...));
      std::vector<R> expected = out;
      const auto end = static_cast<size_t>(most);
      std::memcpy(&expected[end], &in[end], (in.size() - end) * sizeof(T));
      const std::vector<R> again = runner_.Read<R>(x);
      EXPECT_EQ(std::memcmp(again.data(), expected.data(), out.size() * sizeof(R)), 0) << op;
    }
    runner_.Clear();
  }

  template <typename T>
  void CheckFloats() {
#define TFRT_CHECK(name, op) Check<T, T>(#name, OnHost<op, T, T>);
    TFRT_UNARY_FLOATS(TFRT_CHECK)
#undef TFRT_CHECK
#define TFRT_CHECK(name, op) Check<T, T>(#name, OnHost<op, T, T>, kAlpha, kBeta);
    TFRT_PARAMETRIC_FLOATS(TFRT_CHECK)
#undef TFRT_CHECK
#define TFRT_CHECK(name, op) Check<T, i1>(#name, OnHost<op, T, i1>, kAlpha, kBeta);
    TFRT_PREDICATES_FLOATS(TFRT_CHECK)
#undef TFRT_CHECK
  }
  template <typename T>
  void CheckIntegers() {
#define TFRT_CHECK(name, op) Check<T, T>(#name, OnHost<op, T, T>);
    TFRT_UNARY_INTEGERS(TFRT_CHECK)
#undef TFRT_CHECK
  }
};

TEST_F(UnaryKernelsTest, F16) { CheckFloats<f16>(); }
TEST_F(UnaryKernelsTest, Bf16) { CheckFloats<bf16>(); }
TEST_F(UnaryKernelsTest, F32) { CheckFloats<f32>(); }
TEST_F(UnaryKernelsTest, F64) { CheckFloats<f64>(); }
TEST_F(UnaryKernelsTest, I32) { CheckIntegers<i32>(); }
TEST_F(UnaryKernelsTest, I64) { CheckIntegers<i64>(); }
TEST_F(UnaryKernelsTest, I1) { Check<i1, i1>("logical_not", OnHost<LogicalNotOp, i1, i1>); }

// Whole numbers have rules of their own at their ends, which a function on the host could share.
TEST_F(UnaryKernelsTest, LeastIntegers) {
  const Pointer x = runner_.In<i32>({INT32_MIN, INT32_MAX, 0, -7}), y = runner_.Out<i32>(4);
  ASSERT_TRUE(runner_.Run("abs_i32", ElementwiseLaunch(4), y, x, int64_t{4}));
  EXPECT_EQ(runner_.Read<i32>(y), (std::vector<i32>{INT32_MIN, INT32_MAX, 0, 7}));
  ASSERT_TRUE(runner_.Run("neg_i32", ElementwiseLaunch(4), y, x, int64_t{4}));
  EXPECT_EQ(runner_.Read<i32>(y), (std::vector<i32>{INT32_MIN, -INT32_MAX, 0, 7}));
  ASSERT_TRUE(runner_.Run("sign_i32", ElementwiseLaunch(4), y, x, int64_t{4}));
  EXPECT_EQ(runner_.Read<i32>(y), (std::vector<i32>{-1, 1, 0, -1}));
  ASSERT_TRUE(runner_.Run("relu_i32", ElementwiseLaunch(4), y, x, int64_t{4}));
  EXPECT_EQ(runner_.Read<i32>(y), (std::vector<i32>{0, INT32_MAX, 0, 0}));
  ASSERT_TRUE(runner_.Run("bitwise_not_i32", ElementwiseLaunch(4), y, x, int64_t{4}));
  EXPECT_EQ(runner_.Read<i32>(y), (std::vector<i32>{INT32_MAX, INT32_MIN, -1, 6}));
}

}  // namespace
}  // namespace tfrt::gpu
