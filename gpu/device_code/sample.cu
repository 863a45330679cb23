// Images sampled at places between their elements.
//
//   grid_sample_TYPE(out, in, grid, images, channels, points, size_z, size_y, size_x, rank, mode,
//                    padding, align_corners)
//     in [images,channels,size_z,size_y,size_x], grid [images,points,rank] ->
//     out [images,channels,points]. The first number of a place is along x. Images of rank 1 or 2
//     have sizes of 1 in front. -1 and 1 are the ends of a dimension: the middle of its outer
//     elements with `align_corners`, their edges without. `mode`: 0 nearest, 1 linear, 2 cubic;
//     `padding`: 0 zeros, 1 border, 2 reflection; all i32.
//   roi_align_INDEX_TYPE(out, in, regions, image_of, count, images, channels, height, width, rows,
//                        columns, samples, scale, half_pixel, takes_largest)
//     in [images,channels,height,width], regions [count,4]: x, y, x, y; image_of [count] of i32 or
//     i64 -> out [count,channels,rows,columns]: the mean, or with `takes_largest` (i32) the largest
//     part, of `samples` x `samples` places of each bin; 0: as many as the bin has elements.
//     `scale` (f32) leads from the regions' coordinates to the elements'. Regions that are too
//     large, or of an image that there is not, give zeros.
//
// Sizes are i64.

#include "device_math.h"
#include "dims.h"
#include "element_ops.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"

namespace tfrt::gpu::device {
namespace {

using Element = TFRT_TYPE;
using T = Element;

struct Grid {
  int32_t mode, padding;
  bool align_corners;

  // Mirrored at the borders until it is between them.
  TFRT_DEVICE static f64 Reflected(f64 x, f64 low, f64 high) {
    const f64 range = high - low;
    if (!(range > 0)) return low;
    const bool is_below = x < low;
    if (!is_below && !(x > high)) return x;
    const f64 distance = is_below ? low - x : x - high;
    const f64 times = Floor(distance / range), rest = distance - times * range;
    const bool is_even = times - 2 * Floor(times / 2) == 0;
    return is_even == is_below ? low + rest : high - rest;
  }
  TFRT_DEVICE f64 Edge() const { return align_corners ? 0 : 0.5; }

  // An element of a dimension, for a position that may be outside; -1: zero.
  TFRT_DEVICE int64_t ElementAt(int64_t position, int64_t size) const {
    if (position >= 0 && position < size) return position;
    if (padding == 0) return -1;
    if (padding == 2) {
      position = static_cast<int64_t>(
          Reflected(static_cast<f64>(position), -Edge(), static_cast<f64>(size - 1) + Edge()));
    }
    return position < 0 ? 0 : position < size ? position : size - 1;
  }

  // The place in a dimension for a number of the grid.
  TFRT_DEVICE T PlaceOf(T number, int64_t size) const {
    const T length = static_cast<T>(size);
    T x = align_corners ? (number + 1) / 2 * (length - 1) : ((number + 1) * length - 1) / 2;
    if (mode == 0) x = Round(x);
    // Farther outside, and at NaN, there is nothing else.
    constexpr T kFar = 1 << 30;
    x = x > -kFar ? (x < length + kFar ? x : length + kFar) : -kFar;
    const f64 wide = x;
    if (wide < -Edge() || wide > static_cast<f64>(length - 1) + Edge()) {
      if (padding == 1) x = x < 0 ? T(0) : x < length - 1 ? x : length - 1;
      if (padding == 2) {
        x = static_cast<T>(Reflected(x, -Edge(), static_cast<f64>(size - 1) + Edge()));
      }
    }
    return x;
  }
};

// The samples along one dimension.
struct Samples {
  int64_t first;  // the position of the first one
  T rest;         // how far the place is from the position at or before it

