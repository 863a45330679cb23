#include "index_parts.h"

#include <algorithm>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

using Part = IndexPart;
using PartKind = IndexPart::Kind;

Status CheckPlace(int64_t place, Dim size, size_t axis) {
  if (!size.is_known() || (place >= -size.value() && place < size.value())) return OkStatus();
  return InvalidArgumentError(
      StrCat("index ", place, " is out of range for axis ", axis, " with size ", size.value()));
}

// Sizes are those of the axes, or 0: then nothing is chosen.
Status CheckMask(const Array& mask, const Array& x, size_t axis) {
  for (size_t i = 0; i < mask.rank(); ++i) {
    const Dim size = mask.dims[i], there = x.dims[axis + i];
    if (size.is(0) || !size.Contradicts(there)) continue;
    return InvalidArgumentError(StrCat("a mask of size ", size.value(), " along its axis ", i,
                                       " is for axis ", axis + i, " with size ", there.value()));
  }
  return OkStatus();
}

StatusOr<std::optional<Size>> BoundOf(ArrayCall& call, const Bound& bound) {
  if (bound.is_open()) return std::optional<Size>();
  if (bound.number()) return std::optional<Size>(*bound.number());
  TFRT_ASSIGN_OR_RETURN(Array array, call.Read(bound.tensor()));
  if (array.rank() != 0 || !IsInteger(array.dtype)) {
    return InvalidArgumentError(StrCat("a bound of a slice is one integer, not ",
                                       DTypeName(array.dtype), " of the shape ", array.shape()));
  }
  Tensor number = call.CastTo(call.AsIndices(array), DType::kI64);
  if (number.is_traced()) return std::optional<Size>(number);
  TFRT_ASSIGN_OR_RETURN(int64_t value, number.Item<int64_t>(call.where()));
  return std::optional<Size>(value);
}

// The tensor of an item as a mask, or integers of i32 or i64.
StatusOr<Array> PlacesOf(ArrayCall& call, const Index& item) {
  TFRT_ASSIGN_OR_RETURN(Array array,
                        call.Read(item.kind() == Index::Kind::kTensor
                                      ? item.tensor()
                                      : Tensor::FromArray(item.array(), call.where())));
  if (IsBool(array.dtype)) return array;
  if (!IsInteger(array.dtype)) {
    return InvalidArgumentError(
        StrCat("an index is of integers or bools, not of ", DTypeName(array.dtype)));
  }
  return call.AsIndices(std::move(array));
}

StatusOr<Part> PartOf(ArrayCall& call, const Index& item) {
  switch (item.kind()) {
    case Index::Kind::kInteger:
      return Part{.kind = PartKind::kInteger, .integer = item.integer()};
    case Index::Kind::kNewAxis:
      return Part{.kind = PartKind::kNewAxis};
    case Index::Kind::kEllipsis:
      return Part{.kind = PartKind::kGap};
    case Index::Kind::kSlice: {
      if (item.slice().step == 0) return InvalidArgumentError("the step of a slice is 0");
      Part part = {.kind = PartKind::kSlice, .step = item.slice().step};
      TFRT_ASSIGN_OR_RETURN(part.begin, BoundOf(call, item.slice().begin));
      TFRT_ASSIGN_OR_RETURN(part.end, BoundOf(call, item.slice().end));
      return part;
    }
    case Index::Kind::kTensor:
    case Index::Kind::kArray:
      break;
  }
  Part part = {.kind = PartKind::kIndices};
  TFRT_ASSIGN_OR_RETURN(part.indices, PlacesOf(call, item));
  const Tensor& places = part.indices.tensor;
  if (part.indices.rank() > 0 || IsBool(part.indices.dtype) || places.is_traced()) return part;
  TFRT_ASSIGN_OR_RETURN(part.integer,
                        call.CastTo(part.indices, DType::kI64).Item<int64_t>(call.where()));
  part.kind = PartKind::kInteger;
  return part;
}

bool IsMask(const Part& part) {
  return part.kind == PartKind::kIndices && IsBool(part.indices.dtype);
}

// The number of axes that an item is about.
size_t WidthOf(const Part& part) {
  if (IsMask(part)) return part.indices.rank();
  return part.has_axis() ? 1 : 0;
}

// Where a mask is true: integers for each of its axes.
Status AddPlaces(ArrayCall& call, const Array& mask, std::vector<Part>& parts) {
  Tensor one = mask.rank() == 0 ? ops::Reshape(mask.tensor, {1}, call.where()) : mask.tensor;
  Tensor places = ops::Nonzero(one, call.where());
  const PartKind kind = mask.rank() == 0 ? PartKind::kOfNewAxis : PartKind::kIndices;
  for (size_t axis = 0; axis < std::max<size_t>(mask.rank(), 1); ++axis) {
    TFRT_ASSIGN_OR_RETURN(Array of_axis,
                          call.Read(call.Element(places, 0, static_cast<int64_t>(axis))));
    parts.push_back({.kind = kind, .indices = std::move(of_axis)});
  }
  return OkStatus();
}

