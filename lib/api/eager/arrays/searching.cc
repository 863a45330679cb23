// Where elements are: the largest, those that hold, the places of values; and their order.

#include "tfrt/eager/arrays/searching.h"
#include "array_call.h"
#include "tfrt/eager/arrays/index.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

Tensor Place(std::string_view name, bool largest, const Tensor& x, const ArgOptions& options,
             Location where) {
  return CallArrays(name, where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    const size_t rank = array.rank();
    size_t axis = 0;
    if (options.axis) {
      TFRT_ASSIGN_OR_RETURN(axis, CountedAxis(*options.axis, rank));
    }
    for (size_t each = 0; each < rank; ++each) {
      if (array.dims[each].is(0) && (!options.axis || each == axis)) {
        return InvalidArgumentError(StrCat("axis ", each, " of the shape ", array.shape(),
                                           " has size 0, so that no element is there"));
      }
    }
    if (IsBool(array.dtype)) array.tensor = call.BytesOf(array.tensor);
    Tensor along = options.axis ? array.tensor : call.Flat(array);
    const auto at = static_cast<int64_t>(axis);
    Tensor place = largest ? ops::ArgMax(along, at, {}, where) : ops::Argmin(along, at, {}, where);
    if (!options.keepdims) return place;
    if (options.axis) return call.ExpandedAt(place, axis);
    for (size_t each = 0; each < rank; ++each) place = call.ExpandedAt(place, 0);
    return place;
  });
}

StatusOr<Array> Sortable(ArrayCall& call, const Tensor& x, int64_t axis, size_t* along) {
  TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
  if (array.rank() == 0) {
    return InvalidArgumentError("x has 0 dimensions, but 1 or more are needed");
  }
  TFRT_ASSIGN_OR_RETURN(*along, CountedAxis(axis, array.rank()));
  return array;
}

// Indices as i32 or i64.
StatusOr<Array> IndicesOf(ArrayCall& call, const Tensor& indices) {
  TFRT_ASSIGN_OR_RETURN(Array array, call.Read(indices));
  if (!IsInteger(array.dtype)) {
    return InvalidArgumentError(StrCat("indices are integers, not ", DTypeName(array.dtype)));
  }
  return call.AsIndices(std::move(array));
}

}  // namespace

Tensor Argmax(const Tensor& x, const ArgOptions& options, Location where) {
  return Place("argmax", true, x, options, where);
}

Tensor Argmin(const Tensor& x, const ArgOptions& options, Location where) {
  return Place("argmin", false, x, options, where);
}

std::vector<Tensor> Nonzero(const Tensor& x, Location where) {
  return CallForList("nonzero", where, [&](ArrayCall& call) -> StatusOr<std::vector<Tensor>> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    if (array.rank() == 0) {
      return InvalidArgumentError("x has 0 dimensions, but 1 or more are needed");
    }
    Tensor places = ops::Nonzero(x, where);
    std::vector<Tensor> of_axes;
    for (size_t axis = 0; axis < array.rank(); ++axis) {
      of_axes.push_back(call.Element(places, 0, static_cast<int64_t>(axis)));
    }
    return of_axes;
  });
}

Tensor Where(const Tensor& condition, Operand x1, Operand x2, Location where) {
  return CallArrays("where", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array holds, call.Read(condition));
    if (!IsBool(holds.dtype)) {
      return InvalidArgumentError(StrCat("condition is of bools, not ", DTypeName(holds.dtype)));
    }
    TFRT_ASSIGN_OR_RETURN(auto pair, call.PairOf(x1, x2));
    return ops::Select(condition, pair.first.tensor, pair.second.tensor, where);
  });
}

