#ifndef TFRT_PYTHON_CUSTOM_OP_H_
#define TFRT_PYTHON_CUSTOM_OP_H_

#include <nanobind/nanobind.h>

namespace tfrt::python {

void BindCustomOp(nanobind::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_CUSTOM_OP_H_
