// Matrix products, as PTX, against sums in the same order.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_code/device_math.h"
#include "gpu/device_code/element_ops.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of types

struct Problem {
  size_t batch = 1, m = 1, n = 1, k = 1;
  int32_t transposed = 0;
  bool has_bias = false;
  MatMulActivation activation = MatMulActivation::kNone;
  bool same_b = false;  // for all of the batch
};

template <typename T>
std::vector<T> Numbers(size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> some(-4, 4);
  std::vector<T> elements;
  for (size_t i = 0; i < count; ++i) {
    elements.push_back(Cast<T>(kIsFloatElement<T> ? some(random) : std::round(1e6 * some(random))));
  }
  return elements;
}

template <typename C>
C MultiplyAdd(C a, C b, C sum) {
  if constexpr (kIsFloat<C>) return Fma(a, b, sum);
  if constexpr (kIsInteger<C>) return Plus(Times(a, b), sum);
}

class MatMulKernelsTest : public KernelTest {
 protected:
  template <typename T>
  void Check(const Problem& p) {
    const std::vector<T> a = Numbers<T>(p.batch * p.m * p.k, 1);
    const std::vector<T> b = Numbers<T>((p.same_b ? 1 : p.batch) * p.k * p.n, 2);
    const std::vector<T> bias = Numbers<T>(p.n, 3);
    const Pointer out = runner_.Out<T>(p.batch * p.m * p.n);
    auto i = [](size_t size) { return static_cast<int64_t>(size); };
    ASSERT_TRUE(runner_.Run("matmul_" + TypeName<T>(), MatMulLaunch(i(p.batch), i(p.m), i(p.n)),
                            out, runner_.In(a), runner_.In(b),
                            p.has_bias ? runner_.In(bias) : Pointer(), i(p.batch), i(p.m), i(p.n),
                            i(p.k), i(p.m * p.k), p.same_b ? int64_t{0} : i(p.k * p.n),
                            p.transposed, static_cast<int32_t>(p.activation)));
    const std::vector<T> results = runner_.Read<T>(out);
    using C = Compute<T>;
    for (size_t batch = 0; batch < p.batch; ++batch)
      for (size_t row = 0; row < p.m; ++row)
        for (size_t column = 0; column < p.n; ++column) {
          C sum = 0;
          for (size_t k = 0; k < p.k; ++k) {
            const bool a_across = p.transposed & kMatMulTransposedA;
            const bool b_across = p.transposed & kMatMulTransposedB;
            const T x = a[batch * p.m * p.k + (a_across ? k * p.m + row : row * p.k + k)];
            const T y = b[(p.same_b ? 0 : batch * p.k * p.n) +
                          (b_across ? column * p.k + k : k * p.n + column)];
            sum = MultiplyAdd(Decode(x), Decode(y), sum);
          }
          if (p.has_bias) sum = Plus(sum, Decode(bias[column]));
          if (p.activation != MatMulActivation::kNone && sum < 0) sum = 0;
          if (p.activation == MatMulActivation::kRelu6 && sum > 6) sum = 6;
          const T result = results[(batch * p.m + row) * p.n + column];
          ASSERT_TRUE(IsSame(result, Encode<T>(sum)))
              << "matmul_" << TypeName<T>() << " " << p.m << "x" << p.n << "x" << p.k << " at "
              << row << "," << column << " is " << ValueOf<double>(result) << ", not "
              << ValueOf<double>(Encode<T>(sum));
        }
    runner_.Clear();
  }

  template <typename T>
  void CheckAll() {
    Check<T>({});
    Check<T>({.m = 64, .n = 64, .k = 16});
    Check<T>({.m = 70, .n = 65, .k = 33, .has_bias = true, .activation = MatMulActivation::kRelu});
    for (int32_t transposed : {1, 2, 3})
      Check<T>({.m = 9, .n = 70, .k = 20, .transposed = transposed});
    Check<T>({.batch = 3,
              .m = 5,
              .n = 7,
              .k = 4,
              .has_bias = true,
              .activation = MatMulActivation::kRelu6});
    Check<T>({.batch = 2, .m = 3, .n = 4, .k = 70, .transposed = 2, .same_b = true});
    Check<T>({.m = 3, .n = 4, .k = 0, .has_bias = true});  // sums of nothing
  }
};

TEST_F(MatMulKernelsTest, F16) { CheckAll<f16>(); }
TEST_F(MatMulKernelsTest, Bf16) { CheckAll<bf16>(); }
TEST_F(MatMulKernelsTest, F32) { CheckAll<f32>(); }
TEST_F(MatMulKernelsTest, F64) { CheckAll<f64>(); }
TEST_F(MatMulKernelsTest, I32) { CheckAll<i32>(); }
TEST_F(MatMulKernelsTest, I64) { CheckAll<i64>(); }

// A NaN outside of a tile's part of the matrix is not multiplied by the zeros that fill it up.
TEST_F(MatMulKernelsTest, NanStaysInItsRow) {
  std::vector<f32> a(5 * 3, 1), b(3 * 2, 2);
  a[4] = NAN;
  const Pointer out = runner_.Out<f32>(10);
  ASSERT_TRUE(runner_.Run("matmul_f32", MatMulLaunch(1, 5, 2), out, runner_.In(a), runner_.In(b),
                          Pointer(), int64_t{1}, int64_t{5}, int64_t{2}, int64_t{3}, int64_t{0},
                          int64_t{0}, 0, int32_t{1}));
  const std::vector<f32> results = runner_.Read<f32>(out);
  for (size_t i = 0; i < 10; ++i) {
    if (i / 2 == 1) {
      EXPECT_TRUE(std::isnan(results[i])) << i;  // relu keeps it
    } else {
      EXPECT_EQ(results[i], 6) << i;
    }
  }
}

}  // namespace
}  // namespace tfrt::gpu
