// Products of matrices and vectors, and contractions of several axes.

#include "tfrt/eager/arrays/products.h"

#include <algorithm>

#include "array_call.h"
#include "multiply.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

// The dtype in which elements are multiplied and summed.
DType DTypeOfProduct(DType dtype) {
  if (IsBool(dtype) || dtype == DType::kI8 || dtype == DType::kI16) return DType::kI32;
  if (dtype == DType::kUI8 || dtype == DType::kUI16) return DType::kUI32;
  return dtype;
}

StatusOr<std::pair<Array, Array>> Factors(ArrayCall& call, const Tensor& x1, const Tensor& x2) {
  Operand x(x1, call.where()), y(x2, call.where());
  return call.PairOf(x, y);
}

StatusOr<Tensor> Contracted(ArrayCall& call, const Array& x, const Array& y,
                            const std::vector<size_t>& of_x, const std::vector<size_t>& of_y) {
  if (of_x.size() != of_y.size()) {
    return InvalidArgumentError(
        StrCat("axes name ", of_x.size(), " of x1, but ", of_y.size(), " of x2"));
  }
  for (size_t i = 0; i < of_x.size(); ++i) {
    const Dim a = x.dims[of_x[i]], b = y.dims[of_y[i]];
    if (a.Contradicts(b)) {
      return InvalidArgumentError(StrCat("axis ", of_x[i], " of x1 has size ", a.value(),
                                         ", but axis ", of_y[i], " of x2 has ", b.value()));
    }
  }
  auto rest = [](const Array& array, const std::vector<size_t>& named) {
    std::vector<size_t> others;
    for (size_t axis = 0; axis < array.rank(); ++axis) {
      if (std::ranges::find(named, axis) == named.end()) others.push_back(axis);
    }
    return others;
  };
  const std::vector<size_t> left = rest(x, of_x), right = rest(y, of_y);
  Sizes kept;
  for (size_t axis : left) kept.push_back(call.SizeOf(x, axis));
  for (size_t axis : right) kept.push_back(call.SizeOf(y, axis));
  std::vector<size_t> rows = left, columns = of_y;
  rows.insert(rows.end(), of_x.begin(), of_x.end());
  columns.insert(columns.end(), right.begin(), right.end());
  const Size common = call.CountOf(x, of_x);
  const Size left_shape[] = {call.CountOf(x, left), common};
  const Size right_shape[] = {common, call.CountOf(y, right)};
  Tensor a = call.Reshaped(call.Transposed(x.tensor, rows), left_shape);
  Tensor b = call.Reshaped(call.Transposed(y.tensor, columns), right_shape);
  return call.Reshaped(Products(call, a, b, x.dtype, true), kept);
}

}  // namespace

Tensor Products(ArrayCall& call, const Tensor& x, const Tensor& y, DType dtype, bool of_two) {
  const DType wide = DTypeOfProduct(dtype);
  Tensor a = call.CastTo(x, dtype, wide), b = call.CastTo(y, dtype, wide);
  Tensor product =
      of_two ? ops::MatMul(a, b, {}, call.where()) : ops::BatchMatMulV2(a, b, {}, call.where());
  return call.CastTo(product, wide, dtype);
}

Tensor Multiplied(ArrayCall& call, const Tensor& x, const Tensor& y, DType dtype) {
  return IsBool(dtype) ? ops::LogicalAnd(x, y, call.where()) : ops::Mul(x, y, call.where());
}

Tensor Summed(ArrayCall& call, const Tensor& x, std::span<const size_t> axes, DType dtype) {
  const Location where = call.where();
  if (IsBool(dtype)) {
    return ops::Cast(ops::Max(call.BytesOf(x), VectorOf(axes), {}, where), DType::kI1, where);
  }
  return ops::Sum(x, VectorOf(axes), {}, where);
}

