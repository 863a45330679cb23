// Shapes of results as the op table says them, for sizes and numbers that are all known.
#ifndef TFRT_LIB_OPS_MATHS_SHAPES_ROW_SHAPES_H_
#define TFRT_LIB_OPS_MATHS_SHAPES_ROW_SHAPES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "lib/runtime/tensor/known_sizes.h"
#include "tfrt/opinfo/value_type.h"
#include "tfrt/support/status.h"

namespace tfrt {

// A call of which the shapes are known, and whether matrices are transposed.
class ShapesCall : public KnownSizes {
 public:
  ShapesCall(std::initializer_list<const TensorShape*> shapes, bool transpose_a, bool transpose_b)
      : transposes_{transpose_a, transpose_b} {
    for (const TensorShape* shape : shapes) arguments_[count_++].shape = *shape;
  }
  size_t num_arguments() const { return count_; }
  const TensorMetadata& argument(size_t index) const { return arguments_[index]; }
  template <typename T>
  std::optional<T> Attr(RuleAttr name) const {
    return transposes_[name.canonical == "transpose_b"];
  }
  static Status Lacks(RuleAttr, std::string_view) { return OkStatus(); }

 private:
  std::array<TensorMetadata, 2> arguments_;
  size_t count_ = 0;
  bool transposes_[2];
};

// Returns the shape of the first result by a shape rule, for at most two tensors of these shapes.
template <typename Rule>
StatusOr<TensorShape> ShapeByRule(std::initializer_list<const TensorShape*> shapes,
                                  bool transpose_a = false, bool transpose_b = false) {
  TensorMetadata results[Rule::kResults];
  TFRT_RETURN_IF_ERROR(Rule::Infer(ShapesCall(shapes, transpose_a, transpose_b), results));
  return std::move(results[0].shape);
}

// NumPy's rule: "the shapes [2, 3] and [4] cannot be broadcast together".
StatusOr<TensorShape> BroadcastShape(const TensorShape& a, const TensorShape& b);

// An argument of the shape, or with these elements.
ValueType Known(const TensorShape& shape);
ValueType Known(std::span<const int64_t> numbers);
inline ValueType Known(int64_t number) { return Known(std::span(&number, 1)); }
// Returns the shape of the first result of a row all of whose attributes have defaults. Not for
// frequent calls.
StatusOr<TensorShape> ShapeByRow(std::string_view row, std::span<const ValueType> arguments);
inline StatusOr<TensorShape> ShapeByRow(std::string_view row,
                                        std::initializer_list<ValueType> arguments) {
  return ShapeByRow(row, std::span(arguments.begin(), arguments.size()));
}

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_SHAPES_ROW_SHAPES_H_
