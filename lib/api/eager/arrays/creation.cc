// Arrays that are made of sizes, numbers or other arrays.

#include <algorithm>
#include <cmath>

#include "array_call.h"
#include "lib/api/eager/promotion.h"
#include "tfrt/eager/arrays/creation.h"
#include "tfrt/eager/arrays/manipulation.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

Tensor OnDevice(const Tensor& x, std::string_view device, Location where) {
  return device.empty() ? x : x.CopyTo(device, where);
}

StatusOr<TensorArgument> SizesOf(const ShapeArgument& shape) {
  if (shape.tensor().valid()) return TensorArgument(shape.tensor());
  for (int64_t size : shape.span()) {
    if (size < 0) {
      return InvalidArgumentError(StrCat("the sizes of a shape are not below 0, but shape has ",
                                         size, ": ", TextOf(shape.span())));
    }
  }
  return VectorOf(shape.span());
}

Tensor Filled(std::string_view name, const ShapeArgument& shape, Operand value,
              std::optional<DType> dtype, std::string_view device, Location where) {
  return CallArrays(name, where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(TensorArgument sizes, SizesOf(shape));
    Tensor number;
    if (dtype) {
      TFRT_ASSIGN_OR_RETURN(number, call.OfDType(value, *dtype));
    } else {
      TFRT_ASSIGN_OR_RETURN(Array array, call.Read(value));
      number = array.tensor;
    }
    return OnDevice(ops::Fill(std::move(sizes), number, where), device, where);
  });
}

Tensor FilledLike(std::string_view name, const Tensor& x, std::optional<Operand> value,
                  const CreationOptions& options, Location where) {
  return CallArrays(name, where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    const DType dtype = options.dtype.value_or(array.dtype);
    Tensor zeros = ops::ZerosLike(x, dtype, where);
    if (!value) return OnDevice(zeros, options.device, where);
    TFRT_ASSIGN_OR_RETURN(Tensor number, call.OfDType(*value, dtype));
    // The difference, as the sum of 0 and -0 is 0.
    Tensor filled =
        IsBool(dtype) ? ops::LogicalOr(zeros, number, where) : ops::Sub(number, zeros, where);
    return OnDevice(filled, options.device, where);
  });
}

// An operand of a range that is no number has a dtype of its own.
StatusOr<DType> DTypeOfRange(ArrayCall& call, std::span<Operand* const> operands, bool* is_real) {
  DType dtype = DType::kUnsupported;
  for (Operand* operand : operands) {
    if (operand->number.is_given()) continue;
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(*operand));
    *operand = Operand(array.tensor, call.where());
    *is_real |= IsFloat(array.dtype);
    dtype = dtype == DType::kUnsupported ? array.dtype : PromotedDType(dtype, array.dtype);
  }
  bool is_large = false;
  for (Operand* operand : operands) {
    const Number& number = operand->number;
    if (!number.is_given()) continue;
    if (number.kind() == Number::Kind::kReal) {
      *is_real = true;
    } else {
      const double value = number.as_double();
      is_large |= value < INT32_MIN || value > INT32_MAX;
    }
  }
  if (*is_real) return IsFloat(dtype) ? dtype : DType::kF32;
  if (dtype == DType::kUnsupported || IsBool(dtype)) dtype = DType::kI32;
  return dtype == DType::kI32 && is_large ? DType::kI64 : dtype;
}

Tensor RangeOf(Operand start, Operand stop, Operand step, const CreationOptions& options,
               Location where) {
  return CallArrays("arange", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    const Number& by = step.number;
    if (by.is_given() && by.as_double() == 0) {
      return InvalidArgumentError(StrCat("step is ", by.ToString(), ", which leads nowhere from ",
                                         start.number.ToString(), " to ", stop.number.ToString()));
    }
    bool is_real = false;
    Operand* const operands[] = {&start, &stop, &step};
    TFRT_ASSIGN_OR_RETURN(DType dtype, DTypeOfRange(call, operands, &is_real));
    dtype = options.dtype.value_or(dtype);
    // Each element is start + i * step, rounded once.
    const DType work = is_real ? DType::kF64 : dtype == DType::kUI64 ? dtype : DType::kI64;
    std::array<Tensor, 3> numbers;
    for (size_t i = 0; i < 3; ++i) {
      TFRT_ASSIGN_OR_RETURN(numbers[i], call.OfDType(*operands[i], work));
    }
    Tensor range = ops::Range(numbers[0], numbers[1], numbers[2], where);
    return OnDevice(call.CastTo(range, work, dtype), options.device, where);
  });
}

// A diagonal that rows have, or one that is as far away as they count.
int64_t Diagonal(int64_t k) {
  constexpr int64_t kFar = int64_t{1} << 62;
  return std::clamp(k, -kFar, kFar);
}

Tensor Triangle(std::string_view name, const Tensor& x, int64_t k, bool upper, Location where) {
  return CallArrays(name, where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    if (array.rank() < 2) {
      return InvalidArgumentError(StrCat("x has at least 2 dimensions, but it has ", array.rank()));
    }
    return ops::Triangle(x, Diagonal(k), {.upper = upper}, where);
  });
}

}  // namespace

Tensor Zeros(const ShapeArgument& shape, const CreationOptions& options, Location where) {
  return Filled("zeros", shape, 0, options.dtype.value_or(DType::kF32), options.device, where);
}

