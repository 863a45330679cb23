// Entry points: the graph interface.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend.h"
#include "gpu/abi/cuda_driver_exports.h"
#include "handle.h"
#include "objects.h"
#include "operation_checks.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cudnn_double {
namespace {

using BackendObjects = Objects<Backend>;

// The values that a knob of the tensor core engine takes.
constexpr uint32_t kKnob = 2;  // the size of tiles
constexpr int64_t kMaxKnob = 3;

cudnnStatus_t GetBackend(cudnnBackendDescriptor_t descriptor, std::shared_ptr<Backend>* found) {
  *found = BackendObjects::All().Find(descriptor);
  if (!*found) return Fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "no such descriptor");
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t NeedAll(const Backend& backend,
                      std::initializer_list<cudnnBackendAttributeName_t> names) {
  for (const cudnnBackendAttributeName_t name : names) {
    if (backend.Has(name)) continue;
    return Fail(CUDNN_STATUS_BAD_PARAM,
                StrCat("attribute ", static_cast<uint32_t>(name), " is not set"));
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t FinalizeTensor(Backend& tensor) {
  TFRT_DNN_RETURN_IF_FAILED(NeedAll(
      tensor,
      {CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_ATTR_TENSOR_DIMENSIONS,
       CUDNN_ATTR_TENSOR_STRIDES, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT}));
  const std::vector<int64_t> dims = tensor.Values<int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS);
  const std::vector<int64_t> strides = tensor.Values<int64_t>(CUDNN_ATTR_TENSOR_STRIDES);
  TFRT_DNN_CHECK(!dims.empty() && dims.size() <= kMaxDims);
  TFRT_DNN_CHECK(dims.size() == strides.size());
  for (const int64_t dim : dims) TFRT_DNN_CHECK(dim >= 0);
  const auto alignment = tensor.Value<int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 0);
  TFRT_DNN_CHECK(alignment > 0 && (alignment & (alignment - 1)) == 0);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t FinalizeEngine(Backend& engine) {
  TFRT_DNN_RETURN_IF_FAILED(
      NeedAll(engine, {CUDNN_ATTR_ENGINE_OPERATION_GRAPH, CUDNN_ATTR_ENGINE_GLOBAL_INDEX}));
  engine.program = engine.Descriptor(CUDNN_ATTR_ENGINE_OPERATION_GRAPH)->program;
  engine.engine = engine.Value<int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, -1);
  if (!engine.program) {
    return Fail(CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN, "the graph is not on the list");
  }
  TFRT_DNN_CHECK_SUPPORT(engine.engine >= 0 && engine.engine < kNumEngines);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t FinalizeConfiguration(Backend& configuration) {
  TFRT_DNN_RETURN_IF_FAILED(NeedAll(configuration, {CUDNN_ATTR_ENGINECFG_ENGINE}));
  const std::shared_ptr<Backend> engine = configuration.Descriptor(CUDNN_ATTR_ENGINECFG_ENGINE);
  if (const BackendAttribute* choices = configuration.Find(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES)) {
    for (const std::shared_ptr<Backend>& choice : choices->descriptors) {
      const auto type = choice->Value<uint32_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, 0);
      const auto value = choice->Value<int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, -1);
      TFRT_DNN_CHECK(engine->engine == kTensorCoreEngine && type == kKnob);
      TFRT_DNN_CHECK(value >= 0 && value <= kMaxKnob);
    }
  }
  configuration.program = engine->program;
  configuration.engine = engine->engine;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t FinalizePlan(Backend& plan) {
  TFRT_DNN_CHECK(plan.Has(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP) ||
                 plan.Has(CUDNN_ATTR_EXECUTION_PLAN_HANDLE));
  if (plan.Has(CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION)) {
    const std::vector<char> text = plan.Values<char>(CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION);
    plan.program = ReadPlanText({text.data(), text.size()}, &plan.engine);
    if (plan.program) return CUDNN_STATUS_SUCCESS;
    return Fail(CUDNN_STATUS_SERIALIZATION_VERSION_MISMATCH, "no plan of this library");
  }
  TFRT_DNN_RETURN_IF_FAILED(NeedAll(plan, {CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG}));
  const std::shared_ptr<Backend> configuration =
      plan.Descriptor(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  plan.program = configuration->program;
  plan.engine = configuration->engine;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t FinalizeDevice(Backend& device) {
  if (device.Has(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION)) {
    const std::vector<char> text = device.Values<char>(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION);
    device.json.assign(text.begin(), std::find(text.begin(), text.end(), '\0'));
    TFRT_DNN_CHECK(device.json.starts_with('{') && device.json.ends_with('}'));
    TFRT_DNN_CHECK(device.json.find("\"deviceVer\"") != std::string::npos);
    return CUDNN_STATUS_SUCCESS;
  }
  TFRT_DNN_CHECK(device.Has(CUDNN_ATTR_DEVICEPROP_DEVICE_ID) ||
                 device.Has(CUDNN_ATTR_DEVICEPROP_HANDLE));
  const auto ordinal = device.Value<int32_t>(CUDNN_ATTR_DEVICEPROP_DEVICE_ID, 0);
  cuda::CUdevice found = 0;
  int major = 0, minor = 0;
  if (cuda::cuDeviceGet(&found, ordinal) != cuda::CUDA_SUCCESS ||
      cuda::cuDeviceGetAttribute(&major, cuda::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                 found) != cuda::CUDA_SUCCESS ||
      cuda::cuDeviceGetAttribute(&minor, cuda::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                 found) != cuda::CUDA_SUCCESS) {
    return Fail(CUDNN_STATUS_BAD_PARAM, "no such device");
  }
  device.json = StrCat("{\"cudaDeviceId\":", ordinal, ",\"deviceName\":\"tfrt test double\",",
                       "\"deviceVer\":", 100 * major + 10 * minor, "}");
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t Finalize(Backend& backend) {
  switch (backend.type) {
    case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
      return FinalizeTensor(backend);
    case CUDNN_BACKEND_POINTWISE_DESCRIPTOR:
      return NeedAll(backend, {CUDNN_ATTR_POINTWISE_MODE});
    case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
    case CUDNN_BACKEND_RESAMPLE_DESCRIPTOR:
      return CheckParameters(backend);
    case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
      TFRT_DNN_RETURN_IF_FAILED(NeedAll(backend, {CUDNN_ATTR_OPERATIONGRAPH_OPS}));
      backend.program = MatchGraph(backend);
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
      TFRT_DNN_RETURN_IF_FAILED(
          NeedAll(backend, {CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_ATTR_ENGINEHEUR_MODE}));
      backend.program = backend.Descriptor(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH)->program;
      if (backend.program) return CUDNN_STATUS_SUCCESS;
      return Fail(CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN, "the graph is not on the list");
    case CUDNN_BACKEND_ENGINE_DESCRIPTOR:
      return FinalizeEngine(backend);
    case CUDNN_BACKEND_ENGINECFG_DESCRIPTOR:
      return FinalizeConfiguration(backend);
    case CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR:
      return NeedAll(backend,
                     {CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE});
    case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
      return FinalizePlan(backend);
    case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
      TFRT_DNN_RETURN_IF_FAILED(NeedAll(
          backend, {CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS}));
      TFRT_DNN_CHECK(backend.Find(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS)->count ==
                     backend.Find(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS)->count);
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR:
      return FinalizeDevice(backend);
    default:
      return CheckOperation(backend);
  }
}

// Hands numbers out, as many as there is room for.
template <typename T>
cudnnStatus_t Answer(const std::vector<T>& values, int64_t max_elements, int64_t* num_elements,
                     void* elements) {
  if (num_elements) *num_elements = static_cast<int64_t>(values.size());
  if (max_elements == 0) return CUDNN_STATUS_SUCCESS;
  TFRT_DNN_CHECK(elements != nullptr);
  const size_t count = std::min(values.size(), static_cast<size_t>(max_elements));
  if (count > 0) std::memcpy(elements, values.data(), count * sizeof(T));
  return CUDNN_STATUS_SUCCESS;
}

// Makes the descriptors that the caller brings stand for what is asked for.
template <typename F>
cudnnStatus_t AnswerDescriptors(cudnnBackendDescriptorType_t type, int64_t count,
                                int64_t max_elements, int64_t* num_elements, void* elements,
                                F&& fill) {
  const int64_t filled = max_elements == 0 ? count : std::min(count, max_elements);
  if (num_elements) *num_elements = filled;
  if (max_elements == 0) return CUDNN_STATUS_SUCCESS;
  TFRT_DNN_CHECK(elements != nullptr);
  for (int64_t i = 0; i < filled; ++i) {
    std::shared_ptr<Backend> target;
    TFRT_DNN_RETURN_IF_FAILED(
        GetBackend(static_cast<cudnnBackendDescriptor_t*>(elements)[i], &target));
    if (target->type != type) {
      return Fail(CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE, "a descriptor of another type");
    }
    fill(i, *target);
    target->is_final = true;
  }
  return CUDNN_STATUS_SUCCESS;
}

std::vector<uint32_t> NumericalNotes(const Backend& engine) {
  if (engine.engine == kTensorCoreEngine) return {CUDNN_NUMERICAL_NOTE_TENSOR_CORE};
  if (engine.engine == kNondeterministicEngine) return {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC};
  return {};
}

std::vector<uint32_t> BehaviorNotes(const Backend& engine) {
  if (engine.engine != kNondeterministicEngine) return {};
  return {CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION};
}

void SetEngine(const Backend& from, Backend& engine) {
  engine.program = from.program;
  engine.engine = from.engine;
}

cudnnStatus_t Get(const Backend& backend, cudnnBackendAttributeName_t name,
                  cudnnBackendAttributeType_t type, int64_t max_elements, int64_t* num_elements,
                  void* elements) {
  switch (name) {
    case CUDNN_ATTR_ENGINEHEUR_RESULTS: {
      // The fastest first. The last resort alone is certain to take all shapes.
      static constexpr int64_t kBest[] = {kTensorCoreEngine, kNondeterministicEngine, kPlainEngine};
      const bool is_fallback =
          backend.Value<uint32_t>(CUDNN_ATTR_ENGINEHEUR_MODE, 0) == CUDNN_HEUR_MODE_FALLBACK;
      return AnswerDescriptors(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, is_fallback ? 1 : kNumEngines,
                               max_elements, num_elements, elements,
                               [&](int64_t i, Backend& configuration) {
                                 configuration.program = backend.program;
                                 configuration.engine = is_fallback ? kPlainEngine : kBest[i];
                               });
    }
    case CUDNN_ATTR_ENGINECFG_ENGINE:
      return AnswerDescriptors(CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1, max_elements, num_elements,
                               elements,
                               [&](int64_t, Backend& engine) { SetEngine(backend, engine); });
    case CUDNN_ATTR_ENGINE_GLOBAL_INDEX:
      return Answer<int64_t>({backend.engine}, max_elements, num_elements, elements);
    case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
      return Answer(NumericalNotes(backend), max_elements, num_elements, elements);
    case CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE:
      return Answer(BehaviorNotes(backend), max_elements, num_elements, elements);
    case CUDNN_ATTR_ENGINE_KNOB_INFO:
      return AnswerDescriptors(CUDNN_BACKEND_KNOB_INFO_DESCRIPTOR,
                               backend.engine == kTensorCoreEngine ? 1 : 0, max_elements,
                               num_elements, elements, [](int64_t, Backend&) {});
    case CUDNN_ATTR_KNOB_INFO_TYPE:
      return Answer<uint32_t>({kKnob}, max_elements, num_elements, elements);
    case CUDNN_ATTR_KNOB_INFO_MAXIMUM_VALUE:
      return Answer<int64_t>({kMaxKnob}, max_elements, num_elements, elements);
    case CUDNN_ATTR_KNOB_INFO_MINIMUM_VALUE:
      return Answer<int64_t>({0}, max_elements, num_elements, elements);
    case CUDNN_ATTR_KNOB_INFO_STRIDE:
      return Answer<int64_t>({1}, max_elements, num_elements, elements);
    case CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT:
      return Answer<int64_t>({kNumEngines}, max_elements, num_elements, elements);
    case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
      return Answer<int64_t>({WorkspaceBytes(*backend.program, backend.engine)}, max_elements,
                             num_elements, elements);
    case CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION: {
      const std::string text = PlanText(*backend.program, backend.engine);
      return Answer<char>({text.begin(), text.end()}, max_elements, num_elements, elements);
    }
    case CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION:
      return Answer<char>({backend.json.begin(), backend.json.end()}, max_elements, num_elements,
                          elements);
    default:
      break;
  }
  const BackendAttribute* found = backend.Find(name);
  if (!found || found->type != type || type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
    return Fail(CUDNN_STATUS_BAD_PARAM, "the attribute is not set");
  }
  if (num_elements) *num_elements = found->count;
  const size_t count = std::min(found->count, max_elements) * AttributeBytes(type);
  if (count > 0) std::memcpy(elements, found->bytes.data(), count);
  return CUDNN_STATUS_SUCCESS;
}

// The memory of a run.
struct Memory {
  std::array<const void*, kNumRoles> addresses = {};
  std::vector<tfrtDoubleRange> ranges;
  float scale = 1;  // of Role::kScale, which is a number of the host
};

cudnnStatus_t GetMemory(const Backend& plan, const Backend& pack, Memory* memory) {
  const GraphProgram& program = *plan.program;
  const std::vector<int64_t> ids = pack.Values<int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const std::vector<void*> pointers = pack.Values<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  for (size_t role = 0; role < kNumRoles; ++role) {
    const std::optional<GraphTensor>& tensor = program.tensors[role];
    if (!tensor) continue;
    const auto found = std::ranges::find(ids, tensor->id);
    if (found == ids.end()) {
      return Fail(CUDNN_STATUS_BAD_PARAM, StrCat("the variant pack lacks the tensor ", tensor->id));
    }
    const void* address = pointers[found - ids.begin()];
    if (!address) return Fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "a tensor without memory");
    if (tensor->is_by_value) {
      std::memcpy(&memory->scale, address, sizeof(memory->scale));
      continue;
    }
    if (reinterpret_cast<uintptr_t>(address) % tensor->alignment_bytes != 0) {
      return Fail(CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER,
                  StrCat("the tensor ", tensor->id, " is not aligned"));
    }
    memory->addresses[role] = address;
    AppendRanges(tensor->layout, address, program.Writes(static_cast<Role>(role)) ? 1 : 0,
                 &memory->ranges);
  }
  const int64_t workspace_bytes = WorkspaceBytes(program, plan.engine);
  if (workspace_bytes > 0) {
    void* workspace = pack.Value<void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, nullptr);
    if (!workspace) return Fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "no workspace");
    memory->ranges.push_back(
        {reinterpret_cast<uint64_t>(workspace), static_cast<uint64_t>(workspace_bytes), 1});
  }
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace
}  // namespace tfrt::gpu::cudnn_double

namespace tfrt::gpu::cudnn {
using namespace cudnn_double;  // NOLINT

extern "C" {

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                                           cudnnBackendDescriptor_t* descriptor) {
  return Enter("cudnnBackendCreateDescriptor", [&]() -> cudnnStatus_t {
    TFRT_DNN_CHECK(descriptor != nullptr);
    TFRT_DNN_CHECK_SUPPORT(type <= CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR);
    auto made = std::make_shared<Backend>();
    made->type = type;
    *descriptor = BackendObjects::All().Add(std::move(made));
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  return Enter("cudnnBackendDestroyDescriptor", [&]() -> cudnnStatus_t {
    TFRT_DNN_CHECK(BackendObjects::All().Remove(descriptor));
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t num_elements,
                                       const void* elements) {
  return Enter("cudnnBackendSetAttribute", [&]() -> cudnnStatus_t {
    std::shared_ptr<Backend> backend;
    TFRT_DNN_RETURN_IF_FAILED(GetBackend(descriptor, &backend));
    TFRT_DNN_CHECK(!backend->is_final);
    if (!HasAttribute(backend->type, name, type)) {
      return Fail(CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, "no such attribute, or another type");
    }
    // A list of no parts is noticed when the descriptor is finalised.
    if (num_elements == 0 && type == CUDNN_TYPE_BACKEND_DESCRIPTOR) return CUDNN_STATUS_SUCCESS;
    TFRT_DNN_CHECK(num_elements > 0 && elements != nullptr);
    BackendAttribute attribute{type, num_elements, {}, {}};
    attribute.bytes.resize(num_elements * AttributeBytes(type));
    std::memcpy(attribute.bytes.data(), elements, attribute.bytes.size());
    if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
      for (int64_t i = 0; i < num_elements; ++i) {
        std::shared_ptr<Backend> part;
        TFRT_DNN_RETURN_IF_FAILED(GetBackend(static_cast<void* const*>(elements)[i], &part));
        if (!part->is_final) {
          return Fail(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "a part that is not finalised");
        }
        attribute.descriptors.push_back(std::move(part));
      }
    }
    backend->attributes[name] = std::move(attribute);
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
  return Enter("cudnnBackendFinalize", [&]() -> cudnnStatus_t {
    std::shared_ptr<Backend> backend;
    TFRT_DNN_RETURN_IF_FAILED(GetBackend(descriptor, &backend));
    TFRT_DNN_CHECK(!backend->is_final);
    TFRT_DNN_RETURN_IF_FAILED(Finalize(*backend));
    backend->is_final = true;
    return CUDNN_STATUS_SUCCESS;
  });
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t descriptor,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t max_elements,
                                       int64_t* num_elements, void* elements) {
  return Enter("cudnnBackendGetAttribute", [&]() -> cudnnStatus_t {
    std::shared_ptr<Backend> backend;
    TFRT_DNN_RETURN_IF_FAILED(GetBackend(descriptor, &backend));
    if (!backend->is_final) {
      return Fail(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "the descriptor is not finalised");
    }
    if (!HasAttribute(backend->type, name, type)) {
      return Fail(CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, "no such attribute, or another type");
    }
    TFRT_DNN_CHECK(max_elements >= 0);
    return Get(*backend, name, type, max_elements, num_elements, elements);
  });
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                                  cudnnBackendDescriptor_t variant_pack) {
  return Enter("cudnnBackendExecute", [&]() -> cudnnStatus_t {
    std::shared_ptr<Handle> found;
    TFRT_DNN_RETURN_IF_FAILED(GetHandle(handle, &found));
    std::shared_ptr<Backend> found_plan, pack;
    TFRT_DNN_RETURN_IF_FAILED(GetBackend(plan, &found_plan));
    TFRT_DNN_RETURN_IF_FAILED(GetBackend(variant_pack, &pack));
    if (!found_plan->is_final || !pack->is_final) {
      return Fail(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "plan or variant pack");
    }
    if (found_plan->type != CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR ||
        pack->type != CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR) {
      return Fail(CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE, "plan or variant pack");
    }
    Memory memory;
    TFRT_DNN_RETURN_IF_FAILED(GetMemory(*found_plan, *pack, &memory));
    return Enqueue(*found, "cudnnBackendExecute", std::move(memory.ranges),
                   [program = found_plan->program, engine = found_plan->engine,
                    addresses = memory.addresses, scale = memory.scale] {
                     auto all = addresses;
                     all[static_cast<size_t>(Role::kScale)] = &scale;
                     RunProgram(*program, engine, all);
                   });
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cudnn
