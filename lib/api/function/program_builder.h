// ProgramBuilder: what the traces of one program share: its traced graph and what the graph's
// numbers stand for.
#ifndef TFRT_LIB_API_FUNCTION_PROGRAM_BUILDER_H_
#define TFRT_LIB_API_FUNCTION_PROGRAM_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/format/traced_graph/traced_graph.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/eager/variable.h"
#include "tfrt/function/host_function.h"
#include "tfrt/opinfo/value_type.h"
#include "tfrt/support/location.h"

namespace tfrt::function {

// A value that a function captures from its surroundings.
struct Capture {
  enum class Kind : uint8_t { kConstant, kVariable };
  Kind kind = Kind::kConstant;
  std::string type;  // "f32 [2,3]"
  std::string name;  // of a variable
  Location where;    // first use
};

// Used by the thread that traces.
class ProgramBuilder {
 public:
  // `device`: on which the program will run.
  ProgramBuilder(std::string device, bool may_create_variables)
      : device(std::move(device)), may_create_variables(may_create_variables) {}

  uint32_t AddLocation(Location where);
  // The elements of a tensor that is there; the same index for the same elements.
  uint32_t AddConstant(const eager::Tensor& keeps_alive, const DenseHostTensor& elements);
  uint32_t AddVariable(const eager::Variable& variable, const TensorMetadata& metadata);
  uint32_t AddCallback(const std::string& name, HostFunction function);

  TracedGraph graph;
  const std::string device;
  const bool may_create_variables;
  size_t num_created_variables = 0;
  std::vector<eager::Variable> variables;  // of graph.variables
  std::vector<HostFunction> callbacks;     // of graph.callbacks
  std::vector<Capture> captures;
  std::vector<std::string> warnings;
  // Functions that are called by functions, by what their traces depend on.
  struct NestedFunction {
    uint32_t index;
    std::vector<ValueType> results;
    std::shared_ptr<const void> note = nullptr;  // AnyFunction::LeaveNote
  };
  std::map<std::vector<uint64_t>, NestedFunction> nested;

 private:
  std::map<std::pair<const LocationHandler*, uint64_t>, uint32_t> locations_;
  std::map<std::pair<const void*, std::string>, uint32_t> constants_;
  std::map<const void*, uint32_t> variable_numbers_;
  std::vector<eager::Tensor> kept_;
};

// Leaves the function `first`, in front, and what it calls, callers before what they call.
void SortFunctions(TracedGraph& graph, uint32_t first);

}  // namespace tfrt::function

#endif  // TFRT_LIB_API_FUNCTION_PROGRAM_BUILDER_H_
