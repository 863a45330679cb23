// ForkGeneration: tells a process from one that it was forked from.
#ifndef TFRT_SUPPORT_FORK_GENERATION_H_
#define TFRT_SUPPORT_FORK_GENERATION_H_

#include <cstdint>

namespace tfrt {

// Another number in a process that was forked (fork(2)) since the first call. Such a process has
// all objects of its parent, but none of its threads: who keeps the number of the process in which
// an object was made can say so, where it would otherwise wait for them for ever. Thread-safe.
uint32_t ForkGeneration();

}  // namespace tfrt

#endif  // TFRT_SUPPORT_FORK_GENERATION_H_
