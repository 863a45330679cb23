#include "planner.h"

#include <algorithm>
#include <array>

#include "graphs.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::dnn {
namespace {

// NOLINTNEXTLINE: all names are the vendor's
using namespace tfrt::gpu::cudnn;

// Notes of the library about an engine.
struct EngineNotes {
  std::array<bool, CUDNN_NUMERICAL_NOTE_TYPE_COUNT> numerical = {};
  std::array<bool, CUDNN_BEHAVIOR_NOTE_TYPE_COUNT> behavior = {};
};

template <size_t kCount>
Status ReadNotes(const Descriptor& engine, cudnnBackendAttributeName_t name,
                 cudnnBackendAttributeType_t type, std::array<bool, kCount>* notes) {
  // Later versions may have more kinds of notes.
  uint32_t values[64] = {};
  TFRT_ASSIGN_OR_RETURN(int64_t count, engine.Get(name, type, std::size(values), values));
  for (int64_t i = 0; i < std::min<int64_t>(count, std::size(values)); ++i) {
    if (values[i] < kCount) (*notes)[values[i]] = true;
  }
  return OkStatus();
}

StatusOr<EngineNotes> NotesOf(const Descriptor& engine) {
  EngineNotes notes;
  TFRT_RETURN_IF_ERROR(ReadNotes(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                 CUDNN_TYPE_NUMERICAL_NOTE, &notes.numerical));
  TFRT_RETURN_IF_ERROR(ReadNotes(engine, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE,
                                 &notes.behavior));
  return notes;
}

// Filters and biases of these engines need another order than ours.
bool NeedsReordering(const EngineNotes& notes) {
  return notes.behavior[CUDNN_BEHAVIOR_NOTE_REQUIRES_FILTER_INT8x32_REORDER] ||
         notes.behavior[CUDNN_BEHAVIOR_NOTE_REQUIRES_BIAS_INT8x32_REORDER];
}

bool IsAllowed(const EngineNotes& notes, const PlanChoice& choice) {
  if (NeedsReordering(notes)) return false;
  return !choice.deterministic || !notes.numerical[CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC];
}

// Engines of the heuristics, best first.
Status AppendHeuristics(const Table& table, const GraphDescriptors& graph,
                        const DeviceDescription& device, cudnnBackendHeurMode_t mode,
                        const PlanChoice& choice, bool has_f32,
                        std::vector<EngineCandidate>* engines) {
  TFRT_ASSIGN_OR_RETURN(
      Descriptor heuristics,
      Descriptor::Create(table, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, "the heuristics"));
  TFRT_RETURN_IF_ERROR(
      heuristics.SetDescriptor(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.graph()));
  TFRT_RETURN_IF_ERROR(heuristics.Set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode));
  TFRT_RETURN_IF_ERROR(
      heuristics.SetDescriptor(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, device.descriptor()));
  TFRT_RETURN_IF_ERROR(heuristics.Finalize());
  TFRT_ASSIGN_OR_RETURN(int64_t count, heuristics.Get(CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                                      CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, nullptr));
  std::vector<Descriptor> made;
  std::vector<cudnnBackendDescriptor_t> handles;
  for (int64_t i = 0; i < count; ++i) {
    TFRT_ASSIGN_OR_RETURN(
        Descriptor configuration,
        Descriptor::Create(table, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, "an engine's configuration"));
    handles.push_back(configuration.get());
    made.push_back(std::move(configuration));
  }
  // There may be fewer than announced.
  TFRT_ASSIGN_OR_RETURN(
      count, heuristics.Get(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, count,
                            handles.data()));
  for (int64_t i = 0; i < std::min<int64_t>(count, static_cast<int64_t>(made.size())); ++i) {
    TFRT_ASSIGN_OR_RETURN(Descriptor engine,
                          Descriptor::Create(table, CUDNN_BACKEND_ENGINE_DESCRIPTOR, "an engine"));
    cudnnBackendDescriptor_t handle = engine.get();
    TFRT_RETURN_IF_ERROR(
        made[i]
            .Get(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &handle)
            .status());
    TFRT_ASSIGN_OR_RETURN(EngineNotes notes, NotesOf(engine));
    if (!IsAllowed(notes, choice)) continue;
    if (has_f32 && !choice.allow_tf32 &&
        (notes.numerical[CUDNN_NUMERICAL_NOTE_TENSOR_CORE] ||
         notes.numerical[CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS])) {
      continue;
    }
    TFRT_ASSIGN_OR_RETURN(int64_t index, engine.GetInteger(CUDNN_ATTR_ENGINE_GLOBAL_INDEX));
    engines->push_back(
        {std::move(made[i]), index, notes.behavior[CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION]});
  }
  return OkStatus();
}

