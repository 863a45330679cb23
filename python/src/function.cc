#include "function.h"

#include "tfrt/function/function.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "context.h"
#include "errors.h"
#include "function_arguments.h"
#include "gil.h"
#include "locations.h"
#include "tensor.h"
#include "tfrt/function/control_flow.h"
#include "tfrt/support/str_cat.h"
#include "variable.h"

namespace tfrt::python {
namespace {

using function::AnyFunction;
using function::Argument;
using function::ConcreteFunction;
using function::TensorSpec;
using Tensors = std::vector<eager::Tensor>;

// --- Calling Python from the runtime ---

// An exception of Python on its way through the runtime, which has none: of this thread.
thread_local std::exception_ptr pending_error;

// Calls `body` with the lock; an exception of Python waits in pending_error.
template <typename Body>
StatusOr<Tensors> CallPython(Body body) {
  GilAcquire gil;
  if (!gil.ok()) return CancelledError("the interpreter ends: no function of Python is called");
  try {
    return body();
  } catch (const std::exception&) {  // python_error, or of nanobind
    pending_error = std::current_exception();
    return InternalError("a function of Python raised an exception");
  }
}

void RethrowPending() {
  if (pending_error) std::rethrow_exception(std::exchange(pending_error, nullptr));
}

Tensors TensorsIn(nb::handle list) {
  Tensors tensors;
  for (nb::handle item : list) {
    PyTensor* tensor = TensorIn(item);
    if (!tensor)
      RaiseTypeError("a traced function gives tensors, not %s", Py_TYPE(item.ptr())->tp_name);
    tensors.push_back(tensor->tensor);
  }
  return tensors;
}

nb::list ListOf(std::span<const eager::Tensor> tensors) {
  nb::list list;
  for (const eager::Tensor& tensor : tensors) list.append(Wrap(tensor));
  return list;
}

// What the runtime gave: a list, or the exception of its error.
nb::list ListOrRaise(const Tensors& tensors) {
  RethrowPending();
  for (const eager::Tensor& tensor : tensors) {
    if (!tensor.is_traced() && tensor.IsError()) RaiseIfError(tensor.status());
  }
  return ListOf(tensors);
}

// --- Functions ---

// A call that is going on: what the trace that it may make is made of. Of this thread.
struct Frame {
  nb::handle arguments;  // as they were given, a tuple
  nb::handle body;       // (key, arguments) -> (tensors, whether the result is one tensor as it is)
  const Flat* flat;      // of the arguments
  bool* all_single;
  Location where;
  std::vector<std::string> warnings = {};
};
thread_local Frame* current_frame = nullptr;

StatusOr<Tensors> TraceBody(std::span<const Argument> arguments) {
  return CallPython([&]() -> StatusOr<Tensors> {
    // Of a trace for more sizes than the call's, which could not be made: this one is in its place.
    pending_error = nullptr;
    Frame& frame = *current_frame;
    PinnedScope pin;
    nb::list given;
    Rebuilder rebuilder = {arguments, frame.flat->contents, frame.where};
    for (nb::handle argument : frame.arguments) given.append(rebuilder.Rebuild(argument));
    const std::string& key = frame.flat->key;
    nb::object made = frame.body(nb::bytes(key.data(), key.size()), nb::tuple(given));
    *frame.all_single = *frame.all_single && nb::cast<bool>(made[1]);
    return TensorsIn(nb::object(made[0]));
  });
}

struct PyFunction {
  std::string name;
  function::FunctionOptions options;
  Location where;
  std::unique_ptr<AnyFunction> function;
  bool all_single = true;
  uint32_t fork = 0;
  // Programs belong to contexts, and must not be called when these are gone.
  std::vector<ContextRef> contexts;

