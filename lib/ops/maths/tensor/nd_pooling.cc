#include "nd_pooling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/cpu/pooling.h"
#include "lib/ops/maths/pooling.h"
#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

using Taps = WindowDimension::Taps;

// Images as planes of elements that windows do not mix: a plane for each channel with channels
// first, else one for each image, whose places hold `inner` channels.
struct Planes {
  explicit Planes(const NdWindows& windows)
      : windows(windows),
        count(windows.batch * (windows.channels_last ? 1 : windows.channels)),
        inner(windows.channels_last ? windows.channels : 1) {}

  const WindowDimension& depth() const { return windows.dims[0]; }
  const WindowDimension& rows() const { return windows.dims[1]; }
  const WindowDimension& columns() const { return windows.dims[2]; }
  int64_t in_line() const { return columns().input * inner; }
  int64_t out_line() const { return columns().output * inner; }
  int64_t lines_per_plane() const { return depth().output * rows().output; }

  NdWindows windows;
  int64_t count, inner;
};

// The largest element.
template <typename T>
struct Largest {
  using Sum = std::conditional_t<internal::kIsHalf<T>, float, T>;
  static constexpr Sum kStart = std::numeric_limits<Sum>::has_infinity
                                    ? -std::numeric_limits<Sum>::infinity()
                                    : std::numeric_limits<Sum>::lowest();
  static Sum Take(T x) { return CastElement<Sum>(x); }
  static Sum Join(Sum a, Sum b) { return b > a || b != b ? b : a; }
  static T Finish(Sum sum, int64_t) { return CastElement<T>(sum); }
};

// In which floating-point numbers are summed.
template <typename T>
using FloatSum = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <typename T>
struct Mean {
  using Sum = FloatSum<T>;
  static constexpr Sum kStart = 0;
  static Sum Take(T x) { return CastElement<Sum>(x); }
  static Sum Join(Sum a, Sum b) { return a + b; }
  static T Finish(Sum sum, int64_t count) { return CastElement<T>(sum / static_cast<Sum>(count)); }
};

template <typename T>
struct Norm {
  using Sum = FloatSum<T>;
  static constexpr Sum kStart = 0;
  Sum Take(T x) const {
    const Sum magnitude = std::fabs(CastElement<Sum>(x));
    return p == 1 ? magnitude : p == 2 ? magnitude * magnitude : std::pow(magnitude, Sum(p));
  }
  static Sum Join(Sum a, Sum b) { return a + b; }
  T Finish(Sum sum, int64_t) const {
    return CastElement<T>(p == 1 ? sum : p == 2 ? std::sqrt(sum) : std::pow(sum, 1 / Sum(p)));
  }
  int64_t p;
};

// How many taps of a window lie on the image, or on the image with its padding.
int64_t CountTaps(const WindowDimension& dim, int64_t index, bool count_padding) {
  const Taps taps = dim.TapsOf(index);
  if (!count_padding) return taps.end - taps.begin;
  const int64_t room = dim.input + dim.pad_after - taps.first_position;
  return room <= 0 ? 0 : std::min(dim.filter, (room - 1) / dim.dilation + 1);
}

template <typename T, typename Pool>
void JoinLine(const Pool& pool, const T* in, typename Pool::Sum* line, int64_t count) {
  if constexpr (std::is_same_v<Pool, Largest<float>>) {
    cpu::MaxLine(in, line, count);
  } else if constexpr (std::is_same_v<Pool, Mean<float>>) {
    cpu::AddLine(in, line, count);
  } else {
    for (int64_t i = 0; i < count; ++i) line[i] = pool.Join(line[i], pool.Take(in[i]));
  }
}

