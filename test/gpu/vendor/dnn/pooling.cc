#include "pooling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "elements.h"
#include "handle.h"

namespace tfrt::gpu::cudnn_double {
namespace {

// The elements of a tensor that have been written.
class Written {
 public:
  Written(const Layout& layout, const void* address) : bytes_(ElementBytes(layout.type)) {
    int64_t last = layout.vector_size - 1;
    for (int d = 0; d < layout.rank(); ++d) {
      const int64_t vectors = d == 1 ? layout.dims[d] / layout.vector_size : layout.dims[d];
      last += (vectors - 1) * layout.strides[d] * layout.vector_size;
    }
    const size_t size = static_cast<size_t>(last + 1) * bytes_;
    bits_.resize((size + 63) / 64);
    tfrtDoubleReadWritten(reinterpret_cast<uint64_t>(address), size, bits_.data());
  }
  bool Has(int64_t offset) const {
    for (size_t byte = offset * bytes_; byte < (offset + 1) * bytes_; ++byte) {
      if ((bits_[byte / 64] >> byte % 64 & 1) == 0) return false;
    }
    return true;
  }

 private:
  const size_t bytes_;
  std::vector<uint64_t> bits_;
};

// The elements of one channel of one image, and which of them have been written.
template <typename T>
struct Plane {
  explicit Plane(const Layout& layout) : layout(layout) {
    int64_t size = 1;
    for (int d = 2; d < layout.rank(); ++d) size *= layout.dims[d];
    values.resize(size);
    is_written.resize(size);
  }
  void Read(const void* address, const Written& written, const int64_t* channel) {
    ReadDense(layout, View(address), channel, 2, values.data());
    ForEachElement(layout, channel, 2,
                   [&](int64_t at, int64_t offset) { is_written[at] = written.Has(offset); });
  }
  // Writes the values, and takes back that the others have been written.
  void Write(void* address, const int64_t* channel, double alpha, double beta) {
    WriteDense(layout, View(address), channel, 2, values.data(), alpha, beta);
    const size_t bytes = ElementBytes(layout.type);
    ForEachElement(layout, channel, 2, [&](int64_t at, int64_t offset) {
      if (is_written[at]) return;
      tfrtDoubleForgetWritten(reinterpret_cast<uint64_t>(address) + offset * bytes, bytes);
    });
  }

  const Layout& layout;
  std::vector<T> values;
  std::vector<uint8_t> is_written;
};

// The windows of a plane, with three dimensions.
struct Windows {
  std::array<int64_t, 3> in = {1, 1, 1}, out = {1, 1, 1}, size = {1, 1, 1}, padding = {0, 0, 0},
                         stride = {1, 1, 1};

  explicit Windows(const Pooling& pooling) {
    const size_t num_spatial = pooling.window.sizes.size();
    for (size_t s = 0; s < num_spatial; ++s) {
      const size_t to = 3 - num_spatial + s;
      in[to] = pooling.x.dims[2 + s];
      out[to] = pooling.y.dims[2 + s];
      size[to] = pooling.window.sizes[s];
      padding[to] = pooling.window.pre_paddings[s];
      stride[to] = pooling.window.strides[s];
    }
  }
  int64_t volume() const { return size[0] * size[1] * size[2]; }

