// Whether a tensor is what a case says that it is.
#ifndef TFRT_TEST_CONFORMANCE_COMPARE_H_
#define TFRT_TEST_CONFORMANCE_COMPARE_H_

#include <string>

#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::conformance {

// Empty, or what differs: dtype, shape or an element. Integers and truths are equal; floats are to
// the relative and absolute tolerance of ONNX's own tests, 1e-3 and 1e-5 in f32, NaN is NaN.
std::string Difference(const DenseHostTensor& actual, const DenseHostTensor& expected);

}  // namespace tfrt::conformance

#endif  // TFRT_TEST_CONFORMANCE_COMPARE_H_
