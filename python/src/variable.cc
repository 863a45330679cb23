#include "variable.h"

#include <nanobind/stl/string.h>

#include <optional>

#include "errors.h"
#include "interrupts.h"
#include "lib/api/eager/tracer.h"
#include "locations.h"
#include "operators.h"
#include "tensor.h"
#include "tfrt/eager/ops.h"

namespace tfrt::python {
namespace {

PyVariable& Usable(PyVariable& self) {
  RaiseIfError(self.context->Check());
  return self;
}

// Returns the value to which a variable is set, by which it is changed, and so on.
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
  eager::Tensor result =
      CallWithoutLock([&] { return (self.variable.*kUpdate)(std::move(argument), where); });
  return WrapOrRaise(std::move(result));
}

nb::object ReadOf(PyVariable& self) { return WrapOrRaise(Usable(self).variable.Read()); }

eager::Tensor CastTo(const eager::Tensor& tensor, DType dtype, Location where) {
  eager::Tensor made = Unlocked([&] { return eager::Cast(tensor, dtype, where); });
  if (!made.is_traced()) RaiseIfError(made.status());
  return made;
}

// For code that needs the elements now.
nb::object ElementsOfVariable(PyVariable& self, const char* method) {
  if (eager::CurrentTracer()) {
    RaiseAt(CallerLocation(),
            FailedPreconditionError(
                "the value of a variable is not known while a function is traced: let `if "
                "variable.read():` decide, or compute with variable.read()"));
  }
  return ReadOf(self).attr(method)();
}

void Make(PyVariable* self, nb::handle initial, nb::object dtype) {
  EnterScope();
  const Location where = CallerLocation();
  std::optional<DType> wanted;
  if (!dtype.is_none()) wanted = DTypeFrom(dtype);
  eager::Tensor tensor;
  if (PyTensor* given = TensorIn(initial)) {
    // In a trace its elements are computed when the variable is made.
    if (!given->tensor.is_traced()) Await(*given);
    tensor = TensorOfThisProcess(*given, where);
  } else if (PyVariable* other = VariableIn(initial)) {
    tensor = ReadVariable(*other);
  } else {
    tensor =
        MakeTensor(RequireArray(initial, wanted, {}, Sharing::kCopy, "the first value"), where);
    if (tensor.IsError()) RaiseIfError(tensor.status());
  }
  if (wanted && ValueOf(tensor.dtype()) != *wanted) tensor = CastTo(tensor, *wanted, where);
  PyVariable variable;
  variable.dtype = ValueOf(tensor.dtype());
  variable.variable = eager::Variable(std::move(tensor), where);
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
  eager::Tensor result = CallWithoutLock([&] {
    return eager::SgdUpdate(self.variable, std::move(by), std::move(learning_rate), where);
  });
  return WrapOrRaise(std::move(result));
}

}  // namespace

PyVariable* VariableIn(nb::handle object) {
  static const nb::handle type = nb::type<PyVariable>();
  const bool is_variable =
      object.type().is(type) ||
      PyType_IsSubtype(Py_TYPE(object.ptr()), reinterpret_cast<PyTypeObject*>(type.ptr()));
  // Not one that `__new__` alone has made.
  return is_variable && nb::inst_ready(object) ? nb::inst_ptr<PyVariable>(object) : nullptr;
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
      .def_prop_ro(
          "size", [](PyVariable& self) { return nb::object(ReadOf(self).attr("size")); },
          "The number of elements.", nb::sig("def size(self) -> int"))
      .def("numpy", [](PyVariable& self) { return ReadOf(self).attr("numpy")(); })
      .def(
          "item", [](PyVariable& self) { return ElementsOfVariable(self, "item"); },
          "The only element.", nb::sig("def item(self) -> bool | int | float | complex"))
      .def(
          "tolist", [](PyVariable& self) { return ElementsOfVariable(self, "tolist"); },
          "The elements in nested lists.")
      .def("__bool__",
           [](PyVariable& self) {
             return nb::cast<bool>(nb::bool_(ElementsOfVariable(self, "__bool__")));
           })
      .def("__int__",
           [](PyVariable& self) { return nb::int_(ElementsOfVariable(self, "__int__")); })
      .def("__float__",
           [](PyVariable& self) { return nb::float_(ElementsOfVariable(self, "__float__")); })
      .def("__index__",
           [](PyVariable& self) { return nb::int_(ElementsOfVariable(self, "__index__")); })
      .def("__len__", [](PyVariable& self) { return nb::len(ReadOf(self)); })
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
