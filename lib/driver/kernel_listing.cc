#include "tfrt/driver/kernel_listing.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "tfrt/async/type_id.h"
#include "tfrt/bef/bef_format.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

struct Spelling {
  std::string_view cpp;
  std::string_view text;
};

// C++ types that programs know under other names.
constexpr Spelling kTypes[] = {
    {"bool", "i1"},
    {"signed char", "i8"},
    {"unsigned char", "ui8"},
    {"short", "i16"},
    {"unsigned short", "ui16"},
    {"int", "i32"},
    {"unsigned int", "ui32"},
    {"long", "i64"},
    {"unsigned long", "ui64"},
    {"float", "f32"},
    {"double", "f64"},
    {"Fp16", "f16"},
    {"Bf16", "bf16"},
    {"std::complex<float>", "complex64"},
    {"std::complex<double>", "complex128"},
    {"std::basic_string<char>", "string"},
    {"Chain", "chain"},
    {"TensorShape", "shape"},
    {"PartialTensorShape", "partial shape"},
    {"Tensor", "tensor"},
    {"TensorType", "tensor type"},
    {"DenseHostTensor", "dense tensor"},
    {"StringHostTensor", "string tensor"},
    {"CooHostTensor", "coo tensor"},
    {"RCReference<HostBuffer>", "buffer"},
    {"HostBuffer", "buffer"},
    {"RCReference<Device>", "device"},
    {"TensorHandle", "tensor handle"},
    {"OpHandler*", "op handler"},
    {"CoreRuntimeOp", "op"},
    {"SharedOpAttrs", "op attributes"},
    {"OpAttrsRef", "frozen op attributes"},
};

// The same for templates, whatever their arguments.
constexpr Spelling kTemplates[] = {
    {"FixedRankShape<", "fixed-rank shape"},
    {"ScalarHostTensor<", "scalar tensor"},
};

void RemoveAll(std::string* text, std::string_view part) {
  for (size_t at; (at = text->find(part)) != text->npos;) text->erase(at, part.size());
}

std::string TypeText(TypeIdGetter type) {
  if (!type) return "any";
  std::string name(TypeName(type()));
  for (std::string_view scope : {"tfrt::", "{anonymous}::", "(anonymous namespace)::"}) {
    RemoveAll(&name, scope);
  }
  for (const Spelling& spelling : kTemplates) {
    if (name.starts_with(spelling.cpp)) return std::string(spelling.text);
  }
  auto known = std::ranges::find(kTypes, std::string_view(name), &Spelling::cpp);
  return known == std::end(kTypes) ? name : std::string(known->text);
}

// The names of docs/bef_format.md.
std::string AttributeText(AttributeCode code) {
  const bool is_array = bef::IsArrayCode(static_cast<bef::TypeCode>(code));
  AttributeCode element = code & static_cast<AttributeCode>(~bef::kArrayFlag);
  if (element == 0) return is_array ? "any[]" : "any";
  if (element <= static_cast<AttributeCode>(DType::kString)) {
    return StrCat(std::string_view(kElementTypes[element].program_name), is_array ? "[]" : "");
  }
  switch (static_cast<bef::TypeCode>(code)) {
    case bef::TypeCode::kType:
      return "type";
    case bef::TypeCode::kShape:
      return "shape";
    case bef::TypeCode::kDense:
      return "dense";
    case bef::TypeCode::kSymbolRef:
      return "compiled module";
    case bef::TypeCode::kAggregate:
      return "array";
    default:
      return StrCat("code ", int{code});
  }
}

std::string Join(std::vector<std::string> parts, bool more_may_follow) {
  if (more_may_follow) parts.push_back("...");
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string TypeList(std::span<const TypeIdGetter> types, bool variadic) {
  std::vector<std::string> texts;
  for (TypeIdGetter type : types) texts.push_back(TypeText(type));
  return StrCat("(", Join(std::move(texts), variadic), ")");
}

std::string SignatureText(const KernelSignature& signature) {
  std::string text = TypeList(signature.arguments, signature.variadic_arguments);
  std::vector<std::string> attributes;
  for (AttributeCode code : signature.attributes) attributes.push_back(AttributeText(code));
  if (signature.variadic_attributes) {
    attributes.push_back(AttributeText(signature.variadic_attribute_code));
  }
  if (!attributes.empty()) {
    text += StrCat(" {", Join(std::move(attributes), signature.variadic_attributes), "}");
  }
  if (signature.variadic_functions) {
    text += " @...";
  } else if (signature.num_functions != 0) {
    text += StrCat(" @", signature.num_functions);
  }
  return StrCat(text, " -> ", TypeList(signature.results, signature.variadic_results));
}

}  // namespace

std::string KernelListing(const KernelRegistry& registry) {
  std::string text;
  for (std::string_view name : registry.KernelNames()) {
    const KernelEntry* entry = registry.FindKernel(name);
    text += StrCat(name, entry->is_sync() ? " sync " : " ",
                   entry->signature ? SignatureText(*entry->signature) : "?", "\n");
  }
  return text;
}

}  // namespace tfrt
