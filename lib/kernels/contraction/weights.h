// Operands that a kernel takes either as a dense tensor or as packed weights.
#ifndef TFRT_KERNELS_CONTRACTION_WEIGHTS_H_
#define TFRT_KERNELS_CONTRACTION_WEIGHTS_H_

#include <string_view>

#include "contractions.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::contraction {

// Exactly one of the two is set. Both are borrowed from the kernel's argument.
template <typename Problem>
struct Weights {
  const DenseHostTensor* plain = nullptr;
  const Packed<Problem>* packed = nullptr;
};

// InvalidArgument "NAME is a T, expected a dense tensor or WHAT" for an argument of another type.
template <typename Problem>
StatusOr<Weights<Problem>> GetWeights(const Argument<AsyncValue>& argument, std::string_view name,
                                      std::string_view what) {
  AsyncValue* value = argument.value();
  if (value->IsType<DenseHostTensor>()) return Weights<Problem>{&value->get<DenseHostTensor>()};
  if (value->IsType<Packed<Problem>>()) {
    return Weights<Problem>{nullptr, &value->get<Packed<Problem>>()};
  }
  return InvalidArgumentError(
      StrCat(name, " is a ", TypeName(value->type_id()), ", expected a dense tensor or ", what));
}

// True if two tensors have bytes in common.
inline bool Overlap(const DenseHostTensor& a, const DenseHostTensor& b) {
  if (a.size_bytes() == 0 || b.size_bytes() == 0) return false;
  auto begin = [](const DenseHostTensor& t) { return reinterpret_cast<uintptr_t>(t.data()); };
  return begin(a) < begin(b) + b.size_bytes() && begin(b) < begin(a) + a.size_bytes();
}

}  // namespace tfrt::contraction

#endif  // TFRT_KERNELS_CONTRACTION_WEIGHTS_H_
