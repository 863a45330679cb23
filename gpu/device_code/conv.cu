// Convolutions and their gradients, as products of matrices that are never in memory.
//
//   conv_TYPE(out, in, filter, bias, addend, activation, WINDOWS)
//     out = activation(convolution + bias + addend). The bias [outputs] and the addend, which is
//     like `out` and may be `out`, may be null. `activation` (i32): 0 none, 1 relu, 2 relu6.
//   conv_input_grad_TYPE(in_grad, out_grad, filter, bias, WINDOWS)
//     the gradient with respect to the images, + bias [groups * channels], which may be null
//   conv_filter_grad_TYPE(parts, in, out_grad, num_parts, WINDOWS)
//     parts [num_parts,filter]: sums over parts of the pixels, in f32, of f64 in f64
//   add_parts_TYPE(out, parts, num_parts, size)
//     out [size]: the sum of parts [num_parts,size], in their order
//
// WINDOWS: batch, groups, channels, outputs, in_z, in_y, in_x, out_z, out_y, out_x, taps_z, taps_y,
// taps_x, stride_z, ..., dilation_z, ..., before_z, ..., channels_last, all i32: channels and
// outputs are those of one group. Images [N,C,Z,Y,X] and filters [O,C,Z,Y,X], or, with
// `channels_last`, [N,Z,Y,X,C] and [Z,Y,X,C,O], where O are the outputs of all groups. Tap k of
// window o is at o * stride - before + k * dilation; what is outside of an image is 0.
//
// The gradients are those of floats. f16 and bf16 are multiplied and summed in f32; integers wrap.
// Each element's products are summed in one accumulator in the order of the depth, with fused
// multiplications. The depth is, with the channels last, [taps,channels], [taps,outputs] or, of the
// filter's gradient, [N,pixels]; else [channels,taps], [outputs,taps] and the same. The batch's
// pixels, and taps times channels or outputs, are below 2^31. `out` and `parts` share no other
// memory with what is read. The launch is in launch_windows.h.

#include "device_math.h"
#include "element_ops.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "window_sizes.h"
#include "windows.h"

