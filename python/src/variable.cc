#include "variable.h"

#include <nanobind/stl/string.h>

#include <optional>

#include "errors.h"
#include "locations.h"
#include "operators.h"
#include "tensor.h"

namespace tfrt::python {
namespace {

PyVariable& Usable(PyVariable& self) {
  RaiseIfError(self.context->Check());
  return self;
}

// What a variable is set to, changed by, and so on.
eager::TensorArgument ArgumentFrom(nb::handle object, const PyVariable& self,
                                   eager::Tensor& holder) {
  if (PyTensor* tensor = TensorIn(object)) {
    holder = TensorOfThisProcess(*tensor, Location());
  } else if (PyVariable* other = VariableIn(object)) {
    holder = ReadVariable(*other);
  } else {
    return RequireArray(object, std::nullopt, {self.dtype, self.dtype}, Sharing::kCopy,
                        "the value");
  }
  return eager::TensorArgument(holder);
}

using Update = eager::Tensor (eager::Variable::*)(eager::TensorArgument, Location);

template <Update kUpdate>
nb::object Change(PyVariable& self, nb::handle value) {
  Usable(self);
  EnterScope();
  const Location where = CallerLocation();
  eager::Tensor holder;
  eager::TensorArgument argument = ArgumentFrom(value, self, holder);
  eager::Tensor result = [&] {
    GilRelease release;
    return (self.variable.*kUpdate)(std::move(argument), where);
  }();
  return WrapOrRaise(std::move(result));
}

nb::object ReadOf(PyVariable& self) { return WrapOrRaise(Usable(self).variable.Read()); }

void Make(PyVariable* self, nb::handle initial, nb::object dtype) {
  EnterScope();
  const Location where = CallerLocation();
  eager::Tensor tensor;
  if (PyTensor* given = TensorIn(initial)) {
    Await(*given);
    tensor = TensorOfThisProcess(*given, where);
  } else {
    std::optional<DType> wanted;
    if (!dtype.is_none()) wanted = DTypeFrom(dtype);
    tensor =
        MakeTensor(RequireArray(initial, wanted, {}, Sharing::kCopy, "the first value"), where);
    if (tensor.IsError()) RaiseIfError(tensor.status());
  }
  PyVariable variable;
  variable.dtype = ValueOf(tensor.dtype());
  variable.variable = eager::Variable(std::move(tensor));
  variable.context = CurrentContext();
  new (self) PyVariable(std::move(variable));
}

// x -= rate * gradient in one op.
nb::object Descend(PyVariable& self, nb::handle gradient, nb::handle rate) {
  Usable(self);
  EnterScope();
  const Location where = CallerLocation();
  eager::Tensor gradient_holder, rate_holder;
  eager::TensorArgument by = ArgumentFrom(gradient, self, gradient_holder);
  eager::TensorArgument learning_rate = ArgumentFrom(rate, self, rate_holder);
  eager::Tensor result = [&] {
    GilRelease release;
    return eager::SgdUpdate(self.variable, std::move(by), std::move(learning_rate), where);
  }();
  return WrapOrRaise(std::move(result));
}

}  // namespace

PyVariable* VariableIn(nb::handle object) {
  static const nb::handle type = nb::type<PyVariable>();
  return object.type().is(type) ? nb::inst_ptr<PyVariable>(object) : nullptr;
}

eager::Tensor ReadVariable(const PyVariable& variable) {
  RaiseIfError(variable.context->Check());
  return variable.variable.Read();
}

void BindVariable(nb::module_& module) {
  using namespace nb::literals;
  static PyType_Slot slots[] = {TFRT_PYTHON_OPERATOR_SLOTS, {0, nullptr}};
  nb::class_<PyVariable>(
      module, "Variable", nb::type_slots(slots), nb::is_weak_referenceable(),
      "A tensor that changes, such as the weights of a network in training.\n\nReads and "
      "updates take place in the order in which they are called, by whatever threads. dtype, "
      "shape and device stay those of the first value.")
      .def("__init__", &Make, "initial"_a.none(), "dtype"_a = nb::none(),
           nb::sig("def __init__(self, initial: object, dtype: object | None = None) -> None"))
      .def("read", &ReadOf, "The value that the updates called so far leave.")
      .def_prop_ro("value", &ReadOf, "The same as `read()`.")
      .def("assign", &Change<&eager::Variable::Assign>, "value"_a, "The new value.")
      .def("assign_add", &Change<&eager::Variable::AssignAdd>, "value"_a, "The new value.")
      .def("assign_sub", &Change<&eager::Variable::AssignSub>, "value"_a, "The new value.")
      .def("sgd_update", &Descend, "gradient"_a, "learning_rate"_a,
           "variable -= learning_rate * gradient; the new value.")
      .def_prop_ro("dtype", [](const PyVariable& self) { return WrapDType(self.dtype); })
      .def_prop_ro("shape", [](PyVariable& self) { return nb::object(ReadOf(self).attr("shape")); })
      .def_prop_ro("ndim", [](PyVariable& self) { return nb::object(ReadOf(self).attr("ndim")); })
      .def_prop_ro("device",
                   [](PyVariable& self) { return nb::object(ReadOf(self).attr("device")); })
      .def("numpy", [](PyVariable& self) { return ReadOf(self).attr("numpy")(); })
      .def("__getitem__",
           [](PyVariable& self, nb::handle index) {
             nb::object value = ReadOf(self);
             return nb::object(value[index]);
           })
      .def("__repr__", [](PyVariable& self) {
        return "variable" + nb::cast<std::string>(nb::repr(ReadOf(self))).substr(6);
      });
}

}  // namespace tfrt::python
