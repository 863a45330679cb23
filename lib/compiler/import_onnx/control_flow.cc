// ONNX ops with graphs: If, Loop, and Scan, which is a loop over slices.

#include <memory>
#include <utility>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// A region with a block that has these arguments; the builder is in it while `fill` runs, which
// makes the values that it returns. Null after an error.
std::unique_ptr<mlir::Region> makeRegion(
    Node& node, llvm::ArrayRef<ValueType> arguments,
    llvm::function_ref<llvm::LogicalResult(mlir::Block& block, llvm::SmallVectorImpl<Value>&)> fill,
    llvm::SmallVectorImpl<Value>& returned) {
  mlir::OpBuilder& builder = node.graph.builder();
  mlir::OpBuilder::InsertionGuard guard(builder);
  auto region = std::make_unique<mlir::Region>();
  mlir::Block* block = builder.createBlock(region.get());
  for (const ValueType& type : arguments) {
    Value argument =
        block->addArgument(graph::tensorType(type, node.graph.context()), node.graph.location());
    node.graph.setType(argument, type);
  }
  if (mlir::failed(fill(*block, returned))) return nullptr;
  graph::ReturnOp::create(builder, node.graph.location(), returned);
  return region;
}

// One graph's values, if it is known which; else an op with both.
llvm::LogicalResult ifOp(Node& node) {
  const onnx::Graph* graphs[] = {node.subgraph("then_branch"), node.subgraph("else_branch")};
  Value condition = node.input(0);
  if (!graphs[0] || !graphs[1]) return mlir::failure();
  if (!condition) return node.fail("there is no condition");
  if (auto known = node.graph.elementsOf(condition); known && known->size() == 1) {
    return node.subgraphs.import(*graphs[(*known)[0] != 0 ? 0 : 1], {}, node.outputs);
  }
  mlir::OperationState state(node.graph.location(), graph::IfOp::getOperationName());
  state.addOperands(condition);
  llvm::SmallVector<ValueType> results;
  for (const onnx::Graph* graph : graphs) {
    llvm::SmallVector<Value> returned;
    auto fill = [&](mlir::Block&, llvm::SmallVectorImpl<Value>& values) {
      return node.subgraphs.import(*graph, {}, values);
    };
    auto region = makeRegion(node, {}, fill, returned);
    if (!region) return mlir::failure();
    state.addRegion(std::move(region));
    if (graph == graphs[0]) {
      for (Value value : returned) {
        results.push_back(node.graph.typeOf(value));
        results.back().elements.reset();
      }
      continue;
    }
    if (returned.size() != results.size()) {
      return node.fail("its graphs have " + llvm::Twine(results.size()) + " and " +
                       llvm::Twine(returned.size()) + " outputs");
    }
    for (auto [type, value] : llvm::zip(results, returned)) {
      type = graph::join(type, node.graph.typeOf(value));
      if (!type.has_dtype()) return node.fail("its graphs make values of different types");
    }
  }
  for (const ValueType& type : results) {
    state.addTypes(graph::tensorType(type, node.graph.context()));
  }
  mlir::Operation* op = node.graph.builder().create(state);
  for (auto [value, type] : llvm::zip(op->getResults(), results)) node.graph.setType(value, type);
  node.outputs.append(op->result_begin(), op->result_end());
  return mlir::success();
}

// Fills a loop's region: its arguments, and what it returns.
using LoopBody =
    llvm::function_ref<llvm::LogicalResult(llvm::ArrayRef<Value>, llvm::SmallVectorImpl<Value>&)>;

bool isTrue(Node& node, Value value) {
  auto known = node.graph.elementsOf(value);
  return known && known->size() == 1 && (*known)[0] != 0;
}

