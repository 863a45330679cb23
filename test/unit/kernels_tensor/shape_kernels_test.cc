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

TEST(ShapeKernelsTest, FixedRanks) {
  KernelRunner runner;
  TensorShape shapes[] = {{2}, {2, 5}, {2, 0, 5}};
  const char* texts[] = {"[2]", "[2, 5]", "[]"};  // without elements the list is empty
  for (int rank = 1; rank <= 3; ++rank) {
    std::string suffix = std::to_string(rank);
    Values fixed = runner.Run("ts.as_fixed_rank_shape." + suffix, {Shape(shapes[rank - 1])});
    testing::internal::CaptureStdout();
    runner.Run("ts.print_fixed_rank_shape." + suffix, {fixed[0], ChainValue()});
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              std::string("fixed_rank_shape = ") + texts[rank - 1] + "\n");
  }
  EXPECT_EQ(runner.Error("ts.as_fixed_rank_shape.3", {Shape({2, 5})}),
            "shape [2, 5] has rank 2, expected 3");
}

TEST(ShapeKernelsTest, PartialShapes) {
  KernelRunner runner;
  auto build = [&](std::vector<int64_t> dims) {
    auto attribute = EncodedAttribute::Array<int64_t>(dims);
    return runner.Run("ts.build_partial_shape", {}, 1, {attribute.bytes()});
  };
  testing::internal::CaptureStdout();
  runner.Run("ts.print_partial_shape", build({2, -1}));
  runner.Run("ts.print_partial_shape", build({}));
  runner.Run("ts.print_partial_shape", runner.Run("ts.build_unranked_partial_shape", {}));
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "partial_tensor_shape = [2, -1]\npartial_tensor_shape = []\n"
            "partial_tensor_shape = Unknown rank\n");
  Values partial = runner.Run("ts.to_partial_shape", {Shape({6, 1})});
  EXPECT_EQ(runner.Run("ts.to_shape", partial)[0]->get<TensorShape>(), (TensorShape{6, 1}));
  EXPECT_EQ(runner.Error("ts.to_shape", build({-1, 5, -1})),
            "Unknown dimensions at following indices = [0, 2]");
  EXPECT_EQ(runner.Error("ts.to_shape", runner.Run("ts.build_unranked_partial_shape", {})),
            "Unknown rank");
  auto bad = EncodedAttribute::Array<int64_t>({-2});
  EXPECT_EQ(runner.Error("ts.build_partial_shape", {}, {bad.bytes()}),
            "partial shape [-2] has the dimension -2 below -1");
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
