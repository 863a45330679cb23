// Calls of the program's own functions from traced ones.

#include <utility>

#include "function_tracer.h"
#include "lib/api/eager/tracer.h"
#include "lib/base/support/api_names.h"
#include "lib/base/support/call_guarded.h"
#include "lib/ops/op_call/op_function_scope.h"
#include "tfrt/eager/ops.h"
#include "tfrt/function/control_flow.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
namespace {

// Returns the values that the function has made if they match `results`, and an error otherwise.
StatusOr<std::vector<Tensor>> Checked(std::string_view name, StatusOr<std::vector<Tensor>> made,
                                      std::span<const TensorSpec> results) {
  if (!made.ok()) return made;
  if (made->size() != results.size()) {
    return InvalidArgumentError(StrCat("'", name, "' returned ", made->size(),
                                       " tensors, but the call says ", results.size()));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    TFRT_ASSIGN_OR_RETURN(const DType dtype, (*made)[i].dtype());
    TFRT_ASSIGN_OR_RETURN(const TensorShape shape, (*made)[i].shape());
    const ShapeDims dims = shape.dims();
    bool fits =
        dtype == results[i].dtype && (!results[i].dims || results[i].dims->size() == dims.size());
    for (size_t d = 0; fits && results[i].dims && d < dims.size(); ++d) {
      const int64_t wanted = (*results[i].dims)[d];
      fits = wanted < 0 || wanted == dims[d];
    }
    if (fits) continue;
    return InvalidArgumentError(StrCat("'", name, "' returned ", DTypeName(dtype), " ",
                                       shape.ToString(), " as tensor ", i, ", but the call says ",
                                       results[i].ToString()));
  }
  return made;
}

StatusOr<std::vector<Tensor>> Called(const HostFunction& function, std::span<const Tensor> inputs) {
  return CallGuarded("the function", [&] { return function(inputs); });
}

StatusOr<std::vector<Tensor>> CallHostFunction(const std::string& name,
                                               const HostFunction& function,
                                               std::span<const Tensor> inputs,
                                               std::span<const TensorSpec> results) {
  std::vector<Tensor> on_host;
  for (const Tensor& input : inputs) {
    TFRT_RETURN_IF_ERROR(input.status());
    on_host.push_back(input.CopyTo("cpu:0"));
    TFRT_RETURN_IF_ERROR(on_host.back().status());
  }
  return Checked(name, Called(function, on_host), results);
}

}  // namespace

std::vector<Tensor> HostCall(const std::string& name, HostFunction function,
                             std::span<const Tensor> inputs, std::span<const TensorSpec> results,
                             Location where) {
  FunctionTracer* tracer = CurrentFunctionTracer();
  auto fail = [&](const Status& error) {
    const Status located = eager::ErrorAt(where, api_names.host_call, error);
    if (tracer) tracer->Fail(located);
    return std::vector<Tensor>(std::max<size_t>(1, results.size()), eager::ErrorTensorOf(located));
  };
  if (!tracer) {
    StatusOr<std::vector<Tensor>> made = CallHostFunction(name, function, inputs, results);
    return made.ok() ? *std::move(made) : fail(made.status());
  }
  TracedOp op;
  op.kind = TracedOpKind::kHostCall;
  for (const Tensor& input : inputs) {
    StatusOr<ValueId> value = tracer->ValueOf(input, where);
    if (!value.ok()) return fail(value.status());
    op.arguments.push_back(*value);
  }
  std::vector<TensorSpec> specs(results.begin(), results.end());
  op.index = tracer->builder().AddCallback(
      name, [name, function = std::move(function), specs](std::span<const Tensor> tensors) {
        // The program waits for it, and others may wait for the program: as an op's function, it
        // waits for none of them, and its effects are part of the program's.
        OpFunctionScope scope;
        return Checked(name, Called(function, tensors), specs);
      });
  std::vector<ValueType> types;
  for (const TensorSpec& spec : results) types.push_back(ToValueType({spec.dtype, spec.dims}));
  return tracer->AddOp(std::move(op), types, StrCat(api_names.host_call, " '", name, "'"), where);
}

Tensor HostCall(const std::string& name, HostFunction function,
                std::initializer_list<Tensor> inputs, const TensorSpec& result, Location where) {
  return HostCall(name, std::move(function), std::span<const Tensor>(inputs.begin(), inputs.size()),
                  {&result, 1}, where)[0];
}

Tensor ForEachOf(RowSource next, const TensorSpec& row,
                 const std::function<Tensor(Tensor x, Tensor row)>& body, Tensor x,
                 Location where) {
  if (!row.dims || std::ranges::any_of(*row.dims, [](int64_t dim) { return dim < 0; })) {
    const Status error =
        eager::ErrorAt(where, api_names.for_each_of,
                       InvalidArgumentError(StrCat("rows need known sizes, not ", row.ToString())));
    if (FunctionTracer* tracer = CurrentFunctionTracer()) tracer->Fail(error);
    return eager::ErrorTensorOf(error);
  }
  const std::vector<int64_t> dims = *row.dims;
  int64_t count = DTypeSize(row.dtype);
  for (int64_t dim : dims) count *= dim;
  const std::vector<std::byte> zeros(static_cast<size_t>(count));
  // Whether there is one, and the row.
  HostFunction source = [next = std::move(next), dtype = row.dtype, dims,
                         zeros](std::span<const Tensor>) -> StatusOr<std::vector<Tensor>> {
    TFRT_ASSIGN_OR_RETURN(std::optional<Tensor> made, next());
    const bool is_there = made.has_value();
    Tensor none = is_there ? Tensor() : Tensor::FromArray(eager::HostArray(dtype, dims, zeros));
    return std::vector<Tensor>{Tensor::Scalar(is_there), is_there ? *std::move(made) : none};
  };
  const TensorSpec specs[] = {TensorSpec(DType::kI1, {}), row};
  auto ask = [&] { return HostCall(std::string(api_names.for_each_of), source, {}, specs, where); };
  std::vector<Tensor> first = ask();
  if (first.size() != 2) return first[0];
  std::vector<Tensor> made = WhileList(
      [](std::span<const Tensor> tensors) -> StatusOr<std::vector<Tensor>> {
        return std::vector<Tensor>{tensors[0]};
      },
      [&](std::span<const Tensor> tensors) -> StatusOr<std::vector<Tensor>> {
        Tensor after = body(tensors[2], tensors[1]);
        std::vector<Tensor> more = ask();
        if (more.size() != 2) return more[0].status();
        more.push_back(std::move(after));
        return more;
      },
      {first[0], first[1], std::move(x)}, where);
  return made.back();
}

}  // namespace tfrt::function