  TFRT_DEVICE static int Count(const Grid& grid) { return grid.mode == 0 ? 1 : 2 * grid.mode; }
  TFRT_DEVICE static Samples At(T number, int64_t size, const Grid& grid) {
    const T x = grid.PlaceOf(number, size), floor = Floor(x);
    return {static_cast<int64_t>(floor) - (grid.mode == 2 ? 1 : 0), x - floor};
  }
  TFRT_DEVICE T Weight(int k, const Grid& grid) const {
    if (grid.mode == 0) return 1;
    if (grid.mode == 1) return k == 0 ? 1 - rest : rest;
    constexpr T a = T(-0.75);
    const T d = k == 0 ? rest + 1 : k == 1 ? rest : k == 2 ? 1 - rest : 2 - rest;
    if (k == 1 || k == 2) return ((a + 2) * d - (a + 3)) * d * d + 1;
    return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  }
};

// --- Regions.

// Where a region lies among the elements, and how it is cut into bins.
struct Bins {
  T x, y, width, height;
  T rows, columns;  // of samples in a bin

  TFRT_DEVICE Bins(const T* region, int64_t of_rows, int64_t of_columns, int64_t samples, T scale,
                   bool half_pixel) {
    const T offset = half_pixel ? T(0.5) : T(0);
    x = region[0] * scale - offset;
    y = region[1] * scale - offset;
    T wide = region[2] * scale - offset - x, high = region[3] * scale - offset - y;
    if (!half_pixel) {
      // No smaller than one element.
      wide = wide < 1 ? T(1) : wide;
      high = high < 1 ? T(1) : high;
    }
    width = wide / static_cast<T>(of_columns);
    height = high / static_cast<T>(of_rows);
    columns = samples > 0 ? static_cast<T>(samples) : -Floor(-width);
    rows = samples > 0 ? static_cast<T>(samples) : -Floor(-height);
  }
  TFRT_DEVICE bool IsSmall() const {
    constexpr T kMost = 1 << 14;  // samples along a side of a bin
    return rows <= kMost && columns <= kMost && x - x == 0 && y - y == 0;
  }
};

// The elements at or before a place and after it, and how far it is from the former.
struct Neighbours {
  int64_t low, high;
  T rest;

