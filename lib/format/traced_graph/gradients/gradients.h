// Gradients of traced graphs, by the rules of the op table
// (lib/format/op_table/gradient_rules.h). They are made as a graph from a graph, before it is
// compiled.
#ifndef TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_GRADIENTS_H_
#define TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_GRADIENTS_H_

#include <cstdint>
#include <vector>

#include "lib/format/traced_graph/traced_graph.h"
#include "tfrt/support/status.h"

namespace tfrt::function {

struct GradientOptions {
  // The arguments of the derivative. `arguments` are arguments of the first function by number,
  // including captures. The variables, also by number, have their values at the time of the call.
  std::vector<uint32_t> arguments = {};
  std::vector<uint32_t> variables = {};
  // The number of the result that is the loss: a float of one element.
  uint32_t loss = 0;
  // Whether the function's results come first. Without them only gradients are computed.
  bool with_results = true;
};

// Returns one function (flatten.h). Its results begin with those of the graph
// (GradientOptions::with_results). "gradient:NAME" for each argument and "gradient:variable:NAME"
// for each variable of the options follow. The last values of the assigned variables come last. A
// gradient has the type of its argument or variable, and is zero if the loss does not depend on it.
//
// Branches and loops are computed again where gradients need their inner values. The carried values
// of loops are kept for each run, and must have the same shape in all runs. Effects are not
// repeated.
//
// `graph` must be one that Verify accepts. Fails with InvalidArgument for options that do not fit
// the graph and for a callback on the way to the loss. An op on the way that has no rule fails
// likewise, "step.cc:7:12: argmax has no gradient". So does an op whose rule needs an unknown fact.
StatusOr<TracedGraph> GradientOf(const TracedGraph& graph, const GradientOptions& options);

}  // namespace tfrt::function

#endif  // TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_GRADIENTS_H_
