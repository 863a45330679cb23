// Casts between f32 and the floats of 16 bits, by vectors.
#ifndef TFRT_LIB_OPS_MATHS_CPU_HALF_CASTS_H_
#define TFRT_LIB_OPS_MATHS_CPU_HALF_CASTS_H_

#include "lib/runtime/tensor/cast.h"

namespace tfrt::cpu {

// The same as tfrt::FindCast, with the same bits, and faster between f32 and f16 or bf16.
CastFunction FindVectorCast(DType from, DType to);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_HALF_CASTS_H_
