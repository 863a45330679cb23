#include "packed_weights.h"

#include "tfrt/support/str_cat.h"

namespace tfrt::maths {

template <typename Packed, const TensorType& type>
std::string PackedWeightsTensor<Packed, type>::ToString() const {
  return StrCat(type.name(), " tensor dtype = ", DTypeName(dtype()),
                ", shape = ", shape().ToString());
}

template class PackedWeightsTensor<PackedFilter, kPackedFilterTensorType>;
template class PackedWeightsTensor<PackedMatrix, kPackedMatrixTensorType>;

StatusOr<FilterOperand> FilterOperandOf(const Tensor& tensor) {
  if (tensor.tensor_type() == kDenseHostTensorType) {
    return FilterOperand(static_cast<const DenseHostTensor&>(tensor));
  }
  if (tensor.tensor_type() == kPackedFilterTensorType) {
    return FilterOperand(static_cast<const PackedFilterTensor&>(tensor).packed());
  }
  return InvalidArgumentError(StrCat("the filter is a ", tensor.tensor_type().name(),
                                     " tensor, expected a dense one or a packed filter"));
}

StatusOr<MatrixOperand> MatrixOperandOf(const Tensor& tensor) {
  if (tensor.tensor_type() == kDenseHostTensorType) {
    return MatrixOperand(static_cast<const DenseHostTensor&>(tensor));
  }
  // Packed bytes are of another class.
  if (tensor.tensor_type() == kPackedMatrixTensorType && tensor.dtype() == DType::kF32) {
    return MatrixOperand(static_cast<const PackedMatrixTensor&>(tensor).packed());
  }
  return InvalidArgumentError(StrCat("the second factor is a ", tensor.tensor_type().name(),
                                     " tensor, expected a dense one or a packed matrix"));
}

}  // namespace tfrt::maths
