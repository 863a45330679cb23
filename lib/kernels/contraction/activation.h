// The names of activations in attributes.
#ifndef TFRT_KERNELS_CONTRACTION_ACTIVATION_H_
#define TFRT_KERNELS_CONTRACTION_ACTIVATION_H_

#include <string_view>

#include "problem.h"
#include "tfrt/support/status.h"

namespace tfrt::contraction {

// "none", "relu", "gelu", "gelu_tanh", "tanh" or "sigmoid"; InvalidArgument for anything else.
StatusOr<Activation> ParseActivation(std::string_view name);

}  // namespace tfrt::contraction

#endif  // TFRT_KERNELS_CONTRACTION_ACTIVATION_H_
