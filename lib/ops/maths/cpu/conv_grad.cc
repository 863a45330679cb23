#include "conv_grad.h"

#include <algorithm>

#include "gemm.h"
#include "isa_clones.h"

namespace tfrt::cpu {
namespace {

constexpr int64_t kPatchFloats = 32 * 1024;       // of patches at a time: they stay in the cache
constexpr int64_t kMaxBlocks = 16;                // more threads than that gain nothing
constexpr int64_t kPartFloats = 8 * 1024 * 1024;  // of all parts of a filter gradient together

int64_t PatchSize(const Conv2dGeometry& conv) {
  return conv.window.rows.filter * conv.window.columns.filter * conv.input_channels;
}
int64_t FilterSize(const Conv2dGeometry& conv) { return PatchSize(conv) * conv.output_channels; }
int64_t PositionsPerImage(const Conv2dGeometry& conv) {
  return conv.window.rows.output * conv.window.columns.output;
}
int64_t ImageSize(const Conv2dGeometry& conv) {
  return conv.window.rows.input * conv.window.columns.input * conv.input_channels;
}
int64_t PositionsAtOnce(const Conv2dGeometry& conv) {
  int64_t count = kPatchFloats / std::max<int64_t>(1, PatchSize(conv));
  return std::clamp<int64_t>(count, 1, std::max<int64_t>(1, PositionsPerImage(conv)));
}

ConvGradBlocks Cut(const Conv2dGeometry& conv, int64_t max_blocks, int64_t scratch) {
  ConvGradBlocks blocks;
  if (conv.batch == 0) return blocks;
  blocks.images_per_block = (conv.batch - 1) / std::clamp<int64_t>(max_blocks, 1, kMaxBlocks) + 1;
  blocks.num_blocks = (conv.batch - 1) / blocks.images_per_block + 1;
  blocks.scratch_per_block = scratch;
  return blocks;
}

// Calls fn(patch, image, count) for the runs of `count` elements that patch and image have in
// common, and zero(patch, count) for the runs of a patch that lie outside the image. Patches are
// those of positions [begin, end) of one image.
template <typename Both, typename Zero>
[[gnu::always_inline]] inline void ForEachPatchRun(const Conv2dGeometry& conv, int64_t begin,
                                                   int64_t end, float* patch, Both both,
                                                   Zero zero) {
  const WindowDimension& height = conv.window.rows;
  const WindowDimension& width = conv.window.columns;
  const int64_t channels = conv.input_channels;
  const int64_t row_size = width.filter * channels;
  for (int64_t position = begin; position < end; ++position) {
    auto rows = height.TapsOf(position / width.output);
    auto columns = width.TapsOf(position % width.output);
    for (int64_t r = 0; r < height.filter; ++r, patch += row_size) {
      if (r < rows.begin || r >= rows.end || columns.begin == columns.end) {
        zero(patch, row_size);
        continue;
      }
      zero(patch, columns.begin * channels);
      zero(patch + columns.end * channels, (width.filter - columns.end) * channels);
      int64_t y = rows.first_position + r * height.dilation;
      // Taps that are next to each other in the patch are so in the image, unless dilated.
      int64_t taps_per_run = width.dilation == 1 ? columns.end - columns.begin : 1;
      for (int64_t c = columns.begin; c < columns.end; c += taps_per_run) {
        int64_t x = columns.first_position + c * width.dilation;
        both(patch + c * channels, (y * width.input + x) * channels, taps_per_run * channels);
      }
    }
  }
}

TFRT_ISA_CLONES
void ImageToPatches(const Conv2dGeometry& conv, const float* image, int64_t begin, int64_t end,
                    float* patches) {
  ForEachPatchRun(
      conv, begin, end, patches,
      [&](float* patch, int64_t offset, int64_t count) __attribute__((always_inline)) {
        for (int64_t i = 0; i < count; ++i) patch[i] = image[offset + i];
      },
      [](float* patch, int64_t count)
          __attribute__((always_inline)) { std::fill_n(patch, count, 0.0f); });
}

TFRT_ISA_CLONES
void AddPatchesToImage(const Conv2dGeometry& conv, float* patches, int64_t begin, int64_t end,
                       float* image) {
  ForEachPatchRun(
      conv, begin, end, patches,
      [&](float* patch, int64_t offset, int64_t count) __attribute__((always_inline)) {
        TFRT_INDEPENDENT_ITERATIONS
        for (int64_t i = 0; i < count; ++i) image[offset + i] += patch[i];
      },
      [](float*, int64_t) __attribute__((always_inline)) {});
}

}  // namespace

ConvGradBlocks ConvGradBlocks::ForFilter(const Conv2dGeometry& conv) {
  int64_t max_blocks = kPartFloats / std::max<int64_t>(1, FilterSize(conv));
  return Cut(conv, max_blocks, FilterSize(conv) + PositionsAtOnce(conv) * PatchSize(conv));
}

ConvGradBlocks ConvGradBlocks::ForInput(const Conv2dGeometry& conv) {
  return Cut(conv, kMaxBlocks, std::max(FilterSize(conv), PositionsAtOnce(conv) * PatchSize(conv)));
}

void ConvFilterGradBlock(const Conv2dGeometry& conv, const ConvGradBlocks& blocks, int64_t block,
                         const float* out_grad, const float* in, float* scratch) {
  const int64_t positions = PositionsPerImage(conv);
  const int64_t at_once = PositionsAtOnce(conv);
  const int64_t patch_size = PatchSize(conv);
  const int64_t channels = conv.output_channels;
  float* patches = scratch + FilterSize(conv);
  std::fill_n(scratch, FilterSize(conv), 0.0f);
  int64_t image = block * blocks.images_per_block;
  int64_t image_end = std::min(conv.batch, image + blocks.images_per_block);
  for (; image < image_end; ++image) {
    for (int64_t begin = 0; begin < positions; begin += at_once) {
      int64_t end = std::min(positions, begin + at_once);
      ImageToPatches(conv, in + image * ImageSize(conv), begin, end, patches);
      // [patch,O] += patches [position,patch] transposed * out_grad [position,O]
      GemmAccumulate(patch_size, channels, end - begin, patches, 1, patch_size,
                     out_grad + (image * positions + begin) * channels, channels, scratch,
                     channels);
    }
  }
}

TFRT_ISA_CLONES
void SumFilterGradBlocks(const Conv2dGeometry& conv, const ConvGradBlocks& blocks,
                         const float* scratch, float* filter_grad) {
  const int64_t size = FilterSize(conv);
  std::fill_n(filter_grad, size, 0.0f);
  for (int64_t block = 0; block < blocks.num_blocks; ++block) {
    const float* part = scratch + block * blocks.scratch_per_block;
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < size; ++i) filter_grad[i] += part[i];
  }
}

