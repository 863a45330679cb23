// Checks that kernels make of their operands before they compute.
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_OPERAND_CHECKS_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_OPERAND_CHECKS_H_

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

// True if two tensors have bytes in common.
inline bool Overlap(const DenseHostTensor& a, const DenseHostTensor& b) {
  if (a.size_bytes() == 0 || b.size_bytes() == 0) return false;
  auto begin = [](const DenseHostTensor& t) { return reinterpret_cast<uintptr_t>(t.data()); };
  return begin(a) < begin(b) + b.size_bytes() && begin(b) < begin(a) + a.size_bytes();
}

// "OP: the output has the shape [2], expected [3]"
Status CheckOutputShape(std::string_view op, const Tensor& out, const TensorShape& expected);

// "OP: the output overlaps an input"
Status CheckApart(std::string_view op, const DenseHostTensor& out,
                  std::span<const DenseHostTensor* const> inputs);
inline Status CheckApart(std::string_view op, const DenseHostTensor& out,
                         std::initializer_list<const DenseHostTensor*> inputs) {
  return CheckApart(op, out, std::span(inputs.begin(), inputs.size()));
}
// The same, but the output may be an input that has as many bytes.
Status CheckApartOrSame(std::string_view op, const DenseHostTensor& out,
                        std::initializer_list<const DenseHostTensor*> inputs);

// A vector of `size` floats: "OP: the NAME has the shape [2], expected [3]"
StatusOr<const float*> VectorOf(std::string_view op, const DenseHostTensor& tensor, int64_t size,
                                std::string_view name);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_OPERAND_CHECKS_H_
