// Memory: bytes of the device or of the host that commands use. Tracks when they are free again.
#ifndef TFRT_GPU_RUNTIME_MEMORY_H_
#define TFRT_GPU_RUNTIME_MEMORY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/abi/cuda_types.h"
#include "point.h"
#include "tfrt/support/ref_count.h"
#include "use_points.h"

namespace tfrt::gpu {

class Context;
class Memory;

// Bytes of a memory, borrowed. The default range is empty.
struct MemoryRange {
  Memory* memory = nullptr;       // null: none, and commands use the address unnoticed
  cuda::CUdeviceptr address = 0;  // for the device
  size_t size_bytes = 0;

  // Returns the address for the host, or null if the host cannot use the memory, or there is none.
  void* host_address() const;
  // Returns a reference, to keep the memory; null if there is none.
  RCReference<Memory> MemoryRef() const;
};

enum class MemoryKind : uint8_t {
  kDevice,      // a block of the context's device allocator
  kPinned,      // page-locked memory of the host, from the context's pool
  kRegistered,  // host memory of another owner, page-locked for the Memory's life
  kGlobal,      // a variable of a module
  kForeign,     // device memory of another owner
};

// Held by references (RCReference<Memory>); keeps its context alive. Stream notes each enqueued
// command that uses it. So the last reference may be dropped as soon as the last command is
// enqueued. The bytes are reused only after all noted commands. Thread-safe.
class Memory {
 public:
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  MemoryKind kind() const { return kind_; }
  // Returns the address for the device, or 0 if there are no bytes.
  cuda::CUdeviceptr address() const { return address_; }
  // Returns the address for the host, or null if the host cannot use it. The device's writes are
  // visible after a wait for a later point.
  void* host_address() const {
    return kind_ == MemoryKind::kPinned || kind_ == MemoryKind::kRegistered
               ? reinterpret_cast<void*>(static_cast<uintptr_t>(address_))
               : nullptr;
  }
  // Returns the requested size.
  size_t size_bytes() const { return size_bytes_; }
  Context& context() const { return *context_; }
  // Returns all bytes.
  MemoryRange bytes() { return {this, address_, size_bytes_}; }
  // Returns some of them. Whoever uses the range checks that they lie in the memory.
  MemoryRange Bytes(size_t offset, size_t size_bytes) {
    return {this, address_ + offset, size_bytes};
  }

  // Notes that a command uses the memory. Streams call it for their own commands. Other code, for
  // example a library that enqueues commands itself, calls it with a Stream::tail taken after them.
  void NoteUse(Point point) const { uses_.Note(point); }
  const UsePoints& uses() const { return uses_; }
  // Returns the commands that use the bytes, by this or by another memory of the same variable.
  std::vector<Point> UsesOfBytes() const;

  void AddRef(uint32_t n = 1) const {
    // relaxed: a new reference is made from one that is already held.
    count_.fetch_add(n, std::memory_order_relaxed);
  }
  void DropRef(uint32_t n = 1) const {
    // acquire: the thread that frees it sees what all others noted. As ReferenceCounted::DropRef.
    if (count_.load(std::memory_order_acquire) == n ||
        count_.fetch_sub(n, std::memory_order_acq_rel) == n) {
      const_cast<Memory*>(this)->Free();
    }
  }

 protected:
  friend class Stream;
  Memory(MemoryKind kind, Context* context) : context_(context), kind_(kind) {}
  ~Memory() = default;

  // Reuses the object, with one reference.
  void Renew(cuda::CUdeviceptr address, size_t size_bytes) {
    address_ = address;
    size_bytes_ = size_bytes;
    // relaxed: no other thread has it yet.
    count_.store(1, std::memory_order_relaxed);
  }

  mutable UsePoints uses_;

 private:
  void Free();  // by kind

  Context* const context_;  // the kind determines how it is kept alive
  cuda::CUdeviceptr address_ = 0;
  size_t size_bytes_ = 0;
  mutable std::atomic<uint32_t> count_{1};
  const MemoryKind kind_;
};

inline void* MemoryRange::host_address() const {
  return memory && memory->host_address() ? reinterpret_cast<void*>(static_cast<uintptr_t>(address))
                                          : nullptr;
}

inline RCReference<Memory> MemoryRange::MemoryRef() const {
  return memory ? FormRef(memory) : RCReference<Memory>();
}

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_MEMORY_H_