// A line of the output: first the lines under its windows become one, then its columns.
template <typename T, typename Pool>
void PoolLine(const Planes& planes, const Pool& pool, bool count_padding, const T* in, T* out,
              int64_t index, std::vector<typename Pool::Sum>& line) {
  const int64_t plane = index / planes.lines_per_plane();
  const int64_t out_z = index % planes.lines_per_plane() / planes.rows().output;
  const int64_t out_y = index % planes.rows().output;
  const WindowDimension &depth = planes.depth(), &rows = planes.rows(), &columns = planes.columns();
  const Taps z = depth.TapsOf(out_z), y = rows.TapsOf(out_y);
  std::fill(line.begin(), line.end(), Pool::kStart);
  const T* image = in + plane * planes.windows.in_pixels() * planes.inner;
  for (int64_t i = z.begin; i < z.end; ++i) {
    for (int64_t j = y.begin; j < y.end; ++j) {
      const int64_t row = (z.first_position + i * depth.dilation) * rows.input + y.first_position +
                          j * rows.dilation;
      JoinLine<T>(pool, image + row * planes.in_line(), line.data(), planes.in_line());
    }
  }
  const int64_t lines_count =
      CountTaps(depth, out_z, count_padding) * CountTaps(rows, out_y, count_padding);
  const int64_t inner = planes.inner;
  out += index * planes.out_line();
  for (int64_t x = 0; x < columns.output; ++x, out += inner) {
    const Taps taps = columns.TapsOf(x);
    const int64_t count = lines_count * CountTaps(columns, x, count_padding);
    for (int64_t c = 0; c < inner; ++c) {
      auto sum = Pool::kStart;
      for (int64_t k = taps.begin; k < taps.end; ++k) {
        const int64_t column = taps.first_position + k * columns.dilation;
        sum = pool.Join(sum, line[static_cast<size_t>(column * inner + c)]);
      }
      out[c] = pool.Finish(sum, count);
    }
  }
}

size_t LineCost(const Planes& planes) {
  const double cost = double(planes.windows.taps()) * double(planes.out_line() + 1);
  return cost < double(kBlockCost) ? static_cast<size_t>(cost) : kBlockCost;
}

template <typename T, typename Pool>
Completion RunPool(const NdWindows& windows, Pool pool, bool count_padding,
                   const DenseHostTensor& in, DenseHostTensor& out,
                   const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  if (out.num_elements() == 0) return GetReadyChain();
  const Planes planes(windows);
  const auto* from = static_cast<const T*>(in.data());
  auto* to = static_cast<T*>(data);
  return RunBlocks(exec_ctx, static_cast<size_t>(planes.count * planes.lines_per_plane()),
                   ItemsPerBlock(LineCost(planes)), {&in, &out}, [=](size_t begin, size_t end) {
                     std::vector<typename Pool::Sum> line(static_cast<size_t>(planes.in_line()));
                     for (size_t i = begin; i < end; ++i) {
                       PoolLine(planes, pool, count_padding, from, to, static_cast<int64_t>(i),
                                line);
                     }
                   });
}

template <typename T>
void MaxWithPlaces(const Planes& planes, const T* in, T* out, int64_t* places, int64_t index) {
  const int64_t plane = index / planes.lines_per_plane();
  const WindowDimension &depth = planes.depth(), &rows = planes.rows(), &columns = planes.columns();
  const Taps z = depth.TapsOf(index % planes.lines_per_plane() / rows.output),
             y = rows.TapsOf(index % rows.output);
  const int64_t image = plane * planes.windows.in_pixels() * planes.inner;
  int64_t to = index * planes.out_line();
  for (int64_t i = 0; i < columns.output; ++i) {
    const Taps x = columns.TapsOf(i);
    for (int64_t c = 0; c < planes.inner; ++c, ++to) {
      auto largest = Largest<T>::kStart;
      int64_t place = -1;
      for (int64_t a = z.begin; a < z.end; ++a) {
        for (int64_t b = y.begin; b < y.end; ++b) {
          const int64_t row = (z.first_position + a * depth.dilation) * rows.input +
                              y.first_position + b * rows.dilation;
          for (int64_t k = x.begin; k < x.end; ++k) {
            const int64_t column = x.first_position + k * columns.dilation;
            const int64_t at = image + (row * columns.input + column) * planes.inner + c;
            const auto value = Largest<T>::Take(in[at]);
            if (place >= 0 && !(value > largest) && (value == value || largest != largest)) {
              continue;
            }
            largest = value;
            place = at;
          }
        }
      }
      out[to] = Largest<T>::Finish(largest, 0);
      places[to] = std::max<int64_t>(place, 0);
    }
  }
}

