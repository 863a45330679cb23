#include "tfrt/bef/bef_format.h"

#include <iterator>

namespace tfrt::bef {

std::string_view SectionName(SectionId id) {
  // By number; the second half are our own.
  static constexpr const char* kNames[] = {
      "Strings",       "Attributes",      "Kernels",   "Types",          "FunctionIndex",
      "Functions",     "LocationStrings", "Locations", "AttributeTypes", "AttributeNames",
      "RegisterTypes", "NonStrict",       "Extras",    "Signatures",     "Weights"};
  constexpr size_t kFirstOwn = static_cast<size_t>(SectionId::kNonStrict);
  constexpr size_t kNumVersion0 = static_cast<size_t>(SectionId::kRegisterTypes) + 1;
  auto index = static_cast<size_t>(id);
  if (index >= kFirstOwn) {
    index = index - kFirstOwn + kNumVersion0;
  } else if (index >= kNumVersion0) {
    index = std::size(kNames);
  }
  return index < std::size(kNames) ? kNames[index] : "unknown";
}

std::string_view TypeCodeName(TypeCode code) {
  // Indexed by the codes that follow those of dtypes.
  static constexpr const char* kOthers[] = {
      "", "type", "function", "shape", "dense", "symbol reference", "aggregate"};
  // Indexed by the code of the element.
  static constexpr const char* kArrays[] = {"",           "ui8 array", "ui16 array", "ui32 array",
                                            "ui64 array", "i1 array",  "i8 array",   "i16 array",
                                            "i32 array",  "i64 array", "f32 array",  "f64 array",
                                            "",           "",          "f16 array",  "bf16 array"};
  size_t index = static_cast<uint8_t>(code) & ~kArrayFlag;
  std::string_view name;
  if (IsArrayCode(code)) {
    if (index < std::size(kArrays)) name = kArrays[index];
    if (ArrayElement(code) == TypeCode::kType) name = "type array";
  } else if (index < kNumElementTypes) {
    name = kElementTypes[index].mlir_name;
  } else if (index - kNumElementTypes < std::size(kOthers)) {
    name = kOthers[index - kNumElementTypes];
  }
  return name.empty() ? "unsupported" : name;
}

}  // namespace tfrt::bef
