// Functions of arrays with arguments as most calls have them: tensors with elements in host memory,
// and numbers. They return None for others, which are for the functions of tfrt/arrays.
#ifndef TFRT_PYTHON_USUAL_CALLS_H_
#define TFRT_PYTHON_USUAL_CALLS_H_

#include <nanobind/nanobind.h>

namespace tfrt::python {

void BindUsualCalls(nanobind::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_USUAL_CALLS_H_
