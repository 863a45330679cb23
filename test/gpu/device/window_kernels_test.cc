// Convolutions, pools and their gradients, as PTX, against loops over the taps.

#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_code/device_math.h"
#include "gpu/device_code/element_ops.h"
#include "gpu/device_code/launch_blocks.h"
#include "gpu/device_code/launch_windows.h"
#include "gpu/device_code/window_sizes.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of types

template <typename T>
std::vector<T> Numbers(int64_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> some(-4, 4);
  std::vector<T> elements;
  for (int64_t i = 0; i < count; ++i) {
    elements.push_back(Cast<T>(kIsFloatElement<T> ? some(random) : std::round(3 * some(random))));
  }
  return elements;
}

// Where elements are.
struct Layout {
  explicit Layout(const DeviceWindows& windows) : w(windows) {}

  static int64_t Pixels(const SpatialNumbers& n) { return int64_t{n[0]} * n[1] * n[2]; }
  static SpatialNumbers PlaceOf(int64_t i, const SpatialNumbers& n) {
    return {static_cast<int32_t>(i / n[2] / n[1]), static_cast<int32_t>(i / n[2] % n[1]),
            static_cast<int32_t>(i % n[2])};
  }
  size_t ImageAt(int64_t image, int64_t channel, int64_t pixel, int64_t channels,
                 const SpatialNumbers& n) const {
    return static_cast<size_t>(w.channels_last ? (image * Pixels(n) + pixel) * channels + channel
                                               : (image * channels + channel) * Pixels(n) + pixel);
  }
  size_t FilterAt(int64_t group, int64_t output, int64_t channel, int64_t tap) const {
    const int64_t all = group * w.outputs + output;
    return static_cast<size_t>(w.channels_last
                                   ? (tap * w.channels + channel) * w.groups * w.outputs + all
                                   : (all * w.channels + channel) * Pixels(w.taps) + tap);
  }
  // The pixel under a tap of a window.
  std::optional<int64_t> PixelUnder(int64_t window, int64_t tap) const {
    const SpatialNumbers o = PlaceOf(window, w.out), k = PlaceOf(tap, w.taps);
    int64_t pixel = 0;
    for (size_t d = 0; d < 3; ++d) {
      const int64_t at = int64_t{o[d]} * w.stride[d] - w.before[d] + k[d] * w.dilation[d];
      if (at < 0 || at >= w.in[d]) return std::nullopt;
      pixel = pixel * w.in[d] + at;
    }
    return pixel;
  }
  // Number k of the depth as a tap and one of `count` channels.
  std::pair<int64_t, int64_t> Split(int64_t k, int64_t count) const {
    const int64_t taps = Pixels(w.taps);
    return w.channels_last ? std::pair{k / count, k % count} : std::pair{k % taps, k / taps};
  }

  const DeviceWindows& w;
};

class WindowKernelsTest : public KernelTest {
 protected:
  template <typename... Args>
  bool RunConv(const std::string& name, DeviceLaunch launch, const DeviceWindows& w, Args... args) {
    return runner_.Run(name, launch, args..., w.batch, w.groups, w.channels, w.outputs, w.in[0],
                       w.in[1], w.in[2], w.out[0], w.out[1], w.out[2], w.taps[0], w.taps[1],
                       w.taps[2], w.stride[0], w.stride[1], w.stride[2], w.dilation[0],
                       w.dilation[1], w.dilation[2], w.before[0], w.before[1], w.before[2],
                       w.channels_last);
  }
  template <typename... Args>
  bool RunPool(const std::string& name, DeviceLaunch launch, const DeviceWindows& w, Args... args) {
    return runner_.Run(name, launch, args..., w.batch, w.channels, w.in[0], w.in[1], w.in[2],
                       w.out[0], w.out[1], w.out[2], w.taps[0], w.taps[1], w.taps[2], w.stride[0],
                       w.stride[1], w.stride[2], w.dilation[0], w.dilation[1], w.dilation[2],
                       w.before[0], w.before[1], w.before[2], w.channels_last);
  }

