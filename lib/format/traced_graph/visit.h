// Finds how programs use variables and effects, through bodies and calls.
#ifndef TFRT_LIB_FORMAT_TRACED_GRAPH_VISIT_H_
#define TFRT_LIB_FORMAT_TRACED_GRAPH_VISIT_H_

#include <cstdint>
#include <vector>

#include "tfrt/opinfo/value_type.h"
#include "traced_graph.h"

namespace tfrt::function {

// The uses of bodies, functions or ops.
struct Uses {
  std::vector<bool> read;       // by variable
  std::vector<bool> assigned;   // by variable
  std::vector<bool> callbacks;  // by callback
  bool has_effects = false;
  uint32_t first_callback_location = kNoLocation;

  explicit Uses(const TracedGraph& graph)
      : read(graph.variables.size()),
        assigned(graph.variables.size()),
        callbacks(graph.callbacks.size()) {}
  void Add(const Uses& other);
};

// Knows what functions use, each looked at once. A view of the graph, whose calls go to later
// functions.
class UseFinder {
 public:
  explicit UseFinder(const TracedGraph& graph);
  const Uses& OfFunction(uint32_t index) const { return functions_[index]; }
  Uses OfBody(const TracedBody& body) const;
  Uses OfOp(const TracedOp& op) const;

 private:
  void AddBody(const TracedBody& body, Uses* uses) const;
  void AddOp(const TracedOp& op, Uses* uses) const;

  const TracedGraph& graph_;
  std::vector<Uses> functions_;
};

// "step.cc:7:12: ", or nothing.
std::string PlaceOf(const TracedGraph& graph, uint32_t location);

// The elements of a small constant of integers, and its type.
ValueType TypeOfConstant(const TracedConstant& constant);

// The attributes of an op as the op table reads them. A view.
class TracedAttrReader final : public OpAttrReader {
 public:
  explicit TracedAttrReader(const std::vector<TracedAttr>& attrs) : attrs_(attrs) {}
  std::optional<OpAttrValue> Get(std::string_view name) const override;

 private:
  const std::vector<TracedAttr>& attrs_;
};

}  // namespace tfrt::function

#endif  // TFRT_LIB_FORMAT_TRACED_GRAPH_VISIT_H_
