// ByteText: a number of bytes for people.
#ifndef TFRT_GPU_RUNTIME_BYTE_TEXT_H_
#define TFRT_GPU_RUNTIME_BYTE_TEXT_H_

#include <cstddef>
#include <string>

namespace tfrt::gpu::internal {

// "1023", "1.5KiB", "1.50MiB", "16.00GiB".
std::string ByteText(size_t bytes);

}  // namespace tfrt::gpu::internal

#endif  // TFRT_GPU_RUNTIME_BYTE_TEXT_H_
