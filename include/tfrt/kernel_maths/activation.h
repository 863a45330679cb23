// Functions applied to the elements of a matrix product or a convolution.
#ifndef TFRT_KERNEL_MATHS_ACTIVATION_H_
#define TFRT_KERNEL_MATHS_ACTIVATION_H_

#include <cstdint>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::maths {

// Applied to every element of the output, last.
enum class Activation : uint8_t {
  kNone,
  kRelu,      // max(x, 0)
  kGelu,      // x/2 (1 + erf(x / sqrt 2))
  kGeluTanh,  // x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
  kTanh,
  kSigmoid,  // 1 / (1 + exp(-x))
};

// "none", "relu", "gelu", "gelu_tanh", "tanh" or "sigmoid"; InvalidArgument for anything else.
StatusOr<Activation> ParseActivation(std::string_view name);

}  // namespace tfrt::maths

#endif  // TFRT_KERNEL_MATHS_ACTIVATION_H_
