// A recorded graph as one pure function: what compilers and gradients work on.
#ifndef TFRT_RECORDED_GRAPH_FLATTEN_H_
#define TFRT_RECORDED_GRAPH_FLATTEN_H_

#include "tfrt/recorded_graph/recorded_graph.h"
#include "tfrt/support/status.h"

namespace tfrt::function {

// One function in which calls are in place of what they call, and variables are values: arguments
// behind those of the function for ConventionOf(graph).variables, and results behind its own
// for those that are assigned. Branches and loops give back and carry what they assign. All
// arguments and results have names: those that are given, or "arg0", "result0"; "variable:w" and
// "assigned:w". Large constants are shared. The graph must be one that Verify accepts.
// ResourceExhausted: calls of calls make more than a million ops.
StatusOr<RecordedGraph> Flatten(const RecordedGraph& graph);

}  // namespace tfrt::function

#endif  // TFRT_RECORDED_GRAPH_FLATTEN_H_
