// tfrt_sht.*: kernels that make string tensors, and their forms for sync functions.

#include <string>

#include "kernel_groups.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

StatusOr<StringHostTensor> CreateEmptyTensor(ArrayAttribute<int64_t> dims,
                                             const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims.span()));
  return StringHostTensor::CreateEmpty(std::move(shape), exec_ctx.host()->allocator());
}

StatusOr<StringHostTensor> CreateTensor(ArrayAttribute<int64_t> dims, AggregateAttribute values,
                                        const ExecutionContext& exec_ctx) {
  // Before there is memory for the shape, which may be larger than the program has values.
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims.span()));
  if (static_cast<uint64_t>(shape.num_elements()) != values.size()) {
    return InvalidArgumentError("Shape mismatch");
  }
  TFRT_ASSIGN_OR_RETURN(StringHostTensor tensor, CreateEmptyTensor(dims, exec_ctx));
  std::span<std::string> strings = tensor.MutableStrings();
  for (size_t i = 0; i < values.size(); ++i) {
    if (values.element_code(i) != StringAttribute::kCode) {
      return InvalidArgumentError(StrCat("value ", i, " of the string tensor is no string"));
    }
    strings[i] = *StringAttribute(values.element_data(i));
  }
  return tensor;
}

}  // namespace

void RegisterStringTensorKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_sht.create_tensor", TFRT_KERNEL(CreateTensor));
  registry->AddSyncKernel("tfrt_sht_sync.create_tensor", TFRT_SYNC_KERNEL(CreateTensor));
  registry->AddSyncKernel("tfrt_sht_sync.create_uninitialized_tensor",
                          TFRT_SYNC_KERNEL(CreateEmptyTensor));
}

}  // namespace tfrt
