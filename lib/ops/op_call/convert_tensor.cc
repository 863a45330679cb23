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

AsyncValueRef<Tensor> ReportLateError(AsyncValueRef<Tensor> tensor,
                                      const ExecutionContext& exec_ctx) {
  if (!tensor || tensor.IsAvailable()) return tensor;
  RCReference<IndirectAsyncValue> reported = MakeIndirectAsyncValue();
  AsyncValue* awaited = tensor.GetAsyncValue();
  awaited->AndThen([reported, tensor = std::move(tensor), exec_ctx]() mutable {
    if (tensor.IsError()) {
      reported->ForwardTo(MakeErrorAsyncValue(EmitError(exec_ctx, tensor.GetError())));
    } else {
      reported->ForwardTo(std::move(tensor).ReleaseRCRef());
    }
  });
  return AsyncValueRef<Tensor>(std::move(reported));
}

}  // namespace tfrt
