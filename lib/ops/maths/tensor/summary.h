// Tensors in a few words, as tf.Print writes them.
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_SUMMARY_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_SUMMARY_H_

#include <cstdint>
#include <string>

#include "tfrt/tensor/tensor.h"

namespace tfrt::cpu {

// Returns the first `max_elements` elements of a dense, scalar or string tensor, all of them if
// that is negative. The format is "1 2 3...", each dimension but the first in brackets, "[1
// 2][3...]...". Numbers have the fewest digits that tell them apart from their neighbours. Bools
// are 0 and 1, complex numbers "(1,-2)", strings stand as they are. The text is that of
// TensorFlow's Tensor::SummarizeValue.
std::string Summary(const Tensor& tensor, int64_t max_elements);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_SUMMARY_H_
