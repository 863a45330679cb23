#include "kernel_listing.h"

#include <string_view>
#include <vector>

#include "tfrt/async/type_id.h"
#include "tfrt/bef/bef_format.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

std::string TypeText(TypeIdGetter type) {
  return std::string(type ? ProgramTypeName(type()) : "any");
}

// The names of docs/reference/bef_format.md.
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
