// Tensor::At and Tensor::SetAt.

#include <algorithm>

#include "index_parts.h"
#include "lib/api/eager/promotion.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace arrays {
namespace {

// The slices where a mask of the first axes is true.
Tensor TakeMasked(ArrayCall& call, const Array& x, const Array& mask) {
  if (mask.rank() == 1) return ops::Compress(x.tensor, mask.tensor, {.axes = {0}}, call.where());
  Sizes sizes = call.SizesOf(x);
  Size count = 1;
  for (size_t axis = 0; axis < mask.rank(); ++axis) count = call.Times(count, sizes[axis]);
  sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(mask.rank()));
  sizes.insert(sizes.begin(), count);
  Tensor flat = ops::Reshape(mask.tensor, {-1}, call.where());
  return ops::Compress(call.Reshaped(x.tensor, sizes), flat, {.axes = {0}}, call.where());
}

bool HasElements(const Array& x) {
  return std::ranges::none_of(x.dims, [](Dim dim) { return dim.is(0); });
}

StatusOr<Tensor> ItemsAt(ArrayCall& call, const Tensor& tensor, std::span<const Index> items) {
  TFRT_ASSIGN_OR_RETURN(Array x, call.Read(tensor));
  TFRT_ASSIGN_OR_RETURN(std::optional<Array> mask, OnlyMask(call, x, items));
  // In traces by the places of the elements, of which there are gradients.
  if (mask && !x.tensor.is_traced() && !mask->tensor.is_traced() && HasElements(*mask)) {
    return TakeMasked(call, x, *mask);
  }
  TFRT_ASSIGN_OR_RETURN(std::vector<IndexPart> parts, PartsOf(call, x, items));
  return TakeParts(call, std::move(x), parts);
}

// Bools, integers, real and complex numbers: elements of one may be those of a later one.
int OrderOf(DType dtype) {
  switch (ElementTypeOf(dtype).kind) {
    case NumberKind::kBool:
      return 0;
    case NumberKind::kSigned:
    case NumberKind::kUnsigned:
      return 1;
    case NumberKind::kFloat:
    case NumberKind::kBFloat:
      return 2;
    case NumberKind::kComplex:
      return 3;
    case NumberKind::kNone:
      break;
  }
  return 4;
}

// The value in the dtype of the tensor, if its kind of number is not wider.
StatusOr<Array> ValueFor(ArrayCall& call, Operand& value, DType dtype) {
  const bool is_number = value.number.is_given();
  DType own = is_number ? DTypeOfNumber(value.number, DType::kUnsupported) : DType::kUnsupported;
  Array array = {.tensor = {}, .dtype = dtype, .dims = {}};
  if (!is_number) {
    TFRT_ASSIGN_OR_RETURN(array, call.Read(value));
    own = array.dtype;
  }
  if (OrderOf(own) > OrderOf(dtype)) {
    return InvalidArgumentError(StrCat("value has elements of ", DTypeName(own),
                                       ", but the tensor has ", DTypeName(dtype),
                                       "; convert them with Cast"));
  }
  if (is_number && own == DType::kI1) value.number = Number(int{value.number.as_signed() != 0});
  if (is_number) {
    TFRT_ASSIGN_OR_RETURN(array.tensor, call.OfDType(value, dtype));
  } else {
    array.tensor = call.CastTo(array, dtype);
    array.dtype = dtype;
  }
  return array;
}

// The value broadcast to sizes.
StatusOr<Tensor> Spread(ArrayCall& call, Array value, const Sizes& sizes,
                        std::span<const Dim> dims) {
  while (value.rank() > dims.size() && value.dims[0].is(1)) {
    value.tensor = ops::Squeeze(value.tensor, {.squeeze_dims = {0}}, call.where());
    value.dims.erase(value.dims.begin());
  }
  bool fits = value.rank() <= dims.size();
  for (size_t i = 0; fits && i < value.rank(); ++i) {
    const Dim dim = value.dims[value.rank() - 1 - i];
    fits = dim.is(1) || !dim.Contradicts(dims[dims.size() - 1 - i]);
  }
  if (!fits) {
    const SymbolicShape shape(std::vector<Dim>(dims.begin(), dims.end()));
    return InvalidArgumentError(StrCat("value of the shape ", value.shape(),
                                       " is not broadcast to items of the shape ",
                                       shape.ToString()));
  }
  return ops::BroadcastTo(value.tensor, call.ShapeFrom(sizes), call.where());
}

