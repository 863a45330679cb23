// Computing with f16 and bf16, which are stored in 16 bits and computed in f32.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_IN_FLOATS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_IN_FLOATS_H_

#include <functional>
#include <initializer_list>
#include <span>

#include "lib/ops/maths/completion.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

inline bool IsHalf(DType dtype) { return dtype == DType::kF16 || dtype == DType::kBF16; }

// A copy in f32.
StatusOr<DenseHostTensor> InFloats(const DenseHostTensor& tensor, HostAllocator* allocator);

// Calls compute(inputs, out) with copies in f32 of each input, null where there is none. It gets a
// new output, whose elements become those of `out`. If `reads_out`, the previous contents of `out`
// are copied first.
Completion ComputeInFloats(
    std::initializer_list<const DenseHostTensor*> inputs, DenseHostTensor& out, bool reads_out,
    const ExecutionContext& exec_ctx,
    const std::function<Completion(std::span<const DenseHostTensor* const> inputs,
                                   DenseHostTensor& out)>& compute);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_IN_FLOATS_H_
