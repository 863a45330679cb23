// LimitedAllocator: bounds the memory of one session, so that no request can take all there is.
#ifndef TFRT_LIB_SERVE_MODELS_LIMITED_ALLOCATOR_H_
#define TFRT_LIB_SERVE_MODELS_LIMITED_ALLOCATOR_H_

#include <atomic>
#include <cstddef>
#include <memory>

#include "tfrt/host_context/host_allocator.h"

namespace tfrt::serve {

// Passes requests on while the blocks have at most so many bytes together. Thread-safe. Blocks may
// outlive the owner: the allocator is destroyed with the last of them.
class LimitedAllocator final : public HostAllocator {
 public:
  struct Drop {
    void operator()(LimitedAllocator* allocator) const { allocator->DropUser(); }
  };
  using Owner = std::unique_ptr<LimitedAllocator, Drop>;
  // `upstream` must outlive the allocator and its blocks.
  static Owner Create(HostAllocator* upstream, size_t max_bytes) {
    return Owner(new LimitedAllocator(upstream, max_bytes));
  }

  void* AllocateBytes(size_t size_bytes, size_t alignment) override;
  void DeallocateBytes(void* block, size_t size_bytes) override;

  // Returns whether the limit refused a request since the last call.
  bool TakeRefused() { return has_refused_.exchange(false, std::memory_order_relaxed); }

 private:
  LimitedAllocator(HostAllocator* upstream, size_t max_bytes)
      : upstream_(upstream), max_bytes_(max_bytes) {}
  ~LimitedAllocator() override = default;
  void DropUser() {
    // acq_rel: the thread that deletes sees what all others have done with the allocator.
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  HostAllocator* const upstream_;
  const size_t max_bytes_;
  std::atomic<size_t> users_{1};  // the owner and each block
  // relaxed: a sum that is compared with a limit, and a flag that is read after the run.
  std::atomic<size_t> bytes_{0};
  std::atomic<bool> has_refused_{false};
};

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_LIMITED_ALLOCATOR_H_
