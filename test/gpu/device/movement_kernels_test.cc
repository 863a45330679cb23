// fill, cast, transpose and permute, as PTX.

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/device_code/ops_by_type.h"
#include "gpu/device_code/steps.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "lib/runtime/tensor/cast.h"
#include "test_elements.h"
#include "tfrt/support/half.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of types

using MovementKernelsTest = KernelTest;

template <typename T>
void CheckFill(KernelRunner& runner, const std::string& width, T value) {
  const Pointer out = runner.Out<T>(1000);
  ASSERT_TRUE(runner.Run("fill_" + width, {3, 64}, out, value, int64_t{1000}));
  EXPECT_EQ(runner.Read<T>(out), std::vector<T>(1000, value));
}
TEST_F(MovementKernelsTest, Fill) {
  CheckFill<uint8_t>(runner_, "b8", 0xA5);
  CheckFill<uint16_t>(runner_, "b16", 0xABCD);
  CheckFill<uint32_t>(runner_, "b32", 0x12345678);
  CheckFill<uint64_t>(runner_, "b64", 0x123456789ABCDEF0);
}

// --- Casts, against those of host tensors.

template <typename T>
struct OnHost {
  using Type = T;
};
template <>
struct OnHost<f16> {
  using Type = Fp16;
};
template <>
struct OnHost<bf16> {
  using Type = Bf16;
};
template <>
struct OnHost<i1> {
  using Type = bool;
};

template <typename From, typename To>
void CheckCast(KernelRunner& runner) {
  const std::vector<From> in = ManyElements<From>(3000);
  const auto size = static_cast<int64_t>(in.size());
  const Pointer x = runner.In(in), y = runner.Out<To>(in.size());
  const std::string name = "cast_" + TypeName<From>() + "_" + TypeName<To>();
  ASSERT_TRUE(runner.Run(name, ElementwiseLaunch(size), y, x, size));
  const std::vector<To> out = runner.Read<To>(y);
  for (size_t i = 0; i < in.size(); ++i) {
    const auto from = [&] {
      if constexpr (kSame<From, i1>) {
        return in[i].byte != 0;
      } else {
        return std::bit_cast<typename OnHost<From>::Type>(in[i]);
      }
    }();
    const auto to = CastElement<typename OnHost<To>::Type>(from);
    const To expected = std::bit_cast<To>(to);
    ASSERT_TRUE(IsSame(out[i], expected))
        << name << " of " << ValueOf<double>(in[i]) << " is " << ValueOf<double>(out[i]) << ", not "
        << ValueOf<double>(expected);
  }
  runner.Clear();
}
TEST_F(MovementKernelsTest, Casts) {
#define TFRT_CHECK(from, to)    \
  CheckCast<from, to>(runner_); \
  if (HasFatalFailure()) return;
  TFRT_CASTS(TFRT_CHECK)
#undef TFRT_CHECK
}

// The result is no further from zero than the number, and the next one from there would be.
template <typename From, typename To>
void CheckTruncation(KernelRunner& runner) {
  const std::vector<From> in = ManyElements<From>(3000);
  const auto size = static_cast<int64_t>(in.size());
  const Pointer x = runner.In(in), y = runner.Out<To>(in.size());
  const std::string name = "truncate_" + TypeName<From>() + "_" + TypeName<To>();
  ASSERT_TRUE(runner.Run(name, ElementwiseLaunch(size), y, x, size));
  const std::vector<To> out = runner.Read<To>(y);
  using Bits = std::conditional_t<sizeof(To) == 2, uint16_t, uint32_t>;
  for (size_t i = 0; i < in.size(); ++i) {
    const auto from = ValueOf<double>(in[i]), to = ValueOf<double>(out[i]);
    SCOPED_TRACE(testing::Message() << name << " of " << from << " is " << to);
    if (!std::isfinite(from)) {
      ASSERT_TRUE(std::isnan(from) ? std::isnan(to) : to == from);
      continue;
    }
    ASSERT_TRUE(std::isfinite(to));
    ASSERT_EQ(std::signbit(to), std::signbit(from));
    ASSERT_LE(std::fabs(to), std::fabs(from));
    const auto next = std::bit_cast<To>(static_cast<Bits>(std::bit_cast<Bits>(out[i]) + 1));
    ASSERT_GT(std::fabs(ValueOf<double>(next)), std::fabs(from));
  }
  runner.Clear();
}
TEST_F(MovementKernelsTest, Truncations) {
  CheckTruncation<f64, f32>(runner_);
  CheckTruncation<f64, f16>(runner_);
  CheckTruncation<f64, bf16>(runner_);
  CheckTruncation<f32, f16>(runner_);
  CheckTruncation<f32, bf16>(runner_);
}

