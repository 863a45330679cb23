// Functions of Python that programs call while they run.
#ifndef TFRT_PYTHON_HOST_CALLABLE_H_
#define TFRT_PYTHON_HOST_CALLABLE_H_

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "context.h"
#include "errors.h"
#include "gil.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::python {

// Kept by the programs and ops that call it. The function whose trace has it knows it, and tells
// the collector (function.cc). They are dropped when the interpreter ends: their modules may have
// the traced functions.
struct HostCallable {
  SharedObject object;  // none: the interpreter ends

  explicit HostCallable(nanobind::object callable);
  ~HostCallable();
  HostCallable(const HostCallable&) = delete;
  HostCallable& operator=(const HostCallable&) = delete;

  // Returns body(object), called with the lock and in a scope of the context. For threads of the
  // runtime: an exception becomes an error that names `what`. Cancelled if the interpreter ends.
  template <typename Result, typename Body>
  Result Call(eager::Context& context, const std::string& what, Body body) const {
    GilAcquire gil;
    const nanobind::object function =
        gil.ok() ? nanobind::borrow(object.get()) : nanobind::object();
    if (!function.is_valid()) {
      return CancelledError("the interpreter ends: no function of Python is called");
    }
    try {
      CallbackScope scope(context);
      return body(function);
    } catch (nanobind::python_error& error) {
      error.restore();
      return TakePythonError(what.c_str());
    } catch (const std::exception& error) {
      return InternalError(StrCat(what, ": ", error.what()));
    }
  }
};

// To be called when the interpreter ends, with the lock.
void DropHostCallables();

// Adds it to the function that this thread traces; does nothing if it traces none.
void AddToTrace(const std::shared_ptr<HostCallable>& callable);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_HOST_CALLABLE_H_
