// Reductions and normalisation: what NumPy's cases do not show.

#include "graph_op_runner.h"

namespace tfrt {
namespace {

TEST(ReductionGraphOpsTest, NoAxesReduceNothing) {
  GraphOpRunner runner;
  TensorHandle x = runner.Dense<float>({2}, {-3, 2}), none = runner.Zeros(DType::kI64, {0});
  EXPECT_EQ(DenseOf(runner.Run1("graph.reduce_sum", {x, none})).data(), DenseOf(x).data());
  EXPECT_EQ(runner.Text("graph.reduce_l2", {x, none}),
            "DenseHostTensor dtype = f32, shape = [2], values = [3.000000e+00, 2.000000e+00]");
}

TEST(ReductionGraphOpsTest, Errors) {
  GraphOpRunner runner;
  TensorHandle truths = runner.Zeros(DType::kI1, {2}), axis = runner.Dense<int64_t>({1}, {0});
  EXPECT_EQ(runner.Error("graph.reduce_sum", {truths, axis}),
            "graph.reduce_sum: unsupported dtype i1");
  EXPECT_EQ(runner.Error("graph.reduce_mean", {runner.Zeros(DType::kI32, {0}), axis}),
            "graph.reduce_mean: no elements in the shape [0]");
  EXPECT_EQ(runner.Error("graph.argmax", {runner.Floats({0}), axis}),
            "argmax: axis 0 of the shape [0] has no index of i64");
  EXPECT_EQ(runner.Error("graph.cumulative_sum", {runner.Floats({2}), runner.Ints({1})}),
            "axis 1 is out of range for the shape [2]");
  OpAttrs attrs;
  attrs.SetType("dtype", DType::kF32);
  EXPECT_EQ(runner.Error("graph.argmin", {runner.Floats({2}), axis}, attrs),
            "graph.argmin: no places of f32, only i32 and i64");
}

TEST(SortingGraphOpsTest, Errors) {
  GraphOpRunner runner;
  TensorHandle complex = runner.Zeros(DType::kComplex64, {3}), x = runner.Floats({2, 3});
  for (const char* op : {"graph.sort", "graph.argsort"}) {
    EXPECT_EQ(runner.Error(op, {complex}), std::string(op) + ": unsupported dtype complex64");
    OpAttrs attrs;
    attrs.Set("axis", int64_t{2});
    EXPECT_EQ(runner.Error(op, {x}, attrs),
              std::string(op).substr(6) + ": axis 2 is out of range for rank 2");
  }
  EXPECT_EQ(runner.Error("graph.search_sorted", {complex, complex}),
            "graph.search_sorted: unsupported dtype complex64");
}

TEST(NormalizationGraphOpsTest, Errors) {
  GraphOpRunner runner;
  TensorHandle integers = runner.Ints({1, 2}), x = runner.Floats({2, 3});
  for (const char* op : {"graph.softmax", "graph.log_softmax", "graph.hardmax"}) {
    EXPECT_EQ(runner.Error(op, {integers}), std::string(op) + ": unsupported dtype i32");
  }
  EXPECT_EQ(runner.Error("graph.softmax", {runner.Floats({})}),
            "softmax: a tensor of rank 0 has no last axis");
  OpAttrs size;
  size.Set("size", int64_t{0});
  EXPECT_EQ(runner.Error("graph.lrn", {x}, size), "graph.lrn: the sum is over 0 channels");
  OpAttrs one;
  one.Set("size", int64_t{1});
  EXPECT_EQ(runner.Error("graph.lrn", {runner.Floats({3})}, one),
            "graph.lrn: the input has the shape [3], which has no channels");
  EXPECT_EQ(runner.Error("graph.rms_norm", {x, runner.Floats({2})}),
            "rms_norm: sizes that must be equal are 3 and 2");
}

}  // namespace
}  // namespace tfrt
