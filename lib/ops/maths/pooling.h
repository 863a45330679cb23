// Pooling of f32 images [N,H,W,C]. The output shares no memory with the inputs. Thread-safe;
// tensors are borrowed for the time of the call, their memory until the completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_POOLING_H_
#define TFRT_LIB_OPS_MATHS_POOLING_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "completion.h"
#include "lib/ops/maths/cpu/pooling.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// The windows of a pool over images of shape `in`: `padding` is "valid" or "same" in any letter
// case. Errors as those of Pool2dShape.
StatusOr<cpu::Pool2d> MakePool2d(const TensorShape& in, std::span<const int64_t> ksize,
                                 std::string_view padding, std::span<const int64_t> strides);

// The windows are those of a pool over `in`.
Completion MaxPool2d(const cpu::Pool2d& pool, const DenseHostTensor& in, DenseHostTensor& out,
                     const ExecutionContext& exec_ctx);
// The same of i8 or u8.
Completion MaxPool2dOfBytes(const cpu::Pool2d& pool, const DenseHostTensor& in,
                            DenseHostTensor& out, const ExecutionContext& exec_ctx);
Completion AveragePool2d(const cpu::Pool2d& pool, const DenseHostTensor& in, DenseHostTensor& out,
                         const ExecutionContext& exec_ctx);

// in and out as MaxPool2d had them; out_grad like out, in_grad like in.
Completion MaxPool2dGrad(const cpu::Pool2d& pool, const DenseHostTensor& in,
                         const DenseHostTensor& out, const DenseHostTensor& out_grad,
                         DenseHostTensor& in_grad, const ExecutionContext& exec_ctx);

// [N,H,W,C] -> [N,C]
Completion GlobalAveragePool(const DenseHostTensor& in, DenseHostTensor& out,
                             const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_POOLING_H_
