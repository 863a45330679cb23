#include "tfrt/tensor/shape.h"

#include <algorithm>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

bool FitsIn(std::span<const int64_t> dims, size_t max_rank, int64_t max_dim) {
  return dims.size() <= max_rank &&
         std::ranges::all_of(dims, [max_dim](int64_t dim) { return dim <= max_dim; });
}

// Zeros are left out of the product, so that strides fit an int64_t too.
bool ProductFits(std::span<const int64_t> dims) {
  int64_t product = 1;
  return std::ranges::none_of(dims, [&product](int64_t dim) {
    return dim != 0 && __builtin_mul_overflow(product, dim, &product);
  });
}

Status CheckDims(std::span<const int64_t> dims) {
  if (dims.size() > TensorShape::kMaxRank) {
    return InvalidArgumentError(
        StrCat("a shape of rank ", dims.size(), " is above the limit of ", TensorShape::kMaxRank));
  }
  auto negative = std::ranges::find_if(dims, [](int64_t dim) { return dim < 0; });
  if (negative == dims.end()) return OkStatus();
  return InvalidArgumentError(
      StrCat("shape ", DimsToString(dims), " has the negative dimension ", *negative));
}

Status ProductError(std::span<const int64_t> dims) {
  return InvalidArgumentError(
      StrCat("shape ", DimsToString(dims), " has more than ", INT64_MAX, " elements"));
}

}  // namespace

std::string DimsToString(std::span<const int64_t> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(dims[i]);
  }
  return text + "]";
}

size_t HashDims(std::span<const int64_t> dims) {
  // FNV-1a over the numbers instead of the bytes, with a shift that brings high bits down.
  uint64_t hash = 14695981039346656037u;
  for (int64_t dim : dims) {
    hash = (hash ^ static_cast<uint64_t>(dim)) * 1099511628211u;
    hash ^= hash >> 32;
  }
  return static_cast<size_t>(hash ^ dims.size());
}

void RowMajorStrides(std::span<const int64_t> dims, std::span<int64_t> strides) {
  assert(dims.size() == strides.size());
  int64_t stride = 1;  // a product of dimensions of a valid shape, so it does not overflow
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
}

StatusOr<TensorShape> TensorShape::Create(std::span<const int64_t> dims) {
  TFRT_RETURN_IF_ERROR(CheckDims(dims));
  if (!ProductFits(dims)) return ProductError(dims);
  return TensorShape(dims, /*product_fits=*/true);
}

StatusOr<TensorShape> TensorShape::CreateOfAnySize(std::span<const int64_t> dims) {
  TFRT_RETURN_IF_ERROR(CheckDims(dims));
  return TensorShape(dims, ProductFits(dims));
}

TensorShape::TensorShape(std::span<const int64_t> valid_dims, bool product_fits) {
  bits_.rank = static_cast<uint8_t>(valid_dims.size());
  if (product_fits && FitsIn(valid_dims, kMax16Bit, UINT16_MAX)) {
    for (size_t i = 0; i < rank(); ++i) Store(i, static_cast<uint16_t>(valid_dims[i]));
  } else if (product_fits && FitsIn(valid_dims, kMax32Bit, UINT32_MAX)) {
    bits_.encoding = Encoding::k32Bit;
    for (size_t i = 0; i < rank(); ++i) Store(i, static_cast<uint32_t>(valid_dims[i]));
  } else {
    bits_.encoding = Encoding::kHeap;
    auto* copy = new int64_t[rank()];
    std::ranges::copy(valid_dims, copy);
    Store(0, copy);
  }
}

TensorShape::TensorShape(std::initializer_list<int64_t> dims) {
  StatusOr<TensorShape> shape = Create(std::span(dims.begin(), dims.size()));
  assert(shape.ok() && "an invalid shape in the program itself");
  *this = *std::move(shape);
}

void TensorShape::CopyHeap() {
  auto* copy = new int64_t[rank()];
  std::copy_n(heap(), rank(), copy);
  Store(0, copy);
}

int64_t TensorShape::LongProduct() const {
  int64_t product = 1;
  bool fits = true;
  for (size_t i = 0; i < rank(); ++i) {
    if (dim(i) == 0) return 0;
    fits &= !__builtin_mul_overflow(product, dim(i), &product);
  }
  return fits ? product : INT64_MAX;
}

Status TensorShape::CheckLongProduct() const {
  ShapeDims dims = this->dims();
  return ProductFits(dims) ? OkStatus() : ProductError(dims);
}

ShapeDims TensorShape::dims() const {
  ShapeDims dims;
  dims.size_ = rank();
  if (bits_.encoding == Encoding::kHeap) {
    dims.external_ = heap();
  } else {
    for (size_t i = 0; i < rank(); ++i) dims.inline_[i] = dim(i);
  }
  return dims;
}

std::string TensorShape::ToString() const { return DimsToString(dims()); }

size_t TensorShape::Hash() const { return HashDims(dims()); }

bool TensorShape::EqualHeaps(const TensorShape& a, const TensorShape& b) {
  return a.rank() == b.rank() && std::equal(a.heap(), a.heap() + a.rank(), b.heap());
}

}  // namespace tfrt
