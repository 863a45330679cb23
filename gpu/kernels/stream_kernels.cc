// Kernels of streams and events.

#include "gpu/runtime/context.h"
#include "gpu/runtime/event.h"
#include "gpu/runtime/launch_scope.h"
#include "gpu/runtime/stream.h"
#include "kernel_groups.h"
#include "reported.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt::gpu {
namespace {

// --- streams ---

StatusOr<RCReference<Stream>> CreateStream(const RCReference<Context>& context) {
  return context->CreateStream();
}

RCReference<Context> ContextOf(const RCReference<Stream>& stream) {
  return FormRef(&stream->context());
}

StatusOr<Chain> WaitForEvent(const RCReference<Stream>& stream, const RCReference<Event>& event,
                             Argument<Chain>, const ExecutionContext& exec_ctx) {
  LaunchScope scope("tfrt_gpu.stream.wait", exec_ctx.location());
  TFRT_RETURN_IF_ERROR(event->MakeWait(*stream));
  return Chain();
}

AsyncValueRef<Chain> SynchronizeStream(const RCReference<Stream>& stream, Argument<Chain>,
                                       const ExecutionContext& exec_ctx) {
  return Reported(exec_ctx, stream->Synchronize(&exec_ctx.work_queue()));
}

// --- events ---

RCReference<Event> CreateEvent(const RCReference<Context>& context) {
  return MakeRef<Event>(context);
}

StatusOr<Chain> RecordEvent(const RCReference<Event>& event, const RCReference<Stream>& stream,
                            Argument<Chain>, const ExecutionContext& exec_ctx) {
  LaunchScope scope("tfrt_gpu.event.record", exec_ctx.location());
  TFRT_RETURN_IF_ERROR(event->Record(*stream));
  return Chain();
}

AsyncValueRef<Chain> SynchronizeEvent(const RCReference<Event>& event, Argument<Chain>,
                                      const ExecutionContext& exec_ctx) {
  return Reported(exec_ctx, event->Synchronize(&exec_ctx.work_queue()));
}

}  // namespace

void RegisterStreamKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.stream.create", TFRT_KERNEL(CreateStream));
  registry->AddKernel("tfrt_gpu.stream.get_context", TFRT_KERNEL(ContextOf));
  registry->AddKernel("tfrt_gpu.stream.wait", TFRT_KERNEL(WaitForEvent));
  registry->AddKernel("tfrt_gpu.stream.synchronize", TFRT_KERNEL(SynchronizeStream));
  registry->AddKernel("tfrt_gpu.event.create", TFRT_KERNEL(CreateEvent));
  registry->AddKernel("tfrt_gpu.event.record", TFRT_KERNEL(RecordEvent));
  registry->AddKernel("tfrt_gpu.event.synchronize", TFRT_KERNEL(SynchronizeEvent));
}

}  // namespace tfrt::gpu
