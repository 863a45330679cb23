// Pooling over windows of images [N,H,W,C].

#include <algorithm>

#include "kernel_op.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/cpu/pooling.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

StatusOr<cpu::Pool2d> MakePool(const DenseHostTensor& in, std::string_view unsupported_dtype,
                               const OpAttrsRef& attrs) {
  if (in.dtype() != DType::kF32) return InvalidArgumentError(unsupported_dtype);
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseImageWindows(attrs));
  if (!windows.channels_last) return InvalidArgumentError("only channel last order is supported");
  TFRT_ASSIGN_OR_RETURN(Window2d window, PoolingWindow(in.shape(), windows, attrs));
  return cpu::Pool2d{in.shape().dim(0), in.shape().dim(3), window};
}

using PoolFunction = void (*)(const cpu::Pool2d& pool, const float* in, float* out, int64_t begin,
                              int64_t end);

// As the kernels tfrt_cpu.max_pool2d and tfrt_cpu.avg_pool2d, which have no explicit padding.
Status RunPool(OpCall& call, PoolFunction function, std::string_view unsupported_dtype,
               const DenseHostTensor& in, const TensorMetadata& result) {
  TFRT_ASSIGN_OR_RETURN(cpu::Pool2d pool, MakePool(in, unsupported_dtype, call.attrs()));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  auto* y = WritableData<float>(out);
  const size_t rows = out.num_elements() == 0 ? 0 : static_cast<size_t>(pool.output_rows());
  ComputeResult(call, rows, pool.row_cost(), {&in}, std::move(out),
                [function, pool, x = static_cast<const float*>(in.data()), y](
                    size_t begin, size_t end) { function(pool, x, y, begin, end); });
  return OkStatus();
}

Status MaxPool(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  return RunPool(call, cpu::MaxPool2dRows, "unsupported dtype for TfMaxPoolOp", in, result);
}

Status AvgPool(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  return RunPool(call, cpu::AveragePool2dRows, "unsupported dtype for TfAvgPoolOp", in, result);
}

Status MaxPoolGrad(const DenseHostTensor& in, const DenseHostTensor& pooled,
                   const DenseHostTensor& gradient, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(cpu::Pool2d pool,
                        MakePool(in, "unsupported dtype for TfMaxPoolGradOp", call.attrs()));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  const size_t cost =
      std::max<size_t>(pool.row_cost() * pool.window.rows.output, pool.input_image_size());
  const size_t images = out.num_elements() == 0 ? 0 : static_cast<size_t>(pool.batch);
  auto* dx = WritableData<float>(out);
  ComputeResult(
      call, images, cost, {&in, &pooled, &gradient}, std::move(out),
      [=, x = static_cast<const float*>(in.data()), y = static_cast<const float*>(pooled.data()),
       dy = static_cast<const float*>(gradient.data())](size_t begin, size_t end) {
        cpu::MaxPool2dGradImages(pool, x, y, dy, dx, begin, end);
      });
  return OkStatus();
}

Status GlobalAveragePool(OpArgument<DenseHostTensor> in, const TensorMetadata& result,
                         OpCall& call) {
  static const AsyncKernel kernel = FindCpuKernel("tfrt_cpu.global_average_pool.f32");
  if (result.dtype != DType::kF32) {
    return InvalidArgumentError("unsupported dtype for GlobalAveragePool");
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  RunKernel(call, kernel, {in.value()}, {}, std::move(out));
  return OkStatus();
}

}  // namespace

void RegisterPoolingOps(OpRegistry* registry) {
  registry->Implement("tf.MaxPool",
                      {.metadata = TFRT_OP_METADATA(PoolOpMetadata), .function = TFRT_OP(MaxPool)});
  registry->Implement("tf.AvgPool",
                      {.metadata = TFRT_OP_METADATA(PoolOpMetadata), .function = TFRT_OP(AvgPool)});
  registry->Implement("tf.MaxPoolGrad", {.metadata = TFRT_OP_METADATA(MaxPoolGradOpMetadata),
                                         .function = TFRT_OP(MaxPoolGrad)});
  registry->Implement("tfrt.GlobalAveragePool",
                      {.metadata = TFRT_OP_METADATA(GlobalAveragePoolOpMetadata),
                       .function = TFRT_OP(GlobalAveragePool)});
}

}  // namespace tfrt
