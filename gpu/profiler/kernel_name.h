// Names of kernels, for people.
#ifndef TFRT_GPU_PROFILER_KERNEL_NAME_H_
#define TFRT_GPU_PROFILER_KERNEL_NAME_H_

#include <string>

namespace tfrt::gpu {

// Returns the driver's name of a kernel as a text that any file can hold. A mangled name of C++ is
// spelled out; bytes that are not printable UTF-8 are written as \xNN. At most the first
// kMaxKernelName bytes are read. "(no name)" for null and for the empty name.
std::string KernelName(const char* name);
inline constexpr int kMaxKernelName = 1 << 14;

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_PROFILER_KERNEL_NAME_H_
