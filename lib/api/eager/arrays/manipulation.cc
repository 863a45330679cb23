// The same elements in another shape or order.

#include <algorithm>
#include <limits>

#include "array_call.h"
#include "tfrt/eager/arrays/manipulation.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

StatusOr<std::vector<Array>> ReadAll(ArrayCall& call, TensorList arrays) {
  if (arrays.span().empty()) return InvalidArgumentError("arrays has no array, but needs one");
  std::vector<Array> read;
  for (const Tensor& tensor : arrays.span()) {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(tensor));
    read.push_back(std::move(array));
  }
  return read;
}

std::vector<Tensor> TensorsOf(std::span<const Array> arrays) {
  std::vector<Tensor> tensors;
  tensors.reserve(arrays.size());
  for (const Array& array : arrays) tensors.push_back(array.tensor);
  return tensors;
}

// The shape that both are broadcast to, as far as it is known; an unknown size may be any.
StatusOr<std::vector<Dim>> BroadcastDims(std::span<const Dim> a, std::span<const Dim> b) {
  std::vector<Dim> dims(std::max(a.size(), b.size()));
  for (size_t i = 0; i < dims.size(); ++i) {
    const size_t from_end = dims.size() - i;
    const Dim x = from_end <= a.size() ? a[a.size() - from_end] : Dim(1);
    const Dim y = from_end <= b.size() ? b[b.size() - from_end] : Dim(1);
    if (x.is_known() && y.is_known() && x.value() != y.value() && !x.is(1) && !y.is(1)) {
      return InvalidArgumentError(
          StrCat("shapes ", SymbolicShape(std::vector<Dim>(a.begin(), a.end())).ToString(), " and ",
                 SymbolicShape(std::vector<Dim>(b.begin(), b.end())).ToString(),
                 " are not broadcast together: ", x.value(), " is not ", y.value()));
    }
    dims[i] = x.is(1) ? y : y.is(1) || x.is_known() ? x : y.is_known() ? y : Dim();
  }
  return dims;
}

Tensor Rolled(ArrayCall& call, const Array& x, int64_t shift, size_t axis) {
  const Size size = call.SizeOf(x, axis);
  Size begin = 0;
  if (!size.is_known()) {
    // An axis of no elements is divided by 1.
    Tensor least = ops::Maximum(size.tensor(), call.Integer(1), call.where());
    Tensor places = ops::Mod(call.Integer(shift), least, {}, call.where());
    begin = ops::Sub(least, places, call.where());
  } else {
    if (size.number() == 0 || shift % size.number() == 0) return x.tensor;
    begin = size.number() - (shift % size.number() + size.number()) % size.number();
  }
  const Tensor parts[] = {call.Piece(x.tensor, axis, begin, std::nullopt),
                          call.Piece(x.tensor, axis, std::nullopt, begin)};
  return ops::ConcatV2(std::span(parts), static_cast<int64_t>(axis), call.where());
}

// The place that each element of the result comes from: i, `repeats[i]` times.
StatusOr<Tensor> PlacesOf(ArrayCall& call, const Array& repeats, const Array& x, size_t axis) {
  const Dim count = repeats.dims[0], size = x.dims[axis];
  if (count.Contradicts(size)) {
    return InvalidArgumentError(StrCat("repeats has ", count.value(), " numbers, but axis ", axis,
                                       " has the size ", size.value()));
  }
  const Location where = call.where();
  Tensor numbers = call.CastTo(repeats, DType::kI64);
  if (!numbers.is_traced()) {
    TFRT_ASSIGN_OR_RETURN(std::span<const int64_t> values, numbers.Values<int64_t>(where));
    auto bad = std::ranges::find_if(values, [](int64_t value) { return value < 0; });
    if (bad != values.end()) {
      return InvalidArgumentError(
          StrCat("repeats[", bad - values.begin(), "] is ", *bad, ", but repeats are 0 or more"));
    }
  }
  Tensor ends = ops::CumulativeSum(numbers, 0, {}, where);
  Tensor total = ops::Sum(numbers, {0}, {}, where);
  Tensor places = ops::Range(call.Integer(0), total, call.Integer(1), where);
  return ops::SearchSorted(ends, places, {.right = true}, where);
}

