#include "gpu/device_code/launch.h"

#include <limits>

#include "gtest/gtest.h"

namespace tfrt::gpu {
namespace {

TEST(LaunchTest, NothingToDo) {
  EXPECT_EQ(ElementwiseLaunch(0).blocks, 0u);
  EXPECT_EQ(RowsLaunch(0, 5).blocks, 0u);
  EXPECT_EQ(ColumnsLaunch(3, 4, 0).blocks, 0u);
  EXPECT_EQ(TransposeLaunch(2, 0, 4).blocks, 0u);
  EXPECT_EQ(MatMulLaunch(1, 3, 0).blocks, 0u);
}

// Reductions of nothing still have results to write.
TEST(LaunchTest, EmptyRowsHaveResults) {
  EXPECT_EQ(RowsLaunch(7, 0), (DeviceLaunch{7, 32}));
  EXPECT_EQ(ColumnsLaunch(2, 0, 40), (DeviceLaunch{4, 32}));
}

TEST(LaunchTest, OneThreadForEachElement) {
  EXPECT_EQ(ElementwiseLaunch(1), (DeviceLaunch{1, 256}));
  EXPECT_EQ(ElementwiseLaunch(256), (DeviceLaunch{1, 256}));
  EXPECT_EQ(ElementwiseLaunch(257), (DeviceLaunch{2, 256}));
}

TEST(LaunchTest, RowsHaveWholeWarps) {
  EXPECT_EQ(RowsLaunch(450, 10), (DeviceLaunch{450, 32}));
  EXPECT_EQ(RowsLaunch(3, 33), (DeviceLaunch{3, 64}));
  EXPECT_EQ(RowsLaunch(3, 100'000), (DeviceLaunch{3, 256}));
  EXPECT_EQ(ColumnsLaunch(2, 3, 33), (DeviceLaunch{4, 96}));
  EXPECT_EQ(ColumnsLaunch(1, 1000, 32), (DeviceLaunch{1, 256}));
}

TEST(LaunchTest, Tiles) {
  EXPECT_EQ(TransposeLaunch(2, 33, 64), (DeviceLaunch{8, 256}));
  EXPECT_EQ(MatMulLaunch(1, 450, 32), (DeviceLaunch{8, 256}));
  EXPECT_EQ(MatMulLaunch(3, 65, 64), (DeviceLaunch{6, 256}));
}

TEST(LaunchTest, GridsAreBounded) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(ElementwiseLaunch(most), (DeviceLaunch{65536, 256}));
  EXPECT_EQ(RowsLaunch(most, 1), (DeviceLaunch{65536, 32}));
  EXPECT_EQ(MatMulLaunch(1, most, 1), (DeviceLaunch{65536, 256}));
}

}  // namespace
}  // namespace tfrt::gpu