// The engine that the choice names, with its knobs.
StatusOr<EngineCandidate> NamedEngine(const Table& table, const GraphDescriptors& graph,
                                      const DeviceDescription& device, const PlanChoice& choice) {
  TFRT_ASSIGN_OR_RETURN(Descriptor engine,
                        Descriptor::Create(table, CUDNN_BACKEND_ENGINE_DESCRIPTOR, "an engine"));
  TFRT_RETURN_IF_ERROR(engine.SetDescriptor(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph.graph()));
  TFRT_RETURN_IF_ERROR(
      engine.Set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &*choice.engine));
  TFRT_RETURN_IF_ERROR(engine.SetDescriptor(CUDNN_ATTR_ENGINE_DEVICEPROP, device.descriptor()));
  TFRT_RETURN_IF_ERROR(engine.Finalize());
  TFRT_ASSIGN_OR_RETURN(EngineNotes notes, NotesOf(engine));

  // The knobs that it has.
  std::vector<Descriptor> infos;
  std::vector<cudnnBackendDescriptor_t> handles;
  TFRT_ASSIGN_OR_RETURN(int64_t count, engine.Get(CUDNN_ATTR_ENGINE_KNOB_INFO,
                                                  CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, nullptr));
  for (int64_t i = 0; i < count; ++i) {
    TFRT_ASSIGN_OR_RETURN(Descriptor info,
                          Descriptor::Create(table, CUDNN_BACKEND_KNOB_INFO_DESCRIPTOR, "a knob"));
    handles.push_back(info.get());
    infos.push_back(std::move(info));
  }
  if (count > 0) {
    TFRT_ASSIGN_OR_RETURN(count, engine.Get(CUDNN_ATTR_ENGINE_KNOB_INFO,
                                            CUDNN_TYPE_BACKEND_DESCRIPTOR, count, handles.data()));
  }
  std::vector<Descriptor> settings;
  std::vector<cudnnBackendDescriptor_t> set;
  for (int64_t i = 0; i < std::min<int64_t>(count, static_cast<int64_t>(infos.size())); ++i) {
    uint32_t type = 0;
    TFRT_RETURN_IF_ERROR(
        infos[i].Get(CUDNN_ATTR_KNOB_INFO_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &type).status());
    for (const auto& [knob, value] : choice.knobs) {
      if (knob != static_cast<int64_t>(type)) continue;
      TFRT_ASSIGN_OR_RETURN(
          Descriptor setting,
          Descriptor::Create(table, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, "a knob's choice"));
      TFRT_RETURN_IF_ERROR(
          setting.Set(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &type));
      TFRT_RETURN_IF_ERROR(
          setting.Set(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1, &value));
      TFRT_RETURN_IF_ERROR(setting.Finalize());
      set.push_back(setting.get());
      settings.push_back(std::move(setting));
    }
  }
  TFRT_ASSIGN_OR_RETURN(
      Descriptor configuration,
      Descriptor::Create(table, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, "an engine's configuration"));
  TFRT_RETURN_IF_ERROR(configuration.SetDescriptor(CUDNN_ATTR_ENGINECFG_ENGINE, engine));
  if (!set.empty()) {
    TFRT_RETURN_IF_ERROR(configuration.Set(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                                           CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                           static_cast<int64_t>(set.size()), set.data()));
  }
  TFRT_RETURN_IF_ERROR(configuration.Finalize());
  return EngineCandidate{std::move(configuration), *choice.engine,
                         notes.behavior[CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION]};
}

StatusOr<Descriptor> BeginPlan(const Table& table, const DeviceDescription& device) {
  TFRT_ASSIGN_OR_RETURN(
      Descriptor plan,
      Descriptor::Create(table, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, "a plan"));
  TFRT_RETURN_IF_ERROR(
      plan.SetDescriptor(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, device.descriptor()));
  return plan;
}

StatusOr<BuiltPlan> EndPlan(Descriptor plan) {
  TFRT_RETURN_IF_ERROR(plan.Finalize());
  TFRT_ASSIGN_OR_RETURN(int64_t workspace,
                        plan.GetInteger(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE));
  if (workspace < 0) {
    return InternalError(StrCat("cuDNN's plan has a workspace of ", workspace, " bytes"));
  }
  BuiltPlan built;
  built.plan = std::move(plan);
  built.workspace_bytes = workspace;
  return built;
}

}  // namespace

bool HasF32(const Graph& graph) {
  return std::ranges::any_of(graph.tensors, [](const GraphTensor& tensor) {
    return tensor.type == CUDNN_DATA_FLOAT && tensor.id == kInputId;
  });
}

std::string ChoiceText(const PlanChoice& choice) {
  if (!choice.engine) {
    return StrCat("heuristics", choice.deterministic ? " deterministic" : "",
                  choice.allow_tf32 ? " tf32" : "");
  }
  std::string text = StrCat("engine ", *choice.engine);
  for (const auto& [knob, value] : choice.knobs) text += StrCat(" ", knob, "=", value);
  return text;
}

