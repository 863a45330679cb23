// Control flow, host calls and gradients, as tfrt/tracing.py and tfrt/control_flow.py need them.

#include <nanobind/stl/string.h>

#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "call_python.h"
#include "context.h"
#include "errors.h"
#include "function.h"
#include "function_arguments.h"
#include "gil.h"
#include "host_callable.h"
#include "lib/api/eager/tracer.h"
#include "locations.h"
#include "tensor.h"
#include "tfrt/function/control_flow.h"
#include "tfrt/function/function.h"
#include "tfrt/function/gradients.h"
#include "tfrt/support/str_cat.h"
#include "variable.h"

namespace tfrt::python {
namespace {

using function::Argument;
using function::TensorSpec;

struct HostCallables {
  std::mutex mutex;
  std::set<HostCallable*> all;  // under mutex
};
HostCallables* host_callables = new HostCallables();  // never destroyed

function::Branch BranchOf(nb::handle branch) {
  return [branch] {
    return CallPython(
        [&]() -> StatusOr<Tensors> { return TensorsIn(CallOrSleep(branch, nb::tuple())); });
  };
}
function::LoopBody BodyOf(nb::handle body) {
  return [body](std::span<const eager::Tensor> tensors) {
    return CallPython([&]() -> StatusOr<Tensors> {
      nb::object given = ListOf(tensors);
      return TensorsIn(CallOrSleep(body, nb::tuple(given)));
    });
  };
}

nb::list Cond(nb::handle condition, nb::handle then_branch, nb::handle else_branch) {
  EnterScope();
  const eager::Tensor test = TensorOrRaise(condition);
  const Location where = CallerLocation();
  return ListOrRaise(Unlocked([&] {
    return function::CondList(test, BranchOf(then_branch), BranchOf(else_branch), where);
  }));
}

nb::list While(nb::handle condition, nb::handle body, nb::handle carried) {
  EnterScope();
  Tensors start = TensorsIn(carried);
  const Location where = CallerLocation();
  return ListOrRaise(Unlocked([&] {
    return function::WhileList(BodyOf(condition), BodyOf(body), std::move(start), where);
  }));
}

nb::list For(nb::object count, nb::handle scanned, nb::handle body, nb::handle carried) {
  EnterScope();
  function::ForOptions options;
  if (!count.is_none()) options.count = TensorOrRaise(count);
  options.scanned = TensorsIn(scanned);
  Tensors start = TensorsIn(carried);
  const Location where = CallerLocation();
  return ListOrRaise(
      Unlocked([&] { return function::ForList(options, BodyOf(body), std::move(start), where); }));
}

// `callable` is called with tensors, by any thread; kept by the program.
nb::list HostCall(const std::string& name, nb::object callable, nb::handle inputs,
                  nb::handle results) {
  EnterScope();
  Tensors given = TensorsIn(inputs);
  std::vector<TensorSpec> specs;
  for (nb::handle spec : results) specs.push_back(nb::cast<PySpec&>(spec).spec);
  auto kept = std::make_shared<HostCallable>(std::move(callable));
  // Not by its holder: a thread of the context must not be the last to drop that.
  eager::Context* context = eager::CurrentScopeView().context;
  function::HostFunction function =
      [kept, context, name](std::span<const eager::Tensor> tensors) -> StatusOr<Tensors> {
    return kept->Call<StatusOr<Tensors>>(
        *context, StrCat("the host function ", name), [&](nb::handle callable) {
          return TensorsIn(CallOrSleep(callable, nb::tuple(ListOf(tensors))));
        });
  };
  AddToTrace(kept);
  const Location where = CallerLocation();
  return ListOrRaise(
      Unlocked([&] { return function::HostCall(name, std::move(function), given, specs, where); }));
}

// The gradients of what `loss` makes of the tensors, as a part of the trace if there is one: first
// its results, if `with_value`, then those for the tensors and the variables.
nb::list Gradients(const std::string& name, nb::handle loss, nb::handle tensors,
                   nb::handle variables, bool with_value) {
  EnterScope();
  function::GradOptions what;
  std::vector<Argument> arguments;
  for (const eager::Tensor& tensor : TensorsIn(tensors)) {
    what.arguments.push_back(arguments.size());
    arguments.push_back(Argument::Of(eager::TensorArgument(tensor)));
  }
  for (nb::handle object : variables) {
    PyVariable* variable = VariableIn(object);
    if (!variable) RaiseTypeError("a variable is needed, not %s", Py_TYPE(object.ptr())->tp_name);
    RaiseIfError(variable->context->Check());
    what.variables.push_back(variable->variable);
  }
  const Location where = CallerLocation();
  auto body = [loss, where](std::span<const Argument> given) {
    return CallPython([&]() -> StatusOr<Tensors> {
      nb::list list;
      for (const Argument& argument : given) list.append(Wrap(argument.AsTensor(where)));
      return TensorsIn(CallOrSleep(loss, nb::tuple(list)));
    });
  };
  function::AnyFunction gradient =
      function::MakeGradFunction(name, body, std::move(what), with_value, {}, {}, where);
  return ListOrRaise(Unlocked([&] { return gradient.Call(arguments, where); }));
}

// Calls `call`. If it raises an exception of this class, the trace is as before, and may go on.
nb::object Attempt(nb::handle call, nb::handle exception) {
  eager::Tracer* tracer = eager::CurrentTracer();
  Status before;
  if (tracer) {
    before = tracer->ExchangeFailure(OkStatus());
    (void)tracer->ExchangeFailure(before);
  }
  try {
    return call();
  } catch (nb::python_error& error) {
    if (tracer && error.matches(exception)) (void)tracer->ExchangeFailure(before);
    throw;
  }
}

}  // namespace

HostCallable::HostCallable(nb::object callable) : object(callable.release().ptr()) {
  std::lock_guard lock(host_callables->mutex);
  host_callables->all.insert(this);
}

HostCallable::~HostCallable() {
  std::lock_guard lock(host_callables->mutex);
  host_callables->all.erase(this);
}

void DropHostCallables() {
  std::vector<SharedObject> dropped;
  std::lock_guard lock(host_callables->mutex);
  for (HostCallable* callable : host_callables->all) {
    dropped.push_back(std::move(callable->object));
  }
}

void BindControlFlow(nb::module_& module) {
  using namespace nb::literals;
  module.def("_cond", &Cond);
  module.def("_while", &While);
  module.def("_for", &For, "count"_a.none(), "scanned"_a, "body"_a, "carried"_a);
  module.def("_host_call", &HostCall);
  module.def("_gradients", &Gradients);
  module.def("_attempt", &Attempt);
  module.def("_is_tracing", [] { return eager::CurrentTracer() != nullptr; });
}

}  // namespace tfrt::python
