// Softmax, normalisation and biases.

#include <algorithm>
#include <cmath>

#include "binary_ops.h"
#include "kernel_op.h"
#include "number_dispatch.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Rows in double, for dtypes without a graph kernel.
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
Status Softmax(OpArgument<DenseHostTensor> in, const TensorMetadata& result, OpCall& call) {
  static const AsyncKernel kernel =
      FindCpuKernel(log ? "tfrt_cpu.log_softmax.f32" : "tfrt_cpu.softmax.f32");
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  if (result.dtype == DType::kF32) [[likely]] {
    RunKernel(call, kernel, {in.value()}, {}, std::move(out));
    return OkStatus();
  }
  const int64_t columns = result.shape.dim(result.shape.rank() - 1);
  const size_t rows = columns == 0 ? 0 : static_cast<size_t>(out.num_elements() / columns);
  bool supported = DispatchFloat(result.dtype, [&]<typename T>(std::type_identity<T>) {
    T* y = WritableData<T>(out);
    ComputeResult(call, rows, columns * 8 * sizeof(T), {&*in}, std::move(out),
                  [columns, x = static_cast<const T*>(in->data()), y](size_t begin, size_t end) {
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

Status LayerNorm(OpArgument<DenseHostTensor> x, OpArgument<DenseHostTensor> scale,
                 OpArgument<DenseHostTensor> offset, const TensorMetadata& result,
                 const OpAttrsRef& attrs, OpCall& call) {
  static const AsyncKernel kernel = FindCpuKernel("tfrt_cpu.layer_norm.f32");
  if (result.dtype != DType::kF32) return InvalidArgumentError("unsupported dtype for LayerNorm");
  const float epsilon = attrs.Get<float>("epsilon").value_or(1e-5f);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  RunKernel(call, kernel, {x.value(), scale.value(), offset.value()}, {Encoded(epsilon)},
            std::move(out));
  return OkStatus();
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
