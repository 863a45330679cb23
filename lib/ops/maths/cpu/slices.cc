#include "slices.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "sort.h"

namespace tfrt::cpu {
namespace {

// -1, 0 or 1; NaN is larger than all numbers, and equal to itself.
template <typename T>
int Compare(T a, T b) {
  if constexpr (tfrt::internal::kIsHalf<T>) {
    return Compare(static_cast<float>(a), static_cast<float>(b));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return (a != a) - (b != b);
    return (a > b) - (a < b);
  } else {
    return (a > b) - (a < b);
  }
}

// Integers wrap around.
template <typename T>
T Sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  } else {
    return static_cast<T>(a + b);
  }
}

template <typename T>
int CompareSlices(const SliceSizes& sizes, const T* in, int64_t a, int64_t b) {
  for (int64_t outer = 0; outer < sizes.outer; ++outer) {
    const T* block = in + outer * sizes.size * sizes.inner;
    for (int64_t i = 0; i < sizes.inner; ++i) {
      const int order = Compare(block[a * sizes.inner + i], block[b * sizes.inner + i]);
      if (order != 0) return order;
    }
  }
  return 0;
}

template <typename T>
UniqueSlices UniqueOf(const SliceSizes& sizes, const T* in, bool sorted) {
  std::vector<int64_t> order(static_cast<size_t>(sizes.size));
  if (sizes.outer == 1 && sizes.inner == 1 && sizes.size > 0) {
    ArgSort({.size = sizes.size}, DTypeOf<T>(), in, DType::kI64, order.data(), 0, 1);
  } else {
    std::iota(order.begin(), order.end(), int64_t{0});
    // Stable, as equal slices are ordered by their places. Sorting by a heap stays within `order`
    // even if somebody changes the elements meanwhile.
    std::partial_sort(order.begin(), order.end(), order.end(), [&](int64_t a, int64_t b) {
      const int compared = CompareSlices(sizes, in, a, b);
      return compared != 0 ? compared < 0 : a < b;
    });
  }
  UniqueSlices found;
  found.inverse.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || CompareSlices(sizes, in, order[i - 1], order[i]) != 0) {
      found.first.push_back(order[i]);
      found.counts.push_back(0);
    }
    ++found.counts.back();
    found.inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(found.first.size()) - 1;
  }
  if (sorted) return found;
  // The same in the order of the first times.
  std::vector<size_t> by_place(found.first.size());
  std::iota(by_place.begin(), by_place.end(), size_t{0});
  std::ranges::sort(by_place, {}, [&](size_t i) { return found.first[i]; });
  UniqueSlices placed;
  std::vector<int64_t> rank(by_place.size());
  for (size_t i : by_place) {
    rank[i] = static_cast<int64_t>(placed.first.size());
    placed.first.push_back(found.first[i]);
    placed.counts.push_back(found.counts[i]);
  }
  for (int64_t each : found.inverse) placed.inverse.push_back(rank[static_cast<size_t>(each)]);
  return placed;
}

}  // namespace

UniqueSlices FindUnique(const SliceSizes& sizes, DType dtype, const void* in, bool sorted) {
  UniqueSlices found;
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
    if constexpr (!tfrt::internal::kIsComplex<T>) {
      using Read = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
      found = UniqueOf(sizes, static_cast<const Read*>(in), sorted);
    }
  });
  return found;
}

void ReverseSequences(const ReverseSizes& sizes, const int64_t* lengths, const void* in, void* out,
                      int64_t begin, int64_t end) {
  const auto* from = static_cast<const char*>(in);
  auto* to = static_cast<char*>(out) + static_cast<size_t>(begin) * sizes.inner_bytes;
  const int64_t first_stride = sizes.middle * sizes.second;
  for (int64_t row = begin; row < end; ++row, to += sizes.inner_bytes) {
    const int64_t second = row % sizes.second, first = row / first_stride % sizes.first;
    const int64_t batch = sizes.batch_is_first ? first : second;
    const int64_t time = sizes.batch_is_first ? second : first;
    const int64_t stride = sizes.batch_is_first ? 1 : first_stride;
    const int64_t source = time < lengths[batch] ? lengths[batch] - 1 - time : time;
    std::memcpy(to, from + static_cast<size_t>(row + (source - time) * stride) * sizes.inner_bytes,
                sizes.inner_bytes);
  }
}

bool AddBlocks(const std::vector<BlockDim>& dims, DType dtype, const void* in, void* out,
               int64_t begin, int64_t end) {
  int64_t image_size = 1, num_blocks = 1, num_counts = 1;
  for (const BlockDim& dim : dims) {
    image_size *= dim.image;
    num_blocks *= dim.block;
    num_counts *= dim.count;
  }
  bool is_number = false;
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, bool>) {
      is_number = true;
      const T* from = static_cast<const T*>(in) + begin * num_blocks * num_counts;
      for (int64_t row = begin; row < end; ++row) {
        T* to = static_cast<T*>(out) + row * image_size;
        std::fill_n(to, image_size, T(0));
        for (int64_t b = 0; b < num_blocks; ++b) {
          for (int64_t c = 0; c < num_counts; ++c, ++from) {
            int64_t rest_b = b, rest_c = c, offset = 0, stride = 1;
            bool is_inside = true;
            for (size_t d = dims.size(); d-- > 0;) {
              const BlockDim& dim = dims[d];
              const int64_t place =
                  rest_c % dim.count * dim.stride - dim.before + rest_b % dim.block * dim.dilation;
              rest_c /= dim.count;
              rest_b /= dim.block;
              is_inside = is_inside && place >= 0 && place < dim.image;
              offset += place * stride;
              stride *= dim.image;
            }
            if (is_inside) to[offset] = Sum(to[offset], *from);
          }
        }
      }
    }
  });
  return is_number;
}

}  // namespace tfrt::cpu