Tensor Ones(const ShapeArgument& shape, const CreationOptions& options, Location where) {
  return Filled("ones", shape, 1, options.dtype.value_or(DType::kF32), options.device, where);
}

Tensor Full(const ShapeArgument& shape, Operand value, const CreationOptions& options,
            Location where) {
  return Filled("full", shape, std::move(value), options.dtype, options.device, where);
}

Tensor Empty(const ShapeArgument& shape, const CreationOptions& options, Location where) {
  return Filled("empty", shape, 0, options.dtype.value_or(DType::kF32), options.device, where);
}

Tensor ZerosLike(const Tensor& x, const CreationOptions& options, Location where) {
  return FilledLike("zeros_like", x, std::nullopt, options, where);
}

Tensor OnesLike(const Tensor& x, const CreationOptions& options, Location where) {
  return FilledLike("ones_like", x, Operand(1, where), options, where);
}

Tensor FullLike(const Tensor& x, Operand value, const CreationOptions& options, Location where) {
  return FilledLike("full_like", x, std::move(value), options, where);
}

Tensor EmptyLike(const Tensor& x, const CreationOptions& options, Location where) {
  return FilledLike("empty_like", x, std::nullopt, options, where);
}

Tensor Arange(Operand stop, const CreationOptions& options, Location where) {
  return RangeOf(0, std::move(stop), 1, options, where);
}

Tensor Arange(Operand start, Operand stop, const CreationOptions& options, Location where) {
  return RangeOf(std::move(start), std::move(stop), 1, options, where);
}

Tensor Arange(Operand start, Operand stop, Operand step, const CreationOptions& options,
              Location where) {
  return RangeOf(std::move(start), std::move(stop), std::move(step), options, where);
}

Tensor Linspace(Operand start, Operand stop, int64_t num, const LinspaceOptions& options,
                Location where) {
  return CallArrays("linspace", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    if (num < 0) return InvalidArgumentError(StrCat("num is not below 0, but is ", num));
    TFRT_ASSIGN_OR_RETURN(Tensor first, call.OfDType(start, DType::kF64));
    TFRT_ASSIGN_OR_RETURN(Tensor last, call.OfDType(stop, DType::kF64));
    const int64_t steps = options.endpoint ? num - 1 : num;
    Tensor places = ops::Range(0.0, static_cast<double>(num), 1.0, where);
    // Shares of both, as the distance of two numbers may be too large for a number.
    Tensor share = ops::RealDiv(places, static_cast<double>(std::max<int64_t>(steps, 1)), where);
    Tensor made = ops::AddV2(ops::Mul(first, ops::Sub(1.0, share, where), where),
                             ops::Mul(last, share, where), where);
    if (options.endpoint && num > 1) {
      made = ops::Select(ops::Equal(places, static_cast<double>(steps), where), last, made, where);
    }
    made = call.CastTo(made, DType::kF64, options.dtype.value_or(DType::kF32));
    return OnDevice(made, options.device, where);
  });
}

Tensor Eye(int64_t n_rows, const EyeOptions& options, Location where) {
  return CallArrays("eye", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    const int64_t n_cols = options.n_cols.value_or(n_rows);
    if (n_rows < 0 || n_cols < 0) {
      return InvalidArgumentError(
          StrCat("a matrix has sizes that are not below 0, not ", n_rows, " and ", n_cols));
    }
    Tensor like = ops::Fill({n_rows, n_cols}, false, where);
    Tensor made = ops::EyeLike(like, DType::kI32, {.diagonal = Diagonal(options.k)}, where);
    made = call.CastTo(made, DType::kI32, options.dtype.value_or(DType::kF32));
    return OnDevice(made, options.device, where);
  });
}

Tensor Tril(const Tensor& x, int64_t k, Location where) {
  return Triangle("tril", x, k, false, where);
}

Tensor Triu(const Tensor& x, int64_t k, Location where) {
  return Triangle("triu", x, k, true, where);
}

std::vector<Tensor> Meshgrid(TensorList arrays, const MeshgridOptions& options, Location where) {
  std::vector<Tensor> spread;
  std::vector<Tensor> failed =
      CallForList("meshgrid", where, [&](ArrayCall& call) -> StatusOr<std::vector<Tensor>> {
        if (options.indexing != "xy" && options.indexing != "ij") {
          return InvalidArgumentError(StrCat("indexing is xy or ij, not '", options.indexing, "'"));
        }
        const size_t rank = arrays.span().size();
        for (size_t i = 0; i < rank; ++i) {
          TFRT_ASSIGN_OR_RETURN(Array array, call.Read(arrays.span()[i]));
          if (array.rank() > 1) {
            return InvalidArgumentError(
                StrCat("arrays[", i, "] is a vector, but has ", array.rank(), " dimensions"));
          }
          const bool is_swapped = options.indexing == "xy" && rank > 1 && i < 2;
          std::vector<int64_t> shape(rank, 1);
          shape[is_swapped ? 1 - i : i] = -1;
          spread.push_back(
              ops::Reshape(array.tensor, VectorOf(std::span<const int64_t>(shape)), where));
        }
        return std::vector<Tensor>();
      });
  return failed.empty() ? BroadcastArrays(spread, where) : failed;
}

}  // namespace tfrt::eager::arrays
