// The element types that kernels of dense tensors have in their names.
#ifndef TFRT_LIB_COMPAT_TENSOR_KERNELS_DENSE_TYPES_H_
#define TFRT_LIB_COMPAT_TENSOR_KERNELS_DENSE_TYPES_H_

#include <complex>
#include <type_traits>

#include "tfrt/tensor/dense_view.h"

namespace tfrt {

// Calls fn(std::type_identity<T>(), name) for each of them, with the name in programs; bool is
// "bool", not "i1".
template <typename F>
void ForEachDenseType(F fn) {
  auto call = [&]<typename... T>() {
    (fn(std::type_identity<T>(),
        std::is_same_v<T, bool> ? "bool" : ElementTypeOf(DTypeOf<T>()).program_name.text),
     ...);
  };
  call.template operator()<uint8_t, uint32_t, uint64_t, int8_t, int32_t, int64_t, float, double,
                           bool, Fp16, Bf16, std::complex<float>, std::complex<double>>();
}

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_TENSOR_KERNELS_DENSE_TYPES_H_
