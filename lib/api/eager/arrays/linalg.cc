// The extension `linalg` of the array API standard.

#include "tfrt/eager/arrays/linalg.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "array_call.h"
#include "tfrt/eager/arrays/statistics.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays::linalg {
namespace {

bool HasDecompositions(DType dtype) { return dtype == DType::kF32 || dtype == DType::kF64; }

StatusOr<Array> Floats(ArrayCall& call, const Tensor& x) {
  TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
  if (IsFloat(array.dtype)) return array;
  return InvalidArgumentError(
      StrCat("x has elements of f16, bf16, f32 or f64, not ", DTypeName(array.dtype)));
}

Status CheckDType(const Array& x, std::string_view name) {
  if (HasDecompositions(x.dtype)) return OkStatus();
  return InvalidArgumentError(
      StrCat(name, " has elements of f32 or f64, not ", DTypeName(x.dtype)));
}

Status CheckRank(const Array& x, std::string_view name = "x") {
  if (x.rank() >= 2) return OkStatus();
  return InvalidArgumentError(StrCat(name, " has 2 dimensions or more, not ", x.rank()));
}

// Matrices that can be decomposed.
StatusOr<Array> Matrices(ArrayCall& call, const Tensor& x, std::string_view name = "x") {
  TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
  TFRT_RETURN_IF_ERROR(CheckDType(array, name));
  TFRT_RETURN_IF_ERROR(CheckRank(array, name));
  return array;
}

StatusOr<Array> SquareMatrices(ArrayCall& call, const Tensor& x, std::string_view name = "x") {
  TFRT_ASSIGN_OR_RETURN(Array array, Matrices(call, x, name));
  const Dim rows = array.dims[array.rank() - 2], columns = array.dims[array.rank() - 1];
  if (rows.Contradicts(columns)) {
    return InvalidArgumentError(StrCat(name, " has square matrices, but ", rows.value(),
                                       " rows and ", columns.value(), " columns"));
  }
  return array;
}

// A number as a tensor without dimensions.
StatusOr<Tensor> NumberOf(ArrayCall& call, double number, DType dtype) {
  Operand operand(number);
  return call.OfDType(operand, dtype);
}

Size LargestOf(ArrayCall& call, const Size& a, const Size& b) {
  if (a.is_known() && b.is_known()) return std::max(a.number(), b.number());
  return ops::Maximum(call.TensorOf(a), call.TensorOf(b), call.where());
}

Size SmallestOf(ArrayCall& call, const Size& a, const Size& b) {
  if (a.is_known() && b.is_known()) return std::min(a.number(), b.number());
  return ops::Minimum(call.TensorOf(a), call.TensorOf(b), call.where());
}

// The largest of magnitudes, 0 of none; the smallest, infinity of none.
StatusOr<Tensor> Extreme(ArrayCall& call, const Tensor& x, DType dtype,
                         std::span<const size_t> axes, bool smallest, bool keepdims) {
  const Location where = call.where();
  if (smallest) return ops::Min(x, VectorOf(axes), {.keep_dims = keepdims}, where);
  TFRT_ASSIGN_OR_RETURN(Tensor zero, NumberOf(call, 0, dtype));
  return ops::Maximum(ops::Max(x, VectorOf(axes), {.keep_dims = keepdims}, where), zero, where);
}

// The larger size of matrices times the distance of 1 to the next number.
StatusOr<Tensor> DefaultTolerance(ArrayCall& call, const Array& x) {
  const double epsilon = x.dtype == DType::kF32 ? std::numeric_limits<float>::epsilon()
                                                : std::numeric_limits<double>::epsilon();
  const Size size = LargestOf(call, call.SizeOf(x, x.rank() - 2), call.SizeOf(x, x.rank() - 1));
  if (size.is_known()) {
    return NumberOf(call, static_cast<double>(size.number()) * epsilon, x.dtype);
  }
  TFRT_ASSIGN_OR_RETURN(Tensor distance, NumberOf(call, epsilon, x.dtype));
  return ops::Mul(call.CastTo(size.tensor(), DType::kI64, x.dtype), distance, call.where());
}

// A tolerance for each matrix: one that is broadcast to [..., 1].
StatusOr<Tensor> Tolerance(ArrayCall& call, const Array& x, const Operand& given) {
  if (!given.is_given()) return DefaultTolerance(call, x);
  Operand rtol = given;
  if (rtol.number.is_given()) return call.OfDType(rtol, x.dtype);
  TFRT_ASSIGN_OR_RETURN(Array array, call.Read(rtol));
  if (!IsFloat(array.dtype)) {
    return InvalidArgumentError(
        StrCat("rtol has elements of f16, bf16, f32 or f64, not ", DTypeName(array.dtype)));
  }
  return call.ExpandedAt(call.CastTo(array, x.dtype), array.rank());
}

// Whether singular values [..., K] count as more than 0.
StatusOr<Tensor> IsKept(ArrayCall& call, const Array& x, const Tensor& s, const Tensor& tolerance) {
  const size_t last[] = {x.rank() - 2};
  TFRT_ASSIGN_OR_RETURN(Tensor largest, Extreme(call, s, x.dtype, last, false, true));
  return ops::Greater(s, ops::Mul(largest, tolerance, call.where()), call.where());
}

StatusOr<Tensor> RealPinv(ArrayCall& call, const Array& x, const Tensor& tolerance) {
  const Location where = call.where();
  auto [u, s, vh] = ops::Svd(x.tensor, {.full_matrices = false}, where);
  TFRT_ASSIGN_OR_RETURN(Tensor is_kept, IsKept(call, x, s, tolerance));
  TFRT_ASSIGN_OR_RETURN(Tensor one, NumberOf(call, 1, x.dtype));
  TFRT_ASSIGN_OR_RETURN(Tensor zero, NumberOf(call, 0, x.dtype));
  Tensor inverses = ops::Select(
      is_kept, ops::Reciprocal(ops::Select(is_kept, s, one, where), where), zero, where);
  Tensor left =
      ops::Mul(arrays::MatrixTranspose(vh, where), call.ExpandedAt(inverses, x.rank() - 2), where);
  return ops::BatchMatMulV2(left, arrays::MatrixTranspose(u, where), {}, where);
}

// By the real matrix [[A, -B], [B, A]] of A + i B: those of its inverse have its form, too.
StatusOr<Tensor> ComplexPinv(ArrayCall& call, const Array& x, const RankOptions& options) {
  const Location where = call.where();
  const size_t rows = x.rank() - 2, columns = x.rank() - 1;
  Tensor re = ops::Real(x.tensor, where), im = ops::Imag(x.tensor, where);
  auto joined = [&](Tensor a, Tensor b, size_t axis) {
    const std::vector<Tensor> parts = {std::move(a), std::move(b)};
    return ops::ConcatV2(parts, static_cast<int64_t>(axis), where);
  };
  TFRT_ASSIGN_OR_RETURN(Array part, call.Read(re));
  TFRT_ASSIGN_OR_RETURN(Tensor tolerance, Tolerance(call, part, options.rtol));
  Tensor upper = joined(re, ops::Neg(im, where), columns), lower = joined(im, re, columns);
  TFRT_ASSIGN_OR_RETURN(Array both, call.Read(joined(upper, lower, rows)));
  TFRT_ASSIGN_OR_RETURN(Tensor inverse, RealPinv(call, both, tolerance));
  const Size m = call.SizeOf(x, rows), n = call.SizeOf(x, columns);
  Tensor left = call.Piece(inverse, columns, 0, m);
  return ops::MakeComplex(call.Piece(left, rows, 0, n), call.Piece(left, rows, n, std::nullopt),
                          where);
}

// The diagonals of matrices as a new last axis.
Tensor DiagonalOf(ArrayCall& call, const Array& x, int64_t offset) {
  constexpr int64_t kFar = int64_t{1} << 62;
  offset = std::clamp(offset, -kFar, kFar);
  Sizes sizes = call.SizesOf(x);
  const Size columns = sizes.back();
  sizes.pop_back();
  const Size rows = sizes.back();
  sizes.pop_back();
  const size_t axis = sizes.size();
  const Size whole = call.Times(rows, columns);
  sizes.push_back(whole);
  Size count = SmallestOf(call, call.Plus(rows, std::min(offset, int64_t{0})),
                          call.Plus(columns, -std::max(offset, int64_t{0})));
  count = LargestOf(call, count, 0);
  Tensor flat = call.Reshaped(x.tensor, sizes);
  if (count.is(0)) return call.Piece(flat, axis, 0, 0);
  // In the row-major matrix the next one is a row and a column further.
  const Size begin = offset < 0 ? call.Times(columns, SmallestOf(call, rows, -offset))
                                : SmallestOf(call, whole, offset);
  const Size step = call.Plus(columns, 1);
  const Size end = call.Plus(begin, call.Times(step, count));
  return call.Piece(flat, axis, begin, SmallestOf(call, whole, end), step);
}

// The identity of the size of square matrices: [M, M].
StatusOr<Tensor> IdentityOf(ArrayCall& call, const Array& x) {
  const Size size = call.SizeOf(x, x.rank() - 1);
  const Size sizes[] = {size, size};
  TFRT_ASSIGN_OR_RETURN(Tensor zero, NumberOf(call, 0, x.dtype));
  Tensor zeros = ops::Fill(call.ShapeFrom(sizes), zero, call.where());
  return ops::EyeLike(zeros, x.dtype, {}, call.where());
}

std::string TextOfOrder(const MatrixOrder& ord) {
  return ord.name().empty() ? StrCat(ord.number()) : StrCat("'", ord.name(), "'");
}

}  // namespace

