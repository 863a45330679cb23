#include "attributes.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

using AttrKind = OpAttrSpec::Kind;

// "a bool", "an array of i64", ... of a value; the code's number where there is no name.
std::string NameOfValue(const OpAttrsRef& attrs, const OpAttr& attr) {
  for (AttrKind kind :
       {AttrKind::kBool, AttrKind::kI32, AttrKind::kI64, AttrKind::kF32, AttrKind::kString,
        AttrKind::kType, AttrKind::kShape, AttrKind::kDense, AttrKind::kI64Array,
        AttrKind::kF32Array, AttrKind::kStringArray, AttrKind::kFunction}) {
    if (IsOpAttrOfKind(attrs, attr, kind)) return std::string(OpAttrKindName(kind));
  }
  return StrCat("of type code ", static_cast<int>(attr.code));
}

// How many letters must be inserted, removed or changed to make one name of the other, whatever
// their case (Levenshtein's distance, one row of the table at a time).
size_t Distance(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      size_t changed = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

Status UnknownAttribute(const OpDefinition& op, std::string_view name) {
  std::string known;
  std::string_view nearest;
  size_t least = SIZE_MAX;
  for (const OpAttrSpec& spec : op.attrs) {
    known += known.empty() ? "" : ", ";
    known += spec.name;
    size_t distance = Distance(name, spec.name);
    // Names that share less than half of their letters are no misspellings of each other.
    if (distance >= least || 2 * distance > std::max(name.size(), spec.name.size())) continue;
    least = distance;
    nearest = spec.name;
  }
  std::string message =
      StrCat(op.name, " has no attribute '", name, "'; it has ", known.empty() ? "none" : known);
  if (!nearest.empty()) message += StrCat("; did you mean '", nearest, "'?");
  return InvalidArgumentError(message);
}

}  // namespace

Status CheckAttributes(const OpDefinition& op, const OpAttrsRef& attrs) {
  for (const OpAttr& attr : attrs.attrs()) {
    bool known = std::ranges::any_of(
        op.attrs, [&](const OpAttrSpec& spec) { return spec.name == attr.name; });
    if (!known) return UnknownAttribute(op, attr.name);
  }
  for (const OpAttrSpec& spec : op.attrs) {
    const OpAttr* attr = attrs.Find(spec.name);
    if (!attr) {
      return InvalidArgumentError(
          StrCat(op.name, " needs the attribute '", spec.name, "', ", OpAttrKindName(spec.kind)));
    }
    if (!IsOpAttrOfKind(attrs, *attr, spec.kind)) {
      return InvalidArgumentError(StrCat("the attribute '", spec.name, "' is ",
                                         NameOfValue(attrs, *attr), ", expected ",
                                         OpAttrKindName(spec.kind)));
    }
  }
  return OkStatus();
}

}  // namespace tfrt::eager
