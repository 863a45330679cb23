#include "partial_shape.h"

#include <algorithm>

#include "tfrt/support/str_cat.h"

namespace tfrt {

StatusOr<PartialTensorShape> PartialTensorShape::Create(std::span<const int64_t> dims) {
  // The checks of a shape in which the unknown dimensions are 1.
  std::vector<int64_t> known(dims.begin(), dims.end());
  for (int64_t& dim : known) {
    if (dim < kUnknownDim) {
      return InvalidArgumentError(
          StrCat("partial shape ", DimsToString(dims), " has the dimension ", dim, " below -1"));
    }
    if (dim == kUnknownDim) dim = 1;
  }
  TFRT_RETURN_IF_ERROR(TensorShape::CreateOfAnySize(known).status());
  PartialTensorShape shape;
  shape.has_rank_ = true;
  shape.dims_.assign(dims.begin(), dims.end());
  return shape;
}

PartialTensorShape::PartialTensorShape(const TensorShape& shape) : has_rank_(true) {
  ShapeDims dims = shape.dims();
  dims_.assign(dims.begin(), dims.end());
}

bool PartialTensorShape::IsFullyKnown() const {
  return has_rank_ && !std::ranges::count(dims_, kUnknownDim);
}

StatusOr<TensorShape> PartialTensorShape::ToShape() const {
  if (!has_rank_) return InvalidArgumentError("Unknown rank");
  if (!IsFullyKnown()) {
    std::vector<int64_t> unknown;
    for (size_t i = 0; i < dims_.size(); ++i) {
      if (dims_[i] == kUnknownDim) unknown.push_back(static_cast<int64_t>(i));
    }
    return InvalidArgumentError(
        StrCat("Unknown dimensions at following indices = ", DimsToString(unknown)));
  }
  return TensorShape::CreateOfAnySize(dims_);
}

bool PartialTensorShape::Admits(const TensorShape& shape) const {
  if (!has_rank_) return true;
  return std::ranges::equal(dims_, shape.dims(), [](int64_t mine, int64_t dim) {
    return mine == kUnknownDim || mine == dim;
  });
}

std::string PartialTensorShape::ToString() const {
  return has_rank_ ? DimsToString(dims_) : "Unknown rank";
}

}  // namespace tfrt
