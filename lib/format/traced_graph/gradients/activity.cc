#include "activity.h"

#include <algorithm>
#include <set>

#include "tfrt/opinfo/element_type.h"

namespace tfrt::function {
namespace {

class Activity {
 public:
  Activity(const TracedFunction& function, std::span<const ValueId> sources)
      : function_(function), active_(function.values.size()) {
    for (ValueId source : sources) Mark(source);
    do {
      changed_ = false;
      Walk(function.body);
    } while (changed_);
  }
  std::vector<bool> Take() { return std::move(active_); }

 private:
  void Mark(ValueId value) {
    // Complex numbers made of floats depend on them, which the rules of their ops refuse.
    const DType dtype = function_.values[value].dtype;
    const bool is_complex = dtype == DType::kComplex64 || dtype == DType::kComplex128;
    if (active_[value] || !(IsFloat(dtype) || is_complex)) return;
    active_[value] = true;
    changed_ = true;
  }
  void Flow(ValueId from, ValueId to) {
    if (from != kLeftOut && active_[from]) Mark(to);
  }
  void Walk(const TracedBody& body) {
    for (const TracedOp& op : body.ops) {
      if (StopsGradients(op)) continue;
      if (op.bodies.empty()) {
        for (ValueId argument : op.arguments) {
          for (ValueId result : op.results) Flow(argument, result);
        }
        continue;
      }
      const bool is_if = op.kind == TracedOpKind::kIf;
      const TracedBody& last = op.bodies.back();
      // A for's count has no place among what its body takes but for the index, which is none.
      const size_t shift = op.kind == TracedOpKind::kFor ? 1 : 0;
      const size_t carried = is_if                           ? 0
                             : op.kind == TracedOpKind::kFor ? op.index
                                                             : op.arguments.size();
      for (size_t i = shift; !is_if && i < op.arguments.size(); ++i) {
        for (const TracedBody& inner : op.bodies) Flow(op.arguments[i], inner.arguments[i]);
      }
      for (size_t i = 0; i < carried; ++i) {
        for (const TracedBody& inner : op.bodies) {
          Flow(last.results[i], inner.arguments[shift + i]);
        }
        Flow(last.arguments[shift + i], op.results[i]);
      }
      for (const TracedBody& inner : op.bodies) Walk(inner);
      for (const TracedBody& inner : op.bodies) {
        if (inner.results.size() != op.results.size()) continue;  // a condition
        if (op.kind == TracedOpKind::kWhile && &inner == &op.bodies[0]) continue;
        for (size_t i = 0; i < op.results.size(); ++i) Flow(inner.results[i], op.results[i]);
      }
    }
  }

  const TracedFunction& function_;
  std::vector<bool> active_;
  bool changed_ = false;
};

void Collect(const TracedBody& body, std::set<ValueId>* made, std::set<ValueId>* used) {
  made->insert(body.arguments.begin(), body.arguments.end());
  used->insert(body.results.begin(), body.results.end());
  for (const TracedOp& op : body.ops) {
    used->insert(op.arguments.begin(), op.arguments.end());
    made->insert(op.results.begin(), op.results.end());
    for (const TracedBody& inner : op.bodies) Collect(inner, made, used);
  }
}

}  // namespace

std::vector<bool> FindActive(const TracedFunction& function, std::span<const ValueId> sources) {
  return Activity(function, sources).Take();
}

std::vector<ValueId> ActiveCaptures(std::span<const TracedBody> bodies,
                                    const std::vector<bool>& active) {
  std::set<ValueId> made, used;
  for (const TracedBody& body : bodies) Collect(body, &made, &used);
  std::vector<ValueId> captures;
  for (ValueId value : used) {
    if (value != kLeftOut && active[value] && !made.contains(value)) captures.push_back(value);
  }
  return captures;
}

}  // namespace tfrt::function
