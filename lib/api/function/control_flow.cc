#include "tfrt/function/control_flow.h"

#include <algorithm>
#include <utility>

#include "function_tracer.h"
#include "lib/api/eager/tracer.h"
#include "lib/base/support/api_names.h"
#include "lib/base/support/call_guarded.h"
#include "tfrt/eager/ops.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
namespace {

using eager::HostArray;

StatusOr<std::vector<Tensor>> CallBody(const LoopBody& body, std::span<const Tensor> values) {
  return CallGuarded("a loop", [&] { return body(values); });
}

// The error of a whole construct, which has results of which the number is not known.
std::vector<Tensor> Failed(std::string_view what, Location where, const Status& error) {
  const Status located = eager::ErrorAt(where, what, error);
  if (FunctionTracer* tracer = CurrentFunctionTracer()) tracer->Fail(located);
  std::vector<Tensor> failed;
  failed.push_back(eager::ErrorTensorOf(located));
  return failed;
}
std::vector<Tensor> FailedInside(const Status& error) {
  if (FunctionTracer* tracer = CurrentFunctionTracer()) tracer->Fail(error);
  std::vector<Tensor> failed;
  failed.push_back(eager::ErrorTensorOf(error));
  return failed;
}

// Returns the truth of an available tensor.
StatusOr<bool> Truth(const Tensor& condition, Location where) {
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* elements, condition.HostElements(where));
  if (elements->dtype() != DType::kI1 || elements->num_elements() != 1) {
    return InvalidArgumentError(StrCat("the condition is ", DTypeName(elements->dtype()), " ",
                                       elements->shape().ToString(),
                                       ", expected one element of i1"));
  }
  return *static_cast<const uint8_t*>(elements->data()) != 0;
}

bool MayBeCondition(const ValueType& type) {
  if (type.has_dtype() && type.dtype != DType::kI1) return false;
  const Dim count = type.shape.has_rank() ? type.shape.num_elements() : Dim();
  return !count.is_known() || count.value() == 1;
}

Status NoCondition(const ValueType& type) {
  return InvalidArgumentError(
      StrCat("the condition is ", type.ToString(), ", expected one element of i1"));
}

// Returns the type that holds for a value that is one or the other.
ValueType Joined(const ValueType& a, const ValueType& b) {
  ValueType joined{a.dtype};
  if (!a.shape.has_rank() || !b.shape.has_rank() || a.shape.rank() != b.shape.rank()) return joined;
  std::vector<Dim> dims;
  for (size_t i = 0; i < a.shape.rank(); ++i) {
    dims.push_back(a.shape.dim(i).IsSameAs(b.shape.dim(i)) ? a.shape.dim(i) : Dim());
  }
  joined.shape = SymbolicShape(std::move(dims));
  return joined;
}

// As `Joined`, with the dtypes that must be the same.
Status JoinAll(std::string_view a_name, std::string_view b_name, std::span<const ValueType> a,
               std::span<const ValueType> b, std::vector<ValueType>* joined) {
  if (a.size() != b.size()) {
    return InvalidArgumentError(
        StrCat(a_name, " has ", a.size(), " values, but ", b_name, " has ", b.size()));
  }
  joined->clear();
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].dtype != b[i].dtype) {
      return InvalidArgumentError(StrCat("value ", i, " of ", a_name, " is ", a[i].ToString(),
                                         ", but that of ", b_name, " is ", b[i].ToString()));
    }
    joined->push_back(Joined(a[i], b[i]));
  }
  return OkStatus();
}

std::vector<Tensor> TraceCond(FunctionTracer& tracer, const Tensor& condition,
                              const Branch& then_branch, const Branch& else_branch,
                              Location where) {
  StatusOr<ValueId> value = tracer.ValueOf(condition, where);
  if (!value.ok()) return Failed(api_names.cond, where, value.status());
  if (!MayBeCondition(tracer.TypeOf(*value))) {
    return Failed(api_names.cond, where, NoCondition(tracer.TypeOf(*value)));
  }
  TracedOp op;
  op.kind = TracedOpKind::kIf;
  op.arguments = {*value};
  std::vector<ValueType> types[2];
  for (int i = 0; i < 2; ++i) {
    const Branch& branch = i == 0 ? then_branch : else_branch;
    StatusOr<FunctionTracer::Body> body =
        tracer.TraceBody("a branch", {}, [&](std::span<const Tensor>) { return branch(); }, where);
    if (!body.ok()) return FailedInside(body.status());
    op.bodies.push_back(std::move(body->body));
    types[i] = std::move(body->results);
  }
  std::vector<ValueType> joined;
  Status same = JoinAll("the first branch", "the second", types[0], types[1], &joined);
  if (!same.ok()) return Failed(api_names.cond, where, same);
  return tracer.AddOp(std::move(op), joined, api_names.cond, where);
}

