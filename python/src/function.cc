#include "function.h"

#include "tfrt/function/function.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "call_python.h"
#include "context.h"
#include "errors.h"
#include "function_arguments.h"
#include "gil.h"
#include "host_callable.h"
#include "interrupts.h"
#include "lib/api/eager/tracer.h"
#include "lib/base/support/api_names.h"
#include "locations.h"
#include "tensor.h"
#include "tfrt/support/str_cat.h"
#include "variable.h"

namespace tfrt::python {
namespace {

using function::AnyFunction;
using function::Argument;
using function::ConcreteFunction;
using function::TensorSpec;

// --- Functions ---

// The stance of code: a context variable with the number of one, or none.
PyObject* stance_variable = nullptr;
bool has_stances = false;  // some code has entered one

std::optional<function::Stance> StanceOfCode() {
  if (!has_stances) return std::nullopt;
  PyObject* value = nullptr;
  if (PyContextVar_Get(stance_variable, Py_None, &value) < 0) throw nb::python_error();
  nb::object stance = nb::steal(value);
  if (stance.is_none()) return std::nullopt;
  return static_cast<function::Stance>(nb::cast<int>(stance));
}

struct PyFunction {
  std::string name;
  function::FunctionOptions options;
  Location where;
  Py_ssize_t num_positional;  // of calls that are taken as they are; -1: none is
  std::unique_ptr<AnyFunction> function;
  uint32_t fork = 0;
  // Programs belong to contexts, and must not be called when these are gone.
  std::vector<ContextRef> contexts = {};
  // The callables of its traces.
  std::vector<std::weak_ptr<HostCallable>> host_callables = {};
  // Shared with whatever else keeps programs of it: ConcreteFunctions, and calls that go on.
  std::shared_ptr<const void> alone = std::make_shared<char>();
  bool has_hidden_calls = false;  // whose end cannot be seen

  AnyFunction& Get() {
    if (fork != fork_generation()) {
      (void)function.release();  // that of the parent
      fork = fork_generation();
      contexts.clear();
    }
    if (!function) function = std::make_unique<AnyFunction>(name, &TraceBody, options, where);
    return *function;
  }
  void UseContextOf(const CurrentScope& scope) {
    if (!contexts.empty() && contexts.back().get() == scope.holder) return;
    ContextRef context = CurrentContext();
    if (std::ranges::find(contexts, context) == contexts.end()) contexts.push_back(context);
  }

