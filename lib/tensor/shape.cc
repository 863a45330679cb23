#include "tfrt/tensor/shape.h"

#include <algorithm>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt {

std::string DimsToString(std::span<const int64_t> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(dims[i]);
  }
  return text + "]";
}

StatusOr<TensorShape> TensorShape::Create(std::span<const int64_t> dims) {
  if (dims.size() > kMaxRank) {
    return InvalidArgumentError(
        StrCat("a shape of rank ", dims.size(), " is above the limit of ", kMaxRank));
  }
  // Zeros are left out of the checked product, so that strides fit an int64_t too.
  int64_t product = 1;
  bool has_zero = false;
  for (int64_t dim : dims) {
    if (dim < 0) {
      return InvalidArgumentError(
          StrCat("shape ", DimsToString(dims), " has the negative dimension ", dim));
    }
    if (dim == 0) {
      has_zero = true;
    } else if (__builtin_mul_overflow(product, dim, &product)) {
      return InvalidArgumentError(
          StrCat("shape ", DimsToString(dims), " has more than ", INT64_MAX, " elements"));
    }
  }
  return TensorShape(dims, has_zero ? 0 : product);
}

TensorShape::TensorShape(std::span<const int64_t> valid_dims, int64_t num_elements)
    : num_elements_(num_elements), rank_(static_cast<uint32_t>(valid_dims.size())) {
  int64_t* target = inline_;
  if (rank_ > kInlineRank) {
    heap_.reset(new int64_t[rank_]);
    target = heap_.get();
  }
  std::copy(valid_dims.begin(), valid_dims.end(), target);
}

TensorShape::TensorShape(std::initializer_list<int64_t> dims) {
  StatusOr<TensorShape> shape = Create(std::span(dims.begin(), dims.size()));
  assert(shape.ok() && "an invalid shape in the program itself");
  *this = *std::move(shape);
}

TensorShape::TensorShape(const TensorShape& other)
    : TensorShape(other.dims(), other.num_elements_) {}

TensorShape::TensorShape(TensorShape&& other) noexcept
    : heap_(std::move(other.heap_)),
      num_elements_(std::exchange(other.num_elements_, 1)),
      rank_(std::exchange(other.rank_, 0)) {
  std::copy_n(other.inline_, kInlineRank, inline_);
}

TensorShape& TensorShape::operator=(TensorShape other) noexcept {
  std::copy_n(other.inline_, kInlineRank, inline_);
  heap_ = std::move(other.heap_);
  num_elements_ = other.num_elements_;
  rank_ = other.rank_;
  return *this;
}

std::string TensorShape::ToString() const { return DimsToString(dims()); }

bool operator==(const TensorShape& a, const TensorShape& b) {
  return std::ranges::equal(a.dims(), b.dims());
}

}  // namespace tfrt
