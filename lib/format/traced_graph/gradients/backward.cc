// The second half: gradients, from the last op to the first.

#include <utility>

#include "activity.h"
#include "differentiator.h"
#include "lib/base/support/api_names.h"
#include "lib/format/op_table/gradient_rules.h"
#include "lib/format/traced_graph/visit.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
void Differentiator::AddGradient(Gradients* gradients, ValueId old, ValueId gradient) {
  if (old == kLeftOut || gradient == kNoGradient || !active_[old]) return;
  auto [found, is_new] = gradients->try_emplace(old, gradient);
  if (!is_new) found->second = builder_.Add(found->second, gradient);
}

ValueId Differentiator::GradientOr0(const Gradients& gradients, ValueId old) {
  auto found = gradients.find(old);
  return found == gradients.end() ? builder_.ZerosLike(Now(old)) : found->second;
}

template <typename Fill>
void Differentiator::Inside(TracedBody* body, Fill fill) {
  std::vector<TracedOp>* const outer = builder_.ops();
  builder_.SetOps(&body->ops);
  fill();
  builder_.SetOps(outer);
}

void Differentiator::Backward(const TracedBody& body, Gradients* gradients) {
  for (auto op = body.ops.rbegin(); op != body.ops.rend(); ++op) {
    if (!builder_.status().ok()) return;
    BackwardOp(*op, gradients);
  }
}

void Differentiator::BackwardOp(const TracedOp& op, Gradients* gradients) {
  bool is_needed = false;
  for (ValueId result : op.results) is_needed |= gradients->contains(result);
  if (!is_needed) return;
  builder_.SetLocation(op.location);
  switch (op.kind) {
    case TracedOpKind::kTable:
      return BackwardTableOp(op, gradients);
    case TracedOpKind::kIf:
      return BackwardIf(op, gradients);
    case TracedOpKind::kWhile:
    case TracedOpKind::kFor:
      return BackwardLoop(op, gradients);
    case TracedOpKind::kHostCall:
      return builder_.Fail(InvalidArgumentError(StrCat(
          "a callback has no gradient: call ", api_names.stop_gradient, " where none is wanted")));
    default:
      return;
  }
}

void Differentiator::BackwardTableOp(const TracedOp& op, Gradients* gradients) {
  const OpDescription& row = *FindOpDescription(FindOpSpelling(op.op)->op);
  if (!row.gradient.rule) {
    return builder_.Fail(
        InvalidArgumentError(StrCat(op.op, " has no gradient (", row.gradient.why_none, "): call ",
                                    api_names.stop_gradient, " where none is wanted")));
  }
  const EmittedCall& call = calls_.at(&op);
  const std::vector<ValueId> results = NowAll(op.results);
  std::vector<ValueId> result_gradients;
  for (ValueId result : op.results) {
    auto found = gradients->find(result);
    result_gradients.push_back(found == gradients->end() ? kNoGradient : found->second);
  }
  const TracedAttrReader attrs(call.attrs);
  GradientCall gradient(builder_, row, call.arguments, attrs, results, result_gradients);
  row.gradient.rule(gradient);
  if (!builder_.status().ok()) return;
  for (size_t i = 0; i < call.old_arguments.size(); ++i) {
    AddGradient(gradients, call.old_arguments[i], gradient.argument_gradients()[i]);
  }
}

void Differentiator::BackwardIf(const TracedOp& op, Gradients* gradients) {
  const std::vector<ValueId> captures = ActiveCaptures(op.bodies, active_);
  if (captures.empty()) return;
  TracedOp back{
      .kind = TracedOpKind::kIf, .arguments = NowAll(op.arguments), .location = op.location};
  back.bodies.resize(2);
  for (size_t b = 0; b < 2; ++b) {
    const TracedBody& from = op.bodies[b];
    Inside(&back.bodies[b], [&] {
      Emit(from, /*repeats=*/true);
      Gradients inner;
      for (size_t i = 0; i < op.results.size(); ++i) {
        auto found = gradients->find(op.results[i]);
        if (found != gradients->end()) AddGradient(&inner, from.results[i], found->second);
      }
      Backward(from, &inner);
      for (ValueId capture : captures) {
        back.bodies[b].results.push_back(GradientOr0(inner, capture));
      }
    });
  }
  if (!builder_.status().ok()) return;
  for (ValueId capture : captures) back.results.push_back(builder_.AddValue(from_.values[capture]));
  const std::vector<ValueId> results = back.results;
  builder_.SetLocation(op.location);
  builder_.Append(std::move(back));
  for (size_t i = 0; i < captures.size(); ++i) AddGradient(gradients, captures[i], results[i]);
}

// A for that goes through the runs from the last to the first. It carries the gradients of what the
// loop carries, and sums of those of what the loop sees.
struct Differentiator::LoopGradient {
  const TracedOp& op;
  const TracedBody& from;
  const LoopState& state;
  size_t shift;    // where carried values begin among the body's arguments
  size_t carried;  // how many
  std::vector<size_t> active_carried = {};
  std::vector<size_t> active_scanned = {};
  std::vector<ValueId> captures = {};
  std::vector<ValueId> stacked = {};  // gradients of what is stacked; kNoGradient: none
};