// Takes the elements that integers, slices and new axes choose, in one op.
StatusOr<Tensor> TakeBasic(ArrayCall& call, const Array& x, std::span<const Part> parts) {
  Sizes begins, ends, steps;
  int64_t begin_mask = 0, end_mask = 0, new_axis_mask = 0, shrink_axis_mask = 0, bit = 1;
  size_t axis = 0;
  for (const Part& part : parts) {
    if (part.kind == PartKind::kSlice) {
      if (!part.begin) begin_mask |= bit;
      if (!part.end) end_mask |= bit;
      begins.push_back(part.begin.value_or(0));
      ends.push_back(part.end.value_or(0));
      steps.emplace_back(part.step);
      ++axis;
    } else if (part.kind == PartKind::kInteger) {
      TFRT_RETURN_IF_ERROR(CheckPlace(part.integer, x.dims[axis], axis));
      int64_t place = part.integer;
      if (place < 0 && x.dims[axis].is_known()) place += x.dims[axis].value();
      begins.emplace_back(place);
      // No axis has the largest place.
      ends.emplace_back(place == INT64_MAX ? place : place + 1);
      steps.emplace_back(1);
      if (place == -1) end_mask |= bit;
      shrink_axis_mask |= bit;
      ++axis;
    } else {
      begins.emplace_back(0);
      ends.emplace_back(0);
      steps.emplace_back(1);
      new_axis_mask |= bit;
    }
    bit <<= 1;
  }
  return ops::StridedSlice(x.tensor, call.ShapeFrom(begins), call.ShapeFrom(ends),
                           call.ShapeFrom(steps),
                           {.begin_mask = begin_mask,
                            .end_mask = end_mask,
                            .new_axis_mask = new_axis_mask,
                            .shrink_axis_mask = shrink_axis_mask},
                           call.where());
}

// The indices as rows of one tensor, and the rank that they have together.
StatusOr<std::pair<Tensor, size_t>> BroadcastIndices(ArrayCall& call,
                                                     std::span<const Array> arrays) {
  const Location where = call.where();
  size_t rank = 0;
  for (const Array& array : arrays) rank = std::max(rank, array.rank());
  // Sums have the shape of all, which broadcasting finds, or an error that names two shapes.
  Tensor sum = call.CastTo(arrays[0], DType::kI64);
  for (const Array& array : arrays.subspan(1)) {
    sum = ops::AddV2(sum, call.CastTo(array, DType::kI64), where);
  }
  TFRT_ASSIGN_OR_RETURN(Array all, call.Read(sum));
  const TensorArgument shape = call.ShapeOf(all);
  std::vector<Tensor> rows;
  for (const Array& array : arrays) {
    Tensor wide = call.CastTo(array, DType::kI64);
    if (array.dims != all.dims || array.is_open()) wide = ops::BroadcastTo(wide, shape, where);
    rows.push_back(call.ExpandedAt(wide, rank));
  }
  Tensor joined =
      rows.size() == 1 ? rows[0] : ops::ConcatV2(rows, static_cast<int64_t>(rank), where);
  return std::pair(joined, rank);
}

// Elements at the places that several tensors name together. They come first in the result if
// these are apart.
StatusOr<Tensor> GatherSeveral(ArrayCall& call, const Array& x, std::span<const Array> arrays,
                               std::span<const size_t> places, bool is_apart) {
  TFRT_ASSIGN_OR_RETURN(auto indices, BroadcastIndices(call, arrays));
  std::vector<size_t> order(places.begin(), places.end());
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    if (std::ranges::find(places, axis) == places.end()) order.push_back(axis);
  }
  Tensor first = std::ranges::is_sorted(order) ? x.tensor : call.Transposed(x.tensor, order);
  Tensor made = ops::GatherNd(first, indices.first, call.where());
  if (is_apart || places[0] == 0) return made;
  // Back behind the axes before the first of them.
  const size_t before = places[0], added = indices.second;
  std::vector<size_t> back;
  for (size_t axis = 0; axis < before; ++axis) back.push_back(added + axis);
  for (size_t axis = 0; axis < added; ++axis) back.push_back(axis);
  for (size_t axis = before + added; axis < x.rank() - places.size() + added; ++axis) {
    back.push_back(axis);
  }
  return call.Transposed(made, back);
}

}  // namespace

