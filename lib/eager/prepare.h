// What a call needs once per op, attributes, types and devices: that it is valid, and its place.
#ifndef TFRT_EAGER_PREPARE_H_
#define TFRT_EAGER_PREPARE_H_

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string_view>

#include "context_impl.h"
#include "kernel_cache.h"

namespace tfrt::eager {

// InvalidArgument for a wrong number of arguments or results, and for attributes that are missing or
// of another type than the op says.
Status CheckCall(const OpDefinition& op, size_t num_arguments, size_t num_results,
                 const OpAttrsRef& attrs);

// Where a call runs: on the device of a resource among its inputs; else, if they are a few integers in
// host memory, there; else where the scope says; else on the first device of the priority list that
// has the op.
StatusOr<Placement> Place(const Context::Impl& context, const CallKey& key);

// "scope", "small-integers", ...
std::string_view ReasonName(PlacementReason reason);

// The tensor on another device, or, on the device where it is, as a dense tensor: the copy that it
// remembers, or a new one, there now in SYNC mode and perhaps later in ASYNC mode. The tensor remembers
// it unless it is an error. `for_id`: of the call that needs it, for tracing.
RCReference<TensorState> CopyToDevice(Scope::State& scope, const TensorState& from, uint8_t device,
                                      std::source_location where, uint64_t for_id);

// An array in host memory as a tensor on the scope's device.
Tensor MakeConstant(Scope::State& scope, const DenseHostTensor& array, std::source_location where);

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_PREPARE_H_
