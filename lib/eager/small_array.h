// SmallArray: an array whose size is known late and is mostly small.
#ifndef TFRT_EAGER_SMALL_ARRAY_H_
#define TFRT_EAGER_SMALL_ARRAY_H_

#include <cstddef>
#include <memory>
#include <span>

namespace tfrt::eager {

// `size` default-constructed elements; on the heap if they are more than kInline.
template <typename T, size_t kInline>
class SmallArray {
 public:
  explicit SmallArray(size_t size) : size_(size) {
    if (size > kInline) [[unlikely]] heap_ = std::make_unique<T[]>(size);
  }
  size_t size() const { return size_; }
  T* data() { return heap_ ? heap_.get() : inline_; }
  T& operator[](size_t index) { return data()[index]; }
  std::span<T> span() { return {data(), size_}; }

 private:
  size_t size_;
  T inline_[kInline];
  std::unique_ptr<T[]> heap_;
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_SMALL_ARRAY_H_
