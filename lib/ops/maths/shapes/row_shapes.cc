#include "row_shapes.h"

#include <vector>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

class NoAttrs final : public OpAttrReader {
  std::optional<OpAttrValue> Get(std::string_view) const override { return std::nullopt; }
};

}  // namespace

StatusOr<TensorShape> BroadcastShape(const TensorShape& a, const TensorShape& b) {
  KnownDims dims;
  if (AppendBroadcast(a, a.rank(), b, b.rank(), &dims)) {
    return InvalidArgumentError(StrCat("the shapes ", a.ToString(), " and ", b.ToString(),
                                       " cannot be broadcast together"));
  }
  return TensorShape::Create(dims.span());
}

ValueType Known(const TensorShape& shape) {
  const ShapeDims dims = shape.dims();
  return {.shape = SymbolicShape(std::vector<Dim>(dims.begin(), dims.end()))};
}

ValueType Known(std::span<const int64_t> numbers) {
  return {DType::kI64,
          {static_cast<int64_t>(numbers.size())},
          std::vector<Dim>(numbers.begin(), numbers.end())};
}

StatusOr<TensorShape> ShapeByRow(std::string_view row, std::span<const ValueType> arguments) {
  std::vector<const ValueType*> pointers;
  for (const ValueType& argument : arguments) pointers.push_back(&argument);
  TFRT_ASSIGN_OR_RETURN(auto results,
                        InferResults(*FindOpDescription(row), pointers, NoAttrs(), 1));
  if (!results[0].shape.is_known()) {
    return InvalidArgumentError(StrCat(row, ": a size of the result does not fit 64 bits"));
  }
  std::vector<int64_t> dims;
  for (Dim dim : results[0].shape.dims()) dims.push_back(dim.value());
  return TensorShape::Create(dims);
}

}  // namespace tfrt