namespace tfrt::gpu::device {
namespace {

constexpr int kTile = kConvTile, kDepth = kConvDepth, kThreads = kBlockThreads;
constexpr int kSide = 16;  // the block's threads as a square
constexpr int kPart = kTile / kSide;
static_assert(kSide * kSide == kThreads && kPart * kSide == kTile);
static_assert(kTile * kDepth % kThreads == 0 && kThreads % kTile == 0 && kThreads % kDepth == 0);

using Element = TFRT_TYPE;
using C = Compute<Element>;

// A row or a step of the depth adds these to the places of elements.
struct Place {
  int64_t offset;  // in the images that windows lie on
  int64_t other;   // of a row: in the result; of the depth: in the other factor
  Spatial at;      // the pixel: a window's or a tap's part
};

struct Memory {
  Place rows[kTile];
  Place depth[kDepth];
  C left[kDepth][kTile + 1];  // a column more against conflicts of banks
  C right[kDepth][kTile + 1];
};

// Loads that neighbouring threads make side by side go along the depth, or along rows or columns.
struct Order {
  bool left_is_deep, right_is_deep;
};

// The sums of a tile: rows of the left matrix, which are pixels under windows, times columns of the
// right one. row_of(i), depth_of(k): Places. pixel_of(row place, depth place): the pixel.
template <typename RowOf, typename DepthOf, typename PixelOfBoth>
TFRT_DEVICE void SumTile(Memory& memory, C (&sums)[kPart][kPart], const Element* images,
                         const Spatial& sizes, int64_t pixel_step, const Element* other,
                         int64_t column_step, uint32_t num_rows, uint32_t num_columns,
                         uint32_t first_row, uint32_t first_column, uint32_t first_depth,
                         uint32_t end_depth, Order order, RowOf row_of, DepthOf depth_of,
                         PixelOfBoth pixel_of) {
  const uint32_t thread = ThreadInBlock();
  const uint32_t x = thread % kSide, y = thread / kSide;
  auto set_depth = [&](uint32_t k) {
    if (thread < kDepth && k + thread < end_depth) memory.depth[thread] = depth_of(k + thread);
  };
  if (thread < kTile && first_row + thread < num_rows) {
    memory.rows[thread] = row_of(first_row + thread);
  }
  set_depth(first_depth);
  for (uint32_t k = first_depth; k < end_depth; k += kDepth) {
    Barrier();  // the depth's places are there, the last parts are used
#pragma unroll
    for (int item = 0; item < kTile * kDepth / kThreads; ++item) {
      const uint32_t number = thread + item * kThreads;
      {
        const uint32_t d = order.left_is_deep ? number % kDepth : number / kTile;
        const uint32_t i = order.left_is_deep ? number / kDepth : number % kTile;
        C value = 0;
        if (first_row + i < num_rows && k + d < end_depth) {
          const Place &row = memory.rows[i], &step = memory.depth[d];
          Spatial pixel;
          if (pixel_of(row.at, step.at, &pixel)) {
            value = Decode(images[row.offset + step.offset + PixelAt(pixel, sizes) * pixel_step]);
          }
        }
        memory.left[d][i] = value;
      }
      const uint32_t d = order.right_is_deep ? number % kDepth : number / kTile;
      const uint32_t j = order.right_is_deep ? number / kDepth : number % kTile;
      const bool is_inside = first_column + j < num_columns && k + d < end_depth;
      memory.right[d][j] =
          is_inside ? Decode(other[memory.depth[d].other + (first_column + j) * column_step])
                    : C(0);
    }
    Barrier();
    set_depth(k + kDepth);
#pragma unroll 4
    for (int d = 0; d < kDepth; ++d) {
      C left[kPart], right[kPart];
#pragma unroll
      for (int i = 0; i < kPart; ++i) left[i] = memory.left[d][y * kPart + i];
#pragma unroll
      for (int j = 0; j < kPart; ++j) right[j] = memory.right[d][x + j * kSide];
#pragma unroll
      for (int i = 0; i < kPart; ++i) {
#pragma unroll
        for (int j = 0; j < kPart; ++j) sums[i][j] = MultiplyAdd(left[i], right[j], sums[i][j]);
      }
    }
  }
  if (first_depth >= end_depth) Barrier();  // the rows' places are there
}

// Calls fn(sum, place of the row, row, column) for the elements of a tile.
template <typename F>
TFRT_DEVICE void ForEachSum(const Memory& memory, const C (&sums)[kPart][kPart], uint32_t num_rows,
                            uint32_t num_columns, uint32_t first_row, uint32_t first_column, F fn) {
  const uint32_t x = ThreadInBlock() % kSide, y = ThreadInBlock() / kSide;
#pragma unroll
  for (int i = 0; i < kPart; ++i) {
#pragma unroll
    for (int j = 0; j < kPart; ++j) {
      const uint32_t row = y * kPart + i, column = first_column + x + j * kSide;
      if (first_row + row < num_rows && column < num_columns) {
        fn(sums[i][j], memory.rows[row], column);
      }
    }
  }
}

struct Problem {
  int32_t batch, groups, channels, outputs;  // the latter two of a group
  Windows windows;
  bool channels_last;

