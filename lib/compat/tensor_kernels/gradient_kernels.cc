// eigen.batch_norm.*, and eigen.conv2d.grad.*: gradients of convolutions.

#include <tuple>

#include "kernel_groups.h"
#include "lib/ops/maths/cpu/normalization.h"
#include "lib/ops/maths/normalization.h"
#include "lib/ops/maths/shapes/window_geometry.h"
#include "lib/ops/maths/tensor/conv_gradients.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

using Result = maths::Completion;

StatusOr<const float*> ChannelValues(const DenseHostTensor& tensor, int64_t channels,
                                     std::string_view name) {
  TFRT_ASSIGN_OR_RETURN(auto view, DenseView<float>::Create(tensor, name));
  if (tensor.shape().rank() != 1 || tensor.shape().dim(0) != channels) {
    return InvalidArgumentError("parameter does not match the input channel number");
  }
  return view.data();
}

// images [N,H,W,C] = (images - mean) / sqrt(variance + epsilon) * scale + bias
Result BatchNorm(DenseHostTensor& images, const DenseHostTensor& scale, const DenseHostTensor& bias,
                 const DenseHostTensor& mean, const DenseHostTensor& variance, const Chain&,
                 Attribute<float> epsilon, const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckRank(images, 4, "the input"));
  TFRT_RETURN_IF_ERROR(MutableDenseView<float>::Create(images, "the input").status());
  const int64_t channels = images.shape().dim(3);
  TFRT_RETURN_IF_ERROR(ChannelValues(scale, channels, "the scale").status());
  TFRT_RETURN_IF_ERROR(ChannelValues(bias, channels, "the bias").status());
  TFRT_RETURN_IF_ERROR(ChannelValues(mean, channels, "the mean").status());
  TFRT_RETURN_IF_ERROR(ChannelValues(variance, channels, "the variance").status());
  return maths::BatchNorm(images, scale, bias, mean, variance, *epsilon, images, exec_ctx);
}

StatusOr<std::tuple<Chain, Chain, Chain>> BatchNormGrad(
    const DenseHostTensor& output_grad, const DenseHostTensor& input, const DenseHostTensor& gamma,
    const DenseHostTensor& mean, const DenseHostTensor& variance, const Chain&,
    DenseHostTensor& input_grad, DenseHostTensor& gamma_grad, DenseHostTensor& beta_grad,
    Attribute<float> epsilon) {
  TFRT_RETURN_IF_ERROR(CheckRank(input, 4, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto in, DenseView<float>::Create(input, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto dy, DenseView<float>::Create(output_grad, "the output gradient"));
  cpu::BatchNormParameters parameters;
  const int64_t channels = input.shape().dim(3);
  parameters.channels = channels;
  parameters.epsilon = *epsilon;
  TFRT_ASSIGN_OR_RETURN(parameters.scale, ChannelValues(gamma, channels, "gamma"));
  TFRT_ASSIGN_OR_RETURN(parameters.mean, ChannelValues(mean, channels, "the mean"));
  TFRT_ASSIGN_OR_RETURN(parameters.variance, ChannelValues(variance, channels, "the variance"));
  TFRT_ASSIGN_OR_RETURN(auto dx, MutableDenseView<float>::Create(input_grad, "the input gradient"));
  TFRT_ASSIGN_OR_RETURN(auto dgamma,
                        MutableDenseView<float>::Create(gamma_grad, "the gamma gradient"));
  TFRT_ASSIGN_OR_RETURN(auto dbeta,
                        MutableDenseView<float>::Create(beta_grad, "the beta gradient"));
  TFRT_RETURN_IF_ERROR(CheckShapesMatch("output_grad shape", output_grad.shape(),
                                        "input_grad shape", input_grad.shape()));
  if (input_grad.shape() != input.shape() || gamma_grad.shape() != gamma.shape() ||
      beta_grad.shape() != gamma.shape()) {
    return InvalidArgumentError("unexpected output shape");
  }
  int64_t rows = in.size() == 0 ? 0 : static_cast<int64_t>(in.size()) / channels;
  cpu::BatchNormGrad(parameters, rows, dy.data(), in.data(), dx.data(), dgamma.data(),
                     dbeta.data());
  return std::tuple<Chain, Chain, Chain>();
}

Result ConvFilterGrad(const DenseHostTensor& output_grad, const DenseHostTensor& input,
                      DenseHostTensor& kernel_grad, const Chain&, StringAttribute padding,
                      ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  return maths::Conv2dFilterGrad(output_grad, input, *padding, strides.span(), kernel_grad,
                                 exec_ctx);
}

Result ConvInputGrad(const DenseHostTensor& output_grad, const DenseHostTensor& kernel,
                     DenseHostTensor& input_grad, const Chain&, StringAttribute padding,
                     ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  return maths::Conv2dInputGrad(output_grad, kernel, *padding, strides.span(), input_grad,
                                exec_ctx);
}

}  // namespace

void RegisterGradientKernels(KernelRegistry* registry) {
  registry->AddKernel("eigen.batch_norm.f32", TFRT_KERNEL(BatchNorm));
  registry->AddKernel("eigen.batch_norm.grad.f32", TFRT_KERNEL(BatchNormGrad));
  registry->AddKernel("eigen.conv2d.grad.filter.f32", TFRT_KERNEL(ConvFilterGrad));
  registry->AddKernel("eigen.conv2d.grad.input.f32", TFRT_KERNEL(ConvInputGrad));
}

}  // namespace tfrt
