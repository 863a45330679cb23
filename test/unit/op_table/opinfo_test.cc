#include <gtest/gtest.h>

#include "lib/format/op_table/op_cost.h"

namespace tfrt {
namespace {

TEST(OpCostTest, KnownOps) {
  EXPECT_EQ(LookUpOpCost("tfrt.return").kind, OpCost::Kind::kFixed);
  EXPECT_EQ(LookUpOpCost("tfrt.merge.chains").fixed, 1);
  EXPECT_EQ(LookUpOpCost("tfrt_test.test_cost").attribute, "_tfrt_cost");
  EXPECT_EQ(LookUpOpCost("my.op").kind, OpCost::Kind::kThreshold);
}

}  // namespace
}  // namespace tfrt
