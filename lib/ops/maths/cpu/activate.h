// Activations of memory.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ACTIVATE_H_
#define TFRT_LIB_OPS_MATHS_CPU_ACTIVATE_H_

#include <cstdint>

#include "lib/ops/maths/contraction/activation.h"

namespace tfrt::cpu {

// Each of `count` elements becomes the function of it. NaN stays NaN.
void Activate(const maths::ActivationWithParameters& activation, float* data, int64_t count);

// The same of `rows` rows of `columns` elements, which begin `stride` elements apart.
void ActivateRows(const maths::ActivationWithParameters& activation, float* data, int64_t rows,
                  int64_t columns, int64_t stride);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_ACTIVATE_H_
