#include "tfrt/opinfo/kernel_cost.h"

#include <vector>

#include "gtest/gtest.h"

namespace tfrt {
namespace {

using Dims = std::vector<int64_t>;

struct Operands {
  std::vector<Dims> dims;
  std::optional<KernelCost> CostOf(std::string_view kernel) const {
    std::vector<OperandShape> shapes;
    for (const Dims& d : dims) {
      bool is_tensor = d != Dims{-1};
      shapes.push_back({d, is_tensor ? 4 : 0});
    }
    return EstimateKernelCost(kernel, shapes);
  }
};
const Dims kNoTensor = {-1};

TEST(KernelCostTest, MatrixProducts) {
  auto cost = Operands{{{2, 3}, {3, 5}, {2, 5}, kNoTensor}}.CostOf("tfrt_cpu.matmul.f32");
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->flops, 2 * 2 * 3 * 5);
  EXPECT_EQ(cost->bytes, 4 * (6 + 15 + 10));
  cost = Operands{{{7, 2, 3}, {7, 3, 5}, {7, 2, 5}, kNoTensor}}.CostOf("tfrt_cpu.batch_matmul.f32");
  EXPECT_EQ(cost->flops, 7 * 2 * 2 * 3 * 5);
  cost = Operands{{{2, 3}, {7, 3, 5}, {7, 2, 5}, kNoTensor}}.CostOf("tfrt_cpu.batch_matmul.f32");
  EXPECT_EQ(cost->flops, 7 * 2 * 2 * 3 * 5);
  cost = Operands{{kNoTensor, {2, 3}, {3, 5}, kNoTensor, {2, 5}, kNoTensor}}.CostOf(
      "eigen.matmul.f32");
  EXPECT_EQ(cost->flops, 2 * 2 * 3 * 5);
  cost = Operands{{kNoTensor, {2, 3}, {3, 5}, kNoTensor, {2, 5}, kNoTensor}}.CostOf(
      "tfrt_test.matmul.i64.2");
  EXPECT_EQ(cost->flops, 2 * 2 * 3 * 5);
  cost = Operands{{{2, 3}, {3, 5}, {5}, {2, 5}}}.CostOf("tf_sync._FusedMatMul.f32");
  EXPECT_EQ(cost->flops, 2 * 2 * 3 * 5);
}

TEST(KernelCostTest, Convolutions) {
  Dims in = {1, 4, 4, 3}, filter = {3, 3, 3, 8}, out = {1, 2, 2, 8};
  constexpr double kFlops = 2 * (2 * 2 * 8) * (3 * 3 * 3);
  EXPECT_EQ(Operands({{in, filter, out, kNoTensor}}).CostOf("tfrt_cpu.conv2d.f32")->flops, kFlops);
  EXPECT_EQ(Operands({{in, filter, {8}, out, kNoTensor}}).CostOf("eigen.conv2d.bias.f32")->flops,
            kFlops);
  EXPECT_EQ(Operands({{out, filter, in, kNoTensor}}).CostOf("eigen.conv2d.grad.input.f32")->flops,
            kFlops);
  EXPECT_EQ(Operands({{out, in, filter, kNoTensor}}).CostOf("eigen.conv2d.grad.filter.f32")->flops,
            kFlops);
}

TEST(KernelCostTest, ElementWise) {
  auto cost = Operands{{{2, 3}, {3}, {2, 3}, kNoTensor}}.CostOf("tfrt_cpu.add.f32");
  EXPECT_EQ(cost->flops, 6);
  EXPECT_EQ(cost->bytes, 4 * (6 + 3 + 6));
  EXPECT_GT(Operands({{{6}, {6}, kNoTensor}}).CostOf("tfrt_cpu.tanh.f32")->flops, 6);
  EXPECT_EQ(Operands({{{2, 3}, {3, 2}, kNoTensor}}).CostOf("tfrt_cpu.transpose.f32")->flops, 0);
  EXPECT_EQ(Operands({{{2, 3}, {3}, {2, 3}}}).CostOf("tf_sync.AddV2.f32")->flops, 6);
  EXPECT_GT(Operands({{{6}, {6}}}).CostOf("tf_sync.Log1p.f32")->flops, 6);
  EXPECT_EQ(Operands({{{2}, {1}, {4}}}).CostOf("tf_sync.Tile.f32")->flops, 0);
}

TEST(KernelCostTest, WhatDoesNotFitHasNoCost) {
  EXPECT_FALSE(Operands({{{2, 3}}}).CostOf("tfrt.add.i32"));
  EXPECT_FALSE(Operands({{{2, 3}}}).CostOf("tfrt_cpu.matmul.f32"));
  EXPECT_FALSE(Operands({{{2}, {2}, {2}, kNoTensor}}).CostOf("tfrt_cpu.matmul.f32"));
  EXPECT_FALSE(Operands({{{2}, {2}, {2}, kNoTensor}}).CostOf("tfrt_cpu.conv2d.f32"));
  EXPECT_FALSE(
      Operands({{{1}, {1, 1, 1, 0}, {1, 1, 1, 0}, kNoTensor}}).CostOf("tfrt_cpu.conv2d.f32"));
  EXPECT_FALSE(Operands({{}}).CostOf("tfrt_cpu.relu.f32"));
}

}  // namespace
}  // namespace tfrt
