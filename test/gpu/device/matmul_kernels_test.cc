// Matrix products, as PTX, against sums in the same order.

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_code/device_math.h"
#include "gpu/device_code/element_ops.h"
#include "gpu/device_code/launch_sizes.h"
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
  double of_grid = 1;
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

// The sum of x[k] y[k] in the order of the kernels.
template <typename T>
Compute<T> SumOfProducts(const std::vector<T>& x, const std::vector<T>& y, const Problem& p) {
  using C = Compute<T>;
  const auto k = static_cast<int64_t>(x.size());
  const MatMulLaunch plan = PlanMatMul(static_cast<int64_t>(p.batch), static_cast<int64_t>(p.m),
                                       static_cast<int64_t>(p.n), static_cast<int64_t>(p.k));
  auto add = [&](C& sum, int64_t at) {
    const auto i = static_cast<size_t>(at);
    sum = MultiplyAdd(Decode(x[i]), Decode(y[i]), sum);
  };
  // The sum of a part: all in turn; or each fourth; or vectors of 32 lanes in turn, for so many
  // elements as are in shared memory at a time.
  auto of_part = [&](int64_t begin, int64_t end) {
    C sum = 0;
    if (!plan.has_few_rows) {
      for (int64_t i = begin; i < end; ++i) add(sum, i);
      return sum;
    }
    if (!(p.transposed & kMatMulTransposedB)) {
      for (int64_t way = 0; way < 4; ++way) {
        C of_way = 0;
        for (int64_t i = begin + way; i < end; i += 4) add(of_way, i);
        sum = way == 0 ? of_way : Plus(sum, of_way);
      }
      return sum;
    }
    const int64_t at_once = 16384 / int64_t{sizeof(T)} / (p.m > 2 ? 8 : 2);
    const int64_t count = 16 / int64_t{sizeof(T)};
    for (int64_t first = begin; first < end; first += at_once) {
      const int64_t last = std::min(end, first + at_once);
      std::array<C, 32> lanes = {};
      for (int64_t i = first; i < last; ++i) {
        add(lanes[static_cast<size_t>((i - first) / count % 32)], i);
      }
      for (size_t half = 16; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; ++lane) {
          lanes[lane] = Plus(lanes[lane], lanes[lane + half]);
        }
      }
      sum = Plus(sum, lanes[0]);
    }
    return sum;
  };
  if (plan.parts == 1) return of_part(0, k);
  const int64_t part_size = PartSize(k, plan.parts);
  std::array<C, 8> warps = {};
  for (int64_t part = 0; part < plan.parts; ++part) {
    C& warp = warps[static_cast<size_t>(part % 8)];
    warp = Plus(warp, of_part(part * part_size, std::min(k, (part + 1) * part_size)));
  }
  for (size_t i = 1; i < warps.size(); ++i) warps[0] = Plus(warps[0], warps[i]);
  return warps[0];
}

