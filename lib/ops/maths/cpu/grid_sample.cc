#include <algorithm>
#include <array>
#include <cmath>

#include "sampling.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::cpu {
namespace {

// A position of one dimension, or of all, with its weight; -1: nowhere, which is 0.
template <typename T>
struct Sample {
  int64_t position;
  T weight;
};

// Mirrored at the borders until it is between them.
double Reflected(double x, double low, double high) {
  const double range = high - low;
  if (!(range > 0)) return low;
  const bool below = x < low;
  if (!below && !(x > high)) return x;
  const double distance = below ? low - x : x - high;
  const double times = std::floor(distance / range), rest = distance - times * range;
  return (std::fmod(times, 2) == 0) == below ? low + rest : high - rest;
}

// An element of a dimension, for a position that may be outside.
int64_t ElementAt(int64_t position, int64_t size, const GridSampleOptions& options) {
  if (position >= 0 && position < size) return position;
  if (options.padding == SamplePadding::kZeros) return -1;
  if (options.padding == SamplePadding::kBorder) return std::clamp<int64_t>(position, 0, size - 1);
  const double edge = options.align_corners ? 0 : 0.5;
  const double at =
      Reflected(static_cast<double>(position), -edge, static_cast<double>(size - 1) + edge);
  return std::clamp<int64_t>(static_cast<int64_t>(at), 0, size - 1);
}

// Sets the samples that a number of the grid takes of a dimension; returns how many.
template <typename T>
size_t SamplesAt(T number, int64_t size, const GridSampleOptions& options,
                 std::array<Sample<T>, 4>& samples) {
  const T length = static_cast<T>(size);
  T x = options.align_corners ? (number + 1) / 2 * (length - 1) : ((number + 1) * length - 1) / 2;
  if (options.mode == SampleMode::kNearest) x = std::nearbyint(x);
  // Farther outside, and at NaN, there is nothing else.
  constexpr T kFar = 1 << 30;
  x = x > -kFar ? std::min(x, length + kFar) : -kFar;
  const double edge = options.align_corners ? 0 : 0.5;
  if (x < -edge || x > length - 1 + edge) {
    if (options.padding == SamplePadding::kBorder) x = std::clamp<T>(x, 0, length - 1);
    if (options.padding == SamplePadding::kReflection) {
      x = static_cast<T>(Reflected(x, -edge, static_cast<double>(size - 1) + edge));
    }
  }
  if (options.mode == SampleMode::kNearest) {
    samples[0] = {ElementAt(static_cast<int64_t>(x), size, options), T(1)};
    return 1;
  }
  const T floor = std::floor(x), t = x - floor;
  const auto left = static_cast<int64_t>(floor);
  if (options.mode == SampleMode::kLinear) {
    samples[0] = {ElementAt(left, size, options), 1 - t};
    samples[1] = {ElementAt(left + 1, size, options), t};
    return 2;
  }
  constexpr T a = T(-0.75);
  auto near = [&](T d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  auto far = [&](T d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  const T weights[] = {far(t + 1), near(t), near(1 - t), far(2 - t)};
  for (int64_t i = 0; i < 4; ++i) {
    samples[static_cast<size_t>(i)] = {ElementAt(left - 1 + i, size, options), weights[i]};
  }
  return 4;
}

}  // namespace

StatusOr<SampleMode> SampleModeOf(std::string_view name) {
  if (name == "nearest") return SampleMode::kNearest;
  if (name == "linear") return SampleMode::kLinear;
  if (name == "cubic") return SampleMode::kCubic;
  return InvalidArgumentError(StrCat("unknown mode '", name, "'"));
}

StatusOr<SamplePadding> SamplePaddingOf(std::string_view name) {
  if (name == "zeros") return SamplePadding::kZeros;
  if (name == "border") return SamplePadding::kBorder;
  if (name == "reflection") return SamplePadding::kReflection;
  return InvalidArgumentError(StrCat("unknown padding '", name, "'"));
}

template <typename T>
void GridSample(const GridSampleOptions& options, const T* in, const T* grid, T* out, int64_t begin,
                int64_t end) {
  const size_t rank = options.sizes.size();
  int64_t image_size = 1;
  for (int64_t size : options.sizes) image_size *= size;
  std::vector<Sample<T>> all, before;
  std::array<Sample<T>, 4> samples;
  for (int64_t i = begin; i < end; ++i) {
    const T* place = grid + i * static_cast<int64_t>(rank);
    all.assign(1, {0, T(1)});
    for (size_t d = 0; d < rank; ++d) {
      const size_t count = SamplesAt(place[rank - 1 - d], options.sizes[d], options, samples);
      std::swap(all, before);
      all.clear();
      for (const Sample<T>& outer : before) {
        for (size_t k = 0; k < count; ++k) {
          if (samples[k].position < 0) continue;
          all.push_back({outer.position * options.sizes[d] + samples[k].position,
                         outer.weight * samples[k].weight});
        }
      }
    }
    const int64_t image = i / options.points, point = i % options.points;
    for (int64_t channel = 0; channel < options.channels; ++channel) {
      const int64_t row = image * options.channels + channel;
      const T* from = in + row * image_size;
      T sum = 0;
      for (const Sample<T>& each : all) sum += each.weight * from[each.position];
      out[row * options.points + point] = sum;
    }
  }
}
template void GridSample(const GridSampleOptions&, const float*, const float*, float*, int64_t,
                         int64_t);
template void GridSample(const GridSampleOptions&, const double*, const double*, double*, int64_t,
                         int64_t);

}  // namespace tfrt::cpu