// Sets the loop's results. Carried values get types that fit in all runs: the region is made again
// with wider types until they do.
llvm::LogicalResult makeLoop(Node& node, Value count, Value condition,
                             llvm::ArrayRef<Value> initial, LoopBody body,
                             llvm::SmallVectorImpl<Value>& results) {
  llvm::SmallVector<ValueType> types = {{DType::kI64, SymbolicShape({})},
                                        {DType::kI1, SymbolicShape({})}};
  for (Value value : initial) {
    if (!value) return node.fail("a carried value is left out");
    ValueType type = node.graph.typeOf(value);
    type.elements.reset();
    types.push_back(std::move(type));
  }
  std::unique_ptr<mlir::Region> region;
  llvm::SmallVector<Value> returned;
  bool always = false;  // the condition stays true
  for (bool changed = true; changed;) {
    changed = false;
    if (region) node.graph.forget(*region);
    returned.clear();
    auto fill = [&](mlir::Block& block, llvm::SmallVectorImpl<Value>& values) {
      llvm::SmallVector<Value> arguments(block.getArguments());
      if (mlir::failed(body(arguments, values))) return mlir::failure();
      if (values.size() < 1 + initial.size()) {
        return node.fail("its graph has " + llvm::Twine(values.size()) +
                         " outputs, expected at least " + llvm::Twine(1 + initial.size()));
      }
      always = isTrue(node, values[0]) || values[0] == arguments[1];
      return mlir::success();
    };
    region = makeRegion(node, types, fill, returned);
    if (!region) return mlir::failure();
    for (size_t i = 0; i < initial.size(); ++i) {
      ValueType wider = graph::join(types[2 + i], node.graph.typeOf(returned[1 + i]));
      if (!wider.has_dtype()) return node.fail("a carried value changes its type");
      changed |= wider != types[2 + i];
      types[2 + i] = std::move(wider);
    }
  }
  Dim runs;
  if (count && always && (!condition || isTrue(node, condition))) {
    if (auto known = node.graph.elementsOf(count); known && known->size() == 1) {
      runs = std::max<int64_t>((*known)[0], 0);
    }
  }
  mlir::OperationState state(node.graph.location(), graph::LoopOp::getOperationName());
  if (count) state.addOperands(count);
  if (condition) state.addOperands(condition);
  state.addOperands(initial);
  state.addAttribute(graph::LoopOp::getOperandSegmentSizeAttr(),
                     node.graph.builder().getDenseI32ArrayAttr(
                         {count ? 1 : 0, condition ? 1 : 0, static_cast<int32_t>(initial.size())}));
  llvm::SmallVector<ValueType> result_types(types.begin() + 2, types.end());
  for (size_t i = 1 + initial.size(); i < returned.size(); ++i) {
    ValueType type = node.graph.typeOf(returned[i]);
    type.elements.reset();
    if (type.shape.has_rank()) {
      std::vector<Dim> dims(type.shape.dims().begin(), type.shape.dims().end());
      dims.insert(dims.begin(), runs);
      type.shape = SymbolicShape(std::move(dims));
    }
    result_types.push_back(std::move(type));
  }
  for (const ValueType& type : result_types) {
    state.addTypes(graph::tensorType(type, node.graph.context()));
  }
  state.addRegion(std::move(region));
  mlir::Operation* op = node.graph.builder().create(state);
  for (auto [value, type] : llvm::zip(op->getResults(), result_types)) {
    node.graph.setType(value, type);
  }
  results.append(op->result_begin(), op->result_end());
  return mlir::success();
}

// Inputs: the count and the condition, which may be left out, and what is carried.
llvm::LogicalResult loop(Node& node) {
  const onnx::Graph* body = node.subgraph("body");
  if (!body) return mlir::failure();
  llvm::ArrayRef<Value> inputs = node.inputs();
  auto fill = [&](llvm::ArrayRef<Value> arguments, llvm::SmallVectorImpl<Value>& values) {
    return node.subgraphs.import(*body, arguments, values);
  };
  return makeLoop(node, node.input(0), node.input(1),
                  inputs.size() > 2 ? inputs.drop_front(2) : llvm::ArrayRef<Value>(), fill,
                  node.outputs);
}

