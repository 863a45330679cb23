// Sums, means and others over axes.

#include "tfrt/eager/arrays/statistics.h"

#include <algorithm>

#include "array_call.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

// The dtype of sums of elements, if none is given.
DType DTypeOfSum(DType dtype) {
  switch (dtype) {
    case DType::kI1:
    case DType::kI8:
    case DType::kI16:
      return DType::kI32;
    case DType::kUI8:
    case DType::kUI16:
      return DType::kUI32;
    default:
      return dtype;
  }
}

StatusOr<Array> Summands(ArrayCall& call, const Tensor& x, std::optional<DType> dtype) {
  TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
  const DType wide = dtype.value_or(DTypeOfSum(array.dtype));
  array.tensor = call.CastTo(array, wide);
  array.dtype = wide;
  return array;
}

// The elements as floats, and the dtype of the result. Those of wide integers are computed in f64.
StatusOr<Array> Floats(ArrayCall& call, const Tensor& x, DType* result) {
  TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
  *result = array.dtype;
  if (IsFloat(array.dtype) || ElementTypeOf(array.dtype).kind == NumberKind::kComplex) {
    return array;
  }
  *result = DType::kF32;
  const DType work = DTypeSize(array.dtype) >= 4 ? DType::kF64 : DType::kF32;
  array.tensor = call.CastTo(array, work);
  array.dtype = work;
  return array;
}

// The same for squares, whose sums are beyond floats of 16 bits.
StatusOr<Array> FloatsToSquare(ArrayCall& call, const Tensor& x, DType* result) {
  TFRT_ASSIGN_OR_RETURN(Array array, Floats(call, x, result));
  if (DTypeSize(array.dtype) > 2) return array;
  array.tensor = call.CastTo(array, DType::kF32);
  array.dtype = DType::kF32;
  return array;
}

// Numbers that ops take as the axes of a reduction.
StatusOr<std::vector<size_t>> Reduced(const Axes& axis, const Array& x) {
  return CountedAxes(axis, x.rank());
}

Tensor Extreme(std::string_view name, bool largest, const Tensor& x,
               const ReductionOptions& options, Location where) {
  return CallArrays(name, where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes, Reduced(options.axis, array));
    for (size_t each : axes) {
      if (array.dims[each].is(0)) {
        return InvalidArgumentError(StrCat("axis ", each, " of the shape ", array.shape(),
                                           " has size 0, so that no element is there"));
      }
    }
    const bool is_bool = IsBool(array.dtype);
    Tensor elements = is_bool ? call.BytesOf(x) : x;
    Tensor extreme =
        largest ? ops::Max(elements, VectorOf(axes), {.keep_dims = options.keepdims}, where)
                : ops::Min(elements, VectorOf(axes), {.keep_dims = options.keepdims}, where);
    return is_bool ? ops::Cast(extreme, DType::kI1, where) : extreme;
  });
}

Tensor Truth(std::string_view name, bool of_all, const Tensor& x, const ReductionOptions& options,
             Location where) {
  return CallArrays(name, where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes, Reduced(options.axis, array));
    Tensor bits = call.BytesOf(call.CastTo(array, DType::kI1));
    Tensor holds = of_all ? ops::Min(bits, VectorOf(axes), {.keep_dims = options.keepdims}, where)
                          : ops::Max(bits, VectorOf(axes), {.keep_dims = options.keepdims}, where);
    return ops::Cast(holds, DType::kI1, where);
  });
}

StatusOr<Tensor> Variance(ArrayCall& call, const Array& x, const VarOptions& options) {
  const Location where = call.where();
  TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes, Reduced(options.axis, x));
  Tensor mean = ops::Mean(x.tensor, VectorOf(axes), {.keep_dims = true}, where);
  Tensor from_mean = ops::Sub(x.tensor, mean, where);
  Tensor squares = ops::Mul(from_mean, from_mean, where);
  if (options.correction == 0) {
    return ops::Mean(squares, VectorOf(axes), {.keep_dims = options.keepdims}, where);
  }
  const Size count = call.CountOf(x, axes);
  Tensor divisor;
  if (count.is_known()) {
    divisor = Tensor::Scalar(
        std::max(static_cast<double>(count.number()) - options.correction, 0.0), where);
  } else {
    divisor = ops::Maximum(
        ops::Sub(ops::Cast(count.tensor(), DType::kF64, where), options.correction, where), 0.0,
        where);
  }
  Tensor sum = ops::Sum(squares, VectorOf(axes), {.keep_dims = options.keepdims}, where);
  return ops::RealDiv(sum, call.CastTo(divisor, DType::kF64, x.dtype), where);
}

// The root, without a part of its slope at 0, which is infinite, in gradients.
StatusOr<Tensor> Root(ArrayCall& call, const Tensor& variance, DType dtype) {
  const Location where = call.where();
  if (!variance.is_traced()) return ops::Sqrt(variance, where);
  Operand number(1);
  TFRT_ASSIGN_OR_RETURN(Tensor one, call.OfDType(number, dtype));
  Tensor is_zero = ops::Equal(variance, ops::ZerosLike(variance, dtype, where), where);
  Tensor root = ops::Sqrt(ops::Select(is_zero, one, variance, where), where);
  return ops::Select(is_zero, variance, root, where);
}

StatusOr<Array> Running(ArrayCall& call, const Tensor& x, const CumulativeOptions& options,
                        size_t* along) {
  TFRT_ASSIGN_OR_RETURN(Array array, Summands(call, x, options.dtype));
  if (array.rank() == 0) {
    return InvalidArgumentError("x has 0 dimensions, but 1 or more are needed");
  }
  if (!options.axis && array.rank() > 1) {
    return InvalidArgumentError(
        StrCat("x has ", array.rank(), " dimensions, so that an axis is needed"));
  }
  TFRT_ASSIGN_OR_RETURN(*along, CountedAxis(options.axis.value_or(0), array.rank()));
  return array;
}

