#ifndef TFRT_TEST_GPU_VENDOR_PTX_ACCESS_SYNTAX_H_
#define TFRT_TEST_GPU_VENDOR_PTX_ACCESS_SYNTAX_H_

#include "encoder.h"

namespace tfrt::gpu::ptx {

// Modifiers that loads, stores and atomic operations share.

// .volatile, .relaxed.gpu and their like, into `strong` and `fence`.
void TakeOrder(Encoder& encoder);
// kGeneric if there is none.
Space TakeOptionalSpace(Encoder& encoder);
void IgnoreCacheHints(Encoder& encoder);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_ACCESS_SYNTAX_H_
