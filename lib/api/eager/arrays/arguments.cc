#include "lib/api/eager/arrays/arguments.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lib/api/eager/context_impl.h"
#include "lib/api/eager/op_scope.h"
#include "lib/api/eager/promotion.h"
#include "lib/api/eager/tracer.h"
#include "tfrt/eager/ops.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {

Tensor Failed(std::string_view function, Location where, const Status& error) {
  const Status located = ErrorAt(where, function, error);
  if (Scope::State* scope = CurrentScope()) {
    (void)scope->context.host->EmitError(where, error);
    if (scope->tracer) scope->tracer->CallFailed(located);
  }
  return ErrorTensorOf(located);
}

Tensor TensorOf(Operand& x) { return TensorBeside("asarray", x, DType::kUnsupported); }

Tensor TensorBeside(std::string_view function, Operand& x, DType beside) {
  if (x.number.is_given()) {
    StatusOr<HostArray> array = ArrayOfNumber(x.number, DTypeOfNumber(x.number, beside));
    if (!array.ok()) return Failed(function, x.where, array.status());
    return Tensor::FromArray(*array, x.where);
  }
  if (const HostArray* array = x.argument.array()) return Tensor::FromArray(*array, x.where);
  RCReference<TensorState> state = x.argument.TakeState();
  return state ? Tensor(std::move(state)) : Tensor();
}

StatusOr<DType> Meet(std::span<Operand* const> operands, Location where,
                     std::vector<Tensor>& tensors) {
  TFRT_RETURN_IF_ERROR(SetDTypesOfNumbers(operands));
  std::optional<DType> met;
  for (Operand* operand : operands) {
    tensors.push_back(TensorOf(*operand));
    TFRT_ASSIGN_OR_RETURN(DType own, tensors.back().dtype());
    const DType both = met ? PromotedDType(*met, own) : own;
    if (both == DType::kUnsupported) {
      return InvalidArgumentError(StrCat("elements of ", DTypeName(*met), " and of ",
                                         DTypeName(own), " do not meet in one dtype"));
    }
    met = both;
  }
  if (!met) return InvalidArgumentError("there is no array");
  for (Tensor& tensor : tensors) tensor = CastTo(std::move(tensor), *met, where);
  return *met;
}

Tensor CastTo(Tensor x, DType dtype, Location where) {
  StatusOr<DType> own = x.dtype();
  if (own.ok() && *own == dtype) return x;
  return Cast(std::move(x), dtype, where);
}

StatusOr<int64_t> AxisOf(int64_t axis, size_t rank, std::string_view name) {
  const auto size = static_cast<int64_t>(rank);
  if (axis < -size || axis >= size) {
    return InvalidArgumentError(StrCat(name, " ", axis, " is out of range for an array of ", rank,
                                       rank == 1 ? " dimension" : " dimensions"));
  }
  return axis < 0 ? axis + size : axis;
}

StatusOr<std::vector<int64_t>> AxesOf(std::optional<std::span<const int64_t>> axes, size_t rank,
                                      std::string_view name) {
  std::vector<int64_t> found;
  if (!axes) {
    found.resize(rank);
    std::iota(found.begin(), found.end(), int64_t{0});
    return found;
  }
  for (int64_t each : *axes) {
    TFRT_ASSIGN_OR_RETURN(int64_t axis, AxisOf(each, rank, name));
    if (std::ranges::find(found, axis) != found.end()) {
      return InvalidArgumentError(StrCat(name, " ", each, " names an axis twice"));
    }
    found.push_back(axis);
  }
  return found;
}

}  // namespace tfrt::eager::arrays
