// HostAllocator: allocates the memory of tensors and buffers.
#ifndef TFRT_HOST_CONTEXT_HOST_ALLOCATOR_H_
#define TFRT_HOST_CONTEXT_HOST_ALLOCATOR_H_

#include <cstddef>
#include <memory>

namespace tfrt {

// Thread-safe.
class HostAllocator {
 public:
  virtual ~HostAllocator() = default;
  // Returns null if the request cannot be met. `alignment` is a power of two.
  virtual void* AllocateBytes(size_t size_bytes, size_t alignment) = 0;
  // `size_bytes` is the size that was requested.
  virtual void DeallocateBytes(void* block, size_t size_bytes) = 0;
  // Returns true if this allocator checks for leaks and some block is still allocated. Prints the
  // leaks.
  virtual bool ReportLeaks() { return false; }
};

std::unique_ptr<HostAllocator> CreateMallocAllocator();
// Prints its profile to standard output when destroyed.
std::unique_ptr<HostAllocator> CreateProfiledAllocator();
// ReportLeaks prints the profile and the leak to standard output if anything is still allocated.
std::unique_ptr<HostAllocator> CreateLeakCheckAllocator();
// For tests: fails when more than `capacity_bytes` would be in use at once. Requests of at most 32
// bytes are not counted. Logs every request.
std::unique_ptr<HostAllocator> CreateFixedSizeAllocator(size_t capacity_bytes = 1024);

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_HOST_ALLOCATOR_H_
