// Images sampled at places between their elements: at those of a grid, and in regions.
#ifndef TFRT_LIB_OPS_MATHS_CPU_SAMPLING_H_
#define TFRT_LIB_OPS_MATHS_CPU_SAMPLING_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "tfrt/support/status.h"

namespace tfrt::cpu {

enum class SampleMode { kNearest, kLinear, kCubic };
enum class SamplePadding { kZeros, kBorder, kReflection };
// "unknown mode 'area'", "unknown padding 'wrap'"
StatusOr<SampleMode> SampleModeOf(std::string_view name);
StatusOr<SamplePadding> SamplePaddingOf(std::string_view name);

// Maps `in` [images,channels,sizes...], grid [images,points,rank] -> out [images,channels,points].
// The last number of a place is along the first of `sizes`. The values -1 and 1 are the ends of a
// dimension: the middle of its outer elements with `align_corners`, their edges without.
struct GridSampleOptions {
  int64_t channels = 1;
  int64_t points = 0;          // of each image
  std::vector<int64_t> sizes;  // none is 0
  SampleMode mode = SampleMode::kLinear;
  SamplePadding padding = SamplePadding::kZeros;
  bool align_corners = false;
};
// Points [begin, end) of all images. For float and double.
template <typename T>
void GridSample(const GridSampleOptions& options, const T* in, const T* grid, T* out, int64_t begin,
                int64_t end);

// in [images,channels,height,width], regions [n,4]: x, y, x, y; out [n,channels,rows,columns], what
// is found at `samples` x `samples` places of each bin of the region.
struct RoiAlignOptions {
  int64_t images = 0, channels = 0, height = 0, width = 0;  // height and width are not 0
  int64_t rows = 1, columns = 1;
  int64_t samples = 0;  // 0: as many as the bin has elements
  double scale = 1;     // from the regions' coordinates to the elements'
  bool half_pixel = true;
  bool max = false;  // not the mean, but the largest part of a sample
};
// True unless a region has more elements, or other ones, than its samples can be counted of.
template <typename T>
bool IsRoi(const RoiAlignOptions& options, const T* region);
// The region, from one image.
template <typename T>
void RoiAlign(const RoiAlignOptions& options, const T* image, const T* region, T* out);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_SAMPLING_H_
