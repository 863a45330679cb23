#include "tfrt/host_context/host_allocator.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "lib/base/support/large_pages.h"
#include "lib/base/support/logging.h"

namespace tfrt {
namespace {

void* AllocateAligned(size_t size_bytes, size_t alignment) {
  alignment = std::max(alignment, alignof(std::max_align_t));
  if (size_bytes > SIZE_MAX - alignment) return nullptr;
  // aligned_alloc wants a size that is a positive multiple of the alignment.
  size_t rounded = std::max(alignment, (size_bytes + alignment - 1) / alignment * alignment);
  void* block = std::aligned_alloc(alignment, rounded);
  AskForLargePages(block, rounded);
  return block;
}

class MallocAllocator : public HostAllocator {
 public:
  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    return AllocateAligned(size_bytes, alignment);
  }
  void DeallocateBytes(void* block, size_t) override { std::free(block); }
};

// relaxed throughout: statistics, read when the program is quiet.
class ProfiledAllocator : public HostAllocator {
 public:
  explicit ProfiledAllocator(bool prints_at_end) : prints_at_end_(prints_at_end) {}
  ~ProfiledAllocator() override {
    if (prints_at_end_) PrintProfile();
  }

  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    void* block = AllocateAligned(size_bytes, alignment);
    if (!block) return nullptr;
    total_allocations_.fetch_add(1, std::memory_order_relaxed);
    Raise(max_allocations_, Add(allocations_, 1));
    Raise(max_bytes_, Add(bytes_, static_cast<int64_t>(size_bytes)));
    return block;
  }
  void DeallocateBytes(void* block, size_t size_bytes) override {
    if (!block) return;
    Add(allocations_, -1);
    Add(bytes_, -static_cast<int64_t>(size_bytes));
    std::free(block);
  }

 protected:
  using Counter = std::atomic<int64_t>;
  static long long Get(const Counter& counter) { return counter.load(std::memory_order_relaxed); }
  void PrintProfile() const {
    std::printf("HostAllocator profile:\n");
    std::printf("Current number of allocations = %lld\n", Get(allocations_));
    std::printf("Max number of allocations = %lld\n", Get(max_allocations_));
    std::printf("Total number of allocations = %lld\n", Get(total_allocations_));
    std::printf("Current number of bytes allocated = %lld\n", Get(bytes_));
    std::printf("Max number of bytes allocated = %lld\n", Get(max_bytes_));
    std::fflush(stdout);
  }

  Counter allocations_{0};
  Counter bytes_{0};

 private:
  static int64_t Add(Counter& counter, int64_t delta) {
    return counter.fetch_add(delta, std::memory_order_relaxed) + delta;
  }
  static void Raise(Counter& maximum, int64_t value) {
    int64_t old = maximum.load(std::memory_order_relaxed);
    while (old < value && !maximum.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
    }
  }

  const bool prints_at_end_;
  Counter max_allocations_{0};
  Counter total_allocations_{0};
  Counter max_bytes_{0};
};

class LeakCheckAllocator : public ProfiledAllocator {
 public:
  LeakCheckAllocator() : ProfiledAllocator(/*prints_at_end=*/false) {}
  bool ReportLeaks() override {
    if (Get(bytes_) == 0) return false;
    PrintProfile();
    std::printf("Memory leak detected: %lld alive allocations, %lld alive bytes\n",
                Get(allocations_), Get(bytes_));
    std::fflush(stdout);
    return true;
  }
};

class FixedSizeAllocator : public HostAllocator {
 public:
  explicit FixedSizeAllocator(size_t capacity) : available_(capacity) {}

  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    if (size_bytes > kFreeOfCharge) {
      // relaxed: only the number itself is shared.
      size_t available = available_.load(std::memory_order_relaxed);
      do {
        if (size_bytes > available) {
          TFRT_LOG(ERROR) << "Attempted to allocate " << size_bytes
                          << " bytes. However current capacity is only " << available << ".";
          return nullptr;
        }
      } while (!available_.compare_exchange_weak(available, available - size_bytes,
                                                 std::memory_order_relaxed));
      void* block = AllocateAligned(size_bytes, alignment);
      if (!block) {
        available_.fetch_add(size_bytes, std::memory_order_relaxed);
        return nullptr;
      }
      TFRT_LOG(INFO) << "Allocating " << size_bytes << " bytes. " << available - size_bytes
                     << " remaining.";
      return block;
    }
    return AllocateAligned(size_bytes, alignment);
  }
  void DeallocateBytes(void* block, size_t size_bytes) override {
    if (!block) return;
    if (size_bytes > kFreeOfCharge) {
      size_t available = available_.fetch_add(size_bytes, std::memory_order_relaxed) + size_bytes;
      TFRT_LOG(INFO) << "Freeing " << size_bytes << " bytes. " << available << " available.";
    }
    std::free(block);
  }

 private:
  static constexpr size_t kFreeOfCharge = 32;
  std::atomic<size_t> available_;
};

}  // namespace

std::unique_ptr<HostAllocator> CreateMallocAllocator() {
  return std::make_unique<MallocAllocator>();
}
std::unique_ptr<HostAllocator> CreateProfiledAllocator() {
  return std::make_unique<ProfiledAllocator>(/*prints_at_end=*/true);
}
std::unique_ptr<HostAllocator> CreateLeakCheckAllocator() {
  return std::make_unique<LeakCheckAllocator>();
}
std::unique_ptr<HostAllocator> CreateFixedSizeAllocator(size_t capacity_bytes) {
  return std::make_unique<FixedSizeAllocator>(capacity_bytes);
}

}  // namespace tfrt
