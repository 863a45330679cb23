// TracedFunctionBuilder: appends calls to a body, with what the op table says of their results.
#ifndef TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_TRACED_FUNCTION_BUILDER_H_
#define TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_TRACED_FUNCTION_BUILDER_H_

#include <vector>

#include "lib/format/op_table/gradient_rules.h"
#include "lib/format/traced_graph/traced_graph.h"

namespace tfrt::function {

class TracedFunctionBuilder final : public GradientBuilder {
 public:
  // Values and constants are added to the graph's first function.
  explicit TracedFunctionBuilder(TracedGraph* graph) : graph_(graph) {}

  std::vector<ValueId> Call(const OpDescription& op, std::span<const ValueId> arguments,
                            std::span<const GradientAttr> attrs) override;
  const ValueType& TypeOf(ValueId value) const override {
    return value < known_.size() ? known_[value] : nothing_;
  }
  ValueId Integers(std::span<const int64_t> numbers) override;
  ValueId Number(DType dtype, double number) override;
  void Fail(Status error) override;

  // The first error, with the place.
  const Status& status() const { return status_; }

  // Where ops go, and the location that they get.
  std::vector<TracedOp>* ops() const { return ops_; }
  void SetOps(std::vector<TracedOp>* ops) { ops_ = ops; }
  void SetLocation(uint32_t location) { location_ = location; }

  ValueId AddValue(const TracedType& type);
  ValueId AddValue(const TracedType& type, ValueType known);
  // One i64.
  ValueId AddCount() { return AddValue({DType::kI64, std::vector<int64_t>()}); }
  // One that is constant number `index`, and its elements.
  ValueId AddValueOf(uint32_t index);
  TracedOp& Append(TracedOp op) { return ops_->emplace_back(std::move(op)); }

  ValueId CallOne(std::string_view op, std::initializer_list<ValueId> arguments,
                  std::vector<GradientAttr> attrs = {});
  ValueId Add(ValueId a, ValueId b) { return CallOne("add", {a, b}); }
  // In the shape of a value, whatever that is.
  ValueId ZerosLike(ValueId value);
  // Row `at` of a stack.
  ValueId RowOf(ValueId stack, ValueId at);
  // The first size, one i64.
  ValueId LengthOf(ValueId value);
  const TracedType& TracedTypeOf(ValueId value) const { return graph_->functions[0].values[value]; }

 private:
  ValueId AddConstant(DType dtype, std::vector<int64_t> dims, std::vector<uint8_t> bytes);

  TracedGraph* graph_;
  std::vector<TracedOp>* ops_ = nullptr;
  std::vector<ValueType> known_;  // by value
  const ValueType nothing_;
  uint32_t location_ = kNoLocation;
  Status status_;
};

}  // namespace tfrt::function

#endif  // TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_TRACED_FUNCTION_BUILDER_H_
