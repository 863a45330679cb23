// Operands that a kernel takes either as a dense tensor or as packed weights.
#ifndef TFRT_LIB_OPS_KERNELS_CONTRACTION_WEIGHTS_H_
#define TFRT_LIB_OPS_KERNELS_CONTRACTION_WEIGHTS_H_

#include <string_view>

#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

// As a MatrixOperand or FilterOperand, borrowed from the kernel's argument. InvalidArgument "NAME
// is a T, expected a dense tensor or WHAT" for an argument that is neither a tensor nor `Packed`.
template <typename Operand, typename Packed>
StatusOr<Operand> WeightsOf(const Argument<AsyncValue>& argument, std::string_view name,
                            std::string_view what) {
  AsyncValue* value = argument.value();
  if (value->IsType<DenseHostTensor>()) return Operand(value->get<DenseHostTensor>());
  if (value->IsType<Packed>()) return Operand(value->get<Packed>());
  return InvalidArgumentError(
      StrCat(name, " is a ", TypeName(value->type_id()), ", expected a dense tensor or ", what));
}

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_KERNELS_CONTRACTION_WEIGHTS_H_