Size ProductOf(ArrayCall& call, std::span<const Size> sizes) {
  Size product = 1;
  for (const Size& size : sizes) product = call.Times(product, size);
  return product;
}

// One value for all slices where a mask of the first axes is true.
StatusOr<Tensor> WithMasked(ArrayCall& call, const Array& x, const Array& mask,
                            const Array& value) {
  Tensor holds = mask.tensor;
  for (size_t axis = mask.rank(); axis < x.rank(); ++axis) holds = call.ExpandedAt(holds, axis);
  const std::span<const Dim> rest = std::span(x.dims).subspan(mask.rank());
  Sizes sizes;
  for (size_t axis = mask.rank(); axis < x.rank(); ++axis) sizes.push_back(call.SizeOf(x, axis));
  TFRT_ASSIGN_OR_RETURN(Tensor wide, Spread(call, value, sizes, rest));
  return ops::Select(holds, wide, x.tensor, call.where());
}

// The elements of the last axes are rows, of which the parts of the first `depth` axes choose some.
StatusOr<Tensor> WithRows(ArrayCall& call, const Array& x, std::span<const IndexPart> parts,
                          size_t depth, const Array& value) {
  const Location where = call.where();
  const Sizes sizes = call.SizesOf(x);
  const std::span<const Size> head = std::span(sizes).first(depth);
  const std::span<const Size> rest = std::span(sizes).subspan(depth);
  const Size count = ProductOf(call, head);
  Tensor numbers = ops::Range(call.Integer(0), call.TensorOf(count), call.Integer(1), where);
  TFRT_ASSIGN_OR_RETURN(Array of_head, call.Read(call.Reshaped(numbers, head)));
  TFRT_ASSIGN_OR_RETURN(Tensor taken, TakeParts(call, of_head, parts));
  TFRT_ASSIGN_OR_RETURN(Array places, call.Read(taken));

  Sizes chosen = call.SizesOf(places);
  const Size num_places = ProductOf(call, chosen);
  chosen.insert(chosen.end(), rest.begin(), rest.end());
  std::vector<Dim> dims = places.dims;
  dims.insert(dims.end(), x.dims.begin() + static_cast<std::ptrdiff_t>(depth), x.dims.end());
  TFRT_ASSIGN_OR_RETURN(Tensor updates, Spread(call, value, chosen, dims));

  Sizes rows = {count}, of_updates = {num_places};
  rows.insert(rows.end(), rest.begin(), rest.end());
  of_updates.insert(of_updates.end(), rest.begin(), rest.end());
  const Size column[] = {num_places, 1};
  Tensor made = ops::ScatterNd(call.Reshaped(x.tensor, rows), call.Reshaped(places.tensor, column),
                               call.Reshaped(updates, of_updates), {}, where);
  return call.Reshaped(made, sizes);
}

StatusOr<Tensor> WithItems(ArrayCall& call, const Tensor& tensor, std::span<const Index> items,
                           Operand& operand) {
  TFRT_ASSIGN_OR_RETURN(Array x, call.Read(tensor));
  TFRT_ASSIGN_OR_RETURN(Array value, ValueFor(call, operand, x.dtype));
  TFRT_ASSIGN_OR_RETURN(std::optional<Array> mask, OnlyMask(call, x, items));
  if (mask && value.rank() <= x.rank() - mask->rank()) {
    if (!HasElements(*mask)) return x.tensor;
    return WithMasked(call, x, *mask, value);
  }
  TFRT_ASSIGN_OR_RETURN(std::vector<IndexPart> parts, PartsOf(call, x, items));
  while (!parts.empty() &&
         (parts.back().kind == IndexPart::Kind::kGap || parts.back().is_whole())) {
    parts.pop_back();
  }
  if (parts.empty()) return Spread(call, value, call.SizesOf(x), x.dims);
  const auto depth = std::ranges::count_if(parts, &IndexPart::has_axis);
  return WithRows(call, x, parts, static_cast<size_t>(depth), value);
}

}  // namespace
}  // namespace arrays

Tensor Tensor::At(const arrays::IndexList& index, Location where) const {
  return arrays::CallArrays("at", where, [&](arrays::ArrayCall& call) {
    return arrays::ItemsAt(call, *this, index.items());
  });
}

Tensor& Tensor::SetAt(const arrays::IndexList& index, Operand value, Location where) {
  return *this = arrays::CallArrays("set_at", where, [&](arrays::ArrayCall& call) {
    return arrays::WithItems(call, *this, index.items(), value);
  });
}

}  // namespace tfrt::eager
