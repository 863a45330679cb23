// ForkGeneration: tells a process from the one that it was forked from.
#ifndef TFRT_LIB_BASE_SUPPORT_FORK_GENERATION_H_
#define TFRT_LIB_BASE_SUPPORT_FORK_GENERATION_H_

#include <cstdint>

namespace tfrt {

// Returns a number that changes in a process that was forked (fork(2)) since the first call. Such a
// process has all objects of its parent, but none of its threads. Code that keeps an object's
// number can report that, where it would otherwise wait for those threads for ever. Thread-safe.
uint32_t ForkGeneration();

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_SUPPORT_FORK_GENERATION_H_