Tensor Cross(const Tensor& x1, const Tensor& x2, const CrossOptions& options, Location where) {
  return CallArrays("cross", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    Operand first(x1, where), second(x2, where);
    TFRT_ASSIGN_OR_RETURN(auto pair, call.PairOf(first, second));
    const auto& [x, y] = pair;
    if (IsBool(x.dtype)) return InvalidArgumentError("x1 and x2 have numbers, not i1");
    // Counted from the end, so that it is one axis of the broadcast shape.
    int64_t from_end = options.axis;
    if (from_end >= 0) from_end -= static_cast<int64_t>(std::max(x.rank(), y.rank()));
    auto axis_of = [&](const Array& array) -> StatusOr<size_t> {
      TFRT_ASSIGN_OR_RETURN(size_t axis, CountedAxis(from_end, array.rank()));
      if (!array.dims[axis].Contradicts(3)) return axis;
      return InvalidArgumentError(StrCat(&array == &x ? "x1" : "x2", " has vectors of size ",
                                         array.dims[axis].value(), " along axis ", options.axis,
                                         ", not 3"));
    };
    TFRT_ASSIGN_OR_RETURN(size_t of_x, axis_of(x));
    TFRT_ASSIGN_OR_RETURN(size_t of_y, axis_of(y));
    auto rolled = [&](const Array& array, size_t axis, std::array<int64_t, 3> places) {
      return ops::GatherV2(array.tensor, VectorOf(std::span<const int64_t>(places)),
                           static_cast<int64_t>(axis), {}, where);
    };
    return ops::Sub(ops::Mul(rolled(x, of_x, {1, 2, 0}), rolled(y, of_y, {2, 0, 1}), where),
                    ops::Mul(rolled(x, of_x, {2, 0, 1}), rolled(y, of_y, {1, 2, 0}), where), where);
  });
}

