#include "function_tracer.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

#include "lib/base/support/api_names.h"
#include "lib/base/support/call_guarded.h"
#include "lib/ops/op_call/op_attr_values.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
namespace {

using eager::TracedValue;

// So many calls at one line are a loop of the program that has become many ops.
constexpr uint32_t kUnrolledCalls = 256;

uint64_t NextId() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;  // relaxed: only a number
}

ValueType TypeOfElements(const DenseHostTensor& tensor) {
  const ShapeDims dims = tensor.shape().dims();
  ValueType type{tensor.dtype(), SymbolicShape(std::vector<Dim>(dims.begin(), dims.end()))};
  const bool is_i32 = tensor.dtype() == DType::kI32, is_i64 = tensor.dtype() == DType::kI64;
  const auto count = static_cast<size_t>(tensor.num_elements());
  if ((!is_i32 && !is_i64) || count > ValueType::kMaxElements) return type;
  type.elements.emplace();
  for (size_t i = 0; i < count; ++i) {
    int64_t element = 0;
    if (is_i32) {
      element = static_cast<const int32_t*>(tensor.data())[i];
    } else {
      element = static_cast<const int64_t*>(tensor.data())[i];
    }
    type.elements->push_back(element);
  }
  return type;
}

}  // namespace

FunctionTracer* CurrentFunctionTracer() {
  // There is no other tracer.
  return static_cast<FunctionTracer*>(eager::CurrentTracer());
}

FunctionTracer::FunctionTracer(std::string function, ProgramBuilder& builder, FunctionTracer* outer)
    : id_(NextId()),
      function_(std::move(function)),
      builder_(builder),
      outer_(outer),
      index_(static_cast<uint32_t>(builder.graph.functions.size())) {
  builder.graph.functions.emplace_back().name = function_;
  bodies_.push_back(std::make_unique<OpenBody>());
  bodies_.back()->number = num_bodies_++;
}

FunctionTracer::~FunctionTracer() = default;

void FunctionTracer::Fail(Status error) {
  if (failure_.ok()) failure_ = std::move(error);
}

bool FunctionTracer::Knows(const TracedValue& value) const {
  return value.trace == id_ || (outer_ && outer_->Knows(value));
}

ValueId FunctionTracer::NewValue(const ValueType& type) {
  types_.push_back(type);
  body_of_.push_back(bodies_.back()->number);
  if (builder_.may_create_variables) producers_.emplace_back();
  return traced().AddValue(TracedTypeOf(type));
}

Tensor FunctionTracer::TensorOf(ValueId value, std::string_view made_by, Location where) {
  return eager::MakeTracedTensor({.trace = id_,
                                  .value = value,
                                  .type = types_[value],
                                  .function = function_,
                                  .made_by = std::string(made_by),
                                  .where = where});
}

Tensor FunctionTracer::AddArgument(const ValueType& type, const std::string& name, Location where) {
  const ValueId value = NewValue(type);
  bodies_.front()->body.arguments.push_back(value);
  traced().num_inputs++;
  argument_names_.push_back(name);
  return TensorOf(value, StrCat("argument ", name), where);
}

Status FunctionTracer::Finish(std::span<const Tensor> results) {
  TFRT_RETURN_IF_ERROR(failure_);
  for (const Tensor& result : results) {
    TFRT_ASSIGN_OR_RETURN(ValueId value, ValueOf(result, Location()));
    bodies_.front()->body.results.push_back(value);
    result_types_.push_back(types_[value]);
  }
  TracedFunction& function = traced();
  function.body = std::move(bodies_.front()->body);
  if (outer_values_.empty()) {
    for (std::string& name : argument_names_) {
      if (std::ranges::count(argument_names_, name) > 1) return OkStatus();
    }
    function.argument_names = argument_names_;
  }
  return OkStatus();
}

// --- Values

