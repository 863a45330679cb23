// The eager ops as C++ functions (docs/eager.md). Made by scripts/make_eager_ops.py. Do not edit.
//
// An input is a Tensor, moved if its memory may be reused, or a HostArray; `{}` for an optional one. What
// goes wrong becomes an error of the results; ops without results return it.
#ifndef TFRT_EAGER_OPS_H_
#define TFRT_EAGER_OPS_H_

#include <array>
#include <cstdint>
#include <source_location>
#include <span>
#include <string_view>

#include "tfrt/eager/attribute_types.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"

namespace tfrt::eager {

// tf.Relu: max(x, 0) of each element; NaN stays NaN.
Tensor Relu(TensorArgument x, std::source_location where = std::source_location::current());

struct MatMulAttrs {
  bool transpose_a = false;
  bool transpose_b = false;
};
// tf.MatMul: The product of two matrices.
Tensor MatMul(TensorArgument a, TensorArgument b, const MatMulAttrs& attrs = {},
              std::source_location where = std::source_location::current());


}  // namespace tfrt::eager

#endif  // TFRT_EAGER_OPS_H_
