#include "tfrt/opinfo/attr_value.h"

#include <cassert>
#include <charconv>
#include <type_traits>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

std::optional<OpAttrValue> ParseDType(std::string_view text) {
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

std::optional<OpAttrValue> ParseString(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return std::nullopt;
    if (text[i] == '\\') {
      // Accepts only the escapes that a text in the table needs.
      if (++i == text.size() || (text[i] != '"' && text[i] != '\\')) return std::nullopt;
    }
    value += text[i];
  }
  return value;
}

// "{1, 2}"
template <typename T>
std::optional<OpAttrValue> ParseArray(std::string_view text) {
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

std::optional<OpAttrValue> Parse(OpAttrSpec::Kind kind, std::string_view text) {
  using AttrKind = OpAttrSpec::Kind;
  switch (kind) {
    case AttrKind::kBool:
      if (text != "true" && text != "false") return std::nullopt;
      return text == "true";
    case AttrKind::kI32: {
      auto number = ParseNumber<int32_t>(text);
      return number ? std::optional<OpAttrValue>(int64_t{*number}) : std::nullopt;
    }
    case AttrKind::kI64:
      return ParseNumber<int64_t>(text);
    case AttrKind::kF32:
      return ParseNumber<float>(text);
    case AttrKind::kString:
      return ParseString(text);
    case AttrKind::kType:
      return ParseDType(text);
    case AttrKind::kShape:
    case AttrKind::kI64Array:
      return ParseArray<int64_t>(text);
    case AttrKind::kF32Array:
      return ParseArray<float>(text);
    case AttrKind::kStringArray:
      if (text != "{}") return std::nullopt;
      return std::vector<std::string>();
    case AttrKind::kAny:
    case AttrKind::kDense:
    case AttrKind::kFunction:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::string_view OpAttrKindName(OpAttrSpec::Kind kind) {
  using AttrKind = OpAttrSpec::Kind;
  switch (kind) {
    case AttrKind::kAny:
      return "anything";
    case AttrKind::kBool:
      return "a bool";
    case AttrKind::kI32:
      return "an i32";
    case AttrKind::kI64:
      return "an i64";
    case AttrKind::kF32:
      return "an f32";
    case AttrKind::kString:
      return "a string";
    case AttrKind::kType:
      return "a type";
    case AttrKind::kShape:
      return "a shape";
    case AttrKind::kDense:
      return "a dense constant";
    case AttrKind::kI64Array:
      return "an array of i64";
    case AttrKind::kF32Array:
      return "an array of f32";
    case AttrKind::kStringArray:
      return "an array of strings";
    case AttrKind::kFunction:
      return "a function";
  }
  return "";
}

StatusOr<OpAttrValue> ParseDefault(const OpAttrSpec& spec) {
  assert(!spec.default_value.empty());
  if (auto value = Parse(spec.kind, spec.default_value)) return *std::move(value);
  return InvalidArgumentError(StrCat("the default of the attribute '", spec.name, "', ",
                                     spec.default_value, ", is not ", OpAttrKindName(spec.kind)));
}

}  // namespace tfrt
