#include "tensors.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <random>

#include "lib/base/support/decimal_text.h"
#include "lib/runtime/tensor/npy.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Integers are 0 and 1: indices that every table has, and masks.
template <typename T>
T RandomElement(std::minstd_rand& random) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(random() & 1);
  } else {
    return static_cast<T>(static_cast<float>(random() % 20001) / 10000.0f - 1.0f);
  }
}

Status FillRandom(std::minstd_rand& random, DenseHostTensor* tensor) {
  switch (tensor->dtype()) {
#define TFRT_FILL(code, T)                                      \
  case DType::code: {                                           \
    auto* elements = static_cast<T*>(tensor->buffer()->data()); \
    for (int64_t i = 0; i < tensor->num_elements(); ++i) {      \
      elements[i] = RandomElement<T>(random);                   \
    }                                                           \
    return OkStatus();                                          \
  }
    TFRT_CPP_ELEMENT_TYPES(TFRT_FILL)
#undef TFRT_FILL
    default:
      return InvalidArgumentError(
          StrCat("there are no random tensors of ", DTypeName(tensor->dtype())));
  }
}

StatusOr<DenseHostTensor> MakeRandom(const ModelValue& input, const CommandLine& line,
                                     std::minstd_rand& random, HostAllocator* allocator) {
  std::vector<int64_t> dims;
  auto given = line.shapes.find(input.name);
  if (given != line.shapes.end()) {
    dims = given->second;
  } else if (!input.dims) {
    return InvalidArgumentError(
        StrCat("input ", input.name, " may have any rank: give --shape ", input.name, "=SIZE,..."));
  } else {
    for (const ModelDim& dim : *input.dims) {
      auto named = line.dims.find(dim.symbol);
      dims.push_back(dim.size >= 0 ? dim.size : named != line.dims.end() ? named->second : 1);
    }
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor,
                        DenseHostTensor::CreateUninitialized({input.dtype, shape}, allocator));
  TFRT_RETURN_IF_ERROR(FillRandom(random, &tensor));
  return tensor;
}

template <typename T>
std::complex<double> NumberOf(T element) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(element);
  } else if constexpr (requires { element.imag(); }) {
    return std::complex<double>(element);
  } else {
    return static_cast<double>(static_cast<float>(element));
  }
}

bool AreClose(std::complex<double> a, std::complex<double> b, const CommandLine& line) {
  auto close = [&](double x, double y) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    if (std::isinf(x) || std::isinf(y)) return x == y;
    return std::abs(x - y) <= line.absolute_tolerance + line.relative_tolerance * std::abs(y);
  };
  return close(a.real(), b.real()) && close(a.imag(), b.imag());
}

std::string NamesOf(std::span<const ModelValue> values) {
  std::string names;
  for (const ModelValue& value : values) names += StrCat(names.empty() ? "" : ", ", value.name);
  return names;
}

Status NoSuchValue(std::span<const ModelValue> values, std::string_view name,
                   std::string_view kind) {
  return InvalidArgumentError(
      StrCat("the model has no ", kind, " ", name, ": it has ", NamesOf(values)));
}

std::string TextOf(double number) { return DecimalText(number, std::chars_format::general, 7); }

}  // namespace

StatusOr<ValueFile> FindValue(std::span<const ModelValue> values, std::string_view text,
                              std::string_view kind) {
  const ModelValue* found = nullptr;
  for (const ModelValue& value : values) {
    const std::string& name = value.name;
    if (!text.starts_with(name) || !text.substr(name.size()).starts_with('=')) continue;
    if (!found || name.size() > found->name.size()) found = &value;
  }
  if (found) {
    return ValueFile{static_cast<size_t>(found - values.data()),
                     std::string(text.substr(found->name.size() + 1))};
  }
  const size_t equals = text.find('=');
  if (equals != text.npos) return NoSuchValue(values, text.substr(0, equals), kind);
  if (values.size() == 1) return ValueFile{0, std::string(text)};
  return InvalidArgumentError(StrCat("say which ", kind, " '", text,
                                     "' is for, as NAME=FILE: the model has ", NamesOf(values)));
}

