// HostFunction: the type of functions that HostCall calls.
#ifndef TFRT_FUNCTION_HOST_FUNCTION_H_
#define TFRT_FUNCTION_HOST_FUNCTION_H_

#include <functional>
#include <span>
#include <vector>

#include "tfrt/eager/tensor.h"
#include "tfrt/support/status.h"

namespace tfrt::function {

// Receives tensors in host memory whose elements are available, and returns such tensors, or an
// error. Called by any thread, and concurrently if the calling function is. An exception becomes an
// Internal error of the call.
using HostFunction =
    std::function<StatusOr<std::vector<eager::Tensor>>(std::span<const eager::Tensor> inputs)>;

}  // namespace tfrt::function

#endif  // TFRT_FUNCTION_HOST_FUNCTION_H_
