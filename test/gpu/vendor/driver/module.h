// Module, Kernel: loaded device code.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_MODULE_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_MODULE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "abi.h"
#include "context.h"
#include "test/gpu/vendor/ptx/launch.h"
#include "test/gpu/vendor/ptx/module.h"

namespace tfrt::gpu::cuda_double {

// Kept by its kernels, so that a launch which is enqueued when the module is unloaded has its code.
struct Module {
  Context* context = nullptr;
  bool is_unloaded = false;
  std::shared_ptr<const ptx::Module> code;
  std::optional<ptx::Instance> instance;
  std::vector<std::shared_ptr<Allocation>> variables;  // in the order of the code's
  std::map<std::string, CUfunction, std::less<>> kernels;
};

struct Kernel {
  std::shared_ptr<Module> module;
  const ptx::Entry* entry = nullptr;
  bool is_loaded = false;  // the first use of a kernel loads its code
  uint32_t max_dynamic_shared_bytes = 0;
  int preferred_carveout = -1;
};

// Limits of the device that the double is.
inline constexpr uint32_t kMaxThreadsPerBlock = 1024;
inline constexpr uint32_t kMaxBlockDim[3] = {1024, 1024, 64};
inline constexpr uint32_t kMaxGridDim[3] = {2147483647, 65535, 65535};
inline constexpr uint32_t kSharedBytesPerBlock = 48 * 1024;
inline constexpr uint32_t kSharedBytesPerBlockOptIn = 227 * 1024;
inline constexpr uint32_t kSharedBytesPerMultiprocessor = 228 * 1024;
inline constexpr uint32_t kReservedSharedBytesPerBlock = 1024;
inline constexpr uint32_t kThreadsPerMultiprocessor = 2048;
inline constexpr uint32_t kBlocksPerMultiprocessor = 32;
inline constexpr uint32_t kRegistersPerMultiprocessor = 65536;
inline constexpr uint32_t kNumMultiprocessors = 16;
inline constexpr uint32_t kWarpSize = 32;
inline constexpr uint32_t kMaxPitch = 2147483647;  // in bytes, of copies

// The most threads of a block that the kernel can have.
uint32_t MaxThreads(const ptx::Entry& entry);
// How many blocks of so many threads a multiprocessor can hold at once.
uint32_t MaxResidentBlocks(const ptx::Entry& entry, uint32_t num_threads, uint64_t dynamic_bytes);

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_MODULE_H_