Status CheckNames(const Model& model, const CommandLine& line) {
  std::vector<std::string> symbols;
  for (const ModelValue& input : model.inputs()) {
    if (!input.dims) continue;
    for (const ModelDim& dim : *input.dims) {
      const bool is_new = !dim.symbol.empty() && !std::ranges::count(symbols, dim.symbol);
      if (dim.size < 0 && is_new) symbols.push_back(dim.symbol);
    }
  }
  for (const auto& [name, size] : line.dims) {
    if (std::ranges::count(symbols, name)) continue;
    std::string names;
    for (const std::string& symbol : symbols) names += StrCat(names.empty() ? "" : ", ", symbol);
    return InvalidArgumentError(StrCat("--dim: no input has a size ", name, ": there are ",
                                       names.empty() ? "none with a name" : names));
  }
  for (const auto& [name, shape] : line.shapes) {
    if (std::ranges::count(model.inputs(), name, &ModelValue::name)) continue;
    const Status status = NoSuchValue(model.inputs(), name, "input");
    return Status(status.code(), StrCat("--shape: ", status.message()));
  }
  return OkStatus();
}

std::string ChosenShapes(const Model& model, const CommandLine& line,
                         const std::vector<DenseHostTensor>& inputs) {
  std::vector<bool> has_file(inputs.size());
  for (const std::string& text : line.inputs) {
    auto file = FindValue(model.inputs(), text, "input");
    if (file.ok()) has_file[file->index] = true;
  }
  std::string shapes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ModelValue& input = model.inputs()[i];
    const bool is_chosen = !has_file[i] && !line.shapes.contains(input.name) && input.dims &&
                           std::ranges::any_of(*input.dims, [&](const ModelDim& dim) {
                             return dim.size < 0 && !line.dims.contains(dim.symbol);
                           });
    if (!is_chosen) continue;
    std::string sizes;
    for (int64_t size : inputs[i].shape().dims()) {
      sizes += StrCat(sizes.empty() ? "" : ",", size);
    }
    shapes += StrCat(shapes.empty() ? "" : " ", "--shape ", input.name, "=", sizes);
  }
  return shapes;
}

StatusOr<std::vector<DenseHostTensor>> MakeInputs(const Model& model, const CommandLine& line) {
  std::vector<std::optional<std::string>> files(model.inputs().size());
  for (const std::string& text : line.inputs) {
    TFRT_ASSIGN_OR_RETURN(ValueFile file, FindValue(model.inputs(), text, "input"));
    files[file.index] = std::move(file.file);
  }
  HostAllocator* allocator = model.host()->allocator();
  std::minstd_rand random(line.seed);
  std::vector<DenseHostTensor> tensors;
  for (size_t i = 0; i < files.size(); ++i) {
    const ModelValue& input = model.inputs()[i];
    if (files[i]) {
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, ReadNpyFile(*files[i], allocator));
      tensors.push_back(std::move(tensor));
    } else if (line.random) {
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, MakeRandom(input, line, random, allocator));
      tensors.push_back(std::move(tensor));
    } else {
      return InvalidArgumentError(StrCat("input ", input.name, " (", ToString(input),
                                         ") has no tensor: give --input ", input.name,
                                         "=FILE, or --random"));
    }
  }
  return tensors;
}

std::optional<std::complex<double>> Number(const DenseHostTensor& tensor, int64_t index) {
  switch (tensor.dtype()) {
#define TFRT_NUMBER(code, T) \
  case DType::code:          \
    return NumberOf(static_cast<const T*>(tensor.data())[index]);
    TFRT_CPP_ELEMENT_TYPES(TFRT_NUMBER)
#undef TFRT_NUMBER
    default:
      return std::nullopt;
  }
}

StatusOr<std::string> Difference(const DenseHostTensor& actual, const DenseHostTensor& expected,
                                 const CommandLine& line) {
  if (actual.metadata() != expected.metadata()) {
    return StrCat("is ", DTypeName(actual.dtype()), " ", actual.shape().ToString(), ", expected ",
                  DTypeName(expected.dtype()), " ", expected.shape().ToString());
  }
  int64_t num_different = 0, first = 0;
  double largest = 0;
  for (int64_t i = 0; i < actual.num_elements(); ++i) {
    auto a = Number(actual, i), b = Number(expected, i);
    if (!a) return InvalidArgumentError(StrCat("cannot compare ", DTypeName(actual.dtype())));
    if (AreClose(*a, *b, line)) continue;
    if (num_different++ == 0) first = i;
    largest = std::max(largest, std::abs(*a - *b));
  }
  if (num_different == 0) return std::string();
  return StrCat("differs in ", num_different, " of ", actual.num_elements(),
                " elements, at most by ", TextOf(largest), "; element ", first, " is ",
                TextOf(Number(actual, first)->real()), ", expected ",
                TextOf(Number(expected, first)->real()));
}

}  // namespace tfrt
