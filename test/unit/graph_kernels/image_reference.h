// Convolutions and pools of images from their definitions, for tests: images are [N,C,D,H,W] here.
#ifndef TFRT_TEST_UNIT_GRAPH_KERNELS_IMAGE_REFERENCE_H_
#define TFRT_TEST_UNIT_GRAPH_KERNELS_IMAGE_REFERENCE_H_

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tfrt/tensor/shape.h"

namespace tfrt {

using Doubles = std::vector<double>;
using Numbers = std::vector<int64_t>;

// Eighths, so that their products' sums are exact in f32 while there are few.
inline Doubles RandomEighths(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> eighths(-8, 8);
  Doubles values(count);
  for (double& value : values) value = eighths(random) / 8.0;
  return values;
}

// One image op. Spatial sizes are the last `rank` of three; the others are 1.
struct ImageCase {
  Numbers in;  // X...
  Numbers kernel;
  int64_t batch = 1, inputs = 1, outputs = 1, groups = 1;
  Numbers strides = {}, dilations = {}, pads = {};
  std::string padding = "explicit";

  size_t rank() const { return in.size(); }
  int64_t stride(size_t i) const { return strides.empty() ? 1 : strides[i]; }
  int64_t dilation(size_t i) const { return dilations.empty() ? 1 : dilations[i]; }
  int64_t extent(size_t i) const { return (kernel[i] - 1) * dilation(i) + 1; }
  int64_t out(size_t i, bool ceil = false) const {
    if (padding != "explicit") return (in[i] + stride(i) - 1) / stride(i);
    const int64_t room = in[i] + before(i) + after(i) - extent(i);
    int64_t count = (room + (ceil ? stride(i) - 1 : 0)) / stride(i) + 1;
    if (ceil && (count - 1) * stride(i) >= in[i] + before(i)) --count;
    return count;
  }
  int64_t total(size_t i) const {
    return std::max<int64_t>((out(i) - 1) * stride(i) + extent(i) - in[i], 0);
  }
  int64_t before(size_t i) const {
    if (padding == "same_upper") return total(i) / 2;
    if (padding == "same_lower") return total(i) - total(i) / 2;
    return pads.empty() ? 0 : pads[i];
  }
  int64_t after(size_t i) const {
    if (padding != "explicit") return total(i) - before(i);
    return pads.empty() ? 0 : pads[rank() + i];
  }
  Numbers out_sizes(bool ceil = false) const {
    Numbers sizes;
    for (size_t i = 0; i < rank(); ++i) sizes.push_back(out(i, ceil));
    return sizes;
  }

  static int64_t Product(const Numbers& numbers) {
    int64_t product = 1;
    for (int64_t number : numbers) product *= number;
    return product;
  }
  // Places of all of `sizes`, the last one fastest.
  static Numbers PlaceOf(const Numbers& sizes, int64_t index) {
    Numbers place(sizes.size());
    for (size_t i = sizes.size(); i-- > 0; index /= sizes[i]) place[i] = index % sizes[i];
    return place;
  }
  // The taps of the window for each place of the output.
  struct Tap {
    int64_t tap;
    int64_t at;   // in the image, or -1
    bool padded;  // whether it is on the image with its padding
  };
  using Window = std::vector<Tap>;
  std::vector<Window> Windows(bool ceil = false) const {
    const Numbers sizes = out_sizes(ceil);
    std::vector<Window> windows;
    for (int64_t p = 0; p < Product(sizes); ++p) {
      const Numbers place = PlaceOf(sizes, p);
      Window& window = windows.emplace_back();
      for (int64_t tap = 0; tap < Product(kernel); ++tap) {
        const Numbers k = PlaceOf(kernel, tap);
        Tap each{tap, 0, true};
        for (size_t i = 0; i < rank(); ++i) {
          const int64_t x = place[i] * stride(i) - before(i) + k[i] * dilation(i);
          each.padded &= x < in[i] + after(i);
          if (each.at >= 0) each.at = x < 0 || x >= in[i] ? -1 : each.at * in[i] + x;
        }
        window.push_back(each);
      }
    }
    return windows;
  }

