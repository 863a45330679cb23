// The CUDA driver: opened, checked and ready to be called.
#ifndef TFRT_GPU_WRAPPER_CUDA_DRIVER_H_
#define TFRT_GPU_WRAPPER_CUDA_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/abi/cuda_driver_table.h"
#include "gpu/abi/cuda_types.h"
#include "shared_library.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::cuda {

// Thread-safe. A driver that has been opened is never closed, and neither it nor its table is
// destroyed: calls may still come while the process exits. A process that has opened one must not
// fork and go on using it in the child; that is the driver's rule.
class Driver {
 public:
  // Returns the driver of this process, opened by the first call that finds one, and the same ever
  // after. Until one is found each call searches again. Never called at start, but by the first op
  // that needs a GPU.
  //
  // Errors, each with the file or the places it is about:
  //   NotFound             no libcuda.so.1 in any of the places
  //   FailedPrecondition   it cannot be loaded, is older than kMinDriverVersion, or lacks functions
  //   that of CodeOf       cuInit fails, with the vendor's name for it; NotFound: no device
  static StatusOr<const Driver*> Get(std::vector<std::string> more_folders = {});
  // As above, but found as `search` says. The same file gives the same driver.
  static StatusOr<const Driver*> Open(const LibrarySearch& search);

  // One that is there already. `version` as the driver tells it: 12040 is CUDA 12.4. `path` is for
  // messages.
  Driver(DriverTable table, int version, std::string path);
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  const DriverTable& table() const { return table_; }
  int version() const { return version_; }
  const std::string& path() const { return path_; }

  // May be 0. FailedPrecondition in a process that was forked after the driver was opened.
  StatusOr<int> NumDevices() const;
  // NotFound if there are not so many devices.
  StatusOr<CUdevice> FindDevice(int ordinal) const;
  StatusOr<std::string> DeviceName(CUdevice device) const;
  StatusOr<int> DeviceAttribute(CUdevice device, CUdevice_attribute attribute) const;
  StatusOr<size_t> DeviceMemoryBytes(CUdevice device) const;

 private:
  const DriverTable table_;
  const int version_;
  const std::string path_;
  const uint32_t fork_generation_;
};

// "12.4" of 12040.
std::string VersionText(int version);

}  // namespace tfrt::gpu::cuda

#endif  // TFRT_GPU_WRAPPER_CUDA_DRIVER_H_
