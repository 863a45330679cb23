#ifndef TFRT_PYTHON_FUNCTION_H_
#define TFRT_PYTHON_FUNCTION_H_

#include <nanobind/nanobind.h>

namespace tfrt::python {

// Traced functions and control flow, as the files of Python in the package need them.
void BindFunction(nanobind::module_& module);
void BindControlFlow(nanobind::module_& module);
// To be called when the interpreter ends, with the lock: drops what programs keep of Python.
void DropObjectsOfFunctions();

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_FUNCTION_H_