StatusOr<Tensor> WithInitial(ArrayCall& call, const Array& x, Tensor made, size_t along,
                             int initial, bool include) {
  if (!include) return made;
  std::vector<int64_t> paddings(2 * x.rank(), 0);
  paddings[2 * along] = 1;
  Operand number(initial);
  TFRT_ASSIGN_OR_RETURN(Tensor first, call.OfDType(number, x.dtype));
  return ops::PadV2(
      made, HostArray({static_cast<int64_t>(x.rank()), 2}, std::span<const int64_t>(paddings)),
      first, call.where());
}

}  // namespace

Tensor Sum(const Tensor& x, const SumOptions& options, Location where) {
  return CallArrays("sum", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, Summands(call, x, options.dtype));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes, Reduced(options.axis, array));
    return ops::Sum(array.tensor, VectorOf(axes), {.keep_dims = options.keepdims}, where);
  });
}

Tensor Prod(const Tensor& x, const SumOptions& options, Location where) {
  return CallArrays("prod", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, Summands(call, x, options.dtype));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes, Reduced(options.axis, array));
    return ops::ReduceProd(array.tensor, VectorOf(axes), {.keep_dims = options.keepdims}, where);
  });
}

Tensor Max(const Tensor& x, const ReductionOptions& options, Location where) {
  return Extreme("max", true, x, options, where);
}

Tensor Min(const Tensor& x, const ReductionOptions& options, Location where) {
  return Extreme("min", false, x, options, where);
}

Tensor Mean(const Tensor& x, const ReductionOptions& options, Location where) {
  return CallArrays("mean", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    DType result = DType::kUnsupported;
    TFRT_ASSIGN_OR_RETURN(Array array, Floats(call, x, &result));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes, Reduced(options.axis, array));
    Tensor mean = ops::Mean(array.tensor, VectorOf(axes), {.keep_dims = options.keepdims}, where);
    return call.CastTo(mean, array.dtype, result);
  });
}

Tensor Var(const Tensor& x, const VarOptions& options, Location where) {
  return CallArrays("var", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    DType result = DType::kUnsupported;
    TFRT_ASSIGN_OR_RETURN(Array array, FloatsToSquare(call, x, &result));
    TFRT_ASSIGN_OR_RETURN(Tensor variance, Variance(call, array, options));
    return call.CastTo(variance, array.dtype, result);
  });
}

Tensor Std(const Tensor& x, const VarOptions& options, Location where) {
  return CallArrays("std", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    DType result = DType::kUnsupported;
    TFRT_ASSIGN_OR_RETURN(Array array, FloatsToSquare(call, x, &result));
    TFRT_ASSIGN_OR_RETURN(Tensor variance, Variance(call, array, options));
    TFRT_ASSIGN_OR_RETURN(Tensor root, Root(call, variance, array.dtype));
    return call.CastTo(root, array.dtype, result);
  });
}

Tensor All(const Tensor& x, const ReductionOptions& options, Location where) {
  return Truth("all", true, x, options, where);
}

Tensor Any(const Tensor& x, const ReductionOptions& options, Location where) {
  return Truth("any", false, x, options, where);
}

Tensor CountNonzero(const Tensor& x, const ReductionOptions& options, Location where) {
  return CallArrays("count_nonzero", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes, Reduced(options.axis, array));
    Tensor bits = ops::Cast(call.CastTo(array, DType::kI1), DType::kI64, where);
    return ops::Sum(bits, VectorOf(axes), {.keep_dims = options.keepdims}, where);
  });
}

Tensor CumulativeSum(const Tensor& x, const CumulativeOptions& options, Location where) {
  return CallArrays("cumulative_sum", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    size_t along = 0;
    TFRT_ASSIGN_OR_RETURN(Array array, Running(call, x, options, &along));
    Tensor made = ops::CumulativeSum(array.tensor, static_cast<int64_t>(along), {}, where);
    return WithInitial(call, array, made, along, 0, options.include_initial);
  });
}

Tensor CumulativeProd(const Tensor& x, const CumulativeOptions& options, Location where) {
  return CallArrays("cumulative_prod", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    size_t along = 0;
    TFRT_ASSIGN_OR_RETURN(Array array, Running(call, x, options, &along));
    Tensor made = ops::CumulativeProduct(array.tensor, static_cast<int64_t>(along), {}, where);
    return WithInitial(call, array, made, along, 1, options.include_initial);
  });
}

Tensor Diff(const Tensor& x, const DiffOptions& options, Location where) {
  return CallArrays("diff", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    if (options.n < 0) return InvalidArgumentError(StrCat("n is 0 or more, not ", options.n));
    if (array.rank() == 0) {
      return InvalidArgumentError("x has 0 dimensions, but 1 or more are needed");
    }
    TFRT_ASSIGN_OR_RETURN(size_t along, CountedAxis(options.axis, array.rank()));
    // An axis that has become empty stays so.
    const Dim size = array.dims[along];
    const int64_t times = size.is_known() ? std::min(options.n, size.value()) : options.n;
    Tensor made = x;
    for (int64_t i = 0; i < times; ++i) {
      Tensor after = call.Piece(made, along, 1, std::nullopt);
      Tensor before = call.Piece(made, along, std::nullopt, -1);
      made = IsBool(array.dtype) ? ops::NotEqual(after, before, where)
                                 : ops::Sub(after, before, where);
    }
    return made;
  });
}

}  // namespace tfrt::eager::arrays
