// tfrt.Model: models of files, run.

#include "model.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "context.h"
#include "errors.h"
#include "interrupts.h"
#include "locations.h"
#include "tensor.h"
#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/model/model.h"
#include "tfrt/support/str_cat.h"
#include "variable.h"

namespace tfrt::python {
namespace {

// The host that models run on; made at first use, and again in a fork. Lives until the process
// ends.
HostContext* model_host = nullptr;
uint32_t model_host_fork = 0;

HostContext* ModelHost() {
  if (model_host && model_host_fork == fork_generation()) return model_host;
  auto* memory = CreateMallocAllocator().release();
  model_host =
      new HostContext([](const DecodedDiagnostic&) {}, memory, ValueOf(CreateWorkQueue("mstd")));
  RegisterGraphKernels(&model_host->kernel_registry());
  model_host_fork = fork_generation();
  return model_host;
}

// The source from which a model is opened, in this process and in others.
struct Source {
  std::string path;  // empty: it came from bytes
  std::shared_ptr<FileBytes> bytes;
  ModelOptions options;
};

StatusOr<Model> Open(const Source& source) {
  HostContext* host = ModelHost();
  if (!source.bytes) return Model::Open(source.path, host, source.options);
  return Model::FromBytes(FileBytes::Borrow(source.bytes->bytes()), host, source.options);
}

// A loaded model and the sessions that no run is using. Shared by runs that go on.
struct Loaded {
  explicit Loaded(Model model) : model(std::move(model)) {}
  std::unique_ptr<Session> TakeSession(Status* error) {
    {
      std::lock_guard lock(mutex);
      if (!sessions.empty()) {
        std::unique_ptr<Session> session = std::move(sessions.back());
        sessions.pop_back();
        return session;
      }
    }
    StatusOr<Session> session = Session::Create(model);
    if (session.ok()) return std::make_unique<Session>(*std::move(session));
    *error = session.status();
    return nullptr;
  }
  void GiveBack(std::unique_ptr<Session> session) {
    std::lock_guard lock(mutex);
    sessions.push_back(std::move(session));
  }

  const Model model;
  std::mutex mutex;
  std::vector<std::unique_ptr<Session>> sessions;  // under mutex
  const uint32_t fork = fork_generation();
};

struct PyModel {
  Source source;
  std::shared_ptr<Loaded> loaded;

