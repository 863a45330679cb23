// Memory for the registers of one run, from a stack per thread: runs nest, so it is given back in
// reverse order. Costs a few instructions and, in steady state, no allocation.
#ifndef TFRT_LIB_EXECUTOR_SCRATCH_H_
#define TFRT_LIB_EXECUTOR_SCRATCH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tfrt::internal {

struct ScratchStack {
  std::byte* top;
  std::byte* end;
};
[[gnu::tls_model("initial-exec")]] extern thread_local constinit ScratchStack scratch_stack;

std::byte* AllocateScratchSlow(size_t size_bytes);
void FreeScratchSlow(std::byte* memory);

// Uninitialised room for `count` elements, for the life of this object. 16-byte aligned.
template <typename T>
class Scratch {
 public:
  static_assert(std::is_trivially_default_constructible_v<T> && alignof(T) <= 16);
  explicit Scratch(size_t count) {
    // Never nothing: whoever is on the stack must show, or the stack might be replaced under it.
    size_t size = (count * sizeof(T) + 16) & ~size_t{15};
    if (size <= static_cast<size_t>(scratch_stack.end - scratch_stack.top)) [[likely]] {
      memory_ = scratch_stack.top;
      scratch_stack.top += size;
      from_stack_ = true;
    } else {
      memory_ = AllocateScratchSlow(size);
      from_stack_ = false;
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (from_stack_) [[likely]] {
      scratch_stack.top = memory_;
    } else {
      FreeScratchSlow(memory_);
    }
  }
  T* data() const { return reinterpret_cast<T*>(memory_); }

 private:
  std::byte* memory_;
  bool from_stack_;
};

// Sets `count` pointers to null: usually so few that a call of memset would cost more.
template <typename T>
inline void ClearPointers(T** pointers, size_t count) {
  if (count <= 8) {
    for (size_t i = 0; i < count; ++i) {
      pointers[i] = nullptr;
      asm volatile("");  // keeps the compiler from making a call of this loop
    }
  } else {
    std::memset(pointers, 0, count * sizeof(*pointers));
  }
}

}  // namespace tfrt::internal

#endif  // TFRT_LIB_EXECUTOR_SCRATCH_H_
