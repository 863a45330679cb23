// Products and sums of elements in their own dtype, as functions of products are made of.
#ifndef TFRT_LIB_API_EAGER_ARRAYS_MULTIPLY_H_
#define TFRT_LIB_API_EAGER_ARRAYS_MULTIPLY_H_

#include <cstddef>
#include <span>

#include "array_call.h"

namespace tfrt::eager::arrays {

// Returns the products of matrices in the last two axes. `of_two`: neither has further axes.
Tensor Products(ArrayCall& call, const Tensor& x, const Tensor& y, DType dtype, bool of_two);
// Returns the products of elements, which are broadcast; of bools, whether both are true.
Tensor Multiplied(ArrayCall& call, const Tensor& x, const Tensor& y, DType dtype);
// Returns the sums over axes; of bools, whether one is true.
Tensor Summed(ArrayCall& call, const Tensor& x, std::span<const size_t> axes, DType dtype);

}  // namespace tfrt::eager::arrays

#endif  // TFRT_LIB_API_EAGER_ARRAYS_MULTIPLY_H_
