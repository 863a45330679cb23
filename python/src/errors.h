// Errors of the runtime as exceptions.
#ifndef TFRT_PYTHON_ERRORS_H_
#define TFRT_PYTHON_ERRORS_H_

#include <nanobind/nanobind.h>

#include <exception>
#include <utility>

#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt::python {

namespace nb = nanobind;

// Sets the exception that stands for the error: of the classes of tfrt/errors.py. With the lock.
void SetError(const Status& status);
// The same, and throws, for functions that nanobind calls.
[[noreturn]] void Raise(const Status& status);
// The same of an error that has no line yet: "train.py:7: MESSAGE".
[[noreturn]] void RaiseAt(Location where, const Status& status);

inline void RaiseIfError(const Status& status) {
  if (!status.ok()) [[unlikely]]
    Raise(status);
}
template <typename T>
T ValueOf(StatusOr<T> value) {
  if (!value.ok()) [[unlikely]]
    Raise(value.status());
  return std::move(value).checked_value();
}

// The exception that is set, which is no longer; with its line, for messages of the runtime.
Status TakePythonError(const char* what);

// For functions that Python calls itself: a new reference to what `body` returns. Its exceptions
// become those of Python.
template <typename Body>
PyObject* Guard(Body body) noexcept {
  try {
    return body().release().ptr();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

[[noreturn]] void RaiseTypeError(const char* format, ...);
[[noreturn]] void RaiseValueError(const char* format, ...);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_ERRORS_H_
