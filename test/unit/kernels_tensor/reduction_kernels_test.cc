#include <limits>

#include "test/unit/kernels_tensor/kernel_runner.h"

namespace tfrt {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int32_t>;

TEST(ReductionKernelsTest, ArgMaxFindsTheFirstLargestColumn) {
  KernelRunner runner;
  auto matrix = runner.Tensor<float>({3, 3}, {1, 3, 2, 5, 5, 4, -1, -2, -1});
  Values result = runner.Run("tfrt_test.argmax.f32.2", {matrix, ChainValue()});
  EXPECT_EQ(result[0]->get<DenseHostTensor>().shape(), (TensorShape{3}));
  EXPECT_EQ(Elements<int32_t>(result[0]), (Ints{1, 0, 0}));
  EXPECT_EQ(Elements<int32_t>(
                runner.Run("tfrt_test.argmax.i64.2", {runner.Tensor<int64_t>({0, 0}, {})})[0]),
            Ints());
  EXPECT_EQ(runner.Error("tfrt_test.argmax.f32.2", {runner.Tensor<float>({2, 0}, {})}),
            "argmax over 0 columns has no 32-bit index: [2, 0]");
  EXPECT_EQ(runner.Error("tfrt_test.argmax.f32.2", {runner.Tensor<float>({1}, {2})}),
            "the argmax input has the shape [1], expected rank 2");
  EXPECT_EQ(runner.Error("tfrt_test.argmax.i32.2", {matrix}),
            "the argmax input is a tensor of f32, expected i32");
}

TEST(ReductionKernelsTest, BroadcastRepeatsAVector) {
  KernelRunner runner;
  auto vector = runner.Tensor<float>({2}, {1, 2});
  Values result = runner.Run("tfrt_test.broadcast.f32.2", {vector, Shape({3, 2})});
  EXPECT_EQ(Elements<float>(result[0]), (Floats{1, 2, 1, 2, 1, 2}));
  result = runner.Run("tfrt_test.broadcast.f32.3", {vector, Shape({2, 1, 2})});
  EXPECT_EQ(result[0]->get<DenseHostTensor>().shape(), (TensorShape{2, 1, 2}));
  EXPECT_EQ(Elements<float>(result[0]), (Floats{1, 2, 1, 2}));
  auto empty = runner.Tensor<float>({0}, {});
  result = runner.Run("tfrt_test.broadcast.f32.2", {empty, Shape({3, 0})});
  EXPECT_EQ(Elements<float>(result[0]), Floats());
}

TEST(ReductionKernelsTest, BroadcastReportsShapesThatDoNotFit) {
  KernelRunner runner(CreateFixedSizeAllocator(256));
  auto vector = runner.Tensor<float>({2}, {1, 2});
  const char* broadcast = "tfrt_test.broadcast.f32.2";
  EXPECT_EQ(runner.Error(broadcast, {vector, Shape({2, 3})}),
            "broadcast input tensor dimension and target shape mismatch: [2] vs. [2, 3]");
  EXPECT_EQ(runner.Error(broadcast, {vector, Shape({2})}),
            "broadcast input tensor dimension and target shape mismatch: [2] vs. [2]");
  EXPECT_EQ(runner.Error(broadcast, {vector, Shape({1000, 2})}), "cannot allocate result tensor");
  EXPECT_EQ(runner.Error(broadcast, {runner.Tensor<float>({1, 1}, {1}), Shape({1, 1})}),
            "the broadcast input has the shape [1, 1], expected rank 1");
}

TEST(ReductionKernelsTest, ReduceMeanDividesTheSum) {
  KernelRunner runner;
  auto mean = [&](const char* kernel, RCReference<AsyncValue> in) {
    return runner.Run(kernel, {std::move(in)})[0];
  };
  EXPECT_EQ(Elements<float>(mean("tfrt_test.reduce_mean.f32.1", runner.Tensor<float>({2}, {1, 2}))),
            Floats{1.5});
  EXPECT_EQ(Elements<int32_t>(
                mean("tfrt_test.reduce_mean.i32.1",
                     runner.Tensor<int32_t>({2}, {std::numeric_limits<int32_t>::max(), 1}))),
            Ints{1 << 30});
  EXPECT_EQ(
      Elements<int64_t>(mean("tfrt_test.reduce_mean.i64.1", runner.Tensor<int64_t>({2}, {-3, -4}))),
      std::vector<int64_t>{-3});
  EXPECT_EQ(runner.Error("tfrt_test.reduce_mean.f32.1", {runner.Tensor<float>({0}, {})}),
            "reduce_mean of a tensor without elements");
}

TEST(ReductionKernelsTest, SoftmaxSumsToOneAndDoesNotOverflow) {
  KernelRunner runner;
  auto out = runner.Tensor<float>({2}, {1000, 1000});
  runner.Run("tfrt_test.softmax_inplace.f32", {out, ChainValue()});
  EXPECT_EQ(Elements<float>(out), (Floats{0.5, 0.5}));
  out = runner.Tensor<float>({0}, {});
  EXPECT_TRUE(runner.Run("tfrt_test.softmax_inplace.f32", {out, ChainValue()})[0]->IsConcrete());
}

TEST(ReductionKernelsTest, MeanAxisZeroAveragesColumns) {
  KernelRunner runner;
  auto matrix = runner.Tensor<float>({2, 3}, {1, 2, 3, 5, 6, 8});
  auto out = runner.Tensor<float>({3}, {0, 0, 0});
  const char* kernel = "tfrt_test.mean_axis_zero.f32";
  runner.Run(kernel, {matrix, out, ChainValue()});
  EXPECT_EQ(Elements<float>(out), (std::vector<float>{3, 4, 5.5}));
  auto two = runner.Tensor<float>({2}, {0, 0});
  EXPECT_EQ(runner.Error(kernel, {matrix, two, ChainValue()}),
            "MeanAxisZero output shape [2] does not match the input shape [2, 3]");
}

}  // namespace
}  // namespace tfrt
