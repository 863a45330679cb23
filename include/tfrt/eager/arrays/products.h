// Products of matrices and vectors, and sums of products over axes. Dtypes are promoted.
#ifndef TFRT_EAGER_ARRAYS_PRODUCTS_H_
#define TFRT_EAGER_ARRAYS_PRODUCTS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "tfrt/eager/arrays/axes.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/support/location.h"

namespace tfrt::eager::arrays {

// The products of matrices in the last two axes; the axes before them are broadcast. An array of
// one dimension is a row on the left, a column on the right.
Tensor Matmul(const Tensor& x1, const Tensor& x2, Location where = Here());
struct VecdotOptions {
  int64_t axis = -1;
};
// The sums of the products of vectors along an axis; the other axes are broadcast.
Tensor Vecdot(const Tensor& x1, const Tensor& x2, const VecdotOptions& options = {},
              Location where = Here());
// The sums of products over the last axes of `x1` and as many first ones of `x2`.
Tensor Tensordot(const Tensor& x1, const Tensor& x2, int64_t axes = 2, Location where = Here());
// The same over these axes of each.
Tensor Tensordot(const Tensor& x1, const Tensor& x2, const std::array<Axes, 2>& axes,
                 Location where = Here());
// The products of each element of the first with each of the second: [M,N]. Both are taken as flat.
Tensor Outer(const Tensor& x1, const Tensor& x2, Location where = Here());

// The sums of products of operands whose axes letters name: `ij,jk->ik` is a product of matrices. A
// letter that the result has not is summed over; one that an operand has twice takes its diagonal.
// `...` are axes that are broadcast. Without `->` the result has the letters that occur once, in
// alphabetical order. Operands are multiplied from the left. Spaces do not count.
Tensor Einsum(std::string_view subscripts, TensorList operands, Location where = Here());

}  // namespace tfrt::eager::arrays

#endif  // TFRT_EAGER_ARRAYS_PRODUCTS_H_
