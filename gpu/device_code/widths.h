// Elements that kernels move without reading their values: so many bits. One kernel serves all
// types of that size.
#ifndef TFRT_GPU_DEVICE_CODE_WIDTHS_H_
#define TFRT_GPU_DEVICE_CODE_WIDTHS_H_

#include <stdint.h>  // the compiler's own, as no library is there

namespace tfrt::gpu::device {

using b8 = uint8_t;
using b16 = uint16_t;
using b32 = uint32_t;
using b64 = uint64_t;
// Several elements that stay together, as many as one access moves.
typedef uint64_t b128 __attribute__((ext_vector_type(2)));

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_WIDTHS_H_
