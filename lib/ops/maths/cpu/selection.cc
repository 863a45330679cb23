#include "selection.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"

namespace tfrt::cpu {
namespace {

// Numbers in their order, then NaN.
template <typename T>
bool IsLess(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a) return false;
    if (b != b) return true;
  }
  return a < b;
}

template <typename T>
void TopKRow(const TopKSizes& sizes, const T* in, T* values, int64_t* indices, std::vector<T>& row,
             std::vector<int64_t>& order) {
  for (int64_t i = 0; i < sizes.size; ++i) row[static_cast<size_t>(i)] = in[i * sizes.inner];
  std::iota(order.begin(), order.end(), int64_t{0});
  auto comes_first = [&](int64_t a, int64_t b) {
    // Halves are compared as floats.
    using Compared = std::conditional_t<tfrt::internal::kIsHalf<T>, float, T>;
    const auto x = static_cast<Compared>(row[static_cast<size_t>(a)]);
    const auto y = static_cast<Compared>(row[static_cast<size_t>(b)]);
    if (sizes.largest ? IsLess(y, x) : IsLess(x, y)) return true;
    if (sizes.largest ? IsLess(x, y) : IsLess(y, x)) return false;
    return a < b;
  };
  std::partial_sort(order.begin(), order.begin() + sizes.k, order.end(), comes_first);
  for (int64_t i = 0; i < sizes.k; ++i) {
    const int64_t at = order[static_cast<size_t>(i)];
    values[i * sizes.inner] = row[static_cast<size_t>(at)];
    indices[i * sizes.inner] = at;
  }
}

template <typename T>
bool IsNonZero(T value) {
  if constexpr (tfrt::internal::kIsHalf<T>) {
    return static_cast<float>(value) != 0;
  } else {
    return value != T(0);
  }
}

// Calls fn(elements) with those of the dtype; any byte of an i1 that is not 0 is true.
template <typename F>
void WithElements(DType dtype, const void* data, F&& fn) {
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
    using Read = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
    fn(static_cast<const Read*>(data));
  });
}

struct Box {
  float y1, x1, y2, x2;
  float area() const { return (y2 - y1) * (x2 - x1); }
};

Box BoxAt(const float* numbers, bool center_point) {
  const float a = numbers[0], b = numbers[1], c = numbers[2], d = numbers[3];
  if (center_point) return {b - d / 2, a - c / 2, b + d / 2, a + c / 2};
  return {std::min(a, c), std::min(b, d), std::max(a, c), std::max(b, d)};
}

bool Overlap(const Box& a, const Box& b, float threshold) {
  const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  if (!(height > 0) || !(width > 0) || !(a.area() > 0) || !(b.area() > 0)) return false;
  const float both = height * width;
  return both / (a.area() + b.area() - both) > threshold;
}

}  // namespace

void TopK(const TopKSizes& sizes, DType dtype, const void* in, void* values, int64_t* indices,
          int64_t begin, int64_t end) {
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
    if constexpr (!tfrt::internal::kIsComplex<T> && !std::is_same_v<T, bool>) {
      std::vector<T> row(static_cast<size_t>(sizes.size));
      std::vector<int64_t> order(row.size());
      for (int64_t i = begin; i < end; ++i) {
        const int64_t outer = i / sizes.inner, inner = i % sizes.inner;
        const int64_t at = outer * sizes.k * sizes.inner + inner;
        TopKRow(sizes, static_cast<const T*>(in) + outer * sizes.size * sizes.inner + inner,
                static_cast<T*>(values) + at, indices + at, row, order);
      }
    }
  });
}

int64_t CountNonZero(DType dtype, const void* in, int64_t count) {
  int64_t found = 0;
  WithElements(dtype, in, [&](const auto* elements) {
    for (int64_t i = 0; i < count; ++i) found += IsNonZero(elements[i]);
  });
  return found;
}

void NonZero(DType dtype, const void* in, const TensorShape& shape, int64_t num_nonzero,
             int64_t* out) {
  const ShapeDims dims = shape.dims();
  const int64_t count = shape.num_elements();
  WithElements(dtype, in, [&](const auto* elements) {
    int64_t found = 0;
    // No more than were counted: somebody may have changed them.
    for (int64_t i = 0; i < count && found < num_nonzero; ++i) {
      if (!IsNonZero(elements[i])) continue;
      int64_t rest = i;
      for (size_t d = dims.size(); d-- > 0; rest /= dims[d]) {
        out[static_cast<int64_t>(d) * num_nonzero + found] = rest % dims[d];
      }
      ++found;
    }
    for (; found < num_nonzero; ++found) {
      for (size_t d = 0; d < dims.size(); ++d)
        out[static_cast<int64_t>(d) * num_nonzero + found] = 0;
    }
  });
}

std::vector<std::array<int64_t, 3>> NonMaxSuppression(const NmsOptions& options, const float* boxes,
                                                      const float* scores) {
  std::vector<std::array<int64_t, 3>> chosen;
  std::vector<int64_t> candidates;
  std::vector<float> score(static_cast<size_t>(options.count));
  std::vector<Box> kept;
  for (int64_t row = 0; row < options.batch * options.classes; ++row) {
    const int64_t batch = row / options.classes;
    // A copy: sorting by scores that somebody changes would leave the candidates' memory.
    std::copy_n(scores + row * options.count, options.count, score.begin());
    const float* numbers = boxes + batch * options.count * 4;
    candidates.clear();
    for (int64_t i = 0; i < options.count; ++i) {
      if (score[static_cast<size_t>(i)] > options.score_threshold) candidates.push_back(i);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](int64_t a, int64_t b) {
      return score[static_cast<size_t>(a)] > score[static_cast<size_t>(b)];
    });
    kept.clear();
    for (int64_t i : candidates) {
      if (static_cast<int64_t>(kept.size()) >= options.max_boxes) break;
      const Box box = BoxAt(numbers + i * 4, options.center_point);
      auto overlaps = [&](const Box& better) {
        return Overlap(box, better, options.iou_threshold);
      };
      if (std::ranges::any_of(kept, overlaps)) continue;
      kept.push_back(box);
      chosen.push_back({batch, row % options.classes, i});
    }
  }
  return chosen;
}

}  // namespace tfrt::cpu
