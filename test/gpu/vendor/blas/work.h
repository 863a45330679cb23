// Work that the doubles of cuBLAS and cublasLt put into streams.
#ifndef TFRT_TEST_GPU_VENDOR_BLAS_WORK_H_
#define TFRT_TEST_GPU_VENDOR_BLAS_WORK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "call.h"
#include "gpu/abi/cuda_types.h"

namespace tfrt::gpu::cublas_double {

// How a command uses bytes, as tfrtDoubleRange says it.
enum Use : int32_t { kReads = 0, kWrites = 1, kReadsAndWrites = 2 };

// Puts work into a stream that uses these bytes. It runs on another thread, or never, if the
// context fails before. EXECUTION_FAILED with a driver that refuses it. `name` lives for ever.
cublasStatus_t Enqueue(cuda::CUstream stream, const char* name, std::vector<tfrtDoubleRange> ranges,
                       std::function<void()> work);

// The host's view of the memory of a device, for work that runs.
template <typename T>
T* View(uint64_t address) {
  return static_cast<T*>(tfrtDoubleHostView(address));
}

inline uint64_t AddressOf(const void* device) { return reinterpret_cast<uint64_t>(device); }

}  // namespace tfrt::gpu::cublas_double

#endif  // TFRT_TEST_GPU_VENDOR_BLAS_WORK_H_
