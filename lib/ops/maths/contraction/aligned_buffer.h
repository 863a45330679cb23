// AlignedBuffer: working memory that grows and may be refused.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_ALIGNED_BUFFER_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_ALIGNED_BUFFER_H_

#include <cstddef>
#include <cstdlib>

#include "lib/base/support/large_pages.h"

namespace tfrt::contraction {

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  AlignedBuffer(const AlignedBuffer&) = delete;
  AlignedBuffer& operator=(const AlignedBuffer&) = delete;
  ~AlignedBuffer() { std::free(data_); }

  // Grows to at least `size` bytes; what it held is lost. False without memory.
  [[nodiscard]] bool Reserve(size_t size) {
    if (size <= size_) return true;
    std::free(data_);
    data_ = nullptr;
    size_ = 0;
    if (size > kLargest) return false;
    size_t rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
    // Packed weights are large blocks, written once: half the time of it would be page faults.
    const size_t alignment = rounded < kLargePageBytes ? kAlignment : kLargePageBytes;
    if (posix_memalign(&data_, alignment, rounded) != 0) {
      data_ = nullptr;
      return false;
    }
    AskForLargePages(data_, rounded);
    size_ = rounded;
    return true;
  }
  void* data() const { return data_; }

 private:
  static constexpr size_t kAlignment = 64;  // of the widest vector instructions
  static constexpr size_t kLargest = size_t{1} << 46;
  void* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_ALIGNED_BUFFER_H_
