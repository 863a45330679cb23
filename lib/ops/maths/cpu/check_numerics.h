// Floats that are no finite numbers.
#ifndef TFRT_LIB_OPS_MATHS_CPU_CHECK_NUMERICS_H_
#define TFRT_LIB_OPS_MATHS_CPU_CHECK_NUMERICS_H_

#include <cstdint>
#include <string>

#include "tfrt/support/half.h"

namespace tfrt::cpu {

// Bits of what there is.
inline constexpr uint32_t kHasNan = 1;
inline constexpr uint32_t kHasPositiveInfinity = 2;
inline constexpr uint32_t kHasNegativeInfinity = 4;

// Returns the bits for in[0], ..., in[size - 1].
uint32_t NonFiniteOf(const float* in, int64_t size);
uint32_t NonFiniteOf(const double* in, int64_t size);
uint32_t NonFiniteOf(const Fp16* in, int64_t size);
uint32_t NonFiniteOf(const Bf16* in, int64_t size);

// Returns "NaN", "Inf", "Inf and NaN"; with signs, "NaN", "+Inf", "-Inf and NaN", "-Inf, +Inf, and
// NaN". These are the texts of TensorFlow's tf.CheckNumerics and tf.CheckNumericsV2. `found` has a
// bit.
std::string NonFiniteText(uint32_t found, bool with_signs);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_CHECK_NUMERICS_H_
