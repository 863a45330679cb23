// Entry points: versions, errors, handles.
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "gpu/abi/cuda_driver_exports.h"
#include "handle.h"
#include "objects.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cudnn_double {
namespace {

constexpr size_t kHandleBytes = size_t{64} << 10;

std::string& LastError() {
  static thread_local std::string text;
  return text;
}

// Work that has not run yet. The driver's double forgets that of a context that fails.
struct Pending {
  std::mutex mutex;
  uint64_t next = 0;
  std::unordered_map<uint64_t, std::function<void()>> work;
};

Pending& ThePending() {
  static auto& pending = *new Pending;  // never destroyed: work may run while the process exits
  return pending;
}

void RunPending(void* number) {
  Pending& pending = ThePending();
  std::function<void()> work;
  {
    std::lock_guard lock(pending.mutex);
    auto found = pending.work.find(reinterpret_cast<uintptr_t>(number));
    work = std::move(found->second);
    pending.work.erase(found);
  }
  work();
}

}  // namespace

std::string TakeLastError() { return std::exchange(LastError(), {}); }

cudnnStatus_t Fail(cudnnStatus_t status, std::string text) {
  LastError() = std::move(text);
  return status;
}

cudnnStatus_t GetHandle(cudnnHandle_t handle, std::shared_ptr<Handle>* found) {
  *found = Objects<Handle>::All().Find(handle);
  TFRT_DNN_CHECK(*found != nullptr);
  cuda::CUcontext current = nullptr;
  if (cuda::cuCtxGetCurrent(&current) != cuda::CUDA_SUCCESS || current != (*found)->context) {
    return Fail(CUDNN_STATUS_BAD_PARAM, "the handle is of another context than the thread's");
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t Enqueue(const Handle& handle, const char* name, std::vector<tfrtDoubleRange> ranges,
                      std::function<void()> work) {
  Pending& pending = ThePending();
  uint64_t number = 0;
  {
    std::lock_guard lock(pending.mutex);
    number = ++pending.next;
    pending.work.emplace(number, std::move(work));
  }
  const uint32_t code = tfrtDoubleEnqueue(handle.stream, name, RunPending,
                                          reinterpret_cast<void*>(static_cast<uintptr_t>(number)),
                                          ranges.data(), ranges.size());
  if (code == cuda::CUDA_SUCCESS) return CUDNN_STATUS_SUCCESS;
  {
    std::lock_guard lock(pending.mutex);
    pending.work.erase(number);
  }
  return Fail(CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER, StrCat("the driver's code is ", code));
}

}  // namespace tfrt::gpu::cudnn_double

namespace tfrt::gpu::cudnn {
using namespace cudnn_double;  // NOLINT

extern "C" {

size_t cudnnGetVersion() { return tfrtDoubleLibraryVersion("cudnn", 91900); }

const char* cudnnGetErrorString(cudnnStatus_t status) {
  switch (status) {
#define TFRT_CUDNN_RESULT(name, value, code) \
  case name:                                 \
    return #name;
    TFRT_CUDNN_RESULTS(TFRT_CUDNN_RESULT)
#undef TFRT_CUDNN_RESULT
  }
  return "CUDNN_UNKNOWN_STATUS";
}

void cudnnGetLastErrorString(char* message, size_t size_bytes) {
  if (!message || size_bytes == 0) return;
  const std::string text = TakeLastError();
  const size_t length = std::min(text.size(), size_bytes - 1);
  std::memcpy(message, text.data(), length);
  message[length] = '\0';
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  return Enter("cudnnCreate", [&]() -> cudnnStatus_t {
    TFRT_DNN_CHECK(handle != nullptr);
    auto made = std::make_shared<Handle>();
    if (cuda::cuCtxGetCurrent(&made->context) != cuda::CUDA_SUCCESS || !made->context) {
      return Fail(CUDNN_STATUS_NOT_INITIALIZED, "no context is current");
    }
    if (cuda::cuMemAlloc_v2(&made->memory, kHandleBytes) != cuda::CUDA_SUCCESS) {
      return Fail(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED, "cuMemAlloc");
    }
    *handle = static_cast<cudnnHandle_t>(Objects<Handle>::All().Add(std::move(made)));
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  return Enter("cudnnDestroy", [&]() -> cudnnStatus_t {
    if (!handle) return CUDNN_STATUS_SUCCESS;
    std::shared_ptr<Handle> found;
    TFRT_DNN_RETURN_IF_FAILED(GetHandle(handle, &found));
    Objects<Handle>::All().Remove(handle);
    (void)cuda::cuMemFree_v2(found->memory);  // the device may be lost
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, CUstream stream) {
  return Enter("cudnnSetStream", [&]() -> cudnnStatus_t {
    std::shared_ptr<Handle> found;
    TFRT_DNN_RETURN_IF_FAILED(GetHandle(handle, &found));
    cuda::CUcontext context = nullptr;
    if (stream && (cuda::cuStreamGetCtx(stream, &context) != cuda::CUDA_SUCCESS ||
                   context != found->context)) {
      return Fail(CUDNN_STATUS_BAD_PARAM_STREAM_MISMATCH,
                  "the stream is of another context than the handle");
    }
    found->stream = stream;
    return CUDNN_STATUS_SUCCESS;
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cudnn