StatusOr<ValueId> FunctionTracer::TracedId(const TracedValue& value, const Tensor& tensor) {
  if (value.trace == id_) {
    const uint32_t body = body_of_[value.value];
    for (const auto& open : bodies_) {
      if (open->number == body) return value.value;
    }
    return eager::ErrorAt(
        value.where, value.made_by,
        FailedPreconditionError("the tensor belongs to a branch or to the body of a loop, which is "
                                "over; return it from there"));
  }
  if (!outer_ || !outer_->Knows(value)) return eager::LeakError(value);
  if (auto found = outer_ids_.find(value.trace << 32 | value.value); found != outer_ids_.end()) {
    return found->second;
  }
  // An argument behind the others: one of the whole function, not of the body that is open.
  const ValueId inner = NewValue(value.type);
  body_of_[inner] = bodies_.front()->number;
  bodies_.front()->body.arguments.push_back(inner);
  outer_values_.push_back(tensor);
  outer_ids_.emplace(value.trace << 32 | value.value, inner);
  return inner;
}

ValueId FunctionTracer::AddConstant(const Tensor& keeps_alive, const DenseHostTensor& elements,
                                    Location where) {
  const uint32_t index = builder_.AddConstant(keeps_alive, elements);
  TracedOp op;
  op.kind = TracedOpKind::kConstant;
  op.index = index;
  op.location = builder_.AddLocation(where);
  const ValueId value = NewValue(TypeOfElements(elements));
  op.results.push_back(value);
  bodies_.back()->body.ops.push_back(std::move(op));
  return value;
}

StatusOr<ValueId> FunctionTracer::ConstantId(const Tensor& tensor, Location where) {
  const std::pair key(bodies_.back()->number, static_cast<const void*>(tensor.state()->value()));
  if (auto found = constant_ids_.find(key); found != constant_ids_.end()) return found->second;
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* elements, tensor.HostElements(where));
  const ValueId value = AddConstant(tensor, *elements, where);
  if (!producers_.empty()) producers_[value].constant = tensor;
  constant_ids_.emplace(key, value);
  builder_.captures.push_back(
      {Capture::Kind::kConstant, TracedTypeOf(types_[value]).ToString(), "", where});
  return value;
}

StatusOr<ValueId> FunctionTracer::ValueOf(const Tensor& tensor, Location where) {
  if (!tensor.valid()) {
    return InvalidArgumentError("this is not a tensor; has it been moved from?");
  }
  if (const TracedValue* value = eager::TracedValueOf(tensor)) return TracedId(*value, tensor);
  TFRT_RETURN_IF_ERROR(tensor.status());
  return ConstantId(tensor, where);
}

StatusOr<std::vector<ValueId>> FunctionTracer::ArgumentIds(const OpDefinition& op,
                                                           std::span<TensorArgument> arguments,
                                                           Location where) {
  std::vector<ValueId> values;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (const eager::HostArray* array = arguments[i].array()) {
      TFRT_RETURN_IF_ERROR(array->tensor().status());
      const ValueId value = AddConstant(Tensor(), *array->tensor(), where);
      if (!producers_.empty()) {
        eager::TracerScope runs(*eager::CurrentScopeView().context, nullptr, "");
        producers_[value].constant = Tensor::FromArray(*array, where);
      }
      values.push_back(value);
    } else if (arguments[i].state()) {
      TFRT_ASSIGN_OR_RETURN(ValueId value, ValueOf(Tensor(FormRef(arguments[i].state())), where));
      values.push_back(value);
    } else if (i < op.arguments.size() && op.arguments[i].kind == OpArgumentSpec::Kind::kOptional) {
      values.push_back(kLeftOut);
    } else {
      return InvalidArgumentError(StrCat("argument ",
                                         i < op.arguments.size() ? op.arguments[i].name : StrCat(i),
                                         " is not a tensor; has it been moved from?"));
    }
  }
  return values;
}

// --- Calls

void FunctionTracer::WarnIfUnrolled(Location where) {
  if (++calls_at_[{where.handler(), where.data()}] != kUnrolledCalls) return;
  const Status warning =
      eager::ErrorAt(where, StrCat("function '", function_, "'"),
                     InternalError(StrCat("this line has traced ", kUnrolledCalls,
                                          " calls: a loop of the program becomes as many ops; use ",
                                          api_names.for_range, " or ", api_names.while_loop)));
  builder_.warnings.emplace_back(warning.message());
}

