// KnownSizes gives shape rules (lib/format/op_table/shape_inference.h) tensors whose sizes are all
// known. It has the same names as for symbolic shapes, on TensorShape. Where a rule tests whether a
// size is known the compiler removes the test.
#ifndef TFRT_LIB_RUNTIME_TENSOR_KNOWN_SIZES_H_
#define TFRT_LIB_RUNTIME_TENSOR_KNOWN_SIZES_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "lib/format/op_table/shape_inference.h"
#include "tfrt/support/status.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// A size, as Dim has it.
class KnownDim {
 public:
  KnownDim() = default;
  constexpr KnownDim(int64_t value) : value_(value) {}  // NOLINT: implicit by design
  static constexpr bool is_known() { return true; }
  constexpr bool is(int64_t value) const { return value_ == value; }
  constexpr int64_t value() const { return value_; }
  constexpr bool IsSameAs(KnownDim other) const { return value_ == other.value_; }
  constexpr bool Contradicts(KnownDim other) const { return value_ != other.value_; }
  std::string ToString() const { return StrCat(value_); }

 private:
  int64_t value_;
};

// Sizes on the stack.
class KnownDims {
 public:
  KnownDims() {}  // NOLINT: the array stays uninitialised
  void push_back(KnownDim dim) {
    assert(size_ < kCapacity);
    dims_[size_++] = dim.value();
  }
  std::span<const int64_t> span() const { return {dims_, size_}; }

 private:
  // The capacity for sizes made of two shapes.
  static constexpr size_t kCapacity = 2 * TensorShape::kMaxRank;
  size_t size_ = 0;
  int64_t dims_[kCapacity];
};

constexpr bool HasRank(const TensorShape&) { return true; }
inline KnownDim DimOf(const TensorShape& shape, size_t index) { return shape.dim(index); }
inline KnownDim DimIfRanked(const TensorShape& shape, size_t index) { return shape.dim(index); }

inline bool Unite(KnownDim* a, KnownDim b) { return a->IsSameAs(b); }
inline bool Unite(TensorShape* a, const TensorShape& b) { return *a == b; }
inline bool Unite(TensorShape* a, size_t index, KnownDim* b) { return b->is(a->dim(index)); }

// The base class of calls of rules.
struct KnownSizes {
  using Value = TensorMetadata;
  using Size = KnownDim;
  using Dims = KnownDims;

  static Status MakeShape(const KnownDims& dims, TensorShape* shape) {
    StatusOr<TensorShape> made = TensorShape::Create(dims.span());
    if (!made.ok()) [[unlikely]]
      return made.status();
    *shape = *std::move(made);
    return OkStatus();
  }
  static bool MayHaveOneElement(const TensorMetadata& value) {
    return value.shape.num_elements() == 1;
  }
  static bool MayBeEmptyVector(const TensorShape& shape) { return shape == TensorShape{0}; }
};

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_TENSOR_KNOWN_SIZES_H_
