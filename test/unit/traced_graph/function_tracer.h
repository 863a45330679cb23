// FunctionTracer: traces graphs for tests, as tracing does it: what the op table says of each call
// is known at once.
#ifndef TFRT_TEST_UNIT_TRACED_GRAPH_FUNCTION_TRACER_H_
#define TFRT_TEST_UNIT_TRACED_GRAPH_FUNCTION_TRACER_H_

#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "lib/format/traced_graph/traced_graph.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt::function {

class FunctionTracer {
 public:
  using Values = std::vector<ValueId>;

  explicit FunctionTracer(std::string name = "traced") { AddFunction(std::move(name)); }

  // Traces into the last function that was added.
  void AddFunction(std::string name) {
    graph.functions.emplace_back().name = std::move(name);
    Enter(static_cast<uint32_t>(graph.functions.size() - 1));
  }
  void Enter(uint32_t function) {
    function_ = function;
    known_.resize(graph.functions.size());
    bodies_ = {&graph.functions[function].body};
  }
  TracedFunction& function() { return graph.functions[function_]; }

  ValueId Value(TracedType type) {
    ValueId value = function().AddValue(type);
    known_[function_].resize(value + 1);
    ValueType& known = known_[function_][value];
    known.dtype = type.dtype;
    if (type.dims) {
      std::vector<Dim> dims;
      for (int64_t size : *type.dims) dims.push_back(size < 0 ? Dim() : Dim(size));
      known.shape = SymbolicShape(std::move(dims));
    }
    return value;
  }
  ValueId Input(std::string name, DType dtype, std::vector<int64_t> dims) {
    ValueId value = Value({dtype, std::move(dims)});
    function().body.arguments.push_back(value);
    function().argument_names.push_back(std::move(name));
    ++function().num_inputs;
    return value;
  }
  uint32_t Variable(std::string name, DType dtype, std::vector<int64_t> dims) {
    graph.variables.push_back({std::move(name), {dtype, std::move(dims)}});
    return static_cast<uint32_t>(graph.variables.size() - 1);
  }

  template <typename T>
  ValueId Constant(DType dtype, std::vector<int64_t> dims, const std::vector<T>& elements) {
    auto bytes = std::make_shared<std::vector<uint8_t>>(elements.size() * sizeof(T));
    if (!elements.empty()) std::memcpy(bytes->data(), elements.data(), bytes->size());
    graph.constants.push_back({.type = {dtype, dims}, .owner = bytes, .data = *bytes});
    ValueId value = Value({dtype, std::move(dims)});
    if constexpr (std::is_same_v<T, int64_t>) {
      known_[function_][value].elements.emplace(elements.begin(), elements.end());
    }
    Append({.kind = TracedOpKind::kConstant,
            .index = static_cast<uint32_t>(graph.constants.size() - 1),
            .results = {value}});
    return value;
  }
  ValueId Floats(std::vector<int64_t> dims, const std::vector<float>& elements) {
    return Constant(DType::kF32, std::move(dims), elements);
  }
  ValueId Number(float number) { return Floats({}, {number}); }
  ValueId Integer(int64_t number) { return Constant<int64_t>(DType::kI64, {}, {number}); }
  ValueId Integers(const std::vector<int64_t>& numbers) {
    return Constant<int64_t>(DType::kI64, {static_cast<int64_t>(numbers.size())}, numbers);
  }

  Values CallAll(std::string op, Values arguments, std::vector<TracedAttr> attrs = {}) {
    const OpSpelling* spelling = FindOpSpelling(op);
    EXPECT_NE(spelling, nullptr) << op;
    struct Reader : OpAttrReader {
      explicit Reader(const std::vector<TracedAttr>& all) : attrs(all) {}
      std::optional<OpAttrValue> Get(std::string_view name) const override {
        for (const TracedAttr& attr : attrs) {
          if (attr.name == name) return attr.value;
        }
        return std::nullopt;
      }
      const std::vector<TracedAttr>& attrs;
    };
    std::vector<const ValueType*> known;
    for (ValueId value : arguments) {
      known.push_back(value == kLeftOut ? nullptr : &known_[function_][value]);
    }
    auto results = InferResults(*spelling, known, Reader(attrs),
                                FindOpDescription(spelling->op)->results.size());
    EXPECT_TRUE(results.ok()) << results.status().ToString();
    TracedOp call{.op = std::move(op), .arguments = arguments, .attrs = std::move(attrs)};
    for (size_t i = 0; results.ok() && i < results->size(); ++i) {
      TracedType type{(*results)[i].dtype};
      if ((*results)[i].shape.has_rank()) {
        type.dims.emplace();
        for (Dim dim : (*results)[i].shape.dims()) {
          type.dims->push_back(dim.is_known() ? dim.value() : -1);
        }
      }
      call.results.push_back(Value(type));
    }
    return Append(std::move(call)).results;
  }
  ValueId Call(std::string op, Values arguments, std::vector<TracedAttr> attrs = {}) {
    return CallAll(std::move(op), std::move(arguments), std::move(attrs))[0];
  }
  ValueId Read(uint32_t variable) {
    ValueId value = Value(graph.variables[variable].type);
    Append({.kind = TracedOpKind::kRead, .index = variable, .results = {value}});
    return value;
  }
  void Assign(uint32_t variable, ValueId value) {
    Append({.kind = TracedOpKind::kAssign, .index = variable, .arguments = {value}});
  }

