#include "in_floats.h"

#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include "lib/ops/maths/cpu/half_casts.h"
#include "lib/runtime/tensor/cast.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt::maths {
namespace {

void CastElements(const DenseHostTensor& from, DType dtype, void* to) {
  cpu::FindVectorCast(from.dtype(), dtype)(from.data(), to,
                                           static_cast<size_t>(from.num_elements()));
}

}  // namespace

StatusOr<DenseHostTensor> InFloats(const DenseHostTensor& tensor, HostAllocator* allocator) {
  if (!IsHalf(tensor.dtype())) return CastTensor(tensor, DType::kF32, allocator);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor floats, DenseHostTensor::CreateUninitialized(
                                                    {DType::kF32, tensor.shape()}, allocator));
  TFRT_ASSIGN_OR_RETURN(void* data, floats.MutableData());
  CastElements(tensor, DType::kF32, data);
  return floats;
}

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
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor copy, InFloats(*input, allocator));
      copies.push_back(std::move(copy));
    }
    operands.push_back(input ? &copies.back() : nullptr);
  }
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  StatusOr<DenseHostTensor> floats =
      reads_out ? InFloats(out, allocator)
                : DenseHostTensor::CreateUninitialized({DType::kF32, out.shape()}, allocator);
  if (!floats.ok()) return floats.status();
  TFRT_ASSIGN_OR_RETURN(AsyncValueRef<Chain> done, compute(operands, *floats));
  return done.Map([data, dtype = out.dtype(), memory = out.buffer(),
                   floats = std::optional(*std::move(floats))](Chain&) mutable {
    CastElements(*floats, dtype, data);
    floats.reset();
    memory.reset();  // before anybody hears of the result
    return Chain();
  });
}

}  // namespace tfrt::maths