// One attribute number for each of so many values.
std::optional<std::vector<int64_t>> numbersFor(Node& node, llvm::StringRef name, size_t count) {
  std::vector<int64_t> numbers = node.integers(name);
  if (numbers.empty()) numbers.assign(count, 0);
  if (numbers.size() == count) return numbers;
  (void)node.fail(name + " has " + llvm::Twine(numbers.size()) + " numbers, expected " +
                  llvm::Twine(count));
  return std::nullopt;
}

// States are carried; each run takes a slice of each of the other inputs.
llvm::LogicalResult scan(Node& node) {
  const onnx::Graph* body = node.subgraph("body");
  if (!body) return mlir::failure();
  const auto sliced = static_cast<size_t>(std::max<int64_t>(node.integer("num_scan_inputs", 0), 0));
  if (sliced == 0 || sliced > node.num_inputs() ||
      body->outputs.size() + sliced < node.num_inputs()) {
    return node.fail("num_scan_inputs is " + llvm::Twine(sliced) + " for " +
                     llvm::Twine(node.num_inputs()) + " inputs");
  }
  const size_t states = node.num_inputs() - sliced;
  const size_t stacked = body->outputs.size() - states;
  auto in_axes = numbersFor(node, "scan_input_axes", sliced);
  auto in_directions = numbersFor(node, "scan_input_directions", sliced);
  auto out_axes = numbersFor(node, "scan_output_axes", stacked);
  auto out_directions = numbersFor(node, "scan_output_directions", stacked);
  if (!in_axes || !in_directions || !out_axes || !out_directions) return mlir::failure();
  llvm::ArrayRef<Value> inputs = node.inputs();
  for (size_t i = 0; i < sliced; ++i) {
    auto rank = node.rank(inputs[states + i]);
    auto axis = rank ? node.axis((*in_axes)[i], *rank) : std::nullopt;
    if (!axis) return mlir::failure();
    (*in_axes)[i] = static_cast<int64_t>(*axis);
  }
  Value count = sizeOf(node, inputs[states], static_cast<size_t>((*in_axes)[0]));
  if (!count) return mlir::failure();
  auto fill = [&](llvm::ArrayRef<Value> arguments, llvm::SmallVectorImpl<Value>& values) {
    llvm::SmallVector<Value> given(arguments.drop_front(2));
    for (size_t i = 0; i < sliced; ++i) {
      Value at = arguments[0];
      if ((*in_directions)[i] != 0) {
        at = node.make("sub", {node.make("sub", {count, node.graph.integer(1)}), at});
      }
      given.push_back(
          node.make("gather", {inputs[states + i], at, node.graph.integer((*in_axes)[i])}));
      if (!given.back()) return mlir::failure();
    }
    values.push_back(arguments[1]);
    return node.subgraphs.import(*body, given, values);
  };
  llvm::SmallVector<Value> results;
  if (mlir::failed(makeLoop(node, count, {}, inputs.take_front(states), fill, results))) {
    return mlir::failure();
  }
  for (size_t i = 0; i < stacked; ++i) {
    Value& value = results[states + i];
    if ((*out_directions)[i] != 0) {
      Value start = node.graph.integers({-1}), end = node.graph.integers({INT64_MIN});
      value = node.make("strided_slice", {value, start, end, node.graph.integers({-1})});
    }
    if ((*out_axes)[i] == 0) continue;
    auto rank = value ? node.rank(value) : std::nullopt;
    auto axis = rank ? node.axis((*out_axes)[i], *rank) : std::nullopt;
    if (!axis) return mlir::failure();
    std::vector<int64_t> permutation;
    for (size_t d = 1; d < *rank; ++d) permutation.push_back(static_cast<int64_t>(d));
    permutation.insert(permutation.begin() + static_cast<std::ptrdiff_t>(*axis), 0);
    value = transpose(node, value, permutation);
  }
  node.outputs = std::move(results);
  return mlir::success();
}

constexpr NodeRow kControlFlowRows[] = {{"If", 1, ifOp}, {"Loop", 1, loop}, {"Scan", 9, scan}};

}  // namespace

llvm::ArrayRef<NodeRow> controlFlowRows() { return kControlFlowRows; }

}  // namespace tfrt::compiler::import