StatusOr<std::vector<Tensor>> PartsAt(ArrayCall& call, const Array& x, size_t axis,
                                      std::span<const int64_t> indices) {
  std::vector<Tensor> parts;
  for (size_t i = 0; i <= indices.size(); ++i) {
    std::optional<Size> begin, end;
    if (i > 0) begin = indices[i - 1];
    if (i < indices.size()) end = indices[i];
    parts.push_back(call.Piece(x.tensor, axis, begin, end));
  }
  return parts;
}

}  // namespace

Tensor Concat(TensorList arrays, std::optional<int64_t> axis, Location where) {
  return CallArrays("concat", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(std::vector<Array> read, ReadAll(call, arrays));
    size_t along = 0;
    if (axis) {
      for (size_t i = 0; i < read.size(); ++i) {
        if (read[i].rank() == 0) {
          return InvalidArgumentError(StrCat("arrays[", i,
                                             "] has 0 dimensions, but 1 or more are "
                                             "needed; Stack makes an axis"));
        }
        if (read[i].rank() != read[0].rank()) {
          return InvalidArgumentError(StrCat("arrays[0] has ", read[0].rank(),
                                             " dimensions, but arrays[", i, "] has ",
                                             read[i].rank()));
        }
      }
      TFRT_ASSIGN_OR_RETURN(along, CountedAxis(*axis, read[0].rank()));
      for (size_t i = 1; i < read.size(); ++i) {
        for (size_t each = 0; each < read[0].rank(); ++each) {
          if (each == along || !read[i].dims[each].Contradicts(read[0].dims[each])) continue;
          return InvalidArgumentError(StrCat("arrays[0] has the shape ", read[0].shape(),
                                             ", but arrays[", i, "] has ", read[i].shape(),
                                             ", which differs in axis ", each));
        }
      }
    }
    TFRT_RETURN_IF_ERROR(call.Promote(read));
    if (!axis) {
      for (Array& array : read) array.tensor = call.Flat(array);
    }
    if (read.size() == 1) return read[0].tensor;
    return ops::ConcatV2(TensorsOf(read), static_cast<int64_t>(along), where);
  });
}

Tensor Stack(TensorList arrays, int64_t axis, Location where) {
  return CallArrays("stack", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(std::vector<Array> read, ReadAll(call, arrays));
    for (size_t i = 1; i < read.size(); ++i) {
      bool differs = read[i].rank() != read[0].rank();
      for (size_t each = 0; !differs && each < read[0].rank(); ++each) {
        differs = read[i].dims[each].Contradicts(read[0].dims[each]);
      }
      if (differs) {
        return InvalidArgumentError(StrCat("arrays[0] has the shape ", read[0].shape(),
                                           ", but arrays[", i, "] has ", read[i].shape()));
      }
    }
    TFRT_ASSIGN_OR_RETURN(size_t along, CountedAxis(axis, read[0].rank() + 1));
    TFRT_RETURN_IF_ERROR(call.Promote(read));
    for (Array& array : read) array.tensor = call.ExpandedAt(array.tensor, along);
    if (read.size() == 1) return read[0].tensor;
    return ops::ConcatV2(TensorsOf(read), static_cast<int64_t>(along), where);
  });
}

std::vector<Tensor> Unstack(const Tensor& x, int64_t axis, Location where) {
  return CallForList("unstack", where, [&](ArrayCall& call) -> StatusOr<std::vector<Tensor>> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_ASSIGN_OR_RETURN(size_t along, CountedAxis(axis, array.rank()));
    TFRT_ASSIGN_OR_RETURN(int64_t size, call.KnownSize(array, along));
    std::vector<Tensor> slices;
    for (int64_t i = 0; i < size; ++i) slices.push_back(call.Element(x, along, i));
    return slices;
  });
}

