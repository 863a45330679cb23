// Reductions and softmax, as PTX, against sums in higher precision.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "gpu/device_code/element.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of types

// Numbers around 0, whole for integers.
template <typename T>
std::vector<T> Numbers(size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> some(-8, 8);
  std::vector<T> elements;
  for (size_t i = 0; i < count; ++i) {
    elements.push_back(Cast<T>(kIsFloatElement<T> ? some(random) : std::round(1e5 * some(random))));
  }
  return elements;
}

template <typename T>
std::string Text(const T& element) {
  return std::to_string(ValueOf<double>(element));
}

// in [outer,size,inner]: the elements of a column.
template <typename T>
std::vector<T> Column(const std::vector<T>& in, size_t size, size_t inner, size_t at) {
  std::vector<T> column;
  for (size_t k = 0; k < size; ++k)
    column.push_back(in[(at / inner * size + k) * inner + at % inner]);
  return column;
}

// The exact reduction, and by how much a sum in f64 may differ from it.
template <typename T>
void ExpectReduced(const std::string& op, const std::vector<T>& column, T result) {
  if constexpr (kIsFloatElement<T>) {
    long double sum = 0, magnitude = 0, extreme = op == "max" ? -HUGE_VALL : HUGE_VALL;
    bool has_nan = false;
    for (const T& element : column) {
      const auto x = ValueOf<long double>(element);
      sum += x;
      magnitude += std::fabs(x);
      has_nan |= std::isnan(x);
      extreme = op == "max" ? std::fmax(extreme, x) : std::fmin(extreme, x);
    }
    const bool is_sum = op == "sum" || op == "mean";
    const long double count = op == "mean" ? static_cast<long double>(column.size()) : 1;
    const long double exact = is_sum ? sum / count : has_nan ? NAN : extreme;
    const auto value = ValueOf<long double>(result);
    if (std::isnan(exact) || std::isinf(exact)) {
      EXPECT_TRUE(value == exact || (std::isnan(value) && std::isnan(exact))) << op << Text(result);
      return;
    }
    const long double tolerance =
        is_sum ? magnitude / count * 0x1p-48L +
                     std::fabs(exact) * std::ldexp(1.0L, -kFormatOf<T>.digits)
               : 0;
    EXPECT_LE(std::fabs(value - exact), tolerance)
        << op << "_" << TypeName<T>() << " is " << Text(result) << ", not " << exact;
  } else {
    uint64_t sum = 0, product = 1;
    T most = column.empty() ? T(0) : column[0], least = most;
    for (T x : column) {
      sum += static_cast<uint64_t>(x);
      product *= static_cast<uint64_t>(x);
      most = std::max(most, x);
      least = std::min(least, x);
    }
    const auto count = static_cast<int64_t>(column.size());
    const int64_t mean = count == 0 ? 0 : static_cast<int64_t>(sum) / count;
    const T expected = op == "sum"    ? static_cast<T>(sum)
                       : op == "mean" ? static_cast<T>(mean)
                       : op == "prod" ? static_cast<T>(product)
                       : op == "max"  ? most
                                      : least;
    EXPECT_EQ(result, expected) << op << "_" << TypeName<T>();
  }
}

// The first of the largest or smallest, the first NaN if there is one.
template <typename T>
size_t PlaceOfExtreme(bool smallest, const std::vector<T>& column) {
  size_t best = 0;
  for (size_t i = 0; i < column.size(); ++i) {
    const auto x = Decode(column[i]), y = Decode(column[best]);
    if (y != y) break;
    if (x != x || (smallest ? x < y : x > y)) best = i;
  }
  return best;
}

class RowKernelsTest : public KernelTest {
 protected:
  template <typename T>
  void CheckReductions(const std::vector<T>& in, size_t outer, size_t size, size_t inner) {
    const auto o = static_cast<int64_t>(outer), s = static_cast<int64_t>(size),
               n = static_cast<int64_t>(inner);
    const Pointer x = runner_.In(in);
    for (const char* op : {"sum", "mean", "max", "min", "prod"}) {
      if (kIsFloatElement<T> && op == std::string_view("prod")) continue;  // CheckProducts
      const Pointer out = runner_.Out<T>(outer * inner);
      ASSERT_TRUE(runner_.Reduce(op, TypeName<T>(), out, x, o, s, n));
      const std::vector<T> results = runner_.Read<T>(out);
      for (size_t i = 0; i < results.size(); ++i) {
        ExpectReduced(op, Column(in, size, inner, i), results[i]);
      }
    }
    for (const char* op : {"argmax", "argmin"}) {
      const Pointer narrow = runner_.Out<i32>(outer * inner),
                    wide = runner_.Out<i64>(outer * inner);
      ASSERT_TRUE(runner_.Reduce(op, TypeName<T>() + "_i32", narrow, x, o, s, n));
      ASSERT_TRUE(runner_.Reduce(op, TypeName<T>() + "_i64", wide, x, o, s, n));
      const std::vector<i32> results = runner_.Read<i32>(narrow);
      EXPECT_EQ(runner_.Read<i64>(wide), std::vector<i64>(results.begin(), results.end()));
      for (size_t i = 0; i < results.size(); ++i) {
        const bool smallest = op == std::string_view("argmin");
        EXPECT_EQ(results[i],
                  static_cast<i32>(PlaceOfExtreme(smallest, Column(in, size, inner, i))))
            << op << "_" << TypeName<T>() << " of column " << i << " of " << size;
      }
    }
    runner_.Clear();
  }

