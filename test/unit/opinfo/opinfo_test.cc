#include <gtest/gtest.h>

#include "tfrt/opinfo/in_place.h"
#include "tfrt/opinfo/op_cost.h"

namespace tfrt {
namespace {

TEST(OpCostTest, KnownOps) {
  EXPECT_EQ(LookUpOpCost("tfrt.return").kind, OpCost::Kind::kFixed);
  EXPECT_EQ(LookUpOpCost("tfrt.merge.chains").fixed, 1);
  EXPECT_EQ(LookUpOpCost("tfrt_test.test_cost").attribute, "_tfrt_cost");
  EXPECT_EQ(LookUpOpCost("my.op").kind, OpCost::Kind::kThreshold);
}

TEST(InPlaceTest, KnownOps) {
  EXPECT_EQ(LookUpInPlaceOperand("tfrt_test.relu_inplace.f32"), 0);
  EXPECT_EQ(LookUpInPlaceOperand("tfrt_test.add_inplace.f32"), 1);
  EXPECT_EQ(LookUpInPlaceOperand("tfrt_test.relu.f32"), std::nullopt);
}

}  // namespace
}  // namespace tfrt
