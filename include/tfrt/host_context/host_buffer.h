// HostBuffer: a ref-counted block of memory: allocated, wrapped, or a slice of another.
#ifndef TFRT_HOST_CONTEXT_HOST_BUFFER_H_
#define TFRT_HOST_CONTEXT_HOST_BUFFER_H_

#include <cstddef>
#include <functional>
#include <utility>

#include "tfrt/support/ref_count.h"

namespace tfrt {

class HostAllocator;

class HostBuffer : public ReferenceCounted<HostBuffer> {
 public:
  using Deallocator = std::function<void(void* data, size_t size_bytes)>;

  // Uninitialised memory from `allocator`, which must outlive the buffer. Null if it has none left.
  static RCReference<HostBuffer> CreateUninitialized(size_t size_bytes, size_t alignment,
                                                     HostAllocator* allocator);
  // Wraps memory; `deallocator` (may be empty) runs when the buffer goes.
  static RCReference<HostBuffer> CreateFromExternal(void* data, size_t size_bytes,
                                                    Deallocator deallocator);
  // Wraps memory that is only read, such as a constant in a loaded file, which must outlive the buffer.
  // Never an exclusive data owner, so nobody writes in place.
  static RCReference<HostBuffer> CreateFromConstant(const void* data, size_t size_bytes);
  // Bytes [offset, offset + size) of `parent`, which it keeps alive. Null if they are not inside.
  static RCReference<HostBuffer> CreateSlice(RCReference<HostBuffer> parent, size_t offset_bytes,
                                             size_t size_bytes);

  void* data() { return data_; }
  const void* data() const { return data_; }
  size_t size() const { return size_; }
  // True for a constant and its slices: writing to data() is undefined.
  bool is_read_only() const { return constant_ || (parent_ && parent_->is_read_only()); }
  // True if the caller's is the only reference, to this and to any parent, and the memory may be
  // written: the data may then be reused in place.
  bool IsExclusiveDataOwner() const;

 private:
  friend class ReferenceCounted<HostBuffer>;
  HostBuffer(void* data, size_t size) : data_(data), size_(size) {}
  ~HostBuffer();

  void* data_;
  size_t size_;
  bool constant_ = false;
  HostAllocator* allocator_ = nullptr;  // owner of data_, if any
  Deallocator deallocator_;
  RCReference<HostBuffer> parent_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_HOST_BUFFER_H_