Tensor MatrixPower(const Tensor& x, int64_t n, Location where) {
  return CallArrays("matrix_power", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, SquareMatrices(call, x));
    if (n == 0) {
      TFRT_ASSIGN_OR_RETURN(Tensor identity, IdentityOf(call, array));
      return ops::AddV2(ops::ZerosLike(array.tensor, array.dtype, where), identity, where);
    }
    Tensor base = n < 0 ? ops::Inverse(array.tensor, where) : array.tensor;
    Tensor power = base;
    const uint64_t count = n < 0 ? 0 - static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
    for (int bit = std::bit_width(count) - 2; bit >= 0; --bit) {  // below the highest one
      power = ops::BatchMatMulV2(power, power, {}, where);
      if ((count >> bit & 1) != 0) power = ops::BatchMatMulV2(power, base, {}, where);
    }
    return power;
  });
}

Tensor Cholesky(const Tensor& x, const CholeskyOptions& options, Location where) {
  return CallArrays("cholesky", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, SquareMatrices(call, x));
    return ops::Cholesky(array.tensor, {.upper = options.upper}, where);
  });
}

QrResult Qr(const Tensor& x, const QrOptions& options, Location where) {
  ArrayCall call("qr", where);
  StatusOr<Array> array = Matrices(call, x);
  if (array.ok() && options.mode != "reduced" && options.mode != "complete") {
    array =
        InvalidArgumentError(StrCat("mode is 'reduced' or 'complete', not '", options.mode, "'"));
  }
  if (!array.ok()) {
    Tensor error = call.Fail(array.status());
    return {error, error};
  }
  auto [q, r] = ops::Qr(array->tensor, {.complete = options.mode == "complete"}, where);
  return {std::move(q), std::move(r)};
}