  // Products of numbers around 1 and -1, which neither overflow nor vanish.
  template <typename T>
  void CheckProducts(size_t outer, size_t size, size_t inner) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> some(-0.002, 0.002);
    std::vector<T> in;
    for (size_t i = 0; i < outer * size * inner; ++i) {
      in.push_back(Cast<T>((random() % 2 == 0 ? 1 : -1) * std::exp(some(random) * 8)));
    }
    const Pointer out = runner_.Out<T>(outer * inner);
    ASSERT_TRUE(runner_.Reduce("prod", TypeName<T>(), out, runner_.In(in),
                               static_cast<int64_t>(outer), static_cast<int64_t>(size),
                               static_cast<int64_t>(inner)));
    const std::vector<T> results = runner_.Read<T>(out);
    for (size_t i = 0; i < results.size(); ++i) {
      long double exact = 1;
      for (const T& x : Column(in, size, inner, i)) exact *= ValueOf<long double>(x);
      const long double last_digit = std::ldexp(1.0L, -kFormatOf<T>.digits);
      EXPECT_LE(std::fabs(ValueOf<long double>(results[i]) - exact),
                std::fabs(exact) * (last_digit + static_cast<long double>(size) * 0x1p-53L))
          << "prod_" << TypeName<T>() << " of " << size;
    }
    runner_.Clear();
  }

  // All ways of launch_sizes.h: by threads, warps, blocks and columns, and the last two in parts.
  template <typename T>
  void CheckReductionsOfSizes() {
    for (auto [outer, size, inner] : {std::array<size_t, 3>{1, 1, 1},
                                      {300, 3, 1},
                                      {5, 10, 1},
                                      {9, 601, 1},
                                      {2, 2100, 1},
                                      {1, 16'500, 1},
                                      {3, 7, 100},
                                      {2, 100, 3},
                                      {1, 40, 300},
                                      {1, 1100, 40}}) {
      CheckReductions(Numbers<T>(outer * size * inner, 1), outer, size, inner);
      if constexpr (kIsFloatElement<T>) CheckProducts<T>(outer, size, inner);
    }
  }

  template <typename T>
  void CheckSoftmax() {
    using W = Wider<T>;
    for (auto [rows, columns] :
         {std::array<size_t, 2>{11, 10}, {1, 1}, {2, 301}, {3, 1000}, {2, 4099}}) {
      const std::vector<T> in = Numbers<T>(rows * columns, 2);
      const auto r = static_cast<int64_t>(rows), c = static_cast<int64_t>(columns);
      for (bool log : {false, true}) {
        const std::string name = std::string(log ? "log_softmax_" : "softmax_") + TypeName<T>();
        const Pointer x = runner_.In(in);  // in place
        ASSERT_TRUE(runner_.Run(name, SoftmaxLaunch(r, c), x, x, r, c));
        const std::vector<T> out = runner_.Read<T>(x);
        for (size_t i = 0; i < rows; ++i) {
          W sum = 0;
          for (size_t j = 0; j < columns; ++j) sum += std::exp(ValueOf<W>(in[i * columns + j]));
          for (size_t j = 0; j < columns; ++j) {
            const W value = ValueOf<W>(in[i * columns + j]);
            const W exact = log ? value - std::log(sum) : std::exp(value) / sum;
            const W epsilon = std::ldexp(W(1), 1 - kFormatOf<T>.digits);
            // Differences of numbers up to 24, whose rounding is a factor of exp.
            const W tolerance =
                log ? 24 * epsilon : std::fabs(exact) * 12 * epsilon + W(6e-8) * (sizeof(T) == 2);
            EXPECT_LE(std::fabs(ValueOf<W>(out[i * columns + j]) - exact), tolerance) << name;
          }
        }
      }
    }
  }
};