StatusOr<std::vector<IndexPart>> PartsOf(ArrayCall& call, const Array& x,
                                         std::span<const Index> items) {
  std::vector<Part> read;
  size_t named = 0, num_gaps = 0;
  for (const Index& item : items) {
    TFRT_ASSIGN_OR_RETURN(Part part, PartOf(call, item));
    named += WidthOf(part);
    num_gaps += part.kind == PartKind::kGap ? 1 : 0;
    read.push_back(std::move(part));
  }
  if (num_gaps > 1) {
    return InvalidArgumentError(
        StrCat("an index has at most one kEllipsis, but this one has ", num_gaps));
  }
  if (named > x.rank()) {
    return InvalidArgumentError(
        StrCat("an index of ", named, " axes is for a tensor of ", x.rank(), " dimensions"));
  }
  if (named < x.rank() && num_gaps == 0) read.push_back({.kind = PartKind::kGap});
  std::vector<Part> parts;
  size_t axis = 0;
  for (Part& part : read) {
    if (part.kind == PartKind::kGap) {
      if (named == x.rank()) parts.push_back(std::move(part));
      parts.resize(parts.size() + (x.rank() - named));  // whole axes
      axis += x.rank() - named;
    } else if (IsMask(part)) {
      TFRT_RETURN_IF_ERROR(CheckMask(part.indices, x, axis));
      axis += part.indices.rank();
      TFRT_RETURN_IF_ERROR(AddPlaces(call, part.indices, parts));
    } else {
      axis += part.has_axis() ? 1 : 0;
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

StatusOr<Tensor> TakeParts(ArrayCall& call, Array x, std::span<const IndexPart> parts) {
  // Beside tensors with axes an integer is one of them.
  const bool is_joint = std::ranges::any_of(parts, [](const Part& part) {
    return part.kind == PartKind::kOfNewAxis ||
           (part.kind == PartKind::kIndices && part.indices.rank() > 0);
  });
  std::vector<Part> basic;
  std::vector<Array> arrays;
  std::vector<size_t> places, gaps;
  size_t axis = 0, num_integers = 0;  // of them in basic
  for (const Part& part : parts) {
    if (part.kind == PartKind::kGap) {
      gaps.push_back(basic.size());
      continue;
    }
    const bool is_array = part.kind == PartKind::kIndices || part.kind == PartKind::kOfNewAxis ||
                          (is_joint && part.kind == PartKind::kInteger);
    if (is_array) {
      places.push_back(basic.size() - num_integers);
      if (part.kind == PartKind::kInteger) {
        TFRT_RETURN_IF_ERROR(CheckPlace(part.integer, x.dims[axis], axis));
        arrays.push_back({.tensor = call.Integer(part.integer), .dtype = DType::kI64, .dims = {}});
      } else {
        arrays.push_back(part.indices);
      }
      const bool is_new = part.kind == PartKind::kOfNewAxis;
      basic.push_back({.kind = is_new ? PartKind::kNewAxis : PartKind::kSlice});
    } else {
      basic.push_back(part);
      num_integers += part.kind == PartKind::kInteger ? 1 : 0;
    }
    axis += part.has_axis() ? 1 : 0;
  }
  if (!std::ranges::all_of(basic, &Part::is_whole)) {
    TFRT_ASSIGN_OR_RETURN(Tensor taken, TakeBasic(call, x, basic));
    TFRT_ASSIGN_OR_RETURN(x, call.Read(taken));
  }
  if (arrays.empty()) return x.tensor;
  if (!is_joint || arrays.size() == 1) {
    Tensor made = x.tensor;
    for (size_t i = arrays.size(); i-- > 0;) {
      made =
          ops::GatherV2(made, arrays[i].tensor, static_cast<int64_t>(places[i]), {}, call.where());
    }
    return made;
  }
  const size_t last = places.back();
  bool is_apart = last - places[0] >= places.size();
  for (size_t gap : gaps) is_apart |= places[0] < gap && gap <= last;
  return GatherSeveral(call, x, arrays, places, is_apart);
}

StatusOr<std::optional<Array>> OnlyMask(ArrayCall& call, const Array& x,
                                        std::span<const Index> items) {
  const bool is_tensor = items.size() == 1 && (items[0].kind() == Index::Kind::kTensor ||
                                               items[0].kind() == Index::Kind::kArray);
  if (!is_tensor) return std::optional<Array>();
  TFRT_ASSIGN_OR_RETURN(Array mask, PlacesOf(call, items[0]));
  if (!IsBool(mask.dtype) || mask.rank() == 0 || mask.rank() > x.rank()) {
    return std::optional<Array>();
  }
  TFRT_RETURN_IF_ERROR(CheckMask(mask, x, 0));
  return std::optional<Array>(std::move(mask));
}

}  // namespace tfrt::eager::arrays