  // [N,C,X...] and the filter [O,I,X...].
  Doubles Convolve(const Doubles& image, const Doubles& filter, const Doubles& bias) const {
    const int64_t pixels = Product(in), taps = Product(kernel), per_group = inputs / groups;
    const std::vector<Window> windows = Windows();
    Doubles result;
    for (int64_t n = 0; n < batch; ++n) {
      for (int64_t o = 0; o < outputs; ++o) {
        const int64_t first = o / (outputs / groups) * per_group;
        for (const Window& window : windows) {
          double sum = bias.empty() ? 0 : bias[o];
          for (const Tap& tap : window) {
            const double* from = image.data() + (n * inputs + first) * pixels + tap.at;
            const double* weights = filter.data() + o * per_group * taps + tap.tap;
            for (int64_t i = 0; tap.at >= 0 && i < per_group; ++i) {
              sum += from[i * pixels] * weights[i * taps];
            }
          }
          result.push_back(sum);
        }
      }
    }
    return result;
  }
  // The gradient of it with respect to the image: from [N,O,out...] to [N,I,in...].
  Doubles Transposed(const Doubles& gradient, const Doubles& filter, const Doubles& bias) const {
    const int64_t pixels = Product(in), taps = Product(kernel), per_group = inputs / groups;
    const std::vector<Window> windows = Windows();
    const auto places = static_cast<int64_t>(windows.size());
    Doubles result(batch * inputs * pixels);
    for (int64_t n = 0; n < batch; ++n) {
      for (int64_t i = 0; i < inputs; ++i) {
        for (int64_t p = 0; p < pixels; ++p) {
          result[(n * inputs + i) * pixels + p] = bias.empty() ? 0 : bias[i];
        }
      }
      for (int64_t o = 0; o < outputs; ++o) {
        const int64_t first = o / (outputs / groups) * per_group;
        for (int64_t p = 0; p < places; ++p) {
          for (const Tap& tap : windows[p]) {
            for (int64_t i = 0; tap.at >= 0 && i < per_group; ++i) {
              result[(n * inputs + first + i) * pixels + tap.at] +=
                  gradient[(n * outputs + o) * places + p] *
                  filter[(o * per_group + i) * taps + tap.tap];
            }
          }
        }
      }
    }
    return result;
  }
};

// [outer, channels, pixels] as [outer, pixels, channels], and back.
inline Doubles ChannelsLast(const Doubles& from, int64_t outer, int64_t channels,
                            bool back = false) {
  const int64_t pixels = from.empty() ? 0 : static_cast<int64_t>(from.size()) / outer / channels;
  Doubles to(from.size());
  for (int64_t n = 0; n < outer; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t p = 0; p < pixels; ++p) {
        const int64_t first = (n * channels + c) * pixels + p,
                      last = (n * pixels + p) * channels + c;
        to[back ? first : last] = from[back ? last : first];
      }
    }
  }
  return to;
}
// A filter [O,I,X...] as [X...,I,O].
inline Doubles FilterLast(const Doubles& from, int64_t outputs, int64_t inputs) {
  const int64_t taps = static_cast<int64_t>(from.size()) / outputs / inputs;
  Doubles to(from.size());
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t i = 0; i < inputs; ++i) {
      for (int64_t t = 0; t < taps; ++t) {
        to[(t * inputs + i) * outputs + o] = from[(o * inputs + i) * taps + t];
      }
    }
  }
  return to;
}

// {a, b} with the spatial sizes between or behind them.
inline TensorShape ShapeWith(const Numbers& sizes, int64_t a, int64_t b, bool last) {
  Numbers dims = sizes;
  if (last) {
    dims.insert(dims.begin(), a);
    dims.push_back(b);
  } else {
    dims.insert(dims.begin(), {a, b});
  }
  return *TensorShape::Create(dims);
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_GRAPH_KERNELS_IMAGE_REFERENCE_H_