  AnyFunction& Get() {
    if (fork != fork_generation()) {
      (void)function.release();  // that of the parent
      fork = fork_generation();
      contexts.clear();
    }
    if (!function) function = std::make_unique<AnyFunction>(name, &TraceBody, options, where);
    return *function;
  }
  void UseContext() {
    if (!contexts.empty() && contexts.back().get() == EnterScope().holder) return;
    ContextRef context = CurrentContext();
    if (std::ranges::find(contexts, context) == contexts.end()) contexts.push_back(context);
  }
};

// Runs `call` on the function with the arguments in the frame of this call.
template <typename Call>
auto InFrame(PyFunction& self, const nb::tuple& arguments, const nb::object& body, Flat& flat,
             Call call) {
  AnyFunction& function = self.Get();
  self.UseContext();
  EnterScope();
  for (nb::handle argument : arguments) Flatten(argument, flat);
  Frame frame = {arguments, body, &flat, &self.all_single, CallerLocation()};
  Frame* outer = std::exchange(current_frame, &frame);
  auto result = [&] {
    GilRelease release;
    return call(function, frame.where);
  }();
  current_frame = outer;
  for (const std::string& warning : frame.warnings) {
    if (PyErr_WarnEx(PyExc_RuntimeWarning, warning.c_str(), 2) < 0 && !pending_error) {
      throw nb::python_error();
    }
  }
  RethrowPending();
  return result;
}

nb::object Call(PyFunction& self, nb::tuple arguments, nb::object body) {
  Flat flat;
  Tensors results = InFrame(
      self, arguments, body, flat,
      [&](AnyFunction& function, Location where) { return function.Call(flat.arguments, where); });
  for (const eager::Tensor& tensor : results) {
    if (!tensor.is_traced() && tensor.IsError()) RaiseIfError(tensor.status());
  }
  if (self.all_single && results.size() == 1) return Wrap(std::move(results[0]));
  return nb::make_tuple(nb::bytes(flat.key.data(), flat.key.size()), ListOf(results));
}

// Calls the function's method without the lock: it may wait for a call that needs it.
template <typename Method, typename... Ts>
auto WithoutLock(PyFunction& self, Method method, const Ts&... arguments) {
  AnyFunction function = self.Get();
  GilRelease release;
  return (function.*method)(arguments...);
}

// --- Concrete functions ---

struct PyConcrete {
  ConcreteFunction function;
  ContextRef context;
};

PyConcrete Concrete(PyFunction& self, nb::tuple arguments, nb::object body) {
  Flat flat;
  StatusOr<ConcreteFunction> made =
      InFrame(self, arguments, body, flat, [&](AnyFunction& function, Location where) {
        return function.ConcreteOf(flat.arguments, where);
      });
  return {ValueOf(std::move(made)), CurrentContext()};
}

template <typename Method, typename... Ts>
auto WithoutLock(const PyConcrete& self, Method method, const Ts&... arguments) {
  GilRelease release;
  return (self.function.*method)(arguments...);
}

nb::object CallConcrete(PyConcrete& self, nb::args arguments) {
  RaiseIfError(self.context->Check());
  EnterScope();
  Flat flat;
  for (nb::handle argument : arguments) Flatten(argument, flat);
  const Location where = CallerLocation();
  StatusOr<Tensors> results = [&] {
    GilRelease release;
    return self.function.Call(flat.arguments, where);
  }();
  nb::list list = ListOrRaise(ValueOf(std::move(results)));
  return nb::len(list) == 1 ? nb::object(list[0]) : nb::object(nb::tuple(list));
}

nb::dict StatisticsOf(PyFunction& self) {
  const function::FunctionStatistics statistics = WithoutLock(self, &AnyFunction::statistics);
  nb::dict result;
  result["calls"] = statistics.calls;
  result["traces"] = statistics.traces;
  result["eager_calls"] = statistics.eager_calls;
  result["evictions"] = statistics.evictions;
  result["disk_hits"] = statistics.disk_hits;
  result["programs"] = statistics.programs;
  result["program_bytes"] = statistics.program_bytes;
  result["trace_ns"] = statistics.trace_ns;
  result["compile_ns"] = statistics.compile_ns;
  return result;
}

function::WhenFull ParseWhenFull(const std::string& text) {
  if (text == "evict") return function::WhenFull::kEvict;
  if (text == "error") return function::WhenFull::kError;
  if (text == "run_eagerly") return function::WhenFull::kRunEagerly;
  RaiseValueError("when_full is one of evict, error, run_eagerly, not '%s'", text.c_str());
}

void MakeFunction(PyFunction* self, std::string name, std::vector<std::string> argument_names,
                  nb::object input_signature, std::optional<bool> reduce_retracing,
                  size_t max_traces, const std::string& when_full, bool run_eagerly, bool exact,
                  bool fuse, bool pack, std::string cache_folder) {
  function::FunctionOptions options;
  options.argument_names = std::move(argument_names);
  if (!input_signature.is_none()) {
    for (nb::handle spec : input_signature) {
      if (!nb::isinstance<PySpec>(spec)) {
        RaiseTypeError("input_signature is a list of tfrt.TensorSpec, with %s in it",
                       Py_TYPE(spec.ptr())->tp_name);
      }
      options.input_signature.push_back(nb::inst_ptr<PySpec>(spec)->spec);
    }
  }
  options.reduce_retracing = reduce_retracing;
  options.max_traces = max_traces;
  options.when_full = ParseWhenFull(when_full);
  options.run_eagerly = run_eagerly;
  options.exact = exact;
  options.fuse = fuse;
  options.pack = pack;
  options.cache_folder = std::move(cache_folder);
  options.on_warning = [](std::string_view warning) {
    // By the thread that calls, which has the lock again when the call is over.
    if (current_frame) current_frame->warnings.emplace_back(warning);
  };
  PyFunction made;
  made.name = std::move(name);
  made.options = std::move(options);
  made.where = CallerLocation();
  new (self) PyFunction(std::move(made));
}

// --- Control flow ---

eager::Tensor& TensorOrRaise(nb::handle object) {
  PyTensor* tensor = TensorIn(object);
  if (!tensor) RaiseTypeError("a tensor is needed, not %s", Py_TYPE(object.ptr())->tp_name);
  return tensor->tensor;
}

function::Branch BranchOf(nb::handle branch) {
  return
      [branch] { return CallPython([&]() -> StatusOr<Tensors> { return TensorsIn(branch()); }); };
}
function::LoopBody BodyOf(nb::handle body) {
  return [body](std::span<const eager::Tensor> tensors) {
    return CallPython([&]() -> StatusOr<Tensors> {
      nb::object given = ListOf(tensors);
      return TensorsIn(body(*given));
    });
  };
}

nb::list Cond(nb::handle condition, nb::handle then_branch, nb::handle else_branch) {
  EnterScope();
  const eager::Tensor& test = TensorOrRaise(condition);
  const Location where = CallerLocation();
  Tensors results;
  {
    GilRelease release;
    results = function::CondList(test, BranchOf(then_branch), BranchOf(else_branch), where);
  }
  return ListOrRaise(results);
}

nb::list While(nb::handle condition, nb::handle body, nb::handle carried) {
  EnterScope();
  Tensors start = TensorsIn(carried);
  const Location where = CallerLocation();
  Tensors results;
  {
    GilRelease release;
    results = function::WhileList(BodyOf(condition), BodyOf(body), std::move(start), where);
  }
  return ListOrRaise(results);
}

nb::list For(nb::object count, nb::handle scanned, nb::handle body, nb::handle carried) {
  EnterScope();
  function::ForOptions options;
  if (!count.is_none()) options.count = TensorOrRaise(count);
  options.scanned = TensorsIn(scanned);
  Tensors start = TensorsIn(carried);
  const Location where = CallerLocation();
  Tensors results;
  {
    GilRelease release;
    results = function::ForList(options, BodyOf(body), std::move(start), where);
  }
  return ListOrRaise(results);
}

// Functions that programs call. They are dropped when the interpreter ends: their modules may have
// the traced functions, whose programs keep them, which the collector does not see.
struct HostCallable;
struct HostCallables {
  std::mutex mutex;
  std::set<HostCallable*> all;  // under mutex
};
HostCallables* host_callables = new HostCallables();  // never destroyed

struct HostCallable {
  SharedObject object;  // none: the interpreter ends

