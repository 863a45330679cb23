// Element-wise graph ops: what NumPy's cases do not show.

#include "graph_op_runner.h"

namespace tfrt {
namespace {

TEST(ElementwiseGraphOpsTest, LeftOutBoundsBoundNothing) {
  GraphOpRunner runner;
  TensorHandle x = runner.Dense<float>({3}, {-2, 0.5f, 2});
  TensorHandle one = runner.Dense<float>({}, {1});
  EXPECT_EQ(runner.Text("graph.clip", {x, TensorHandle(), one}),
            "DenseHostTensor dtype = f32, shape = [3], values = [-2.000000e+00, 5.000000e-01, "
            "1.000000e+00]");
}

TEST(ElementwiseGraphOpsTest, ScalarTensorsAreOneElement) {
  GraphOpRunner runner;
  EXPECT_EQ(runner.Text("graph.add", {runner.Ints({1, 2}), runner.Scalar<int32_t>({2}, 3)}),
            "DenseHostTensor dtype = i32, shape = [2], values = [4, 5]");
}

TEST(ElementwiseGraphOpsTest, TheLastUseOfAnArgumentIsItsMemory) {
  GraphOpRunner runner;
  Handles arguments = {runner.Floats({4}), runner.Floats({1})};
  const void* memory = DenseOf(arguments[0]).data();
  TensorHandle sum = runner.Run1("graph.add", std::move(arguments));
  EXPECT_EQ(DenseOf(sum).data(), memory);
  Handles relation = {runner.Floats({4}), runner.Floats({4})};
  memory = DenseOf(relation[0]).data();
  EXPECT_NE(DenseOf(runner.Run1("graph.less", std::move(relation))).data(), memory);
}

TEST(ElementwiseGraphOpsTest, Errors) {
  GraphOpRunner runner;
  TensorHandle truth = runner.Zeros(DType::kI1, {2}), f32 = runner.Floats({2});
  TensorHandle i32 = runner.Ints({1, 2});
  EXPECT_EQ(runner.Error("graph.add", {truth, truth}), "graph.add: unsupported dtype i1");
  EXPECT_EQ(runner.Error("graph.exp", {i32}), "graph.exp: unsupported dtype i32");
  EXPECT_EQ(runner.Error("graph.bitwise_and", {f32, f32}),
            "graph.bitwise_and: unsupported dtype f32");
  EXPECT_EQ(runner.Error("graph.logical_and", {f32, f32}),
            "logical_and: an argument is f32, expected i1");
  EXPECT_EQ(runner.Error("graph.div", {i32, runner.Ints({1, 0})}),
            "graph.div: integer division by zero");
  EXPECT_EQ(runner.Error("graph.mod", {i32, runner.Ints({0})}),
            "graph.mod: integer division by zero");
  EXPECT_EQ(runner.Error("graph.floor_divide", {i32, runner.Ints({0})}),
            "graph.floor_divide: integer division by zero");
  EXPECT_EQ(runner.Error("graph.add", {f32, runner.Floats({3})}),
            "add: Dimensions must be equal, but are 2 and 3");
}

}  // namespace
}  // namespace tfrt
