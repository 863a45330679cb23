// Kernels between numbers of different types, as PTX: quantized ones, sums that become results,
// bytes that become factors.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_code/element.h"
#include "gpu/device_code/launch_blocks.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of types

template <typename Q>
std::string IntegerName() {
  return (std::is_signed_v<Q> ? "i" : "u") + std::to_string(8 * sizeof(Q));
}

class NumberKernelsTest : public KernelTest {
 protected:
  template <typename T>
  std::vector<T> Floats(int64_t count, double largest) {
    std::uniform_real_distribution<double> some(-largest, largest);
    std::vector<T> elements;
    for (int64_t i = 0; i < count; ++i) elements.push_back(Cast<T>(some(random_)));
    return elements;
  }
  template <typename Q>
  std::vector<Q> Integers(int64_t count) {
    std::vector<Q> elements;
    for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<Q>(random_()));
    return elements;
  }

  struct Layout {
    int64_t outer, size, inner, block;

    int64_t NumScales() const {
      return block == 0 ? size : outer * ((size + block - 1) / block) * inner;
    }
    size_t ScaleOf(int64_t i) const {
      const int64_t o = i / inner / size, place = i / inner % size;
      const int64_t blocks = block == 0 ? 0 : (size + block - 1) / block;
      return static_cast<size_t>(block == 0 ? place
                                            : (o * blocks + place / block) * inner + i % inner);
    }
  };

  // As the host computes it, in f32.
  template <typename T, typename Q>
  void CheckQuantize(const Layout& layout, bool has_zeros) {
    const int64_t count = layout.outer * layout.size * layout.inner;
    std::vector<T> in = Floats<T>(count, 3.0 * std::numeric_limits<Q>::max());
    if (count > 9) in[2] = Cast<T>(std::nan("")), in[5] = Cast<T>(HUGE_VAL);
    const auto scales = Floats<T>(layout.NumScales(), 3);
    const auto zeros = Integers<Q>(layout.NumScales());
    const Pointer out = runner_.Out<Q>(static_cast<size_t>(count));
    ASSERT_TRUE(runner_.Run("quantize_" + TypeName<T>() + "_" + IntegerName<Q>(),
                            ThreadsLaunch(count), out, runner_.In(in), runner_.In(scales),
                            has_zeros ? runner_.In(zeros) : Pointer(), layout.outer, layout.size,
                            layout.inner, layout.block));
    const std::vector<Q> results = runner_.Read<Q>(out);
    for (size_t i = 0; i < results.size(); ++i) {
      const size_t at = layout.ScaleOf(static_cast<int64_t>(i));
      const float zero = has_zeros ? static_cast<float>(zeros[at]) : 0;
      float value = std::nearbyint(ValueOf<float>(in[i]) / ValueOf<float>(scales[at])) + zero;
      if (std::isnan(value)) value = zero;
      using Limits = std::numeric_limits<Q>;
      ASSERT_EQ(results[i], static_cast<Q>(std::clamp<float>(value, Limits::min(), Limits::max())))
          << ValueOf<float>(in[i]) << " " << ValueOf<float>(scales[at]) << " " << zero;
    }
    runner_.Clear();
  }
  template <typename T, typename Q>
  void CheckDequantize(const Layout& layout, bool has_zeros) {
    const int64_t count = layout.outer * layout.size * layout.inner;
    const auto in = Integers<Q>(count), zeros = Integers<Q>(layout.NumScales());
    const auto scales = Floats<T>(layout.NumScales(), 3);
    const Pointer out = runner_.Out<T>(static_cast<size_t>(count));
    ASSERT_TRUE(runner_.Run("dequantize_" + TypeName<T>() + "_" + IntegerName<Q>(),
                            ThreadsLaunch(count), out, runner_.In(in), runner_.In(scales),
                            has_zeros ? runner_.In(zeros) : Pointer(), layout.outer, layout.size,
                            layout.inner, layout.block));
    const std::vector<T> results = runner_.Read<T>(out);
    for (size_t i = 0; i < results.size(); ++i) {
      const size_t at = layout.ScaleOf(static_cast<int64_t>(i));
      const int64_t zero = has_zeros ? zeros[at] : 0;
      const auto difference = static_cast<float>(int64_t{in[i]} - zero);
      ASSERT_TRUE(IsSame(results[i], Encode<T>(difference * ValueOf<float>(scales[at])))) << i;
    }
    runner_.Clear();
  }

  template <typename T>
  void CheckAllIntegers() {
    for (const Layout& layout : {Layout{1, 1, 301, 0}, {2, 5, 3, 0}, {3, 7, 4, 2}}) {
      for (bool has_zeros : {true, false}) {
        CheckQuantize<T, int8_t>(layout, has_zeros);
        CheckQuantize<T, uint8_t>(layout, has_zeros);
        CheckQuantize<T, int16_t>(layout, has_zeros);
        CheckQuantize<T, uint16_t>(layout, has_zeros);
        CheckDequantize<T, int8_t>(layout, has_zeros);
        CheckDequantize<T, uint8_t>(layout, has_zeros);
        CheckDequantize<T, int16_t>(layout, has_zeros);
        CheckDequantize<T, uint16_t>(layout, has_zeros);
        CheckDequantize<T, int32_t>(layout, has_zeros);
      }
    }
  }

  // The scale and the zero point of a tensor, in so many parts.
  void CheckQuantization(const std::vector<f32>& in, int64_t parts, DeviceLaunch launch) {
    const auto size = static_cast<int64_t>(in.size());
    const Pointer limits = runner_.Scratch(parts * 8), scale = runner_.Out<f32>(1),
                  zero = runner_.Out<u8>(1);
    ASSERT_TRUE(runner_.Run("quantization_limits", launch, limits, runner_.In(in), size, parts));
    ASSERT_TRUE(runner_.Run("quantization_of_limits", BlocksLaunch(1), scale, zero, limits, parts));
    f32 low = 0, high = 0;
    for (f32 x : in) {
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
    const f32 expected = low == high ? 1 : (high - low) / 255;
    EXPECT_EQ(runner_.Read<f32>(scale)[0], expected);
    EXPECT_EQ(runner_.Read<u8>(zero)[0], std::clamp(std::nearbyint(-low / expected), 0.0f, 255.0f));
    runner_.Clear();
  }

  template <typename T>
  void CheckEpilogue() {
    using C = Compute<T>;
    const int64_t rows = 7, columns = 37, size = rows * columns;
    const auto sums = Floats<C>(size, 5);
    const auto bias = Floats<T>(columns, 5), addend = Floats<T>(size, 5);
    for (bool has_bias : {true, false}) {
      for (bool has_addend : {true, false}) {
        for (int32_t activation : {0, 1, 2}) {
          const f32 scale = 1.25f;
          // The addend may be the result.
          const Pointer out =
              has_addend ? runner_.In(addend) : runner_.Out<T>(static_cast<size_t>(size));
          ASSERT_TRUE(runner_.Run("epilogue_" + TypeName<T>(), ThreadsLaunch(size), out,
                                  runner_.In(sums), has_bias ? runner_.In(bias) : Pointer(),
                                  has_addend ? out : Pointer(), scale, size, columns, activation));
          const std::vector<T> results = runner_.Read<T>(out);
          for (size_t i = 0; i < results.size(); ++i) {
            C sum = scale * sums[i];
            if (has_bias) sum += Decode(bias[i % columns]);
            if (has_addend) sum += Decode(addend[i]);
            if (activation != 0 && sum < 0) sum = 0;
            if (activation == 2 && sum > 6) sum = 6;
            ASSERT_TRUE(IsSame(results[i], Encode<T>(sum))) << TypeName<T>() << " at " << i;
          }
        }
      }
    }
    runner_.Clear();
  }

  template <typename Q>
  void CheckWiden() {
    const int64_t size = 211;
    const auto in = Integers<Q>(size), zeros = Integers<Q>(10);
    struct Zeros {
      int64_t every, count;
      bool is_null = false;
    };
    for (const Zeros& each : {Zeros{1, 1, true}, {size, 1}, {3, 10}, {1, 7}}) {
      const Pointer out = runner_.Out<i32>(size);
      ASSERT_TRUE(runner_.Run("widen_" + IntegerName<Q>(), ThreadsLaunch(size), out, runner_.In(in),
                              each.is_null ? Pointer() : runner_.In(zeros), size, each.every,
                              each.count));
      const std::vector<i32> results = runner_.Read<i32>(out);
      for (size_t i = 0; i < results.size(); ++i) {
        const size_t at = i / static_cast<size_t>(each.every) % static_cast<size_t>(each.count);
        ASSERT_EQ(results[i], in[i] - (each.is_null ? 0 : zeros[at])) << i;
      }
    }
  }

  std::mt19937 random_{1};
};