Differentiator::LoopGradient Differentiator::StartLoop(const TracedOp& op,
                                                       const Gradients& gradients) {
  const bool is_for = op.kind == TracedOpKind::kFor;
  LoopGradient loop{.op = op,
                    .from = op.bodies.back(),
                    .state = loops_[&op],
                    .shift = is_for ? size_t{1} : 0,
                    .carried = is_for ? op.index : op.arguments.size()};
  loop.captures = ActiveCaptures(std::span(&loop.from, 1), active_);
  for (size_t i = 0; i < loop.carried; ++i) {
    if (active_[loop.from.arguments[loop.shift + i]]) loop.active_carried.push_back(i);
  }
  for (size_t i = loop.shift + loop.carried; i < loop.from.arguments.size(); ++i) {
    if (active_[loop.from.arguments[i]]) loop.active_scanned.push_back(i);
  }
  for (size_t i = loop.carried; i < op.results.size(); ++i) {
    auto found = gradients.find(op.results[i]);
    loop.stacked.push_back(found == gradients.end() ? kNoGradient : found->second);
  }
  return loop;
}

void Differentiator::FillLoopBody(const LoopGradient& loop, TracedBody* body) {
  const TracedBody& from = loop.from;
  const ValueId last = builder_.CallOne("sub", {loop.state.count, builder_.Number(DType::kI64, 1)});
  const ValueId at = builder_.CallOne("sub", {last, body->arguments[0]});
  if (loop.shift == 1) now_[from.arguments[0]] = at;
  for (size_t i = 0; i < loop.carried; ++i) {
    now_[from.arguments[loop.shift + i]] = builder_.RowOf(loop.state.carried[i], at);
  }
  for (size_t i = loop.shift + loop.carried; i < from.arguments.size(); ++i) {
    now_[from.arguments[i]] = builder_.RowOf(Now(loop.op.arguments[i]), at);
  }
  Emit(from, /*repeats=*/true);
  Gradients inner;
  size_t next = 1;  // of the new body's arguments
  for (size_t i : loop.active_carried) {
    AddGradient(&inner, from.results[i], body->arguments[next++]);
  }
  for (size_t i = 0; i < loop.stacked.size(); ++i) {
    if (loop.stacked[i] == kNoGradient) continue;
    AddGradient(&inner, from.results[loop.carried + i], builder_.RowOf(loop.stacked[i], at));
  }
  Backward(from, &inner);
  for (size_t i : loop.active_carried) {
    body->results.push_back(GradientOr0(inner, from.arguments[loop.shift + i]));
  }
  for (ValueId capture : loop.captures) {
    const ValueId sum = body->arguments[next++];
    auto found = inner.find(capture);
    body->results.push_back(found == inner.end() ? sum : builder_.Add(sum, found->second));
  }
  for (size_t i : loop.active_scanned) {
    body->results.push_back(GradientOr0(inner, from.arguments[i]));
  }
}

void Differentiator::BackwardLoop(const TracedOp& op, Gradients* gradients) {
  const LoopGradient loop = StartLoop(op, *gradients);
  TracedOp back{.kind = TracedOpKind::kFor,
                .index = static_cast<uint32_t>(loop.active_carried.size() + loop.captures.size()),
                .arguments = {loop.state.count},
                .location = op.location};
  back.bodies.resize(1);
  TracedBody& body = back.bodies[0];
  body.arguments.push_back(builder_.AddCount());
  auto carry = [&](ValueId initial, const TracedType& type) {
    back.arguments.push_back(initial);
    body.arguments.push_back(builder_.AddValue(type));
    back.results.push_back(builder_.AddValue(type));
  };
  for (size_t i : loop.active_carried) {
    carry(GradientOr0(*gradients, op.results[i]),
          from_.values[loop.from.arguments[loop.shift + i]]);
  }
  for (ValueId capture : loop.captures) {
    carry(builder_.ZerosLike(Now(capture)), from_.values[capture]);
  }
  for (size_t i : loop.active_scanned) {
    back.results.push_back(builder_.AddValue(from_.values[op.arguments[i]]));
  }
  if (back.results.empty() || !builder_.status().ok()) return;
  Inside(&body, [&] { FillLoopBody(loop, &body); });
  if (!builder_.status().ok()) return;
  const std::vector<ValueId> results = back.results;
  builder_.SetLocation(op.location);
  builder_.Append(std::move(back));
  size_t next = 0;
  for (size_t i : loop.active_carried) {
    AddGradient(gradients, op.arguments[loop.shift + i], results[next++]);
  }
  for (ValueId capture : loop.captures) AddGradient(gradients, capture, results[next++]);
  // Rows were made from the last to the first.
  for (size_t i : loop.active_scanned) {
    const int64_t back_step[] = {-1}, to_start[] = {INT64_MIN};
    const ValueId step = builder_.Integers(back_step);
    AddGradient(gradients, op.arguments[i],
                builder_.CallOne("strided_slice",
                                 {results[next++], step, builder_.Integers(to_start), step}));
  }
}

}  // namespace tfrt::function
