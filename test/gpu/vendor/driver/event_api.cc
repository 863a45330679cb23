// Entry points: events.
#include "call.h"
#include "capture.h"
#include "operations.h"

namespace tfrt::gpu::cuda_double {
namespace {

constexpr unsigned kEventFlags =
    CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;

// An event that was last recorded in a capture stands for no work that could be done.
CUresult RefuseCapturedEvent(const Event& event) {
  if (!event.capture) return CUDA_SUCCESS;
  event.capture->is_invalidated = true;
  return CUDA_ERROR_CAPTURED_EVENT;
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return Enter(Function::cuEventCreate, Needs::kContext, [&](Call& call) -> CUresult {
    if (!event || (flags & ~kEventFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
    if ((flags & CU_EVENT_INTERPROCESS) != 0) {
      return (flags & CU_EVENT_DISABLE_TIMING) != 0 ? CUDA_ERROR_NOT_SUPPORTED
                                                    : CUDA_ERROR_INVALID_VALUE;
    }
    auto made = std::make_shared<Event>();
    made->context = call.context();
    made->flags = flags;
    *event = call.driver().events.Add(made);
    call.context()->events.insert(*event);
    return CUDA_SUCCESS;
  });
}

CUresult cuEventDestroy_v2(CUevent event) {
  return Enter(Function::cuEventDestroy_v2, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Event> found;
    CUresult code = call.GetEvent(event, &found);
    if (!found) return code;
    found->context->events.erase(event);
    call.driver().events.Remove(event);
    return code;
  });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return Enter(Function::cuEventRecord, Needs::kContext, [&](Call& call) -> CUresult {
    static const auto& kRecord = MakeMark("cuEventRecord");
    std::shared_ptr<Stream> found;
    std::shared_ptr<Event> recorded;
    TFRT_GPU_RETURN_IF_FAILED(call.GetEvent(event, &recorded));
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    if (found->context != recorded->context) return CUDA_ERROR_INVALID_HANDLE;
    TFRT_GPU_RETURN_IF_FAILED(CheckImplicitStream(call, *found));
    if (found->capture) return RecordCaptured(call, *found, *recorded);
    recorded->capture = nullptr;
    recorded->captured_nodes.clear();
    if (call.is_null_mode()) return CUDA_SUCCESS;
    return call.Submit(found, kRecord, &recorded->record);
  });
}

CUresult cuEventQuery(CUevent event) {
  return Enter(Function::cuEventQuery, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Event> found;
    TFRT_GPU_RETURN_IF_FAILED(call.GetEvent(event, &found));
    TFRT_GPU_RETURN_IF_FAILED(RefuseCapturedEvent(*found));
    TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    call.driver().scheduler.Poll(call.lock());
    if (found->context->failure() != CUDA_SUCCESS) return found->context->failure();
    if (!found->record) return CUDA_SUCCESS;
    if (!found->record->done) return CUDA_ERROR_NOT_READY;
    call.driver().HostHasSeen(*found->record);
    return CUDA_SUCCESS;
  });
}

CUresult cuEventSynchronize(CUevent event) {
  return Enter(Function::cuEventSynchronize, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Event> found;
    TFRT_GPU_RETURN_IF_FAILED(call.GetEvent(event, &found));
    TFRT_GPU_RETURN_IF_FAILED(RefuseCapturedEvent(*found));
    TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    // The record of now: a later one is not waited for.
    std::shared_ptr<Command> record = found->record;
    return record ? call.driver().WaitFor(call.lock(), record, call.name()) : CUDA_SUCCESS;
  });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return Enter(Function::cuEventElapsedTime, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Event> from, to;
    if (!milliseconds) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetEvent(start, &from));
    TFRT_GPU_RETURN_IF_FAILED(call.GetEvent(end, &to));
    if (((from->flags | to->flags) & CU_EVENT_DISABLE_TIMING) != 0 ||
        from->context != to->context) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (call.is_null_mode()) {
      *milliseconds = 0;
      return CUDA_SUCCESS;
    }
    call.driver().scheduler.Poll(call.lock());
    if (from->context->failure() != CUDA_SUCCESS) return from->context->failure();
    if (!from->record || !to->record) return CUDA_ERROR_INVALID_HANDLE;
    if (!from->record->done || !to->record->done) return CUDA_ERROR_NOT_READY;
    *milliseconds = static_cast<float>(static_cast<double>(to->record->end_ns) -
                                       static_cast<double>(from->record->end_ns)) *
                    1e-6f;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda
