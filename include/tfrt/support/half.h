// 16-bit floating-point storage types. Arithmetic happens in float.
#ifndef TFRT_SUPPORT_HALF_H_
#define TFRT_SUPPORT_HALF_H_

#include <cstdint>

namespace tfrt {

struct Fp16 {  // IEEE 754 binary16
  uint16_t bits = 0;
  friend bool operator==(Fp16, Fp16) = default;
};
struct Bf16 {  // the upper half of a binary32
  uint16_t bits = 0;
  friend bool operator==(Bf16, Bf16) = default;
};

}  // namespace tfrt

#endif  // TFRT_SUPPORT_HALF_H_