std::vector<Tensor> FunctionTracer::AddOp(TracedOp op, std::span<const ValueType> results,
                                          std::string_view made_by, Location where) {
  std::vector<Tensor> tensors;
  op.location = builder_.AddLocation(where);
  for (const ValueType& type : results) {
    op.results.push_back(NewValue(type));
    tensors.push_back(TensorOf(op.results.back(), made_by, where));
  }
  bodies_.back()->body.ops.push_back(std::move(op));
  return tensors;
}

Status FunctionTracer::Call(const OpDefinition& op, std::span<TensorArgument> arguments,
                            const OpAttrsRef& attrs, std::span<Tensor> results, Location where,
                            std::string_view device) {
  if (!device.empty() && device != builder_.device) {
    return UnimplementedError(StrCat("the function '", function_, "' runs on ", builder_.device,
                                     ", but the scope of this call names ", device,
                                     "; a traced function has one device: call a second function "
                                     "for the other one"));
  }
  const OpSpelling* spelling = FindOpSpelling(op.name);
  if (!spelling || spelling->op != op.description->name) {
    return UnimplementedError(
        StrCat("'", op.name,
               "' is an op of this program's own, which traced functions cannot "
               "have; call it in a ",
               api_names.host_call, ", or set run_eagerly for the function '", function_, "'"));
  }
  TFRT_ASSIGN_OR_RETURN(std::vector<ValueId> values, ArgumentIds(op, arguments, where));
  std::vector<const ValueType*> known;
  for (ValueId value : values) known.push_back(value == kLeftOut ? nullptr : &types_[value]);
  // All results, of which a call may take the first ones.
  TFRT_ASSIGN_OR_RETURN(std::vector<ValueType> types,
                        InferResults(*spelling, known, OpAttrsReader(attrs),
                                     std::max(results.size(), op.description->results.size())));
  TracedOp traced_op;
  traced_op.op = op.name;
  traced_op.arguments = values;
  if (HasFlag(op.flags, OpFlags::kConstant)) {
    std::optional<DenseAttribute> dense = attrs.GetDense("value");
    if (!dense) return InvalidArgumentError("the attribute 'value' is not dense");
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor view, DenseHostTensor::CreateFromConstant(*dense));
    const std::span bytes(static_cast<const std::byte*>(view.data()), view.size_bytes());
    results[0] = Constant(eager::HostArray(view.dtype(), view.shape().dims(), bytes), where);
    return results[0].is_traced() ? OkStatus() : results[0].status();
  }
  for (const OpAttr& attr : attrs.attrs()) {
    std::optional<OpAttrValue> value = OpAttrsReader(attrs).Get(attr.name);
    if (value) traced_op.attrs.push_back({std::string(attr.name), *std::move(value)});
  }
  const size_t first = types_.size();
  std::vector<Tensor> made = AddOp(std::move(traced_op), types, op.name, where);
  for (size_t i = 0; i < results.size(); ++i) results[i] = std::move(made[i]);
  if (builder_.may_create_variables && !op.has_side_effects()) {
    for (size_t i = 0; i < results.size(); ++i) {
      producers_[first + i] = {&op, attrs.Freeze(), values, i, {}};
    }
  }
  WarnIfUnrolled(where);
  return OkStatus();
}

Tensor FunctionTracer::Constant(const eager::HostArray& array, Location where) {
  if (!array.tensor().ok()) {
    return eager::ErrorTensorOf(eager::ErrorAt(where, "tensor", array.tensor().status()));
  }
  const ValueId value = AddConstant(Tensor(), *array.tensor(), where);
  if (!producers_.empty()) {
    eager::TracerScope runs(*eager::CurrentScopeView().context, nullptr, "");
    producers_[value].constant = Tensor::FromArray(array, where);
  }
  return TensorOf(value, "a constant", where);
}

// --- Variables