  // Equal numbers: zeros of either sign.
  template <typename T>
  void ExpectEqual(Pointer out, const std::vector<T>& expected, const std::string& name) {
    const std::vector<T> results = runner_.Read<T>(out);
    ASSERT_EQ(results.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_TRUE(IsSame(results[i], expected[i]) || Decode(results[i]) == Decode(expected[i]))
          << name << " at " << i << " is " << ValueOf<double>(results[i]) << ", not "
          << ValueOf<double>(expected[i]);
    }
  }

  // The sums are in the order of the depth, and so all bits are known.
  template <typename T>
  void CheckConv(const DeviceWindows& w, bool has_tail) {
    using C = Compute<T>;
    const Layout layout(w);
    ASSERT_TRUE(w.fits_conv());
    const int64_t channels = w.groups * w.channels, outputs = w.groups * w.outputs;
    const int64_t pixels = Layout::Pixels(w.in), windows = Layout::Pixels(w.out);
    const int64_t taps = Layout::Pixels(w.taps);
    const auto in = Numbers<T>(w.batch * channels * pixels, 1);
    const auto filter = Numbers<T>(w.filter_size(), 2);
    const auto out_grad = Numbers<T>(w.batch * outputs * windows, 3);
    const auto bias = Numbers<T>(outputs, 4), in_bias = Numbers<T>(channels, 5);
    const std::string type = TypeName<T>();
    const Pointer x = runner_.In(in), f = runner_.In(filter), dy = runner_.In(out_grad);

    std::vector<T> out(out_grad.size());
    for (int64_t n = 0; n < w.batch; ++n)
      for (int64_t o = 0; o < outputs; ++o)
        for (int64_t p = 0; p < windows; ++p) {
          const int64_t group = o / w.outputs;
          C sum = 0;
          for (int64_t k = 0; k < taps * w.channels; ++k) {
            const auto [tap, c] = layout.Split(k, w.channels);
            const auto pixel = layout.PixelUnder(p, tap);
            if (!pixel) continue;
            const size_t at = layout.ImageAt(n, group * w.channels + c, *pixel, channels, w.in);
            sum = MultiplyAdd(Decode(in[at]),
                              Decode(filter[layout.FilterAt(group, o % w.outputs, c, tap)]), sum);
          }
          const size_t at = layout.ImageAt(n, o, p, outputs, w.out);
          if (has_tail) {
            sum = Plus(sum, Decode(bias[static_cast<size_t>(o)]));
            sum = Plus(sum, Decode(out_grad[at]));  // the addend
            sum = sum < 0 ? 0 : sum > 6 ? 6 : sum;
          }
          out[at] = Encode<T>(sum);
        }
    const Pointer y = runner_.Out<T>(out.size());
    ASSERT_TRUE(RunConv("conv_" + type, ConvLaunch(w), w, y, x, f,
                        has_tail ? runner_.In(bias) : Pointer(), has_tail ? dy : Pointer(),
                        int32_t{has_tail ? 2 : 0}));
    ExpectEqual(y, out, "conv_" + type);

    if constexpr (kIsFloatElement<T>) {
      std::vector<T> in_grad(in.size());
      for (int64_t n = 0; n < w.batch; ++n)
        for (int64_t c = 0; c < channels; ++c)
          for (int64_t p = 0; p < pixels; ++p) {
            const int64_t group = c / w.channels;
            C sum = 0;
            for (int64_t k = 0; k < taps * w.outputs; ++k) {
              const auto [tap, o] = layout.Split(k, w.outputs);
              for (int64_t window = 0; window < windows; ++window) {
                if (layout.PixelUnder(window, tap) != p) continue;
                const size_t at = layout.ImageAt(n, group * w.outputs + o, window, outputs, w.out);
                sum = Fma(Decode(out_grad[at]),
                          Decode(filter[layout.FilterAt(group, o, c % w.channels, tap)]), sum);
              }
            }
            if (has_tail) sum += Decode(in_bias[static_cast<size_t>(c)]);
            in_grad[layout.ImageAt(n, c, p, channels, w.in)] = Encode<T>(sum);
          }
      const Pointer dx = runner_.Out<T>(in.size());
      ASSERT_TRUE(RunConv("conv_input_grad_" + type, ConvInputGradLaunch(w), w, dx, dy, f,
                          has_tail ? runner_.In(in_bias) : Pointer()));
      ExpectEqual(dx, in_grad, "conv_input_grad_" + type);

      // Three parts, whose sums are added in their order.
      const int32_t parts = 3;
      const int64_t depth = w.batch * windows;
      const int64_t part_depth =
          ((depth + kConvDepth - 1) / kConvDepth + parts - 1) / parts * kConvDepth;
      std::vector<T> filter_grad(filter.size());
      for (int64_t o = 0; o < outputs; ++o)
        for (int64_t c = 0; c < w.channels; ++c)
          for (int64_t tap = 0; tap < taps; ++tap) {
            const int64_t group = o / w.outputs;
            C total = 0;
            for (int64_t first = 0; first < parts * part_depth; first += part_depth) {
              C sum = 0;
              for (int64_t k = first; k < std::min(depth, first + part_depth); ++k) {
                const int64_t n = k / windows, window = k % windows;
                const auto pixel = layout.PixelUnder(window, tap);
                if (!pixel) continue;
                sum = Fma(
                    Decode(in[layout.ImageAt(n, group * w.channels + c, *pixel, channels, w.in)]),
                    Decode(out_grad[layout.ImageAt(n, o, window, outputs, w.out)]), sum);
              }
              total += sum;
            }
            filter_grad[layout.FilterAt(group, o % w.outputs, c, tap)] = Encode<T>(total);
          }
      const Pointer sums = runner_.Out<C>(filter.size() * parts),
                    df = runner_.Out<T>(filter.size());
      ASSERT_TRUE(RunConv("conv_filter_grad_" + type, {5, 256}, w, sums, x, dy, parts));
      ASSERT_TRUE(runner_.Run("add_parts_" + type, ThreadsLaunch(w.filter_size()), df, sums, parts,
                              w.filter_size()));
      ExpectEqual(df, filter_grad, "conv_filter_grad_" + type);
    }
    runner_.Clear();
  }

