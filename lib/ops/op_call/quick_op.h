// Ops on a few elements, on which the steps of a call would take longer than the op itself.
#ifndef TFRT_LIB_OPS_OP_CALL_QUICK_OP_H_
#define TFRT_LIB_OPS_OP_CALL_QUICK_OP_H_

#include <cstdint>
#include <span>

#include "tfrt/async/async_value.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

// Whether an op's quick function takes these arguments, whatever their dtype.
inline bool AreForQuickOp(const DenseHostTensor& a, const DenseHostTensor& b) {
  return a.size_bytes() <= kMaxQuickBytes && a.metadata() == b.metadata();
}

// Returns the result of the op by its quick function. Returns null, with no effect, if the op has
// none, or none for these arguments, or if memory is exhausted. Arguments are available and no
// errors (null: left out). `last_uses`: see OpCall; the result may be such an argument with other
// elements.
RCReference<AsyncValue> RunQuickOp(const OpDefinition& op, std::span<AsyncValue* const> arguments,
                                   uint64_t last_uses, HostAllocator* allocator);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_QUICK_OP_H_