  explicit HostCallable(nb::object callable) : object(callable.release().ptr()) {
    std::lock_guard lock(host_callables->mutex);
    host_callables->all.insert(this);
  }
  ~HostCallable() {
    std::lock_guard lock(host_callables->mutex);
    host_callables->all.erase(this);
  }
};

// `callable` is called with tensors, by any thread; kept by the program.
nb::list HostCall(const std::string& name, nb::object callable, nb::handle inputs,
                  nb::handle results) {
  EnterScope();
  Tensors given = TensorsIn(inputs);
  std::vector<TensorSpec> specs;
  for (nb::handle spec : results) specs.push_back(nb::cast<PySpec&>(spec).spec);
  auto kept = std::make_shared<HostCallable>(std::move(callable));
  ContextRef holder = CurrentContext();
  eager::Context* context = ValueOf(holder->Get());
  function::HostFunction function =
      [kept, context, name](std::span<const eager::Tensor> tensors) -> StatusOr<Tensors> {
    GilAcquire gil;
    if (!gil.ok()) return CancelledError("the interpreter ends: no function of Python is called");
    nb::object callable = nb::borrow(kept->object.get());
    if (!callable.is_valid())
      return CancelledError("the interpreter ends: no function of Python is called");
    try {
      CallbackScope scope(*context);
      return TensorsIn(callable(*ListOf(tensors)));
    } catch (nb::python_error& error) {
      error.restore();
      return TakePythonError(StrCat("the host function ", name).c_str());
    } catch (const std::exception& error) {
      return InternalError(StrCat("the host function ", name, ": ", error.what()));
    }
  };
  const Location where = CallerLocation();
  Tensors made;
  {
    GilRelease release;
    made = function::HostCall(name, std::move(function), given, specs, where);
  }
  return ListOrRaise(made);
}

void BindConcrete(nb::module_& module) {
  nb::class_<PyConcrete>(module, "ConcreteFunction", "One trace of a function, compiled.")
      .def_prop_ro("signature", [](const PyConcrete& self) { return self.function.signature(); })
      .def_prop_ro(
          "captures", [](const PyConcrete& self) { return self.function.Captures(); },
          "What it has taken from around it when it was traced, one line each.")
      .def_prop_ro(
          "bef",
          [](const PyConcrete& self) {
            std::span<const uint8_t> bytes = self.function.Bef();
            return nb::bytes(bytes.data(), bytes.size());
          },
          "The compiled program.")
      .def(
          "mlir",
          [](const PyConcrete& self) {
            return ValueOf(WithoutLock(self, &ConcreteFunction::Mlir));
          },
          "The recorded program as text.")
      .def(
          "kernels",
          [](const PyConcrete& self) {
            return ValueOf(WithoutLock(self, &ConcreteFunction::Kernels));
          },
          "What is compiled of it, as text.")
      .def_prop_ro(
          "passes",
          [](const PyConcrete& self) {
            nb::list passes;
            for (const function::PassCounts& pass : self.function.Passes()) {
              passes.append(nb::make_tuple(pass.pass, pass.ops_before, pass.ops_after));
            }
            return passes;
          },
          "The compiler's passes: name, ops before, ops after.")
      .def(
          "save",
          [](const PyConcrete& self, const std::string& path) {
            RaiseIfError(WithoutLock(self, &ConcreteFunction::Save, path));
          },
          nb::arg("path"))
      .def("__call__", &CallConcrete)
      .def(
          "__eq__",
          [](const PyConcrete& self, nb::handle other) {
            return nb::isinstance<PyConcrete>(other) &&
                   nb::inst_ptr<PyConcrete>(other)->function == self.function;
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"));
}

}  // namespace

void DropObjectsOfFunctions() {
  std::vector<SharedObject> callables;
  {
    std::lock_guard lock(host_callables->mutex);
    for (HostCallable* callable : host_callables->all) {
      callables.push_back(std::move(callable->object));
    }
  }
  ForgetNumberedObjects();
}

void BindFunction(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<PySpec>(module, "TensorSpec",
                     "What a tensor must be like. A size may be None: any; and so may the shape.")
      .def(
          "__init__",
          [](PySpec* self, nb::handle dtype,
             std::optional<std::vector<std::optional<int64_t>>> shape) {
            const DType type = DTypeFrom(dtype);
            TensorSpec spec = TensorSpec::Unranked(type);
            if (shape) {
              std::vector<int64_t> dims;
              for (std::optional<int64_t> size : *shape) {
                if (size && *size < 0) RaiseValueError("a size is 0 or more, or None");
                dims.push_back(size.value_or(function::kUnknown));
              }
              spec = TensorSpec(type, std::move(dims));
            }
            new (self) PySpec{std::move(spec)};
          },
          "dtype"_a, "shape"_a = nb::none(),
          nb::sig("def __init__(self, dtype: object, shape: Sequence[int | None] | None = None) -> "
                  "None"))
      .def("__repr__",
           [](const PySpec& self) { return StrCat("TensorSpec(", self.spec.ToString(), ")"); });
  BindConcrete(module);
  nb::class_<PyFunction>(module, "_Function")
      .def("__init__", &MakeFunction, "name"_a, "argument_names"_a,
           "input_signature"_a = nb::none(), "reduce_retracing"_a = nb::none(), "max_traces"_a = 64,
           "when_full"_a = "evict", "run_eagerly"_a = false, "exact"_a = false, "fuse"_a = true,
           "pack"_a = true, "cache_folder"_a = "")
      .def("call", &Call)
      .def("concrete", &Concrete)
      .def("statistics", &StatisticsOf)
      .def("report", [](PyFunction& self) { return WithoutLock(self, &AnyFunction::Report); })
      .def("clear_cache", [](PyFunction& self) { WithoutLock(self, &AnyFunction::ClearCache); })
      .def("save", [](PyFunction& self, const std::string& path) {
        RaiseIfError(WithoutLock(self, &AnyFunction::Save, path));
      });
  module.def("_cond", &Cond);
  module.def("_while", &While);
  module.def("_for", &For, "count"_a.none(), "scanned"_a, "body"_a, "carried"_a);
  module.def("_host_call", &HostCall);
}

}  // namespace tfrt::python