std::vector<Tensor> Split(const Tensor& x, int64_t sections, int64_t axis, Location where) {
  return CallForList("split", where, [&](ArrayCall& call) -> StatusOr<std::vector<Tensor>> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_ASSIGN_OR_RETURN(size_t along, CountedAxis(axis, array.rank()));
    TFRT_ASSIGN_OR_RETURN(int64_t size, call.KnownSize(array, along));
    if (sections <= 0 || size % sections != 0) {
      return InvalidArgumentError(StrCat("axis ", along, " of size ", size, " is not divided into ",
                                         sections, " equal parts"));
    }
    std::vector<int64_t> indices;
    for (int64_t i = 1; i < sections; ++i) indices.push_back(i * (size / sections));
    return PartsAt(call, array, along, indices);
  });
}

std::vector<Tensor> Split(const Tensor& x, std::initializer_list<int64_t> indices, int64_t axis,
                          Location where) {
  return CallForList("split", where, [&](ArrayCall& call) -> StatusOr<std::vector<Tensor>> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_ASSIGN_OR_RETURN(size_t along, CountedAxis(axis, array.rank()));
    return PartsAt(call, array, along, std::span(indices.begin(), indices.size()));
  });
}

Tensor Reshape(const Tensor& x, const ShapeArgument& shape, Location where) {
  return CallArrays("reshape", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    if (shape.tensor().valid()) return ops::Reshape(x, shape.tensor(), where);
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    std::vector<int64_t> sizes(shape.span().begin(), shape.span().end());
    auto open = std::ranges::find(sizes, -1);
    if (open != sizes.end() && std::ranges::any_of(array.dims, [](Dim d) { return d.is(0); })) {
      // The open size may be 0, if no other one is.
      if (std::ranges::find(sizes, 0) != sizes.end()) {
        return InvalidArgumentError(StrCat("x of the shape ", array.shape(),
                                           " has no elements, so -1 in shape ", TextOf(sizes),
                                           " may be any size"));
      }
      *open = 0;
    }
    return ops::Reshape(x, VectorOf(std::span<const int64_t>(sizes)), where);
  });
}

Tensor Squeeze(const Tensor& x, const Axes& axis, Location where) {
  return CallArrays("squeeze", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    std::vector<size_t> axes;
    if (!axis.is_all()) {
      TFRT_ASSIGN_OR_RETURN(axes, CountedAxes(axis, array.rank()));
    } else if (array.is_open()) {
      return FailedPreconditionError(
          StrCat("needs an axis where a size is open, as in the shape ", array.shape()));
    }
    std::vector<int64_t> squeezed;
    for (size_t each = 0; axis.is_all() && each < array.rank(); ++each) {
      if (array.dims[each].is(1)) axes.push_back(each);
    }
    for (size_t each : axes) {
      if (array.dims[each].Contradicts(1)) {
        return InvalidArgumentError(StrCat("axis ", each, " of x is squeezed, but its size is ",
                                           array.dims[each].value(), ", not 1"));
      }
      squeezed.push_back(static_cast<int64_t>(each));
    }
    return squeezed.empty() ? x : ops::Squeeze(x, {.squeeze_dims = squeezed}, where);
  });
}

Tensor ExpandDims(const Tensor& x, const Axes& axis, Location where) {
  return CallArrays("expand_dims", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    if (axis.is_all()) return InvalidArgumentError("axis names no axis, but one is needed");
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes,
                          CountedAxes(axis, array.rank() + axis.span().size()));
    std::ranges::sort(axes);
    Tensor made = x;
    for (size_t each : axes) made = call.ExpandedAt(made, each);
    return made;
  });
}

Tensor PermuteDims(const Tensor& x, const Axes& axes, Location where) {
  return CallArrays("permute_dims", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    if (!axes.is_all() && axes.span().size() != array.rank()) {
      return InvalidArgumentError(StrCat("axes ", TextOf(axes.span()), " are ", axes.span().size(),
                                         " for an array of ", array.rank(), " dimensions"));
    }
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> order, CountedAxes(axes, array.rank(), "axes"));
    return call.Transposed(x, order);
  });
}

