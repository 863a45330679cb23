// Helpers that the driver's copies share: they find the memory of an address, and its consequences
// for the host.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_COPIES_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_COPIES_H_

#include "call.h"
#include "operations.h"

namespace tfrt::gpu::cuda_double {

enum class Place : uint8_t { kHost, kDevice, kAny };  // what the function says an address is

// The memory at an address. InvalidValue if a device has none there, or if the rows of `shape`
// leave the allocation in which they begin.
CUresult ResolveSide(Driver& driver, Place place, uint64_t address, size_t pitch,
                     size_t rows_per_layer, const CopyShape& shape, CopySide* side);

// Enqueues a copy, with the documented behaviour for memory of the host. When the call returns, a
// pageable source has been read, a pageable destination written, and a copy within the host is
// done. Other pinned memory is in flight.
CUresult EnqueueCopy(Call& call, const std::shared_ptr<Stream>& stream, CopySide to, CopySide from,
                     const CopyShape& shape);

// Resolves the copy that CUDA_MEMCPY3D describes, for a node of a graph.
CUresult ResolveCopy3D(Call& call, const CUDA_MEMCPY3D& copy, CopySide* to, CopySide* from,
                       CopyShape* shape);

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_COPIES_H_