TEST_F(RowKernelsTest, ReduceF16) { CheckReductionsOfSizes<f16>(); }
TEST_F(RowKernelsTest, ReduceBf16) { CheckReductionsOfSizes<bf16>(); }
TEST_F(RowKernelsTest, ReduceF32) { CheckReductionsOfSizes<f32>(); }
TEST_F(RowKernelsTest, ReduceF64) { CheckReductionsOfSizes<f64>(); }
TEST_F(RowKernelsTest, ReduceI32) { CheckReductionsOfSizes<i32>(); }
TEST_F(RowKernelsTest, ReduceI64) { CheckReductionsOfSizes<i64>(); }

TEST_F(RowKernelsTest, SumsOfIntegersWrap) {
  CheckReductions<i32>({INT32_MAX, INT32_MAX, 3, INT32_MIN, -1, -1}, 2, 3, 1);
  CheckReductions<i64>({INT64_MAX, 5, 7, INT64_MIN, -1, 0}, 2, 3, 1);
}

TEST_F(RowKernelsTest, NanAndInfinities) {
  const f32 nan = NAN, infinity = INFINITY;
  CheckReductions<f32>({1, nan, 2, nan, infinity, 1, -infinity, 2, -infinity, -infinity, -infinity,
                        -infinity, 3, 3, 3, 3},
                       4, 4, 1);
  CheckReductions<f32>({1, nan, 2, nan, infinity, 1, -infinity, 2}, 1, 2, 4);
}

// An infinity is the neutral value of extremes, and has a place.
TEST_F(RowKernelsTest, PlacesOfNeutralValues) {
  for (size_t size : {5u, 100u, 2000u}) {
    CheckReductions(std::vector<f32>(2 * size, -INFINITY), 2, size, 1);
    CheckReductions(std::vector<f32>(2 * size, INFINITY), 2, size, 1);
    CheckReductions(std::vector<i32>(3 * size, INT32_MIN), 1, size, 3);
  }
}

TEST_F(RowKernelsTest, ReductionsOfNothing) {
  const Pointer in = runner_.In<f32>({0}), out = runner_.Out<f32>(2), whole = runner_.Out<i32>(2);
  ASSERT_TRUE(runner_.Reduce("sum", "f32", out, in, 2, 0, 1));
  EXPECT_EQ(runner_.Read<f32>(out), (std::vector<f32>{0, 0}));
  ASSERT_TRUE(runner_.Reduce("mean", "f32", out, in, 1, 0, 2));
  EXPECT_TRUE(std::isnan(runner_.Read<f32>(out)[1]));
  ASSERT_TRUE(runner_.Reduce("mean", "i32", whole, in, 2, 0, 1));
  EXPECT_EQ(runner_.Read<i32>(whole), (std::vector<i32>{0, 0}));
  ASSERT_TRUE(runner_.Reduce("prod", "f32", out, in, 2, 0, 1));
  EXPECT_EQ(runner_.Read<f32>(out), (std::vector<f32>{1, 1}));
}

