// Resizing, samples of images, and images made of blocks, as PTX, against the host's kernels.

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_code/element.h"
#include "gpu/device_code/launch_blocks.h"
#include "gtest/gtest.h"
#include "host_types.h"
#include "kernel_runner.h"
#include "lib/ops/maths/cpu/resize.h"
#include "lib/ops/maths/cpu/sampling.h"
#include "lib/ops/maths/cpu/slices.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of types
using cpu::ResizeCoordinates;
using cpu::ResizeMode;
using cpu::ResizeNearest;

class SampleKernelsTest : public KernelTest {
 protected:
  template <typename T>
  std::vector<T> Numbers(int64_t count, double largest = 4) {
    std::uniform_real_distribution<double> some(-largest, largest);
    std::vector<T> elements;
    for (int64_t i = 0; i < count; ++i) {
      const double x = some(random_);
      elements.push_back(Cast<T>(kIsFloatElement<T> ? x : std::round(100 * x)));
    }
    return elements;
  }
  template <typename T>
  void ExpectNear(const std::vector<T>& results, const std::vector<T>& expected) {
    ASSERT_EQ(results.size(), expected.size());
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_LE(std::fabs(results[i] - expected[i]),
                std::ldexp(std::fmax(std::fabs(expected[i]), T(1)), 6 - kFormatOf<T>.digits))
          << i << ": " << results[i] << ", not " << expected[i];
    }
  }

  static std::vector<cpu::ResizeDim> SomeDims() {
    return {{5, 9, 9.0 / 5},
            {9, 4, 4.0 / 9},
            {5, 3, 0.6f, true},
            {4, 7, 1.7f, true, -0.25f, 1.25f},
            {6, 1, 1.0 / 6, false, 0.25f, 0.75f},
            {1, 4, 4}};
  }

  template <typename T>
  void CheckTaps(const cpu::ResizeDim& dim, const cpu::ResizeOptions& options) {
    const cpu::Taps<T> expected(dim, options);
    const bool is_cubic = options.mode == ResizeMode::kCubic;
    const double stretch = options.antialias ? std::min(dim.scale, 1.0) : 1;
    const auto count = static_cast<size_t>(expected.count * dim.out_size);
    const Pointer positions = runner_.Out<i64>(count), weights = runner_.Out<T>(count);
    ASSERT_TRUE(runner_.Run("resize_taps_" + TypeName<T>(), ThreadsLaunch(dim.out_size), positions,
                            weights, dim.in_size, dim.out_size, expected.count, dim.scale,
                            int32_t{dim.is_scaled}, dim.begin, dim.end,
                            static_cast<int32_t>(options.coordinates), int32_t{is_cubic},
                            options.cubic_coefficient, stretch, int32_t{options.exclude_outside},
                            int32_t{options.antialias || options.exclude_outside}));
    const std::vector<i64> at = runner_.Read<i64>(positions);
    EXPECT_EQ(at, std::vector<i64>(expected.positions.begin(), expected.positions.end()));
    ExpectNear(runner_.Read<T>(weights), expected.weights);

    // Weighted sums of three rows, four elements of which stay together.
    const int64_t outer = 3, inner = 4;
    const std::vector<T> in = Numbers<T>(outer * dim.in_size * inner);
    std::vector<T> sums(static_cast<size_t>(outer * dim.out_size * inner));
    for (int64_t i = 0; i < outer * dim.out_size * inner; ++i) {
      const int64_t row = i / inner / dim.out_size, x = i / inner % dim.out_size;
      T sum = 0;
      for (int64_t k = x * expected.count; k < (x + 1) * expected.count; ++k) {
        const auto tap = static_cast<size_t>(k);
        if (at[tap] < 0) continue;
        sum += expected.weights[tap] *
               in[static_cast<size_t>((row * dim.in_size + at[tap]) * inner + i % inner)];
      }
      const bool is_outside = at[static_cast<size_t>(x * expected.count)] < 0;
      sums[static_cast<size_t>(i)] = is_outside ? T(-3) : sum;
    }
    const Pointer out = runner_.Out<T>(sums.size());
    ASSERT_TRUE(runner_.Run("resize_" + TypeName<T>(), ThreadsLaunch(outer * dim.out_size * inner),
                            out, runner_.In(in), positions, weights, outer, dim.in_size,
                            dim.out_size, inner, expected.count, T(-3)));
    ExpectNear(runner_.Read<T>(out), sums);
    runner_.Clear();
  }

  template <typename T>
  void CheckGrid() {
    for (auto mode :
         {cpu::SampleMode::kNearest, cpu::SampleMode::kLinear, cpu::SampleMode::kCubic}) {
      for (auto padding : {cpu::SamplePadding::kZeros, cpu::SamplePadding::kBorder,
                           cpu::SamplePadding::kReflection}) {
        for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{5}, {4, 3}, {2, 1, 3}}) {
          const cpu::GridSampleOptions options = {
              3, 37, sizes, mode, padding, padding == cpu::SamplePadding::kBorder};
          const auto rank = static_cast<int32_t>(sizes.size());
          int64_t size = 1, all[3] = {1, 1, 1};
          for (size_t i = 0; i < sizes.size(); ++i) {
            size *= sizes[i];
            all[3 - sizes.size() + i] = sizes[i];
          }
          const int64_t images = 2;
          const std::vector<T> in = Numbers<T>(images * options.channels * size);
          std::vector<T> grid = Numbers<T>(images * options.points * rank, 2);
          grid[0] = std::nan("");
          std::vector<T> expected(static_cast<size_t>(images * options.channels * options.points));
          cpu::GridSample(options, in.data(), grid.data(), expected.data(), 0,
                          images * options.points);
          const Pointer out = runner_.Out<T>(expected.size());
          ASSERT_TRUE(runner_.Run("grid_sample_" + TypeName<T>(),
                                  ThreadsLaunch(images * options.points), out, runner_.In(in),
                                  runner_.In(grid), images, options.channels, options.points,
                                  all[0], all[1], all[2], rank, static_cast<int32_t>(mode),
                                  static_cast<int32_t>(padding), int32_t{options.align_corners}));
          ExpectNear(runner_.Read<T>(out), expected);
          runner_.Clear();
        }
      }
    }
  }

  template <typename T, typename Index>
  void CheckRegions() {
    const int64_t count = 9;
    std::vector<T> regions;
    std::vector<Index> image_of;
    for (int64_t i = 0; i < count; ++i) {
      const T x = static_cast<T>(i) - 2, y = static_cast<T>(i % 3);
      regions.insert(regions.end(), {x, y, x + static_cast<T>(i), y + 3});
      image_of.push_back(static_cast<Index>(i % 2));
    }
    image_of[4] = 2;        // there is no such image
    regions[4 * 5] = 1e30;  // no such place
    for (bool takes_largest : {false, true}) {
      for (int64_t samples : {0, 3}) {
        const cpu::RoiAlignOptions options = {
            2, 3, 6, 5, 2, 3, samples, 0.5, samples == 0, takes_largest};
        const std::vector<T> in = Numbers<T>(2 * 3 * 6 * 5);
        std::vector<T> expected(static_cast<size_t>(count * 3 * 2 * 3));
        for (int64_t i = 0; i < count; ++i) {
          if (i == 4 || i == 5) continue;
          cpu::RoiAlign(options, in.data() + image_of[static_cast<size_t>(i)] * 3 * 6 * 5,
                        regions.data() + 4 * i, expected.data() + i * 18);
        }
        const Pointer out = runner_.Out<T>(expected.size());
        ASSERT_TRUE(runner_.Run(
            "roi_align_" + TypeName<Index>() + "_" + TypeName<T>(),
            ThreadsLaunch(static_cast<int64_t>(expected.size())), out, runner_.In(in),
            runner_.In(regions), runner_.In(image_of), count, options.images, options.channels,
            options.height, options.width, options.rows, options.columns, options.samples,
            static_cast<f32>(options.scale), int32_t{options.half_pixel}, int32_t{options.max}));
        ExpectNear(runner_.Read<T>(out), expected);
      }
    }
    runner_.Clear();
  }

  template <typename T>
  void CheckBlocks() {
    const std::vector<cpu::BlockDim> dims = {
        {3, 2, 2, 1, 1, 0}, {5, 2, 3, 2, 3, 1}, {6, 3, 4, 1, 1, 0}};
    const int64_t rows = 3;
    const std::vector<T> in = Numbers<T>(rows * 2 * 2 * 3 * 2 * 3 * 4);
    std::vector<HostType<T>> expected(static_cast<size_t>(rows * 3 * 5 * 6));
    ASSERT_TRUE(cpu::AddBlocks(dims, HostDType<T>(), ToHost(in).data(), expected.data(), 0, rows));
    const Pointer out = runner_.Out<T>(expected.size());
    ASSERT_TRUE(runner_.Run(
        "add_blocks_" + TypeName<T>(), ThreadsLaunch(static_cast<int64_t>(expected.size())), out,
        runner_.In(in), rows, 3, 5, 6, 2, 2, 3, 2, 3, 4, 1, 2, 1, 1, 3, 1, 0, 1, 0));
    const std::vector<T> results = runner_.Read<T>(out), exact = ToDevice<T>(expected);
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_TRUE(IsSame(results[i], exact[i])) << TypeName<T>() << " at " << i;
    }
    runner_.Clear();
  }

  template <typename T>
  void CheckPick(const std::string& width) {
    const std::vector<T> in = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const Pointer out = runner_.Out<T>(16);
    ASSERT_TRUE(runner_.Run("pick_" + width, ThreadsLaunch(16), out, runner_.In(in),
                            runner_.In(std::vector<i64>{2, -1, 0, 2}), int64_t{2}, int64_t{3},
                            int64_t{4}, int64_t{2}, T(77)));
    EXPECT_EQ(runner_.Read<T>(out),
              (std::vector<T>{5, 6, 77, 77, 1, 2, 5, 6, 11, 12, 77, 77, 7, 8, 11, 12}));
  }

  static constexpr ResizeCoordinates kAllCoordinates[] = {
      ResizeCoordinates::kHalfPixel,        ResizeCoordinates::kHalfPixelSymmetric,
      ResizeCoordinates::kPytorchHalfPixel, ResizeCoordinates::kAlignCorners,
      ResizeCoordinates::kAsymmetric,       ResizeCoordinates::kHalfPixelForNearest,
      ResizeCoordinates::kCropAndResize};
  std::mt19937_64 random_{1};
};