class MatMulKernelsTest : public KernelTest {
 protected:
  // `Result`: T, or what products are summed in where the sums are left as they are.
  template <typename T, typename Result = T>
  void Check(const Problem& p) {
    const bool is_sum = p.activation == MatMulActivation::kSumsAlone;
    const std::vector<T> a = Numbers<T>(p.batch * p.m * p.k, 1);
    const std::vector<T> b = Numbers<T>((p.same_b ? 1 : p.batch) * p.k * p.n, 2);
    const std::vector<T> bias = Numbers<T>(p.n, 3);
    const Pointer out = runner_.Out<Result>(p.batch * p.m * p.n);
    auto i = [](size_t size) { return static_cast<int64_t>(size); };
    ASSERT_TRUE(runner_.MatMul(TypeName<T>(), out, runner_.In(a), runner_.In(b),
                               p.has_bias ? runner_.In(bias) : Pointer(), i(p.batch), i(p.m),
                               i(p.n), i(p.k), i(p.m * p.k), p.same_b ? 0 : i(p.k * p.n),
                               p.transposed, p.activation, p.of_grid));
    const std::vector<Result> results = runner_.Read<Result>(out);
    using C = Compute<T>;
    for (size_t batch = 0; batch < p.batch; ++batch)
      for (size_t row = 0; row < p.m; ++row)
        for (size_t column = 0; column < p.n; ++column) {
          std::vector<T> products_of[2];
          for (size_t k = 0; k < p.k; ++k) {
            const bool a_across = p.transposed & kMatMulTransposedA;
            const bool b_across = p.transposed & kMatMulTransposedB;
            products_of[0].push_back(
                a[batch * p.m * p.k + (a_across ? k * p.m + row : row * p.k + k)]);
            products_of[1].push_back(b[(p.same_b ? 0 : batch * p.k * p.n) +
                                       (b_across ? column * p.k + k : k * p.n + column)]);
          }
          C sum = SumOfProducts(products_of[0], products_of[1], p);
          if (p.has_bias && !is_sum) sum = Plus(sum, Decode(bias[column]));
          if (p.activation != MatMulActivation::kNone && !is_sum && sum < 0) sum = 0;
          if (p.activation == MatMulActivation::kRelu6 && sum > 6) sum = 6;
          const Result result = results[(batch * p.m + row) * p.n + column];
          ASSERT_TRUE(IsSame(result, Encode<Result>(sum)))
              << "matmul_" << TypeName<T>() << " " << p.m << "x" << p.n << "x" << p.k << " at "
              << row << "," << column << " is " << ValueOf<double>(result) << ", not "
              << ValueOf<double>(Encode<Result>(sum));
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
    Check<T>({.m = 10, .n = 4, .k = 0});
  }

  // Tiles and few rows, in one part and in several, whole vectors and others, all layouts.
  template <typename T>
  void CheckPathsOf(int32_t transposed) {
    Check<T>({.m = 72, .n = 80, .k = 48, .transposed = transposed});
    Check<T>({.m = 9, .n = 72, .k = 616, .transposed = transposed, .has_bias = true});
    Check<T>({.batch = 2, .m = 10, .n = 5, .k = 515, .transposed = transposed, .of_grid = 0.3});
    Check<T>({.m = 1, .n = 300, .k = 96, .transposed = transposed, .has_bias = true});
    Check<T>({.m = 2, .n = 37, .k = 67, .transposed = transposed});
    Check<T>({.m = 7, .n = 24, .k = 1100, .transposed = transposed, .of_grid = 3});
    Check<T>({.batch = 2,
              .m = 1,
              .n = 264,
              .k = 400,
              .transposed = transposed,
              .has_bias = true,
              .activation = MatMulActivation::kRelu6,
              .same_b = true,
              .of_grid = 0.3});
  }
  template <typename T>
  void CheckPaths() {
    for (int32_t transposed : {0, 1, 2, 3}) CheckPathsOf<T>(transposed);
  }
};

TEST_F(MatMulKernelsTest, F16) { CheckAll<f16>(); }
TEST_F(MatMulKernelsTest, Bf16) { CheckAll<bf16>(); }
TEST_F(MatMulKernelsTest, F32) { CheckAll<f32>(); }
TEST_F(MatMulKernelsTest, F64) { CheckAll<f64>(); }
TEST_F(MatMulKernelsTest, I32) { CheckAll<i32>(); }
TEST_F(MatMulKernelsTest, I64) { CheckAll<i64>(); }
// More parts than warps that add them up, in any grid.
TEST_F(MatMulKernelsTest, ManyParts) {
  for (double of_grid : {1.0, 0.4}) {
    Check<f32>({.m = 10, .n = 5, .k = 3000, .of_grid = of_grid});
    Check<f32>({.m = 1, .n = 30, .k = 2000, .has_bias = true, .of_grid = of_grid});
    Check<f64>({.m = 2, .n = 30, .k = 3000, .transposed = 2, .of_grid = of_grid});
  }
}
// Tiles and few rows, in one part and in several.
TEST_F(MatMulKernelsTest, SumsAlone) {
  for (size_t m : {2u, 10u}) {
    for (size_t k : {30u, 700u}) {
      const Problem p = {
          .m = m, .n = 5, .k = k, .has_bias = true, .activation = MatMulActivation::kSumsAlone};
      Check<f16, f32>(p);
      Check<bf16, f32>(p);
      Check<f32>(p);
      Check<f64>(p);
    }
  }
}
TEST_F(MatMulKernelsTest, PathsF16) { CheckPaths<f16>(); }
TEST_F(MatMulKernelsTest, PathsBf16) { CheckPaths<bf16>(); }
TEST_F(MatMulKernelsTest, PathsF32) { CheckPaths<f32>(); }
TEST_F(MatMulKernelsTest, PathsF64) { CheckPaths<f64>(); }
TEST_F(MatMulKernelsTest, PathsI32) { CheckPaths<i32>(); }
TEST_F(MatMulKernelsTest, PathsI64) { CheckPaths<i64>(); }

// A NaN outside of a tile's part of the matrix is not multiplied by the zeros that fill it up.
TEST_F(MatMulKernelsTest, NanStaysInItsRow) {
  std::vector<f32> a(5 * 3, 1), b(3 * 2, 2);
  a[4] = NAN;
  const Pointer out = runner_.Out<f32>(10);
  ASSERT_TRUE(runner_.MatMul("f32", out, runner_.In(a), runner_.In(b), Pointer(), 1, 5, 2, 3, 0, 0,
                             0, MatMulActivation::kRelu));
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
