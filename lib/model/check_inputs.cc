#include "check_inputs.h"

#include <algorithm>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// "f32 [1,3]", as ToString of a ModelValue.
std::string TypeOf(const DenseHostTensor& tensor) {
  ModelValue type{"", tensor.dtype(), {}};
  type.dims.emplace();
  for (int64_t dim : tensor.shape().dims()) type.dims->push_back({.size = dim});
  return ToString(type);
}

std::string NamesOf(std::span<const ModelValue> inputs) {
  if (inputs.empty()) return "it has none";
  std::string names = "it has ";
  for (const ModelValue& input : inputs) {
    names += StrCat(&input == inputs.data() ? "" : ", ", input.name);
  }
  return names;
}

// A named size as an input before has it.
struct KnownSize {
  const std::string* symbol;
  int64_t size;
  const ModelValue* input;
};

}  // namespace

StatusOr<std::vector<const DenseHostTensor*>> OrderInputs(std::span<const ModelValue> inputs,
                                                          std::span<const NamedTensor> tensors) {
  std::vector<const DenseHostTensor*> ordered(inputs.size());
  for (const NamedTensor& named : tensors) {
    auto found = std::ranges::find(inputs, named.name, &ModelValue::name);
    if (found == inputs.end()) {
      return InvalidArgumentError(
          StrCat("the model has no input ", named.name, ": ", NamesOf(inputs)));
    }
    const DenseHostTensor*& place = ordered[static_cast<size_t>(found - inputs.begin())];
    if (place) return InvalidArgumentError(StrCat("input ", named.name, " is given twice"));
    place = &named.tensor;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!ordered[i]) return InvalidArgumentError(StrCat("input ", inputs[i].name, " is missing"));
  }
  return ordered;
}

Status CheckInputs(std::span<const ModelValue> inputs,
                   std::span<const DenseHostTensor* const> tensors) {
  if (tensors.size() != inputs.size()) {
    return InvalidArgumentError(StrCat("the model takes ", inputs.size(), " inputs, not ",
                                       tensors.size(), ": ", NamesOf(inputs)));
  }
  std::vector<KnownSize> sizes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ModelValue& input = inputs[i];
    const DenseHostTensor& tensor = *tensors[i];
    auto mismatch = [&](const auto&... why) {
      return InvalidArgumentError(StrCat("input ", input.name, ": expected ", ToString(input),
                                         ", but got ", TypeOf(tensor), why...));
    };
    if (tensor.dtype() != input.dtype) return mismatch();
    if (!input.dims) continue;
    const TensorShape& shape = tensor.shape();
    if (shape.rank() != input.dims->size()) return mismatch();
    // A wrong size is a better reason than sizes that differ.
    for (size_t d = 0; d < shape.rank(); ++d) {
      const int64_t size = (*input.dims)[d].size;
      if (size >= 0 && size != shape.dim(d)) return mismatch();
    }
    for (size_t d = 0; d < shape.rank(); ++d) {
      const ModelDim& dim = (*input.dims)[d];
      if (dim.size >= 0 || dim.symbol.empty()) continue;
      auto known = std::ranges::find_if(
          sizes, [&](const KnownSize& other) { return *other.symbol == dim.symbol; });
      if (known == sizes.end()) {
        sizes.push_back({&dim.symbol, shape.dim(d), &input});
      } else if (known->size != shape.dim(d)) {
        return mismatch(", where ", dim.symbol, " is ", known->size, " in input ",
                        known->input->name);
      }
    }
  }
  return OkStatus();
}

}  // namespace tfrt
