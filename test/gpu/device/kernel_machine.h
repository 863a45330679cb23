// What executes kernels in tests: the executor of PTX, which sees each access, or a driver, which
// may be that of a GPU. A program is linked with one of them.
#ifndef TFRT_TEST_GPU_DEVICE_KERNEL_MACHINE_H_
#define TFRT_TEST_GPU_DEVICE_KERNEL_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/device_code/device_code.h"
#include "gpu/device_code/launch.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// An argument of a kernel as it is passed; a pointer names one of the buffers, or is null.
struct KernelArgument {
  std::byte bytes[8] = {};
  size_t size = 0;
  bool is_pointer = false;
};

struct KernelBuffer {
  std::unique_ptr<std::byte[]> bytes;
  size_t size = 0;
  std::vector<bool> is_defined;  // of bytes
  bool is_scratch = false;       // may be written in part
};
using KernelBuffers = std::map<uint64_t, KernelBuffer>;  // by what pointers to them are

// Bytes that threads read and wrote in global memory, and those of the pieces of 32 bytes that
// instructions of warps touched.
struct KernelTraffic {
  uint64_t read_bytes = 0;
  uint64_t written_bytes = 0;
  uint64_t moved_bytes = 0;
};

// Not thread-safe.
class KernelMachine {
 public:
  virtual ~KernelMachine() = default;

  // Runs a kernel to its end: reads and writes the buffers that arguments name. Returns what went
  // wrong, if anything.
  virtual std::vector<std::string> Run(const DeviceKernel& kernel, const DeviceLaunch& launch,
                                       std::span<const KernelArgument> arguments,
                                       KernelBuffers& buffers) = 0;
  // The traffic of the last run; 0 where the machine does not count.
  virtual KernelTraffic last_traffic() const { return {}; }
};

// The machine of this process; lives for ever. NotFound where this machine has none: a reason to
// skip tests. Other errors are failures.
StatusOr<KernelMachine*> GetKernelMachine();

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_DEVICE_KERNEL_MACHINE_H_
