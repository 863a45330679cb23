// Graphs of i32 additions, the same for us, for the floors and for the peers.
#ifndef TFRT_BENCHMARKS_GRAPH_H_
#define TFRT_BENCHMARKS_GRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tfrt/bef/bef_builder.h"

namespace tfrt::bench {

// Nodes in topological order. A node without inputs is the constant 1, one with one input adds it
// to itself, one with two adds them. The last node is the result.
struct Graph {
  struct Node {
    uint32_t inputs[2];
    uint32_t num_inputs = 0;
  };
  std::vector<Node> nodes;

  uint32_t AddConstant() { return Add({.inputs = {}, .num_inputs = 0}); }
  uint32_t AddUnary(uint32_t a) { return Add({.inputs = {a, a}, .num_inputs = 1}); }
  uint32_t AddBinary(uint32_t a, uint32_t b) { return Add({.inputs = {a, b}, .num_inputs = 2}); }
  // Adds neighbours pairwise until one is left.
  uint32_t AddTree(std::vector<uint32_t> leaves);

  // The value of the last node, computed without any runtime.
  int32_t Evaluate() const;

 private:
  uint32_t Add(Node node) {
    nodes.push_back(node);
    return static_cast<uint32_t>(nodes.size() - 1);
  }
};

Graph ChainGraph(uint32_t length);
// One constant, `width` users of it, and a tree that adds these.
Graph WideGraph(uint32_t width);
Graph TreeGraph(uint32_t leaves);
// `depth` layers of `width` nodes; each adds its two neighbours of the layer before.
Graph LayersGraph(uint32_t width, uint32_t depth);
// A chain of diamonds: two users of a value, and a node that adds them.
Graph DiamondGraph(uint32_t num_nodes);
// Each node adds two random nodes of the layer before. The seed is fixed.
Graph RandomGraph(uint32_t width, uint32_t depth);

// The graph as function `name`. `add` is the kernel for nodes with inputs. Streams as the
// compiler's default gives them for such graphs: nodes that one thread can run in a row share one.
bef::FunctionSpec ToFunction(const Graph& graph, const std::string& name,
                             const std::string& add = "tfrt.add.i32");

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_GRAPH_H_