// The types that values have at all runs of a loop, as far as the first tells.
StatusOr<std::vector<ValueType>> CarriedTypes(FunctionTracer& tracer,
                                              std::span<const Tensor> carried, Location where,
                                              std::vector<ValueId>* ids) {
  std::vector<ValueType> types;
  for (const Tensor& tensor : carried) {
    TFRT_ASSIGN_OR_RETURN(ValueId value, tracer.ValueOf(tensor, where));
    ids->push_back(value);
    ValueType type = tracer.TypeOf(value);
    type.elements.reset();
    types.push_back(std::move(type));
  }
  return types;
}

// Traces a loop's bodies until what they return is what they take.
constexpr int kMaxTraces = 8;

std::vector<Tensor> TraceWhile(FunctionTracer& tracer, const LoopBody& condition,
                               const LoopBody& body, std::span<const Tensor> carried,
                               Location where) {
  TracedOp op;
  op.kind = TracedOpKind::kWhile;
  StatusOr<std::vector<ValueType>> first = CarriedTypes(tracer, carried, where, &op.arguments);
  if (!first.ok()) return Failed(api_names.while_loop, where, first.status());
  std::vector<ValueType> types = *std::move(first);
  for (int trace = 0; trace < kMaxTraces; ++trace) {
    StatusOr<FunctionTracer::Body> test =
        tracer.TraceBody("a loop's condition", types, condition, where);
    if (!test.ok()) return FailedInside(test.status());
    if (test->results.size() != 1 || !MayBeCondition(test->results[0])) {
      return Failed(api_names.while_loop, where,
                    test->results.size() == 1
                        ? NoCondition(test->results[0])
                        : InvalidArgumentError(StrCat("the condition has ", test->results.size(),
                                                      " values, not one")));
    }
    StatusOr<FunctionTracer::Body> step = tracer.TraceBody("a loop", types, body, where);
    if (!step.ok()) return FailedInside(step.status());
    std::vector<ValueType> joined;
    Status same = JoinAll("the start of the loop", "its body", types, step->results, &joined);
    if (!same.ok()) return Failed(api_names.while_loop, where, same);
    if (joined != types) {
      types = std::move(joined);
      continue;
    }
    op.bodies.push_back(std::move(test->body));
    op.bodies.push_back(std::move(step->body));
    return tracer.AddOp(std::move(op), types, api_names.while_loop, where);
  }
  return Failed(api_names.while_loop, where,
                InternalError("the shapes of what it carries never settle"));
}

// A row of a tensor.
ValueType RowOf(const ValueType& type) {
  ValueType row{type.dtype};
  if (!type.shape.has_rank() || type.shape.rank() == 0) return row;
  const std::span<const Dim> dims = type.shape.dims();
  row.shape = SymbolicShape(std::vector<Dim>(dims.begin() + 1, dims.end()));
  return row;
}

// How often a loop runs, if that is known.
Dim CountOf(const FunctionTracer& tracer, const TracedOp& op, size_t first_scanned) {
  if (op.arguments[0] != kLeftOut) {
    const auto& elements = tracer.TypeOf(op.arguments[0]).elements;
    return elements && elements->size() == 1 ? (*elements)[0] : Dim();
  }
  const ValueType& type = tracer.TypeOf(op.arguments[first_scanned]);
  return type.shape.has_rank() && type.shape.rank() > 0 ? type.shape.dim(0) : Dim();
}

