// Common to the commands of gpu_day.
#ifndef TFRT_TEST_GPU_HARDWARE_GPU_DAY_H_
#define TFRT_TEST_GPU_HARDWARE_GPU_DAY_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/wrapper/cuda_context.h"
#include "gpu/wrapper/cuda_driver.h"
#include "gpu/wrapper/cuda_handles.h"
#include "gpu/wrapper/cuda_status.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::day {

using namespace tfrt::gpu::cuda;  // NOLINT: the names of the driver

inline double Milliseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

// The median of five rounds, after one that does not count.
inline double Median(const std::function<void()>& work) {
  work();
  double times[5];
  for (double& time : times) time = Milliseconds(work);
  std::ranges::sort(times);
  return times[2];
}

inline std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

// Makes objects of one context, which it ends, and notes the first call that fails.
class Session {
 public:
  static StatusOr<std::unique_ptr<Session>> Open(bool is_short) {
    TFRT_ASSIGN_OR_RETURN(const Driver* driver, Driver::Get());
    TFRT_ASSIGN_OR_RETURN(CUdevice device, driver->FindDevice(0));
    TFRT_ASSIGN_OR_RETURN(auto context, cuda::Context::RetainPrimary(driver->table(), device));
    TFRT_RETURN_IF_ERROR(context->MakeCurrent());
    return std::unique_ptr<Session>(new Session(driver->table(), std::move(context), is_short));
  }
  ~Session() {
    d.cuCtxSynchronize();
    for (CUdeviceptr address : device_) d.cuMemFree_v2(address);
    for (void* memory : pinned_) d.cuMemFreeHost(memory);
  }

  void Check(CUresult result, std::string_view call) {
    if (status.ok()) status = StatusOf(d, result, call);
  }
  CUdeviceptr Allocate(size_t size_bytes) {
    CUdeviceptr address = 0;
    Check(d.cuMemAlloc_v2(&address, size_bytes), "cuMemAlloc_v2");
    if (address) device_.push_back(address);
    return address;
  }
  uint32_t* AllocatePinned(size_t size_bytes) {
    void* memory = nullptr;
    Check(d.cuMemHostAlloc(&memory, size_bytes, 0), "cuMemHostAlloc");
    if (memory) pinned_.push_back(memory);
    return static_cast<uint32_t*>(memory);
  }
  cuda::Stream MakeStream() {
    CUstream stream = nullptr;
    Check(d.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0), "cuStreamCreate");
    return stream ? cuda::Stream(*context_, stream) : cuda::Stream();
  }
  cuda::Event MakeEvent() {
    CUevent event = nullptr;
    Check(d.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    return event ? cuda::Event(*context_, event) : cuda::Event();
  }
  cuda::Module Load(const char* ptx) {
    CUmodule module = nullptr;
    Check(d.cuModuleLoadDataEx(&module, ptx, 0, nullptr, nullptr), "cuModuleLoadDataEx");
    return module ? cuda::Module(*context_, module) : cuda::Module();
  }
  CUfunction Find(const cuda::Module& module, const char* name) {
    CUfunction function = nullptr;
    Check(d.cuModuleGetFunction(&function, module.get(), name), "cuModuleGetFunction");
    return function;
  }
  void Launch(CUfunction function, uint32_t blocks, uint32_t threads, void** parameters,
              CUstream stream) {
    Check(d.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, nullptr),
          "cuLaunchKernel");
  }
  // add_one of the test kernels.
  void AddOne(CUfunction function, CUdeviceptr data, uint32_t n, CUstream stream) {
    void* parameters[] = {&data, &n};
    Launch(function, (n + 127) / 128, 128, parameters, stream);
  }
  void Wait(CUstream stream) { Check(d.cuStreamSynchronize(stream), "cuStreamSynchronize"); }

  const DriverTable& d;
  const bool is_short;
  Status status;

 private:
  Session(const DriverTable& driver, std::unique_ptr<cuda::Context> context, bool is_short)
      : d(driver), is_short(is_short), context_(std::move(context)) {}

  const std::unique_ptr<cuda::Context> context_;
  std::vector<CUdeviceptr> device_;
  std::vector<void*> pinned_;
};

// Times of the library's kernels, as members of a JSON object.
std::string Kernels(Session& s);

}  // namespace tfrt::gpu::day

#endif  // TFRT_TEST_GPU_HARDWARE_GPU_DAY_H_