  TFRT_DEVICE ImageSteps in() const {
    return StepsOf(int64_t{groups} * channels, windows.in, channels_last);
  }
  TFRT_DEVICE ImageSteps out() const {
    return StepsOf(int64_t{groups} * outputs, windows.out, channels_last);
  }
  // Steps of the filter.
  TFRT_DEVICE int64_t tap_step() const {
    return channels_last ? int64_t{channels} * groups * outputs : 1;
  }
  TFRT_DEVICE int64_t channel_step() const {
    return channels_last ? int64_t{groups} * outputs : windows.taps.Product();
  }
  TFRT_DEVICE int64_t output_step() const {
    return channels_last ? 1 : int64_t{channels} * windows.taps.Product();
  }
  TFRT_DEVICE int64_t filter_size() const {
    return int64_t{groups} * outputs * channels * windows.taps.Product();
  }
  // The place in the images of a window, and what its tap adds.
  TFRT_DEVICE Spatial FirstPixelOf(uint32_t window) const {
    const Spatial place = PixelOf(window, windows.out);
    return {place.z * windows.stride.z - windows.before.z,
            place.y * windows.stride.y - windows.before.y,
            place.x * windows.stride.x - windows.before.x};
  }
  TFRT_DEVICE Spatial DistanceOf(uint32_t tap) const {
    const Spatial place = PixelOf(tap, windows.taps);
    return {place.z * windows.dilation.z, place.y * windows.dilation.y,
            place.x * windows.dilation.x};
  }
  // Number i of taps and `count` channels or outputs.
  struct TapAndChannel {
    uint32_t tap, channel;
  };
  TFRT_DEVICE TapAndChannel Split(uint32_t i, int32_t count) const {
    const auto size = static_cast<uint32_t>(channels_last ? count : windows.taps.Product());
    const uint32_t slow = i / size, fast = i - slow * size;
    return channels_last ? TapAndChannel{slow, fast} : TapAndChannel{fast, slow};
  }
};

// The tiles of all groups, each a block's at a time: calls fn(group, first row, first column,
// part).
template <typename F>
TFRT_DEVICE void ForEachTile(int32_t groups, uint32_t num_rows, uint32_t num_columns,
                             int64_t num_parts, F fn) {
  const int64_t down = (num_rows + kTile - 1) / kTile, across = (num_columns + kTile - 1) / kTile;
  const int64_t tiles = down * across;
  for (int64_t i = Block(); i < groups * num_parts * tiles; i += NumBlocks()) {
    const int64_t item = i / tiles, tile = i - item * tiles;
    fn(item / num_parts, static_cast<uint32_t>(tile / across * kTile),
       static_cast<uint32_t>(tile % across * kTile), item % num_parts);
    Barrier();  // before the next rows are written
  }
}

TFRT_DEVICE bool PixelOfWindow(const Spatial& window, const Spatial& tap, const Spatial& sizes,
                               Spatial* pixel) {
  *pixel = {window.z + tap.z, window.y + tap.y, window.x + tap.x};
  return IsWithin(*pixel, sizes);
}

TFRT_DEVICE C Activate(C x, int32_t activation) {
  if (activation != 0 && x < 0) return 0;
  return activation == 2 && x > 6 ? C(6) : x;
}

TFRT_DEVICE void Convolve(Memory& memory, Element* out, const Element* in, const Element* filter,
                          const Element* bias, const Element* addend, int32_t activation,
                          const Problem& p) {
  const auto pixels = static_cast<uint32_t>(p.windows.out.Product());
  const uint32_t rows = p.batch * pixels, columns = p.outputs;
  const uint32_t depth = p.windows.taps.Product() * p.channels;
  const ImageSteps in_steps = p.in(), out_steps = p.out();
  ForEachTile(
      p.groups, rows, columns, 1, [&](int64_t group, uint32_t row, uint32_t column, int64_t) {
        C sums[kPart][kPart] = {};
        SumTile(
            memory, sums, in + group * p.channels * in_steps.channel, p.windows.in, in_steps.pixel,
            filter + group * p.outputs * p.output_step(), p.output_step(), rows, columns, row,
            column, 0, depth, {p.channels_last, !p.channels_last},
            [&](uint32_t i) {
              const uint32_t image = i / pixels, window = i - image * pixels;
              return Place{image * in_steps.image,
                           image * out_steps.image + window * out_steps.pixel,
                           p.FirstPixelOf(window)};
            },
            [&](uint32_t k) {
              const auto [tap, channel] = p.Split(k, p.channels);
              return Place{channel * in_steps.channel,
                           tap * p.tap_step() + channel * p.channel_step(), p.DistanceOf(tap)};
            },
            [&](const Spatial& window, const Spatial& tap, Spatial* pixel) {
              return PixelOfWindow(window, tap, p.windows.in, pixel);
            });
        ForEachSum(memory, sums, rows, columns, row, column,
                   [&](C sum, const Place& place, uint32_t j) {
                     const int64_t output = group * p.outputs + j;
                     const int64_t at = place.other + output * out_steps.channel;
                     if (bias != nullptr) sum = Plus(sum, Decode(bias[output]));
                     if (addend != nullptr) sum = Plus(sum, Decode(addend[at]));
                     out[at] = Encode<Element>(Activate(sum, activation));
                   });
      });
}

}  // namespace

#define TFRT_PROBLEM                                                                \
  int32_t batch, int32_t groups, int32_t channels, int32_t outputs, TFRT_THREE(in), \
      TFRT_THREE(out), TFRT_THREE(taps), TFRT_THREE(stride), TFRT_THREE(dilation),  \
      TFRT_THREE(before), int32_t channels_last
#define TFRT_PROBLEM_OF_PARAMETERS                                                     \
  {batch,                                                                              \
   groups,                                                                             \
   channels,                                                                           \
   outputs,                                                                            \
   {TFRT_THREE_OF(in), TFRT_THREE_OF(out), TFRT_THREE_OF(taps), TFRT_THREE_OF(stride), \
    TFRT_THREE_OF(dilation), TFRT_THREE_OF(before)},                                   \
   channels_last != 0}

TFRT_BLOCK_KERNEL TFRT_ENTRY(conv)(Element* result, const Element* images, const Element* filter,
                                   const Element* bias, const Element* addend, int32_t activation,
                                   TFRT_PROBLEM) {
  TFRT_SHARED static Memory memory;
  Convolve(memory, result, images, filter, bias, addend, activation, TFRT_PROBLEM_OF_PARAMETERS);
}

#if TFRT_OF_TYPE(TFRT_IS_FLOAT)

namespace {

// The window whose tap lies on a pixel, along one dimension; -1: none.
TFRT_DEVICE int32_t WindowOf(int32_t distance, int32_t stride) {
  if (stride == 1 || distance < 0) return distance;
  const int32_t window = distance / stride;
  return window * stride == distance ? window : -1;
}

TFRT_DEVICE void ConvolveBack(Memory& memory, Element* in_grad, const Element* out_grad,
                              const Element* filter, const Element* bias, const Problem& p) {
  const auto pixels = static_cast<uint32_t>(p.windows.in.Product());
  const uint32_t rows = p.batch * pixels, columns = p.channels;
  const uint32_t depth = p.windows.taps.Product() * p.outputs;
  const ImageSteps in_steps = p.in(), out_steps = p.out();
  ForEachTile(
      p.groups, rows, columns, 1, [&](int64_t group, uint32_t row, uint32_t column, int64_t) {
        C sums[kPart][kPart] = {};
        SumTile(
            memory, sums, out_grad + group * p.outputs * out_steps.channel, p.windows.out,
            out_steps.pixel, filter + group * p.outputs * p.output_step(), p.channel_step(), rows,
            columns, row, column, 0, depth, {p.channels_last, true},
            [&](uint32_t i) {
              const uint32_t image = i / pixels, pixel = i - image * pixels;
              const Spatial place = PixelOf(pixel, p.windows.in), before = p.windows.before;
              return Place{image * out_steps.image,
                           image * in_steps.image + pixel * in_steps.pixel,
                           {place.z + before.z, place.y + before.y, place.x + before.x}};
            },
            [&](uint32_t k) {
              const auto [tap, output] = p.Split(k, p.outputs);
              return Place{output * out_steps.channel,
                           tap * p.tap_step() + output * p.output_step(), p.DistanceOf(tap)};
            },
            [&](const Spatial& pixel, const Spatial& tap, Spatial* window) {
              const Spatial stride = p.windows.stride;
              *window = {WindowOf(pixel.z - tap.z, stride.z), WindowOf(pixel.y - tap.y, stride.y),
                         WindowOf(pixel.x - tap.x, stride.x)};
              return IsWithin(*window, p.windows.out);
            });
        ForEachSum(memory, sums, rows, columns, row, column,
                   [&](C sum, const Place& place, uint32_t j) {
                     const int64_t channel = group * p.channels + j;
                     if (bias != nullptr) sum += Decode(bias[channel]);
                     in_grad[place.other + channel * in_steps.channel] = Encode<Element>(sum);
                   });
      });
}

// The rows are those of the filter, the depth is all pixels, or a part of them.
TFRT_DEVICE void MultiplyPixels(Memory& memory, C* parts, const Element* in,
                                const Element* out_grad, int32_t num_parts, const Problem& p) {
  const auto pixels = static_cast<uint32_t>(p.windows.out.Product());
  const uint32_t rows = p.windows.taps.Product() * p.channels, columns = p.outputs;
  const uint32_t depth = p.batch * pixels;
  const uint32_t steps = (depth + kDepth - 1) / kDepth;
  const uint32_t part_depth = (steps + num_parts - 1) / num_parts * kDepth;
  const ImageSteps in_steps = p.in(), out_steps = p.out();
  ForEachTile(
      p.groups, rows, columns, num_parts,
      [&](int64_t group, uint32_t row, uint32_t column, int64_t part) {
        const int64_t first = part * part_depth, after = first + part_depth;
        C sums[kPart][kPart] = {};
        SumTile(
            memory, sums, in + group * p.channels * in_steps.channel, p.windows.in, in_steps.pixel,
            out_grad + group * p.outputs * out_steps.channel, out_steps.channel, rows, columns, row,
            column, static_cast<uint32_t>(first < depth ? first : depth),
            static_cast<uint32_t>(after < depth ? after : depth),
            {!p.channels_last, !p.channels_last},
            [&](uint32_t i) {
              const auto [tap, channel] = p.Split(i, p.channels);
              return Place{channel * in_steps.channel,
                           tap * p.tap_step() + channel * p.channel_step(), p.DistanceOf(tap)};
            },
            [&](uint32_t k) {
              const uint32_t image = k / pixels, window = k - image * pixels;
              return Place{image * in_steps.image,
                           image * out_steps.image + window * out_steps.pixel,
                           p.FirstPixelOf(window)};
            },
            [&](const Spatial& tap, const Spatial& window, Spatial* pixel) {
              return PixelOfWindow(window, tap, p.windows.in, pixel);
            });
        ForEachSum(memory, sums, rows, columns, row, column,
                   [&](C sum, const Place& place, uint32_t j) {
                     const int64_t output = group * p.outputs + j;
                     parts[part * p.filter_size() + place.other + output * p.output_step()] = sum;
                   });
      });
}

}  // namespace

TFRT_BLOCK_KERNEL TFRT_ENTRY(conv_input_grad)(Element* in_grad, const Element* out_grad,
                                              const Element* filter, const Element* bias,
                                              TFRT_PROBLEM) {
  TFRT_SHARED static Memory memory;
  ConvolveBack(memory, in_grad, out_grad, filter, bias, TFRT_PROBLEM_OF_PARAMETERS);
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(conv_filter_grad)(C* parts, const Element* images,
                                               const Element* out_grad, int32_t num_parts,
                                               TFRT_PROBLEM) {
  TFRT_SHARED static Memory memory;
  MultiplyPixels(memory, parts, images, out_grad, num_parts, TFRT_PROBLEM_OF_PARAMETERS);
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(add_parts)(Element* out, const C* parts, int32_t num_parts,
                                        int64_t size) {
  ForEach(size, [=](int64_t i) {
    C sum = 0;
    for (int64_t part = 0; part < num_parts; ++part) sum += parts[part * size + i];
    out[i] = Encode<Element>(sum);
  });
}

#endif

}  // namespace tfrt::gpu::device
