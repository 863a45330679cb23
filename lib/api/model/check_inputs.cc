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
    if (!tensors[i]) return InvalidArgumentError(StrCat("input ", input.name, " is missing"));
    const DenseHostTensor& tensor = *tensors[i];
    if (!tensor.buffer()) {
      return InvalidArgumentError(StrCat("input ", input.name, " has been moved from"));
    }
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

bool Overlap(const DenseHostTensor& a, const DenseHostTensor& b) {
  auto* begin_a = static_cast<const char*>(a.data());
  auto* begin_b = static_cast<const char*>(b.data());
  const char* const end_a = begin_a + a.size_bytes();
  const char* const end_b = begin_b + b.size_bytes();
  return begin_a < end_a && begin_b < end_b && begin_a < end_b && begin_b < end_a;
}

Status CheckGiven(std::span<const ModelValue> outputs, std::span<DenseHostTensor* const> given,
                  std::span<const ModelValue> inputs,
                  std::span<const DenseHostTensor* const> tensors) {
  if (!given.empty() && given.size() != outputs.size()) {
    return InvalidArgumentError(StrCat("the model makes ", outputs.size(),
                                       " outputs, but there is memory for ", given.size()));
  }
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i]) continue;
    auto wrong = [&](const auto&... why) {
      return InvalidArgumentError(
          StrCat("output ", outputs[i].name, ": the memory given for it ", why...));
    };
    if (!given[i]->buffer()) return wrong("has been moved from");
    if (given[i]->is_read_only()) return wrong("cannot be written");
    for (size_t j = 0; j < tensors.size(); ++j) {
      if (Overlap(*given[i], *tensors[j])) return wrong("is that of input ", inputs[j].name);
    }
    for (size_t j = 0; j < i; ++j) {
      if (given[j] && Overlap(*given[i], *given[j])) {
        return wrong("is that of output ", outputs[j].name);
      }
    }
  }
  return OkStatus();
}

}  // namespace tfrt
