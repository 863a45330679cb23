// How much stack the current thread has left.
#ifndef TFRT_LIB_EXECUTOR_STACK_DEPTH_H_
#define TFRT_LIB_EXECUTOR_STACK_DEPTH_H_

namespace tfrt::internal {

// True if the calling thread has its reserve of stack left (256 KB, or half of a smaller stack), so
// that a function may be run on top of the current frame.
bool HasStackReserve();

}  // namespace tfrt::internal

#endif  // TFRT_LIB_EXECUTOR_STACK_DEPTH_H_
