// Tensors as lists of rows, and sums that undo broadcasts: what traced programs and their
// gradients need.

#include <algorithm>
#include <utility>

#include "op_families.h"
#include "shape_inference.h"
#include "shape_rules.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// How long a list is behind a write at an index.
Dim WrittenLength(Dim length, const ValueType& index) {
  if (!index.elements || index.elements->size() != 1) return Dim();
  const Dim at = (*index.elements)[0];
  if (!at.is_known() || !length.is_known() || at.value() == INT64_MAX) return Dim();
  return std::max(length.value(), at.value() + 1);
}

Status ListWriteShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &list = call.argument(0), &index = call.argument(1), &value = call.argument(2);
  ValueType& result = results[0];
  result.dtype = list.dtype;
  if (!Unite(&result.dtype, value.dtype)) {
    return InvalidArgumentError(StrCat("list_write: the list is ", list.ToString(),
                                       ", but the value is ", value.ToString()));
  }
  if (index.shape.has_rank() &&
      !(index.shape.num_elements().is_unknown() || index.shape.num_elements().is(1))) {
    return InvalidArgumentError(
        StrCat("list_write: the index is ", index.ToString(), ", expected one number"));
  }
  if (index.elements && index.elements->size() == 1 && (*index.elements)[0].is_known() &&
      (*index.elements)[0].value() < 0) {
    return InvalidArgumentError(
        StrCat("list_write: the index is ", (*index.elements)[0].value(), ", expected 0 or more"));
  }
  if (list.shape.has_rank() && list.shape.rank() == 0) {
    return InvalidArgumentError("list_write: the list has no dimensions");
  }
  SymbolicShape row;
  if (list.shape.has_rank()) {
    auto dims = list.shape.dims().subspan(1);
    row = SymbolicShape(std::vector<Dim>(dims.begin(), dims.end()));
  }
  if (!Unite(&row, value.shape)) {
    return InvalidArgumentError(StrCat("list_write: the list is ", list.ToString(),
                                       ", but the value is ", value.ToString()));
  }
  if (!row.has_rank()) return OkStatus();
  std::vector<Dim> dims(row.dims().begin(), row.dims().end());
  dims.insert(dims.begin(),
              WrittenLength(list.shape.has_rank() ? list.shape.dim(0) : Dim(), index));
  result.shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

// The result is what the second argument says.
Status SumToShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &x = call.argument(0), &sizes = call.argument(1);
  results[0].dtype = x.dtype;
  if (!sizes.elements) {
    if (!sizes.shape.has_rank()) return OkStatus();
    if (sizes.shape.rank() != 1) {
      return InvalidArgumentError(
          StrCat("sum_to: the shape is ", sizes.ToString(), ", expected a vector"));
    }
    if (sizes.shape.dim(0).is_known() && sizes.shape.dim(0).value() <= 32) {
      results[0].shape = SymbolicShape::OfRank(static_cast<size_t>(sizes.shape.dim(0).value()));
    }
    return OkStatus();
  }
  results[0].shape = SymbolicShape(*sizes.elements);
  if (!x.shape.has_rank()) return OkStatus();
  const size_t rank = sizes.elements->size(), missing = x.shape.rank() - rank;
  bool fits = rank <= x.shape.rank();
  for (size_t i = 0; fits && i < rank; ++i) {
    const Dim size = (*sizes.elements)[i];
    fits = size.is(1) || !size.Contradicts(x.shape.dim(missing + i));
  }
  if (fits) return OkStatus();
  return InvalidArgumentError(
      StrCat("sum_to: ", x.shape.ToString(), " is no broadcast of ", results[0].shape.ToString()));
}

constexpr OpArgumentSpec kListWrite[] = {{"list"}, HostArgument("index"), {"value"}};
constexpr OpArgumentSpec kSumTo[] = {{"x"}, HostArgument("shape")};

constexpr OpDescription kListOps[] = {
    {.name = "list_write",
     .summary = "The list with the value as the row at the index; behind its end it grows, and "
                "rows between are 0.",
     .arguments = kListWrite,
     .results = kOutput,
     .may_overwrite = 0b1,
     .cost = PerResultElement(0),
     .shape = ListWriteShape,
     .gradient = gradients::ListWrite},
    {.name = "sum_to",
     .summary = "The sums of the elements of `x` that broadcasting to its shape makes of one "
                "element of a tensor of `shape`.",
     .arguments = kSumTo,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = SumToShape,
     .gradient = gradients::SumTo},
};

constexpr OpSpelling kListSpellings[] = {{"tfrt.ListWrite", "list_write"}};

}  // namespace

OpFamily ListOps() { return {kListOps, kListSpellings}; }

}  // namespace tfrt