std::vector<Tensor> TraceFor(FunctionTracer& tracer, const ForOptions& options,
                             const LoopBody& body, std::span<const Tensor> carried,
                             Location where) {
  auto fail = [&](const Status& error) { return Failed("a loop", where, error); };
  TracedOp op;
  op.kind = TracedOpKind::kFor;
  op.index = static_cast<uint32_t>(carried.size());
  op.arguments = {kLeftOut};
  if (options.count.valid()) {
    StatusOr<ValueId> count = tracer.ValueOf(options.count, where);
    if (!count.ok()) return fail(count.status());
    op.arguments[0] = *count;
  }
  StatusOr<std::vector<ValueType>> first = CarriedTypes(tracer, carried, where, &op.arguments);
  if (!first.ok()) return fail(first.status());
  std::vector<ValueType> types = *std::move(first);
  StatusOr<std::vector<ValueType>> scanned =
      CarriedTypes(tracer, options.scanned, where, &op.arguments);
  if (!scanned.ok()) return fail(scanned.status());
  for (const ValueType& type : *scanned) {
    if (!type.shape.has_rank() || type.shape.rank() > 0) continue;
    return fail(InvalidArgumentError(StrCat("there are no rows in ", type.ToString())));
  }
  const size_t num_carried = carried.size();
  const Dim count = CountOf(tracer, op, 1 + num_carried);
  for (int trace = 0; trace < kMaxTraces; ++trace) {
    std::vector<ValueType> arguments = {ValueType{DType::kI64, SymbolicShape({})}};
    arguments.insert(arguments.end(), types.begin(), types.end());
    for (const ValueType& type : *scanned) arguments.push_back(RowOf(type));
    StatusOr<FunctionTracer::Body> step = tracer.TraceBody("a loop", arguments, body, where);
    if (!step.ok()) return FailedInside(step.status());
    if (step->results.size() < num_carried) {
      return fail(InvalidArgumentError(
          StrCat("its body has ", step->results.size(), " values, but carries ", num_carried)));
    }
    std::vector<ValueType> joined;
    Status same = JoinAll("the start of the loop", "its body", types,
                          std::span(step->results).first(num_carried), &joined);
    if (!same.ok()) return fail(same);
    if (joined != types) {
      types = std::move(joined);
      continue;
    }
    for (size_t i = num_carried; i < step->results.size(); ++i) {
      ValueType stacked{step->results[i].dtype};
      if (step->results[i].shape.has_rank()) {
        std::vector<Dim> dims = {count};
        for (Dim dim : step->results[i].shape.dims()) dims.push_back(dim);
        stacked.shape = SymbolicShape(std::move(dims));
      }
      types.push_back(std::move(stacked));
    }
    op.bodies.push_back(std::move(step->body));
    return tracer.AddOp(std::move(op), types, "a loop", where);
  }
  return fail(InternalError("the shapes of what it carries never settle"));
}

// --- Without a trace

StatusOr<std::vector<Tensor>> RunFor(const ForOptions& options, const LoopBody& body,
                                     std::vector<Tensor> carried, Location where) {
  int64_t count = 0;
  if (options.count.valid()) {
    TFRT_ASSIGN_OR_RETURN(count, options.count.Item<int64_t>(where));
  } else if (!options.scanned.empty()) {
    TFRT_ASSIGN_OR_RETURN(const TensorShape shape, options.scanned[0].shape());
    if (shape.rank() == 0) return InvalidArgumentError("there are no rows in a tensor of rank 0");
    count = shape.dim(0);
  }
  const size_t num_carried = carried.size();
  std::vector<std::vector<Tensor>> rows;
  for (int64_t i = 0; i < count; ++i) {
    std::vector<Tensor> arguments = {Tensor::Scalar(i, where)};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    for (const Tensor& scanned : options.scanned) {
      arguments.push_back(eager::GatherV2(scanned, i, int64_t{0}, {}, where));
    }
    TFRT_ASSIGN_OR_RETURN(std::vector<Tensor> made, CallBody(body, arguments));
    if (made.size() < num_carried) {
      return InvalidArgumentError(
          StrCat("its body has ", made.size(), " values, but carries ", num_carried));
    }
    rows.resize(made.size() - num_carried);
    for (size_t r = 0; r < rows.size(); ++r) {
      rows[r].push_back(eager::ExpandDims(made[num_carried + r], int64_t{0}, where));
    }
    made.resize(num_carried);
    carried = std::move(made);
  }
  if (count == 0 && rows.empty() && !options.scanned.empty()) {
    // Without a row, the results that the body would stack are unknown.
    return carried;
  }
  for (std::vector<Tensor>& each : rows) {
    carried.push_back(each.size() == 1 ? each[0] : eager::ConcatV2(each, int64_t{0}, where));
  }
  return carried;
}

}  // namespace

