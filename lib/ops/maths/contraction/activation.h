// Functions applied to the elements of a matrix product or a convolution.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_ACTIVATION_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_ACTIVATION_H_

#include <cstdint>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::maths {

// Applied to every element of the output, last. Some have the parameters alpha and beta.
enum class Activation : uint8_t {
  kNone,
  kRelu,      // max(x, 0)
  kGelu,      // x/2 (1 + erf(x / sqrt 2))
  kGeluTanh,  // x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
  kTanh,
  kSigmoid,      // 1 / (1 + exp(-x))
  kLeakyRelu,    // x, or alpha x below 0
  kClip,         // min(max(x, alpha), beta)
  kHardSigmoid,  // min(max(alpha x + beta, 0), 1)
  kHardSwish,    // x min(max(x / 6 + 1/2, 0), 1)
  kSwish,        // x sigmoid(alpha x)
  kElu,          // x, or alpha (exp(x) - 1) below 0
  kSoftplus,     // log(1 + exp(x))
  kMish,         // x tanh(softplus(x))
};

// "none", "relu", "gelu", "gelu_tanh", "tanh" or "sigmoid"; InvalidArgument for anything else.
StatusOr<Activation> ParseActivation(std::string_view name);

struct ActivationWithParameters {
  Activation kind = Activation::kNone;
  float alpha = 0;
  float beta = 0;
};
// By the names of the op table's fused ops: "hard_swish", ... Parameters that the function does not
// have are 0 in the result.
StatusOr<ActivationWithParameters> ParseActivation(std::string_view name, float alpha, float beta);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_ACTIVATION_H_
