// Gradients of recorded graphs, by the rules of the op table (tfrt/opinfo/gradient_rules.h): a
// graph is made of a graph, before it is compiled.
#ifndef TFRT_RECORDED_GRAPH_GRADIENTS_H_
#define TFRT_RECORDED_GRAPH_GRADIENTS_H_

#include <cstdint>
#include <vector>

#include "tfrt/recorded_graph/recorded_graph.h"
#include "tfrt/support/status.h"

namespace tfrt::function {

struct GradientOptions {
  // With respect to what: arguments of the first function by number, captures among them, and
  // variables by number, as their values are when the function is called.
  std::vector<uint32_t> arguments = {};
  std::vector<uint32_t> variables = {};
  // Which result is the loss: a float of one element.
  uint32_t loss = 0;
  // Whether the function's results come first; without them gradients alone are computed.
  bool with_results = true;
};

// One function (flatten.h) whose results are those of the graph (GradientOptions::with_results),
// "gradient:NAME" for each argument and "gradient:variable:NAME" for each variable of the options,
// and the last values of what it assigns. Gradients are of the types of what they are for; zeros if
// the loss does not depend on it.
//
// Branches and loops are computed again where their gradients need what they compute: what loops
// carry is kept for each run, and must be of the same shape in all. Effects are not repeated.
//
// `graph` must be one that Verify accepts. InvalidArgument: options that do not fit the graph; an
// op without a rule on the way, "step.cc:7:12: argmax has no gradient"; what its rule needs to know
// and does not; a callback on the way.
StatusOr<RecordedGraph> GradientOf(const RecordedGraph& graph, const GradientOptions& options);

}  // namespace tfrt::function

#endif  // TFRT_RECORDED_GRAPH_GRADIENTS_H_
