#include <nanobind/stl/string.h>

#include <array>
#include <string_view>

#include "errors.h"
#include "tensor.h"

namespace tfrt::python {
namespace {

// Those that tensors can have elements of.
bool IsElement(DType dtype) { return DTypeSize(dtype) > 0; }

std::optional<DType> Find(std::string_view name) {
  if (name == "bfloat16") return DType::kBF16;
  if (name == "bool" || name == "bool_") return DType::kI1;
  // NumPy's short names of floats; those of integers count bytes and are other types here.
  if (name == "f2") return DType::kF16;
  if (name == "f4") return DType::kF32;
  if (name == "f8") return DType::kF64;
  for (size_t i = 0; i < kNumElementTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    const ElementType& type = kElementTypes[i];
    if (!IsElement(dtype)) continue;
    std::string_view numpy_name = type.numpy_name;
    if (name == std::string_view(type.name) || (!numpy_name.empty() && name == numpy_name)) {
      return dtype;
    }
  }
  return std::nullopt;
}

// One object each, which the module's dict `_dtypes` owns.
std::array<PyObject*, kNumElementTypes> dtype_objects = {};

}  // namespace

std::string DTypeText(DType dtype) { return std::string(DTypeName(dtype)); }

nb::object WrapDType(DType dtype) { return nb::borrow(dtype_objects[static_cast<size_t>(dtype)]); }

DType DTypeFrom(nb::handle object) {
  if (nb::isinstance<PyDType>(object)) return nb::inst_ptr<PyDType>(object)->dtype;
  if (object.is(nb::handle(reinterpret_cast<PyObject*>(&PyBool_Type)))) return DType::kI1;
  if (object.is(nb::handle(reinterpret_cast<PyObject*>(&PyLong_Type)))) return DType::kI64;
  if (object.is(nb::handle(reinterpret_cast<PyObject*>(&PyFloat_Type)))) return DType::kF64;
  std::string name;
  if (nb::isinstance<nb::str>(object)) {
    name = nb::cast<std::string>(object);
  } else if (nb::hasattr(object, "name") && !PyType_Check(object.ptr())) {
    name = nb::cast<std::string>(nb::str(object.attr("name")));  // numpy.dtype
  } else if (nb::hasattr(object, "__name__")) {
    name = nb::cast<std::string>(nb::str(object.attr("__name__")));  // numpy.float32
  } else {
    RaiseTypeError("a dtype is a tfrt.DType, a NumPy dtype or a text such as 'f32', not %s",
                   Py_TYPE(object.ptr())->tp_name);
  }
  if (std::optional<DType> found = Find(name)) return *found;
  RaiseValueError(
      "there is no dtype '%s'; tfrt has f16, bf16, f32, f64, i1, i8 to i64, u8 to u64, "
      "complex64 and complex128",
      name.c_str());
}

void BindDType(nb::module_& module) {
  nb::class_<PyDType>(module, "DType", "The type of a tensor's elements: tfrt.f32, tfrt.i64, ...")
      .def(
          "__init__",
          [](PyDType* self, nb::handle object) { new (self) PyDType{DTypeFrom(object)}; },
          nb::arg("dtype"), nb::sig("def __init__(self, dtype: object) -> None"))
      .def_prop_ro("name", [](const PyDType& self) { return DTypeText(self.dtype); })
      .def_prop_ro("itemsize", [](const PyDType& self) { return DTypeSize(self.dtype); })
      .def_prop_ro(
          "numpy_name",
          [](const PyDType& self) {
            std::string_view name = ElementTypeOf(self.dtype).numpy_name;
            return self.dtype == DType::kBF16 ? std::string("bfloat16") : std::string(name);
          },
          "The name of the NumPy dtype with these elements, '' if there is none; that of bf16 is "
          "in the package ml_dtypes.")
      .def("__repr__", [](const PyDType& self) { return "tfrt." + DTypeText(self.dtype); })
      .def("__str__", [](const PyDType& self) { return DTypeText(self.dtype); })
      .def("__hash__", [](const PyDType& self) { return static_cast<int>(self.dtype); })
      .def(
          "__eq__",
          [](const PyDType& self, nb::handle other) {
            return nb::isinstance<PyDType>(other) &&
                   nb::inst_ptr<PyDType>(other)->dtype == self.dtype;
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__reduce__", [](const PyDType& self) {
        return nb::make_tuple(nb::type<PyDType>(), nb::make_tuple(DTypeText(self.dtype)));
      });
  nb::dict types;
  for (size_t i = 0; i < kNumElementTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    nb::object object = nb::cast(PyDType{dtype});
    types[nb::int_(i)] = object;
    dtype_objects[i] = object.ptr();
    if (IsElement(dtype)) module.attr(DTypeText(dtype).c_str()) = object;
  }
  module.attr("_dtypes") = types;
}

}  // namespace tfrt::python