SvdResult Svd(const Tensor& x, const SvdOptions& options, Location where) {
  ArrayCall call("svd", where);
  StatusOr<Array> array = Matrices(call, x);
  if (!array.ok()) {
    Tensor error = call.Fail(array.status());
    return {error, error, error};
  }
  auto [u, s, vh] = ops::Svd(array->tensor, {.full_matrices = options.full_matrices}, where);
  return {std::move(u), std::move(s), std::move(vh)};
}

Tensor Svdvals(const Tensor& x, Location where) {
  return CallArrays("svdvals", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, Matrices(call, x));
    return ops::Svdvals(array.tensor, where);
  });
}

EighResult Eigh(const Tensor& x, Location where) {
  ArrayCall call("eigh", where);
  StatusOr<Array> array = SquareMatrices(call, x);
  if (!array.ok()) {
    Tensor error = call.Fail(array.status());
    return {error, error};
  }
  auto [values, vectors] = ops::Eigh(array->tensor, {}, where);
  return {std::move(values), std::move(vectors)};
}

Tensor Eigvalsh(const Tensor& x, Location where) {
  return CallArrays("eigvalsh", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, SquareMatrices(call, x));
    return ops::Eigvalsh(array.tensor, {}, where);
  });
}

Tensor Solve(const Tensor& x1, const Tensor& x2, Location where) {
  return CallArrays("solve", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array first, SquareMatrices(call, x1, "x1"));
    TFRT_ASSIGN_OR_RETURN(Array second, call.Read(x2));
    TFRT_RETURN_IF_ERROR(CheckDType(second, "x2"));
    if (second.rank() == 0) {
      return InvalidArgumentError("x2 has 1 dimension or more, but it has none");
    }
    std::array<Array, 2> pair = {std::move(first), std::move(second)};
    TFRT_RETURN_IF_ERROR(call.Promote(pair));
    const auto& [a, b] = pair;
    const bool is_vector = b.rank() == 1;
    const Dim rows = a.dims[a.rank() - 1], others = b.dims[is_vector ? 0 : b.rank() - 2];
    if (rows.Contradicts(others)) {
      return InvalidArgumentError(
          StrCat("x1 has ", rows.value(), " rows, but x2 has ", others.value()));
    }
    if (!is_vector) return ops::Solve(a.tensor, b.tensor, {}, where);
    Tensor columns = ops::Solve(a.tensor, call.ExpandedAt(b.tensor, 1), {}, where);
    return ops::Squeeze(columns, {.squeeze_dims = {static_cast<int64_t>(a.rank()) - 1}}, where);
  });
}

Tensor Inv(const Tensor& x, Location where) {
  return CallArrays("inv", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, SquareMatrices(call, x));
    return ops::Inverse(array.tensor, where);
  });
}

Tensor Pinv(const Tensor& x, const RankOptions& options, Location where) {
  return CallArrays("pinv", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    if (ElementTypeOf(array.dtype).kind == NumberKind::kComplex) {
      TFRT_RETURN_IF_ERROR(CheckRank(array));
      return ComplexPinv(call, array, options);
    }
    TFRT_RETURN_IF_ERROR(CheckDType(array, "x"));
    TFRT_RETURN_IF_ERROR(CheckRank(array));
    TFRT_ASSIGN_OR_RETURN(Tensor tolerance, Tolerance(call, array, options.rtol));
    return RealPinv(call, array, tolerance);
  });
}

Tensor MatrixRank(const Tensor& x, const RankOptions& options, Location where) {
  return CallArrays("matrix_rank", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, Matrices(call, x));
    TFRT_ASSIGN_OR_RETURN(Tensor tolerance, Tolerance(call, array, options.rtol));
    Tensor s = ops::Svdvals(array.tensor, where);
    TFRT_ASSIGN_OR_RETURN(Tensor is_kept, IsKept(call, array, s, tolerance));
    return ops::Sum(ops::Cast(is_kept, DType::kI32, where), {-1}, {}, where);
  });
}

