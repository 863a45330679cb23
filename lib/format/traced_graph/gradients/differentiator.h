// Differentiator: emits bodies again, and what their gradients are.
#ifndef TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_DIFFERENTIATOR_H_
#define TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_DIFFERENTIATOR_H_

#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/format/traced_graph/traced_graph.h"
#include "traced_function_builder.h"

namespace tfrt::function {

// Values of the old function are known by their old ids: `now` is what they are in the new one,
// where they were emitted last. A body is emitted, and then its gradients, in the same new body,
// before anything else is.
class Differentiator {
 public:
  Differentiator(const TracedFunction& from, std::vector<bool> active,
                 TracedFunctionBuilder* builder)
      : from_(from),
        active_(std::move(active)),
        builder_(*builder),
        now_(from.values.size(), kLeftOut) {}

  void SetNow(ValueId old, ValueId value) { now_[old] = value; }
  ValueId Now(ValueId old) const { return old == kLeftOut ? kLeftOut : now_[old]; }

  // Emits the ops of a body of which gradients will be asked for. `repeats`: it is emitted again,
  // so that its effects are left out.
  void Emit(const TracedBody& body, bool repeats);

  // By old id.
  using Gradients = std::unordered_map<ValueId, ValueId>;
  // Adds to `gradients`, which has those of what the body makes, those of all that it sees.
  void Backward(const TracedBody& body, Gradients* gradients);

  ValueId GradientOr0(const Gradients& gradients, ValueId old);

 private:
  // The state that is kept of a loop for its gradients.
  struct LoopState {
    ValueId count = kLeftOut;      // of its runs
    std::vector<ValueId> carried;  // stacks of what it carries, as it is before each run
  };

  // The arguments and attributes that a table op was emitted with, by the canonical signature.
  struct EmittedCall {
    std::vector<ValueId> old_arguments;  // kLeftOut: none
    std::vector<ValueId> arguments;
    std::vector<TracedAttr> attrs;
  };

  // `keeps`: gradients will be asked for.
  void EmitOp(const TracedOp& op, bool repeats, bool keeps);
  // Its ops are emitted into `body`, whose arguments are new.
  void EmitBody(const TracedBody& from, bool repeats, TracedBody* body);
  void EmitCopy(const TracedOp& op, bool repeats);
  void EmitKeptLoop(const TracedOp& op, bool repeats);
  void EmitTableOp(const TracedOp& op, bool repeats);
  ValueId EmitValue(ValueId old);
  std::vector<ValueId> NowAll(std::span<const ValueId> old) const;

  void BackwardOp(const TracedOp& op, Gradients* gradients);
  // Into a body.
  template <typename Fill>
  void Inside(TracedBody* body, Fill fill);
  void BackwardTableOp(const TracedOp& op, Gradients* gradients);
  void BackwardIf(const TracedOp& op, Gradients* gradients);
  void BackwardLoop(const TracedOp& op, Gradients* gradients);
  void AddGradient(Gradients* gradients, ValueId old, ValueId gradient);

  struct LoopGradient;
  LoopGradient StartLoop(const TracedOp& op, const Gradients& gradients);
  void FillLoopBody(const LoopGradient& loop, TracedBody* body);

  const TracedFunction& from_;
  const std::vector<bool> active_;
  TracedFunctionBuilder& builder_;
  std::vector<ValueId> now_;
  std::unordered_map<const TracedOp*, LoopState> loops_;
  std::unordered_map<const TracedOp*, EmittedCall> calls_;
};

}  // namespace tfrt::function

#endif  // TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_DIFFERENTIATOR_H_
