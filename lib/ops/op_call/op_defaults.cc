#include "op_defaults.h"

#include <cassert>

#include "op_attr_values.h"

namespace tfrt {

Status SetDefault(const OpAttrSpec& spec, OpAttrs& attrs) {
  if (spec.default_value.empty() || OpAttrsRef(attrs).Find(spec.name)) return OkStatus();
  TFRT_ASSIGN_OR_RETURN(OpAttrValue value, ParseDefault(spec));
  [[maybe_unused]] bool set = SetAttr(attrs, spec.name, spec.kind, value);
  assert(set && "ParseDefault gives values of the attribute's kind");
  return OkStatus();
}

Status CheckDefaults(std::span<const OpAttrSpec> attrs) {
  for (const OpAttrSpec& spec : attrs) {
    OpAttrs one;
    TFRT_RETURN_IF_ERROR(SetDefault(spec, one));
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
