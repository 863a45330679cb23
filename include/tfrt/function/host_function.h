// HostFunction: what HostCall calls.
#ifndef TFRT_FUNCTION_HOST_FUNCTION_H_
#define TFRT_FUNCTION_HOST_FUNCTION_H_

#include <functional>
#include <span>
#include <vector>

#include "tfrt/eager/tensor.h"
#include "tfrt/support/status.h"

namespace tfrt::function {

// Gets tensors in host memory whose elements are there, and returns such, or an error. Called by
// any thread, by several at once if the function that calls it is. What it throws becomes an
// Internal error of the call.
using HostFunction =
    std::function<StatusOr<std::vector<eager::Tensor>>(std::span<const eager::Tensor> inputs)>;

}  // namespace tfrt::function

#endif  // TFRT_FUNCTION_HOST_FUNCTION_H_