  template <typename T>
  void CheckConvs() {
    for (int32_t last : {0, 1}) {
      // 3 x 3 with stride 2 and uneven padding, in groups.
      CheckConv<T>({.batch = 2,
                    .groups = 2,
                    .channels = 3,
                    .outputs = 5,
                    .in = {1, 7, 8},
                    .out = {1, 4, 4},
                    .taps = {1, 3, 3},
                    .stride = {1, 2, 2},
                    .before = {0, 1, 0},
                    .channels_last = last},
                   true);
    }
  }

  DeviceWindows SomePool(int32_t last) {
    return {.batch = 2,
            .channels = 3,
            .in = {2, 5, 6},
            .out = {1, 3, 4},
            .taps = {2, 3, 2},
            .stride = {1, 2, 1},
            .dilation = {1, 1, 2},
            .before = {0, 1, 1},
            .channels_last = last};
  }

  template <typename T>
  void CheckMaxPool(const DeviceWindows& w, const std::vector<T>& in) {
    using C = Compute<T>;
    const Layout layout(w);
    const int64_t pixels = Layout::Pixels(w.in), windows = Layout::Pixels(w.out);
    const auto out_grad = Numbers<T>(w.batch * w.channels * windows, 7);
    std::vector<T> out(out_grad.size());
    std::vector<C> sums(in.size(), C(0));
    std::vector<i64> places(out.size());
    for (int64_t n = 0; n < w.batch; ++n)
      for (int64_t c = 0; c < w.channels; ++c)
        for (int64_t p = 0; p < windows; ++p) {
          C largest = kIsFloatElement<T> ? C(-INFINITY) : std::numeric_limits<C>::lowest();
          int64_t place = -1;
          for (int64_t tap = 0; tap < Layout::Pixels(w.taps); ++tap) {
            const auto pixel = layout.PixelUnder(p, tap);
            if (!pixel) continue;
            const size_t at = layout.ImageAt(n, c, *pixel, w.channels, w.in);
            const C value = Decode(in[at]);
            if (place < 0 || value > largest || (IsNan(value) && !IsNan(largest))) {
              largest = value;
              place = static_cast<int64_t>(at);
            }
          }
          const size_t at = layout.ImageAt(n, c, p, w.channels, w.out);
          out[at] = Encode<T>(largest);
          places[at] = std::max<int64_t>(place, 0);
          // The first that is not smaller: before a NaN, too.
          for (int64_t tap = 0; tap < Layout::Pixels(w.taps); ++tap) {
            const auto pixel = layout.PixelUnder(p, tap);
            if (!pixel) continue;
            const size_t from = layout.ImageAt(n, c, *pixel, w.channels, w.in);
            if (Decode(in[from]) < largest) continue;
            sums[from] = Plus(sums[from], Decode(out_grad[at]));
            break;
          }
        }
    std::vector<T> in_grad;
    for (C sum : sums) in_grad.push_back(Encode<T>(sum));
    ASSERT_EQ(in.size(), static_cast<size_t>(w.batch * w.channels * pixels));
    const std::string type = TypeName<T>();
    const Pointer x = runner_.In(in), y = runner_.Out<T>(out.size());
    const Pointer at = runner_.Out<i64>(out.size()), dx = runner_.Out<T>(in.size());
    ASSERT_TRUE(RunPool("max_pool_" + type, PoolLaunch(w), w, y, at, x));
    ExpectEqual(y, out, "max_pool_" + type);
    EXPECT_EQ(runner_.Read<i64>(at), places) << type;
    ASSERT_TRUE(RunPool("max_pool_" + type, {1, 256}, w, y, Pointer(), x));
    ExpectEqual(y, out, "max_pool_" + type);
    ASSERT_TRUE(
        RunPool("max_pool_grad_" + type, PoolGradLaunch(w), w, dx, x, y, runner_.In(out_grad)));
    ExpectEqual(dx, in_grad, "max_pool_grad_" + type);
    runner_.Clear();
  }

