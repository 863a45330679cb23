#include "axes.h"

#include <algorithm>

#include "tfrt/support/str_cat.h"

namespace tfrt {

StatusOr<size_t> NormalizeAxis(int64_t axis, const TensorShape& shape) {
  auto rank = static_cast<int64_t>(shape.rank());
  if (axis < -rank || axis >= rank) {
    return InvalidArgumentError(
        StrCat("axis ", axis, " is out of range for the shape ", shape.ToString()));
  }
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

Status CheckPermutation(std::span<const int64_t> permutation, size_t rank) {
  bool is_one = permutation.size() == rank;
  InlineVector<bool, 8> seen;
  for (size_t i = 0; is_one && i < rank; ++i) seen.push_back(false);
  for (size_t i = 0; is_one && i < rank; ++i) {
    const int64_t axis = permutation[i];
    is_one = axis >= 0 && axis < static_cast<int64_t>(rank) && !seen[static_cast<size_t>(axis)];
    if (is_one) seen[static_cast<size_t>(axis)] = true;
  }
  if (is_one) return OkStatus();
  return InvalidArgumentError(
      StrCat(permutation.size(), " numbers are not a permutation of ", rank, " dimensions"));
}

StatusOr<Axes> NormalizeAxes(std::span<const int64_t> axes, const TensorShape& in) {
  Axes result;
  if (axes.empty()) {
    for (size_t i = 0; i < in.rank(); ++i) result.push_back(i);
    return result;
  }
  for (int64_t axis : axes) {
    TFRT_ASSIGN_OR_RETURN(size_t normal, NormalizeAxis(axis, in));
    if (std::ranges::find(result, normal) != result.end()) {
      return InvalidArgumentError(StrCat("axis ", axis, " is reduced twice"));
    }
    result.push_back(normal);
  }
  std::ranges::sort(result);
  return result;
}

StatusOr<TensorShape> ReducedShape(const TensorShape& in, std::span<const size_t> axes,
                                   bool keep_dims) {
  InlineVector<int64_t, 8> dims;
  for (size_t i = 0; i < in.rank(); ++i) {
    if (!std::ranges::binary_search(axes, i)) {
      dims.push_back(in.dim(i));
    } else if (keep_dims) {
      dims.push_back(1);
    }
  }
  return TensorShape::Create(dims);
}

}  // namespace tfrt
