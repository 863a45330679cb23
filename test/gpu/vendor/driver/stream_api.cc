// Entry points: streams.
#include <algorithm>

#include "call.h"
#include "capture.h"
#include "operations.h"

namespace tfrt::gpu::cuda_double {
namespace {

// Returns the commands that a wait for the stream awaits: its last one, and those that implicitly
// come before it.
std::vector<std::shared_ptr<Command>> LastCommands(const Stream& stream) {
  std::vector<std::shared_ptr<Command>> last;
  if (stream.is_legacy) last = ImplicitEdges(stream);
  if (stream.lane->last) last.push_back(stream.lane->last);
  return last;
}

std::shared_ptr<Stream> MakeStream(Call& call, unsigned flags, int priority) {
  Driver& driver = call.driver();
  auto stream = std::make_shared<Stream>();
  stream->id = ++driver.num_streams;
  stream->context = call.context();
  stream->flags = flags;
  stream->priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
  stream->lane = driver.AddLane(call.context(), StrCat("stream ", stream->id), /*of_stream=*/true,
                                /*blocking=*/(flags & CU_STREAM_NON_BLOCKING) == 0);
  return stream;
}

CUresult Query(Call& call, const Stream& stream) {
  Driver& driver = call.driver();
  driver.scheduler.Poll(call.lock());
  if (stream.context->failure() != CUDA_SUCCESS) return stream.context->failure();
  auto last = LastCommands(stream);
  for (const auto& command : last) {
    if (!command->done) return CUDA_ERROR_NOT_READY;
  }
  for (const auto& command : last) driver.HostHasSeen(*command);
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return Enter(Function::cuStreamCreateWithPriority, Needs::kContext, [&](Call& call) -> CUresult {
    if (!stream || (flags & ~unsigned{CU_STREAM_NON_BLOCKING}) != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto made = MakeStream(call, flags, priority);
    call.Note("stream=", made->id);
    *stream = call.driver().streams.Add(made);
    call.context()->streams.insert(*stream);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  return Enter(Function::cuStreamDestroy_v2, Needs::kDriver, [&](Call& call) -> CUresult {
    if (reinterpret_cast<uintptr_t>(stream) <= kPerThreadStream) return CUDA_ERROR_INVALID_HANDLE;
    std::shared_ptr<Stream> found;
    CUresult code = call.GetStream(stream, &found);
    if (!found) return code;
    LeaveCapture(call.driver(), *found);
    // Commands in the stream still run.
    found->lane->is_abandoned = true;
    found->context->streams.erase(stream);
    call.driver().streams.Remove(stream);
    return code;
  });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return Enter(Function::cuStreamGetCtx, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    *context = found->context->handle;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return Enter(Function::cuStreamGetFlags, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    if (!flags) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    *flags = found->flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamQuery(CUstream stream) {
  return Enter(Function::cuStreamQuery, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    TFRT_GPU_RETURN_IF_FAILED(CheckImplicitStream(call, *found));
    if (found->capture) return RefuseCaptured(*found);
    return Query(call, *found);
  });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return Enter(Function::cuStreamSynchronize, Needs::kAnyContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    const CUresult failure = call.context()->failure();
    CUresult state = call.GetStream(stream, &found);
    // Where a context has failed, what has run there, perhaps on memory of another, is over then.
    if (!found || found->context->is_destroyed) return failure != CUDA_SUCCESS ? failure : state;
    TFRT_GPU_RETURN_IF_FAILED(CheckImplicitStream(call, *found));
    if (found->capture) return RefuseCaptured(*found);
    for (const auto& command : LastCommands(*found)) {
      call.driver().WaitFor(call.lock(), command, call.name());
    }
    state = call.context()->failure();
    return state != CUDA_SUCCESS ? state : found->context->failure();
  });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return Enter(Function::cuStreamWaitEvent, Needs::kContext, [&](Call& call) -> CUresult {
    static const auto& kWait = MakeMark("cuStreamWaitEvent");
    std::shared_ptr<Stream> found;
    std::shared_ptr<Event> awaited;
    if ((flags & ~unsigned{CU_EVENT_WAIT_EXTERNAL}) != 0) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    TFRT_GPU_RETURN_IF_FAILED(call.GetEvent(event, &awaited));
    TFRT_GPU_RETURN_IF_FAILED(CheckImplicitStream(call, *found));
    if (flags != 0) return found->capture ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    if (found->capture || awaited->capture) return WaitCaptured(call, *found, *awaited);
    if (!awaited->record || call.is_null_mode()) return CUDA_SUCCESS;
    auto edges = ImplicitEdges(*found);
    edges.push_back(awaited->record);
    call.driver().Enqueue(call.lock(), call.driver().MakeCommand(found->context, found->lane, kWait,
                                                                 std::move(edges)));
    return CUDA_SUCCESS;
  });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  return Enter(Function::cuLaunchHostFunc, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    if (!function) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    return call.Submit(
        found, std::make_shared<HostOperation>("cuLaunchHostFunc", [=] { function(user_data); }));
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda
