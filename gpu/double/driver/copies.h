// What the copies of the driver share: which memory an address is, and what that means for the
// host.
#ifndef TFRT_GPU_DOUBLE_DRIVER_COPIES_H_
#define TFRT_GPU_DOUBLE_DRIVER_COPIES_H_

#include "gpu/double/driver/call.h"
#include "gpu/double/driver/operations.h"

namespace tfrt::gpu::cuda_double {

enum class Place : uint8_t { kHost, kDevice, kAny };  // what the function says an address is

// The memory at an address. InvalidValue if a device has none there, or if the rows of `shape`
// leave the allocation in which they begin.
CUresult ResolveSide(Driver& driver, Place place, uint64_t address, size_t pitch,
                     size_t rows_per_layer, const CopyShape& shape, CopySide* side);

// Enqueues a copy, with what documentation says about memory of the host: a pageable source has
// been read when the call returns, a pageable destination written, and a copy within the host is
// done; other pinned memory is in flight.
CUresult EnqueueCopy(Call& call, const std::shared_ptr<Stream>& stream, CopySide to, CopySide from,
                     const CopyShape& shape);

// What CUDA_MEMCPY3D describes, for a node of a graph.
CUresult ResolveCopy3D(Call& call, const CUDA_MEMCPY3D& copy, CopySide* to, CopySide* from,
                       CopyShape* shape);

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_GPU_DOUBLE_DRIVER_COPIES_H_
