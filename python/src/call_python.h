// Functions of Python that the runtime calls while a function is traced: their exceptions, and
// lists of tensors both ways.
#ifndef TFRT_PYTHON_CALL_PYTHON_H_
#define TFRT_PYTHON_CALL_PYTHON_H_

#include <nanobind/nanobind.h>

#include <exception>
#include <span>
#include <vector>

#include "gil.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/support/status.h"

namespace tfrt::python {

namespace nb = nanobind;

using Tensors = std::vector<eager::Tensor>;

// An exception of Python on its way through the runtime, which has none: of this thread.
std::exception_ptr& PendingError();
void RethrowPending();

// Returns the result of the Python function. The interpreter ends daemon threads at its own end.
// Such a thread sleeps forever here instead, because the C++ objects on its stack need the lock to
// be destroyed.
nb::object CallOrSleep(nb::handle function, nb::handle arguments);

// Calls `body` with the lock; an exception of Python waits in PendingError.
template <typename Body>
StatusOr<Tensors> CallPython(Body body) {
  GilAcquire gil;
  if (!gil.ok()) return CancelledError("the interpreter ends: no function of Python is called");
  try {
    return body();
  } catch (const std::exception&) {  // python_error, or of nanobind
    PendingError() = std::current_exception();
    return InternalError("a function of Python raised an exception");
  }
}

// Throws a TypeError for what is no tensor.
eager::Tensor& TensorOrRaise(nb::handle object);
Tensors TensorsIn(nb::handle list);
nb::list ListOf(std::span<const eager::Tensor> tensors);
// Throws the error of a tensor that is known to be one.
void RaiseIfAnyError(std::span<const eager::Tensor> tensors);
// Converts the runtime's result: returns a list, or throws the exception of its error.
nb::list ListOrRaise(std::span<const eager::Tensor> tensors);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_CALL_PYTHON_H_
