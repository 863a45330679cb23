// Builds execution plans of graphs: asks cuDNN for its engines, and takes the first that fits.
// Needs no device: a description of one is sufficient.
#ifndef TFRT_GPU_LIBRARIES_DNN_PLANNER_H_
#define TFRT_GPU_LIBRARIES_DNN_PLANNER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "descriptors.h"
#include "gpu/abi/cudnn_table.h"
#include "graph.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

// The oldest library that plans from the description of a device.
inline constexpr int kMinPlanVersion = 90800;

// How a plan is chosen.
struct PlanChoice {
  // Only engines whose results are the same in each run.
  bool deterministic = true;
  // Engines may round factors of f32 to TF32. cuDNN's own default is yes.
  bool allow_tf32 = false;
  // This engine, by its number among all of the library, without asking for the best one. Then the
  // two options above do not matter.
  std::optional<int64_t> engine;
  // Settings of that engine, {knob, value}. Those that the engine does not have are left out.
  std::vector<std::pair<int64_t, int64_t>> knobs;
};

// Returns the choice as text, equal for equal choices.
std::string ChoiceText(const PlanChoice& choice);

// A device as cuDNN knows it: the JSON text of its properties. Immutable.
class DeviceDescription {
 public:
  // Describes the device that is current on this thread.
  static StatusOr<DeviceDescription> OfDevice(const cudnn::Table& table, int ordinal);
  // Describes a device by the JSON text of its properties. InvalidArgument with the library's
  // reason.
  static StatusOr<DeviceDescription> OfText(const cudnn::Table& table, std::string_view json);

  const Descriptor& descriptor() const { return descriptor_; }
  const std::string& json() const { return json_; }

 private:
  DeviceDescription(Descriptor descriptor, std::string json)
      : descriptor_(std::move(descriptor)), json_(std::move(json)) {}

  Descriptor descriptor_;
  std::string json_;
};

// An engine that can compute a graph.
struct EngineCandidate {
  Descriptor configuration;
  int64_t index = -1;
  bool is_compiled = false;  // at run time: about a second
};

// A finalised plan. Needs neither the graph nor the device any more.
struct BuiltPlan {
  Descriptor plan;
  int64_t workspace_bytes = 0;
  int64_t engine = -1;  // -1: unknown, of a plan that was read
  bool is_compiled = false;
};

// Returns the engines that `choice` allows, best first. Unimplemented if there is none. `has_f32`:
// the graph has factors of f32.
StatusOr<std::vector<EngineCandidate>> ListEngines(const cudnn::Table& table,
                                                   const GraphDescriptors& graph,
                                                   const DeviceDescription& device,
                                                   const PlanChoice& choice, bool has_f32);
// Returns whether the graph has factors of f32, which TF32 would round.
bool HasF32(const Graph& graph);

// Returns the plan of one engine; the library's error if the engine does not take the graph.
StatusOr<BuiltPlan> FinalizePlan(const cudnn::Table& table, const EngineCandidate& engine,
                                 const DeviceDescription& device);

// Returns the plan of the first engine that takes the graph. Unimplemented "cuDNN has no engine for
// the graph: REASON" if none does.
StatusOr<BuiltPlan> BuildPlan(const cudnn::Table& table, const Graph& graph,
                              const DeviceDescription& device, const PlanChoice& choice);

// Returns a plan as text, and the plan of such a text.
StatusOr<std::string> PlanText(const BuiltPlan& plan);
StatusOr<BuiltPlan> ReadPlan(const cudnn::Table& table, std::string_view json,
                             const DeviceDescription& device);

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_PLANNER_H_