  using Branch = std::function<Values()>;
  using Body = std::function<Values(Values)>;
  Values If(ValueId condition, const Branch& then, const Branch& otherwise) {
    TracedOp op{.kind = TracedOpKind::kIf, .arguments = {condition}};
    op.bodies.resize(2);
    Fill(&op.bodies[0], Values(), [&](Values) { return then(); });
    Fill(&op.bodies[1], Values(), [&](Values) { return otherwise(); });
    for (ValueId value : op.bodies[0].results) op.results.push_back(Value(TypeOf(value)));
    return Append(std::move(op)).results;
  }
  Values While(Values initial, const Body& condition, const Body& body) {
    TracedOp op{.kind = TracedOpKind::kWhile, .arguments = initial};
    op.bodies.resize(2);
    Fill(&op.bodies[0], initial, condition);
    Fill(&op.bodies[1], initial, body);
    for (ValueId value : initial) op.results.push_back(Value(TypeOf(value)));
    return Append(std::move(op)).results;
  }
  // `scanned` are given row by row; what the body makes beyond `initial` is stacked.
  Values For(ValueId count, Values initial, Values scanned, const Body& body) {
    TracedOp op{.kind = TracedOpKind::kFor, .index = static_cast<uint32_t>(initial.size())};
    op.arguments = {count};
    op.arguments.insert(op.arguments.end(), initial.begin(), initial.end());
    op.arguments.insert(op.arguments.end(), scanned.begin(), scanned.end());
    op.bodies.resize(1);
    std::vector<TracedType> types = {{DType::kI64, std::vector<int64_t>()}};
    for (ValueId value : initial) types.push_back(TypeOf(value));
    for (ValueId value : scanned) {
      types.push_back(TypeOf(value));
      types.back().dims->erase(types.back().dims->begin());
    }
    Fill(&op.bodies[0], types, body);
    for (size_t i = 0; i < op.bodies[0].results.size(); ++i) {
      TracedType type = TypeOf(op.bodies[0].results[i]);
      if (i < initial.size()) type = TypeOf(initial[i]);
      if (i >= initial.size()) type.dims->insert(type.dims->begin(), -1);
      op.results.push_back(Value(type));
    }
    return Append(std::move(op)).results;
  }
  Values HostCall(uint32_t callback, Values arguments, const std::vector<TracedType>& results) {
    TracedOp op{.kind = TracedOpKind::kHostCall, .index = callback, .arguments = arguments};
    for (const TracedType& type : results) op.results.push_back(Value(type));
    return Append(std::move(op)).results;
  }
  Values CallFunction(uint32_t index, Values arguments) {
    TracedOp op{.kind = TracedOpKind::kCall, .index = index, .arguments = arguments};
    const TracedFunction& called = graph.functions[index];
    for (ValueId value : called.body.results) op.results.push_back(Value(called.values[value]));
    return Append(std::move(op)).results;
  }

  void Return(Values values) { function().body.results = std::move(values); }
  TracedType TypeOf(ValueId value) { return function().values[value]; }
  // Of the next ops: line `line` of "step.cc".
  void At(uint32_t line) {
    graph.locations.push_back({.file = "step.cc", .line = line, .column = 3});
  }

  TracedGraph graph;

 private:
  TracedOp& Append(TracedOp op) {
    if (!graph.locations.empty()) {
      op.location = static_cast<uint32_t>(graph.locations.size() - 1);
    }
    return bodies_.back()->ops.emplace_back(std::move(op));
  }
  void Fill(TracedBody* body, const Values& like, const Body& fill) {
    std::vector<TracedType> types;
    for (ValueId value : like) types.push_back(TypeOf(value));
    Fill(body, types, fill);
  }
  void Fill(TracedBody* body, const std::vector<TracedType>& types, const Body& fill) {
    for (const TracedType& type : types) body->arguments.push_back(Value(type));
    bodies_.push_back(body);
    Values results = fill(body->arguments);
    bodies_.pop_back();
    body->results = std::move(results);
  }

  uint32_t function_ = 0;
  std::vector<std::vector<ValueType>> known_;  // by function and value
  std::vector<TracedBody*> bodies_;
};

}  // namespace tfrt::function

#endif  // TFRT_TEST_UNIT_TRACED_GRAPH_FUNCTION_TRACER_H_
