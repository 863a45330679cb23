#include "dnn_plans.h"

#include <utility>

#include "dnn_call.h"
#include "gpu/libraries/dnn/context_device.h"
#include "gpu/libraries/dnn/descriptors.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names

uint64_t BytesOf(const dnn::GraphTensor& tensor) {
  uint64_t last = 0;
  for (size_t d = 0; d < tensor.dims.size(); ++d) {
    last += static_cast<uint64_t>(tensor.dims[d] - 1) * static_cast<uint64_t>(tensor.strides[d]);
  }
  return (last + 1) * DnnUnitBytes(tensor.type);
}

void* RangeAddress(const MemoryRange& range) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(range.address));
}

}  // namespace

StatusOr<DnnPlan> BuildDnnPlan(const DnnHandleValue& handle, const dnn::Graph& graph,
                               const dnn::PlanChoice& choice) {
  TFRT_ASSIGN_OR_RETURN(const Library* library, DnnLibrary());
  if (library->version() < dnn::kMinPlanVersion) {
    return FailedPreconditionError(StrCat(library->path(), " is cuDNN ",
                                          VersionText(library->version()), "; plans need ",
                                          VersionText(dnn::kMinPlanVersion)));
  }
  TFRT_ASSIGN_OR_RETURN(const dnn::DeviceDescription* device,
                        handle.context->Part<dnn::ContextDevice>().Get(library->table()));
  TFRT_ASSIGN_OR_RETURN(dnn::BuiltPlan built,
                        dnn::BuildPlan(library->table(), graph, *device, choice));
  DnnPlan plan{handle.context, std::move(built), {}};
  for (const dnn::GraphTensor& tensor : graph.tensors) {
    if (!tensor.is_virtual && !tensor.is_by_value) {
      plan.tensors.push_back({tensor.id, BytesOf(tensor)});
    }
  }
  return plan;
}

StatusOr<Chain> RunDnnPlan(std::string_view op, const DnnHandleValue& handle, Stream& stream,
                           const DnnPlan& plan, std::span<const DnnPlanBuffer> buffers,
                           const MemoryRange& workspace, const ExecutionContext& exec_ctx,
                           std::span<const DnnPlanNumber> numbers) {
  if (plan.context.get() != handle.context.get()) {
    return InvalidArgumentError("handle and plan are of different contexts");
  }
  if (plan.tensors.size() != buffers.size()) {
    return InvalidArgumentError(
        StrCat("a plan of ", plan.tensors.size(), " tensors gets ", buffers.size(), " buffers"));
  }
  std::vector<int64_t> ids;
  std::vector<void*> pointers;
  std::vector<const Memory*> memories;
  for (const DnnPlanBuffer& buffer : buffers) {
    uint64_t size_bytes = 0;
    for (const DnnPlan::Tensor& tensor : plan.tensors) {
      if (tensor.id == buffer.id) size_bytes = tensor.size_bytes;
    }
    if (buffer.range.size_bytes < size_bytes) {
      return InvalidArgumentError(StrCat("buffer size (", buffer.range.size_bytes, ") of ",
                                         buffer.name, " is smaller than its tensor (", size_bytes,
                                         ")"));
    }
    ids.push_back(buffer.id);
    pointers.push_back(RangeAddress(buffer.range));
    memories.push_back(buffer.range.memory);
  }
  for (const DnnPlanNumber& number : numbers) {
    ids.push_back(number.id);
    pointers.push_back(const_cast<float*>(number.number));
  }
  memories.push_back(workspace.memory);
  const int64_t needed_bytes = plan.plan.workspace_bytes;
  if (workspace.size_bytes < static_cast<uint64_t>(needed_bytes)) {
    return InvalidArgumentError(StrCat("workspace size (", workspace.size_bytes,
                                       ") is smaller than the plan needs (", needed_bytes, ")"));
  }
  TFRT_ASSIGN_OR_RETURN(const Library* library, DnnLibrary());
  TFRT_ASSIGN_OR_RETURN(
      dnn::Descriptor pack,
      dnn::Descriptor::Create(library->table(), CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR,
                              "a variant pack"));
  const auto count = static_cast<int64_t>(ids.size());
  TFRT_RETURN_IF_ERROR(
      pack.Set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, count, ids.data()));
  TFRT_RETURN_IF_ERROR(
      pack.Set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, count, pointers.data()));
  void* const address = RangeAddress(workspace);
  TFRT_RETURN_IF_ERROR(
      pack.Set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &address));
  TFRT_RETURN_IF_ERROR(pack.Finalize());
  return CallDnn(op, "cudnnBackendExecute", handle, stream, std::span(memories), exec_ctx,
                 [&](const Table& table, cudnnHandle_t leased) {
                   return table.cudnnBackendExecute(leased, plan.plan.plan.get(), pack.get());
                 });
}

}  // namespace tfrt::gpu