  TFRT_DEVICE static Neighbours Of(T place, int64_t size) {
    place = place < 0 ? T(0) : place;
    int64_t low = static_cast<int64_t>(place);
    low = low < size - 1 ? low : size - 1;
    const int64_t high = low + 1 < size ? low + 1 : low;
    return {low, high, high == low ? T(0) : place - static_cast<T>(low)};
  }
};

template <typename Index>
TFRT_DEVICE void AlignRegions(T* out, const T* in, const T* regions, const Index* image_of,
                              int64_t count, int64_t images, int64_t channels, int64_t height,
                              int64_t width, int64_t rows, int64_t columns, int64_t samples,
                              f32 scale, bool half_pixel, bool takes_largest) {
  ForEachPlaceAtOnce(
      Dims<4>{count, channels, rows, columns}, [=](int64_t at, const Dims<4>& place) {
        const int64_t image = image_of[place.at[0]];
        const Bins bins(regions + 4 * place.at[0], rows, columns, samples, scale, half_pixel);
        if (image < 0 || image >= images || !bins.IsSmall()) {
          out[at] = 0;
          return;
        }
        const T* from = in + (image * channels + place.at[1]) * height * width;
        const T y = bins.y + static_cast<T>(place.at[2]) * bins.height;
        const T x = bins.x + static_cast<T>(place.at[3]) * bins.width;
        const auto down = static_cast<int64_t>(bins.rows < 0 ? T(0) : bins.rows);
        const auto across = static_cast<int64_t>(bins.columns < 0 ? T(0) : bins.columns);
        T sum = 0, largest = 0;
        bool is_first = true;
        auto take = [&](T part, bool is_first_part) {
          sum += part;
          if (is_first_part || part > largest) largest = part;
        };
        for (int64_t i = 0; i < down; ++i) {
          const T at_y = y + (static_cast<T>(i) + T(0.5)) * bins.height / static_cast<T>(down);
          for (int64_t j = 0; j < across; ++j) {
            const T at_x = x + (static_cast<T>(j) + T(0.5)) * bins.width / static_cast<T>(across);
            const bool is_inside = at_y >= -1 && at_y <= static_cast<T>(height) && at_x >= -1 &&
                                   at_x <= static_cast<T>(width);
            const Neighbours v = Neighbours::Of(is_inside ? at_y : T(0), height);
            const Neighbours h = Neighbours::Of(is_inside ? at_x : T(0), width);
            const T top = is_inside ? 1 - v.rest : T(0), bottom = is_inside ? v.rest : T(0);
            take(top * (1 - h.rest) * from[is_inside ? v.low * width + h.low : 0], is_first);
            take(top * h.rest * from[is_inside ? v.low * width + h.high : 0], false);
            take(bottom * (1 - h.rest) * from[is_inside ? v.high * width + h.low : 0], false);
            take(bottom * h.rest * from[is_inside ? v.high * width + h.high : 0], false);
            is_first = false;
          }
        }
        const int64_t number = down * across;
        out[at] = takes_largest ? largest : sum / static_cast<T>(number < 1 ? 1 : number);
      });
}

}  // namespace

__attribute__((launch_bounds(kBlockThreads, 1))) TFRT_KERNEL TFRT_ENTRY(grid_sample)(
    Element* out, const Element* in, const Element* grid, int64_t images, int64_t channels,
    int64_t points, int64_t size_z, int64_t size_y, int64_t size_x, int32_t rank, int32_t mode,
    int32_t padding, int32_t align_corners) {
  const Grid how = {mode, padding, align_corners != 0};
  const int count = Samples::Count(how);
  ForEachPlaceAtOnce(Dims<2>{images, points}, [=](int64_t i, const Dims<2>& place) {
    const T* numbers = grid + i * rank;
    const Samples xs = Samples::At(numbers[0], size_x, how);
    const Samples ys = rank > 1 ? Samples::At(numbers[1], size_y, how) : Samples{0, 0};
    const Samples zs = rank > 2 ? Samples::At(numbers[2], size_z, how) : Samples{0, 0};
    for (int64_t channel = 0; channel < channels; ++channel) {
      const int64_t row = place.at[0] * channels + channel;
      const T* from = in + row * size_z * size_y * size_x;
      T sum = 0;
#pragma unroll 1
      for (int z = 0; z < (rank > 2 ? count : 1); ++z) {
        const int64_t at_z = rank > 2 ? how.ElementAt(zs.first + z, size_z) : 0;
        const T weight_z = rank > 2 ? zs.Weight(z, how) : T(1);
#pragma unroll 1
        for (int y = 0; at_z >= 0 && y < (rank > 1 ? count : 1); ++y) {
          const int64_t at_y = rank > 1 ? how.ElementAt(ys.first + y, size_y) : 0;
          const T weight_y = rank > 1 ? weight_z * ys.Weight(y, how) : weight_z;
#pragma unroll 1
          for (int x = 0; at_y >= 0 && x < count; ++x) {
            const int64_t at_x = how.ElementAt(xs.first + x, size_x);
            if (at_x < 0) continue;
            sum += weight_y * xs.Weight(x, how) * from[(at_z * size_y + at_y) * size_x + at_x];
          }
        }
      }
      out[row * points + place.at[1]] = sum;
    }
  });
}

#define TFRT_ROI_ALIGN(Index)                                                              \
  TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(roi_align_##Index)(                                   \
      Element * out, const Element* in, const Element* regions, const Index* image_of,     \
      int64_t count, int64_t images, int64_t channels, int64_t height, int64_t width,      \
      int64_t rows, int64_t columns, int64_t samples, f32 scale, int32_t half_pixel,       \
      int32_t takes_largest) {                                                             \
    AlignRegions(out, in, regions, image_of, count, images, channels, height, width, rows, \
                 columns, samples, scale, half_pixel != 0, takes_largest != 0);            \
  }
TFRT_ROI_ALIGN(i32)
TFRT_ROI_ALIGN(i64)

}  // namespace tfrt::gpu::device
