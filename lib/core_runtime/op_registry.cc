#include "tfrt/core_runtime/op_registry.h"

#include <cassert>

#include "derived_metadata.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

// What a definition keeps that is not in the table.
struct OpDefinition::Own {
  std::vector<OpArgumentSpec> arguments;
  std::vector<OpAttrSpec> attrs;
  std::vector<std::string_view> results;
  OpDescription description;  // of a custom op
  std::shared_ptr<const void> state;
};

OpDefinition::OpDefinition(std::string_view spelling, const OpImplementation& implementation)
    : OpBinding{spelling},
      metadata(implementation.metadata),
      function(implementation.function),
      quick(implementation.quick) {
  const OpSpelling* row = FindOpSpelling(spelling);
  assert(row && "the op table has no op of this name");
  description = FindOpDescription(row->op);
  // Derived functions read attributes as eager programs spell them, and no elements.
  infers_at_call = !metadata && description->shape && row->name.starts_with(kGraphOpPrefix);
  if (!metadata && !infers_at_call) metadata = MetadataFunctionOf(description->shape);
  name = row->name;
  summary = row->summary.empty() ? description->summary : row->summary;
  arguments = description->arguments;
  attrs = description->attrs;
  results = description->results;
  flags = description->flags;
  if (row->attrs.empty() && row->folded_argument.empty()) return;
  auto own = std::make_shared<Own>();
  own->arguments = SpelledArguments(*description, *row);
  own->attrs = SpelledAttrs(*description, *row);
  arguments = own->arguments;
  attrs = own->attrs;
  own_ = std::move(own);
}

OpDefinition::OpDefinition(CustomOp op)
    : OpBinding{op.name},
      summary(op.summary),
      flags(op.flags),
      metadata(op.metadata),
      function(op.function),
      quick(nullptr) {
  auto own = std::make_shared<Own>();
  own->arguments = std::move(op.arguments);
  own->attrs = std::move(op.attrs);
  own->results = std::move(op.results);
  arguments = own->arguments;
  attrs = own->attrs;
  results = own->results;
  own->description = {.name = name,
                      .summary = summary,
                      .arguments = arguments,
                      .attrs = attrs,
                      .results = results,
                      .flags = flags};
  description = &own->description;
  if (op.closure.function) {
    assert(!function && "a custom op has a function or a closure");
    function = op.closure.function;
    own->state = std::move(op.closure.state);
    state = own->state.get();
  }
  own_ = std::move(own);
}

void OpRegistry::Insert(OpDefinition op) {
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
