// LimitedAllocator: refuses what goes beyond a limit.
#ifndef TFRT_TEST_FUZZ_LIMITED_ALLOCATOR_H_
#define TFRT_TEST_FUZZ_LIMITED_ALLOCATOR_H_

#include <cstddef>
#include <memory>

#include "tfrt/host_context/host_allocator.h"

namespace tfrt {

// For one thread.
class LimitedAllocator : public HostAllocator {
 public:
  explicit LimitedAllocator(size_t limit) : limit_(limit), malloc_(CreateMallocAllocator()) {}
  void* AllocateBytes(size_t size, size_t alignment) override {
    // An allocator may need as much memory again to find an aligned place.
    if (size > limit_ - used_ || alignment > limit_) return nullptr;
    void* memory = malloc_->AllocateBytes(size, alignment);
    if (memory) used_ += size;
    return memory;
  }
  void DeallocateBytes(void* memory, size_t size) override {
    if (memory) used_ -= size;
    malloc_->DeallocateBytes(memory, size);
  }
  size_t used() const { return used_; }

 private:
  const size_t limit_;
  size_t used_ = 0;
  std::unique_ptr<HostAllocator> malloc_;
};

}  // namespace tfrt

#endif  // TFRT_TEST_FUZZ_LIMITED_ALLOCATOR_H_