Tensor Det(const Tensor& x, Location where) {
  return CallArrays("det", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, SquareMatrices(call, x));
    return ops::Determinant(array.tensor, where);
  });
}

SlogdetResult Slogdet(const Tensor& x, Location where) {
  ArrayCall call("slogdet", where);
  StatusOr<Array> array = SquareMatrices(call, x);
  if (!array.ok()) {
    Tensor error = call.Fail(array.status());
    return {error, error};
  }
  auto [sign, logarithm] = ops::Slogdet(array->tensor, where);
  return {std::move(sign), std::move(logarithm)};
}

Tensor Diagonal(const Tensor& x, const DiagonalOptions& options, Location where) {
  return CallArrays("diagonal", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_RETURN_IF_ERROR(CheckRank(array));
    return DiagonalOf(call, array, options.offset);
  });
}

Tensor Trace(const Tensor& x, const TraceOptions& options, Location where) {
  return CallArrays("trace", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_RETURN_IF_ERROR(CheckRank(array));
    if (IsBool(array.dtype)) return InvalidArgumentError("x has numbers, not i1");
    return arrays::Sum(DiagonalOf(call, array, options.offset),
                       {.axis = -1, .dtype = options.dtype}, where);
  });
}

Tensor MatrixNorm(const Tensor& x, const MatrixNormOptions& options, Location where) {
  return CallArrays("matrix_norm", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, Floats(call, x));
    TFRT_RETURN_IF_ERROR(CheckRank(array));
    const size_t rows = array.rank() - 2, columns = array.rank() - 1;
    const size_t both[] = {rows, columns};
    const std::string_view name = options.ord.name();
    const double ord = options.ord.number(), magnitude = name.empty() ? std::abs(ord) : 0;
    if (name == "fro") {
      return ops::ReduceL2(x, VectorOf(both), {.keep_dims = options.keepdims}, where);
    }
    if (magnitude == 1 || std::isinf(magnitude)) {
      const size_t along[] = {magnitude == 1 ? rows : columns};
      Tensor sums = ops::Sum(ops::Abs(x, where), VectorOf(along), {.keep_dims = true}, where);
      return Extreme(call, sums, array.dtype, both, ord < 0, options.keepdims);
    }
    if (magnitude != 2 && name != "nuc") {
      return InvalidArgumentError(
          StrCat("ord is 'fro', 'nuc', 1, -1, 2, -2, infinity or -infinity, not ",
                 TextOfOrder(options.ord)));
    }
    TFRT_RETURN_IF_ERROR(CheckDType(array, "x"));
    Tensor values = call.ExpandedAt(ops::Svdvals(x, where), columns);
    if (name == "nuc") {
      return ops::Sum(values, VectorOf(both), {.keep_dims = options.keepdims}, where);
    }
    return Extreme(call, values, array.dtype, both, ord < 0, options.keepdims);
  });
}

Tensor VectorNorm(const Tensor& x, const VectorNormOptions& options, Location where) {
  return CallArrays("vector_norm", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, Floats(call, x));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes, CountedAxes(options.axis, array.rank()));
    const double ord = options.ord;
    const ops::SumAttrs attrs = {.keep_dims = options.keepdims};
    if (ord == 2) return ops::ReduceL2(x, VectorOf(axes), attrs, where);
    if (ord == 0) {
      TFRT_ASSIGN_OR_RETURN(Tensor zero, NumberOf(call, 0, array.dtype));
      Tensor counted = ops::Cast(ops::NotEqual(x, zero, where), array.dtype, where);
      return ops::Sum(counted, VectorOf(axes), attrs, where);
    }
    Tensor magnitudes = ops::Abs(x, where);
    if (std::isinf(ord)) {
      return Extreme(call, magnitudes, array.dtype, axes, ord < 0, options.keepdims);
    }
    if (ord == 1) return ops::Sum(magnitudes, VectorOf(axes), attrs, where);
    TFRT_ASSIGN_OR_RETURN(Tensor power, NumberOf(call, ord, array.dtype));
    TFRT_ASSIGN_OR_RETURN(Tensor root, NumberOf(call, 1 / ord, array.dtype));
    Tensor powers = ops::Pow(magnitudes, power, where);
    return ops::Pow(ops::Sum(powers, VectorOf(axes), attrs, where), root, where);
  });
}

}  // namespace tfrt::eager::arrays::linalg