TEST_F(SampleKernelsTest, ResizeNearest) {
  for (const cpu::ResizeDim& dim : SomeDims()) {
    for (ResizeCoordinates coordinates : kAllCoordinates) {
      for (auto nearest : {ResizeNearest::kRoundPreferFloor, ResizeNearest::kRoundPreferCeil,
                           ResizeNearest::kFloor, ResizeNearest::kCeil}) {
        const cpu::ResizeOptions options = {
            .mode = ResizeMode::kNearest, .coordinates = coordinates, .nearest = nearest};
        std::vector<i64> expected;
        for (const auto& piece : cpu::NearestPositions(dim, options).pieces) {
          for (int64_t i = 0; i < piece.count; ++i) {
            expected.push_back(piece.from < 0 ? -1 : piece.from + i * piece.step);
          }
        }
        const Pointer positions = runner_.Out<i64>(static_cast<size_t>(dim.out_size));
        ASSERT_TRUE(runner_.Run("resize_nearest", ThreadsLaunch(dim.out_size), positions,
                                dim.in_size, dim.out_size, dim.scale, int32_t{dim.is_scaled},
                                dim.begin, dim.end, static_cast<int32_t>(coordinates),
                                static_cast<int32_t>(nearest)));
        EXPECT_EQ(runner_.Read<i64>(positions), expected);
      }
    }
  }
}

