#include "traced_graph.h"
#include "visit.h"

namespace tfrt::function {

CallConvention ConventionOf(const TracedGraph& graph) {
  CallConvention convention;
  if (graph.functions.empty()) return convention;
  const UseFinder finder(graph);
  const Uses& uses = finder.OfFunction(0);
  for (uint32_t i = 0; i < graph.variables.size(); ++i) {
    if (uses.read[i] || uses.assigned[i]) convention.variables.push_back(i);
    if (uses.assigned[i]) convention.assigned.push_back(i);
  }
  for (uint32_t i = 0; i < graph.callbacks.size(); ++i) {
    if (uses.callbacks[i]) convention.callbacks.push_back(i);
  }
  convention.has_effects = uses.has_effects;
  convention.first_callback_location = uses.first_callback_location;
  return convention;
}

}  // namespace tfrt::function
