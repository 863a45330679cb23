// tfrt.Variable.
#ifndef TFRT_PYTHON_VARIABLE_H_
#define TFRT_PYTHON_VARIABLE_H_

#include <nanobind/nanobind.h>

#include "context.h"
#include "tfrt/eager/variable.h"
#include "tfrt/opinfo/element_type.h"

namespace tfrt::python {

struct PyVariable {
  // Before the variable, which must not be used when its context is gone.
  ContextRef context;
  eager::Variable variable;
  DType dtype = DType::kUnsupported;
};

// The variable if the object is one; else null.
PyVariable* VariableIn(nb::handle object);
// Its value. Throws if its context is closed.
eager::Tensor ReadVariable(const PyVariable& variable);

void BindVariable(nb::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_VARIABLE_H_
