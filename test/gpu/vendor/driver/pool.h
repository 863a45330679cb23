// Pool: stream-ordered memory.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_POOL_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_POOL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "abi.h"
#include "command.h"
#include "context.h"

namespace tfrt::gpu::cuda_double {

struct Driver;

// A freed block is reused only for a request that is ordered after the free, by the stream or by
// events. The documentation allows more reuse; this part of it does not depend on timing. Guarded
// by the driver's lock.
struct Pool {
  struct FreeBlock {
    uint64_t begin, capacity;
    std::shared_ptr<Command> freed_by;
  };

  CUmemoryPool handle = nullptr;
  Device* device = nullptr;
  bool is_default = false;
  bool is_destroyed = false;  // it keeps nothing, and goes with what was taken from it
  uint64_t max_bytes = 0;     // 0: the device's limit
  int reuse_follow_event_dependencies = 1;
  int reuse_allow_opportunistic = 1;
  int reuse_allow_internal_dependencies = 1;
  uint64_t release_threshold = 0;
  uint64_t reserved_bytes = 0, reserved_high = 0;
  uint64_t used_bytes = 0, used_high = 0;
  std::set<int> accessible_from;  // ordinals of other devices
  std::vector<FreeBlock> free_blocks;
  std::map<uint64_t, uint64_t> capacities;  // of blocks in use, by address
};

// Returns an address for `size_bytes` that a command with this clock may use; 0 if memory is
// exhausted. Sets `reuses_block` if it is that of a block that was freed.
uint64_t TakeFromPool(Pool& pool, const VectorClock& clock, uint64_t size_bytes,
                      bool* reuses_block);
// The block is free for what is ordered behind the command.
void ReturnToPool(Pool& pool, uint64_t address, uint64_t size_bytes,
                  std::shared_ptr<Command> freed_by);
// Gives free blocks to the device whose frees have run, until `keep_bytes` are left at most.
void TrimPool(Pool& pool, uint64_t keep_bytes);

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_POOL_H_
