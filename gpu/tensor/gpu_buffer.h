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

  // Gives access to the range of a buffer, which stays as it is for the life of this.
  class Use {
   public:
    Use() = default;
    explicit Use(const GpuBuffer& buffer) : buffer_(&buffer) { buffer.BeginUse(this); }
    Use(Use&& other) noexcept : Use() { *this = std::move(other); }
    Use& operator=(Use&& other) noexcept {
      std::swap(buffer_, other.buffer_);
      std::swap(range_, other.range_);
      return *this;
    }
    ~Use() {
      if (buffer_) buffer_->EndUse();
    }

    bool is_empty() const { return range_.memory == nullptr; }
    // The range lives as long as this.
    const MemoryRange& operator*() const { return range_; }
    const MemoryRange* operator->() const { return &range_; }

   private:
    friend class GpuBuffer;
    const GpuBuffer* buffer_ = nullptr;
    MemoryRange range_;
  };

  // The bytes [offset, offset + size). InvalidArgument "buffer size (8) is smaller than offset (4)
  // plus size (16)".
  StatusOr<GpuBuffer> View(uint64_t offset_bytes, uint64_t size_bytes) const;
  // Gives its reference up, at once or when the last Use ends, and is empty from now on.
  void Release();

  // "GpuBuffer<pointer=0x7f2a40000000 (CUDA), size=64>"
  std::string ToString() const;

 private:
  // Takes over a reference to the range's memory.
  explicit GpuBuffer(const MemoryRange& range) : range_(range) {}
  void BeginUse(Use* use) const {
    // acquire: a thread that sees no release sees the range that the buffer was made with. One that
    // sees a release does not read it.
    if ((uses_.fetch_add(kOneUse, std::memory_order_acquire) & kReleased) == 0)
      use->range_ = range_;
  }
  void EndUse() const {
    // acq_rel: dropping the reference comes after everything that was done in uses.
    if (uses_.fetch_sub(kOneUse, std::memory_order_acq_rel) == (kOneUse | kReleased)) Drop();
  }
  void Drop() const;

  static constexpr uint32_t kReleased = 1, kDropped = 2, kOneUse = 4;

  MemoryRange range_;  // empty, or with one reference to its memory until it is dropped
  // kOneUse for each use, and what has happened to the reference.
  mutable std::atomic<uint32_t> uses_{0};
};

// "0x7f2a40000000 (CUDA)", "0x0 (NONE)".
std::string PointerText(cuda::CUdeviceptr address);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_TENSOR_GPU_BUFFER_H_
