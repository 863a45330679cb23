// Flattens a traced graph to one pure function, the form for compilers and gradients.
#ifndef TFRT_LIB_FORMAT_TRACED_GRAPH_FLATTEN_H_
#define TFRT_LIB_FORMAT_TRACED_GRAPH_FLATTEN_H_

#include "tfrt/support/status.h"
#include "traced_graph.h"

namespace tfrt::function {

// Returns one function in which calls are replaced by the bodies of their callees, and variables
// are values. Additional arguments after those of the function are the variables of
// ConventionOf(graph).variables. Additional results after its own are the assigned ones. Branches
// return, and loops carry, the variables that they assign.
//
// All arguments and results have names: the given ones, or "arg0", "result0"; "variable:w" and
// "assigned:w". Large constants are shared. The graph must be one that Verify accepts. Fails with
// ResourceExhausted if nested calls make more than a million ops.
StatusOr<TracedGraph> Flatten(const TracedGraph& graph);

}  // namespace tfrt::function

#endif  // TFRT_LIB_FORMAT_TRACED_GRAPH_FLATTEN_H_
