// PartialTensorShape: a shape whose rank or some of whose dimensions may be unknown.
#ifndef TFRT_LIB_RUNTIME_TENSOR_PARTIAL_SHAPE_H_
#define TFRT_LIB_RUNTIME_TENSOR_PARTIAL_SHAPE_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/tensor/shape.h"

namespace tfrt {

class PartialTensorShape {
 public:
  static constexpr std::string_view kProgramTypeName = "partial shape";
  static constexpr int64_t kUnknownDim = -1;

  // Fails with InvalidArgument for dimensions below kUnknownDim and for a rank that no TensorShape
  // has.
  static StatusOr<PartialTensorShape> Create(std::span<const int64_t> dims);
  // Returns a shape of unknown rank.
  static PartialTensorShape Unranked() { return PartialTensorShape(); }
  explicit PartialTensorShape(const TensorShape& shape);

  bool has_rank() const { return has_rank_; }
  // These need has_rank().
  size_t rank() const { return dims().size(); }
  std::span<const int64_t> dims() const {
    assert(has_rank_);
    return dims_;
  }

  bool IsFullyKnown() const;
  // Fails with InvalidArgument "Unknown rank" or "Unknown dimensions at following indices = [0,
  // 2]". The shape may have any size, as with TensorShape::CreateOfAnySize.
  StatusOr<TensorShape> ToShape() const;
  // True if this shape may turn out to be `shape`.
  bool Admits(const TensorShape& shape) const;

  // Returns "[2, -1]", "[]" or "Unknown rank".
  std::string ToString() const;

  friend bool operator==(const PartialTensorShape&, const PartialTensorShape&) = default;
  size_t Hash() const { return has_rank_ ? HashDims(dims_) : 0; }

 private:
  PartialTensorShape() = default;

  bool has_rank_ = false;
  std::vector<int64_t> dims_;
};

}  // namespace tfrt

template <>
struct std::hash<tfrt::PartialTensorShape> {
  size_t operator()(const tfrt::PartialTensorShape& shape) const noexcept { return shape.Hash(); }
};

#endif  // TFRT_LIB_RUNTIME_TENSOR_PARTIAL_SHAPE_H_