TEST_F(NumberKernelsTest, QuantizeF16) { CheckAllIntegers<f16>(); }
TEST_F(NumberKernelsTest, QuantizeBf16) { CheckAllIntegers<bf16>(); }
TEST_F(NumberKernelsTest, QuantizeF32) { CheckAllIntegers<f32>(); }

TEST_F(NumberKernelsTest, Quantization) {
  CheckQuantization({}, 1, {1, 256});
  CheckQuantization({0, -0.0f, 0}, 1, {1, 256});
  CheckQuantization({1, 5, NAN, 2}, 1, {1, 256});
  CheckQuantization({-1, NAN, -5, -2.5f}, 1, {1, 256});
  std::vector<f32> many = Floats<f32>(5003, 3);
  many[5002] = -7;
  for (int64_t parts : {1, 2, 300}) {
    for (uint32_t blocks : {1u, 3u}) CheckQuantization(many, parts, {blocks, 256});
  }
}

TEST_F(NumberKernelsTest, Epilogue) {
  CheckEpilogue<f16>();
  CheckEpilogue<bf16>();
  CheckEpilogue<f32>();
  CheckEpilogue<f64>();
}

TEST_F(NumberKernelsTest, Widen) {
  CheckWiden<int8_t>();
  CheckWiden<uint8_t>();
}

}  // namespace
}  // namespace tfrt::gpu
