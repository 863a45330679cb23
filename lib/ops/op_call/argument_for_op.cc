// Where an op needs an argument, and how it gets there.

#include "convert_tensor.h"
#include "lib/runtime/tensor/conversion.h"
#include "op_task.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt {
namespace {

// Where an op needs an argument: numbers in the memory that its device computes in, host values and
// all else in that of the host.
bool IsOnHost(const OpDefinition& op, const OpPlace& place, ArgumentIndex of,
              const Tensor& tensor) {
  return place.is_on_host() || DTypeSize(tensor.dtype()) == 0 ||
         op.description->is_host_value(of.index, of.num_arguments);
}

bool IsMisplaced(const OpDefinition& op, const OpPlace& place, bool on_host, const Tensor& tensor) {
  if (HasFlag(op.flags, OpFlags::kAnyPlace)) return false;
  const MemorySpace& wanted = on_host ? MemorySpace::Host() : place.device->memory_space();
  return &tensor.memory_space() != &wanted;
}

}  // namespace

bool TakesArgument(const OpDefinition& op, const OpPlace& place, ArgumentIndex of,
                   const Tensor& tensor) {
  return !IsMisplaced(op, place, IsOnHost(op, place, of, tensor), tensor) &&
         place.runner->Accepts(op, tensor);
}

AsyncValueRef<Tensor> ArgumentForOp(const OpDefinition& op, const OpPlace& place, ArgumentIndex of,
                                    AsyncValue* value, Device* from,
                                    const ExecutionContext& exec_ctx) {
  const auto& tensor = value->get<Tensor>();
  const bool on_host = IsOnHost(op, place, of, tensor);
  if (!IsMisplaced(op, place, on_host, tensor)) {
    if (place.runner->Accepts(op, tensor)) return nullptr;
    return ConvertForOp(op, exec_ctx, AsyncValueRef<Tensor>(FormRef(value)));
  }
  Device& host = *exec_ctx.host()->GetHostDevice();
  if (!from) from = on_host && !place.is_on_host() ? place.device.get() : &host;
  Device& to = on_host && !place.is_on_host() ? host : *place.device;
  return ConvertTensor(tensor, {*from, to, to.allocator()}, CopiedType(tensor.tensor_type(), to),
                       exec_ctx);
}

}  // namespace tfrt
