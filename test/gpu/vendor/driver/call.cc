#include "call.h"

#include "capture.h"
#include "reports.h"

namespace tfrt::gpu::cuda_double {

Call::Call(Function function, Needs needs) : function_(function) {
  driver_ = TheDriver();
  TheCallLog().Count(function);
  if (!driver_) {
    early_ = function == Function::cuInit ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_INITIALIZED;
    return;
  }
  if (RunsHostFunction()) {
    early_ = CUDA_ERROR_NOT_PERMITTED;
    return;
  }
  thread_ = &ThisThread();
  lock_ = Scheduler::Lock(driver_->mutex);
  driver_->host_time_ns += 100;
  correlation_ = thread_->correlation = ++driver_->num_told_calls;
  if (driver_->profiler) {
    driver_->profiler->call(static_cast<uint32_t>(function), correlation_, /*is_end=*/0, 0,
                            driver_->host_time_ns);
  }
  // Each fault counts the calls that another one strikes.
  bool is_struck = false;
  for (Fault& fault : driver_->faults.calls) {
    if (fault.name != name() || !fault.Strikes()) continue;
    is_struck = true;
    early_ = static_cast<CUresult>(fault.code);
  }
  if (is_struck) {
    Note("injected");
    return;
  }
  if (needs == Needs::kNothing) return;
  if (!driver_->is_initialized) {
    early_ = CUDA_ERROR_NOT_INITIALIZED;
    return;
  }
  if (!thread_->contexts.empty()) context_ = thread_->contexts.back();
  if (needs == Needs::kDriver) return;
  if (!context_) {
    early_ = CUDA_ERROR_INVALID_CONTEXT;
  } else if (context_->is_destroyed) {
    early_ = CUDA_ERROR_CONTEXT_IS_DESTROYED;
  } else if (needs == Needs::kContext) {
    early_ = context_->failure();
  }
}

CUresult Call::End(CUresult result) {
  if (correlation_ != 0 && driver_->profiler) {
    driver_->profiler->call(static_cast<uint32_t>(function_), correlation_, /*is_end=*/1, result,
                            driver_->host_time_ns);
  }
  if (driver_ && TheCallLog().is_open()) {
    // A call out of a host function has ended before it took the lock.
    if (!lock_.owns_lock()) lock_ = Scheduler::Lock(driver_->mutex);
    TheCallLog().Write(function_, details_, result);
  }
  return result;
}

CUresult Call::GetStream(CUstream handle, std::shared_ptr<Stream>* stream) {
  uint64_t number = reinterpret_cast<uint64_t>(handle);
  if (number > kPerThreadStream) {
    *stream = driver_->streams.Find(handle);
    if (!*stream) return BadHandle("stream", driver_->streams.WasRemoved(handle));
    Note("stream=", (*stream)->id);
    Context& context = *(*stream)->context;
    return context.is_destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : context.failure();
  }
  if (!context_) return CUDA_ERROR_INVALID_CONTEXT;
  if (number != kPerThreadStream) {
    *stream = context_->legacy;
    Note("stream=legacy");
    return CUDA_SUCCESS;
  }
  std::shared_ptr<Stream>& own = context_->per_thread[thread_->number];
  if (!own) {
    own = std::make_shared<Stream>();
    own->context = context_;
    own->id = ++driver_->num_streams;
    own->lane =
        driver_->AddLane(context_, StrCat("stream ", own->id, " of host thread ", thread_->number),
                         /*of_stream=*/true, /*blocking=*/true);
  }
  Note("stream=", own->id);
  *stream = own;
  return CUDA_SUCCESS;
}

CUresult Call::GetEvent(CUevent handle, std::shared_ptr<Event>* event) {
  *event = driver_->events.Find(handle);
  if (!*event) return BadHandle("event", driver_->events.WasRemoved(handle));
  Context& context = *(*event)->context;
  return context.is_destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : context.failure();
}

CUresult Call::GetDevice(CUdevice ordinal, Device** device) {
  if (ordinal < 0 || ordinal >= driver_->settings.num_devices) return CUDA_ERROR_INVALID_DEVICE;
  *device = driver_->devices[ordinal].get();
  return CUDA_SUCCESS;
}

CUresult Call::GetContext(CUcontext handle, Context** context) {
  const std::shared_ptr<Context>& found = driver_->contexts.Find(handle);
  if (!found) {
    return driver_->contexts.WasRemoved(handle) ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                                : CUDA_ERROR_INVALID_CONTEXT;
  }
  *context = found.get();
  return CUDA_SUCCESS;
}

CUresult Call::CheckCaptureAllows() {
  if (thread_->capture_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
  bool refused = false;
  for (Capture* capture : driver_->captures) {
    bool own = capture->thread == thread_->number;
    bool concerned = own ? capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED
                         : capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                               thread_->capture_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
    if (!concerned) continue;
    capture->is_invalidated = true;
    refused = true;
  }
  return refused ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

void Call::NoteWaitForContext(const Context& context) {
  for (const auto& lane : context.lanes) {
    if (!lane->last || lane->last->done) continue;
    TheCallLog().CountBlocking(function_);
    return;
  }
}

CUresult Call::BadHandle(std::string_view kind, bool was_removed) {
  if (was_removed) {
    TheReports().Add(
        StrCat("use of a destroyed handle: ", name(), " is given a ", kind, " that was destroyed"));
  }
  return CUDA_ERROR_INVALID_HANDLE;
}

VectorClock Call::ClockOf(const Stream& stream) {
  VectorClock clock = stream.lane->clock;
  clock.Join(driver_->host_clock);
  if (stream.is_legacy) {
    for (const auto& lane : stream.context->lanes) {
      if (lane->blocking) clock.Join(lane->clock);
    }
  } else if (stream.lane->blocking) {
    clock.Join(stream.context->legacy->lane->clock);
  }
  return clock;
}

CUresult Call::Submit(const std::shared_ptr<Stream>& stream,
                      std::shared_ptr<const Operation> operation,
                      std::shared_ptr<Command>* command) {
  TFRT_GPU_RETURN_IF_FAILED(CheckImplicitStream(*this, *stream));
  if (stream->capture) return AddCapturedNode(*this, *stream, std::move(operation));
  if (is_null_mode()) return CUDA_SUCCESS;
  auto made = driver_->MakeCommand(stream->context, stream->lane, std::move(operation),
                                   ImplicitEdges(*stream));
  if (command) *command = made;
  Note("clock=", made->stamp.step);
  driver_->Enqueue(lock_, made);
  return CUDA_SUCCESS;
}

}  // namespace tfrt::gpu::cuda_double