std::vector<Tensor> CondList(const Tensor& condition, const Branch& then_branch,
                             const Branch& else_branch, Location where) {
  FunctionTracer* tracer = CurrentFunctionTracer();
  if (tracer && condition.is_traced()) {
    return TraceCond(*tracer, condition, then_branch, else_branch, where);
  }
  StatusOr<bool> truth = Truth(condition, where);
  if (!truth.ok()) return Failed(api_names.cond, where, truth.status());
  const Branch& branch = *truth ? then_branch : else_branch;
  StatusOr<std::vector<Tensor>> made = CallGuarded("a branch", [&] { return branch(); });
  return made.ok() ? *std::move(made) : FailedInside(made.status());
}

std::vector<Tensor> WhileList(const LoopBody& condition, const LoopBody& body,
                              std::vector<Tensor> carried, Location where) {
  if (FunctionTracer* tracer = CurrentFunctionTracer()) {
    return TraceWhile(*tracer, condition, body, carried, where);
  }
  for (;;) {
    StatusOr<std::vector<Tensor>> test = CallBody(condition, carried);
    if (!test.ok()) return FailedInside(test.status());
    if (test->size() != 1) {
      return Failed(
          api_names.while_loop, where,
          InvalidArgumentError(StrCat("the condition has ", test->size(), " values, not one")));
    }
    StatusOr<bool> truth = Truth((*test)[0], where);
    if (!truth.ok()) return Failed(api_names.while_loop, where, truth.status());
    if (!*truth) return carried;
    StatusOr<std::vector<Tensor>> next = CallBody(body, carried);
    if (!next.ok()) return FailedInside(next.status());
    if (next->size() != carried.size()) {
      return Failed(api_names.while_loop, where,
                    InvalidArgumentError(StrCat("the start of the loop has ", carried.size(),
                                                " values, but its body has ", next->size())));
    }
    carried = *std::move(next);
  }
}

std::vector<Tensor> ForList(const ForOptions& options, const LoopBody& body,
                            std::vector<Tensor> carried, Location where) {
  if (FunctionTracer* tracer = CurrentFunctionTracer()) {
    return TraceFor(*tracer, options, body, carried, where);
  }
  StatusOr<std::vector<Tensor>> made = RunFor(options, body, std::move(carried), where);
  return made.ok() ? *std::move(made) : Failed("a loop", where, made.status());
}

namespace internal {

Tensor CountOf(const TensorArgument& count, Location where) {
  Argument argument = Argument::Of(TensorArgument(count));
  Tensor tensor = argument.AsTensor(where);
  StatusOr<DType> dtype = tensor.dtype();
  if (dtype.ok() && *dtype != DType::kI64) return eager::Cast(tensor, DType::kI64, where);
  return tensor;
}

}  // namespace internal

// --- Lists

TensorArray::TensorArray(const TensorSpec& element, Location where) {
  if (!element.dims || std::ranges::any_of(*element.dims, [](int64_t dim) { return dim < 0; })) {
    rows_ = Failed(api_names.tensor_array, where,
                   InvalidArgumentError(StrCat("a list needs elements of known sizes, not ",
                                               element.ToString())))[0];
    return;
  }
  std::vector<int64_t> dims = {0};
  dims.insert(dims.end(), element.dims->begin(), element.dims->end());
  rows_ = Tensor::FromArray(HostArray(element.dtype, dims, {}), where);
}

void TensorArray::Write(TensorArgument index, TensorArgument value, Location where) {
  Argument at = Argument::Of(std::move(index));
  const Tensor place = internal::CountOf(at.tensor, where);
  TensorArgument arguments[] = {rows_, place, std::move(value)};
  Tensor written;
  (void)eager::Execute("tfrt.ListWrite", arguments, OpAttrs(), {&written, 1}, where);
  rows_ = std::move(written);
}

Tensor TensorArray::Read(TensorArgument index, Location where) const {
  return eager::GatherV2(rows_, std::move(index), int64_t{0}, {}, where);
}

Tensor TensorArray::Size(Location where) const {
  const Tensor sizes = eager::Shape(rows_, {}, where);
  return eager::Cast(eager::GatherV2(sizes, int64_t{0}, int64_t{0}, {}, where), DType::kI64, where);
}

}  // namespace tfrt::function
