// SmallArray: an array whose size is set at run time, never changes, and is mostly small.
#ifndef TFRT_SUPPORT_SMALL_ARRAY_H_
#define TFRT_SUPPORT_SMALL_ARRAY_H_

#include <cassert>
#include <cstddef>
#include <memory>
#include <span>

namespace tfrt {

// Holds `size` value-initialised elements: in the object itself, or on the heap if there are more
// than kInline. Does not move, so spans of it are valid as long as the array.
template <typename T, size_t kInline>
class SmallArray {
 public:
  explicit SmallArray(size_t size) : size_(size) {
    if (size > kInline) [[unlikely]]
      heap_ = std::make_unique<T[]>(size);
  }
  SmallArray(const SmallArray&) = delete;
  SmallArray& operator=(const SmallArray&) = delete;

  size_t size() const { return size_; }
  T* data() { return heap_ ? heap_.get() : inline_; }
  T& operator[](size_t index) {
    assert(index < size_);
    return data()[index];
  }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  std::span<T> span() { return {data(), size_}; }

 private:
  size_t size_;
  T inline_[kInline] = {};
  std::unique_ptr<T[]> heap_;
};

}  // namespace tfrt

#endif  // TFRT_SUPPORT_SMALL_ARRAY_H_
