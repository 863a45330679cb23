#include "run_plan.h"

#include <utility>
#include <vector>

#include "descriptors.h"
#include "gpu/libraries/library_call.h"
#include "gpu/runtime/context.h"
#include "gpu/wrapper/cudnn.h"
#include "handles.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::dnn {
namespace {

void* AddressOf(const MemoryRange& range) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(range.address));
}

// Returns the descriptor that names the memory of the tensors.
StatusOr<Descriptor> MakePack(const cudnn::Table& table, std::span<const BoundTensor> tensors,
                              std::span<const BoundNumber> numbers, const MemoryRange& workspace) {
  std::vector<int64_t> ids;
  std::vector<void*> pointers;
  for (const BoundTensor& tensor : tensors) {
    ids.push_back(tensor.id);
    pointers.push_back(AddressOf(tensor.range));
  }
  for (const BoundNumber& number : numbers) {
    ids.push_back(number.id);
    pointers.push_back(const_cast<float*>(number.number));  // the library only reads it
  }
  TFRT_ASSIGN_OR_RETURN(
      Descriptor pack,
      Descriptor::Create(table, cudnn::CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, "a variant pack"));
  const auto count = static_cast<int64_t>(ids.size());
  TFRT_RETURN_IF_ERROR(pack.Set(cudnn::CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, cudnn::CUDNN_TYPE_INT64,
                                count, ids.data()));
  TFRT_RETURN_IF_ERROR(pack.Set(cudnn::CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS,
                                cudnn::CUDNN_TYPE_VOID_PTR, count, pointers.data()));
  void* const address = AddressOf(workspace);
  TFRT_RETURN_IF_ERROR(
      pack.Set(cudnn::CUDNN_ATTR_VARIANT_PACK_WORKSPACE, cudnn::CUDNN_TYPE_VOID_PTR, 1, &address));
  TFRT_RETURN_IF_ERROR(pack.Finalize());
  return pack;
}

}  // namespace

StatusOr<Point> RunPlan(Stream& stream, const BuiltPlan& plan, std::span<const BoundTensor> tensors,
                        std::span<const BoundNumber> numbers, const MemoryRange& workspace) {
  if (workspace.size_bytes < static_cast<uint64_t>(plan.workspace_bytes)) {
    return InvalidArgumentError(StrCat("workspace size (", workspace.size_bytes,
                                       ") is smaller than the plan needs (", plan.workspace_bytes,
                                       ")"));
  }
  TFRT_ASSIGN_OR_RETURN(const cudnn::Library* library, cudnn::Library::Get());
  const cudnn::Table& table = library->table();
  TFRT_ASSIGN_OR_RETURN(Descriptor pack, MakePack(table, tensors, numbers, workspace));
  // Before the stream's call: making a handle may wait for the device.
  TFRT_ASSIGN_OR_RETURN(Handles::Lease lease, stream.context().Part<Handles>().Take());
  std::vector<const Memory*> memories;
  for (const BoundTensor& tensor : tensors) {
    if (tensor.range.memory) memories.push_back(tensor.range.memory);
  }
  if (workspace.memory) memories.push_back(workspace.memory);
  return CallLibrary(stream, "cudnnBackendExecute", memories, [&]() -> Status {
    TFRT_RETURN_IF_ERROR(cudnn::StatusOf(table, table.cudnnSetStream(lease.get(), stream.handle()),
                                         "cudnnSetStream"));
    return cudnn::StatusOf(table,
                           table.cudnnBackendExecute(lease.get(), plan.plan.get(), pack.get()),
                           "cudnnBackendExecute");
  });
}

}  // namespace tfrt::gpu::dnn
