#include <cmath>

#include "test/unit/kernels_tensor/kernel_runner.h"

namespace tfrt {
namespace {

using Floats = std::vector<float>;

class GradientKernelsTest : public testing::Test {
 protected:
  RCReference<AsyncValue> Zeros(TensorShape shape) {
    return runner_.Tensor<float>(shape, Floats(shape.num_elements()));
  }
  std::string Conv(std::string_view kernel, RCReference<AsyncValue> output_grad,
                   RCReference<AsyncValue> other, RCReference<AsyncValue> result,
                   std::string_view padding = "valid", std::vector<int64_t> strides = {1, 1}) {
    auto padding_attribute = EncodedAttribute::String(padding);
    auto strides_attribute = EncodedAttribute::Array<int64_t>(strides);
    return runner_.Error(kernel, {output_grad, other, result, ChainValue()},
                         {padding_attribute.bytes(), strides_attribute.bytes()});
  }
  std::string BatchNorm(const Values& arguments) {
    auto epsilon = EncodedAttribute::Scalar(0.0f);
    return runner_.Error("eigen.batch_norm.f32", arguments, {epsilon.bytes()});
  }
  std::string BatchNormGrad(const Values& arguments) {
    auto epsilon = EncodedAttribute::Scalar(0.0f);
    Values results = runner_.Run("eigen.batch_norm.grad.f32", arguments, 3, {epsilon.bytes()});
    return results[0]->IsError() ? std::string(results[0]->GetError().message()) : "(no error)";
  }
  static constexpr const char* kFilter = "eigen.conv2d.grad.filter.f32";
  static constexpr const char* kInput = "eigen.conv2d.grad.input.f32";
  KernelRunner runner_;
};

TEST_F(GradientKernelsTest, ConvolutionGradients) {
  auto image = runner_.Tensor<float>({1, 2, 3, 1}, {1, 2, 3, 4, 5, 6});
  auto filter = runner_.Tensor<float>({2, 2, 1, 1}, {1, 10, 100, 1000});
  auto output_grad = runner_.Tensor<float>({1, 1, 2, 1}, {1, -1});
  auto filter_grad = Zeros({2, 2, 1, 1});
  EXPECT_EQ(Conv(kFilter, output_grad, image, filter_grad), "(no error)");
  EXPECT_EQ(Elements<float>(filter_grad), (Floats{-1, -1, -1, -1}));
  auto image_grad = Zeros({1, 2, 3, 1});
  EXPECT_EQ(Conv(kInput, output_grad, filter, image_grad), "(no error)");
  EXPECT_EQ(Elements<float>(image_grad), (Floats{1, 9, -10, 100, 900, -1000}));
}

TEST_F(GradientKernelsTest, ConvolutionGradientsReportWhatDoesNotFit) {
  auto image = Zeros({1, 4, 4, 2});
  auto filter = Zeros({3, 3, 2, 5});
  auto out = Zeros({1, 2, 2, 5});
  EXPECT_EQ(Conv(kFilter, out, image, filter, "valid", {1}), "strides should have 2 elements");
  EXPECT_EQ(Conv(kInput, out, filter, image, "none"), "Unknown padding type none");
  EXPECT_EQ(Conv(kInput, out, filter, image, "explicit"),
            "For explicit padding, padding values must be defined");
  EXPECT_EQ(Conv(kFilter, out, image, Zeros({3, 3, 1, 5})),
            "Dimensions does not match: input channels is 2 and kernel depth is 1");
  EXPECT_EQ(Conv(kInput, out, filter, image, "valid", {0, 1}), "Stride must be > 0, but got 0");
  EXPECT_EQ(Conv(kFilter, out, image, filter, "same"),
            "Tensor shapes do not match: output gradient shape is [1, 2, 2, 5] and computed output "
            "shape is [1, 4, 4, 5]");
  EXPECT_EQ(Conv(kInput, out, Zeros({6, 3, 2, 5}), image),
            "Computed output size would be negative: -1 (input_size: 4, filter_size: 6, stride: 1, "
            "dilation: 1)");
  auto ints = runner_.Tensor<int32_t>({1}, {1});
  EXPECT_EQ(Conv(kInput, ints, filter, image),
            "the output gradient is a tensor of i32, expected f32");
  EXPECT_EQ(Conv(kFilter, out, ints, filter), "the input is a tensor of i32, expected f32");
  EXPECT_EQ(Conv(kInput, out, ints, image), "the kernel is a tensor of i32, expected f32");
}

TEST_F(GradientKernelsTest, EmptyConvolutionsHaveZeroGradients) {
  auto filter_grad = runner_.Tensor<float>({1, 1, 1, 1}, {7});
  EXPECT_EQ(Conv(kFilter, Zeros({0, 2, 2, 1}), Zeros({0, 2, 2, 1}), filter_grad), "(no error)");
  EXPECT_EQ(Elements<float>(filter_grad), (Floats{0}));
  auto image_grad = runner_.Tensor<float>({1, 1, 1, 1}, {7});
  EXPECT_EQ(Conv(kInput, Zeros({1, 1, 1, 0}), Zeros({1, 1, 1, 0}), image_grad), "(no error)");
  EXPECT_EQ(Elements<float>(image_grad), (Floats{0}));
}

TEST_F(GradientKernelsTest, BatchNormNormalisesEachChannel) {
  auto images = runner_.Tensor<float>({1, 2, 1, 2}, {1, 2, 3, 4});
  auto scale = runner_.Tensor<float>({2}, {1, 2});
  auto bias = runner_.Tensor<float>({2}, {0, 10});
  auto mean = runner_.Tensor<float>({2}, {1, 3});
  auto variance = runner_.Tensor<float>({2}, {4, 0.25});
  EXPECT_EQ(BatchNorm({images, scale, bias, mean, variance, ChainValue()}), "(no error)");
  EXPECT_EQ(Elements<float>(images), (Floats{0, 6, 1, 14}));
  auto three = Zeros({3});
  for (size_t i = 1; i <= 4; ++i) {
    Values arguments = {images, scale, bias, mean, variance, ChainValue()};
    arguments[i] = three;
    EXPECT_EQ(BatchNorm(arguments), "parameter does not match the input channel number");
  }
  EXPECT_EQ(BatchNorm({three, scale, bias, mean, variance, ChainValue()}),
            "the input has the shape [3], expected rank 4");
}

TEST_F(GradientKernelsTest, BatchNormGradOfABatch) {
  auto in = runner_.Tensor<float>({1, 2, 1, 1}, {-1, 1});
  auto output_grad = runner_.Tensor<float>({1, 2, 1, 1}, {3, 5});
  auto gamma = runner_.Tensor<float>({1}, {2});
  auto mean = runner_.Tensor<float>({1}, {0});
  auto variance = runner_.Tensor<float>({1}, {1});
  auto input_grad = Zeros({1, 2, 1, 1});
  auto gamma_grad = Zeros({1});
  auto beta_grad = Zeros({1});
  Values arguments = {output_grad,  in,         gamma,      mean,     variance,
                      ChainValue(), input_grad, gamma_grad, beta_grad};
  EXPECT_EQ(BatchNormGrad(arguments), "(no error)");
  EXPECT_EQ(Elements<float>(input_grad), (Floats{0, 0}));
  EXPECT_EQ(Elements<float>(gamma_grad), (Floats{2}));
  EXPECT_EQ(Elements<float>(beta_grad), (Floats{8}));
  auto with = [&](size_t index, RCReference<AsyncValue> value) {
    Values changed = arguments;
    changed[index] = std::move(value);
    return BatchNormGrad(changed);
  };
  EXPECT_EQ(with(2, Zeros({2})), "parameter does not match the input channel number");
  EXPECT_EQ(with(7, Zeros({2})), "unexpected output shape");
  EXPECT_EQ(with(8, Zeros({2})), "unexpected output shape");
  EXPECT_EQ(with(6, Zeros({2})),
            "Tensor shapes do not match: output_grad shape is [1, 2, 1, 1] and input_grad shape is "
            "[2]");
}

}  // namespace
}  // namespace tfrt
