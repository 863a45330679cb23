// How much stack the current thread has left.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_STACK_DEPTH_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_STACK_DEPTH_H_

#include <cstdint>

namespace tfrt::internal {

// The lowest address that a frame of this thread may reach while it leaves the reserve; until it is
// known, the highest address. With initial-exec it takes one instruction to find it, even in a
// shared library.
[[gnu::tls_model("initial-exec")]] extern thread_local constinit uintptr_t stack_limit;
bool HasStackReserveSlow();

inline uintptr_t StackPointer() {
#ifdef __x86_64__
  // Asking for the frame's address would give the caller a frame pointer.
  uintptr_t pointer;
  asm("mov %%rsp, %0" : "=r"(pointer));
  return pointer;
#else
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
#endif
}

// True if the calling thread has its reserve of stack left: 256 KB, or half of a smaller stack.
// Then a function may be run on top of the current frame.
inline bool HasStackReserve() { return StackPointer() > stack_limit || HasStackReserveSlow(); }

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_STACK_DEPTH_H_