StatusOr<Tensor> FunctionTracer::ComputeInitialValue(ValueId value,
                                                     std::map<ValueId, Tensor>* done) {
  if (auto found = done->find(value); found != done->end()) return found->second;
  const Producer& producer = producers_[value];
  if (producer.constant.valid()) return producer.constant;
  if (!producer.op) {
    return FailedPreconditionError(
        "its first value depends on an argument of the function, on a variable or on an effect; "
        "compute it of what is known before the call");
  }
  // No recursion as deep as the trace is long: what the value is made of comes first.
  std::vector<ValueId> pending = {value};
  while (!pending.empty()) {
    const ValueId next = pending.back();
    const Producer& maker = producers_[next];
    bool is_ready = true;
    for (ValueId argument : maker.arguments) {
      if (argument == kLeftOut || done->contains(argument)) continue;
      const Producer& other = producers_[argument];
      if (other.constant.valid()) {
        done->emplace(argument, other.constant);
      } else if (other.op) {
        pending.push_back(argument);
        is_ready = false;
      } else {
        return ComputeInitialValue(argument, done);  // the error
      }
    }
    if (!is_ready) continue;
    pending.pop_back();
    if (done->contains(next)) continue;
    std::vector<TensorArgument> arguments;
    for (ValueId argument : maker.arguments) {
      arguments.push_back(argument == kLeftOut ? TensorArgument()
                                               : TensorArgument((*done)[argument]));
    }
    std::vector<Tensor> results(maker.op->results.size());
    results.resize(std::max(results.size(), maker.result + 1));
    TFRT_RETURN_IF_ERROR(eager::Execute(*maker.op, arguments, maker.attrs, results));
    done->emplace(next, results[maker.result]);
  }
  return (*done)[value];
}

Tensor FunctionTracer::InitialValue(const Tensor& initial, Location where) {
  auto fail = [&](const Status& error) {
    Status located = eager::ErrorAt(where, "Variable", error);
    Fail(located);
    return eager::ErrorTensorOf(located);
  };
  if (!builder_.may_create_variables) {
    return fail(FailedPreconditionError(
        StrCat("the function '", function_,
               "' creates a variable on a call that is not its first; variables are created once: "
               "outside of the function, or on its first call, where they must outlive it")));
  }
  if (!initial.valid()) return initial;
  builder_.num_created_variables++;
  const TracedValue* value = eager::TracedValueOf(initial);
  if (!value) return initial;
  if (value->trace != id_) {
    return fail(FailedPreconditionError("its first value belongs to another trace"));
  }
  eager::TracerScope runs(*eager::CurrentScopeView().context, nullptr, builder_.device);
  std::map<ValueId, Tensor> done;
  StatusOr<Tensor> computed = ComputeInitialValue(value->value, &done);
  return computed.ok() ? *std::move(computed) : fail(computed.status());
}

Tensor FunctionTracer::Read(const Variable& variable) {
  StatusOr<TensorMetadata> metadata = variable.metadata();
  if (!metadata.ok()) return eager::ErrorTensorOf(metadata.status());
  TracedOp op;
  op.kind = TracedOpKind::kRead;
  op.index = builder_.AddVariable(variable, *metadata);
  const ShapeDims dims = metadata->shape.dims();
  const ValueType type{metadata->dtype, SymbolicShape(std::vector<Dim>(dims.begin(), dims.end()))};
  return std::move(AddOp(std::move(op), {&type, 1}, api_names.variable_read, Location())[0]);
}

Tensor FunctionTracer::Assign(const Variable& variable, const Tensor& old, const Tensor& made,
                              Location where) {
  auto fail = [&](const Status& error) {
    Status located = eager::ErrorAt(where, "Variable", error);
    Fail(located);
    return eager::ErrorTensorOf(located);
  };
  if (!made.valid()) return fail(InvalidArgumentError("the new value is not a tensor"));
  StatusOr<ValueId> value = ValueOf(made, where);
  if (!value.ok()) {
    Fail(value.status());
    return eager::ErrorTensorOf(value.status());
  }
  const ValueType& type = types_[*value];
  const ValueType& wanted = eager::TracedValueOf(old)->type;
  if (!type.IsCompatibleWith(wanted)) {
    return fail(InvalidArgumentError(
        StrCat("the variable is ", wanted.ToString(), ", but its new value ", type.ToString())));
  }
  Assign(variable, *value, where);
  return TensorOf(*value, api_names.variable_assign, where);
}

