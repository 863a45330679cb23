#include "prepare.h"

#include <algorithm>

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

}  // namespace

Status CheckCall(const OpDefinition& op, size_t num_arguments, size_t num_results,
                 const OpAttrsRef& attrs) {
  using ArgumentKind = OpArgumentSpec::Kind;
  size_t required = 0;
  bool variadic = false;
  for (const OpArgumentSpec& argument : op.arguments) {
    required += argument.kind == ArgumentKind::kRequired;
    variadic |= argument.kind == ArgumentKind::kVariadic;
  }
  bool flexible = variadic || required < op.arguments.size();
  if (num_arguments < required || (!variadic && num_arguments > op.arguments.size())) {
    return InvalidArgumentError(StrCat(op.name, " takes ", required,
                                       variadic   ? " or more"
                                       : flexible ? StrCat(" to ", op.arguments.size())
                                                  : "",
                                       " arguments, but there are ", num_arguments));
  }
  if (!op.results.empty() && num_results > op.results.size()) {
    return InvalidArgumentError(
        StrCat(op.name, " has ", op.results.size(), " results, but is asked for ", num_results));
  }
  for (const OpAttrSpec& spec : op.attrs) {
    const OpAttr* attr = attrs.Find(spec.name);
    if (!attr) {
      if (!spec.default_value.empty()) continue;
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

StatusOr<Placement> Place(const Context::Impl& context, const CallKey& key) {
  const OpDefinition& op = key.op();
  if (!op.function) {
    return UnimplementedError(StrCat(op.name, " is known by its metadata only: no device has it"));
  }
  for (size_t i = 0; i < key.num_arguments(); ++i) {
    CallKey::Word word = key.argument(i);
    if (word == CallKey::kAbsent || DType(word & 0xFF) != DType::kResource) continue;
    auto device = static_cast<uint8_t>(word >> 8);
    if (context.Supports(device, op)) return Placement{device, PlacementReason::kResource};
    return NotFoundError(StrCat("argument ", i, " is a resource of ", context.devices[device].name,
                                ", which does not have ", op.name));
  }
  if (key.small_integers() && context.Supports(kHostDevice, op)) {
    return Placement{kHostDevice, PlacementReason::kSmallIntegers};
  }
  auto wanted = static_cast<uint8_t>(key.scope_device());
  if (wanted != kNoDevice) {
    if (context.Supports(wanted, op)) return Placement{wanted, PlacementReason::kScope};
    if (!context.options.soft_placement) {
      return NotFoundError(StrCat("the device ", context.devices[wanted].name, " does not have ",
                                  op.name, ", and soft placement is off"));
    }
  }
  for (uint8_t device : context.priority) {
    if (!context.Supports(device, op)) continue;
    return Placement{device,
                     wanted == kNoDevice ? PlacementReason::kPriority : PlacementReason::kSoft};
  }
  return NotFoundError(
      StrCat("no device has ", op.name, "; the devices are ", context.DeviceNames()));
}

std::string_view ReasonName(PlacementReason reason) {
  switch (reason) {
    case PlacementReason::kResource:
      return "resource";
    case PlacementReason::kSmallIntegers:
      return "small-integers";
    case PlacementReason::kScope:
      return "scope";
    case PlacementReason::kSoft:
      return "soft";
    case PlacementReason::kPriority:
      return "priority";
  }
  return "";
}

}  // namespace tfrt::eager
