#include "training.h"

#include <cstdint>
#include <string_view>

#include "lib/format/op_table/row_rules.h"
#include "lib/ops/maths/cpu/gradients.h"
#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/cpu/softmax.h"
#include "lib/ops/maths/shapes/row_shapes.h"
#include "lib/ops/maths/shapes/window_geometry.h"
#include "operand_checks.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

constexpr size_t kCostOfExp = 8 * sizeof(float);

StatusOr<DenseView<int32_t>> Labels(std::string_view op, const DenseHostTensor& labels,
                                    const DenseHostTensor& logits) {
  TFRT_ASSIGN_OR_RETURN(auto view, DenseView<int32_t>::Create(labels, "the labels"));
  for (int32_t label : view.elements()) {
    if (label < 0 || label >= logits.shape().dim(1)) {
      return InvalidArgumentError(StrCat(op, ": label ", label, " is out of range for ",
                                         logits.shape().dim(1), " classes"));
    }
  }
  return view;
}

}  // namespace

Completion SoftmaxCrossEntropy(const DenseHostTensor& logits, const DenseHostTensor& labels,
                               DenseHostTensor& loss, const ExecutionContext& exec_ctx) {
  constexpr std::string_view kOp = "softmax_cross_entropy";
  TFRT_ASSIGN_OR_RETURN(TensorShape shape,
                        ShapeByRule<CrossEntropyRule>({&logits.shape(), &labels.shape()}));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(kOp, loss, shape));
  TFRT_RETURN_IF_ERROR(CheckApart(kOp, loss, {&logits, &labels}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<float>::Create(logits, "the logits"));
  TFRT_ASSIGN_OR_RETURN(auto label_view, Labels(kOp, labels, logits));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<float>::Create(loss, "the output"));
  const int64_t columns = logits.shape().dim(1);
  return RunBlocks(
      exec_ctx, y.size(), ItemsPerBlock(columns * kCostOfExp), {&logits, &labels, &loss},
      [=, x = x.data(), label_data = label_view.data(), y = y.data()](size_t begin, size_t end) {
        cpu::SoftmaxCrossEntropyRows(columns, x, label_data, y, begin, end);
      });
}

Completion SoftmaxCrossEntropyGrad(const DenseHostTensor& logits, const DenseHostTensor& labels,
                                   const DenseHostTensor& loss_grad, DenseHostTensor& logits_grad,
                                   const ExecutionContext& exec_ctx) {
  constexpr std::string_view kOp = "softmax_cross_entropy_grad";
  TFRT_ASSIGN_OR_RETURN(TensorShape loss_shape,
                        ShapeByRule<CrossEntropyRule>({&logits.shape(), &labels.shape()}));
  TFRT_RETURN_IF_ERROR(
      CheckShapesMatch("loss gradient shape", loss_grad.shape(), "loss shape", loss_shape));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(kOp, logits_grad, logits.shape()));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame(kOp, logits_grad, {&logits}));
  TFRT_RETURN_IF_ERROR(CheckApart(kOp, logits_grad, {&labels, &loss_grad}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<float>::Create(logits, "the logits"));
  TFRT_ASSIGN_OR_RETURN(auto label_view, Labels(kOp, labels, logits));
  TFRT_ASSIGN_OR_RETURN(auto dy, DenseView<float>::Create(loss_grad, "the loss gradient"));
  TFRT_ASSIGN_OR_RETURN(auto dx, MutableDenseView<float>::Create(logits_grad, "the output"));
  const int64_t columns = logits.shape().dim(1);
  return RunBlocks(exec_ctx, dy.size(), ItemsPerBlock(columns * kCostOfExp),
                   {&logits, &labels, &loss_grad, &logits_grad},
                   [=, x = x.data(), label_data = label_view.data(), dy = dy.data(),
                    dx = dx.data()](size_t begin, size_t end) {
                     cpu::SoftmaxCrossEntropyGradRows(columns, x, label_data, dy, dx, begin, end);
                   });
}

Completion SgdUpdate(const DenseHostTensor& gradient, const DenseHostTensor& learning_rate,
                     DenseHostTensor& variable, const ExecutionContext& exec_ctx) {
  constexpr std::string_view kOp = "sgd_update";
  TFRT_RETURN_IF_ERROR(CheckOutputShape(kOp, variable, gradient.shape()));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame(kOp, variable, {&gradient}));
  TFRT_ASSIGN_OR_RETURN(auto dx, DenseView<float>::Create(gradient, "the gradient"));
  TFRT_ASSIGN_OR_RETURN(auto rate, DenseView<float>::Create(learning_rate, "the learning rate"));
  TFRT_ASSIGN_OR_RETURN(auto x, MutableDenseView<float>::Create(variable, "the variable"));
  if (rate.size() != 1) {
    return InvalidArgumentError(StrCat("sgd_update: the learning rate has the shape ",
                                       learning_rate.shape().ToString(), ", expected one element"));
  }
  return RunBlocks(exec_ctx, x.size(), ItemsPerBlock(2 * sizeof(float)), {&gradient, &variable},
                   [rate = rate[0], dx = dx.data(), x = x.data()](size_t begin, size_t end) {
                     cpu::GradientDescent(rate, dx + begin, x + begin,
                                          static_cast<int64_t>(end - begin));
                   });
}

}  // namespace tfrt::maths