StatusOr<DeviceDescription> DeviceDescription::OfDevice(const Table& table, int ordinal) {
  TFRT_ASSIGN_OR_RETURN(Descriptor device,
                        Descriptor::Create(table, CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "a device"));
  const int32_t number = ordinal;
  TFRT_RETURN_IF_ERROR(device.Set(CUDNN_ATTR_DEVICEPROP_DEVICE_ID, CUDNN_TYPE_INT32, 1, &number));
  TFRT_RETURN_IF_ERROR(device.Finalize());
  TFRT_ASSIGN_OR_RETURN(std::string json,
                        device.GetText(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION));
  return DeviceDescription(std::move(device), std::move(json));
}

StatusOr<DeviceDescription> DeviceDescription::OfText(const Table& table, std::string_view json) {
  TFRT_ASSIGN_OR_RETURN(Descriptor device,
                        Descriptor::Create(table, CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "a device"));
  TFRT_RETURN_IF_ERROR(device.SetText(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, json));
  TFRT_RETURN_IF_ERROR(device.Finalize());
  // The library's own text: the same for the same device, however the given one was written.
  TFRT_ASSIGN_OR_RETURN(std::string own, device.GetText(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION));
  return DeviceDescription(std::move(device), std::move(own));
}

// Returns the code of a graph without an engine: Unimplemented if the library refuses the graph,
// and otherwise that of an error which may pass, such as a lack of memory.
static StatusCode CodeOfNoEngine(const Status& reason) {
  const bool is_refusal = reason.ok() || reason.code() == StatusCode::kInvalidArgument;
  return is_refusal ? StatusCode::kUnimplemented : reason.code();
}

StatusOr<std::vector<EngineCandidate>> ListEngines(const Table& table,
                                                   const GraphDescriptors& graph,
                                                   const DeviceDescription& device,
                                                   const PlanChoice& choice, bool has_f32) {
  std::vector<EngineCandidate> engines;
  if (choice.engine) {
    TFRT_ASSIGN_OR_RETURN(EngineCandidate engine, NamedEngine(table, graph, device, choice));
    engines.push_back(std::move(engine));
    return engines;
  }
  Status first =
      AppendHeuristics(table, graph, device, CUDNN_HEUR_MODE_A, choice, has_f32, &engines);
  if (engines.empty()) {
    Status second =
        AppendHeuristics(table, graph, device, CUDNN_HEUR_MODE_FALLBACK, choice, has_f32, &engines);
    if (first.ok()) first = second;
  }
  if (!engines.empty()) return engines;
  return Status(CodeOfNoEngine(first), StrCat("cuDNN has no engine for the graph",
                                              first.ok() ? "" : ": ", first.message()));
}

StatusOr<BuiltPlan> FinalizePlan(const Table& table, const EngineCandidate& engine,
                                 const DeviceDescription& device) {
  TFRT_ASSIGN_OR_RETURN(Descriptor plan, BeginPlan(table, device));
  TFRT_RETURN_IF_ERROR(
      plan.SetDescriptor(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, engine.configuration));
  TFRT_ASSIGN_OR_RETURN(BuiltPlan built, EndPlan(std::move(plan)));
  built.engine = engine.index;
  built.is_compiled = engine.is_compiled;
  return built;
}

StatusOr<BuiltPlan> BuildPlan(const Table& table, const Graph& graph,
                              const DeviceDescription& device, const PlanChoice& choice) {
  TFRT_ASSIGN_OR_RETURN(GraphDescriptors descriptors, MakeDescriptors(table, graph));
  TFRT_ASSIGN_OR_RETURN(std::vector<EngineCandidate> engines,
                        ListEngines(table, descriptors, device, choice, HasF32(graph)));
  std::optional<Status> reason;  // the first one, or the first that may pass
  for (const EngineCandidate& engine : engines) {
    StatusOr<BuiltPlan> built = FinalizePlan(table, engine, device);
    if (built.ok()) return built;
    if (!reason || (CodeOfNoEngine(*reason) == StatusCode::kUnimplemented &&
                    CodeOfNoEngine(built.status()) != StatusCode::kUnimplemented)) {
      reason = built.status();
    }
  }
  return Status(choice.engine ? reason->code() : CodeOfNoEngine(*reason),
                StrCat("cuDNN has no engine for the graph: ", reason->message()));
}

StatusOr<std::string> PlanText(const BuiltPlan& plan) {
  return plan.plan.GetText(CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION);
}

StatusOr<BuiltPlan> ReadPlan(const Table& table, std::string_view json,
                             const DeviceDescription& device) {
  TFRT_ASSIGN_OR_RETURN(Descriptor plan, BeginPlan(table, device));
  TFRT_RETURN_IF_ERROR(plan.SetText(CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, json));
  return EndPlan(std::move(plan));
}

}  // namespace tfrt::gpu::dnn