Tensor Searchsorted(const Tensor& x1, Operand x2, const SearchsortedOptions& options,
                    Location where) {
  return CallArrays("searchsorted", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    if (options.side != "left" && options.side != "right") {
      return InvalidArgumentError(StrCat("side is left or right, not '", options.side, "'"));
    }
    Operand sorted(x1, where);
    TFRT_ASSIGN_OR_RETURN(auto pair, call.PairOf(sorted, x2));
    auto& [vector, values] = pair;
    if (vector.rank() != 1) {
      return InvalidArgumentError(StrCat("x1 has 1 dimension, not ", vector.rank()));
    }
    if (options.sorter.valid()) {
      TFRT_ASSIGN_OR_RETURN(Array order, IndicesOf(call, options.sorter));
      vector.tensor = ops::GatherV2(vector.tensor, order.tensor, 0, {}, where);
    }
    if (IsBool(vector.dtype)) {
      vector.tensor = call.BytesOf(vector.tensor);
      values.tensor = call.BytesOf(values.tensor);
    }
    return ops::SearchSorted(vector.tensor, values.tensor, {.right = options.side == "right"},
                             where);
  });
}

Tensor Take(const Tensor& x, Operand indices, std::optional<int64_t> axis, Location where) {
  return CallArrays("take", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    if (!axis) {
      TFRT_ASSIGN_OR_RETURN(array, call.Read(call.Flat(array)));
    }
    TFRT_ASSIGN_OR_RETURN(size_t along, CountedAxis(axis.value_or(0), array.rank()));
    TFRT_ASSIGN_OR_RETURN(Array read, call.Read(indices));
    TFRT_ASSIGN_OR_RETURN(Array places, IndicesOf(call, read.tensor));
    return ops::GatherV2(array.tensor, places.tensor, static_cast<int64_t>(along), {}, where);
  });
}

Tensor TakeAlongAxis(const Tensor& x, const Tensor& indices, int64_t axis, Location where) {
  return CallArrays("take_along_axis", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_ASSIGN_OR_RETURN(size_t along, CountedAxis(axis, array.rank()));
    TFRT_ASSIGN_OR_RETURN(Array places, IndicesOf(call, indices));
    if (places.rank() != array.rank()) {
      return InvalidArgumentError(
          StrCat("x has ", array.rank(), " dimensions, but indices have ", places.rank()));
    }
    for (size_t each = 0; each < array.rank(); ++each) {
      const Dim own = array.dims[each], other = places.dims[each];
      if (each == along || !own.Contradicts(other)) continue;
      // Sizes of 1 are broadcast in either of them.
      Array& narrow = own.is(1) ? array : places;
      if (!narrow.dims[each].is(1)) {
        return InvalidArgumentError(StrCat("indices of the shape ", places.shape(),
                                           " are not broadcast with x of the shape ", array.shape(),
                                           ": they differ in axis ", each));
      }
      std::vector<int64_t> shape(array.rank(), 1);
      shape[each] = own.is(1) ? other.value() : own.value();
      narrow.tensor =
          ops::BroadcastTo(narrow.tensor, VectorOf(std::span<const int64_t>(shape)), where);
      narrow.dims[each] = shape[each];
    }
    return ops::GatherElements(array.tensor, places.tensor, static_cast<int64_t>(along), where);
  });
}

Tensor Sort(const Tensor& x, const SortOptions& options, Location where) {
  return CallArrays("sort", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    size_t along = 0;
    TFRT_ASSIGN_OR_RETURN(Array array, Sortable(call, x, options.axis, &along));
    const bool is_bool = IsBool(array.dtype);
    Tensor sorted =
        ops::Sort(is_bool ? call.BytesOf(x) : x,
                  {.axis = static_cast<int64_t>(along), .descending = options.descending}, where);
    return is_bool ? ops::Cast(sorted, DType::kI1, where) : sorted;
  });
}

Tensor Argsort(const Tensor& x, const SortOptions& options, Location where) {
  return CallArrays("argsort", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    size_t along = 0;
    TFRT_ASSIGN_OR_RETURN(Array array, Sortable(call, x, options.axis, &along));
    return ops::Argsort(IsBool(array.dtype) ? call.BytesOf(x) : x,
                        {.axis = static_cast<int64_t>(along), .descending = options.descending},
                        where);
  });
}

}  // namespace tfrt::eager::arrays
