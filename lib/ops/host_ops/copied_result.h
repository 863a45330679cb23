// Results that are an argument's elements, where they are or at other places.
#ifndef TFRT_LIB_OPS_HOST_OPS_COPIED_RESULT_H_
#define TFRT_LIB_OPS_HOST_OPS_COPIED_RESULT_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "lib/ops/maths/cpu/strided_copy.h"
#include "op_output.h"

namespace tfrt {

// Result 0 is the argument's memory in another shape of as many elements.
inline Status SetShared(OpCall& call, const DenseHostTensor& in, const TensorShape& shape) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out,
                        DenseHostTensor::CreateFromBuffer({in.dtype(), shape}, in.buffer()));
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

// Result 0 is what the plan makes of the argument from element `first` on. The result has elements.
inline Status SetCopied(OpCall& call, const DenseHostTensor& in, cpu::CopyPlan plan, int64_t first,
                        const TensorMetadata& result) {
  if (first == 0 && plan.columns == in.num_elements() && plan.column_stride == 1 &&
      plan.columns == result.shape.num_elements()) {
    return SetShared(call, in, result.shape);
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  const size_t element_size = DTypeSize(in.dtype());
  const auto units = static_cast<size_t>(plan.num_units());
  const size_t cost = 2 * static_cast<size_t>(plan.unit_size()) * element_size;
  const char* from = static_cast<const char*>(in.data()) + first * int64_t(element_size);
  auto* to = WritableData<char>(out);
  ComputeResult(call, units, cost, {&in}, std::move(out),
                [plan = std::move(plan), element_size, from, to](size_t begin, size_t end) {
                  cpu::Copy(plan, element_size, from, to, begin, end);
                });
  return OkStatus();
}

// Result 0 has no elements.
inline Status SetEmpty(OpCall& call, const TensorMetadata& result) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_COPIED_RESULT_H_
