// Losses and updates.

#include <algorithm>

#include "kernel_op.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/cast.h"

namespace tfrt {
namespace {

// Results: the loss [N], and its gradient with respect to the features [N,C].
Status SoftmaxCrossEntropy(OpArgument<DenseHostTensor> features, OpArgument<DenseHostTensor> labels,
                           const TensorMetadata& loss, const TensorMetadata& gradient,
                           OpCall& call) {
  static const AsyncKernel loss_kernel = FindCpuKernel("tfrt_cpu.softmax_cross_entropy.f32");
  static const AsyncKernel gradient_kernel =
      FindCpuKernel("tfrt_cpu.softmax_cross_entropy_grad.f32");
  if (loss.dtype != DType::kF32) {
    return InvalidArgumentError(
        StrCat(call.op_name(), ": unsupported dtype ", DTypeName(loss.dtype)));
  }
  // The kernels take labels of i32, and tell which are out of range.
  RCReference<AsyncValue> label_value = labels.ValueRef();
  if (labels->dtype() == DType::kI64) {
    auto* data = static_cast<const int64_t*>(labels->data());
    const int64_t classes = features->shape().dim(1);
    for (int64_t i = 0; i < labels->num_elements(); ++i) {
      if (data[i] >= 0 && data[i] < classes) continue;
      return InvalidArgumentError(StrCat("softmax_cross_entropy: label ", data[i],
                                         " is out of range for ", classes, " classes"));
    }
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor narrow,
                          CastTensor(*labels, DType::kI32, call.allocator()));
    label_value = MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(narrow)).ReleaseRCRef();
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor losses, call.Allocate(loss));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor ones, call.Allocate(loss));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor gradients, call.Allocate(gradient));
  std::fill_n(WritableData<float>(ones), ones.num_elements(), 1.0f);
  auto one_value = MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(ones));
  RunKernel(call, loss_kernel, {features.value(), label_value.get()}, {}, std::move(losses), 0);
  if (!call.error().ok()) return OkStatus();
  RunKernel(call, gradient_kernel, {features.value(), label_value.get(), one_value.GetAsyncValue()},
            {}, std::move(gradients), 1);
  return OkStatus();
}

Status SgdUpdate(const DenseHostTensor& variable, OpArgument<DenseHostTensor> gradient,
                 OpArgument<DenseHostTensor> learning_rate, const TensorMetadata& result,
                 OpCall& call) {
  static const AsyncKernel kernel = FindCpuKernel("tfrt_cpu.sgd_update.f32");
  if (result.dtype != DType::kF32) return InvalidArgumentError("unsupported dtype for SgdUpdate");
  // The kernel changes its output.
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  if (out.data() != variable.data()) TFRT_RETURN_IF_ERROR(variable.CopyTo(out));
  RunKernel(call, kernel, {gradient.value(), learning_rate.value()}, {}, std::move(out));
  return OkStatus();
}

}  // namespace

void RegisterTrainingOps(OpRegistry* registry) {
  registry->Implement("tf.SparseSoftmaxCrossEntropyWithLogits",
                      {.metadata = TFRT_OP_METADATA(SoftmaxCrossEntropyOpMetadata),
                       .function = TFRT_OP(SoftmaxCrossEntropy)});
  registry->Implement("tfrt.SgdUpdate", {.metadata = TFRT_OP_METADATA(SgdUpdateOpMetadata),
                                         .function = TFRT_OP(SgdUpdate)});
}

}  // namespace tfrt
