#include <algorithm>
#include <array>
#include <cmath>

#include "sampling.h"

namespace tfrt::cpu {
namespace {

// Four neighbours of a place, with their weights.
template <typename T>
struct Corners {
  std::array<int64_t, 4> positions;
  std::array<T, 4> weights;
};

// Where a region lies among the elements, and how it is cut into bins.
template <typename T>
struct Bins {
  Bins(const RoiAlignOptions& options, const T* region) {
    const T offset = options.half_pixel ? T(0.5) : T(0), scale = static_cast<T>(options.scale);
    x = region[0] * scale - offset;
    y = region[1] * scale - offset;
    T wide = region[2] * scale - offset - x, high = region[3] * scale - offset - y;
    if (!options.half_pixel) {
      // No smaller than one element.
      wide = std::max(wide, T(1));
      high = std::max(high, T(1));
    }
    width = wide / static_cast<T>(options.columns);
    height = high / static_cast<T>(options.rows);
    const auto given = static_cast<T>(options.samples);
    columns = options.samples > 0 ? given : std::ceil(width);
    rows = options.samples > 0 ? given : std::ceil(height);
  }
  T x, y, width, height;
  T columns, rows;  // of samples in a bin
};

template <typename T>
Corners<T> CornersAt(const RoiAlignOptions& options, T y, T x) {
  if (!(y >= -1 && y <= static_cast<T>(options.height) && x >= -1 &&
        x <= static_cast<T>(options.width))) {
    return {{}, {}};
  }
  // The element at or before the place, the next one, and how far between them.
  auto split = [](T place, int64_t size, int64_t& low, int64_t& high) {
    place = std::max(place, T(0));
    low = std::min(static_cast<int64_t>(place), size - 1);
    high = std::min(low + 1, size - 1);
    return high == low ? T(0) : place - static_cast<T>(low);
  };
  int64_t top, bottom, left, right;
  const T dy = split(y, options.height, top, bottom), dx = split(x, options.width, left, right);
  return {{top * options.width + left, top * options.width + right, bottom * options.width + left,
           bottom * options.width + right},
          {(1 - dy) * (1 - dx), (1 - dy) * dx, dy * (1 - dx), dy * dx}};
}

}  // namespace

template <typename T>
bool IsRoi(const RoiAlignOptions& options, const T* region) {
  const Bins<T> bins(options, region);
  constexpr T kMost = 1 << 18;  // samples of a bin: 12 MB
  return std::max(bins.rows, T(1)) * std::max(bins.columns, T(1)) <= kMost &&
         std::isfinite(bins.x) && std::isfinite(bins.y);
}

template <typename T>
void RoiAlign(const RoiAlignOptions& options, const T* image, const T* region, T* out) {
  const Bins<T> bins(options, region);
  const auto rows = static_cast<int64_t>(std::max(bins.rows, T(0)));
  const auto columns = static_cast<int64_t>(std::max(bins.columns, T(0)));
  const int64_t image_size = options.height * options.width;
  const int64_t num_bins = options.rows * options.columns;
  std::vector<Corners<T>> samples;
  for (int64_t bin = 0; bin < num_bins; ++bin) {
    // NOLINTNEXTLINE: the row of the bin is a whole number
    const T y = bins.y + static_cast<T>(bin / options.columns) * bins.height;
    const T x = bins.x + static_cast<T>(bin % options.columns) * bins.width;
    samples.clear();
    for (int64_t i = 0; i < rows; ++i) {
      const T at_y = y + (static_cast<T>(i) + T(0.5)) * bins.height / static_cast<T>(rows);
      for (int64_t j = 0; j < columns; ++j) {
        const T at_x = x + (static_cast<T>(j) + T(0.5)) * bins.width / static_cast<T>(columns);
        samples.push_back(CornersAt(options, at_y, at_x));
      }
    }
    for (int64_t channel = 0; channel < options.channels; ++channel) {
      const T* from = image + channel * image_size;
      T sum = 0, largest = 0;
      bool is_first = true;
      for (const Corners<T>& corners : samples) {
        T best = corners.weights[0] * from[corners.positions[0]];
        sum += best;
        for (size_t k = 1; k < 4; ++k) {
          const T part = corners.weights[k] * from[corners.positions[k]];
          sum += part;
          best = std::max(best, part);
        }
        largest = is_first ? best : std::max(largest, best);
        is_first = false;
      }
      const auto count = static_cast<T>(std::max<size_t>(samples.size(), 1));
      out[channel * num_bins + bin] = options.max ? largest : sum / count;
    }
  }
}

#define TFRT_INSTANTIATE(T)                              \
  template bool IsRoi(const RoiAlignOptions&, const T*); \
  template void RoiAlign(const RoiAlignOptions&, const T*, const T*, T*);
TFRT_INSTANTIATE(float)
TFRT_INSTANTIATE(double)
#undef TFRT_INSTANTIATE

}  // namespace tfrt::cpu
