#ifndef TFRT_PYTHON_PROFILER_H_
#define TFRT_PYTHON_PROFILER_H_

#include <nanobind/nanobind.h>

namespace tfrt::python {

void BindProfiler(nanobind::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_PROFILER_H_
