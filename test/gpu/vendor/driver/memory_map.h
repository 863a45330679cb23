// MemoryMap: which allocation an address belongs to, as calls of the host see it.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_MEMORY_MAP_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_MEMORY_MAP_H_

#include <cstdint>
#include <map>
#include <memory>

#include "allocation.h"

namespace tfrt::gpu::cuda_double {

// Maps addresses as calls see them. Running commands see the checker's map, which may lag: here
// stream-ordered memory exists from the call that allocates it to the call that frees it. Guarded
// by the driver's lock.
class MemoryMap {
 public:
  void Add(std::shared_ptr<Allocation> allocation);
  // The allocation that begins there; null if none does.
  std::shared_ptr<Allocation> FindBegin(uint64_t address) const;
  // The one that holds the address; null if none does.
  std::shared_ptr<Allocation> Find(uint64_t address) const;
  // Whether some allocation holds one of these bytes.
  bool Overlaps(uint64_t begin, uint64_t size_bytes) const;
  void Remove(uint64_t begin) { blocks_.erase(begin); }
  // Calls `f(allocation)` for each.
  template <typename F>
  void ForEach(F&& f) const {
    for (const auto& [begin, allocation] : blocks_) f(allocation);
  }
  uint64_t NextId() { return ++num_allocations_; }

 private:
  std::map<uint64_t, std::shared_ptr<Allocation>> blocks_;
  uint64_t num_allocations_ = 0;
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_MEMORY_MAP_H_
