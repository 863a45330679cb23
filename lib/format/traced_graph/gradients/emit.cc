// The first half: a body again, with what gradients of loops need kept.

#include <utility>

#include "activity.h"
#include "differentiator.h"
#include "lib/format/traced_graph/visit.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt::function {
namespace {

// Returns the type of a stack of one value for each run.
TracedType StackOf(TracedType type) {
  if (type.dims) type.dims->insert(type.dims->begin(), -1);
  return type;
}

}  // namespace

std::vector<ValueId> Differentiator::NowAll(std::span<const ValueId> old) const {
  std::vector<ValueId> values;
  for (ValueId value : old) values.push_back(Now(value));
  return values;
}

ValueId Differentiator::EmitValue(ValueId old) {
  now_[old] = builder_.AddValue(from_.values[old]);
  return now_[old];
}

void Differentiator::Emit(const TracedBody& body, bool repeats) {
  for (const TracedOp& op : body.ops) EmitOp(op, repeats, /*keeps=*/true);
}

void Differentiator::EmitOp(const TracedOp& op, bool repeats, bool keeps) {
  if (!builder_.status().ok()) return;
  builder_.SetLocation(op.location);
  switch (op.kind) {
    case TracedOpKind::kTable:
      return EmitTableOp(op, repeats);
    case TracedOpKind::kHostCall:
      if (!repeats) return EmitCopy(op, repeats);
      if (op.results.empty()) return;  // an effect and no more
      return builder_.Fail(InvalidArgumentError(
          "a callback in a branch or a loop has no gradient: it would have to be called again"));
    case TracedOpKind::kWhile:
    case TracedOpKind::kFor:
      return keeps ? EmitKeptLoop(op, repeats) : EmitCopy(op, repeats);
    default:
      return EmitCopy(op, repeats);
  }
}

void Differentiator::EmitTableOp(const TracedOp& op, bool repeats) {
  const OpSpelling& spelling = *FindOpSpelling(op.op);
  const OpDescription& row = *FindOpDescription(spelling.op);
  EmittedCall call{.old_arguments = op.arguments, .arguments = NowAll(op.arguments), .attrs = {}};
  for (const TracedAttr& attr : op.attrs) {
    if (attr.name != spelling.folded_argument) {
      call.attrs.push_back({std::string(spelling.Canonical(attr.name)), attr.value});
      continue;
    }
    size_t at = 0;
    while (row.arguments[at].name != spelling.folded_argument) ++at;
    const auto place = static_cast<std::ptrdiff_t>(at);
    call.old_arguments.insert(call.old_arguments.begin() + place, kLeftOut);
    call.arguments.insert(call.arguments.begin() + place,
                          builder_.Integers(std::get<std::vector<int64_t>>(attr.value)));
  }
  if (row.has_side_effects() && repeats) {
    // A print gives back its argument.
    for (ValueId result : op.results) now_[result] = Now(op.arguments[0]);
  } else if (row.has_side_effects() || StopsGradients(op)) {
    EmitCopy(op, repeats);  // spelled as it is, for gradients of gradients
  } else {
    std::vector<GradientAttr> attrs;
    for (const TracedAttr& attr : call.attrs) attrs.push_back({attr.name, attr.value});
    const std::vector<ValueId> results = builder_.Call(row, call.arguments, attrs);
    for (size_t i = 0; i < results.size(); ++i) now_[op.results[i]] = results[i];
  }
  calls_[&op] = std::move(call);
}

void Differentiator::EmitCopy(const TracedOp& op, bool repeats) {
  TracedOp copy{.kind = op.kind,
                .op = op.op,
                .index = op.index,
                .arguments = NowAll(op.arguments),
                .attrs = op.attrs,
                .location = op.location};
  copy.bodies.resize(op.bodies.size());
  for (size_t i = 0; i < op.bodies.size(); ++i) EmitBody(op.bodies[i], repeats, &copy.bodies[i]);
  for (ValueId result : op.results) {
    if (op.kind == TracedOpKind::kConstant) {
      now_[result] = builder_.AddValueOf(op.index);
    } else {
      EmitValue(result);
    }
    copy.results.push_back(now_[result]);
  }
  builder_.Append(std::move(copy));
}

void Differentiator::EmitBody(const TracedBody& from, bool repeats, TracedBody* body) {
  std::vector<TracedOp>* const outer = builder_.ops();
  for (ValueId argument : from.arguments) body->arguments.push_back(EmitValue(argument));
  builder_.SetOps(&body->ops);
  for (const TracedOp& op : from.ops) EmitOp(op, repeats, /*keeps=*/false);
  body->results = NowAll(from.results);
  builder_.SetOps(outer);
}

// With stacks of what is carried behind all other results; a while also counts its runs, in one
// more carried value.
void Differentiator::EmitKeptLoop(const TracedOp& op, bool repeats) {
  const bool is_for = op.kind == TracedOpKind::kFor;
  const size_t shift = is_for ? 1 : 0, carried = is_for ? op.index : op.arguments.size();
  const auto end = static_cast<std::ptrdiff_t>(carried);
  const TracedBody& from = op.bodies.back();
  LoopState& state = loops_[&op];
  state = {};
  TracedOp loop{.kind = op.kind,
                .index = op.index,
                .arguments = NowAll(op.arguments),
                .location = op.location};
  if (!is_for) loop.arguments.push_back(builder_.Number(DType::kI64, 0));
  loop.bodies.resize(op.bodies.size());
  for (size_t i = 0; i < op.bodies.size(); ++i) EmitBody(op.bodies[i], repeats, &loop.bodies[i]);
  if (!is_for) {
    for (TracedBody& body : loop.bodies) body.arguments.push_back(builder_.AddCount());
    std::vector<TracedOp>* const outer = builder_.ops();
    TracedBody& body = loop.bodies.back();
    builder_.SetOps(&body.ops);
    const ValueId next = builder_.Add(body.arguments.back(), builder_.Number(DType::kI64, 1));
    builder_.SetOps(outer);
    body.results.insert(body.results.begin() + end, next);
  }
  TracedBody& body = loop.bodies.back();
  for (ValueId result : op.results) loop.results.push_back(EmitValue(result));
  if (!is_for) {
    state.count = builder_.AddCount();
    loop.results.insert(loop.results.begin() + end, state.count);
  } else {
    state.count = loop.arguments[0];
  }
  for (size_t i = 0; i < carried; ++i) {
    body.results.push_back(body.arguments[shift + i]);
    state.carried.push_back(builder_.AddValue(StackOf(from_.values[from.arguments[shift + i]])));
    loop.results.push_back(state.carried.back());
  }
  if (state.count == kLeftOut) state.count = builder_.LengthOf(loop.arguments[1 + carried]);
  builder_.Append(std::move(loop));
}

}  // namespace tfrt::function
