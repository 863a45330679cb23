// Eager ops computed by graph kernels, so that both have the same bits and the same speed.
#ifndef TFRT_CORE_RUNTIME_OPS_KERNEL_OP_H_
#define TFRT_CORE_RUNTIME_OPS_KERNEL_OP_H_

#include <initializer_list>
#include <span>
#include <string_view>

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt {

// The kernel of this name among tfrt_cpu.*. Asserts that there is one. Looks it up by name: keep it.
AsyncKernel FindCpuKernel(std::string_view name);

// Runs a kernel of type (inputs..., out, chain) -> chain with the attributes, which are encoded and
// in the order of their names, and makes `out` the call's result 0.
void RunKernel(OpCall& call, AsyncKernel kernel, std::span<AsyncValue* const> inputs,
               std::span<const uint8_t* const> attributes, DenseHostTensor out);
inline void RunKernel(OpCall& call, AsyncKernel kernel,
                      std::initializer_list<AsyncValue*> inputs,
                      std::initializer_list<const uint8_t*> attributes, DenseHostTensor out) {
  RunKernel(call, kernel, std::span(inputs.begin(), inputs.size()),
            std::span(attributes.begin(), attributes.size()), std::move(out));
}

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OPS_KERNEL_OP_H_
