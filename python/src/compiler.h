#ifndef TFRT_PYTHON_COMPILER_H_
#define TFRT_PYTHON_COMPILER_H_

#include <nanobind/nanobind.h>

namespace tfrt::python {

void BindCompiler(nanobind::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_COMPILER_H_