  // In a fork it is loaded again: the host of the parent has no threads here.
  Loaded& Get() {
    if (loaded->fork != fork_generation()) {
      new std::shared_ptr<Loaded>(std::move(loaded));  // leaked, as its host
      loaded = std::make_shared<Loaded>(ValueOf(Open(source)));
    }
    return *loaded;
  }
};

// Holds the outcome of a run that did not block. It is taken once.
struct ModelResults {
  std::shared_ptr<Loaded> loaded;
  std::shared_ptr<const StatusOr<std::vector<DenseHostTensor>>> results;
};

std::string NamesOf(std::span<const ModelValue> values) {
  std::string names;
  for (const ModelValue& value : values) {
    names += StrCat(names.empty() ? "" : ", ", value.name, ": ", ToString(value));
  }
  return names;
}

DenseHostTensor InputFrom(nb::handle object, const ModelValue& input, Sharing sharing) {
  nb::object holder = nb::borrow(object);
  if (PyVariable* variable = VariableIn(object)) holder = Wrap(ReadVariable(*variable));
  if (!TensorIn(holder) && nb::hasattr(holder, "__dlpack__") &&
      !PyObject_CheckBuffer(holder.ptr())) {
    holder = nb::module_::import_("tfrt._tfrt").attr("from_dlpack")(holder);
  }
  if (PyTensor* tensor = TensorIn(holder)) {
    HostElements elements = ElementsOf(*tensor);
    std::span bytes(static_cast<const std::byte*>(elements.data), elements.bytes);
    return DenseOf(eager::HostArray::Borrow(elements.dtype, elements.dims, bytes,
                                            [keep = elements.tensor] {}));
  }
  const std::string what = "input " + input.name;
  // Numbers become what the model takes; arrays are what they are, and the model says what it
  // wants.
  const NumberTypes numbers = {input.dtype, input.dtype};
  const bool is_array = PyObject_CheckBuffer(holder.ptr());
  std::optional<DType> dtype;
  if (!is_array) dtype = input.dtype;
  return DenseOf(RequireArray(holder, dtype, numbers, sharing, what.c_str()));
}

std::vector<DenseHostTensor> InputsFrom(const Model& model, nb::handle inputs, Sharing sharing) {
  const std::span<const ModelValue> values = model.inputs();
  std::vector<DenseHostTensor> tensors;
  if (!PyDict_Check(inputs.ptr())) {
    nb::object items = nb::steal(PySequence_Tuple(inputs.ptr()));
    if (!items.is_valid() || TensorIn(inputs)) {
      PyErr_Clear();
      RaiseTypeError("inputs are a dict by name, or a list in the model's order, not %s",
                     Py_TYPE(inputs.ptr())->tp_name);
    }
    if (nb::len(items) != values.size()) {
      RaiseValueError("the model has %zu inputs, %s; %zu are given", values.size(),
                      NamesOf(values).c_str(), nb::len(items));
    }
    for (size_t i = 0; i < values.size(); ++i)
      tensors.push_back(InputFrom(items[i], values[i], sharing));
    return tensors;
  }
  for (const ModelValue& value : values) {
    PyObject* found = PyDict_GetItemString(inputs.ptr(), value.name.c_str());
    if (!found) {
      RaiseValueError("input %s is missing; the model has %s", value.name.c_str(),
                      NamesOf(values).c_str());
    }
    tensors.push_back(InputFrom(found, value, sharing));
  }
  for (nb::handle key : nb::borrow<nb::dict>(inputs).keys()) {
    const std::string name = nb::cast<std::string>(nb::str(key));
    if (std::ranges::any_of(values, [&](const ModelValue& value) { return value.name == name; }))
      continue;
    RaiseValueError("the model has no input %s; it has %s", name.c_str(), NamesOf(values).c_str());
  }
  return tensors;
}

std::vector<const DenseHostTensor*> PointersTo(const std::vector<DenseHostTensor>& tensors) {
  std::vector<const DenseHostTensor*> pointers;
  for (const DenseHostTensor& tensor : tensors) pointers.push_back(&tensor);
  return pointers;
}

nb::dict ResultsOf(const Model& model, const std::vector<DenseHostTensor>& results) {
  EnterScope();
  const Location where = CallerLocation();
  nb::dict by_name;
  for (size_t i = 0; i < results.size(); ++i) {
    by_name[nb::str(model.outputs()[i].name.c_str())] = WrapOrRaise(MakeTensor(results[i], where));
  }
  return by_name;
}

RunOptions OptionsFrom(std::optional<double> timeout) {
  RunOptions options;
  if (!timeout) return options;
  if (!(*timeout >= 0 && *timeout < 1e9))
    RaiseValueError("a timeout is a number of seconds from 0 on");
  options.deadline =
      std::chrono::steady_clock::now() +
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(*timeout));
  return options;
}

nb::dict Run(PyModel& self, nb::handle inputs, std::optional<double> timeout) {
  Loaded& loaded = self.Get();
  std::shared_ptr<Loaded> keep = self.loaded;
  const RunOptions options = OptionsFrom(timeout);
  std::vector<DenseHostTensor> tensors = InputsFrom(loaded.model, inputs, Sharing::kBorrow);
  Status status;
  std::vector<DenseHostTensor> results;
  {
    GilRelease release;
    if (std::unique_ptr<Session> session = loaded.TakeSession(&status)) {
      const CancelCall cancel = [&] { session->Cancel(); };
      auto ran = [&] {
        InterruptScope waits(&cancel);
        return session->RunInOrder(PointersTo(tensors), options);
      }();
      loaded.GiveBack(std::move(session));
      status = ran.status();
      if (ran.ok()) results = *std::move(ran);
    }
  }
  RaiseIfInterrupted();
  if (!status.ok()) RaiseAt(CallerLocation(), status);
  return ResultsOf(loaded.model, results);
}

// A run that goes on: its inputs are copies, so that what they were made of may change.
struct Started {
  std::shared_ptr<Loaded> loaded;
  std::vector<DenseHostTensor> inputs;
  std::unique_ptr<Session> session;
  SharedObject ready;
};

void Start(PyModel& self, nb::handle inputs, nb::object ready, std::optional<double> timeout) {
  Loaded& loaded = self.Get();
  auto run = std::make_shared<Started>();
  run->loaded = self.loaded;
  run->inputs = InputsFrom(loaded.model, inputs, Sharing::kCopy);
  run->ready = SharedObject(ready.release().ptr());
  const RunOptions options = OptionsFrom(timeout);
  std::vector<NamedTensor> named;
  for (size_t i = 0; i < run->inputs.size(); ++i) {
    named.push_back({loaded.model.inputs()[i].name, run->inputs[i]});
  }
  Status status;
  run->session = Unlocked([&] { return loaded.TakeSession(&status); });
  if (!status.ok()) RaiseAt(CallerLocation(), status);
  auto end = [run](StatusOr<std::vector<DenseHostTensor>> results) {
    auto ended = std::make_shared<const StatusOr<std::vector<DenseHostTensor>>>(std::move(results));
    RunWithGilLater([run, ended] {
      run->loaded->GiveBack(std::move(run->session));
      try {
        nb::handle(run->ready.get())(ModelResults{run->loaded, ended});
      } catch (nb::python_error&) {
        // The event loop has ended: nobody waits for the results.
      }
    });
  };
  GilRelease release;
  run->session->RunAsync(named, std::move(end), options);
}

nb::object DimOf(const ModelDim& dim) {
  if (dim.size >= 0) return nb::int_(dim.size);
  if (!dim.symbol.empty()) return nb::str(dim.symbol.c_str());
  return nb::none();
}

nb::list DescribeValues(std::span<const ModelValue> values) {
  nb::object make = nb::module_::import_("tfrt._model").attr("Value");
  nb::list list;
  for (const ModelValue& value : values) {
    nb::object shape = nb::none();
    if (value.dims) {
      nb::list dims;
      for (const ModelDim& dim : *value.dims) dims.append(DimOf(dim));
      shape = nb::tuple(dims);
    }
    list.append(make(value.name, WrapDType(value.dtype), shape));
  }
  return list;
}

void Load(PyModel* self, Source source) {
  ModelHost();  // made with the lock
  StatusOr<Model> model = Unlocked([&] { return Open(source); });
  if (!model.ok()) RaiseAt(CallerLocation(), model.status());
  new (self) PyModel{std::move(source), std::make_shared<Loaded>(*std::move(model))};
}

nb::tuple Reduce(const PyModel& self) {
  const ModelOptions& options = self.source.options;
  nb::object source = nb::str(self.source.path.c_str());
  if (self.source.bytes) {
    std::span<const uint8_t> bytes = self.source.bytes->bytes();
    source = nb::bytes(bytes.data(), bytes.size());
  }
  return nb::make_tuple(nb::type<PyModel>(),
                        nb::make_tuple(source, options.function, options.name));
}

}  // namespace