  // Defined below.
  static StatusOr<Tensors> TraceBody(std::span<const Argument> arguments);
};

// A call of this thread that is in progress, with the inputs of the trace that it may make.
struct Frame {
  PyFunction& function;
  nb::handle self;       // the same as an object
  nb::handle arguments;  // as they were given, a tuple
  const Flat* flat;      // of the arguments
  Location where;
  Frame* outer;
  bool is_tracing = false;
  std::vector<std::string> warnings = {};
};
thread_local Frame* current_frame = nullptr;

// Builds the result of a call from its tensors. Kept by the trace.
struct ResultNote {
  SharedObject build;  // null for a result that is one tensor as it is
  // The tensors among the arguments that get new values, by item assignment. These come last.
  std::vector<size_t> changed;
};

// Adds the values of tensors that were assigned to since they had these.
std::vector<size_t> AddChanged(const std::vector<nb::object>& objects, const Tensors& given,
                               Tensors& results) {
  std::vector<size_t> changed;
  for (size_t i = 0; i < objects.size(); ++i) {
    const eager::Tensor& now = TensorIn(objects[i])->tensor;
    if (now.state() == given[i].state()) continue;
    changed.push_back(i);
    results.push_back(now);
  }
  return changed;
}

// Calls the method `_body` of the function: (arguments) -> (tensors, what builds the result of
// them), or None for a result that is one tensor as it is.
StatusOr<Tensors> PyFunction::TraceBody(std::span<const Argument> arguments) {
  return CallPython([&]() -> StatusOr<Tensors> {
    // Drops the error of a trace for more sizes than the call's, which could not be made: this
    // trace takes its place.
    PendingError() = nullptr;
    Frame& frame = *current_frame;
    frame.is_tracing = eager::CurrentTracer() != nullptr;
    PinnedScope pin;
    nb::list given;
    Rebuilder rebuilder = {arguments, frame.flat->contents, frame.where};
    const uint64_t first_number = next_tensor_number();
    for (nb::handle argument : frame.arguments) given.append(rebuilder.Rebuild(argument));
    Tensors values;
    for (const nb::object& tensor : rebuilder.tensors) values.push_back(TensorIn(tensor)->tensor);
    nb::object made =
        CallOrSleep(frame.self.attr("_body"), nb::make_tuple(nb::tuple(given), first_number));
    Tensors tensors = TensorsIn(nb::object(made[0]));
    std::vector<size_t> changed = AddChanged(rebuilder.tensors, values, tensors);
    nb::object build = made[1];
    if (!build.is_none() || !changed.empty()) {
      PyObject* kept = build.is_none() ? nullptr : build.release().ptr();
      AnyFunction::LeaveNote(
          std::make_shared<ResultNote>(ResultNote{SharedObject(kept), std::move(changed)}));
    }
    return tensors;
  });
}

// Runs `call` on the function with the arguments in the frame of this call.
template <typename Call>
auto InFrame(PyFunction& self, nb::handle object, const nb::tuple& arguments, Flat& flat,
             Call call) {
  AnyFunction& function = self.Get();
  const CurrentScope& scope_of_call = EnterScope();
  RaiseIfEarlierCallFailed(scope_of_call);
  self.UseContextOf(scope_of_call);
  for (nb::handle argument : arguments) Flatten(argument, flat);
  const std::optional<function::Stance> stance = StanceOfCode();
  Frame frame = {self, object, arguments, &flat, CallerLocation(), current_frame};
  current_frame = &frame;
  auto result = [&] {
    LongCall waits;
    std::optional<function::StanceScope> scope;
    if (stance) scope.emplace(*stance);
    return call(function, frame.where);
  }();
  current_frame = frame.outer;
  RaiseIfInterrupted();
  for (const std::string& warning : frame.warnings) {
    if (PyErr_WarnEx(PyExc_RuntimeWarning, warning.c_str(), 1) < 0 && !PendingError()) {
      throw nb::python_error();
    }
  }
  RethrowPending();
  return result;
}

// The collector must not see what calls of `self` need that go on behind this one.
void KeepUntilThere(PyFunction& self, std::span<const eager::Tensor> results) {
  if (self.host_callables.empty()) return;
  if (results.empty() && !EnterScope().may_keep_lock) self.has_hidden_calls = true;
  for (const eager::Tensor& result : results) {
    if (result.is_traced()) continue;
    AsyncValue* value = result.state()->value();
    value->AndThen([value, kept = self.alone] {
      AsyncValue* elements = value->IsError() ? nullptr : value->get<tfrt::Tensor>().elements();
      if (elements) elements->AndThen([kept] {});
    });
  }
}

// Gives the arguments of a call the values that it leaves them with.
void ChangeArguments(nb::handle function, const nb::tuple& arguments, const Flat& flat,
                     const ResultNote& note, Tensors& results) {
  Rebuilder rebuilder = {flat.arguments, flat.contents, CallerLocation(), /*keeps_tensors=*/true};
  for (nb::handle argument : arguments) rebuilder.Rebuild(argument);
  nb::list objects, changed;
  for (nb::object& object : rebuilder.tensors) objects.append(object);
  for (size_t i : note.changed) changed.append(i);
  const size_t num_results = results.size() - note.changed.size();
  nb::object made = ListOf(std::span(results).subspan(num_results));
  results.resize(num_results);
  nb::module_::import_("tfrt._rewrite.changes")
      .attr("change_arguments")(function, objects, changed, made);
}

nb::object Call(nb::handle object, nb::tuple arguments) {
  PyFunction& self = *nb::inst_ptr<PyFunction>(object);
  Flat flat;
  auto [status, results, note] =
      InFrame(self, object, arguments, flat, [&](AnyFunction& function, Location where) {
        return function.CallForAll(flat.arguments, where);
      });
  RaiseIfError(status);
  RaiseIfAnyError(results);
  KeepUntilThere(self, results);
  const auto* made = static_cast<const ResultNote*>(note.get());
  if (made && !made->changed.empty()) ChangeArguments(object, arguments, flat, *made, results);
  const bool is_as_it_is = !made || !made->build.get();
  if (is_as_it_is && results.size() == 1) return Wrap(std::move(results[0]));
  if (is_as_it_is) return ListOf(results);  // no body of Python made them
  return nb::borrow(made->build.get())(ListOf(results));
}

// f(...)
PyObject* CallSlot(PyObject* object, PyObject* given, PyObject* named) {
  return Guard([&] {
    if (!nb::inst_ready(object)) RaiseTypeError("the function is not made yet");
    nb::tuple arguments = nb::borrow<nb::tuple>(given);
    const bool has_names = named && PyDict_GET_SIZE(named) > 0;
    if (has_names || PyTuple_GET_SIZE(given) != nb::inst_ptr<PyFunction>(object)->num_positional) {
      nb::object names = named ? nb::borrow(named) : nb::object(nb::dict());
      arguments = nb::borrow<nb::tuple>(nb::handle(object).attr("_bind")(arguments, names));
    }
    return Call(object, std::move(arguments));
  });
}

// Programs keep functions of Python, which may have the function whose programs they are.
int TraverseFunction(PyObject* object, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(object));
  if (!nb::inst_ready(object)) return 0;
  PyFunction& self = *nb::inst_ptr<PyFunction>(object);
  if (self.has_hidden_calls || self.alone.use_count() > 1) return 0;
  for (const std::weak_ptr<HostCallable>& each : self.host_callables) {
    if (std::shared_ptr<HostCallable> callable = each.lock()) Py_VISIT(callable->object.get());
  }
  return 0;
}

int ClearFunction(PyObject* object) {
  if (!nb::inst_ready(object)) return 0;
  PyFunction& self = *nb::inst_ptr<PyFunction>(object);
  self.host_callables.clear();
  self.function.reset();
  return 0;
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
  std::shared_ptr<const void> kept;  // PyFunction::alone
};

PyConcrete Concrete(nb::handle object, nb::tuple arguments) {
  PyFunction& self = *nb::inst_ptr<PyFunction>(object);
  Flat flat;
  StatusOr<ConcreteFunction> made =
      InFrame(self, object, arguments, flat, [&](AnyFunction& function, Location where) {
        return function.ConcreteOf(flat.arguments, where);
      });
  return {ValueOf(std::move(made)), CurrentContext(), self.alone};
}

template <typename Method, typename... Ts>
auto WithoutLock(const PyConcrete& self, Method method, const Ts&... arguments) {
  GilRelease release;
  return (self.function.*method)(arguments...);
}

nb::object CallConcrete(PyConcrete& self, nb::args arguments) {
  RaiseIfError(self.context->Check());
  RaiseIfEarlierCallFailed(EnterScope());
  Flat flat;
  for (nb::handle argument : arguments) Flatten(argument, flat);
  const Location where = CallerLocation();
  StatusOr<Tensors> results =
      CallWithoutLock([&] { return self.function.Call(flat.arguments, where); });
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
                  bool is_positional, nb::object input_signature,
                  std::optional<bool> reduce_retracing, size_t max_traces,
                  const std::string& when_full, bool run_eagerly, bool exact, bool fuse, bool pack,
                  std::string cache_folder) {
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
  const auto num_positional =
      is_positional ? static_cast<Py_ssize_t>(options.argument_names.size()) : -1;
  if (!is_positional) options.argument_names.clear();
  new (self)
      PyFunction{std::move(name), std::move(options), CallerLocation(), num_positional, nullptr};
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
          "The traced program as text.")
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

nb::object ShapeOfSpec(const PySpec& self) {
  if (!self.spec.dims) return nb::none();
  nb::list sizes;
  for (int64_t dim : *self.spec.dims) {
    sizes.append(dim == function::kUnknown ? nb::none() : nb::object(nb::int_(dim)));
  }
  return nb::tuple(sizes);
}

}  // namespace