Tensor MatrixTranspose(const Tensor& x, Location where) {
  return CallArrays("matrix_transpose", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    if (array.rank() < 2) {
      return InvalidArgumentError(StrCat("x has at least 2 dimensions, but it has ", array.rank()));
    }
    return call.Moved(array, array.rank() - 1, array.rank() - 2);
  });
}

Tensor Moveaxis(const Tensor& x, const Axes& source, const Axes& destination, Location where) {
  return CallArrays("moveaxis", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> from, CountedAxes(source, array.rank(), "source"));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> to,
                          CountedAxes(destination, array.rank(), "destination"));
    if (from.size() != to.size()) {
      return InvalidArgumentError(
          StrCat("source has ", from.size(), " axes, but destination has ", to.size()));
    }
    std::vector<std::pair<size_t, size_t>> moves;
    for (size_t i = 0; i < from.size(); ++i) moves.emplace_back(to[i], from[i]);
    std::ranges::sort(moves);
    std::vector<size_t> order;
    for (size_t each = 0; each < array.rank(); ++each) {
      if (std::ranges::find(from, each) == from.end()) order.push_back(each);
    }
    for (auto [place, each] : moves) {
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), each);
    }
    return call.Transposed(x, order);
  });
}

Tensor Flip(const Tensor& x, const Axes& axis, Location where) {
  return CallArrays("flip", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes, CountedAxes(axis, array.rank()));
    Tensor made = x;
    for (size_t each : axes) made = call.Piece(made, each, std::nullopt, std::nullopt, -1);
    return made;
  });
}

Tensor Roll(const Tensor& x, const Integers& shift, const Axes& axis, Location where) {
  return CallArrays("roll", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    std::vector<int64_t> shifts(shift.span().begin(), shift.span().end());
    if (axis.is_all()) {
      int64_t total = 0;
      for (int64_t each : shifts) {
        if (__builtin_add_overflow(total, each, &total)) {
          return InvalidArgumentError(
              StrCat("shift ", TextOf(shifts), " adds up to more than 64 bits"));
        }
      }
      TFRT_ASSIGN_OR_RETURN(Array flat, call.Read(call.Flat(array)));
      Tensor rolled = Rolled(call, flat, total, 0);
      return array.rank() == 1 ? rolled : call.Reshaped(rolled, call.SizesOf(array));
    }
    std::vector<size_t> axes;
    for (int64_t each : axis.span()) {
      TFRT_ASSIGN_OR_RETURN(size_t from_0, CountedAxis(each, array.rank()));
      axes.push_back(from_0);
    }
    if (shifts.size() == 1) shifts.resize(axes.size(), shifts[0]);
    if (axes.size() == 1) axes.resize(shifts.size(), axes[0]);
    if (shifts.size() != axes.size()) {
      return InvalidArgumentError(
          StrCat("shift has ", shifts.size(), " numbers, but axis has ", axes.size()));
    }
    for (size_t i = 0; i < axes.size(); ++i) {
      array.tensor = Rolled(call, array, shifts[i], axes[i]);
    }
    return array.tensor;
  });
}

Tensor Repeat(const Tensor& x, Operand repeats, std::optional<int64_t> axis, Location where) {
  return CallArrays("repeat", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    if (!axis) {
      TFRT_ASSIGN_OR_RETURN(array, call.Read(call.Flat(array)));
    }
    TFRT_ASSIGN_OR_RETURN(size_t along, CountedAxis(axis.value_or(0), array.rank()));
    TFRT_ASSIGN_OR_RETURN(Array times, call.Read(repeats));
    if (!IsInteger(times.dtype)) {
      return InvalidArgumentError(StrCat("repeats are integers, not ", DTypeName(times.dtype)));
    }
    if (times.rank() > 1) {
      return InvalidArgumentError(StrCat("repeats have 0 or 1 dimensions, not ", times.rank()));
    }
    if (times.rank() == 1 && !times.dims[0].is(1)) {
      TFRT_ASSIGN_OR_RETURN(Tensor places, PlacesOf(call, times, array, along));
      return ops::GatherV2(array.tensor, places, static_cast<int64_t>(along), {}, where);
    }
    Tensor number = ops::Reshape(call.CastTo(times, DType::kI64),
                                 HostArray({0}, std::span<const int64_t>()), where);
    Size count = number;
    if (!number.is_traced()) {
      TFRT_ASSIGN_OR_RETURN(int64_t known, number.Item<int64_t>(where));
      if (known < 0) {
        return InvalidArgumentError(StrCat("repeats are 0 or more, not ", known));
      }
      count = known;
    }
    Sizes multiples(array.rank() + 1, 1);
    multiples[along + 1] = count;
    Tensor wide =
        ops::Tile(call.ExpandedAt(array.tensor, along + 1), call.ShapeFrom(multiples), where);
    Sizes sizes = call.SizesOf(array);
    sizes[along] = call.Times(sizes[along], count);
    return call.Reshaped(wide, sizes);
  });
}

