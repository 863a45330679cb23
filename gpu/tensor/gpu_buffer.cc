#include "gpu_buffer.h"

#include <cstdio>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

GpuBuffer::GpuBuffer(RCReference<Memory> memory) {
  if (memory && memory->size_bytes() != 0) range_ = memory.release()->bytes();
}

GpuBuffer::GpuBuffer(GpuBuffer&& other) noexcept
    : range_(std::exchange(other.range_, {})),
      // relaxed: nobody else has the buffer yet.
      uses_(other.uses_.load(std::memory_order_relaxed)) {}

GpuBuffer::~GpuBuffer() { Drop(); }

void GpuBuffer::Release() {
  // acq_rel: as EndUse.
  if (uses_.fetch_or(kReleased, std::memory_order_acq_rel) == 0) Drop();
}

// Uses that begin behind a release end here, too.
void GpuBuffer::Drop() const {
  if (!range_.memory) return;
  // acq_rel: as EndUse.
  if ((uses_.fetch_or(kDropped, std::memory_order_acq_rel) & kDropped) == 0) {
    range_.memory->DropRef();
  }
}

StatusOr<GpuBuffer> GpuBuffer::View(uint64_t offset_bytes, uint64_t size_bytes) const {
  Use use(*this);
  if (offset_bytes > use->size_bytes || size_bytes > use->size_bytes - offset_bytes) {
    return InvalidArgumentError(StrCat("buffer size (", use->size_bytes,
                                       ") is smaller than offset (", offset_bytes, ") plus size (",
                                       size_bytes, ")"));
  }
  if (size_bytes == 0) return GpuBuffer();
  return GpuBuffer({use->MemoryRef().release(), use->address + offset_bytes, size_bytes});
}

std::string GpuBuffer::ToString() const {
  Use use(*this);
  return StrCat("GpuBuffer<pointer=", PointerText(use->address), ", size=", use->size_bytes, ">");
}

std::string PointerText(cuda::CUdeviceptr address) {
  char text[40];
  std::snprintf(text, sizeof(text), "0x%llx (%s)", static_cast<unsigned long long>(address),
                address != 0 ? "CUDA" : "NONE");
  return text;
}

}  // namespace tfrt::gpu