void FunctionTracer::Assign(const Variable& variable, ValueId value, Location where) {
  TracedOp op;
  op.kind = TracedOpKind::kAssign;
  op.index = builder_.AddVariable(variable, *variable.metadata());
  op.arguments = {value};
  (void)AddOp(std::move(op), {}, api_names.variable_assign, where);
}

// --- Structure

StatusOr<FunctionTracer::Body> FunctionTracer::TraceBody(std::string_view what,
                                                         std::span<const ValueType> arguments,
                                                         const BodyFunction& trace,
                                                         Location where) {
  bodies_.push_back(std::make_unique<OpenBody>());
  bodies_.back()->number = num_bodies_++;
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ValueId value = NewValue(arguments[i]);
    bodies_.back()->body.arguments.push_back(value);
    tensors.push_back(TensorOf(value, StrCat("argument ", i, " of ", what), where));
  }
  Body made;
  Status status = [&]() -> Status {
    TFRT_ASSIGN_OR_RETURN(std::vector<Tensor> results,
                          CallGuarded(what, [&] { return trace(tensors); }));
    for (const Tensor& result : results) {
      TFRT_ASSIGN_OR_RETURN(ValueId value, ValueOf(result, where));
      bodies_.back()->body.results.push_back(value);
      made.results.push_back(types_[value]);
    }
    return OkStatus();
  }();
  made.body = std::move(bodies_.back()->body);
  bodies_.pop_back();
  if (!status.ok()) return status;
  return made;
}

ValueType FunctionTracer::TypeOf(const TracedType& type) {
  ValueType value{type.dtype};
  if (!type.dims) return value;
  std::vector<Dim> dims;
  for (int64_t dim : *type.dims) dims.push_back(dim < 0 ? NewSymbol() : Dim(dim));
  value.shape = SymbolicShape(std::move(dims));
  return value;
}

// `names`: what values of the function are here.
TracedBody FunctionTracer::Renamed(const TracedBody& body, const TracedFunction& function,
                                   std::vector<ValueId>& names) {
  auto use = [&](std::span<const ValueId> values) {
    std::vector<ValueId> used;
    for (ValueId value : values) used.push_back(value == kLeftOut ? kLeftOut : names[value]);
    return used;
  };
  auto make = [&](std::span<const ValueId> values) {
    for (ValueId value : values) {
      if (names[value] == kLeftOut) names[value] = NewValue(TypeOf(function.values[value]));
    }
    return use(values);
  };
  TracedBody renamed{.arguments = make(body.arguments), .ops = {}, .results = {}};
  for (const TracedOp& op : body.ops) {
    TracedOp copy{.kind = op.kind,
                  .op = op.op,
                  .index = op.index,
                  .arguments = use(op.arguments),
                  .attrs = op.attrs,
                  .location = op.location};
    for (const TracedBody& inner : op.bodies) {
      copy.bodies.push_back(Renamed(inner, function, names));
    }
    copy.results = make(op.results);
    renamed.ops.push_back(std::move(copy));
  }
  renamed.results = use(body.results);
  return renamed;
}

std::vector<ValueId> FunctionTracer::Inline(const TracedFunction& function,
                                            std::span<const ValueId> arguments) {
  std::vector<ValueId> names(function.values.size(), kLeftOut);
  for (size_t i = 0; i < arguments.size(); ++i) names[function.body.arguments[i]] = arguments[i];
  TracedBody renamed = Renamed(function.body, function, names);
  std::vector<TracedOp>& ops = bodies_.back()->body.ops;
  ops.insert(ops.end(), std::make_move_iterator(renamed.ops.begin()),
             std::make_move_iterator(renamed.ops.end()));
  return std::move(renamed.results);
}

Tensor FunctionTracer::TensorLike(ValueId value, const ValueType& like, std::string_view made_by,
                                  Location where) {
  ValueType& type = types_[value];
  if (type.elements) return TensorOf(value, made_by, where);
  if (like.shape.has_rank() && type.shape.has_rank() && like.shape.rank() == type.shape.rank()) {
    type.shape = like.shape;
    traced().values[value] = TracedTypeOf(type);
  }
  return TensorOf(value, made_by, where);
}

}  // namespace tfrt::function