Tensor Tile(const Tensor& x, const Integers& repetitions, Location where) {
  return CallArrays("tile", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    for (int64_t each : repetitions.span()) {
      if (each < 0) {
        return InvalidArgumentError(
            StrCat("repetitions are 0 or more, but ", TextOf(repetitions.span()), " has ", each));
      }
    }
    const size_t count = repetitions.span().size();
    Tensor made = x;
    for (size_t rank = array.rank(); rank < count; ++rank) made = call.ExpandedAt(made, 0);
    std::vector<int64_t> times(array.rank() > count ? array.rank() - count : 0, 1);
    times.insert(times.end(), repetitions.span().begin(), repetitions.span().end());
    return count == 0 ? x : ops::Tile(made, VectorOf(std::span<const int64_t>(times)), where);
  });
}

Tensor BroadcastTo(const Tensor& x, const ShapeArgument& shape, Location where) {
  return CallArrays("broadcast_to", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    if (shape.tensor().valid()) return ops::BroadcastTo(x, shape.tensor(), where);
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    // The op also lets the argument be the larger one.
    const std::span<const int64_t> sizes = shape.span();
    bool fits = sizes.size() >= array.rank();
    for (size_t i = 0; fits && i < array.rank(); ++i) {
      const Dim dim = array.dims[array.rank() - 1 - i];
      fits = dim.is(1) || !dim.Contradicts(sizes[sizes.size() - 1 - i]);
    }
    if (!fits) {
      return InvalidArgumentError(StrCat("x of the shape ", array.shape(),
                                         " is not broadcast to the shape ", TextOf(sizes)));
    }
    return ops::BroadcastTo(x, VectorOf(sizes), where);
  });
}

std::vector<Tensor> BroadcastArrays(TensorList arrays, Location where) {
  return CallForList(
      "broadcast_arrays", where, [&](ArrayCall& call) -> StatusOr<std::vector<Tensor>> {
        if (arrays.span().empty()) return std::vector<Tensor>();
        TFRT_ASSIGN_OR_RETURN(std::vector<Array> read, ReadAll(call, arrays));
        std::vector<Dim> dims = read[0].dims;
        for (size_t i = 1; i < read.size(); ++i) {
          TFRT_ASSIGN_OR_RETURN(dims, BroadcastDims(dims, read[i].dims));
        }
        std::vector<Tensor> made;
        TensorArgument shape;
        if (std::ranges::all_of(dims, &Dim::is_known)) {
          std::vector<int64_t> sizes;
          for (Dim dim : dims) sizes.push_back(dim.value());
          shape = VectorOf(std::span<const int64_t>(sizes));
        } else {
          // Each array with zeros of the shape of all, which broadcasting finds.
          Tensor all = ops::ZerosLike(read[0].tensor, DType::kI32, where);
          for (const Array& each : std::span(read).subspan(1)) {
            all = ops::AddV2(all, ops::ZerosLike(each.tensor, DType::kI32, where), where);
          }
          shape = ops::Shape(all, {.out_type = DType::kI64}, where);
        }
        for (const Array& each : read) {
          made.push_back(each.dims == dims && each.is_known()
                             ? each.tensor
                             : ops::BroadcastTo(each.tensor, shape, where));
        }
        return made;
      });
}

}  // namespace tfrt::eager::arrays
