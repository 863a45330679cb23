// The functions of the array API standard, of eager and traced tensors alike (docs/eager.md).
//
//   namespace arrays = tfrt::eager::arrays;
//   Tensor y = arrays::Sqrt(arrays::Add(x, 1));   // 1 takes the dtype of x
//   Tensor rows = arrays::Sum(y, {.axis = 0, .keepdims = true});
//   Tensor even = y.At({arrays::Slice({}, {}, 2), 0});
//
// The names are the standard's in CamelCase: `bitwise_left_shift` is BitwiseLeftShift. They have a
// namespace of their own, because ops.h has TensorFlow's functions of many of the same names. Those
// take inputs of one dtype, and arguments in another order. Write `arrays::Sqrt`: a plain `Sqrt` of
// a Tensor also finds that of ops.h.
//
// The extensions of the standard are namespaces within: arrays::linalg and arrays::fft.
//
// Inputs of different dtypes meet in one (docs/python.md has the table). Errors are those of the
// result, and name the function, the argument and the line. The error of a call with several
// results is the only one. Thread-safe, as calls of ops are.
//
// Axes below 0 count from the last one. In traced functions sizes may be open; a function that
// needs one says so. Functions of whole arrays read dtype and shape of their arguments, so in ASYNC
// scopes they wait until these are known.
#ifndef TFRT_EAGER_ARRAYS_H_
#define TFRT_EAGER_ARRAYS_H_

#include "tfrt/eager/arrays/creation.h"      // IWYU pragma: export
#include "tfrt/eager/arrays/dtypes.h"        // IWYU pragma: export
#include "tfrt/eager/arrays/elementwise.h"   // IWYU pragma: export
#include "tfrt/eager/arrays/fft.h"           // IWYU pragma: export
#include "tfrt/eager/arrays/index.h"         // IWYU pragma: export
#include "tfrt/eager/arrays/linalg.h"        // IWYU pragma: export
#include "tfrt/eager/arrays/manipulation.h"  // IWYU pragma: export
#include "tfrt/eager/arrays/products.h"      // IWYU pragma: export
#include "tfrt/eager/arrays/searching.h"     // IWYU pragma: export
#include "tfrt/eager/arrays/statistics.h"    // IWYU pragma: export

#endif  // TFRT_EAGER_ARRAYS_H_
