#include "errors.h"

#include <nanobind/stl/string.h>

#include <cstdarg>
#include <string>

#include "tfrt/support/str_cat.h"

namespace tfrt::python {

void SetError(const Status& status) {
  // A str for whatever bytes there are: names of files need not be UTF-8.
  PyObject* message = PyUnicode_DecodeUTF8(
      status.message().data(), static_cast<Py_ssize_t>(status.message().size()), "replace");
  PyObject* errors = message ? PyImport_ImportModule("tfrt.errors") : nullptr;
  PyObject* error =
      errors ? PyObject_CallMethod(errors, "_make", "iO", static_cast<int>(status.code()), message)
             : nullptr;
  if (error) PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
  Py_XDECREF(error);
  Py_XDECREF(errors);
  Py_XDECREF(message);
}

void Raise(const Status& status) {
  SetError(status);
  throw nb::python_error();
}

void RaiseAt(Location where, const Status& status) {
  DecodedLocation place = where.Decode();
  if (!place.is_file_location()) Raise(status);
  Raise(Status(status.code(), StrCat(place.file, ":", place.line, ": ", status.message())));
}

namespace {

// "path.py:7: ", the innermost place of a traceback.
std::string PlaceOf(PyObject* traceback) {
  nb::object at = nb::borrow(traceback);
  if (!at.is_valid()) return "";
  while (!at.attr("tb_next").is_none()) at = at.attr("tb_next");
  return StrCat(nb::cast<std::string>(at.attr("tb_frame").attr("f_code").attr("co_filename")), ":",
                nb::cast<int>(at.attr("tb_lineno")), ": ");
}

}  // namespace

Status TakePythonError(const char* what) {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject* text = value ? PyObject_Str(value) : nullptr;
  const char* message = text ? PyUnicode_AsUTF8(text) : nullptr;
  std::string name = type ? reinterpret_cast<PyTypeObject*>(type)->tp_name : "an exception";
  Status status = InternalError(
      StrCat(what, " raised ", name, ": ", PlaceOf(traceback), message ? message : "(no message)"));
  PyErr_Clear();
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  return status;
}

void RaiseTypeError(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  PyErr_FormatV(PyExc_TypeError, format, arguments);
  va_end(arguments);
  throw nb::python_error();
}

void RaiseValueError(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  PyErr_FormatV(PyExc_ValueError, format, arguments);
  va_end(arguments);
  throw nb::python_error();
}

}  // namespace tfrt::python
