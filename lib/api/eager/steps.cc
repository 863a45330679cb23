#include "steps.h"

#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

// The attributes that are true, by name, and how many others there are: "{transpose_b, +1}".
std::string AttrsText(const OpAttrsRef* attrs) {
  if (!attrs || attrs->empty()) return "";
  std::string text;
  size_t others = 0;
  for (const OpAttr& attr : attrs->attrs()) {
    if (attr.code != Attribute<bool>::kCode) {
      ++others;
    } else if (*attr.data != 0) {
      text += text.empty() ? "" : ", ";
      text += attr.name;
    }
  }
  if (others > 0) text += StrCat(text.empty() ? "+" : ", +", others);
  return text.empty() ? "" : StrCat("{", text, "}");
}

}  // namespace

std::string StepText(const tracing::RecordText& text) {
  std::string out = StrCat(text.type.name, " id=", text.op_id, " op=", text.name,
                           AttrsText(static_cast<const OpAttrsRef*>(text.extra)));
  for (size_t i = 0; i < tracing::kMaxArguments; ++i) {
    const tracing::ArgumentSpec& spec = text.type.arguments[i];
    std::string_view label = spec.name.empty() ? "" : "=";
    if (spec.type == kInteger) {
      out += StrCat(" ", spec.name, label, static_cast<int64_t>(text.arguments[i]));
    } else if (spec.type == kName && text.arguments[i] != 0) {
      out += StrCat(" ", spec.name, label, text.NameArgument(i));
    }
  }
  return out;
}

}  // namespace tfrt::eager
