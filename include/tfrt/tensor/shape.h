// TensorShape: the fully known shape of a tensor.
#ifndef TFRT_TENSOR_SHAPE_H_
#define TFRT_TENSOR_SHAPE_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "tfrt/support/status.h"

namespace tfrt {

// Dimensions, all >= 0, whose product is known to fit an int64_t. Immutable but for assignment. Up
// to kInlineRank dimensions need no heap memory.
class TensorShape {
 public:
  static constexpr size_t kInlineRank = 4;
  static constexpr size_t kMaxRank = 255;

  // InvalidArgument for a negative dimension, a rank above kMaxRank, or dimensions whose product
  // (not counting zeros) does not fit an int64_t.
  static StatusOr<TensorShape> Create(std::span<const int64_t> dims);

  // Rank 0: one element.
  TensorShape() = default;
  // For shapes the program itself knows to be valid.
  TensorShape(std::initializer_list<int64_t> dims);
  TensorShape(const TensorShape& other);
  TensorShape(TensorShape&& other) noexcept;
  TensorShape& operator=(TensorShape other) noexcept;
  ~TensorShape() = default;

  size_t rank() const { return rank_; }
  int64_t num_elements() const { return num_elements_; }
  std::span<const int64_t> dims() const { return {heap_ ? heap_.get() : inline_, rank_}; }
  // Needs index < rank().
  int64_t dim(size_t index) const {
    assert(index < rank_);
    return dims()[index];
  }

  // "[2, 3]"; "[]" for rank 0.
  std::string ToString() const;

  friend bool operator==(const TensorShape& a, const TensorShape& b);

 private:
  explicit TensorShape(std::span<const int64_t> valid_dims, int64_t num_elements);

  int64_t inline_[kInlineRank] = {};
  std::unique_ptr<int64_t[]> heap_;  // used when rank_ > kInlineRank
  int64_t num_elements_ = 1;
  uint32_t rank_ = 0;
};

// "[2, 3]", for dimensions that need not be valid.
std::string DimsToString(std::span<const int64_t> dims);

}  // namespace tfrt

#endif  // TFRT_TENSOR_SHAPE_H_
