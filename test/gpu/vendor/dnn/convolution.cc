#include "convolution.h"

#include <array>
#include <functional>
#include <numeric>

#include "elements.h"

namespace tfrt::gpu::cudnn_double {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names

// With three spatial dimensions, outer ones of size 1 before those that are there.
struct Geometry {
  int64_t num_images, groups, channels, filters;  // the last two of a group
  std::array<int64_t, 3> in, out, window, padding, stride, dilation;
  bool is_flipped;

  int64_t in_size() const { return in[0] * in[1] * in[2]; }
  int64_t out_size() const { return out[0] * out[1] * out[2]; }
  int64_t window_size() const { return window[0] * window[1] * window[2]; }
  // Rows of the matrix of windows.
  int64_t depth() const { return channels * window_size(); }
};

Geometry GeometryOf(const Convolution& convolution) {
  Geometry g;
  g.num_images = convolution.x.dims[0];
  g.groups = convolution.num_groups();
  g.channels = convolution.w.dims[1];
  g.filters = convolution.w.dims[0] / g.groups;
  g.is_flipped = convolution.is_flipped;
  g.in = g.out = g.window = g.stride = g.dilation = {1, 1, 1};
  g.padding = {0, 0, 0};
  const size_t num_spatial = convolution.window.strides.size();
  for (size_t s = 0; s < num_spatial; ++s) {
    const size_t to = 3 - num_spatial + s;
    g.in[to] = convolution.x.dims[2 + s];
    g.out[to] = convolution.y.dims[2 + s];
    g.window[to] = convolution.w.dims[2 + s];
    g.padding[to] = convolution.window.pre_paddings[s];
    g.stride[to] = convolution.window.strides[s];
    g.dilation[to] = convolution.window.dilations[s];
  }
  return g;
}

template <typename T>
using RowMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using ConstMatrixMap = Eigen::Map<const RowMatrix<T>>;
template <typename T>
using MatrixMap = Eigen::Map<RowMatrix<T>>;

// Calls `f(row, in, out, count, step)` for the parts of rows of the matrix of windows that lie
// inside of the image: `count` columns from `out` on are elements of the group's channels from `in`
// on, `step` apart. All others are padding.
template <typename F>
void ForEachWindowRow(const Geometry& g, F&& f) {
  const auto &in = g.in, &out = g.out, &window = g.window;
  int64_t row = 0;
  for (int64_t c = 0; c < g.channels; ++c) {
    for (int64_t a = 0; a < window[0]; ++a) {
      for (int64_t b = 0; b < window[1]; ++b) {
        for (int64_t e = 0; e < window[2]; ++e, ++row) {
          const std::array<int64_t, 3> tap =
              g.is_flipped ? std::array{window[0] - 1 - a, window[1] - 1 - b, window[2] - 1 - e}
                           : std::array{a, b, e};
          // The first and the last column whose element is inside.
          const int64_t shift = tap[2] * g.dilation[2] - g.padding[2];
          const int64_t first = shift >= 0 ? 0 : (-shift + g.stride[2] - 1) / g.stride[2];
          if (shift > in[2] - 1) continue;
          const int64_t last = std::min(out[2] - 1, (in[2] - 1 - shift) / g.stride[2]);
          if (first > last) continue;
          for (int64_t p = 0; p < out[0]; ++p) {
            const int64_t z = p * g.stride[0] + tap[0] * g.dilation[0] - g.padding[0];
            if (z < 0 || z >= in[0]) continue;
            for (int64_t q = 0; q < out[1]; ++q) {
              const int64_t y = q * g.stride[1] + tap[1] * g.dilation[1] - g.padding[1];
              if (y < 0 || y >= in[1]) continue;
              f(row, ((c * in[0] + z) * in[1] + y) * in[2] + first * g.stride[2] + shift,
                (p * out[1] + q) * out[2] + first, last - first + 1, g.stride[2]);
            }
          }
        }
      }
    }
  }
}

template <typename T>
void WindowsOf(const Geometry& g, const T* image, T* windows) {
  const int64_t columns = g.out_size();
  std::fill(windows, windows + g.depth() * columns, T{0});
  ForEachWindowRow(g, [&](int64_t row, int64_t in, int64_t out, int64_t count, int64_t step) {
    T* to = windows + row * columns + out;
    for (int64_t i = 0; i < count; ++i) to[i] = image[in + i * step];
  });
}

// The transpose of that: adds each entry to the element that it came from.
template <typename T>
void AddWindows(const Geometry& g, const T* windows, T* image) {
  const int64_t columns = g.out_size();
  ForEachWindowRow(g, [&](int64_t row, int64_t in, int64_t out, int64_t count, int64_t step) {
    const T* from = windows + row * columns + out;
    for (int64_t i = 0; i < count; ++i) image[in + i * step] += from[i];
  });
}

// Calls `store(n, result)` for each image: all filters of all groups.
template <typename T, typename F>
void Forward(const Convolution& convolution, const std::byte* x, const std::byte* w, F&& store) {
  const Geometry g = GeometryOf(convolution);
  std::vector<T> filters(convolution.w.num_elements()), image(g.groups * g.channels * g.in_size()),
      windows(g.depth() * g.out_size()), result(g.groups * g.filters * g.out_size());
  ReadDense(convolution.w, w, nullptr, 0, filters.data());
  for (int64_t n = 0; n < g.num_images; ++n) {
    ReadDense(convolution.x, x, &n, 1, image.data());
    for (int64_t group = 0; group < g.groups; ++group) {
      WindowsOf(g, image.data() + group * g.channels * g.in_size(), windows.data());
      MatrixMap<T>(result.data() + group * g.filters * g.out_size(), g.filters, g.out_size())
          .noalias() =
          ConstMatrixMap<T>(filters.data() + group * g.filters * g.depth(), g.filters, g.depth()) *
          ConstMatrixMap<T>(windows.data(), g.depth(), g.out_size());
    }
    store(n, result);
  }
}

template <typename T>
void BackwardData(const Convolution& convolution, double alpha, const std::byte* w,
                  const std::byte* dy, double beta, std::byte* dx) {
  const Geometry g = GeometryOf(convolution);
  std::vector<T> filters(convolution.w.num_elements()),
      gradient(g.groups * g.filters * g.out_size()), windows(g.depth() * g.out_size()),
      image(g.groups * g.channels * g.in_size());
  ReadDense(convolution.w, w, nullptr, 0, filters.data());
  for (int64_t n = 0; n < g.num_images; ++n) {
    ReadDense(convolution.y, dy, &n, 1, gradient.data());
    std::ranges::fill(image, T{0});
    for (int64_t group = 0; group < g.groups; ++group) {
      MatrixMap<T>(windows.data(), g.depth(), g.out_size()).noalias() =
          ConstMatrixMap<T>(filters.data() + group * g.filters * g.depth(), g.filters, g.depth())
              .transpose() *
          ConstMatrixMap<T>(gradient.data() + group * g.filters * g.out_size(), g.filters,
                            g.out_size());
      AddWindows(g, windows.data(), image.data() + group * g.channels * g.in_size());
    }
    WriteDense(convolution.x, dx, &n, 1, image.data(), alpha, beta);
  }
}

template <typename T>
void BackwardFilter(const Convolution& convolution, double alpha, const std::byte* x,
                    const std::byte* dy, double beta, std::byte* dw) {
  const Geometry g = GeometryOf(convolution);
  std::vector<T> filters(convolution.w.num_elements()),
      gradient(g.groups * g.filters * g.out_size()), windows(g.depth() * g.out_size()),
      image(g.groups * g.channels * g.in_size());
  for (int64_t n = 0; n < g.num_images; ++n) {
    ReadDense(convolution.x, x, &n, 1, image.data());
    ReadDense(convolution.y, dy, &n, 1, gradient.data());
    for (int64_t group = 0; group < g.groups; ++group) {
      WindowsOf(g, image.data() + group * g.channels * g.in_size(), windows.data());
      MatrixMap<T>(filters.data() + group * g.filters * g.depth(), g.filters, g.depth())
          .noalias() += ConstMatrixMap<T>(gradient.data() + group * g.filters * g.out_size(),
                                          g.filters, g.out_size()) *
                        ConstMatrixMap<T>(windows.data(), g.depth(), g.out_size()).transpose();
    }
  }
  WriteDense(convolution.w, dw, nullptr, 0, filters.data(), alpha, beta);
}

// Calls `f` with a value of the type in which products are summed.
template <typename F>
void WithSum(const Convolution& convolution, F&& f) {
  switch (convolution.compute_type) {
    case CUDNN_DATA_DOUBLE:
    case CUDNN_DATA_INT32:  // exact
      return f(double());
    default:
      return f(float());
  }
}

}  // namespace

