// Finds the values of a flat function that depend on the sources of wanted gradients.
#ifndef TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_ACTIVITY_H_
#define TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_ACTIVITY_H_

#include <span>
#include <vector>

#include "lib/format/traced_graph/traced_graph.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt::function {

// Whether nothing that the op makes depends on its arguments.
inline bool StopsGradients(const TracedOp& op) {
  const OpSpelling* spelling = FindOpSpelling(op.op);
  return spelling && spelling->stops_gradients;
}

// By value; only floats are.
std::vector<bool> FindActive(const TracedFunction& function, std::span<const ValueId> sources);

// The values around these bodies that they use and that are active, ascending.
std::vector<ValueId> ActiveCaptures(std::span<const TracedBody> bodies,
                                    const std::vector<bool>& active);

}  // namespace tfrt::function

#endif  // TFRT_LIB_FORMAT_TRACED_GRAPH_GRADIENTS_ACTIVITY_H_
