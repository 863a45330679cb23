// Functions of Python that programs call while they run.
#ifndef TFRT_PYTHON_HOST_CALLABLE_H_
#define TFRT_PYTHON_HOST_CALLABLE_H_

#include <nanobind/nanobind.h>

#include <memory>

#include "gil.h"

namespace tfrt::python {

// Kept by the programs that call it, and known to the function whose trace has it, which tells the
// collector (function.cc). They are dropped when the interpreter ends: their modules may have the
// traced functions.
struct HostCallable {
  SharedObject object;  // none: the interpreter ends

  explicit HostCallable(nanobind::object callable);
  ~HostCallable();
  HostCallable(const HostCallable&) = delete;
  HostCallable& operator=(const HostCallable&) = delete;
};

// To be called when the interpreter ends, with the lock.
void DropHostCallables();

// Adds it to the function that this thread traces; does nothing if it traces none.
void AddToTrace(const std::shared_ptr<HostCallable>& callable);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_HOST_CALLABLE_H_
