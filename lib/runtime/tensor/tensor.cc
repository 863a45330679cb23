#include "tfrt/tensor/tensor.h"

#include "tfrt/support/str_cat.h"

namespace tfrt {

std::string TensorMetadata::ToString() const {
  return StrCat(DTypeName(dtype), " ", shape.ToString());
}

}  // namespace tfrt
