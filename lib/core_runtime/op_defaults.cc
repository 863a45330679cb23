#include "tfrt/core_runtime/op_defaults.h"

#include <cassert>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

std::optional<DType> ParseDType(std::string_view text) {
#define TFRT_PARSE_DTYPE(dtype, type) \
  if (text == "DType::" #dtype) return DType::dtype;
  TFRT_CPP_ELEMENT_TYPES(TFRT_PARSE_DTYPE)
#undef TFRT_PARSE_DTYPE
  return std::nullopt;
}

template <typename T>
std::optional<T> ParseNumber(std::string_view text) {
  if (std::is_same_v<T, float> && text.ends_with('f')) text.remove_suffix(1);
  T value;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::string> ParseString(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return std::nullopt;
    if (text[i] == '\\') {
      // Of the escapes those that a text in the table needs.
      if (++i == text.size() || (text[i] != '"' && text[i] != '\\')) return std::nullopt;
    }
    value += text[i];
  }
  return value;
}

// "{1, 2}"
template <typename T>
std::optional<std::vector<T>> ParseArray(std::string_view text) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<T> values;
  while (!text.empty()) {
    size_t comma = text.find(',');
    auto value = ParseNumber<T>(text.substr(0, comma));
    if (!value) return std::nullopt;
    values.push_back(*value);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    while (text.starts_with(' ')) text.remove_prefix(1);
    if (text.empty()) return std::nullopt;
  }
  return values;
}

template <typename T>
bool SetNumber(OpAttrs& attrs, std::string_view name, std::optional<T> value) {
  return value && attrs.Set(name, *value);
}
template <typename T>
bool SetNumbers(OpAttrs& attrs, std::string_view name, std::optional<std::vector<T>> values) {
  return values && attrs.SetArray(name, std::span<const T>(*values));
}

// False for a text that is no value of the kind.
bool SetParsed(const OpAttrSpec& spec, OpAttrs& attrs) {
  using AttrKind = OpAttrSpec::Kind;
  std::string_view text = spec.default_value;
  switch (spec.kind) {
    case AttrKind::kBool:
      return (text == "true" || text == "false") && attrs.Set(spec.name, text == "true");
    case AttrKind::kI32:
      return SetNumber(attrs, spec.name, ParseNumber<int32_t>(text));
    case AttrKind::kI64:
      return SetNumber(attrs, spec.name, ParseNumber<int64_t>(text));
    case AttrKind::kF32:
      return SetNumber(attrs, spec.name, ParseNumber<float>(text));
    case AttrKind::kString: {
      auto value = ParseString(text);
      return value && attrs.SetString(spec.name, *value);
    }
    case AttrKind::kType: {
      auto value = ParseDType(text);
      return value && attrs.SetType(spec.name, *value);
    }
    case AttrKind::kShape: {
      auto dims = ParseArray<int64_t>(text);
      return dims && attrs.SetShape(spec.name, *dims);
    }
    case AttrKind::kI64Array:
      return SetNumbers(attrs, spec.name, ParseArray<int64_t>(text));
    case AttrKind::kF32Array:
      return SetNumbers(attrs, spec.name, ParseArray<float>(text));
    case AttrKind::kStringArray:
      return text == "{}" && attrs.SetStringArray(spec.name, {});
    case AttrKind::kAny:
    case AttrKind::kDense:
    case AttrKind::kFunction:
      return false;
  }
  return false;
}

}  // namespace

Status SetDefault(const OpAttrSpec& spec, OpAttrs& attrs) {
  if (spec.default_value.empty() || OpAttrsRef(attrs).Find(spec.name)) return OkStatus();
  if (SetParsed(spec, attrs)) return OkStatus();
  return InvalidArgumentError(StrCat("the default of the attribute '", spec.name, "', ",
                                     spec.default_value, ", is not ", OpAttrKindName(spec.kind)));
}

Status CheckDefaults(const OpDefinition& op) {
  for (const OpAttrSpec& spec : op.attrs) {
    OpAttrs attrs;
    TFRT_RETURN_IF_ERROR(SetDefault(spec, attrs));
  }
  return OkStatus();
}

OpAttrsRef WithDefaults(const OpDefinition& op, const OpAttrsRef& attrs, OpAttrs& complete) {
  for (const OpAttr& attr : attrs.attrs()) complete.SetExternal(attr);
  for (const OpAttrSpec& spec : op.attrs) {
    [[maybe_unused]] Status status = SetDefault(spec, complete);
    assert(status.ok() && "the op's defaults have not been checked");
  }
  return complete;
}

}  // namespace tfrt
