// Entry points: contexts.
#include <algorithm>

#include "call.h"
#include "capture.h"
#include "contexts.h"

namespace tfrt::gpu::cuda_double {
namespace {

bool AreContextFlags(unsigned flags) {
  unsigned schedule = flags & CU_CTX_SCHED_MASK;
  return (flags & ~unsigned{CU_CTX_FLAGS_MASK}) == 0 &&
         (schedule == CU_CTX_SCHED_AUTO || schedule == CU_CTX_SCHED_SPIN ||
          schedule == CU_CTX_SCHED_YIELD || schedule == CU_CTX_SCHED_BLOCKING_SYNC);
}

CUresult SynchronizeContext(Call& call) {
  Context& context = *call.context();
  for (Capture* capture : call.driver().captures) {
    for (const Stream* stream : capture->streams) {
      if (stream->context == &context) {
        capture->is_invalidated = true;
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
      }
    }
  }
  // Takes the state at the moment of the call: commands that other threads enqueue meanwhile are
  // not awaited.
  std::vector<std::shared_ptr<Command>> last;
  for (const auto& lane : context.lanes) {
    if (lane->last) last.push_back(lane->last);
  }
  for (const auto& command : last) {
    call.driver().WaitFor(call.lock(), command, call.name());
  }
  return context.failure();
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return Enter(Function::cuDevicePrimaryCtxRetain, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
    if (found->lost != CUDA_SUCCESS) return found->lost;
    if (!found->primary) {
      found->primary = MakeContext(call.driver(), *found, found->primary_flags, true);
    }
    ++found->num_primary_users;
    *context = found->primary->handle;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return Enter(Function::cuDevicePrimaryCtxRelease_v2, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
    if (!found->primary) return CUDA_ERROR_INVALID_CONTEXT;
    if (--found->num_primary_users > 0) return CUDA_SUCCESS;
    DestroyContext(call.driver(), *found->primary);
    found->primary = nullptr;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return Enter(Function::cuDevicePrimaryCtxGetState, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
    *flags = found->primary_flags;
    *active = found->primary != nullptr;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return Enter(Function::cuDevicePrimaryCtxSetFlags_v2, Needs::kDriver,
               [&](Call& call) -> CUresult {
                 Device* found = nullptr;
                 TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
                 if (!AreContextFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
                 found->primary_flags = flags;
                 return CUDA_SUCCESS;
               });
}

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return Enter(Function::cuCtxCreate_v2, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    if (!context || !AreContextFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
    if (found->lost != CUDA_SUCCESS) return found->lost;
    Context* made = MakeContext(call.driver(), *found, flags, /*is_primary=*/false);
    call.thread().contexts.push_back(made);
    *context = made->handle;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  return Enter(Function::cuCtxDestroy_v2, Needs::kDriver, [&](Call& call) -> CUresult {
    Context* found = nullptr;
    TFRT_GPU_RETURN_IF_FAILED(call.GetContext(context, &found));
    if (found->is_primary) return CUDA_ERROR_INVALID_CONTEXT;
    DestroyContext(call.driver(), *found);
    // It stays on the stacks of other threads, whose calls fail from now on.
    auto& stack = call.thread().contexts;
    if (!stack.empty() && stack.back() == found) stack.pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return Enter(Function::cuCtxGetCurrent, Needs::kDriver, [&](Call& call) -> CUresult {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    *context = call.context() ? call.context()->handle : nullptr;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return Enter(Function::cuCtxSetCurrent, Needs::kDriver, [&](Call& call) -> CUresult {
    Context* found = nullptr;
    if (context) TFRT_GPU_RETURN_IF_FAILED(call.GetContext(context, &found));
    auto& stack = call.thread().contexts;
    if (!stack.empty()) stack.pop_back();
    if (found) stack.push_back(found);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return Enter(Function::cuCtxPushCurrent_v2, Needs::kDriver, [&](Call& call) -> CUresult {
    Context* found = nullptr;
    TFRT_GPU_RETURN_IF_FAILED(call.GetContext(context, &found));
    call.thread().contexts.push_back(found);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return Enter(Function::cuCtxPopCurrent_v2, Needs::kDriver, [&](Call& call) -> CUresult {
    auto& stack = call.thread().contexts;
    if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context) *context = stack.back()->handle;
    stack.pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return Enter(Function::cuCtxGetDevice, Needs::kContext, [&](Call& call) -> CUresult {
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = call.context()->device->ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize() {
  return Enter(Function::cuCtxSynchronize, Needs::kContext,
               [&](Call& call) -> CUresult { return SynchronizeContext(call); });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return Enter(Function::cuCtxGetStreamPriorityRange, Needs::kContext, [&](Call&) -> CUresult {
    if (least) *least = kLeastPriority;
    if (greatest) *greatest = kGreatestPriority;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return Enter(Function::cuCtxEnablePeerAccess, Needs::kContext, [&](Call& call) -> CUresult {
    Context* found = nullptr;
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetContext(peer, &found));
    if (found->device == call.context()->device) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    if (!call.context()->peers.insert(found).second) return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda
