// Helpers for the shape functions that run only where some sizes are unknown
// (lib/format/op_table/shape_inference.h has the others). Each returns what is certain of the
// result, however little is known of its inputs, or InvalidArgument if nothing fits.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_SHAPE_RULES_H_
#define TFRT_LIB_FORMAT_OP_TABLE_SHAPE_RULES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

// The cost of exp, tanh, erf and log per element: their polynomials with the range reductions.
inline constexpr double kFlopsOfExp = 15, kFlopsOfTanh = 20, kFlopsOfErf = 25, kFlopsOfLog = 20;
// `flops` for each element of the first argument, or of the first result.
constexpr OpCostFormula PerArgumentElement(double flops) {
  return {OpCostFormula::Kind::kPerElement, flops, 0};
}
// A convolution's, whose filter and images these are.
constexpr OpCostFormula PerFilterTap(uint8_t filter, uint8_t images) {
  return {OpCostFormula::Kind::kFilter, 0, filter, images};
}
constexpr OpCostFormula PerResultElement(double flops) {
  return {OpCostFormula::Kind::kPerElement, flops, OpCostFormula::kResult};
}

// "matmul: ..."
template <typename... Pieces>
Status ShapeError(const OpShapeCall& call, const Pieces&... pieces) {
  return InvalidArgumentError(StrCat(call.op_name(), ": ", pieces...));
}

// Both are one.
StatusOr<DType> UnifyDTypes(const OpShapeCall& call, DType a, DType b);
StatusOr<SymbolicShape> UnifyShapes(const OpShapeCall& call, const SymbolicShape& a,
                                    const SymbolicShape& b);
StatusOr<Dim> UnifyDims(const OpShapeCall& call, Dim a, Dim b);
// The shape, of the rank if nothing else is known of it. `name` is for the message.
StatusOr<SymbolicShape> OfRank(const OpShapeCall& call, const SymbolicShape& shape, size_t rank,
                               std::string_view name);
// NumPy's rule.
StatusOr<SymbolicShape> Broadcast(const OpShapeCall& call, const SymbolicShape& a,
                                  const SymbolicShape& b);
// The result is like the first argument, whatever the others are.
Status SameAsFirst(const OpShapeCall& call, std::span<ValueType> results);
// -rank <= axis < rank -> 0 <= axis < rank
StatusOr<size_t> NormalizedAxis(const OpShapeCall& call, int64_t axis, size_t rank);

// Nothing is known if an operand is not, or if the result does not fit 64 bits.
Dim Sum(Dim a, Dim b);
Dim Product(Dim a, Dim b);

// The elements of an argument, if all are known.
std::optional<std::vector<int64_t>> KnownElements(const ValueType& value);
// Its one element; unknown if that is not known.
StatusOr<Dim> OneElement(const OpShapeCall& call, const ValueType& value, std::string_view name);
// How many elements a tensor has, if that is known.
Dim NumElementsOf(const ValueType& value);
// Returns the number of elements divided by `per_dimension`: the rank of a shape if a vector has
// that many elements for each dimension. Known only if the number is, and if a shape can have that
// rank.
Dim RankFrom(const ValueType& value, int64_t per_dimension = 1);

// True for dtypes and shapes whose elements are worth following.
bool CanFollowElements(const ValueType& value);

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_SHAPE_RULES_H_