Tensor Matmul(const Tensor& x1, const Tensor& x2, Location where) {
  return CallArrays("matmul", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(auto pair, Factors(call, x1, x2));
    const auto& [x, y] = pair;
    for (const Array* array : {&x, &y}) {
      if (array->rank() > 0) continue;
      return InvalidArgumentError(
          StrCat(array == &x ? "x1" : "x2", " has 0 dimensions, but 1 or more are needed"));
    }
    const bool is_row = x.rank() == 1, is_column = y.rank() == 1;
    const Dim inner = x.dims[x.rank() - 1], other = y.dims[is_column ? 0 : y.rank() - 2];
    if (inner.Contradicts(other)) {
      return InvalidArgumentError(StrCat("x1 has the shape ", x.shape(), " and x2 ", y.shape(),
                                         ": ", inner.value(), " is not ", other.value()));
    }
    Tensor a = is_row ? call.ExpandedAt(x.tensor, 0) : x.tensor;
    Tensor b = is_column ? call.ExpandedAt(y.tensor, 1) : y.tensor;
    const size_t rank = std::max({x.rank(), y.rank(), size_t{2}});
    Tensor product = Products(call, a, b, x.dtype, rank == 2);
    std::vector<int64_t> squeezed;
    if (is_row) squeezed.push_back(static_cast<int64_t>(rank) - 2);
    if (is_column) squeezed.push_back(static_cast<int64_t>(rank) - 1);
    return squeezed.empty() ? product : ops::Squeeze(product, {.squeeze_dims = squeezed}, where);
  });
}

Tensor Vecdot(const Tensor& x1, const Tensor& x2, const VecdotOptions& options, Location where) {
  return CallArrays("vecdot", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(auto pair, Factors(call, x1, x2));
    auto& [x, y] = pair;
    if (ElementTypeOf(x.dtype).kind == NumberKind::kComplex) {
      x.tensor = ops::MakeComplex(ops::Real(x.tensor, where),
                                  ops::Neg(ops::Imag(x.tensor, where), where), where);
    }
    TFRT_ASSIGN_OR_RETURN(size_t of_x, CountedAxis(options.axis, x.rank()));
    TFRT_ASSIGN_OR_RETURN(size_t of_y, CountedAxis(options.axis, y.rank()));
    if (x.dims[of_x].Contradicts(y.dims[of_y])) {
      return InvalidArgumentError(StrCat("the vectors of x1 have size ", x.dims[of_x].value(),
                                         ", but those of x2 have ", y.dims[of_y].value()));
    }
    Tensor left = call.Moved(x, of_x, x.rank() - 1), right = call.Moved(y, of_y, y.rank() - 1);
    const auto last = static_cast<int64_t>(std::max(x.rank(), y.rank())) - 1;
    if (last == 0 || ElementTypeOf(x.dtype).kind == NumberKind::kComplex) {
      // Rows times columns. The op that sums takes no complex numbers.
      Tensor products = Products(call, call.ExpandedAt(left, x.rank() - 1),
                                 call.ExpandedAt(right, y.rank()), x.dtype, last == 0);
      return ops::Squeeze(products, {.squeeze_dims = {last, last + 1}}, where);
    }
    Tensor product = Multiplied(call, left, right, x.dtype);
    const size_t summed[] = {static_cast<size_t>(last)};
    return Summed(call, product, summed, x.dtype);
  });
}

Tensor Tensordot(const Tensor& x1, const Tensor& x2, int64_t axes, Location where) {
  return CallArrays("tensordot", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(auto pair, Factors(call, x1, x2));
    const auto& [x, y] = pair;
    if (axes < 0 || axes > static_cast<int64_t>(std::min(x.rank(), y.rank()))) {
      return InvalidArgumentError(
          StrCat("axes is ", axes, ", but x1 has ", x.rank(), " dimensions and x2 has ", y.rank()));
    }
    std::vector<size_t> of_x, of_y;
    for (size_t i = 0; i < static_cast<size_t>(axes); ++i) {
      of_x.push_back(x.rank() - static_cast<size_t>(axes) + i);
      of_y.push_back(i);
    }
    return Contracted(call, x, y, of_x, of_y);
  });
}

Tensor Tensordot(const Tensor& x1, const Tensor& x2, const std::array<Axes, 2>& axes,
                 Location where) {
  return CallArrays("tensordot", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(auto pair, Factors(call, x1, x2));
    const auto& [x, y] = pair;
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> of_x, CountedAxes(axes[0], x.rank(), "axes[0]"));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> of_y, CountedAxes(axes[1], y.rank(), "axes[1]"));
    return Contracted(call, x, y, of_x, of_y);
  });
}

Tensor Outer(const Tensor& x1, const Tensor& x2, Location where) {
  return CallArrays("outer", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(auto pair, Factors(call, x1, x2));
    const auto& [x, y] = pair;
    return Multiplied(call, call.ExpandedAt(call.Flat(x), 1), call.ExpandedAt(call.Flat(y), 0),
                      x.dtype);
  });
}

}  // namespace tfrt::eager::arrays
