// Where the positions of a resized dimension lie, and what they are made of.

#include <algorithm>
#include <cmath>
#include <utility>

#include "resize.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::cpu {
namespace {

template <typename Enum, size_t n>
StatusOr<Enum> Named(std::string_view what, std::string_view name,
                     const std::pair<std::string_view, Enum> (&known)[n]) {
  for (const auto& [text, value] : known) {
    if (text == name) return value;
  }
  return InvalidArgumentError(StrCat("unknown ", what, " '", name, "'"));
}

// The place in the input of position x of the output.
template <typename F>
F PlaceOf(const ResizeDim& dim, ResizeCoordinates coordinates, int64_t position) {
  const F x = static_cast<F>(position), scale = static_cast<F>(dim.scale);
  const F in_size = static_cast<F>(dim.in_size), out_size = static_cast<F>(dim.out_size);
  // The size by the scale, before it is rounded.
  const F exact_size = dim.is_scaled ? scale * in_size : out_size;
  const F half = F(0.5);
  switch (coordinates) {
    case ResizeCoordinates::kHalfPixel:
      return (x + half) / scale - half;
    case ResizeCoordinates::kHalfPixelSymmetric: {
      const F adjustment = out_size / exact_size;
      return in_size / 2 * (1 - adjustment) + (x + half) / scale - half;
    }
    case ResizeCoordinates::kPytorchHalfPixel:
      return dim.out_size > 1 ? (x + half) / scale - half : F(0);
    case ResizeCoordinates::kAlignCorners:
      return exact_size == 1 ? F(0) : x * (in_size - 1) / (exact_size - 1);
    case ResizeCoordinates::kAsymmetric:
      return x / scale;
    case ResizeCoordinates::kHalfPixelForNearest:
      return (x + half) / scale;
    case ResizeCoordinates::kCropAndResize: {
      const F begin = dim.begin, end = dim.end;
      if (dim.out_size == 1) return half * (begin + end) * (in_size - 1);
      return begin * (in_size - 1) + x * (end - begin) * (in_size - 1) / (out_size - 1);
    }
  }
  return F(0);
}

double PlaceOf(const ResizeDim& dim, ResizeCoordinates coordinates, int64_t position) {
  // 0.6f is above 0.6, and a place that is an integer must not fall below it: 32 bits round it
  // back.
  const bool divides = coordinates != ResizeCoordinates::kAlignCorners &&
                       coordinates != ResizeCoordinates::kCropAndResize;
  return dim.is_scaled && divides ? static_cast<double>(PlaceOf<float>(dim, coordinates, position))
                                  : PlaceOf<double>(dim, coordinates, position);
}

bool IsOutside(const ResizeDim& dim, const ResizeOptions& options, double place) {
  // NaN, of a region that is NaN, too.
  return options.coordinates == ResizeCoordinates::kCropAndResize &&
         !(place >= 0 && place <= static_cast<double>(dim.in_size - 1));
}

// A place between positions `left` and left + 1, or on the latter: 0 < ratio <= 1.
struct Between {
  explicit Between(const ResizeDim& dim, double place) {
    // Far outside nothing changes any more; NaN, of scales that are almost 0, is there, too.
    constexpr double kFar = 0x1p52;
    place = place > -kFar ? std::min(place, static_cast<double>(dim.in_size) + kFar) : -kFar;
    left = static_cast<int64_t>(std::ceil(place)) - 1;
    ratio = place - static_cast<double>(left);
  }
  int64_t left;
  double ratio;
};

double CubicWeight(double distance, double a) {
  const double x = std::abs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

}  // namespace

StatusOr<ResizeMode> ResizeModeOf(std::string_view name) {
  return Named<ResizeMode>("mode", name,
                           {{"nearest", ResizeMode::kNearest},
                            {"linear", ResizeMode::kLinear},
                            {"cubic", ResizeMode::kCubic}});
}

StatusOr<ResizeCoordinates> ResizeCoordinatesOf(std::string_view name) {
  using enum ResizeCoordinates;
  return Named<ResizeCoordinates>("coordinates", name,
                                  {{"half_pixel", kHalfPixel},
                                   {"half_pixel_symmetric", kHalfPixelSymmetric},
                                   {"pytorch_half_pixel", kPytorchHalfPixel},
                                   {"align_corners", kAlignCorners},
                                   {"asymmetric", kAsymmetric},
                                   {"tf_half_pixel_for_nn", kHalfPixelForNearest},
                                   {"tf_crop_and_resize", kCropAndResize}});
}

StatusOr<ResizeNearest> ResizeNearestOf(std::string_view name) {
  using enum ResizeNearest;
  return Named<ResizeNearest>("rounding", name,
                              {{"round_prefer_floor", kRoundPreferFloor},
                               {"round_prefer_ceil", kRoundPreferCeil},
                               {"floor", kFloor},
                               {"ceil", kCeil}});
}

PickedDim NearestPositions(const ResizeDim& dim, const ResizeOptions& options) {
  PickedDim positions;
  if (dim.is_whole(options)) {
    positions.Add({0, dim.in_size, 1});
    return positions;
  }
  for (int64_t x = 0; x < dim.out_size; ++x) {
    const double place = PlaceOf(dim, options.coordinates, x);
    if (IsOutside(dim, options, place)) {
      positions.Add({PickedDim::kNowhere, 1, 0});
      continue;
    }
    const Between between(dim, place);
    bool is_right = between.ratio == 1;
    switch (options.nearest) {
      case ResizeNearest::kRoundPreferFloor:
        is_right = is_right || between.ratio > 0.5;
        break;
      case ResizeNearest::kRoundPreferCeil:
        is_right = is_right || between.ratio >= 0.5;
        break;
      case ResizeNearest::kFloor:
        break;
      case ResizeNearest::kCeil:
        is_right = true;
        break;
    }
    positions.Add(std::clamp<int64_t>(between.left + is_right, 0, dim.in_size - 1));
  }
  return positions;
}

template <typename T>
Taps<T>::Taps(const ResizeDim& dim, const ResizeOptions& options) {
  // Where a smaller size is made, `antialias` stretches the weights over what becomes one position.
  const double stretch = options.antialias ? std::min(dim.scale, 1.0) : 1.0;
  const int64_t reach = options.mode == ResizeMode::kLinear ? 1 : 2;
  // No wider than the input twice: farther taps only repeat its ends.
  const double width = std::min(std::ceil(static_cast<double>(reach) / stretch),
                                2.0 * static_cast<double>(dim.in_size) + 2);
  const auto half = static_cast<int64_t>(width);
  count = 2 * half;
  positions.reserve(static_cast<size_t>(count * dim.out_size));
  weights.reserve(positions.capacity());
  std::vector<double> exact(static_cast<size_t>(count));
  for (int64_t x = 0; x < dim.out_size; ++x) {
    const double place = PlaceOf(dim, options.coordinates, x);
    if (IsOutside(dim, options, place)) {
      positions.insert(positions.end(), static_cast<size_t>(count), -1);
      weights.insert(weights.end(), static_cast<size_t>(count), T(0));
      continue;
    }
    const Between between(dim, place);
    double sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t offset = i + 1 - half, position = between.left + offset;
      const double distance = (static_cast<double>(offset) - between.ratio) * stretch;
      double weight = options.mode == ResizeMode::kLinear
                          ? std::max(0.0, 1 - std::abs(distance))
                          : CubicWeight(distance, options.cubic_coefficient);
      if (options.exclude_outside && (position < 0 || position >= dim.in_size)) weight = 0;
      exact[static_cast<size_t>(i)] = weight;
      sum += weight;
      positions.push_back(std::clamp<int64_t>(position, 0, dim.in_size - 1));
    }
    const bool normalize = options.antialias || options.exclude_outside;
    for (double weight : exact)
      weights.push_back(static_cast<T>(normalize ? weight / sum : weight));
  }
}

template struct Taps<float>;
template struct Taps<double>;

}  // namespace tfrt::cpu
