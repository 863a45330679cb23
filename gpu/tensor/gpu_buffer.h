// GpuBuffer: the value of `!tfrt_gpu.buffer`: bytes that commands may use, of a device or of the
// host.
#ifndef TFRT_GPU_TENSOR_GPU_BUFFER_H_
#define TFRT_GPU_TENSOR_GPU_BUFFER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/abi/cuda_types.h"
#include "gpu/runtime/memory.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// A range of a memory, to which it has a reference: all of it, or a view, which keeps the memory as
// its parent does. Empty: no bytes and no address, as in a buffer of size 0 and in a released one.
// Immutable except for Release. Thread-safe, also against Release: a reader of the range holds a
// Use for as long as it needs the range.
class GpuBuffer {
 public:
  static constexpr std::string_view kProgramTypeName = "gpu buffer";
  GpuBuffer() = default;
  // All of `memory`, which may be of size 0.
  explicit GpuBuffer(RCReference<Memory> memory);
  // Moves only values that are not shared yet.
  GpuBuffer(GpuBuffer&& other) noexcept;
  GpuBuffer& operator=(GpuBuffer&&) = delete;
  ~GpuBuffer();

  // Gives access to a buffer, which stays as it is for the life of this. Null and 0 if it is empty.
  class Use {
   public:
    Use() = default;
    explicit Use(const GpuBuffer& buffer) : buffer_(&buffer) { buffer.BeginUse(this); }
    Use(Use&& other) noexcept : Use() { *this = std::move(other); }
    Use& operator=(Use&& other) noexcept {
      std::swap(buffer_, other.buffer_);
      std::swap(memory_, other.memory_);
      std::swap(address_, other.address_);
      std::swap(size_bytes_, other.size_bytes_);
      return *this;
    }
    ~Use() {
      if (buffer_) buffer_->EndUse();
    }

    const Memory* memory() const { return memory_; }
    // Lives as long as this.
    const cuda::CUdeviceptr& address() const { return address_; }
    size_t size_bytes() const { return size_bytes_; }
    bool is_empty() const { return memory_ == nullptr; }
    // For the host; null if it cannot use the memory, or there is none.
    void* host_address() const;
    // The memory, to be kept for longer.
    RCReference<Memory> MemoryRef() const;

   private:
    friend class GpuBuffer;
    const GpuBuffer* buffer_ = nullptr;
    Memory* memory_ = nullptr;
    cuda::CUdeviceptr address_ = 0;
    size_t size_bytes_ = 0;
  };

  // The bytes [offset, offset + size). InvalidArgument "buffer size (8) is smaller than offset (4)
  // plus size (16)".
  StatusOr<GpuBuffer> View(uint64_t offset_bytes, uint64_t size_bytes) const;
  // Gives its reference up, at once or when the last Use ends, and is empty from now on.
  void Release();

  // "GpuBuffer<pointer=0x7f2a40000000 (CUDA), size=64>"
  std::string ToString() const;

 private:
  GpuBuffer(RCReference<Memory> memory, cuda::CUdeviceptr address, size_t size_bytes);
  void BeginUse(Use* use) const {
    // acquire: a thread that sees no release sees the values that the buffer was made with; one
    // that sees a release does not read it.
    if (uses_.fetch_add(kOneUse, std::memory_order_acquire) & kReleased) return;
    // relaxed: it is not dropped while a use from before the release lasts.
    use->memory_ = memory_.load(std::memory_order_relaxed);
    if (!use->memory_) return;
    use->address_ = address_;
    use->size_bytes_ = size_bytes_;
  }
  void EndUse() const {
    // acq_rel: dropping the reference comes after everything that was done in uses.
    if (uses_.fetch_sub(kOneUse, std::memory_order_acq_rel) == (kOneUse | kReleased)) Drop();
  }
  void Drop() const;

  static constexpr uint32_t kReleased = 1, kOneUse = 2;

  // One reference; null if it is empty or has been dropped.
  mutable std::atomic<Memory*> memory_{nullptr};
  cuda::CUdeviceptr address_ = 0;
  size_t size_bytes_ = 0;
  // Twice the number of uses, plus one when released.
  mutable std::atomic<uint32_t> uses_{0};
};

// "0x7f2a40000000 (CUDA)", "0x0 (NONE)".
std::string PointerText(cuda::CUdeviceptr address);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_TENSOR_GPU_BUFFER_H_
