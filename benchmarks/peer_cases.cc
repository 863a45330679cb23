// The same graphs on oneTBB's flow graph, if it was found.
#include "case.h"

#ifdef TFRT_BENCH_ONETBB
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "graph.h"
#endif

namespace tfrt::bench {

#ifdef TFRT_BENCH_ONETBB
namespace {

namespace flow = oneapi::tbb::flow;

// One continue_node per node of the graph; values in an array.
class FlowGraph {
 public:
  explicit FlowGraph(const Graph& graph)
      : single_thread_(oneapi::tbb::global_control::max_allowed_parallelism, 1),
        values_(graph.nodes.size()) {
    nodes_.reserve(graph.nodes.size());
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
      const Graph::Node node = graph.nodes[i];
      nodes_.push_back(std::make_unique<flow::continue_node<flow::continue_msg>>(
          graph_, [this, i, node](const flow::continue_msg&) {
            values_[i] =
                node.num_inputs == 0 ? 1 : values_[node.inputs[0]] + values_[node.inputs[1]];
          }));
      for (uint32_t k = 0; k < node.num_inputs; ++k) {
        flow::make_edge(*nodes_[node.inputs[k]], *nodes_[i]);
      }
      if (node.num_inputs == 0) starters_.push_back(i);
    }
  }
  int32_t Run() {
    for (uint32_t i : starters_) nodes_[i]->try_put(flow::continue_msg());
    graph_.wait_for_all();
    return values_.back();
  }

 private:
  oneapi::tbb::global_control single_thread_;
  flow::graph graph_;
  std::vector<std::unique_ptr<flow::continue_node<flow::continue_msg>>> nodes_;
  std::vector<uint32_t> starters_;
  std::vector<int32_t> values_;
};

}  // namespace

void AddPeerCases(Cases* cases) {
  struct Shape {
    const char* name;
    Graph (*make)();
  };
  Shape shapes[] = {{"chain_1k", [] { return ChainGraph(1000); }},
                    {"wide_1k", [] { return WideGraph(1000); }},
                    {"tree_4096", [] { return TreeGraph(4096); }},
                    {"layers_100x100", [] { return LayersGraph(100, 100); }},
                    {"diamond_10k", [] { return DiamondGraph(10000); }}};
  for (const Shape& shape : shapes) {
    cases->push_back({.name = std::string("peer/onetbb/") + shape.name,
                      .unit = "kernel",
                      .units = static_cast<double>(shape.make().nodes.size()),
                      .deterministic = false,
                      .prepare = [make = shape.make]() -> std::function<void()> {
                        Graph graph = make();
                        auto flow_graph = std::make_shared<FlowGraph>(graph);
                        if (flow_graph->Run() != graph.Evaluate()) {
                          std::fprintf(stderr, "benchmarks: oneTBB gives a wrong result\n");
                          std::exit(1);
                        }
                        return [flow_graph] { Keep(flow_graph->Run()); };
                      }});
  }
}
#else
void AddPeerCases(Cases*) {}
#endif

}  // namespace tfrt::bench