  template <typename T>
  void CheckAveragePool(const DeviceWindows& w, const SpatialNumbers& after) {
    using C = Compute<T>;
    const Layout layout(w);
    const int64_t pixels = Layout::Pixels(w.in), windows = Layout::Pixels(w.out);
    const auto in = Numbers<T>(w.batch * w.channels * pixels, 8);
    const auto out_grad = Numbers<T>(w.batch * w.channels * windows, 9);
    const std::string type = TypeName<T>();
    const Pointer x = runner_.In(in), dy = runner_.In(out_grad);
    for (bool count_padding : {false, true}) {
      std::vector<T> out(out_grad.size()), norms[3];
      std::vector<C> sums(in.size(), C(0));
      for (auto& each : norms) each.resize(out.size());
      for (int64_t n = 0; n < w.batch; ++n)
        for (int64_t c = 0; c < w.channels; ++c)
          for (int64_t p = 0; p < windows; ++p) {
            C sum = 0, powers[3] = {}, count = 0;
            for (int64_t tap = 0; tap < Layout::Pixels(w.taps); ++tap) {
              const SpatialNumbers o = Layout::PlaceOf(p, w.out), k = Layout::PlaceOf(tap, w.taps);
              bool is_padded_image = true;
              for (size_t d = 0; d < 3; ++d) {
                const int64_t at = int64_t{o[d]} * w.stride[d] - w.before[d] + k[d] * w.dilation[d];
                is_padded_image &= at < w.in[d] + after[d];
              }
              const auto pixel = layout.PixelUnder(p, tap);
              count += count_padding ? is_padded_image : pixel.has_value();
              if (!pixel) continue;
              const C value = Decode(in[layout.ImageAt(n, c, *pixel, w.channels, w.in)]);
              sum += value;
              powers[0] += Abs(value);
              powers[1] += value * value;
              powers[2] += Pow(Abs(value), C(3));
            }
            const size_t at = layout.ImageAt(n, c, p, w.channels, w.out);
            out[at] = Encode<T>(sum / count);
            norms[0][at] = Encode<T>(powers[0]);
            norms[1][at] = Encode<T>(Sqrt(powers[1]));
            norms[2][at] = Encode<T>(Pow(powers[2], 1 / C(3)));
            for (int64_t tap = 0; tap < Layout::Pixels(w.taps); ++tap) {
              const auto pixel = layout.PixelUnder(p, tap);
              if (!pixel) continue;
              sums[layout.ImageAt(n, c, *pixel, w.channels, w.in)] += Decode(out_grad[at]) / count;
            }
          }
      std::vector<T> in_grad;
      for (C sum : sums) in_grad.push_back(Encode<T>(sum));
      const Pointer y = runner_.Out<T>(out.size()), dx = runner_.Out<T>(in.size());
      ASSERT_TRUE(RunPool("average_pool_" + type, PoolLaunch(w), w, y, x, int32_t{count_padding},
                          after[0], after[1], after[2]));
      ExpectEqual(y, out, "average_pool_" + type);
      ASSERT_TRUE(RunPool("average_pool_grad_" + type, PoolGradLaunch(w), w, dx, dy,
                          int32_t{count_padding}, after[0], after[1], after[2]));
      ExpectEqual(dx, in_grad, "average_pool_grad_" + type);
      if (count_padding) continue;
      for (int p : {1, 2, 3}) {
        ASSERT_TRUE(RunPool("lp_pool_" + type, PoolLaunch(w), w, y, x, static_cast<float>(p)));
        ExpectEqual(y, norms[p - 1], "lp_pool_" + type);
      }
    }
    runner_.Clear();
  }
};

