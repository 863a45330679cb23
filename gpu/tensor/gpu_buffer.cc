#include "gpu_buffer.h"

#include <cstdio>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

GpuBuffer::GpuBuffer(RCReference<Memory> memory) {
  if (!memory || memory->size_bytes() == 0) return;
  address_ = memory->address();
  size_bytes_ = memory->size_bytes();
  // relaxed here and where values move: nobody else has the buffer yet.
  memory_.store(memory.release(), std::memory_order_relaxed);
}

GpuBuffer::GpuBuffer(RCReference<Memory> memory, cuda::CUdeviceptr address, size_t size_bytes)
    : memory_(memory.release()), address_(address), size_bytes_(size_bytes) {}

GpuBuffer::GpuBuffer(GpuBuffer&& other) noexcept
    : memory_(other.memory_.exchange(nullptr, std::memory_order_relaxed)),
      address_(std::exchange(other.address_, 0)),
      size_bytes_(std::exchange(other.size_bytes_, 0)),
      uses_(other.uses_.load(std::memory_order_relaxed) & kReleased) {}

GpuBuffer::~GpuBuffer() { Drop(); }

void GpuBuffer::Release() {
  // acq_rel: as EndUse.
  if (uses_.fetch_or(kReleased, std::memory_order_acq_rel) == 0) Drop();
}

// Uses that begin behind a release end here, too, and find nothing left.
void GpuBuffer::Drop() const {
  // acq_rel: as EndUse.
  if (Memory* memory = memory_.exchange(nullptr, std::memory_order_acq_rel)) memory->DropRef();
}

StatusOr<GpuBuffer> GpuBuffer::View(uint64_t offset_bytes, uint64_t size_bytes) const {
  Use use(*this);
  if (offset_bytes > use.size_bytes() || size_bytes > use.size_bytes() - offset_bytes) {
    return InvalidArgumentError(StrCat("buffer size (", use.size_bytes(),
                                       ") is smaller than offset (", offset_bytes, ") plus size (",
                                       size_bytes, ")"));
  }
  if (size_bytes == 0) return GpuBuffer();
  return GpuBuffer(use.MemoryRef(), use.address() + offset_bytes, size_bytes);
}

std::string GpuBuffer::ToString() const {
  Use use(*this);
  return StrCat("GpuBuffer<pointer=", PointerText(use.address()), ", size=", use.size_bytes(), ">");
}

void* GpuBuffer::Use::host_address() const {
  if (!memory_ || !memory_->host_address()) return nullptr;
  return static_cast<std::byte*>(memory_->host_address()) + (address_ - memory_->address());
}

RCReference<Memory> GpuBuffer::Use::MemoryRef() const {
  return memory_ ? FormRef(memory_) : RCReference<Memory>();
}

std::string PointerText(cuda::CUdeviceptr address) {
  char text[40];
  std::snprintf(text, sizeof(text), "0x%llx (%s)", static_cast<unsigned long long>(address),
                address != 0 ? "CUDA" : "NONE");
  return text;
}

}  // namespace tfrt::gpu
