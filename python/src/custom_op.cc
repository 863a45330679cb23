// Ops whose function is one of Python: called by whichever thread runs the op.

#include "custom_op.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "call_python.h"
#include "context.h"
#include "errors.h"
#include "host_callable.h"
#include "ops.h"
#include "tensor.h"
#include "tfrt/core_runtime/op_call.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::python {
namespace {

// How many ops of one name there were: an op that is defined anew is another one. Under the
// interpreter's lock.
std::map<std::string, int>* definitions = new std::map<std::string, int>();

// Holds the parts of one op that contexts share. Their definitions borrow its texts.
struct OwnOp {
  std::string name, summary;
  std::vector<std::string> argument_names, result_names;
  std::vector<OpArgumentSpec> arguments;
  std::vector<std::string_view> results;
  bool has_effects = false;
  std::unique_ptr<HostCallable> function;
};

// The tensors that the function gave, in host memory. With the lock.
void TakeResults(const OwnOp& op, nb::object given, std::vector<DenseHostTensor>& results) {
  nb::object items = op.results.size() == 1 ? nb::object(nb::make_tuple(given)) : given;
  if (op.results.empty()) {
    if (!given.is_none()) RaiseTypeError("the op has no result, but its function returned one");
    return;
  }
  if (!PyTuple_Check(items.ptr()) || nb::len(items) != op.results.size()) {
    RaiseTypeError("the op has %zu results: its function returns a tuple of so many",
                   op.results.size());
  }
  for (nb::handle item : items) {
    if (PyTensor* tensor = TensorIn(item)) {
      HostElements elements = ElementsOf(*tensor);
      std::span bytes(static_cast<const std::byte*>(elements.data), elements.bytes);
      // A copy: what the op gives may be written by the next one.
      results.push_back(DenseOf(eager::HostArray(elements.dtype, elements.dims, bytes)));
    } else {
      eager::HostArray array =
          RequireArray(item, std::nullopt, {}, Sharing::kCopy, "what the op's function returns");
      results.push_back(DenseOf(array));
    }
  }
}

Status ComputeInPython(const OwnOp& op, eager::Context& context,
                       const VariadicOpArguments<DenseHostTensor>& arguments,
                       std::vector<DenseHostTensor>& results) {
  return op.function->Call<Status>(
      context, StrCat("the function of ", op.name), [&](nb::handle function) {
        nb::list inputs;
        for (size_t i = 0; i < arguments.size(); ++i) {
          inputs.append(Wrap(MakeTensor(arguments[i], Location())));
        }
        TakeResults(op, CallOrSleep(function, nb::tuple(inputs)), results);
        return OkStatus();
      });
}

// The op's function in one context.
struct CallOwnOp {
  std::shared_ptr<OwnOp> op;
  eager::Context* context;  // which has the op

  void operator()(VariadicOpArguments<DenseHostTensor> arguments, OpCall& call) const {
    std::vector<DenseHostTensor> results;
    Status status = ComputeInPython(*op, *context, arguments, results);
    if (!status.ok()) return call.ReportError(std::move(status));
    for (size_t i = 0; i < results.size(); ++i) {
      call.SetResult(
          i, MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(results[i])).ReleaseRCRef());
    }
  }
};

CustomOp DefinitionOf(const std::shared_ptr<OwnOp>& op, eager::Context* context) {
  CustomOp definition;
  definition.name = op->name;
  definition.summary = op->summary;
  definition.arguments = op->arguments;
  definition.results = op->results;
  definition.flags = op->has_effects ? OpFlags::kSideEffects : OpFlags::kNone;
  definition.closure = MakeOpClosure(CallOwnOp{op, context});
  return definition;
}

Status RegisterIn(const OpInfo& info, eager::Context& context) {
  auto op = std::static_pointer_cast<OwnOp>(info.own);
  return context.RegisterOp(DefinitionOf(op, &context));
}

nb::object MakeCustomOp(nb::object function, const std::string& name,
                        std::vector<std::string> inputs, std::vector<std::string> results,
                        bool has_effects, const std::string& doc) {
  if (!PyCallable_Check(function.ptr())) RaiseTypeError("a custom op needs a function");
  if (results.size() > 8) RaiseValueError("a custom op has 8 results at most");
  if (inputs.size() > 16) RaiseValueError("a custom op has 16 inputs at most");
  const size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0 || dot + 1 == name.size()) {
    RaiseValueError("a custom op is called FAMILY.NAME, not '%s'", name.c_str());
  }
  auto op = std::make_shared<OwnOp>();
  if (ValueOf(DefaultContext()->Get())->FindOp(name) && !definitions->contains(name)) {
    Raise(AlreadyExistsError(StrCat("there is an op '", name, "' already")));
  }
  const int definition_number = ++(*definitions)[name];
  op->name = definition_number == 1 ? name : StrCat(name, "@", definition_number);
  op->summary = doc;
  op->argument_names = std::move(inputs);
  op->result_names = std::move(results);
  for (const std::string& argument : op->argument_names) op->arguments.push_back({argument});
  for (const std::string& result : op->result_names) op->results.push_back(result);
  op->has_effects = has_effects;
  op->function = std::make_unique<HostCallable>(std::move(function));
  // Described by a definition of no context.
  OpDefinition definition(DefinitionOf(op, nullptr));
  OpInfo info = DescribeOp(name.substr(dot + 1), definition);
  info.own_name = op->name;
  info.own = op;
  info.register_in = &RegisterIn;
  info.is_pure = false;  // it needs the lock: calls of it never keep it
  return MakeOpObject(std::move(info));
}

}  // namespace

void BindCustomOp(nb::module_& module) {
  using namespace nb::literals;
  module.def("_make_custom_op", &MakeCustomOp, "function"_a, "name"_a, "inputs"_a, "results"_a,
             "has_effects"_a, "doc"_a);
}

}  // namespace tfrt::python
