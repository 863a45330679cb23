#include "activation.h"

#include <span>
#include <string>

#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

// How many parameters a function has.
struct NamedActivation {
  std::string_view name;
  Activation kind;
  int parameters = 0;
};
constexpr NamedActivation kActivations[] = {
    {"none", Activation::kNone},
    {"relu", Activation::kRelu},
    {"gelu", Activation::kGelu},
    {"gelu_tanh", Activation::kGeluTanh},
    {"tanh", Activation::kTanh},
    {"sigmoid", Activation::kSigmoid},
    {"leaky_relu", Activation::kLeakyRelu, 1},
    {"clip", Activation::kClip, 2},
    {"hard_sigmoid", Activation::kHardSigmoid, 2},
    {"hard_swish", Activation::kHardSwish},
    {"swish", Activation::kSwish, 1},
    {"elu", Activation::kElu, 1},
    {"softplus", Activation::kSoftplus},
    {"mish", Activation::kMish},
};
// Those that all ops with an attribute `activation` have come first.
constexpr size_t kPlainActivations = 6;

}  // namespace

StatusOr<Activation> ParseActivation(std::string_view name) {
  for (const NamedActivation& each : std::span(kActivations).first<kPlainActivations>()) {
    if (each.name == name) return each.kind;
  }
  return InvalidArgumentError(StrCat("unknown activation '", name,
                                     "'; there are none, relu, gelu, gelu_tanh, tanh and sigmoid"));
}

StatusOr<ActivationWithParameters> ParseActivation(std::string_view name, float alpha, float beta) {
  for (const NamedActivation& each : kActivations) {
    if (each.name != name) continue;
    return ActivationWithParameters{each.kind, each.parameters > 0 ? alpha : 0,
                                    each.parameters > 1 ? beta : 0};
  }
  std::string names;
  for (const NamedActivation& each : kActivations) {
    names += StrCat(names.empty() ? "" : ", ", each.name);
  }
  return InvalidArgumentError(StrCat("unknown activation '", name, "'; there are ", names));
}

}  // namespace tfrt::maths
