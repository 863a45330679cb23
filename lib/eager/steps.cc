#include "steps.h"

#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

// The attributes that are true, by name, and how many others there are: "{transpose_b, +1}".
std::string Describe(const OpAttrsRef* attrs) {
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

std::string Text(std::string_view step, const StepSubject& subject, std::string_view details) {
  return StrCat("eager.", step, " id=", subject.id, " op=", subject.op_name,
                Describe(subject.attrs), details.empty() ? "" : " ", details);
}

}  // namespace

void Step::Open(std::string_view step, const StepSubject& subject, std::string_view details) {
  scope_.emplace(kStepLevel, Text(step, subject, details));
}

void RecordStep(std::string_view step, const StepSubject& subject, std::string_view details) {
  tracing::RecordEvent(kStepLevel, Text(step, subject, details));
}

}  // namespace tfrt::eager