TEST_F(SampleKernelsTest, Resize) {
  for (const cpu::ResizeDim& dim : SomeDims()) {
    for (ResizeCoordinates coordinates : kAllCoordinates) {
      for (ResizeMode mode : {ResizeMode::kLinear, ResizeMode::kCubic}) {
        for (bool antialias : {false, true}) {
          const cpu::ResizeOptions options = {.mode = mode,
                                              .coordinates = coordinates,
                                              .cubic_coefficient = -0.5f,
                                              .antialias = antialias,
                                              .exclude_outside = dim.is_scaled};
          CheckTaps<f32>(dim, options);
          CheckTaps<f64>(dim, options);
        }
      }
    }
  }
}

TEST_F(SampleKernelsTest, Pick) {
  CheckPick<uint8_t>("b8");
  CheckPick<uint16_t>("b16");
  CheckPick<uint32_t>("b32");
  CheckPick<uint64_t>("b64");
}

TEST_F(SampleKernelsTest, GridSample) {
  CheckGrid<f32>();
  CheckGrid<f64>();
}

TEST_F(SampleKernelsTest, RoiAlign) {
  CheckRegions<f32, i32>();
  CheckRegions<f32, i64>();
  CheckRegions<f64, i32>();
  CheckRegions<f64, i64>();
}

TEST_F(SampleKernelsTest, AddBlocks) {
  CheckBlocks<f16>();
  CheckBlocks<bf16>();
  CheckBlocks<f32>();
  CheckBlocks<f64>();
  CheckBlocks<i32>();
  CheckBlocks<i64>();
}

}  // namespace
}  // namespace tfrt::gpu
