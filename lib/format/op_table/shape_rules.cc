#include "shape_rules.h"

#include "shape_inference.h"

namespace tfrt {

StatusOr<DType> UnifyDTypes(const OpShapeCall& call, DType a, DType b) {
  DType both = a;
  if (Unite(&both, b)) return both;
  return ShapeError(call, "incompatible dtypes ", DTypeName(a), " and ", DTypeName(b));
}

StatusOr<Dim> UnifyDims(const OpShapeCall& call, Dim a, Dim b) {
  if (auto dim = Unify(a, b)) return *dim;
  return ShapeError(call, "sizes that must be equal are ", a.ToString(), " and ", b.ToString());
}

StatusOr<SymbolicShape> UnifyShapes(const OpShapeCall& call, const SymbolicShape& a,
                                    const SymbolicShape& b) {
  SymbolicShape both = a;
  if (Unite(&both, b)) return both;
  return ShapeError(call, "shapes that must be equal are ", a.ToString(), " and ", b.ToString());
}

StatusOr<SymbolicShape> OfRank(const OpShapeCall& call, const SymbolicShape& shape, size_t rank,
                               std::string_view name) {
  if (!shape.has_rank()) return SymbolicShape::OfRank(rank);
  if (shape.rank() == rank) return shape;
  return ShapeError(call, name, " has the shape ", shape.ToString(), ", expected rank ", rank);
}

StatusOr<SymbolicShape> Broadcast(const OpShapeCall& call, const SymbolicShape& a,
                                  const SymbolicShape& b) {
  if (!a.has_rank() || !b.has_rank()) return SymbolicShape();
  std::vector<Dim> dims;
  if (AppendBroadcast(a, a.rank(), b, b.rank(), &dims)) {
    return ShapeError(call, "the shapes ", a.ToString(), " and ", b.ToString(),
                      " cannot be broadcast together");
  }
  return SymbolicShape(std::move(dims));
}

Status SameAsFirst(const OpShapeCall& call, std::span<ValueType> results) {
  results[0] = {call.argument(0).dtype, call.argument(0).shape};
  return OkStatus();
}

StatusOr<size_t> NormalizedAxis(const OpShapeCall& call, int64_t axis, size_t rank) {
  auto signed_rank = static_cast<int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    return ShapeError(call, "axis ", axis, " is out of range for rank ", rank);
  }
  return static_cast<size_t>(axis < 0 ? axis + signed_rank : axis);
}

Dim Sum(Dim a, Dim b) {
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  int64_t sum;
  bool fits = a.is_known() && b.is_known() && !__builtin_add_overflow(a.value(), b.value(), &sum);
  return fits ? Dim(sum) : Dim();
}

Dim Product(Dim a, Dim b) {
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  if (a.is(0) || b.is(0)) return 0;
  int64_t product;
  bool fits =
      a.is_known() && b.is_known() && !__builtin_mul_overflow(a.value(), b.value(), &product);
  return fits ? Dim(product) : Dim();
}

std::optional<std::vector<int64_t>> KnownElements(const ValueType& value) {
  if (!value.elements) return std::nullopt;
  std::vector<int64_t> numbers;
  for (Dim element : *value.elements) {
    if (!element.is_known()) return std::nullopt;
    numbers.push_back(element.value());
  }
  return numbers;
}

Dim NumElementsOf(const ValueType& value) {
  if (value.elements) return static_cast<int64_t>(value.elements->size());
  return value.shape.num_elements();
}

Dim RankFrom(const ValueType& value, int64_t per_dimension) {
  constexpr int64_t kMaxRank = 255;  // of TensorShape
  Dim count = NumElementsOf(value);
  return count.is_known() && count.value() <= kMaxRank * per_dimension
             ? Dim(count.value() / per_dimension)
             : Dim();
}

StatusOr<Dim> OneElement(const OpShapeCall& call, const ValueType& value, std::string_view name) {
  Dim count = NumElementsOf(value);
  if (count.Contradicts(1)) {
    return ShapeError(call, name, " has ", count.value(), " elements, expected one");
  }
  return value.elements ? (*value.elements)[0] : Dim();
}

bool CanFollowElements(const ValueType& value) {
  Dim count = value.shape.num_elements();
  return (value.dtype == DType::kI32 || value.dtype == DType::kI64) && value.shape.is_known() &&
         count.is_known() && count.value() <= static_cast<int64_t>(ValueType::kMaxElements);
}

}  // namespace tfrt
