#include <cmath>
#include <limits>

#include "test/unit/kernels_tensor/kernel_runner.h"

namespace tfrt {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int32_t>;

TEST(ElementwiseKernelsTest, WriteTheirOutputOperand) {
  KernelRunner runner;
  auto a = runner.Tensor<float>({3}, {-1, 0, 2});
  auto b = runner.Tensor<float>({3}, {-1, 1, 3});
  auto out = runner.Tensor<float>({3}, {9, 9, 9});
  runner.Run("tfrt_test.relu.f32", {a, out, ChainValue()});
  EXPECT_EQ(Elements<float>(out), (Floats{0, 0, 2}));
  runner.Run("tfrt_test.add.f32", {a, b, out, ChainValue()});
  EXPECT_EQ(Elements<float>(out), (Floats{-2, 1, 5}));
  runner.Run("tfrt_test.equal.f32", {a, b, out, ChainValue()});
  EXPECT_EQ(Elements<float>(out), (Floats{1, 0, 0}));
}

TEST(ElementwiseKernelsTest, WorkInPlace) {
  KernelRunner runner;
  auto a = runner.Tensor<float>({3}, {-1, 0, 2});
  auto out = runner.Tensor<float>({3}, {-1, 5, 3});
  runner.Run("tfrt_test.add_inplace.f32", {a, out});
  EXPECT_EQ(Elements<float>(out), (Floats{-2, 5, 5}));
  runner.Run("tfrt_test.subtract_inplace.f32", {a, out});
  EXPECT_EQ(Elements<float>(out), (Floats{-1, 5, 3}));
  runner.Run("tfrt_test.relu_grad_inplace.f32", {a, out});
  EXPECT_EQ(Elements<float>(out), (Floats{0, 0, 3}));
  runner.Run("tfrt_test.equal_inplace.f32", {a, out});
  EXPECT_EQ(Elements<float>(out), (Floats{0, 1, 0}));
  runner.Run("tfrt_test.relu_inplace.f32", {a});
  EXPECT_EQ(Elements<float>(a), (Floats{0, 0, 2}));
}

TEST(ElementwiseKernelsTest, ReluKeepsNan) {
  KernelRunner runner;
  auto out = runner.Tensor<float>({1}, {std::nanf("")});
  runner.Run("tfrt_test.relu_inplace.f32", {out});
  EXPECT_TRUE(std::isnan(Elements<float>(out)[0]));
}

TEST(ElementwiseKernelsTest, IntegersWrap) {
  KernelRunner runner;
  auto a = runner.Tensor<int32_t>({2}, {std::numeric_limits<int32_t>::max(), -1});
  auto b = runner.Tensor<int32_t>({2}, {1, -1});
  runner.Run("tfrt_test.add_inplace.i32", {a, b});
  EXPECT_EQ(Elements<int32_t>(b), (Ints{std::numeric_limits<int32_t>::min(), -2}));
  auto wide = runner.Tensor<int64_t>({1}, {-5});
  runner.Run("tfrt_test.relu_inplace.i64", {wide});
  EXPECT_EQ(Elements<int64_t>(wide), (std::vector<int64_t>{0}));
}

TEST(ElementwiseKernelsTest, CastsIntegersToFloats) {
  KernelRunner runner;
  auto out = runner.Tensor<float>({2}, {0, 0});
  runner.Run("tfrt_test.cast.i32_to_f32", {runner.Tensor<int32_t>({2}, {-3, 7}), out});
  EXPECT_EQ(Elements<float>(out), (Floats{-3, 7}));
}

TEST(ElementwiseKernelsTest, GradientDescentStepsAgainstTheGradient) {
  KernelRunner runner;
  auto out = runner.Tensor<float>({2}, {1, 2});
  auto rate = runner.Tensor<float>({1}, {0.5});
  const char* kernel = "tfrt_test.gradient_descent.f32";
  runner.Run(kernel, {runner.Tensor<float>({2}, {2, -4}), rate, out, ChainValue()});
  EXPECT_EQ(Elements<float>(out), (Floats{0, 4}));
  EXPECT_EQ(runner.Error(kernel, {out, out, out, ChainValue()}),
            "GradientDescent lr should have only one element");
  EXPECT_EQ(runner.Error(kernel, {rate, rate, out, ChainValue()}),
            "gradient descent of tensors of different shapes: [1] and [2]");
}

TEST(ElementwiseKernelsTest, ReportShapesAndDTypesThatDoNotFit) {
  KernelRunner runner;
  auto two = runner.Tensor<float>({2}, {1, 2});
  auto three = runner.Tensor<float>({3}, {1, 2, 3});
  auto ints = runner.Tensor<int32_t>({2}, {1, 2});
  EXPECT_EQ(runner.Error("tfrt_test.add.f32", {two, three, two}),
            "add of tensors of different shapes: [2] and [3]");
  EXPECT_EQ(runner.Error("tfrt_test.add.f32", {two, two, three}),
            "add of tensors of different shapes: [2] and [3]");
  EXPECT_EQ(runner.Error("tfrt_test.relu.f32", {two, three}),
            "relu of tensors of different shapes: [2] and [3]");
  EXPECT_EQ(runner.Error("tfrt_test.relu.f32", {ints, two}),
            "the input is a tensor of i32, expected f32");
  EXPECT_EQ(runner.Error("tfrt_test.add.f32", {ints, two, two}),
            "the first input is a tensor of i32, expected f32");
  EXPECT_EQ(runner.Error("tfrt_test.add.f32", {two, ints, two}),
            "the second input is a tensor of i32, expected f32");
  EXPECT_EQ(runner.Error("tfrt_test.add.f32", {two, two, ints}),
            "the output is a tensor of i32, expected f32");
}

}  // namespace
}  // namespace tfrt
