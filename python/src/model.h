#ifndef TFRT_PYTHON_MODEL_H_
#define TFRT_PYTHON_MODEL_H_

#include <nanobind/nanobind.h>

namespace tfrt::python {

// Waits for runs that go on. Before the interpreter ends.
void EndModels();
void BindModel(nanobind::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_MODEL_H_
