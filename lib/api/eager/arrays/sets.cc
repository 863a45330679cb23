// Elements without those that repeat.

#include "array_call.h"
#include "tfrt/eager/arrays/searching.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

Tensor InOrder(ArrayCall& call, const Tensor& flat, DType dtype) {
  if (!IsBool(dtype)) return ops::Sort(flat, {}, call.where());
  return ops::Cast(ops::Sort(call.BytesOf(flat), {}, call.where()), DType::kI1, call.where());
}

// Where an element differs from the one before it, as the first one does.
Tensor IsFirst(ArrayCall& call, const Tensor& ordered) {
  const Location where = call.where();
  Tensor differ = ops::NotEqual(call.Piece(ordered, 0, 1, std::nullopt),
                                call.Piece(ordered, 0, std::nullopt, -1), where);
  // One true in front, if there is an element: as many as all differences and one more, or none.
  Tensor front = call.Piece(ordered, 0, 0, 1);
  Tensor ones = ops::AddV2(ops::ZerosLike(front, DType::kI64, where), call.Integer(1), where);
  return ops::ConcatV2({ops::Cast(ones, DType::kI1, where), differ}, 0, where);
}

// Where runs of equal elements begin.
Tensor Begins(ArrayCall& call, const Tensor& first) {
  return ops::Reshape(ops::Nonzero(first, call.where()), {-1}, call.where());
}

// The lengths of the runs, of `size` elements together.
Tensor Lengths(ArrayCall& call, const Tensor& begins, const Tensor& ordered) {
  const Location where = call.where();
  Tensor size = ops::Shape(ordered, {.out_type = DType::kI64}, where);
  Tensor ends = ops::ConcatV2({begins, size}, 0, where);
  return ops::Sub(call.Piece(ends, 0, 1, std::nullopt), begins, where);
}

UniqueAllResult Unique(std::string_view name, const Tensor& x, Location where) {
  ArrayCall call(name, where);
  StatusOr<Array> read = call.Read(x);
  if (!read.ok()) {
    Tensor error = call.Fail(read.status());
    return {error, error, error, error};
  }
  Tensor flat = call.Flat(*read);
  Tensor order = ops::Argsort(IsBool(read->dtype) ? call.BytesOf(flat) : flat, {.axis = 0}, where);
  Tensor ordered = ops::GatherV2(flat, order, 0, {}, where);
  Tensor first = IsFirst(call, ordered);
  Tensor numbers = ops::Sub(ops::CumulativeSum(ops::Cast(first, DType::kI64, where), 0, {}, where),
                            call.Integer(1), where);
  Tensor inverse = ops::ScatterElements(ops::ZerosLike(order, DType::kI64, where), order, numbers,
                                        {.axis = 0}, where);
  if (read->rank() != 1) inverse = ops::Reshape(inverse, call.ShapeOf(*read), where);
  Tensor begins = Begins(call, first);
  return {.values = ops::GatherV2(ordered, begins, 0, {}, where),
          .indices = ops::GatherV2(order, begins, 0, {}, where),
          .inverse_indices = inverse,
          .counts = Lengths(call, begins, ordered)};
}

}  // namespace

Tensor UniqueValues(const Tensor& x, Location where) {
  return CallArrays("unique_values", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    Tensor ordered = InOrder(call, call.Flat(array), array.dtype);
    return ops::GatherV2(ordered, Begins(call, IsFirst(call, ordered)), 0, {}, where);
  });
}

UniqueCountsResult UniqueCounts(const Tensor& x, Location where) {
  ArrayCall call("unique_counts", where);
  StatusOr<Array> read = call.Read(x);
  if (!read.ok()) {
    Tensor error = call.Fail(read.status());
    return {error, error};
  }
  Tensor ordered = InOrder(call, call.Flat(*read), read->dtype);
  Tensor begins = Begins(call, IsFirst(call, ordered));
  return {.values = ops::GatherV2(ordered, begins, 0, {}, where),
          .counts = Lengths(call, begins, ordered)};
}

UniqueInverseResult UniqueInverse(const Tensor& x, Location where) {
  UniqueAllResult all = Unique("unique_inverse", x, where);
  return {.values = all.values, .inverse_indices = all.inverse_indices};
}

UniqueAllResult UniqueAll(const Tensor& x, Location where) {
  return Unique("unique_all", x, where);
}

Tensor Isin(const Tensor& x1, Operand x2, const IsinOptions& options, Location where) {
  return CallArrays("isin", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    Operand first(x1, where);
    TFRT_ASSIGN_OR_RETURN(auto pair, call.PairOf(first, x2));
    auto& [looked_for, among] = pair;
    if (IsBool(looked_for.dtype)) {
      looked_for.tensor = call.BytesOf(looked_for.tensor);
      among.tensor = call.BytesOf(among.tensor);
    }
    TFRT_ASSIGN_OR_RETURN(Array ordered,
                          call.Read(ops::Sort(call.Flat(among), {.axis = 0}, where)));
    Tensor found;
    if (ordered.dims[0].is(0)) {
      found = ops::ZerosLike(looked_for.tensor, DType::kI1, where);
    } else {
      Tensor last = ops::Sub(call.TensorOf(call.SizeOf(ordered, 0)), call.Integer(1), where);
      Tensor at = ops::Minimum(ops::SearchSorted(ordered.tensor, looked_for.tensor, {}, where),
                               last, where);
      found = ops::Equal(ops::GatherV2(ordered.tensor, at, 0, {}, where), looked_for.tensor, where);
    }
    return options.invert ? ops::LogicalNot(found, where) : found;
  });
}

}  // namespace tfrt::eager::arrays
