// InlineVector: a growing array of trivial elements that allocates no memory while it is short.
#ifndef TFRT_LIB_BASE_SUPPORT_INLINE_VECTOR_H_
#define TFRT_LIB_BASE_SUPPORT_INLINE_VECTOR_H_

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace tfrt {

template <typename T, size_t kInline>
class InlineVector {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  InlineVector() = default;
  InlineVector(const InlineVector& other) {
    for (const T& each : other) push_back(each);
  }
  InlineVector(InlineVector&& other) noexcept { *this = static_cast<InlineVector&&>(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this == &other) return *this;
    clear();
    for (const T& each : other) push_back(each);
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this == &other) return *this;
    if (data_ != inline_) delete[] data_;
    size_ = other.size_;
    capacity_ = other.capacity_;
    if (other.data_ == other.inline_) {
      data_ = inline_;
      std::memcpy(inline_, other.inline_, size_ * sizeof(T));
    } else {
      data_ = other.data_;
    }
    other.data_ = other.inline_;
    other.size_ = 0;
    other.capacity_ = kInline;
    return *this;
  }
  ~InlineVector() {
    if (data_ != inline_) delete[] data_;
  }

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& front() { return data_[0]; }
  T& back() { return data_[size_ - 1]; }

  void push_back(T value) {
    if (size_ == capacity_) [[unlikely]]
      Grow();
    data_[size_++] = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  // Shrinks to a smaller size.
  void resize(size_t size) { size_ = size; }

 private:
  void Grow() {
    T* bigger = new T[2 * capacity_];
    std::memcpy(bigger, data_, size_ * sizeof(T));
    if (data_ != inline_) delete[] data_;
    data_ = bigger;
    capacity_ *= 2;
  }

  T* data_ = inline_;
  size_t size_ = 0;
  size_t capacity_ = kInline;
  T inline_[kInline];
};

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_SUPPORT_INLINE_VECTOR_H_
