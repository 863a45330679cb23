#include "tfrt/core_runtime/op_registry.h"

#include "tfrt/support/str_cat.h"

namespace tfrt {

void OpRegistry::Add(OpDefinition op) {
  if (by_name_.contains(op.name)) {
    if (first_error_.ok()) {
      first_error_ = AlreadyExistsError(StrCat("the op '", op.name, "' is registered twice"));
    }
    return;
  }
  op.id = static_cast<uint32_t>(ops_.size());
  ops_.push_back(std::move(op));
  by_name_.emplace(ops_.back().name, &ops_.back());
}

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

bool IsOpAttrOfKind(const OpAttrsRef& attrs, const OpAttr& attr, OpAttrSpec::Kind kind) {
  using AttrKind = OpAttrSpec::Kind;
  switch (kind) {
    case AttrKind::kAny:
      return true;
    case AttrKind::kBool:
      return attr.code == Attribute<bool>::kCode;
    case AttrKind::kI32:
      return attr.code == Attribute<int32_t>::kCode;
    case AttrKind::kI64:
      return attr.code == Attribute<int64_t>::kCode;
    case AttrKind::kF32:
      return attr.code == Attribute<float>::kCode;
    case AttrKind::kString:
      return attr.code == StringAttribute::kCode && !attr.is_function;
    case AttrKind::kType:
      return attr.code == TypeAttribute::kCode;
    case AttrKind::kShape:
      return attr.code == ShapeAttribute::kCode;
    case AttrKind::kDense:
      return attr.code == DenseAttribute::kCode;
    case AttrKind::kI64Array:
      return attrs.GetArray<int64_t>(attr.name).has_value();
    case AttrKind::kF32Array:
      return attrs.GetArray<float>(attr.name).has_value();
    case AttrKind::kStringArray:
      return attr.code == AggregateAttribute::kCode ||
             attrs.GetArray<int64_t>(attr.name).has_value();  // empty
    case AttrKind::kFunction:
      return attr.is_function;
  }
  return false;
}

}  // namespace tfrt
