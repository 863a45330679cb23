#include "gpu/device_code/copy_plan.h"

#include <vector>

#include "gpu/device_code/launch_blocks.h"
#include "gtest/gtest.h"

namespace tfrt::gpu {
namespace {

using device::PadMode;

TEST(CopyPlanTest, UnitsDivideBytesAndAddresses) {
  EXPECT_EQ(UnitBytes(48, 0), 16);
  EXPECT_EQ(UnitBytes(24, 0), 8);
  EXPECT_EQ(UnitBytes(48, 4096 + 4), 4);
  EXPECT_EQ(UnitBytes(48, 0, 8), 8);
  EXPECT_EQ(UnitBytes(7, 0), 1);
  EXPECT_EQ(UnitBytes(0, 2), 2);
}

TEST(CopyPlanTest, DimensionsThatFollowEachOtherBecomeOne) {
  // [6,4,8] of rows that are 10 elements apart: the last two go on in the output only.
  const auto plan = PlanCopy(std::vector<CopyDim>{{6, 40, 32}, {4, 10, 8}, {8, 1, 1}}, 4, 0);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->has_four_dims);
  EXPECT_EQ(plan->unit_bytes, 8);
  EXPECT_EQ(plan->sizes, (std::array<int64_t, 8>{1, 1, 1, 1, 1, 1, 24, 4}));
  EXPECT_EQ(plan->in_steps, (std::array<int64_t, 8>{0, 0, 0, 0, 0, 0, 5, 1}));
  EXPECT_EQ(plan->out_steps, (std::array<int64_t, 8>{0, 0, 0, 0, 0, 0, 4, 1}));
  EXPECT_EQ(plan->num_units(), 96);
}

TEST(CopyPlanTest, ElementsAreUnitsWhereTheyAreNotSideBySide) {
  const auto plan = PlanCopy(std::vector<CopyDim>{{6, 1, 4}, {4, 6, 1}}, 2, 0);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->unit_bytes, 2);
  EXPECT_EQ(plan->sizes[6], 6);
  EXPECT_EQ(plan->in_steps[7], 6);
}

TEST(CopyPlanTest, AddressesLimitUnits) {
  EXPECT_EQ(PlanCopy(std::vector<CopyDim>{{64, 1, 1}}, 1, 0)->unit_bytes, 16);
  EXPECT_EQ(PlanCopy(std::vector<CopyDim>{{64, 1, 1}}, 1, 0x1002)->unit_bytes, 2);
  EXPECT_EQ(PlanCopy(std::vector<CopyDim>{}, 4, 0)->num_units(), 1);
}

TEST(CopyPlanTest, NoMoreThanEightDimensions) {
  std::vector<CopyDim> dims;
  for (int64_t i = 0; i < 8; ++i) dims.push_back({2, 1 << 2 * i, 1 << 3 * i});
  EXPECT_FALSE(PlanCopy(dims, 4, 0)->has_four_dims);
  dims.push_back({2, 1 << 20, 1 << 30});
  EXPECT_FALSE(PlanCopy(dims, 4, 0));
  dims.back().size = 1;
  EXPECT_TRUE(PlanCopy(dims, 4, 0));
}

TEST(PadPlanTest, DimensionsThatStayBecomeOne) {
  // Images [2,3,5,8] of f16 with a border.
  const auto plan =
      PlanPad(std::vector<int64_t>{2, 3, 5, 8}, std::vector<int64_t>{0, 0, 1, 2, 1, 1, 0, 0},
              PadMode::kConstant, 2, 0x3C00, 0);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->unit_bytes, 8);
  EXPECT_EQ(plan->value, 0x3C003C003C003C00u);
  EXPECT_EQ(plan->sizes, (std::array<int64_t, 5>{1, 2, 6, 7, 2}));
  EXPECT_EQ(plan->kept, (std::array<int64_t, 5>{1, 2, 3, 5, 2}));
  EXPECT_EQ(plan->before, (std::array<int64_t, 5>{0, 0, 1, 1, 0}));
  EXPECT_EQ(plan->steps, (std::array<int64_t, 5>{0, 30, 10, 2, 1}));
  EXPECT_EQ(plan->in_offset, 0);
}

TEST(PadPlanTest, WhatIsCutOffMovesTheFirstElement) {
  const auto plan = PlanPad(std::vector<int64_t>{4, 5}, std::vector<int64_t>{-1, -1, -2, 3},
                            PadMode::kEdge, 4, 0, 0);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->in_offset, (1 * 5 + 2) * 4);
  EXPECT_EQ(plan->kept[3], 2);
  EXPECT_EQ(plan->kept[4], 3);
  EXPECT_EQ(plan->sizes[4], 6);
  EXPECT_EQ(plan->before[4], 0);
  EXPECT_EQ(plan->unit_bytes, 4);
}

TEST(PadPlanTest, NoMoreThanFiveDimensions) {
  const std::vector<int64_t> dims(6, 2), paddings(12, 1);
  EXPECT_FALSE(PlanPad(dims, paddings, PadMode::kConstant, 4, 0, 0));
}

TEST(LaunchBlocksTest, GridsFollowSizes) {
  EXPECT_EQ(ThreadsLaunch(0).blocks, 0u);
  EXPECT_EQ(ThreadsLaunch(257), (DeviceLaunch{2, 256}));
  EXPECT_EQ(ThreadsLaunch(INT64_MAX), (DeviceLaunch{65536, 256}));
  EXPECT_EQ(BlocksLaunch(3), (DeviceLaunch{3, 256}));
  // Columns side by side have a thread each, others a block.
  EXPECT_EQ(ScanLaunch(10, 100, 32), (DeviceLaunch{2, 256}));
  EXPECT_EQ(ScanLaunch(10, 100, 31), (DeviceLaunch{310, 256}));
  EXPECT_EQ(ScanLaunch(10, 0, 32).blocks, 0u);
  EXPECT_EQ(TopKLaunch(2, 3, 0).blocks, 0u);
  EXPECT_EQ(TopKLaunch(2, 3, 5), (DeviceLaunch{6, 256}));
  EXPECT_EQ(ScatterLaunch(0, 100).blocks, 0u);
  EXPECT_EQ(ScatterLaunch(3, 1000), (DeviceLaunch{4, 256}));
  EXPECT_EQ(ScatterLaunch(3, int64_t{1} << 40), (DeviceLaunch{1024, 256}));
  // Short rows have a warp each, long ones a block.
  EXPECT_EQ(TeamRowsLaunch(17, 1024), (DeviceLaunch{3, 256}));
  EXPECT_EQ(TeamRowsLaunch(17, 1025), (DeviceLaunch{17, 256}));
  EXPECT_EQ(ColumnParts(100, 64), 1);
  EXPECT_EQ(ColumnParts(100'000, 64), 256);
  EXPECT_EQ(ColumnParts(100'000, 4096), 4);
  EXPECT_EQ(ColumnPartsLaunch(100'000, 4096), (DeviceLaunch{512, 256}));
  EXPECT_EQ(ColumnPartsLaunch(0, 40), (DeviceLaunch{2, 256}));
}

}  // namespace
}  // namespace tfrt::gpu
