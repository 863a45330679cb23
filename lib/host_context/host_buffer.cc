#include "tfrt/host_context/host_buffer.h"

#include "tfrt/host_context/host_allocator.h"

namespace tfrt {

RCReference<HostBuffer> HostBuffer::CreateUninitialized(size_t size_bytes, size_t alignment,
                                                        HostAllocator* allocator) {
  void* data = allocator->AllocateBytes(size_bytes, alignment);
  if (!data) return nullptr;
  auto buffer = TakeRef(new HostBuffer(data, size_bytes));
  buffer->allocator_ = allocator;
  return buffer;
}

RCReference<HostBuffer> HostBuffer::CreateFromExternal(void* data, size_t size_bytes,
                                                       Deallocator deallocator) {
  auto buffer = TakeRef(new HostBuffer(data, size_bytes));
  buffer->deallocator_ = std::move(deallocator);
  return buffer;
}

RCReference<HostBuffer> HostBuffer::CreateFromConstant(const void* data, size_t size_bytes) {
  auto buffer = TakeRef(new HostBuffer(const_cast<void*>(data), size_bytes));
  buffer->constant_ = true;
  return buffer;
}

RCReference<HostBuffer> HostBuffer::CreateSlice(RCReference<HostBuffer> parent,
                                                size_t offset_bytes, size_t size_bytes) {
  if (offset_bytes > parent->size() || size_bytes > parent->size() - offset_bytes) return nullptr;
  auto* data = static_cast<char*>(parent->data()) + offset_bytes;
  auto buffer = TakeRef(new HostBuffer(data, size_bytes));
  buffer->parent_ = std::move(parent);
  return buffer;
}

bool HostBuffer::IsExclusiveDataOwner() const {
  for (const HostBuffer* buffer = this; buffer; buffer = buffer->parent_.get()) {
    if (buffer->constant_ || !buffer->IsUnique()) return false;
  }
  return true;
}

HostBuffer::~HostBuffer() {
  if (allocator_) allocator_->DeallocateBytes(data_, size_);
  if (deallocator_) deallocator_(data_, size_);
}

}  // namespace tfrt
