// Items that integers and slices choose: read in one call of an op, and assigned in the memory of a
// tensor that nothing else shares.
#ifndef TFRT_PYTHON_ITEMS_H_
#define TFRT_PYTHON_ITEMS_H_

#include <nanobind/nanobind.h>

#include "tensor.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::python {

// Returns the metadata of a tensor with elements in host memory and at most kMostIndices
// dimensions. Null for others, and while this thread traces.
const TensorMetadata* MetadataThere(const PyTensor& tensor);

void BindItems(nanobind::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_ITEMS_H_
