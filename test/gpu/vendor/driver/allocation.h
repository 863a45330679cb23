// Allocation: a block of memory that a device can use.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_ALLOCATION_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_ALLOCATION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "interval_set.h"

namespace tfrt::gpu::cuda_double {

struct Context;
struct Device;
struct Pool;

enum class MemoryKind : uint8_t {
  kDevice,      // cuMemAlloc
  kPool,        // stream-ordered
  kGlobal,      // a module's variable
  kPinned,      // host memory that the driver allocated
  kRegistered,  // host memory of the program's
};

inline bool IsHost(MemoryKind kind) {
  return kind == MemoryKind::kPinned || kind == MemoryKind::kRegistered;
}

// Shared by the maps of memory and by commands that use it. A command that runs too late can
// therefore detect that its memory is freed.
struct Allocation {
  Allocation() = default;
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation();  // unmaps pinned memory, which no command can touch any more

  bool Holds(uint64_t address, uint64_t num_bytes) const {
    return address >= begin && num_bytes <= size_bytes && address - begin <= size_bytes - num_bytes;
  }
  std::byte* At(uint64_t address) const { return data + (address - begin); }
  // "allocation 7 (4096 bytes of device 0)".
  std::string Name() const;

  // Never changes.
  uint64_t id = 0;  // n-th of the process, from 1
  MemoryKind kind = MemoryKind::kDevice;
  uint64_t begin = 0;         // the address that devices use
  uint64_t size_bytes = 0;    // as asked for
  std::byte* data = nullptr;  // the host's view
  Device* device = nullptr;   // null for memory of the host
  Context* context = nullptr;
  Pool* pool = nullptr;
  bool reuses_block = false;  // of a pool, instead of memory that the device gave it
  bool writable = true;       // by kernels
  unsigned flags = 0;         // of cuMemHostAlloc, cuMemHostRegister

  // How commands that have run see it. Guarded by the checker.
  enum class State : uint8_t { kPending, kLive, kFreed } state = State::kLive;
  uint64_t changed_by = 0;  // the operation that made it live or freed it
  IntervalSet defined;      // bytes that something has written; not kept for memory of the host
  bool all_defined = false;

  // Commands that are enqueued and not done, where they use memory of the host. Guarded by the
  // driver's lock.
  struct PendingUse {
    enum class Kind : uint8_t {
      kRead,
      kWrite,
      kAny,  // perhaps none: which bytes a kernel uses is known when it has run
    };
    uint64_t command, begin, end;
    Kind kind;
  };
  std::vector<PendingUse> pending_uses;
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_ALLOCATION_H_