TEST_F(WindowKernelsTest, ConvF16) { CheckConvs<f16>(); }
TEST_F(WindowKernelsTest, ConvBf16) { CheckConvs<bf16>(); }
TEST_F(WindowKernelsTest, ConvF32) { CheckConvs<f32>(); }
TEST_F(WindowKernelsTest, ConvF64) { CheckConvs<f64>(); }
TEST_F(WindowKernelsTest, ConvI32) { CheckConvs<i32>(); }

TEST_F(WindowKernelsTest, ConvOfManySizes) {
  for (int32_t last : {0, 1}) {
    // Several tiles in each direction.
    CheckConv<f32>({.channels = 3,
                    .outputs = 67,
                    .in = {1, 9, 9},
                    .out = {1, 9, 9},
                    .taps = {1, 3, 3},
                    .before = {0, 1, 1},
                    .channels_last = last},
                   false);
    // Three dimensions, dilation, and windows of which some lie beside the image.
    CheckConv<f32>({.batch = 2,
                    .channels = 2,
                    .outputs = 3,
                    .in = {3, 4, 5},
                    .out = {2, 3, 4},
                    .taps = {2, 2, 3},
                    .stride = {2, 2, 3},
                    .dilation = {1, 2, 2},
                    .before = {1, 3, 5},
                    .channels_last = last},
                   false);
    // Depthwise, and 1 x 1.
    CheckConv<f32>({.groups = 4,
                    .in = {1, 4, 4},
                    .out = {1, 2, 2},
                    .taps = {1, 2, 2},
                    .stride = {1, 2, 2},
                    .channels_last = last},
                   false);
    CheckConv<f32>({.batch = 3, .channels = 18, .outputs = 4, .channels_last = last}, true);
    // Padding that is cut off.
    CheckConv<f32>({.in = {1, 5, 5},
                    .out = {1, 2, 2},
                    .taps = {1, 2, 2},
                    .before = {0, -1, -2},
                    .channels_last = last},
                   false);
  }
}

