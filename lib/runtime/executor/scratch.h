// Memory for the registers of one run: a few in place, more from a stack per thread. Runs nest, so
// it is given back in reverse order. Costs a few instructions and, in steady state, no allocation.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_SCRATCH_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_SCRATCH_H_

#include <cstddef>
#include <type_traits>

namespace tfrt::internal {

std::byte* AllocateScratch(size_t size_bytes);
void FreeScratch(std::byte* memory);

// Uninitialised room for `count` elements, for the life of this object. 16-byte aligned.
template <typename T>
class Scratch {
 public:
  static_assert(std::is_trivially_default_constructible_v<T> && alignof(T) <= 16);
  // Has room for a few. It is apart from the Scratch object, so that the compiler can tell that no
  // other code changes that object.
  struct Few {
    alignas(16) std::byte memory[64];
  };
  // `few` must outlive this.
  Scratch(size_t count, Few* few) : memory_(few->memory), few_(few->memory) {
    if (count * sizeof(T) > sizeof(few->memory)) memory_ = AllocateScratch(count * sizeof(T));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (memory_ != few_) FreeScratch(memory_);
  }
  T* data() const { return reinterpret_cast<T*>(memory_); }

 private:
  std::byte* memory_;
  std::byte* const few_;
};

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_SCRATCH_H_
