// The shortest path of a call on a device with timelines: an op that was called before at these
// sizes, and arguments that lie there. Only commands are enqueued, so such a call is over when it
// returns, in any scope. In ASYNC mode it does not wait for memory or for the device.
#ifndef TFRT_LIB_API_EAGER_DEVICE_CALL_H_
#define TFRT_LIB_API_EAGER_DEVICE_CALL_H_

#include <span>

#include "context_impl.h"
#include "tfrt/eager/context.h"

namespace tfrt::eager {

// Whether ExecuteOnDevice is worth a try: cheap for calls of the host.
inline bool IsOnDevice(std::span<const TensorArgument> arguments) {
  if (arguments.empty()) return false;
  const TensorState* first = arguments[0].state();
  return first && first->device() != kHostDevice;
}

// ExecuteComplete, by the shortest path if everything about the call is known.
Status ExecuteOnDevice(const OpDefinition& op, std::span<TensorArgument> arguments,
                       const OpAttrsRef& attrs, std::span<Tensor> results, Location where);

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_DEVICE_CALL_H_
