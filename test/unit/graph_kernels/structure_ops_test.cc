// Graph ops run by name; what their results are like follows from the op table.

#include "graph_op_runner.h"

namespace tfrt {
namespace {

TEST(StructureOpsTest, AShapeIsATensor) {
  GraphOpRunner runner;
  EXPECT_EQ(runner.Text("graph.shape_of", {runner.Floats({2, 3})}),
            "DenseHostTensor dtype = i32, shape = [2], values = [2, 3]");
  OpAttrs attrs;
  attrs.SetType("dtype", DType::kI64);
  EXPECT_EQ(runner.Text("graph.shape_of", {runner.Floats({2, 3})}, attrs),
            "DenseHostTensor dtype = i64, shape = [2], values = [2, 3]");
}

TEST(StructureOpsTest, TheIdentityIsTheArgument) {
  GraphOpRunner runner;
  TensorHandle in = runner.Ints({1, 2});
  TensorHandle out = runner.Run1("graph.identity", {in});
  EXPECT_EQ(DenseOf(out).data(), DenseOf(in).data());
}

}  // namespace
}  // namespace tfrt
