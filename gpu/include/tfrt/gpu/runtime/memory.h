// Memory: bytes that commands use, of the device or of the host, and when they are free again.
#ifndef TFRT_GPU_RUNTIME_MEMORY_H_
#define TFRT_GPU_RUNTIME_MEMORY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tfrt/gpu/abi/cuda_types.h"
#include "tfrt/gpu/runtime/point.h"
#include "tfrt/gpu/runtime/use_points.h"
#include "tfrt/support/ref_count.h"

namespace tfrt::gpu {

class Context;

enum class MemoryKind : uint8_t {
  kDevice,      // a block of the context's device allocator
  kPinned,      // page-locked memory of the host, from the context's pool
  kRegistered,  // memory of somebody else in the host, page-locked for its life
  kGlobal,      // a variable of a module
};

// Held by references (RCReference<Memory>); keeps its context. Whoever enqueues a command that uses
// it has Stream note that, so the last reference may go as soon as the last command is enqueued:
// the bytes are used for something else only where that is ordered behind all noted commands.
// Thread-safe.
class Memory {
 public:
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  MemoryKind kind() const { return kind_; }
  // For the device. 0 if there are no bytes.
  cuda::CUdeviceptr address() const { return address_; }
  // For the host; null if it cannot use it. What the device writes is there when a point behind
  // that has been waited for.
  void* host_address() const {
    return kind_ == MemoryKind::kPinned || kind_ == MemoryKind::kRegistered
               ? reinterpret_cast<void*>(static_cast<uintptr_t>(address_))
               : nullptr;
  }
  // As asked for.
  size_t size_bytes() const { return size_bytes_; }
  Context& context() const { return *context_; }

  // A command uses the memory. Streams do this for what they are given; it is for commands that
  // are enqueued by others, such as a library, behind which Stream::tail is taken.
  void NoteUse(Point point) const { uses_.Note(point); }
  const UsePoints& uses() const { return uses_; }
  // The commands that use the bytes, by this or by another memory of the same variable.
  std::vector<Point> UsesOfBytes() const;

  void AddRef(uint32_t n = 1) const {
    // relaxed: a new reference is made from one that is already held.
    count_.fetch_add(n, std::memory_order_relaxed);
  }
  void DropRef(uint32_t n = 1) const {
    // acquire: who frees it sees what all others noted. As ReferenceCounted::DropRef.
    if (count_.load(std::memory_order_acquire) == n ||
        count_.fetch_sub(n, std::memory_order_acq_rel) == n) {
      const_cast<Memory*>(this)->Free();
    }
  }

 protected:
  friend class Stream;
  Memory(MemoryKind kind, Context* context) : context_(context), kind_(kind) {}
  ~Memory() = default;

  // Gives it a new life, with one reference.
  void Renew(cuda::CUdeviceptr address, size_t size_bytes) {
    address_ = address;
    size_bytes_ = size_bytes;
    // relaxed: nobody else has it yet.
    count_.store(1, std::memory_order_relaxed);
  }

  mutable UsePoints uses_;

 private:
  void Free();  // by kind

  Context* const context_;  // how it is kept is the kind's business
  cuda::CUdeviceptr address_ = 0;
  size_t size_bytes_ = 0;
  mutable std::atomic<uint32_t> count_{1};
  const MemoryKind kind_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_MEMORY_H_
