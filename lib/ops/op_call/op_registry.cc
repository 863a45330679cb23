#include "tfrt/core_runtime/op_registry.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "derived_metadata.h"
#include "op_defaults.h"
#include "spelled_call.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

// Holds the parts of a definition that are not in the table.
struct OpDefinition::Own {
  std::vector<OpArgumentSpec> arguments;
  std::vector<OpAttrSpec> attrs;
  std::vector<std::string_view> results;
  std::optional<OpDescription> description;  // of a custom op
  OpAttrsRef defaults;                       // of a row
  std::shared_ptr<const void> state;
};

namespace {

// Looks at arguments only, not at attributes that stand for one.
bool ReadsHostValues(const OpSpelling& spelling, const OpDescription& op) {
  return std::ranges::any_of(op.arguments, [&](const OpArgumentSpec& argument) {
    return argument.host_value != OpArgumentSpec::HostValue::kNo &&
           argument.name != spelling.folded_argument;
  });
}

}  // namespace

OpDefinition::OpDefinition(std::string_view name, const OpImplementation& implementation)
    : OpDefinition(*FindOpSpelling(name), implementation, name.starts_with(kGraphOpPrefix)) {}

OpDefinition::OpDefinition(const OpSpelling& spelling, const OpDefinition& row)
    : OpDefinition(spelling, {.function = row.function, .quick = row.quick, .parser = row.parser},
                   /*infers=*/true) {
  if (!function || (!this->spelling && attrs.empty())) return;
  function = &CallSpelled;
  state = &row;
}

OpDefinition::OpDefinition(const OpSpelling& called, const OpImplementation& implementation,
                           bool infers)
    : OpBinding{called.name},
      description(FindOpDescription(called.op)),
      summary(called.summary.empty() ? description->summary : called.summary),
      arguments(description->arguments),
      attrs(description->attrs),
      results(description->results),
      flags(description->flags),
      metadata(implementation.metadata),
      function(implementation.function),
      quick(implementation.quick),
      parser(implementation.parser) {
  // Derived functions read attributes as eager programs spell them, and no elements. Those of
  // compiled programs remember the results of a call site instead.
  const bool is_compiled = called.name.starts_with(kGraphOpPrefix);
  if (!metadata && !is_compiled) metadata = MetadataFunctionOf(description->shape.rule);
  infers_metadata = infers && !metadata && description->shape;
  has_early_metadata =
      metadata || (infers_metadata && !is_compiled && !HasFlag(flags, OpFlags::kOpenResults) &&
                   !ReadsHostValues(called, *description));
  may_overwrite = description->may_overwrite;
  auto own = std::make_shared<Own>();
  if (called.attrs.empty() && called.folded_argument.empty()) {
    if (!is_compiled || attrs.empty()) return;
    OpAttrs defaults;
    for (const OpAttrSpec& attr : attrs) {
      [[maybe_unused]] Status status = SetDefault(attr, defaults);
      assert(status.ok() && "a default of the op table is no value of its kind");
    }
    own->defaults = defaults.Freeze();
    own_ = std::move(own);
    return;
  }
  spelling = &called;
  own->arguments = SpelledArguments(*description, called);
  own->attrs = SpelledAttrs(*description, called);
  arguments = own->arguments;
  attrs = own->attrs;
  own_ = std::move(own);
}

OpAttrsRef OpDefinition::defaults() const { return own_ ? own_->defaults : OpAttrsRef(); }

OpDefinition::OpDefinition(CustomOp op)
    : OpBinding{op.name},
      summary(op.summary),
      flags(op.flags),
      metadata(op.metadata),
      function(op.function),
      quick(nullptr),
      composite(op.composite),
      has_early_metadata(op.metadata) {
  auto own = std::make_shared<Own>();
  own->arguments = std::move(op.arguments);
  own->attrs = std::move(op.attrs);
  own->results = std::move(op.results);
  arguments = own->arguments;
  attrs = own->attrs;
  results = own->results;
  own->description.emplace(OpDescription{.name = name,
                                         .summary = summary,
                                         .arguments = arguments,
                                         .attrs = attrs,
                                         .results = results,
                                         .flags = flags,
                                         .cost = UnknownCost("the op is the program's own"),
                                         .shape = nullptr,
                                         .gradient = OpGradient("the op is the program's own")});
  description = &*own->description;
  if (op.closure.function) {
    assert(!function && "a custom op has a function or a closure");
    function = op.closure.function;
  }
  own->state = std::move(op.closure.state);
  state = own->state.get();
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
    case AttrKind::kStringArray: {
      auto strings = attrs.GetAggregate(attr.name);
      bool fits = strings.has_value();
      for (size_t i = 0; fits && i < strings->size(); ++i) {
        fits = strings->element_code(i) == StringAttribute::kCode;
      }
      return fits;
    }
    case AttrKind::kFunction:
      return attr.is_function;
  }
  return false;
}

}  // namespace tfrt
