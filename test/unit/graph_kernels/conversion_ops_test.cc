// Casts and quantisation: what NumPy's cases do not show.

#include "graph_op_runner.h"

namespace tfrt {
namespace {

TEST(ConversionGraphOpsTest, ACastToTheSameIsTheArgument) {
  GraphOpRunner runner;
  OpAttrs attrs;
  attrs.SetType("dtype", DType::kI32);
  TensorHandle in = runner.Ints({1, 2});
  EXPECT_EQ(DenseOf(runner.Run1("graph.cast", {in}, attrs)).data(), DenseOf(in).data());
}

TEST(ConversionGraphOpsTest, Errors) {
  GraphOpRunner runner;
  OpAttrs to_string, to_i32;
  to_string.SetType("dtype", DType::kString);
  to_i32.SetType("dtype", DType::kI32);
  TensorHandle x = runner.Floats({2}), scale = runner.Floats({});
  EXPECT_EQ(runner.Error("graph.cast", {x}, to_string), "cast: cannot cast a tensor of f32 to str");
  EXPECT_EQ(runner.Error("graph.cast", {runner.Zeros(DType::kComplex64, {2})}, to_i32),
            "cannot cast a tensor of complex64 to i32");
  EXPECT_EQ(runner.Error("graph.quantize", {x, scale}, to_i32),
            "graph.quantize: no conversion from f32 to i32 with a scale of f32");
  EXPECT_EQ(runner.Error("graph.quantize", {x, runner.Zeros(DType::kF16, {})}),
            "graph.quantize: no conversion from f32 to u8 with a scale of f16");
  EXPECT_EQ(runner.Error("graph.dequantize", {x, scale}),
            "graph.dequantize: no conversion from f32 to f32 with a scale of f32");
  EXPECT_EQ(runner.Error("graph.dynamic_quantize", {runner.Ints({1})}, {}, 3),
            "graph.dynamic_quantize: unsupported dtype i32");
}

}  // namespace
}  // namespace tfrt
