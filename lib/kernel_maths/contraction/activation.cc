#include "tfrt/kernel_maths/activation.h"

#include "tfrt/support/str_cat.h"

namespace tfrt::maths {

StatusOr<Activation> ParseActivation(std::string_view name) {
  if (name == "none") return Activation::kNone;
  if (name == "relu") return Activation::kRelu;
  if (name == "gelu") return Activation::kGelu;
  if (name == "gelu_tanh") return Activation::kGeluTanh;
  if (name == "tanh") return Activation::kTanh;
  if (name == "sigmoid") return Activation::kSigmoid;
  return InvalidArgumentError(StrCat("unknown activation '", name,
                                     "'; there are none, relu, gelu, gelu_tanh, tanh and sigmoid"));
}

}  // namespace tfrt::maths
