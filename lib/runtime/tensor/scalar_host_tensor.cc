#include "tfrt/tensor/scalar_host_tensor.h"

#include "tfrt/support/str_cat.h"

namespace tfrt {

std::string AnyScalarHostTensor::ToString() const {
  std::string text = StrCat("ScalarHostTensor dtype = ", DTypeName(dtype()),
                            ", shape = ", shape().ToString(), ", value = ");
  AppendElement(dtype(), data(), &text);
  return text;
}

}  // namespace tfrt
