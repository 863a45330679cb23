// Softmax, normalisation and biases.

#include <algorithm>
#include <cmath>

#include "binary_ops.h"
#include "number_dispatch.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/normalization.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Rows in double, for dtypes other than f32.
template <typename T>
void SoftmaxRow(bool log, int64_t columns, const T* in, T* out) {
  double largest = static_cast<double>(in[0]);
  for (int64_t i = 1; i < columns; ++i) largest = std::max(largest, static_cast<double>(in[i]));
  double sum = 0;
  for (int64_t i = 0; i < columns; ++i) sum += std::exp(static_cast<double>(in[i]) - largest);
  for (int64_t i = 0; i < columns; ++i) {
    const double x = static_cast<double>(in[i]) - largest;
    out[i] = T(log ? x - std::log(sum) : std::exp(x) / sum);
  }
}

template <bool log>
Status Softmax(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  if (result.dtype == DType::kF32) [[likely]] {
    maths::Completion done = log ? maths::LogSoftmax(in, out, call.exec_ctx())
                                 : maths::Softmax(in, out, call.exec_ctx());
    return SetResultAfter(call, 0, std::move(out), std::move(done));
  }
  const int64_t columns = result.shape.dim(result.shape.rank() - 1);
  const size_t rows = columns == 0 ? 0 : static_cast<size_t>(out.num_elements() / columns);
  bool supported = DispatchFloat(result.dtype, [&]<typename T>(std::type_identity<T>) {
    T* y = WritableData<T>(out);
    ComputeResult(call, rows, columns * 8 * sizeof(T), {&in}, std::move(out),
                  [columns, x = static_cast<const T*>(in.data()), y](size_t begin, size_t end) {
                    for (size_t i = begin; i < end; ++i) {
                      SoftmaxRow(log, columns, x + i * columns, y + i * columns);
                    }
                  });
  });
  return supported ? OkStatus() : InvalidArgumentError("unsupported dtype");
}

Status BiasAdd(const Tensor&, const Tensor&, const TensorMetadata& result, OpCall& call) {
  if (ComputeBinary<cpu::BinaryOp::kAdd>(call, result)) return OkStatus();
  return InvalidArgumentError("unsupported dtype for TfBiasAddOp");
}

Status LayerNorm(const DenseHostTensor& x, const DenseHostTensor& scale,
                 const DenseHostTensor& offset, const TensorMetadata& result,
                 const OpAttrsRef& attrs, OpCall& call) {
  if (result.dtype != DType::kF32) return InvalidArgumentError("unsupported dtype for LayerNorm");
  const float epsilon = attrs.Get<float>("epsilon").value_or(1e-5f);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  maths::Completion done = maths::LayerNorm(x, scale, offset, epsilon, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

}  // namespace

void RegisterNormalizationOps(OpRegistry* registry) {
  registry->Implement("tf.Softmax", {.metadata = TFRT_OP_METADATA(SoftmaxOpMetadata),
                                     .function = TFRT_OP(Softmax<false>)});
  registry->Implement("tf.LogSoftmax", {.metadata = TFRT_OP_METADATA(SoftmaxOpMetadata),
                                        .function = TFRT_OP(Softmax<true>)});
  registry->Implement("tf.BiasAdd", {.metadata = TFRT_OP_METADATA(BiasAddOpMetadata),
                                     .function = TFRT_OP(BiasAdd)});
  registry->Implement("tfrt.LayerNorm", {.metadata = TFRT_OP_METADATA(LayerNormOpMetadata),
                                         .function = TFRT_OP(LayerNorm)});
}

}  // namespace tfrt
