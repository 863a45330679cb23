// ONNX ops with graphs: If, Loop, and Scan, which is a loop over slices.

#include <utility>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// One graph's values, if it is known which; else an op with both.
llvm::LogicalResult ifOp(Node& node) {
  const onnx::Graph* graphs[] = {node.subgraph("then_branch"), node.subgraph("else_branch")};
  Value condition = node.input(0);
  if (!graphs[0] || !graphs[1]) return mlir::failure();
  if (!condition) return node.fail("there is no condition");
  if (auto known = node.graph.elementsOf(condition); known && known->size() == 1) {
    return node.subgraphs.import(*graphs[(*known)[0] != 0 ? 0 : 1], {}, node.outputs);
  }
  size_t count = 0;
  auto then_region = [&](llvm::ArrayRef<Value>, llvm::SmallVectorImpl<Value>& values) {
    const bool is_made = mlir::succeeded(node.subgraphs.import(*graphs[0], {}, values));
    count = values.size();
    return mlir::success(is_made);
  };
  auto else_region = [&](llvm::ArrayRef<Value>, llvm::SmallVectorImpl<Value>& values) {
    if (mlir::failed(node.subgraphs.import(*graphs[1], {}, values))) return mlir::failure();
    if (values.size() == count) return mlir::success();
    return node.fail("its graphs have " + llvm::Twine(count) + " and " +
                     llvm::Twine(values.size()) + " outputs");
  };
  return node.giveAll(node.graph.createIf(condition, then_region, else_region, [&] {
    return node.fail("its graphs make values of different types");
  }));
}

// Makes the loop, whose results are the last carried values and stacks; null after an error.
mlir::Operation* makeLoop(Node& node, Value count, Value condition, llvm::ArrayRef<Value> initial,
                          graph::GraphBuilder::FillRegion body) {
  if (llvm::is_contained(initial, Value())) {
    (void)node.fail("a carried value is left out");
    return nullptr;
  }
  auto fill = [&](llvm::ArrayRef<Value> arguments, llvm::SmallVectorImpl<Value>& values) {
    if (mlir::failed(body(arguments, values))) return mlir::failure();
    if (values.size() > initial.size()) return mlir::success();
    return node.fail("its graph has " + llvm::Twine(values.size()) +
                     " outputs, expected at least " + llvm::Twine(1 + initial.size()));
  };
  return node.graph.createLoop(count, condition, initial, fill,
                               [&] { return node.fail("a carried value changes its type"); });
}

// Inputs: the count and the condition, which may be left out, and what is carried.
llvm::LogicalResult loop(Node& node) {
  const onnx::Graph* body = node.subgraph("body");
  if (!body) return mlir::failure();
  llvm::ArrayRef<Value> inputs = node.inputs();
  auto fill = [&](llvm::ArrayRef<Value> arguments, llvm::SmallVectorImpl<Value>& values) {
    return node.subgraphs.import(*body, arguments, values);
  };
  return node.giveAll(makeLoop(node, node.input(0), node.input(1),
                               inputs.size() > 2 ? inputs.drop_front(2) : llvm::ArrayRef<Value>(),
                               fill));
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
  mlir::Operation* op = makeLoop(node, count, {}, inputs.take_front(states), fill);
  if (!op) return mlir::failure();
  llvm::SmallVector<Value> results(op->getResults());
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

constexpr NodeRow kControlFlowRows[] = {
    {"If", 1, ifOp},
    {"Loop", 1, loop, 0},
    {"Scan", 9, scan, 0},
};

}  // namespace

llvm::ArrayRef<NodeRow> controlFlowRows() { return kControlFlowRows; }

}  // namespace tfrt::compiler::import
