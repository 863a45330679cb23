// How eager ops and transfers convert tensors.
#ifndef TFRT_CORE_RUNTIME_CONVERT_TENSOR_H_
#define TFRT_CORE_RUNTIME_CONVERT_TENSOR_H_

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// On the host, by its ConversionRegistry. An error that is there at once is reported at the
// context's location.
AsyncValueRef<Tensor> ConvertTensor(const Tensor& tensor, TensorType to,
                                    const ExecutionContext& exec_ctx);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_CONVERT_TENSOR_H_
