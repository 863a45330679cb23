#include "convert_tensor.h"

#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt {

AsyncValueRef<Tensor> ConvertTensor(const Tensor& tensor, const ConversionDevices& devices,
                                    TensorType to, const ExecutionContext& exec_ctx) {
  AsyncValueRef<Tensor> result =
      exec_ctx.host()->GetOrCreateSharedContext<ConversionRegistry>().Convert(tensor, devices, to,
                                                                              exec_ctx);
  if (result.IsError()) return EmitError(exec_ctx, result.GetError());
  return result;
}

}  // namespace tfrt
