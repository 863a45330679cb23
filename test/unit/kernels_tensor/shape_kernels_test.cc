#include "test/unit/kernels_tensor/kernel_runner.h"

namespace tfrt {
namespace {

TEST(ShapeKernelsTest, BuildsAndReadsShapes) {
  KernelRunner runner;
  auto dims = EncodedAttribute::Array<int64_t>({2, 5});
  Values shape = runner.Run("ts.build_shape", {}, 1, {dims.bytes()});
  EXPECT_EQ(shape[0]->get<TensorShape>(), (TensorShape{2, 5}));
  EXPECT_EQ(runner.Run("ts.get_num_elements", shape)[0]->get<int64_t>(), 10);
  EXPECT_EQ(runner.Run("ts.get_dimension", {shape[0], Scalar<int32_t>(1)})[0]->get<int64_t>(), 5);
  EXPECT_TRUE(runner.Run("ts.equal_shape", {shape[0], Shape({2, 5})})[0]->get<bool>());
  EXPECT_FALSE(runner.Run("ts.equal_shape", {shape[0], Shape({5, 2})})[0]->get<bool>());
}

TEST(ShapeKernelsTest, PrintsShapes) {
  KernelRunner runner;
  testing::internal::CaptureStdout();
  runner.Run("ts.print_shape", {Shape({2, 0})});
  runner.Run("ts.print_shape", {Shape({})});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "shape = [2, 0]\nshape = []\n");
}

TEST(ShapeKernelsTest, ReportsBadDimensions) {
  KernelRunner runner;
  auto dims = EncodedAttribute::Array<int64_t>({2, -5});
  EXPECT_EQ(runner.Error("ts.build_shape", {}, {dims.bytes()}),
            "shape [2, -5] has the negative dimension -5");
  EXPECT_EQ(runner.Error("ts.get_dimension", {Shape({2, 5}), Scalar<int32_t>(2)}),
            "dimension 2 is out of range for the shape [2, 5]");
  EXPECT_EQ(runner.Error("ts.get_dimension", {Shape({2, 5}), Scalar<int32_t>(-1)}),
            "dimension -1 is out of range for the shape [2, 5]");
}

}  // namespace
}  // namespace tfrt
