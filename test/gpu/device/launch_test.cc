#include "gpu/device_code/launch.h"

#include <limits>
#include <random>

#include "gpu/device_code/launch_sizes.h"
#include "gtest/gtest.h"

namespace tfrt::gpu {
namespace {

TEST(LaunchTest, NothingToDo) {
  EXPECT_EQ(ElementwiseLaunch(0).blocks, 0u);
  EXPECT_EQ(SoftmaxLaunch(0, 5).blocks, 0u);
  EXPECT_EQ(PlanReduction(0, 5, 1).first.blocks, 0u);
  EXPECT_EQ(PlanReduction(3, 4, 0).first.blocks, 0u);
  EXPECT_EQ(TransposeLaunch(2, 0, 4).blocks, 0u);
  EXPECT_EQ(PlanMatMul(1, 3, 0, 7).first.blocks, 0u);
}

// Reductions of nothing still have results to write.
TEST(LaunchTest, EmptyRowsHaveResults) {
  EXPECT_EQ(PlanReduction(700, 0, 1).first, (DeviceLaunch{3, 256}));
  EXPECT_EQ(PlanReduction(2, 0, 200).first, (DeviceLaunch{2, 256}));
}

TEST(LaunchTest, AThreadForSomeElements) {
  EXPECT_EQ(ElementwiseLaunch(1), (DeviceLaunch{1, 256}));
  EXPECT_EQ(ElementwiseLaunch(1024), (DeviceLaunch{1, 256}));
  EXPECT_EQ(ElementwiseLaunch(1025), (DeviceLaunch{2, 256}));
  EXPECT_EQ(ElementwiseLaunch(1 << 30), (DeviceLaunch{4096, 256}));
}

TEST(LaunchTest, RowsByWarpsOrBlocks) {
  EXPECT_EQ(SoftmaxLaunch(450, 10), (DeviceLaunch{57, 256}));
  EXPECT_EQ(SoftmaxLaunch(450, 512), (DeviceLaunch{57, 256}));
  EXPECT_EQ(SoftmaxLaunch(450, 513), (DeviceLaunch{450, 256}));
  EXPECT_EQ(PlanReduction(1000, 8, 1).first, (DeviceLaunch{4, 256}));
  EXPECT_EQ(PlanReduction(450, 10, 1).first, (DeviceLaunch{57, 256}));
  EXPECT_EQ(PlanReduction(450, 1025, 1).first, (DeviceLaunch{450, 256}));
  EXPECT_EQ(PlanReduction(2, 40, 33).first, (DeviceLaunch{4, 256}));
}

// A whole tensor is two launches, and so is a bias gradient: of some hundred blocks, and of few.
TEST(LaunchTest, FewResultsAreReducedInParts) {
  const ReductionLaunch sum = PlanReduction(1, 100'000'000, 1);
  EXPECT_EQ(sum.parts, 1024);
  EXPECT_EQ(sum.first, (DeviceLaunch{1024, 256}));
  EXPECT_EQ(sum.combine, (DeviceLaunch{1, 256}));
  EXPECT_EQ(sum.scratch_bytes, 1024 * 16);
  const ReductionLaunch gradient = PlanReduction(1, 262'144, 64);
  EXPECT_EQ(gradient.parts, 512);
  EXPECT_EQ(gradient.first, (DeviceLaunch{1024, 256}));
  EXPECT_EQ(gradient.combine, (DeviceLaunch{2, 256}));
  // Few rows, and many.
  EXPECT_EQ(PlanReduction(300, 1'000'000, 1).first.blocks, 1200u);
  EXPECT_EQ(PlanReduction(1000, 1'000'000, 1).parts, 1);
  // A second launch would cost more than it saves.
  EXPECT_EQ(PlanReduction(1, 16'383, 1).parts, 1);
  EXPECT_EQ(PlanReduction(1, 1000, 64).parts, 1);
}

// Products with few results over long k are cut into parts; those with few rows read b once.
TEST(LaunchTest, ProductsWithFewResults) {
  const MatMulLaunch one_tile = PlanMatMul(1, 64, 64, 1 << 20);
  EXPECT_FALSE(one_tile.has_few_rows);
  EXPECT_EQ(one_tile.parts, 1024);
  EXPECT_EQ(one_tile.first, (DeviceLaunch{1024, 64}));
  EXPECT_EQ(one_tile.combine, (DeviceLaunch{128, 256}));
  EXPECT_EQ(one_tile.scratch_bytes, 1024 * 64 * 64 * 8);
  const MatMulLaunch vector = PlanMatMul(1, 1, 4096, 4096);
  EXPECT_TRUE(vector.has_few_rows);
  EXPECT_EQ(vector.first, (DeviceLaunch{512, 256}));
  EXPECT_EQ(vector.parts, 32);
  EXPECT_TRUE(PlanMatMul(1, 8, 4096, 4096).has_few_rows);
  EXPECT_FALSE(PlanMatMul(1, 9, 4096, 4096).has_few_rows);
  const MatMulLaunch large = PlanMatMul(1, 4096, 4096, 4096);
  EXPECT_EQ(large.parts, 1);
  EXPECT_EQ(large.first, (DeviceLaunch{4096, 64}));
  EXPECT_EQ(large.scratch_bytes, 0);
}

// For any sizes: parts have elements, there is not one without need, and memory is little.
TEST(LaunchTest, PartsAreOfUse) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100'000; ++round) {
    auto size_of_any_order = [&] {
      return int64_t{1} + static_cast<int64_t>(random() >> (34 + random() % 30));
    };
    const int64_t outer = size_of_any_order() % 5000 + 1, size = size_of_any_order();
    const int64_t inner = random() % 2 == 0 ? 1 : size_of_any_order() % 5000 + 1;
    const ReductionLaunch plan = PlanReduction(outer, size, inner);
    ASSERT_GE(plan.parts, 1);
    ASSERT_GE(plan.first.blocks, 1u);
    ASSERT_EQ(plan.combine.blocks != 0, plan.parts > 1);
    if (plan.parts == 1) continue;
    const int64_t part = device::PartSize(size, plan.parts);
    ASSERT_LT((plan.parts - 1) * part, size) << outer << " " << size << " " << inner;
    ASSERT_GE(plan.parts * part, size);
    ASSERT_LE(plan.first.blocks, 2048u);
    ASSERT_EQ(plan.scratch_bytes, outer * plan.parts * inner * 16);
    ASSERT_LE(plan.scratch_bytes, outer * size * inner / 16)
        << outer << " " << size << " " << inner;
  }
}

TEST(LaunchTest, Tiles) {
  EXPECT_EQ(TransposeLaunch(2, 33, 64), (DeviceLaunch{8, 256}));
  EXPECT_EQ(PlanMatMul(1, 450, 32, 64).first, (DeviceLaunch{8, 64}));
  EXPECT_EQ(PlanMatMul(3, 65, 64, 0).first, (DeviceLaunch{6, 64}));
}

TEST(LaunchTest, GridsAreBounded) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(ElementwiseLaunch(most), (DeviceLaunch{4096, 256}));
  EXPECT_EQ(SoftmaxLaunch(most, 1), (DeviceLaunch{65536, 256}));
  EXPECT_EQ(PlanReduction(most, 1, 1).first, (DeviceLaunch{65536, 256}));
  EXPECT_EQ(PlanMatMul(1, most, 1, 3).first, (DeviceLaunch{65536, 64}));
}

}  // namespace
}  // namespace tfrt::gpu
