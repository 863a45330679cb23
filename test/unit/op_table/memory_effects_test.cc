#include "lib/format/op_table/memory_effects.h"

#include <gtest/gtest.h>

namespace tfrt {
namespace {

TEST(MemoryEffectsTest, WrittenAndShared) {
  auto add = LookUpMemoryEffects("tfrt_test.add.f32", 3);
  ASSERT_TRUE(add);
  EXPECT_FALSE(add->writes(0));
  EXPECT_FALSE(add->writes(1));
  EXPECT_TRUE(add->writes(2));
  EXPECT_TRUE(add->may_share_with_written(0));
  EXPECT_TRUE(add->may_share_with_written(1));
  EXPECT_FALSE(add->may_share_with_written(2));
  EXPECT_TRUE(add->tells_done(0));
  EXPECT_FALSE(add->tells_done(1));
  // A chain at the end changes nothing.
  EXPECT_EQ(LookUpMemoryEffects("tfrt_test.add.f32", 4)->written, add->written);
}

TEST(MemoryEffectsTest, InPlaceOpsWriteWhatTheyRead) {
  for (auto [name, operands, written] :
       {std::tuple{"tfrt_test.add_inplace.i32", 2u, 1u},
        {"tfrt_test.relu_inplace.i64", 1u, 0u},
        {"tfrt_test.softmax_inplace.f32", 2u, 0u},
        {"eigen.batch_norm.f32", 6u, 0u},
        {"tfrt_dht.fill_tensor_with_constant.f32", 2u, 0u},
        {"tfrt_dht.set_tensor_with_constant_values.i32", 2u, 0u}}) {
    auto effects = LookUpMemoryEffects(name, operands);
    ASSERT_TRUE(effects) << name;
    EXPECT_EQ(effects->written, 1u << written) << name;
    EXPECT_EQ(effects->may_share, 0u) << name;
  }
}

TEST(MemoryEffectsTest, WrittenOperandCountedFromTheEnd) {
  EXPECT_TRUE(LookUpMemoryEffects("eigen.conv2d.f32", 4)->writes(2));
  EXPECT_TRUE(LookUpMemoryEffects("eigen.conv2d.bias.f32", 5)->writes(3));
  EXPECT_TRUE(LookUpMemoryEffects("eigen.conv2d.grad.input.f32", 4)->writes(2));
  EXPECT_TRUE(LookUpMemoryEffects("eigen.matmul.f32", 6)->writes(4));
  EXPECT_TRUE(LookUpMemoryEffects("tfrt_test.matmul.i64.2", 6)->writes(4));
  EXPECT_TRUE(LookUpMemoryEffects("tfrt_cpu.layer_norm.f32", 5)->writes(3));
  EXPECT_TRUE(LookUpMemoryEffects("tfrt_cpu.concat.f32", 4)->writes(0));
}

TEST(MemoryEffectsTest, ReadersOfTensors) {
  auto equal = LookUpMemoryEffects("tfrt_dht.tensor_equal.f32", 3);
  ASSERT_TRUE(equal);
  EXPECT_EQ(equal->written, 0u);
  EXPECT_TRUE(equal->tells_done(0));
  EXPECT_TRUE(equal->tells_done(1));
  EXPECT_EQ(LookUpMemoryEffects("tfrt_dht.print_tensor", 2)->written, 0u);
}

TEST(MemoryEffectsTest, SeveralResultsOfWhichNoneTells) {
  auto grad = LookUpMemoryEffects("eigen.batch_norm.grad.f32", 9);
  ASSERT_TRUE(grad);
  EXPECT_EQ(grad->written, 0b111u << 6);
  for (unsigned result = 0; result < 3; ++result) EXPECT_FALSE(grad->tells_done(result));
  EXPECT_FALSE(LookUpMemoryEffects("eigen.batch_norm.grad.f32", 8));
}

TEST(MemoryEffectsTest, OpsThatAreNotKnown) {
  EXPECT_FALSE(LookUpMemoryEffects("tfrt.return", 1));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt.call", 2));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_dht.get_buffer", 2));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_dht.print_tensor_of_mine", 2));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_cpu.pack_matrix.f32", 2));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_cpu.relu_shape", 2));
  EXPECT_FALSE(LookUpMemoryEffects("my.op", 2));
}

TEST(MemoryEffectsTest, TooFewOperands) {
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_test.add.f32", 2));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_dht.fill_tensor_with_constant.f32", 0));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_cpu.relu.f32", 1));
  // The output would be one of the inputs.
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_cpu.add.f32", 3));
}

TEST(MemoryEffectsTest, ManyOperands) {
  auto concat = LookUpMemoryEffects("tfrt_cpu.concat.f32", 1000);
  ASSERT_TRUE(concat);
  EXPECT_FALSE(concat->writes(500));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_cpu.softmax.f32", 1000));
}

TEST(MemoryEffectsTest, NamesMatchAsAWhole) {
  EXPECT_TRUE(LookUpMemoryEffects("tfrt_dht.tensor_allclose.1000ulp.f32", 3));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_dht.tensor_allclose.7ulp.f32", 3));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_test.relu.mine", 3));
  EXPECT_FALSE(LookUpMemoryEffects("eigen.conv2d.mine.f32", 4));
  EXPECT_TRUE(LookUpMemoryEffects("tfrt_cpu.cast.bool_to_f32", 3));
  EXPECT_FALSE(LookUpMemoryEffects("tfrt_cpu.cast.bool_to_mine", 3));
  EXPECT_FALSE(LookUpMemoryEffects("", 0));
}

TEST(MemoryEffectsTest, KernelsOfOtherNamesMayStartEarly) {
  for (std::string_view name : {"tfrt.mine", "tfrt_dht.mine", "ts.mine", "coo.mine", "eigen.mine",
                                "tfrt_cpu.mine", "tfrt_cpu.mine_shape", "tfrt", "", "."}) {
    EXPECT_EQ(LookUpKernelStart(name), KernelStart::kUnknown) << name;
    EXPECT_FALSE(StartsAfterItsOperands(name)) << name;
  }
}

TEST(MemoryEffectsTest, StrictOps) {
  EXPECT_TRUE(StartsAfterItsOperands("tfrt.cast.f32_to_i64"));
  EXPECT_TRUE(StartsAfterItsOperands("tfrt_cpu.relu_shape"));
  EXPECT_TRUE(StartsAfterItsOperands("tfrt_dht.create_uninitialized_tensor.f32.2"));
  EXPECT_EQ(LookUpKernelStart("tfrt_test.nonstrict_select"), KernelStart::kEarly);
  EXPECT_TRUE(StartsAfterItsOperands("tfrt.merge.chains"));
  EXPECT_TRUE(StartsAfterItsOperands("tfrt_cpu.pack_matrix.f32"));
  EXPECT_TRUE(StartsAfterItsOperands("tfrt_test.relu.f32"));
  EXPECT_FALSE(StartsAfterItsOperands("tfrt_test.nonstrict_select"));
  EXPECT_FALSE(StartsAfterItsOperands("my.op"));
}

}  // namespace
}  // namespace tfrt
