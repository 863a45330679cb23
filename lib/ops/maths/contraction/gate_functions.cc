// The functions of gates by ONNX's names.

#include <algorithm>
#include <string>

#include "recurrent.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

using Other = GateFunction::Other;

struct NamedGateFunction {
  std::string_view name;  // in lower case
  Activation activation;
  Other other = Other::kNone;
  bool has_alpha = false, has_beta = false;
  float alpha = 0, beta = 0;
};
constexpr NamedGateFunction kFunctions[] = {
    {"relu", Activation::kRelu},
    {"tanh", Activation::kTanh},
    {"sigmoid", Activation::kSigmoid},
    {"softplus", Activation::kSoftplus},
    {"leakyrelu", Activation::kLeakyRelu, Other::kNone, true, false, 0.01f},
    {"elu", Activation::kElu, Other::kNone, true, false, 1.0f},
    {"hardsigmoid", Activation::kHardSigmoid, Other::kNone, true, true, 0.2f, 0.5f},
    {"affine", Activation::kNone, Other::kAffine, true, true, 1.0f, 0.0f},
    {"thresholdedrelu", Activation::kNone, Other::kThresholdedRelu, true, false, 1.0f},
    {"scaledtanh", Activation::kNone, Other::kScaledTanh, true, true, 1.0f, 1.0f},
    {"softsign", Activation::kNone, Other::kSoftsign},
};

constexpr NamedGateFunction kSigmoid = kFunctions[2], kTanh = kFunctions[1];

size_t NumFunctions(RecurrentKind kind) {
  return kind == RecurrentKind::kLstm ? 3 : kind == RecurrentKind::kGru ? 2 : 1;
}

const NamedGateFunction* Find(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  auto found = std::ranges::find(kFunctions, std::string_view(lower), &NamedGateFunction::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

GateFunction Make(const NamedGateFunction& named, float alpha, float beta) {
  return {{named.activation, alpha, beta}, named.other};
}

}  // namespace

Status RecurrentOptions::SetFunctions(std::span<const std::string_view> names,
                                      std::span<const float> alphas, std::span<const float> betas) {
  const size_t count = NumFunctions(kind), wanted = count * num_directions();
  if (!names.empty() && names.size() != wanted) {
    return InvalidArgumentError(
        StrCat("there are ", names.size(), " activations, expected ", wanted));
  }
  for (size_t i = 0; i < wanted; ++i) {
    // f of LSTM and GRU; g and h are tanh, as is the only one of RNN.
    const NamedGateFunction* named =
        i % count == 0 && kind != RecurrentKind::kRnn ? &kSigmoid : &kTanh;
    if (!names.empty()) named = Find(names[i]);
    if (!named) return InvalidArgumentError(StrCat("unknown activation '", names[i], "'"));
    auto take = [](bool has, std::span<const float>& numbers, float otherwise) {
      if (!has || numbers.empty()) return otherwise;
      const float number = numbers.front();
      numbers = numbers.subspan(1);
      return number;
    };
    const float alpha = take(named->has_alpha, alphas, named->alpha);
    functions[i / count][i % count] =
        Make(*named, alpha, take(named->has_beta, betas, named->beta));
  }
  return OkStatus();
}

}  // namespace tfrt::maths
