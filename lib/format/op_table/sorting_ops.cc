// Ops that put elements in order, or look for values where they are in order.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

Status CheckPlaces(const OpShapeCall& call, DType dtype) {
  if (dtype == DType::kI32 || dtype == DType::kI64) return OkStatus();
  return ShapeError(call, "no places of ", DTypeName(dtype), ", only i32 and i64");
}

Status SortShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& in = call.argument(0);
  results[0] = {in.dtype, in.shape};
  if (!in.shape.has_rank()) return OkStatus();
  if (in.shape.rank() == 0) return ShapeError(call, "a tensor of rank 0 has no axis");
  TFRT_ASSIGN_OR_RETURN(int64_t axis, call.Attr<int64_t>("axis"));
  return NormalizedAxis(call, axis, in.shape.rank()).status();
}

Status ArgSortShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(SortShape(call, results));
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, call.Attr<DType>("dtype"));
  return CheckPlaces(call, results[0].dtype);
}

Status SearchSortedShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &sorted = call.argument(0), &values = call.argument(1);
  TFRT_RETURN_IF_ERROR(OfRank(call, sorted.shape, 1, "what is sorted").status());
  TFRT_RETURN_IF_ERROR(UnifyDTypes(call, sorted.dtype, values.dtype).status());
  results[0].shape = values.shape;
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, call.Attr<DType>("dtype"));
  return CheckPlaces(call, results[0].dtype);
}

constexpr OpArgumentSpec kSearchSorted[] = {{"sorted"}, {"values"}};
constexpr std::string_view kIndices[] = {"indices"};
constexpr OpAttrSpec kSortAttrs[] = {{"axis", AttrKind::kI64, "-1"},
                                     {"descending", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kArgSortAttrs[] = {{"axis", AttrKind::kI64, "-1"},
                                        {"descending", AttrKind::kBool, "false"},
                                        {"dtype", AttrKind::kType, "DType::kI64"}};
constexpr OpAttrSpec kSearchSortedAttrs[] = {{"dtype", AttrKind::kType, "DType::kI64"},
                                             {"right", AttrKind::kBool, "false"}};

constexpr OpDescription kSortingOps[] = {
    {.name = "sort",
     .summary = "The elements in order along an axis, NaN as the largest; equal ones stay in the "
                "order in which they are.",
     .arguments = kInput,
     .attrs = kSortAttrs,
     .results = kOutput,
     .cost = kDependsOnElements,
     .shape = SortShape,
     .gradient = gradients::Sort},
    {.name = "argsort",
     .summary = "Where the elements that `sort` gives are along the axis.",
     .arguments = kInput,
     .attrs = kArgSortAttrs,
     .results = kIndices,
     .cost = kDependsOnElements,
     .shape = ArgSortShape,
     .gradient = kNoFloats},
    {.name = "search_sorted",
     .summary = "For each value the first place where it can be inserted into an ascending vector "
                "that stays ascending, or, with `right`, the last; NaN is the largest.",
     .arguments = kSearchSorted,
     .attrs = kSearchSortedAttrs,
     .results = kIndices,
     .cost = kDependsOnElements,
     .shape = SearchSortedShape,
     .gradient = kNoFloats},
};

}  // namespace

OpFamily SortingOps() { return {kSortingOps, {}}; }

}  // namespace tfrt