void TransposeFilter(const Conv2dGeometry& conv, const float* filter, float* transposed) {
  const int64_t patch_size = PatchSize(conv);
  for (int64_t i = 0; i < patch_size; ++i) {
    for (int64_t o = 0; o < conv.output_channels; ++o) {
      transposed[o * patch_size + i] = filter[i * conv.output_channels + o];
    }
  }
}

void ConvInputGradBlock(const Conv2dGeometry& conv, const ConvGradBlocks& blocks, int64_t block,
                        const float* out_grad, const float* transposed_filter, float* in_grad,
                        float* scratch) {
  const int64_t positions = PositionsPerImage(conv);
  const int64_t at_once = PositionsAtOnce(conv);
  const int64_t patch_size = PatchSize(conv);
  const int64_t channels = conv.output_channels;
  int64_t image = block * blocks.images_per_block;
  int64_t image_end = std::min(conv.batch, image + blocks.images_per_block);
  for (; image < image_end; ++image) {
    float* image_grad = in_grad + image * ImageSize(conv);
    std::fill_n(image_grad, ImageSize(conv), 0.0f);
    for (int64_t begin = 0; begin < positions; begin += at_once) {
      int64_t end = std::min(positions, begin + at_once);
      std::fill_n(scratch, (end - begin) * patch_size, 0.0f);
      // patches [position,patch] += out_grad [position,O] * transposed filter [O,patch]
      GemmAccumulate(end - begin, patch_size, channels,
                     out_grad + (image * positions + begin) * channels, channels, 1,
                     transposed_filter, patch_size, scratch, patch_size);
      AddPatchesToImage(conv, scratch, begin, end, image_grad);
    }
  }
}

}  // namespace tfrt::cpu