// The order of a sum depends on sizes, and on nothing else.
TEST_F(RowKernelsTest, SumsDoNotDependOnTheGrid) {
  for (auto [outer, size, inner] : {std::array<int64_t, 3>{2000, 5, 1},
                                    {60, 700, 1},
                                    {5, 5000, 1},
                                    {2, 70'000, 1},
                                    {3, 100, 50},
                                    {1, 9000, 33}}) {
    const Pointer in = runner_.In(Numbers<f64>(static_cast<size_t>(outer * size * inner), 3));
    std::vector<f64> first;
    for (double of_grid : {1.0, 0.01, 0.3, 3.0}) {
      const Pointer out = runner_.Out<f64>(static_cast<size_t>(outer * inner));
      ASSERT_TRUE(runner_.Reduce("sum", "f64", out, in, outer, size, inner, of_grid));
      const std::vector<f64> results = runner_.Read<f64>(out);
      if (first.empty()) first = results;
      EXPECT_EQ(results, first) << outer << "x" << size << "x" << inner << ", " << of_grid;
    }
    runner_.Clear();
  }
}

// Nor on where a row begins: in accesses of 128 bits or element by element.
TEST_F(RowKernelsTest, SumsDoNotDependOnAddresses) {
  for (unsigned seed = 0; seed < 18; ++seed) {
    const size_t size = std::array<size_t, 3>{601, 2101, 16'501}[seed % 3];
    const std::vector<f64> row = Numbers<f64>(size, seed);
    std::vector<f64> twice = row;
    twice.insert(twice.end(), row.begin(), row.end());
    const Pointer out = runner_.Out<f64>(2);
    ASSERT_TRUE(runner_.Reduce("sum", "f64", out, runner_.In(twice), 2, size, 1));
    EXPECT_EQ(runner_.Read<f64>(out)[0], runner_.Read<f64>(out)[1]) << size;
    const Pointer x = runner_.In(twice);
    ASSERT_TRUE(runner_.Run("softmax_f64", SoftmaxLaunch(2, static_cast<int64_t>(size)), x, x,
                            int64_t{2}, static_cast<int64_t>(size)));
    const std::vector<f64> results = runner_.Read<f64>(x);
    EXPECT_TRUE(std::equal(results.begin(), results.begin() + static_cast<int64_t>(size),
                           results.begin() + static_cast<int64_t>(size)))
        << size;
  }
}

// A million numbers, in parts that many blocks reduce.
TEST_F(RowKernelsTest, SumOfAMillion) {
  const size_t size = 1'000'000;
  const ReductionLaunch plan = PlanReduction(1, size, 1);
  EXPECT_GE(plan.first.blocks, 200u);
  const std::vector<f32> in = Numbers<f32>(size, 5);
  const Pointer x = runner_.In(in), out = runner_.Out<f32>(1), place = runner_.Out<i64>(1);
  ASSERT_TRUE(runner_.Reduce("sum", "f32", out, x, 1, size, 1));
  ExpectReduced("sum", in, runner_.Read<f32>(out)[0]);
  ASSERT_TRUE(runner_.Reduce("argmax", "f32_i64", place, x, 1, size, 1));
  EXPECT_EQ(runner_.Read<i64>(place)[0], static_cast<i64>(PlaceOfExtreme(false, in)));
}

TEST_F(RowKernelsTest, SoftmaxF16) { CheckSoftmax<f16>(); }
TEST_F(RowKernelsTest, SoftmaxBf16) { CheckSoftmax<bf16>(); }
TEST_F(RowKernelsTest, SoftmaxF32) { CheckSoftmax<f32>(); }
TEST_F(RowKernelsTest, SoftmaxF64) { CheckSoftmax<f64>(); }

TEST_F(RowKernelsTest, SoftmaxOfLargeAndInfiniteNumbers) {
  const std::vector<f32> in = {1000, 1000, -1000, -INFINITY, NAN, 1};
  const Pointer x = runner_.In(in), y = runner_.Out<f32>(6);
  ASSERT_TRUE(runner_.Run("softmax_f32", SoftmaxLaunch(3, 2), y, x, int64_t{3}, int64_t{2}));
  const std::vector<f32> out = runner_.Read<f32>(y);
  EXPECT_EQ(out[0], 0.5f);
  EXPECT_EQ(out[1], 0.5f);
  EXPECT_EQ(out[2], 1);
  EXPECT_EQ(out[3], 0);
  EXPECT_TRUE(std::isnan(out[4]) && std::isnan(out[5]));
  ASSERT_TRUE(runner_.Run("log_softmax_f32", SoftmaxLaunch(3, 2), y, x, int64_t{3}, int64_t{2}));
  EXPECT_EQ(runner_.Read<f32>(y)[2], 0);
  EXPECT_EQ(runner_.Read<f32>(y)[3], -INFINITY);
}

// In a warp's row, a block's, and one that is read twice: the largest element is where later ones
// need a new scale, and lines begin with nothing but -infinity.
TEST_F(RowKernelsTest, SoftmaxFindsTheLargestLate) {
  for (size_t columns : {400u, 3000u, 9000u}) {
    std::vector<f32> in(2 * columns, -INFINITY);
    in[columns - 2] = 200;
    in[columns - 1] = 201;
    const auto c = static_cast<int64_t>(columns);
    const Pointer x = runner_.In(in), y = runner_.Out<f32>(in.size());
    ASSERT_TRUE(runner_.Run("softmax_f32", SoftmaxLaunch(2, c), y, x, int64_t{2}, c));
    const std::vector<f32> out = runner_.Read<f32>(y);
    EXPECT_EQ(out[0], 0);
    EXPECT_FLOAT_EQ(out[columns - 2], 1 / (1 + std::exp(1.0f)));
    EXPECT_FLOAT_EQ(out[columns - 1], 1 / (1 + std::exp(-1.0f)));
    EXPECT_TRUE(std::isnan(out[columns]) && std::isnan(out.back()));
  }
}

}  // namespace
}  // namespace tfrt::gpu