template <typename T>
Completion RunMaxWithPlaces(const NdWindows& windows, const DenseHostTensor& in,
                            DenseHostTensor& out, DenseHostTensor& places,
                            const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  TFRT_ASSIGN_OR_RETURN(void* places_data, places.MutableData());
  if (out.num_elements() == 0) return GetReadyChain();
  const Planes planes(windows);
  const auto* from = static_cast<const T*>(in.data());
  auto* to = static_cast<T*>(data);
  auto* at = static_cast<int64_t*>(places_data);
  return RunBlocks(exec_ctx, static_cast<size_t>(planes.count * planes.lines_per_plane()),
                   ItemsPerBlock(LineCost(planes)), {&in, &out, &places},
                   [=](size_t begin, size_t end) {
                     for (size_t i = begin; i < end; ++i) {
                       MaxWithPlaces(planes, from, to, at, static_cast<int64_t>(i));
                     }
                   });
}

template <typename T>
inline constexpr bool kIsFloat = internal::kIsHalf<T> || std::is_floating_point_v<T>;
template <typename T>
inline constexpr bool kIsReal = kIsFloat<T> || (std::is_integral_v<T> && !std::is_same_v<T, bool>);

Status NoPool(std::string_view name, DType dtype) {
  return InvalidArgumentError(StrCat("no ", name, " of ", DTypeName(dtype)));
}

// True if the loops for images with channels last compute this pooling of this dtype with vectors.
bool HasVectorLoops(const NdWindows& windows, const DenseHostTensor& in, bool has_bytes) {
  const bool is_byte = in.dtype() == DType::kUI8 || in.dtype() == DType::kI8;
  return (in.dtype() == DType::kF32 || (has_bytes && is_byte)) && windows.channels_last &&
         windows.num_spatial == 2 && in.num_elements() > 0;
}
cpu::Pool2d ToPool2d(const NdWindows& windows) {
  return {windows.batch, windows.channels, {windows.dims[1], windows.dims[2]}};
}

}  // namespace

Completion MaxPool(const NdWindows& windows, const DenseHostTensor& in, DenseHostTensor& out,
                   DenseHostTensor* places, const ExecutionContext& exec_ctx) {
  if (!places && HasVectorLoops(windows, in, true)) {
    const cpu::Pool2d pool = ToPool2d(windows);
    return in.dtype() == DType::kF32 ? MaxPool2d(pool, in, out, exec_ctx)
                                     : MaxPool2dOfBytes(pool, in, out, exec_ctx);
  }
  Completion done = NoPool("max pooling", in.dtype());
  DispatchDType(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    if constexpr (kIsReal<T>) {
      done = places ? RunMaxWithPlaces<T>(windows, in, out, *places, exec_ctx)
                    : RunPool<T>(windows, Largest<T>(), false, in, out, exec_ctx);
    }
  });
  return done;
}

Completion AveragePool(const NdWindows& windows, bool count_padding, const DenseHostTensor& in,
                       DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  if (!count_padding && HasVectorLoops(windows, in, false)) {
    return AveragePool2d(ToPool2d(windows), in, out, exec_ctx);
  }
  Completion done = NoPool("average pooling", in.dtype());
  DispatchDType(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    if constexpr (kIsFloat<T>) {
      done = RunPool<T>(windows, Mean<T>(), count_padding, in, out, exec_ctx);
    }
  });
  return done;
}

Completion LpPool(const NdWindows& windows, int64_t p, const DenseHostTensor& in,
                  DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  if (p < 1) return InvalidArgumentError(StrCat("p is ", p, ", expected 1 or more"));
  Completion done = NoPool("p-norm pooling", in.dtype());
  DispatchDType(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    if constexpr (kIsFloat<T>) {
      done = RunPool<T>(windows, Norm<T>{p}, false, in, out, exec_ctx);
    }
  });
  return done;
}

}  // namespace tfrt::maths