  // Calls `f(o, elements)` for each window: its number, and those of its elements in the plane.
  template <typename F>
  void ForEach(F&& f) const {
    std::vector<int64_t> elements;
    int64_t o = 0;
    std::array<int64_t, 3> at;
    for (at[0] = 0; at[0] < out[0]; ++at[0]) {
      for (at[1] = 0; at[1] < out[1]; ++at[1]) {
        for (at[2] = 0; at[2] < out[2]; ++at[2]) {
          std::array<int64_t, 3> begin, end;
          for (int d = 0; d < 3; ++d) {
            const int64_t first = at[d] * stride[d] - padding[d];
            begin[d] = std::max<int64_t>(0, first);
            end[d] = std::min(in[d], first + size[d]);
          }
          elements.clear();
          for (int64_t z = begin[0]; z < end[0]; ++z) {
            for (int64_t y = begin[1]; y < end[1]; ++y) {
              for (int64_t x = begin[2]; x < end[2]; ++x) {
                elements.push_back((z * in[1] + y) * in[2] + x);
              }
            }
          }
          f(o++, elements);
        }
      }
    }
  }
};

// The number of the first of the largest; none if there is none, or a NaN that counts.
template <typename T>
std::optional<int64_t> Largest(const Plane<T>& plane, const std::vector<int64_t>& elements,
                               bool propagates_nan) {
  std::optional<int64_t> largest;
  for (const int64_t element : elements) {
    if (!plane.is_written[element]) {
      if (propagates_nan) return std::nullopt;
      continue;
    }
    const T value = plane.values[element];
    if (std::isnan(value)) {
      if (propagates_nan) return element;
      continue;
    }
    if (!largest || value > plane.values[*largest]) largest = element;
  }
  return largest;
}

bool AllWritten(const std::vector<uint8_t>& is_written, const std::vector<int64_t>& elements) {
  return std::ranges::all_of(elements, [&](int64_t element) { return is_written[element]; });
}

template <typename T>
void Forward(const Pooling& pooling, double alpha, const void* x, double beta, void* y) {
  const Windows windows(pooling);
  const Written x_written(pooling.x, x);
  Plane<T> from(pooling.x), to(pooling.y);
  for (int64_t channel[2] = {0, 0}; channel[0] < pooling.x.dims[0]; ++channel[0]) {
    for (channel[1] = 0; channel[1] < pooling.x.dims[1]; ++channel[1]) {
      from.Read(x, x_written, channel);
      windows.ForEach([&](int64_t o, const std::vector<int64_t>& elements) {
        if (pooling.mode == PoolMode::kMax) {
          const std::optional<int64_t> largest = Largest(from, elements, pooling.propagates_nan);
          to.is_written[o] = largest || AllWritten(from.is_written, elements);
          to.values[o] = largest ? from.values[*largest] : std::numeric_limits<T>::quiet_NaN();
          return;
        }
        T sum = 0;
        for (const int64_t element : elements) sum += from.values[element];
        const int64_t count = pooling.mode == PoolMode::kAverageWithPadding
                                  ? windows.volume()
                                  : static_cast<int64_t>(elements.size());
        to.values[o] = sum / static_cast<T>(count);
        to.is_written[o] = AllWritten(from.is_written, elements);
      });
      to.Write(y, channel, alpha, beta);
    }
  }
}

template <typename T>
void Backward(const Pooling& pooling, double alpha, const void* dy, const void* x, double beta,
              void* dx) {
  const Windows windows(pooling);
  const Written dy_written(pooling.y, dy), x_written(pooling.x, x);
  Plane<T> gradient(pooling.y), from(pooling.x), to(pooling.x);
  for (int64_t channel[2] = {0, 0}; channel[0] < pooling.x.dims[0]; ++channel[0]) {
    for (channel[1] = 0; channel[1] < pooling.x.dims[1]; ++channel[1]) {
      gradient.Read(dy, dy_written, channel);
      from.Read(x, x_written, channel);
      std::ranges::fill(to.values, T{0});
      std::ranges::fill(to.is_written, 1);
      windows.ForEach([&](int64_t o, const std::vector<int64_t>& elements) {
        auto add = [&](int64_t element, T value) {
          to.values[element] += value;
          to.is_written[element] &= gradient.is_written[o];
        };
        if (pooling.mode == PoolMode::kMax) {
          const std::optional<int64_t> largest = Largest(from, elements, pooling.propagates_nan);
          if (largest) return add(*largest, gradient.values[o]);
          for (const int64_t element : elements) to.is_written[element] &= from.is_written[element];
          return;
        }
        const int64_t count = pooling.mode == PoolMode::kAverageWithPadding
                                  ? windows.volume()
                                  : static_cast<int64_t>(elements.size());
        for (const int64_t element : elements) {
          add(element, gradient.values[o] / static_cast<T>(count));
        }
      });
      to.Write(dx, channel, alpha, beta);
    }
  }
}

}  // namespace

bool Pooling::IsConsistent() const {
  const size_t num_spatial = window.sizes.size();
  if (x.dims.size() != num_spatial + 2 || y.dims.size() != x.dims.size() || num_spatial > 3 ||
      x.dims[0] != y.dims[0] || x.dims[1] != y.dims[1]) {
    return false;
  }
  for (size_t d = 0; d < num_spatial; ++d) {
    const int64_t num = window.NumAlong(d, x.dims[2 + d], window.sizes[d]);
    if (num == 0 || y.dims[2 + d] != num) return false;
  }
  return true;
}

void RunPoolForward(const Pooling& pooling, double alpha, const void* x, double beta, void* y) {
  if (pooling.x.type == cudnn::CUDNN_DATA_DOUBLE) {
    Forward<double>(pooling, alpha, x, beta, y);
  } else {
    Forward<float>(pooling, alpha, x, beta, y);
  }
}

void RunPoolBackward(const Pooling& pooling, double alpha, const void* dy, const void* x,
                     double beta, void* dx) {
  if (pooling.x.type == cudnn::CUDNN_DATA_DOUBLE) {
    Backward<double>(pooling, alpha, dy, x, beta, dx);
  } else {
    Backward<float>(pooling, alpha, dy, x, beta, dx);
  }
}

}  // namespace tfrt::gpu::cudnn_double
