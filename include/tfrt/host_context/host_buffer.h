// HostBuffer: a ref-counted block of memory: allocated, wrapped, or a slice of another.
#ifndef TFRT_HOST_CONTEXT_HOST_BUFFER_H_
#define TFRT_HOST_CONTEXT_HOST_BUFFER_H_

#include <cassert>
#include <cstddef>
#include <functional>
#include <new>
#include <string_view>

#include "tfrt/support/ref_count.h"

namespace tfrt {

class HostAllocator;

class HostBuffer : public ReferenceCounted<HostBuffer> {
 public:
  static constexpr std::string_view kProgramTypeName = "buffer";
  using Deallocator = std::function<void(void* data, size_t size_bytes)>;

  // Allocates uninitialised memory from `allocator`, which must outlive the buffer. Returns null if
  // no memory is left. `alignment` is a power of two. Up to kMaxInlineAlignment the buffer object
  // lies in front of its data, so that one request serves both.
  static RCReference<HostBuffer> CreateUninitialized(size_t size_bytes, size_t alignment,
                                                     HostAllocator* allocator);
  // As CreateUninitialized, for callers that have the memory already. It holds kMaxInlineAlignment
  // bytes for the buffer object, aligned to as many, followed by the data. The memory is returned
  // to `allocator` when the buffer is destroyed.
  static RCReference<HostBuffer> CreateInline(void* memory, size_t size_bytes,
                                              HostAllocator* allocator) {
    auto* data = static_cast<char*>(memory) + kMaxInlineAlignment;
    auto buffer = TakeRef(::new (memory) HostBuffer(Storage::kInline, data, size_bytes));
    buffer->allocator_ = allocator;
    return buffer;
  }
  // Destroys such a buffer and leaves its memory to the caller. The caller must hold, and gives up,
  // the only reference.
  void EndInline() {
    assert(storage_ == Storage::kInline && IsUnique());
    this->~HostBuffer();
  }
  // Wraps memory; `deallocator` (may be empty) runs when the buffer is destroyed.
  static RCReference<HostBuffer> CreateFromExternal(void* data, size_t size_bytes,
                                                    Deallocator deallocator);
  // Wraps memory that is only read, such as a constant in a loaded file. The memory must outlive
  // the buffer unless `deallocator` frees it. Such a buffer is never an exclusive data owner, so
  // that no kernel writes in place.
  static RCReference<HostBuffer> CreateFromConstant(const void* data, size_t size_bytes,
                                                    Deallocator deallocator = nullptr);
  // Returns bytes [offset, offset + size) of `parent`, which it keeps alive, or null if they are
  // not inside.
  static RCReference<HostBuffer> CreateSlice(RCReference<HostBuffer> parent, size_t offset_bytes,
                                             size_t size_bytes);

  static constexpr size_t kMaxInlineAlignment = 64;

  void* data() { return data_; }
  const void* data() const { return data_; }
  size_t size() const { return size_; }
  // True for a constant and its slices. Writing to data() is then undefined.
  bool is_read_only() const { return read_only_; }
  // True if the caller holds the only reference, to this and to any parent, and the memory may be
  // written. The data may then be reused in place.
  bool IsExclusiveDataOwner() const;

 private:
  friend class ReferenceCounted<HostBuffer>;
  // The place of the data, which determines what is freed with the buffer.
  enum class Storage : unsigned char { kInline, kAllocated, kExternal, kSlice };

  HostBuffer(Storage storage, void* data, size_t size)
      : storage_(storage), data_(data), size_(size), allocator_(nullptr) {}
  ~HostBuffer() {
    if (storage_ != Storage::kInline) EndStorage();
  }
  void EndStorage();
  // An inline buffer lies in memory of its allocator.
  static void operator delete(HostBuffer* buffer, std::destroying_delete_t);

  const Storage storage_;
  bool read_only_ = false;
  void* const data_;
  const size_t size_;
  union {
    HostAllocator* allocator_;  // kInline, kAllocated
    HostBuffer* parent_;        // kSlice; owns a reference
    Deallocator* deallocator_;  // kExternal; owned; null: none
  };
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_HOST_BUFFER_H_
