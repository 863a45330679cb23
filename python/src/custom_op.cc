// Ops whose function is one of Python: called by whichever thread runs the op.

#include "custom_op.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "call_python.h"
#include "context.h"
#include "errors.h"
#include "gil.h"
#include "ops.h"
#include "tensor.h"
#include "tfrt/core_runtime/op_call.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::python {
namespace {

struct OwnOp;
// All that there are, whose functions are dropped at the end. Never destroyed.
struct OwnOps {
  std::mutex mutex;
  std::set<OwnOp*> ops;  // under mutex
};
OwnOps* own_ops = new OwnOps();
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
  SharedObject function;  // none: the interpreter ends

  OwnOp() {
    std::lock_guard lock(own_ops->mutex);
    own_ops->ops.insert(this);
  }
  ~OwnOp() {
    std::lock_guard lock(own_ops->mutex);
    own_ops->ops.erase(this);
  }
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
  GilAcquire gil;
  if (!gil.ok()) return CancelledError("the interpreter ends: no function of Python is called");
  if (!op.function.get())
    return CancelledError("the interpreter ends: no function of Python is called");
  try {
    CallbackScope scope(context);
    nb::object inputs = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(arguments.size())));
    for (size_t i = 0; i < arguments.size(); ++i) {
      PyTuple_SET_ITEM(inputs.ptr(), static_cast<Py_ssize_t>(i),
                       Wrap(MakeTensor(arguments[i], Location())).release().ptr());
    }
    TakeResults(op, CallOrSleep(op.function.get(), inputs), results);
    return OkStatus();
  } catch (nb::python_error& error) {
    error.restore();
    return TakePythonError(StrCat("the function of ", op.name).c_str());
  } catch (const std::exception& error) {
    return InternalError(StrCat("the function of ", op.name, ": ", error.what()));
  }
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
  op->function = SharedObject(function.release().ptr());
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

void DropCustomOps() {
  std::vector<SharedObject> functions;
  {
    std::lock_guard lock(own_ops->mutex);
    for (OwnOp* op : own_ops->ops) functions.push_back(std::move(op->function));
  }
}

void BindCustomOp(nb::module_& module) {
  using namespace nb::literals;
  module.def("_make_custom_op", &MakeCustomOp, "function"_a, "name"_a, "inputs"_a, "results"_a,
             "has_effects"_a, "doc"_a);
}

}  // namespace tfrt::python
