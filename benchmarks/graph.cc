#include "graph.h"

#include <random>
#include <utility>

namespace tfrt::bench {

uint32_t Graph::AddTree(std::vector<uint32_t> leaves) {
  while (leaves.size() > 1) {
    std::vector<uint32_t> next;
    for (size_t i = 0; i + 1 < leaves.size(); i += 2) {
      next.push_back(AddBinary(leaves[i], leaves[i + 1]));
    }
    if (leaves.size() % 2 != 0) next.push_back(leaves.back());
    leaves = std::move(next);
  }
  return leaves[0];
}

int32_t Graph::Evaluate() const {
  std::vector<uint32_t> values;
  for (const Node& node : nodes) {
    values.push_back(node.num_inputs == 0 ? 1 : values[node.inputs[0]] + values[node.inputs[1]]);
  }
  return static_cast<int32_t>(values.back());
}

Graph ChainGraph(uint32_t length) {
  Graph graph;
  uint32_t one = graph.AddConstant();
  uint32_t last = one;
  for (uint32_t i = 0; i < length; ++i) last = graph.AddBinary(last, one);
  return graph;
}

Graph WideGraph(uint32_t width) {
  Graph graph;
  uint32_t one = graph.AddConstant();
  std::vector<uint32_t> users;
  for (uint32_t i = 0; i < width; ++i) users.push_back(graph.AddUnary(one));
  graph.AddTree(std::move(users));
  return graph;
}

Graph TreeGraph(uint32_t leaves) {
  Graph graph;
  std::vector<uint32_t> level;
  for (uint32_t i = 0; i < leaves; ++i) level.push_back(graph.AddConstant());
  graph.AddTree(std::move(level));
  return graph;
}

namespace {

// Layers of nodes that add two nodes of the layer before, a constant layer first and a tree last.
// pick(i) gives the two that node i of a layer adds, as positions in the layer before.
template <typename Pick>
Graph Layered(uint32_t width, uint32_t depth, Pick&& pick) {
  Graph graph;
  std::vector<uint32_t> layer;
  for (uint32_t i = 0; i < width; ++i) layer.push_back(graph.AddConstant());
  for (uint32_t d = 1; d < depth; ++d) {
    std::vector<uint32_t> next;
    for (uint32_t i = 0; i < width; ++i) {
      auto [a, b] = pick(i);
      next.push_back(graph.AddBinary(layer[a], layer[b]));
    }
    layer = std::move(next);
  }
  graph.AddTree(std::move(layer));
  return graph;
}

}  // namespace

Graph LayersGraph(uint32_t width, uint32_t depth) {
  return Layered(width, depth, [=](uint32_t i) { return std::pair(i, (i + 1) % width); });
}

Graph DiamondGraph(uint32_t num_nodes) {
  Graph graph;
  uint32_t top = graph.AddConstant();
  while (graph.nodes.size() < num_nodes) {
    uint32_t left = graph.AddUnary(top);
    uint32_t right = graph.AddUnary(top);
    top = graph.AddBinary(left, right);
  }
  return graph;
}

Graph RandomGraph(uint32_t width, uint32_t depth) {
  std::mt19937 random(42);
  return Layered(width, depth, [&](uint32_t) {
    uint32_t a = random() % width;
    return std::pair(a, static_cast<uint32_t>(random() % width));
  });
}

bef::FunctionSpec ToFunction(const Graph& graph, const std::string& name, const std::string& add) {
  bef::FunctionSpec function{.name = name};
  std::vector<uint32_t> stream(graph.nodes.size());
  std::vector<bool> continued(graph.nodes.size());
  uint32_t next_stream = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Graph::Node& node = graph.nodes[i];
    // A node continues the stream of its first input if nobody else has.
    bool continues = node.num_inputs != 0 && !continued[node.inputs[0]];
    stream[i] = continues ? stream[node.inputs[0]] : next_stream++;
    if (continues) continued[node.inputs[0]] = true;
    bef::KernelSpec kernel{.name = add, .result_types = {"i32"}, .stream = stream[i]};
    if (node.num_inputs == 0) {
      kernel.name = "tfrt.constant.i32";
      kernel.attributes = {{"value", bef::I32Attribute(1)}};
    } else {
      kernel.operands = {node.inputs[0], node.inputs[1]};
    }
    function.AddKernel(std::move(kernel));
  }
  function.returns = {static_cast<uint32_t>(graph.nodes.size() - 1)};
  return function;
}

}  // namespace tfrt::bench
