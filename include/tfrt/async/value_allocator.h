// Memory for AsyncValues and waiters: size-class free lists per thread in front of operator new.
// A block may be freed on another thread than the one that allocated it; it then joins that
// thread's list. Lists are bounded, and returned to operator delete when their thread ends.
// Off (plain operator new/delete) under address and thread sanitizers, so that they see each block.
#ifndef TFRT_ASYNC_VALUE_ALLOCATOR_H_
#define TFRT_ASYNC_VALUE_ALLOCATOR_H_

#include <cstddef>

namespace tfrt::internal {

// 16-byte aligned. Never fails: running out of memory ends the program.
void* AllocateSmall(size_t size_bytes);
// `size_bytes` is what was asked for.
void FreeSmall(void* block, size_t size_bytes);

}  // namespace tfrt::internal

#endif  // TFRT_ASYNC_VALUE_ALLOCATOR_H_
