// Does what a call needs once per op, attributes, types and devices: checks that it is valid, and
// finds its place.
#ifndef TFRT_LIB_API_EAGER_PREPARE_H_
#define TFRT_LIB_API_EAGER_PREPARE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "context_impl.h"
#include "kernel_cache.h"

namespace tfrt::eager {

// InvalidArgument for a wrong number of arguments or results. InvalidArgument also for attributes
// that the op does not have, that are missing, or of another type than the op declares.
Status CheckCall(const OpDefinition& op, size_t num_arguments, size_t num_results,
                 const OpAttrsRef& attrs);

// InvalidArgument if the op has fewer results than that. Not a part of what a call is known by.
[[gnu::cold]] Status TooManyResults(const OpDefinition& op, size_t num_results);
inline Status CheckResultCount(const OpDefinition& op, size_t num_results) {
  if (num_results <= op.results.size() || op.results.empty()) [[likely]]
    return OkStatus();
  return TooManyResults(op, num_results);
}

// Returns where a call runs: for the first PlacementReason, in their order, that applies. Where the
// scope warns of copies, it warns of soft placement.
StatusOr<Placement> ChoosePlacement(const Scope::State& scope, const CallKey& key, Location where);

// Applies the scope's policy to copying argument `index`, whose metadata are known, to the op's
// device. Returns OK, perhaps with a warning, or an error that names both devices.
Status CheckMayCopy(const Scope::State& scope, const OpDefinition& op, size_t index,
                    const TensorState& state, uint8_t device, Location where);

// So few that moving them to another device would cost more than computing with them.
[[gnu::always_inline]] inline bool IsSmallIntegers(const Context::Impl& context,
                                                   const TensorMetadata& metadata, uint8_t device) {
  int64_t max = context.options.max_small_integers;
  return (metadata.dtype == DType::kI32 || metadata.dtype == DType::kI64) &&
         device == kHostDevice && max > 0 && metadata.shape.num_elements() <= max;
}

[[gnu::always_inline]] inline void CountHit(Scope::State& scope) {
  // Only this thread writes.
  scope.hits.store(scope.hits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// Returns bits for those of the first 64 arguments to which only the call has references. The call
// op(std::move(x), x) borrows a second time what it owns: that argument counts as shared.
inline uint64_t LastUses(std::span<const TensorArgument> arguments) {
  uint64_t bits = 0;
  for (size_t i = 0; i < arguments.size() && i < 64; ++i) {
    if (!arguments[i].is_last_use()) [[likely]]
      continue;
    bool once = true;
    for (size_t j = 0; j < arguments.size(); ++j) {
      once &= j == i || arguments[j].state() != arguments[i].state();
    }
    bits |= uint64_t{once} << i;
  }
  return bits;
}

// "scope", "small-integers", ...
std::string_view ReasonName(PlacementReason reason);

// Returns the tensor on another device, or, on its own device, as a dense tensor. This is the copy
// that the tensor remembers, or a new one. A new one is available at once in SYNC mode and perhaps
// later in ASYNC mode. The tensor remembers it as the context's options say, unless it is an error.
// For tracing, `served` is the call that needs it. With `pin` the tensor keeps it in any case.
struct ServedCall {
  uint64_t id = 0;
  std::string_view op_name = {};  // empty: it is asked for as such
};
RCReference<TensorState> CopyToDevice(Scope::State& scope, const TensorState& from, uint8_t device,
                                      Location where, ServedCall served = {}, bool pin = false);

// The elements of a tensor whose context has ended as a dense tensor in host memory, or the error
// that keeps them from it. The tensor remembers it.
RCReference<TensorState> CopyWithoutContext(const TensorState& from, Location where);

// An array in host memory as a tensor on a device.
Tensor MakeConstant(Scope::State& scope, const DenseHostTensor& array, uint8_t device,
                    Location where);
// The device of the scope; the host if it names none.
inline uint8_t DeviceOf(const Scope::State& scope) {
  return scope.device == kNoDevice ? kHostDevice : static_cast<uint8_t>(scope.device);
}

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_PREPARE_H_
