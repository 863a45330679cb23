// PooledAllocator: keeps freed blocks for later requests of about the same size.
#ifndef TFRT_LIB_RUNTIME_HOST_POOLED_ALLOCATOR_H_
#define TFRT_LIB_RUNTIME_HOST_POOLED_ALLOCATOR_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "tfrt/host_context/host_allocator.h"

namespace tfrt {

// Rounds sizes up by at most an eighth, so that blocks fit requests of similar size. Keeps at most
// as many bytes as were once in use at a time. Thread-safe. Blocks may outlive the owner: the
// allocator is destroyed with the last of them.
class PooledAllocator final : public HostAllocator {
 public:
  struct Drop {
    void operator()(PooledAllocator* allocator) const { allocator->DropUser(); }
  };
  using Owner = std::unique_ptr<PooledAllocator, Drop>;
  // `upstream` must outlive the allocator and its blocks.
  static Owner Create(HostAllocator* upstream) { return Owner(new PooledAllocator(upstream)); }

  void* AllocateBytes(size_t size_bytes, size_t alignment) override;
  void DeallocateBytes(void* block, size_t size_bytes) override;

  struct Statistics {
    size_t blocks = 0;             // blocks taken from upstream, in use or not
    size_t bytes = 0;              // size of these blocks
    size_t peak_bytes = 0;         // the most bytes in use at a time
    size_t requests = 0;           // so far
    size_t upstream_requests = 0;  // requests for which no block was kept
  };
  Statistics statistics() const;
  // Frees the blocks that are not in use.
  void Trim();

 private:
  static constexpr size_t kAlignment = 64;
  static constexpr size_t kStepsPerDoubling = 8;
  static constexpr size_t kMinLog = 9;  // smaller blocks differ by kAlignment
  static constexpr size_t kNumClasses = (64 - kMinLog) * kStepsPerDoubling;

  struct SizeClass {
    size_t index;
    size_t bytes;  // size of its blocks; 0: no block can be so large
  };
  static SizeClass ClassOf(size_t size_bytes);

  struct FreeBlock {
    FreeBlock* next;
  };

  explicit PooledAllocator(HostAllocator* upstream) : upstream_(upstream) {}
  ~PooledAllocator() override;
  void* AllocateUnusual(size_t size_bytes, size_t alignment);
  void TrimTo(size_t free_bytes);
  void DropUser() {
    // acq_rel: the thread that deletes sees what all others have done with the allocator.
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  HostAllocator* const upstream_;
  std::atomic<size_t> users_{1};  // the owner and each block

  mutable std::mutex mutex_;  // guards the members below
  std::array<FreeBlock*, kNumClasses> free_ = {};
  size_t free_bytes_ = 0;
  size_t bytes_in_use_ = 0;
  std::vector<void*> unusual_;  // blocks of a larger alignment, which are not kept
  Statistics statistics_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_HOST_POOLED_ALLOCATOR_H_