void AddToTrace(const std::shared_ptr<HostCallable>& callable) {
  // The outermost function that is traced: those that it calls are part of its program.
  Frame* traced = nullptr;
  for (Frame* frame = current_frame; frame && frame->is_tracing; frame = frame->outer) {
    traced = frame;
  }
  if (!traced || !eager::CurrentTracer()) return;
  auto& callables = traced->function.host_callables;
  std::erase_if(callables, [](const auto& each) { return each.expired(); });
  callables.push_back(callable);
}

void DropObjectsOfFunctions() {
  DropHostCallables();
  ForgetObjectsOfArguments();
}

void BindFunction(nb::module_& module) {
  using namespace nb::literals;
  api_names = {.cond = "tfrt.cond",
               .while_loop = "tfrt.while_loop",
               .for_range = "tfrt.for_range",
               .for_each_of = "tfrt.for_each",
               .host_call = "tfrt.host_call",
               .print = "tfrt.print",
               .shape = "tfrt.shape_of(x)",
               .mean = "x.mean()",
               .sum = "x.sum()",
               .cast = "tfrt.cast",
               .stop_gradient = "tfrt.stop_gradient",
               .tensor_array = "tfrt.TensorArray",
               .unknown_size = "None",
               .fail_on_retrace = "fail_on_retrace",
               .run_eagerly = "run_eagerly",
               .variable_read = "Variable.read",
               .variable_assign = "Variable.assign",
               .fixed_argument = "an argument that is a number",
               .pass_a_tensor = "pass a tensor",
               .pass_a_fixed_argument = ", if not each value needs a trace of its own"};
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
      .def_prop_ro(
          "dtype", [](const PySpec& self) { return WrapDType(self.spec.dtype); },
          nb::sig("def dtype(self) -> DType"))
      .def_prop_ro("shape", &ShapeOfSpec,
                   nb::sig("def shape(self) -> tuple[int | None, ...] | None"))
      .def("__repr__",
           [](const PySpec& self) { return StrCat("TensorSpec(", self.spec.ToString(), ")"); });
  BindConcrete(module);
  static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(&CallSlot)},
                                {Py_tp_traverse, reinterpret_cast<void*>(&TraverseFunction)},
                                {Py_tp_clear, reinterpret_cast<void*>(&ClearFunction)},
                                {0, nullptr}};
  nb::class_<PyFunction>(module, "_Function", nb::type_slots(slots))
      .def("__init__", &MakeFunction, "name"_a, "argument_names"_a, "is_positional"_a,
           nb::kw_only(), "input_signature"_a = nb::none(), "reduce_retracing"_a = nb::none(),
           "max_traces"_a = 64, "when_full"_a = "evict", "run_eagerly"_a = false, "exact"_a = false,
           "fuse"_a = true, "pack"_a = true, "cache_folder"_a = "")
      .def("_concrete", &Concrete)
      .def_prop_ro("statistics", &StatisticsOf, "Calls, traces and their costs, by name.")
      .def(
          "report", [](PyFunction& self) { return WithoutLock(self, &AnyFunction::Report); },
          "Calls, traces, why the last one was made, what it cost, and how to have fewer.")
      .def(
          "clear_cache", [](PyFunction& self) { WithoutLock(self, &AnyFunction::ClearCache); },
          "Drops all traces; calls make new ones.")
      .def("_save", [](PyFunction& self, const std::string& path) {
        RaiseIfError(WithoutLock(self, &AnyFunction::Save, path));
      });
  stance_variable = PyContextVar_New("tfrt_stance", nullptr);
  if (!stance_variable) throw nb::python_error();
  module.def("_enter_stance", [](int stance) {
    has_stances = true;
    PyObject* token = PyContextVar_Set(stance_variable, nb::int_(stance).ptr());
    if (!token) throw nb::python_error();
    return nb::steal(token);
  });
  module.def("_leave_stance", [](nb::handle token) {
    if (PyContextVar_Reset(stance_variable, token.ptr()) < 0) throw nb::python_error();
  });
}

}  // namespace tfrt::python
