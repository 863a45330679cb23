#include "call_python.h"

#include <cxxabi.h>
#include <unistd.h>

#include <utility>

#include "errors.h"
#include "tensor.h"

namespace tfrt::python {

std::exception_ptr& PendingError() {
  static thread_local std::exception_ptr pending;
  return pending;
}

nb::object CallOrSleep(nb::handle function, nb::handle arguments) {
  PyObject* result = nullptr;
  try {
    result = PyObject_CallObject(function.ptr(), arguments.ptr());
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();
  }
  if (!result) throw nb::python_error();
  return nb::steal(result);
}

void RethrowPending() {
  if (std::exception_ptr& pending = PendingError()) {
    std::rethrow_exception(std::exchange(pending, nullptr));
  }
}

eager::Tensor& TensorOrRaise(nb::handle object) {
  PyTensor* tensor = TensorIn(object);
  if (!tensor) RaiseTypeError("a tensor is needed, not %s", Py_TYPE(object.ptr())->tp_name);
  return tensor->tensor;
}

Tensors TensorsIn(nb::handle list) {
  Tensors tensors;
  for (nb::handle item : list) tensors.push_back(TensorOrRaise(item));
  return tensors;
}

nb::list ListOf(std::span<const eager::Tensor> tensors) {
  nb::list list;
  for (const eager::Tensor& tensor : tensors) list.append(Wrap(tensor));
  return list;
}

void RaiseIfAnyError(std::span<const eager::Tensor> tensors) {
  for (const eager::Tensor& tensor : tensors) {
    if (!tensor.is_traced() && tensor.IsError()) RaiseIfError(tensor.status());
  }
}

nb::list ListOrRaise(std::span<const eager::Tensor> tensors) {
  RethrowPending();
  RaiseIfAnyError(tensors);
  return ListOf(tensors);
}

}  // namespace tfrt::python
