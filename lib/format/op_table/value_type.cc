#include "tfrt/opinfo/value_type.h"

#include <algorithm>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

std::string ToText(std::span<const Dim> dims) {
  std::string text;
  for (Dim dim : dims) text += (text.empty() ? "" : ", ") + dim.ToString();
  return text;
}

bool Contradict(std::span<const Dim> a, std::span<const Dim> b) {
  if (a.size() != b.size()) return true;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].Contradicts(b[i])) return true;
  }
  return false;
}

}  // namespace

std::string Dim::ToString() const {
  if (is_known()) return StrCat(value_);
  return is_symbol() ? StrCat("s", value_) : "?";
}

bool SymbolicShape::is_known() const {
  return has_rank_ && std::ranges::all_of(dims_, [](Dim dim) { return dim.is_known(); });
}

Dim SymbolicShape::num_elements() const {
  if (!has_rank_) return Dim();
  if (std::ranges::any_of(dims_, [](Dim dim) { return dim.is(0); })) return 0;
  int64_t count = 1;
  for (Dim dim : dims_) {
    if (!dim.is_known() || __builtin_mul_overflow(count, dim.value(), &count)) return Dim();
  }
  return count;
}

std::string SymbolicShape::ToString() const {
  return has_rank_ ? StrCat("[", ToText(dims_), "]") : "[*]";
}

bool ValueType::IsCompatibleWith(const ValueType& other) const {
  if (has_dtype() && other.has_dtype() && dtype != other.dtype) return false;
  if (shape.has_rank() && other.shape.has_rank() && Contradict(shape.dims(), other.shape.dims())) {
    return false;
  }
  return !elements || !other.elements || !Contradict(*elements, *other.elements);
}

std::string ValueType::ToString() const {
  std::string text = StrCat(has_dtype() ? DTypeName(dtype) : "?", " ", shape.ToString());
  if (elements) text += StrCat(" {", ToText(*elements), "}");
  return text;
}

std::optional<Dim> Unify(Dim a, Dim b) {
  if (a.Contradicts(b)) return std::nullopt;
  if (a.is_known() || b.is_unknown()) return a;
  return b.is_known() || a.is_unknown() ? b : a;
}

}  // namespace tfrt