int64_t Window::NumAlong(size_t d, int64_t size, int64_t window) const {
  const int64_t covered = (window - 1) * (dilations.empty() ? 1 : dilations[d]) + 1;
  const int64_t room = size + pre_paddings[d] + post_paddings[d] - covered;
  return room < 0 ? 0 : room / strides[d] + 1;
}

bool Convolution::IsConsistent() const {
  const size_t num_spatial = window.strides.size();
  if (x.dims.size() != num_spatial + 2 || w.dims.size() != x.dims.size() ||
      y.dims.size() != x.dims.size() || num_spatial > 3) {
    return false;
  }
  if (x.dims[0] != y.dims[0] || w.dims[0] != y.dims[1] || x.dims[1] % w.dims[1] != 0 ||
      w.dims[0] % num_groups() != 0) {
    return false;
  }
  for (size_t d = 0; d < num_spatial; ++d) {
    const int64_t num = window.NumAlong(d, x.dims[2 + d], w.dims[2 + d]);
    if (num == 0 || y.dims[2 + d] != num) return false;
  }
  return true;
}

void RunForward(const Convolution& convolution, double alpha, const std::byte* x,
                const std::byte* w, double beta, std::byte* y) {
  WithSum(convolution, [&](auto sum) {
    Forward<decltype(sum)>(convolution, x, w, [&](int64_t n, const auto& result) {
      WriteDense(convolution.y, y, &n, 1, result.data(), alpha, beta);
    });
  });
}

void RunBackwardData(const Convolution& convolution, double alpha, const std::byte* w,
                     const std::byte* dy, double beta, std::byte* dx) {
  WithSum(convolution,
          [&](auto sum) { BackwardData<decltype(sum)>(convolution, alpha, w, dy, beta, dx); });
}

void RunBackwardFilter(const Convolution& convolution, double alpha, const std::byte* x,
                       const std::byte* dy, double beta, std::byte* dw) {
  WithSum(convolution,
          [&](auto sum) { BackwardFilter<decltype(sum)>(convolution, alpha, x, dy, beta, dw); });
}

std::vector<double> Convolve(const Convolution& convolution, const std::byte* x,
                             const std::byte* w) {
  std::vector<double> all(convolution.y.num_elements());
  WithSum(convolution, [&](auto sum) {
    Forward<decltype(sum)>(convolution, x, w, [&](int64_t n, const auto& result) {
      std::ranges::copy(result, all.begin() + n * static_cast<int64_t>(result.size()));
    });
  });
  return all;
}

}  // namespace tfrt::gpu::cudnn_double
