#include "tfrt/host_context/host_buffer.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "tfrt/host_context/host_allocator.h"
#include "tfrt/tracing/record.h"

namespace tfrt {
namespace {

// Bytes from an inline buffer to its data.
constexpr size_t HeaderSize(size_t alignment) {
  return (sizeof(HostBuffer) + alignment - 1) / alignment * alignment;
}
static_assert(HeaderSize(HostBuffer::kMaxInlineAlignment) == HostBuffer::kMaxInlineAlignment,
              "a header of more than one cache line");

// Memory of buffers that is asked for and given back.
constexpr tracing::RecordType MemoryType(std::string_view name) {
  return {.name = name,
          .level = tracing::StackLevel::kOp,
          .kind = tracing::RecordKind::kAllocation,
          .arguments = {{{"bytes", tracing::ArgumentSpec::Type::kInteger}}}};
}
constexpr tracing::RecordType kAllocateRecord = MemoryType("memory.allocate");
constexpr tracing::RecordType kFreeRecord = MemoryType("memory.free");

}  // namespace

RCReference<HostBuffer> HostBuffer::CreateUninitialized(size_t size_bytes, size_t alignment,
                                                        HostAllocator* allocator) {
  if (alignment <= kMaxInlineAlignment) {
    size_t header_size = HeaderSize(alignment);
    if (size_bytes > SIZE_MAX - header_size) return nullptr;
    void* block = allocator->AllocateBytes(header_size + size_bytes,
                                           std::max(alignment, alignof(HostBuffer)));
    if (!block) return nullptr;
    tracing::RecordEvent(kAllocateRecord, "host", {}, size_bytes);
    void* data = static_cast<char*>(block) + header_size;
    auto buffer = TakeRef(new (block) HostBuffer(Storage::kInline, data, size_bytes));
    buffer->allocator_ = allocator;
    return buffer;
  }
  void* data = allocator->AllocateBytes(size_bytes, alignment);
  if (!data) return nullptr;
  tracing::RecordEvent(kAllocateRecord, "host", {}, size_bytes);
  auto buffer = TakeRef(new HostBuffer(Storage::kAllocated, data, size_bytes));
  buffer->allocator_ = allocator;
  return buffer;
}

RCReference<HostBuffer> HostBuffer::CreateFromExternal(void* data, size_t size_bytes,
                                                       Deallocator deallocator) {
  auto buffer = TakeRef(new HostBuffer(Storage::kExternal, data, size_bytes));
  buffer->deallocator_ = deallocator ? new Deallocator(std::move(deallocator)) : nullptr;
  return buffer;
}

RCReference<HostBuffer> HostBuffer::CreateFromConstant(const void* data, size_t size_bytes,
                                                       Deallocator deallocator) {
  auto buffer = CreateFromExternal(const_cast<void*>(data), size_bytes, std::move(deallocator));
  buffer->read_only_ = true;
  return buffer;
}

RCReference<HostBuffer> HostBuffer::CreateSlice(RCReference<HostBuffer> parent, size_t offset_bytes,
                                                size_t size_bytes) {
  if (offset_bytes > parent->size() || size_bytes > parent->size() - offset_bytes) return nullptr;
  auto* data = static_cast<char*>(parent->data()) + offset_bytes;
  // A slice of a slice keeps the whole alive, not the slice: no chains, however often it is sliced.
  if (parent->storage_ == Storage::kSlice) parent = FormRef(parent->parent_);
  auto buffer = TakeRef(new HostBuffer(Storage::kSlice, data, size_bytes));
  buffer->read_only_ = parent->read_only_;
  buffer->parent_ = parent.release();
  return buffer;
}

bool HostBuffer::IsExclusiveDataOwner() const {
  if (read_only_) return false;
  const HostBuffer* buffer = this;
  while (true) {
    if (!buffer->IsUnique()) return false;
    if (buffer->storage_ != Storage::kSlice) return true;
    buffer = buffer->parent_;
  }
}

void HostBuffer::EndStorage() {
  switch (storage_) {
    case Storage::kInline:
      break;  // with the buffer itself
    case Storage::kAllocated:
      tracing::RecordEvent(kFreeRecord, "host", {}, size_);
      allocator_->DeallocateBytes(data_, size_);
      break;
    case Storage::kExternal:
      if (deallocator_) (*deallocator_)(data_, size_);
      delete deallocator_;
      break;
    case Storage::kSlice:
      parent_->DropRef();
      break;
  }
}

void HostBuffer::operator delete(HostBuffer* buffer, std::destroying_delete_t) {
  if (buffer->storage_ != Storage::kInline) {
    buffer->~HostBuffer();
    ::operator delete(buffer);
    return;
  }
  HostAllocator* allocator = buffer->allocator_;
  size_t header_size =
      static_cast<size_t>(static_cast<char*>(buffer->data_) - reinterpret_cast<char*>(buffer));
  size_t size_bytes = buffer->size_;
  buffer->~HostBuffer();
  tracing::RecordEvent(kFreeRecord, "host", {}, size_bytes);
  allocator->DeallocateBytes(buffer, header_size + size_bytes);
}

}  // namespace tfrt
