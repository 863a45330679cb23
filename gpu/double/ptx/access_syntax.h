#ifndef TFRT_GPU_DOUBLE_PTX_ACCESS_SYNTAX_H_
#define TFRT_GPU_DOUBLE_PTX_ACCESS_SYNTAX_H_

#include "gpu/double/ptx/encoder.h"

namespace tfrt::gpu::ptx {

// Modifiers that loads, stores and atomic operations share.

// .volatile, .relaxed.gpu and their like, into `strong` and `fence`.
void TakeOrder(Encoder& encoder);
// kGeneric if there is none.
Space TakeOptionalSpace(Encoder& encoder);
void IgnoreCacheHints(Encoder& encoder);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_GPU_DOUBLE_PTX_ACCESS_SYNTAX_H_
