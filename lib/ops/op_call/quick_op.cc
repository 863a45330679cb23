#include "quick_op.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "tfrt/async/async_value_ref.h"

namespace tfrt {
namespace {

// Null if it is another tensor.
DenseHostTensor* IfDense(AsyncValue* value) {
  if (!value) return nullptr;
  if (auto* tensor = value->GetIfPlain<DenseHostTensor>()) [[likely]]
    return tensor;
  return value->IsType<DenseHostTensor>() ? &value->get<DenseHostTensor>() : nullptr;
}

}  // namespace

RCReference<AsyncValue> RunQuickOp(const OpDefinition& op, std::span<AsyncValue* const> arguments,
                                   uint64_t last_uses, HostAllocator* allocator) {
  if (!op.quick || arguments.size() != 2) return nullptr;
  DenseHostTensor* tensors[] = {IfDense(arguments[0]), IfDense(arguments[1])};
  if (!tensors[0] || !tensors[1]) return nullptr;
  const DenseHostTensor &a = *tensors[0], &b = *tensors[1];
  if (!AreForQuickOp(a, b)) return nullptr;
  for (size_t i = 0; i < 2 && last_uses != 0; ++i) {
    if ((last_uses >> i & 1) == 0 || !OpCall::IsReusable(*arguments[i], *tensors[i])) continue;
    return op.quick(a, b, tensors[i]->buffer()->data()) ? FormRef(arguments[i]) : nullptr;
  }
  // Whether it takes the dtype only the function knows; memory for nothing could make a device drop
  // what it remembers.
  alignas(16) std::byte elements[kMaxQuickBytes];
  if (!op.quick(a, b, elements)) return nullptr;
  RCReference<HostBuffer> buffer =
      HostBuffer::CreateUninitialized(a.size_bytes(), DenseHostTensor::kAlignment, allocator);
  if (!buffer) return nullptr;
  std::memcpy(buffer->data(), elements, a.size_bytes());
  return MakeAvailableAsyncValueRef<DenseHostTensor>(
             DenseHostTensor::CreateLike(a, std::move(buffer)))
      .ReleaseRCRef();
}

}  // namespace tfrt
