// The rules of the families of ops.
#ifndef TFRT_LIB_OPINFO_GRADIENTS_GRADIENT_FAMILIES_H_
#define TFRT_LIB_OPINFO_GRADIENTS_GRADIENT_FAMILIES_H_

#include <span>
#include <string_view>

#include "tfrt/opinfo/gradient_rules.h"

namespace tfrt {

struct NamedGradientRule {
  std::string_view op;  // canonical
  GradientRule rule;
};

std::span<const NamedGradientRule> ActivationGradients();
std::span<const NamedGradientRule> ElementwiseGradients();
std::span<const NamedGradientRule> IndexingGradients();
std::span<const NamedGradientRule> MovementGradients();
std::span<const NamedGradientRule> NetworkGradients();
std::span<const NamedGradientRule> NormalizationGradients();
std::span<const NamedGradientRule> ReductionGradients();

}  // namespace tfrt

#endif  // TFRT_LIB_OPINFO_GRADIENTS_GRADIENT_FAMILIES_H_
