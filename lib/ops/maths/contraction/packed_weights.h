// Packed weights as values of programs. They are tensors whose elements are in the layout of the
// library that computes with them; only that library can read them.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_PACKED_WEIGHTS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_PACKED_WEIGHTS_H_

#include <string>
#include <utility>

#include "convolution.h"
#include "matmul.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::maths {

// dtype and shape are those of the plain weights. Immutable; thread-safe.
template <typename Packed, const TensorType& type>
class PackedWeightsTensor final : public Tensor {
 public:
  using AsyncValueBases = BaseTypes<Tensor>;

  PackedWeightsTensor(TensorMetadata metadata, Packed packed)
      : Tensor(std::move(metadata)), packed_(std::move(packed)) {}
  const Packed& packed() const { return packed_; }

  TensorType tensor_type() const override { return type; }
  // "PackedFilter tensor dtype = f32, shape = [2, 3]"
  std::string ToString() const override;

 private:
  Packed packed_;
};

using PackedFilterTensor = PackedWeightsTensor<PackedFilter, kPackedFilterTensorType>;
using PackedMatrixTensor = PackedWeightsTensor<PackedMatrix, kPackedMatrixTensorType>;

extern template class PackedWeightsTensor<PackedFilter, kPackedFilterTensorType>;
extern template class PackedWeightsTensor<PackedMatrix, kPackedMatrixTensorType>;

// A dense or packed tensor as an operand; InvalidArgument for another kind.
StatusOr<FilterOperand> FilterOperandOf(const Tensor& tensor);
StatusOr<MatrixOperand> MatrixOperandOf(const Tensor& tensor);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_PACKED_WEIGHTS_H_
