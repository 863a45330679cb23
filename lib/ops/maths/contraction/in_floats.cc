#include "in_floats.h"

#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include "lib/runtime/tensor/cast.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt::maths {
namespace {

template <typename Half>
void Round(const float* from, int64_t count, Half* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = CastElement<Half>(from[i]);
}

void Round(const DenseHostTensor& from, DType dtype, void* to) {
  const auto* floats = static_cast<const float*>(from.data());
  if (dtype == DType::kF16) {
    Round(floats, from.num_elements(), static_cast<Fp16*>(to));
  } else {
    Round(floats, from.num_elements(), static_cast<Bf16*>(to));
  }
}

}  // namespace

Completion ComputeInFloats(
    std::initializer_list<const DenseHostTensor*> inputs, DenseHostTensor& out, bool reads_out,
    const ExecutionContext& exec_ctx,
    const std::function<Completion(std::span<const DenseHostTensor* const> inputs,
                                   DenseHostTensor& out)>& compute) {
  assert(IsHalf(out.dtype()));
  HostAllocator* allocator = exec_ctx.host()->allocator();
  std::vector<DenseHostTensor> copies;
  copies.reserve(inputs.size());
  std::vector<const DenseHostTensor*> operands;
  for (const DenseHostTensor* input : inputs) {
    if (input) {
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor copy, CastTensor(*input, DType::kF32, allocator));
      copies.push_back(std::move(copy));
    }
    operands.push_back(input ? &copies.back() : nullptr);
  }
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  StatusOr<DenseHostTensor> floats =
      reads_out ? CastTensor(out, DType::kF32, allocator)
                : DenseHostTensor::CreateUninitialized({DType::kF32, out.shape()}, allocator);
  if (!floats.ok()) return floats.status();
  TFRT_ASSIGN_OR_RETURN(AsyncValueRef<Chain> done, compute(operands, *floats));
  return done.Map([data, dtype = out.dtype(), memory = out.buffer(),
                   floats = std::optional(*std::move(floats))](Chain&) mutable {
    Round(*floats, dtype, data);
    floats.reset();
    memory.reset();  // before anybody hears of the result
    return Chain();
  });
}

}  // namespace tfrt::maths
