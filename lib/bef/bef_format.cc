#include "tfrt/bef/bef_format.h"

namespace tfrt::bef {

std::string_view SectionName(SectionId id) {
  switch (id) {
    case SectionId::kStrings:
      return "Strings";
    case SectionId::kAttributes:
      return "Attributes";
    case SectionId::kKernels:
      return "Kernels";
    case SectionId::kTypes:
      return "Types";
    case SectionId::kFunctionIndex:
      return "FunctionIndex";
    case SectionId::kFunctions:
      return "Functions";
    case SectionId::kLocationStrings:
      return "LocationStrings";
    case SectionId::kLocations:
      return "Locations";
    case SectionId::kAttributeTypes:
      return "AttributeTypes";
    case SectionId::kAttributeNames:
      return "AttributeNames";
    case SectionId::kRegisterTypes:
      return "RegisterTypes";
    case SectionId::kNonStrict:
      return "NonStrict";
    case SectionId::kExtras:
      return "Extras";
  }
  return "unknown";
}

std::string_view TypeCodeName(TypeCode code) {
  // Indexed by code; the second half are arrays of the first.
  static constexpr std::string_view kNames[31] = {
      "unsupported", "ui8",      "ui16",         "ui32",         "ui64",
      "i1",          "i8",       "i16",          "i32",          "i64",
      "f32",         "f64",      "complex<f32>", "complex<f64>", "f16",
      "bf16",        "string",   "resource",     "variant",      "quint8",
      "quint16",     "qint8",    "qint16",       "qint32",       "",
      "type",        "function", "shape",        "dense",        "symbol reference",
      "aggregate"};
  static constexpr std::string_view kArrayNames[31] = {
      "",         "ui8 array",  "ui16 array", "ui32 array", "ui64 array", "i1 array",
      "i8 array", "i16 array",  "i32 array",  "i64 array",  "f32 array",  "f64 array",
      "",         "",           "f16 array",  "bf16 array", "",           "",
      "",         "",           "",           "",           "",           "",
      "",         "type array", "",           "",           "",           "",
      ""};
  size_t index = static_cast<uint8_t>(code) & ~kArrayFlag;
  std::string_view name;
  if (index < 31) name = IsArrayCode(code) ? kArrayNames[index] : kNames[index];
  return name.empty() ? "unsupported" : name;
}

}  // namespace tfrt::bef
