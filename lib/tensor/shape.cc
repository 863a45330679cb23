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
  if (dims.size() > kMaxRank) {
    return InvalidArgumentError(
        StrCat("a shape of rank ", dims.size(), " is above the limit of ", kMaxRank));
  }
  // Zeros are left out of the checked product, so that strides fit an int64_t too.
  int64_t product = 1;
  for (int64_t dim : dims) {
    if (dim < 0) {
      return InvalidArgumentError(
          StrCat("shape ", DimsToString(dims), " has the negative dimension ", dim));
    }
    if (dim != 0 && __builtin_mul_overflow(product, dim, &product)) {
      return InvalidArgumentError(
          StrCat("shape ", DimsToString(dims), " has more than ", INT64_MAX, " elements"));
    }
  }
  return TensorShape(dims);
}

TensorShape::TensorShape(std::span<const int64_t> valid_dims) {
  bits_.rank = static_cast<uint8_t>(valid_dims.size());
  if (FitsIn(valid_dims, kMax16Bit, UINT16_MAX)) {
    for (size_t i = 0; i < rank(); ++i) Store(i, static_cast<uint16_t>(valid_dims[i]));
  } else if (FitsIn(valid_dims, kMax32Bit, UINT32_MAX)) {
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
  for (size_t i = 0; i < rank(); ++i) product *= dim(i);
  return product;
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
