// The functions of the array API standard, of eager and traced tensors alike (docs/eager.md).
//
//   namespace arrays = tfrt::eager::arrays;
//   Tensor y = arrays::Sqrt(arrays::Add(x, 1));   // 1 takes the dtype of x
//
// The names are the standard's in CamelCase: `bitwise_left_shift` is BitwiseLeftShift. They have a
// namespace of their own, because ops.h has TensorFlow's functions of many of the same names. Those
// take inputs of one dtype, and arguments in another order. Write `arrays::Sqrt`: a plain `Sqrt` of
// a Tensor also finds that of ops.h.
//
// Inputs of different dtypes meet in one (docs/python.md has the table). Errors are those of the
// result, and name the function, the argument and the line. Thread-safe, as calls of ops are.
#ifndef TFRT_EAGER_ARRAYS_H_
#define TFRT_EAGER_ARRAYS_H_

#include "tfrt/eager/arrays/elementwise.h"  // IWYU pragma: export

#endif  // TFRT_EAGER_ARRAYS_H_