// --- Transposes and permutations.

template <typename T>
std::vector<T> Numbered(size_t count) {
  std::vector<T> elements(count);
  for (size_t i = 0; i < count; ++i) elements[i] = static_cast<T>(i * 0x9E3779B97F4A7C15u >> 7);
  return elements;
}

template <typename T>
void CheckTranspose(KernelRunner& runner, const std::string& width) {
  // Less than a tile, whole tiles, parts of tiles.
  for (auto [batch, rows, columns] :
       {std::array<size_t, 3>{1, 1, 1}, {2, 5, 40}, {1, 64, 32}, {3, 33, 65}, {1, 1, 100}}) {
    const std::vector<T> in = Numbered<T>(batch * rows * columns);
    const Pointer out = runner.Out<T>(in.size());
    const auto b = static_cast<int64_t>(batch), r = static_cast<int64_t>(rows),
               c = static_cast<int64_t>(columns);
    ASSERT_TRUE(
        runner.Run("transpose_" + width, TransposeLaunch(b, r, c), out, runner.In(in), b, r, c));
    const std::vector<T> results = runner.Read<T>(out);
    for (size_t i = 0; i < batch; ++i)
      for (size_t j = 0; j < rows; ++j)
        for (size_t k = 0; k < columns; ++k) {
          ASSERT_EQ(results[(i * columns + k) * rows + j], in[(i * rows + j) * columns + k])
              << width << " " << batch << "x" << rows << "x" << columns << " at " << i << "," << j
              << "," << k;
        }
    // One block for all tiles gives the same.
    const Pointer again = runner.Out<T>(in.size());
    ASSERT_TRUE(runner.Run("transpose_" + width, {1, 256}, again, runner.In(in), b, r, c));
    EXPECT_EQ(runner.Read<T>(again), results);
    runner.Clear();
  }
}

template <typename T>
void CheckPermute(KernelRunner& runner, const std::string& width) {
  const std::vector<int64_t> dims = {3, 4, 5, 2}, permutation = {2, 0, 3, 1};
  const auto steps = PlanPermutation(dims, permutation);
  ASSERT_TRUE(steps);
  const std::vector<T> in = Numbered<T>(120);
  const Pointer out = runner.Out<T>(120);
  const FourDims &sizes = steps->sizes, &by = steps->steps;
  ASSERT_TRUE(runner.Run("permute_" + width, ElementwiseLaunch(120), out, runner.In(in), sizes[0],
                         sizes[1], sizes[2], sizes[3], by[0], by[1], by[2], by[3]));
  const std::vector<T> results = runner.Read<T>(out);
  size_t at = 0;
  for (size_t p = 0; p < 5; ++p)
    for (size_t q = 0; q < 3; ++q)
      for (size_t r = 0; r < 2; ++r)
        for (size_t s = 0; s < 4; ++s, ++at) {
          ASSERT_EQ(results[at], in[((q * 4 + s) * 5 + p) * 2 + r]) << width << " at " << at;
        }
}

TEST_F(MovementKernelsTest, TransposeB8) { CheckTranspose<uint8_t>(runner_, "b8"); }
TEST_F(MovementKernelsTest, TransposeB16) { CheckTranspose<uint16_t>(runner_, "b16"); }
TEST_F(MovementKernelsTest, TransposeB32) { CheckTranspose<uint32_t>(runner_, "b32"); }
TEST_F(MovementKernelsTest, TransposeB64) { CheckTranspose<uint64_t>(runner_, "b64"); }
TEST_F(MovementKernelsTest, Permute) {
  CheckPermute<uint8_t>(runner_, "b8");
  CheckPermute<uint16_t>(runner_, "b16");
  CheckPermute<uint32_t>(runner_, "b32");
  CheckPermute<uint64_t>(runner_, "b64");
}

}  // namespace
}  // namespace tfrt::gpu