// Sums of nothing.
TEST_F(WindowKernelsTest, ConvWithoutChannels) {
  const DeviceWindows w = {.batch = 2, .channels = 0, .outputs = 3};
  const Pointer y = runner_.Out<f32>(6), empty = runner_.In<f32>({});
  ASSERT_TRUE(RunConv("conv_f32", ConvLaunch(w), w, y, empty, empty, runner_.In<f32>({1, 2, 3}),
                      Pointer(), int32_t{0}));
  EXPECT_EQ(runner_.Read<f32>(y), (std::vector<f32>{1, 2, 3, 1, 2, 3}));
}

TEST_F(WindowKernelsTest, MaxPool) {
  for (int32_t last : {0, 1}) {
    const DeviceWindows w = SomePool(last);
    const int64_t size = w.in_pixels() * w.channels;
    CheckMaxPool<f16>(w, Numbers<f16>(size, 1));
    CheckMaxPool<bf16>(w, Numbers<bf16>(size, 1));
    CheckMaxPool<f64>(w, Numbers<f64>(size, 1));
    CheckMaxPool<i32>(w, Numbers<i32>(size, 1));
    CheckMaxPool<i64>(w, Numbers<i64>(size, 1));
    std::vector<f32> in = Numbers<f32>(size, 1);
    for (size_t i = 0; i < in.size(); ++i) {
      in[i] = i % 13 == 5 ? NAN : i % 7 == 3 ? -INFINITY : std::round(in[i]);
    }
    CheckMaxPool<f32>(w, in);
  }
  // Windows beside the image.
  CheckMaxPool<f32>({.in = {1, 2, 2}, .out = {1, 3, 3}, .stride = {1, 2, 2}, .before = {0, 2, 2}},
                    {1, 2, 3, 4});
}

TEST_F(WindowKernelsTest, AveragePool) {
  for (int32_t last : {0, 1}) {
    CheckAveragePool<f16>(SomePool(last), {0, 1, 1});
    CheckAveragePool<bf16>(SomePool(last), {0, 1, 1});
    CheckAveragePool<f32>(SomePool(last), {0, 1, 0});
    CheckAveragePool<f64>(SomePool(last), {0, 1, 1});
  }
}

TEST(LaunchWindowsTest, GridsFollowSizes) {
  // The third stage of a residual network.
  const DeviceWindows w = {.batch = 8,
                           .channels = 256,
                           .outputs = 256,
                           .in = {1, 14, 14},
                           .out = {1, 14, 14},
                           .taps = {1, 3, 3},
                           .before = {0, 1, 1}};
  EXPECT_TRUE(w.fits_conv());
  EXPECT_EQ(ConvLaunch(w), (DeviceLaunch{25 * 4, 256}));
  EXPECT_EQ(ConvInputGradLaunch(w), (DeviceLaunch{25 * 4, 256}));
  EXPECT_EQ(ConvFilterGradParts(w), 3);
  EXPECT_EQ(ConvFilterGradLaunch(w), (DeviceLaunch{36 * 4 * 3, 256}));
  EXPECT_EQ(PoolLaunch(w), (DeviceLaunch{8 * 196, 256}));
  // The first layer has many pixels and a small filter.
  EXPECT_EQ(ConvFilterGradParts({.batch = 32,
                                 .channels = 3,
                                 .outputs = 64,
                                 .in = {1, 224, 224},
                                 .out = {1, 112, 112},
                                 .taps = {1, 7, 7},
                                 .stride = {1, 2, 2},
                                 .before = {0, 3, 3}}),
            128);
  EXPECT_EQ(ConvFilterGradParts({.out = {1, 2, 2}}), 1);
  EXPECT_FALSE((DeviceWindows{.batch = 1 << 20, .out = {1, 64, 64}}.fits_conv()));
  EXPECT_EQ(ConvLaunch({.batch = 0}).blocks, 0u);
}

}  // namespace
}  // namespace tfrt::gpu
