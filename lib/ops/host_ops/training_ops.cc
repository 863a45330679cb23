// Losses and updates.

#include <algorithm>

#include "lib/ops/maths/tensor/training.h"
#include "lib/runtime/tensor/cast.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "unsupported_dtype.h"

namespace tfrt {
namespace {

// Results: the loss [N], and its gradient with respect to the features [N,C].
Status SoftmaxCrossEntropy(const DenseHostTensor& features, const DenseHostTensor& labels,
                           const TensorMetadata& loss, const TensorMetadata& gradient,
                           OpCall& call) {
  if (loss.dtype != DType::kF32) {
    return UnsupportedDType(call, loss.dtype);
  }
  // maths takes labels of i32, and tells which are out of range.
  DenseHostTensor narrow = labels.ShareBuffer();
  if (labels.dtype() == DType::kI64) {
    auto* data = static_cast<const int64_t*>(labels.data());
    const int64_t classes = features.shape().dim(1);
    for (int64_t i = 0; i < labels.num_elements(); ++i) {
      if (data[i] >= 0 && data[i] < classes) continue;
      return InvalidArgumentError(StrCat("softmax_cross_entropy: label ", data[i],
                                         " is out of range for ", classes, " classes"));
    }
    TFRT_ASSIGN_OR_RETURN(narrow, CastTensor(labels, DType::kI32, call.allocator()));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor losses, call.Allocate(loss));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor ones, call.Allocate(loss));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor gradients, call.Allocate(gradient));
  std::fill_n(WritableData<float>(ones), ones.num_elements(), 1.0f);
  const ExecutionContext& exec_ctx = call.exec_ctx();
  maths::Completion done = maths::SoftmaxCrossEntropy(features, narrow, losses, exec_ctx);
  TFRT_RETURN_IF_ERROR(SetResultAfter(call, 0, std::move(losses), std::move(done)));
  done = maths::SoftmaxCrossEntropyGrad(features, narrow, ones, gradients, exec_ctx);
  return SetResultAfter(call, 1, std::move(gradients), std::move(done));
}

Status SgdUpdate(const DenseHostTensor& variable, const DenseHostTensor& gradient,
                 const DenseHostTensor& learning_rate, const TensorMetadata& result, OpCall& call) {
  if (result.dtype != DType::kF32) return InvalidArgumentError("unsupported dtype for SgdUpdate");
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
  if (out.data() != variable.data()) TFRT_RETURN_IF_ERROR(variable.CopyTo(out));
  maths::Completion done = maths::SgdUpdate(gradient, learning_rate, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

}  // namespace

void RegisterTrainingOps(OpRegistry* registry) {
  registry->Implement("graph.softmax_cross_entropy", {.function = TFRT_OP(SoftmaxCrossEntropy)});
  registry->Implement("graph.sgd_update", {.function = TFRT_OP(SgdUpdate)});
}

}  // namespace tfrt