void EndModels() {
  if (!model_host || model_host_fork != fork_generation()) return;
  GilRelease release;  // runs that go on may need the lock at their end
  model_host->Quiesce();
}

void BindModel(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<ModelResults>(module, "_ModelResults").def("take", [](ModelResults& self) {
    if (!self.results->ok()) RaiseAt(CallerLocation(), self.results->status());
    return ResultsOf(self.loaded->model, **self.results);
  });
  nb::class_<PyModel>(
      module, "Model", nb::is_weak_referenceable(),
      "A model, compiled to BEF, loaded and run. Threads may run it at the same time. A copy "
      "that is pickled opens the same file, or carries the bytes if there is none.")
      .def(
          "__init__",
          [](PyModel* self, nb::handle source, std::string function, std::string name) {
            Source from;
            from.options = {std::move(function), std::move(name)};
            if (PyBytes_Check(source.ptr())) {
              from.bytes = std::make_shared<FileBytes>(FileBytes::CopyOf(
                  {reinterpret_cast<const uint8_t*>(PyBytes_AS_STRING(source.ptr())),
                   static_cast<size_t>(PyBytes_GET_SIZE(source.ptr()))}));
            } else {
              from.path = nb::cast<std::string>(source);
            }
            Load(self, std::move(from));
          },
          "source"_a, "function"_a = "main", "name"_a = "",
          nb::sig("def __init__(self, source: str | bytes, function: str = 'main', name: str = '') "
                  "-> None"))
      .def("run", &Run, "inputs"_a, nb::kw_only(), "timeout"_a = nb::none(),
           "Runs it with inputs by name, or in order; the results by name. timeout: seconds after "
           "which the "
           "run ends with DeadlineExceededError.",
           nb::sig("def run(self, inputs: Mapping[str, object] | Sequence[object], *, "
                   "timeout: float | None = None) -> dict[str, Tensor]"))
      .def("_start", &Start, "inputs"_a, "ready"_a, "timeout"_a = nb::none())
      .def_prop_ro(
          "inputs", [](PyModel& self) { return DescribeValues(self.Get().model.inputs()); },
          nb::sig("def inputs(self) -> list[Value]"))
      .def_prop_ro(
          "outputs", [](PyModel& self) { return DescribeValues(self.Get().model.outputs()); },
          nb::sig("def outputs(self) -> list[Value]"))
      .def_prop_ro("name", [](PyModel& self) { return self.Get().model.name(); })
      .def_prop_ro("producer", [](PyModel& self) { return self.Get().model.producer(); })
      .def_prop_ro("metadata",
                   [](PyModel& self) {
                     nb::dict texts;
                     for (const auto& [key, value] : self.Get().model.metadata()) {
                       texts[nb::str(key.c_str())] = nb::str(value.c_str());
                     }
                     return texts;
                   })
      .def("__reduce__", &Reduce)
      .def("__repr__", [](PyModel& self) {
        const Model& model = self.Get().model;
        return StrCat("<model ", model.name(), ": (", NamesOf(model.inputs()), ") -> (",
                      NamesOf(model.outputs()), ")>");
      });
}

}  // namespace tfrt::python
