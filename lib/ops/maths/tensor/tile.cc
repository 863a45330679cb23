#include "tile.h"

#include "lib/runtime/tensor/dense_integers.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::cpu {

StatusOr<Tiling> TilingOf(const TensorShape& in, const Tensor& multiples) {
  if (multiples.shape().rank() != 1) {
    return InvalidArgumentError("Tile multiples must be a vector");
  }
  if (multiples.tensor_type() != kDenseHostTensorType ||
      (multiples.dtype() != DType::kI32 && multiples.dtype() != DType::kI64)) {
    return InvalidArgumentError("Unsupported multiples data type");
  }
  Tiling tiling;
  tiling.multiples = ReadIntegers(static_cast<const DenseHostTensor&>(multiples));
  if (tiling.multiples.size() != in.rank()) {
    return InvalidArgumentError("Tile multiples must have the same size as input rank");
  }
  std::vector<int64_t> dims(in.rank());
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t times = tiling.multiples[i];
    if (times < 0 || __builtin_mul_overflow(times, in.dim(i), &dims[i])) {
      return InvalidArgumentError(StrCat("Tile: dimension ", i, " of the shape ", in.ToString(),
                                         " cannot be repeated ", times, " times"));
    }
  }
  TFRT_ASSIGN_OR_RETURN(tiling.shape, TensorShape::Create(dims));
  return tiling;
}

}  // namespace tfrt::cpu
