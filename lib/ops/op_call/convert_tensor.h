// How eager ops and transfers convert tensors.
#ifndef TFRT_LIB_OPS_OP_CALL_CONVERT_TENSOR_H_
#define TFRT_LIB_OPS_OP_CALL_CONVERT_TENSOR_H_

#include "lib/runtime/tensor/conversion.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// By the host's ConversionRegistry. An error that is there at once is reported at the context's
// location.
AsyncValueRef<Tensor> ConvertTensor(const Tensor& tensor, const ConversionDevices& devices,
                                    TensorType to, const ExecutionContext& exec_ctx);

// Returns the tensor, which may be null. If it is not there yet and becomes an error, that is
// reported at the context's location, for callers whose errors are explained nowhere else.
AsyncValueRef<Tensor> ReportLateError(AsyncValueRef<Tensor> tensor,
                                      const ExecutionContext& exec_ctx);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_CONVERT_TENSOR_H_
