// HostCallbacks: the functions of the program that its compiled programs call.
#ifndef TFRT_LIB_OPS_OP_CALL_HOST_CALLBACKS_H_
#define TFRT_LIB_OPS_OP_CALL_HOST_CALLBACKS_H_

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

// Called where work may block, once each time that a run reaches the call. Calls follow the order
// of the run's effects; each run calls from one thread at a time. The inputs are valid until it
// returns. It must return as many tensors as the program declares, of the declared types. An
// exception becomes an Internal error of the call.
using HostCallback = std::function<StatusOr<std::vector<DenseHostTensor>>(
    std::span<const DenseHostTensor* const> inputs)>;

// Data of a request (RequestContextBuilder::AddData): what graph.host_call finds by number. The
// functions live at least until the last run of the request is over.
struct HostCallbacks {
  std::shared_ptr<const std::vector<HostCallback>> functions;
};

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_HOST_CALLBACKS_H_
