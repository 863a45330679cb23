#include "tfrt/tensor/dense_view.h"

#include "tfrt/support/str_cat.h"

namespace tfrt {

Status CheckDType(const Tensor& tensor, DType expected, std::string_view name) {
  if (tensor.dtype() == expected) [[likely]]
    return OkStatus();
  return InvalidArgumentError(StrCat(name, " is a tensor of ", DTypeName(tensor.dtype()),
                                     ", expected ", DTypeName(expected)));
}

Status CheckRank(const Tensor& tensor, size_t expected, std::string_view name) {
  if (tensor.shape().rank() == expected) [[likely]]
    return OkStatus();
  return InvalidArgumentError(
      StrCat(name, " has the shape ", tensor.shape().ToString(), ", expected rank ", expected));
}

}  // namespace tfrt
