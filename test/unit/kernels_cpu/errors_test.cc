// Messages of tfrt_cpu.* about operands and attributes that do not fit. One message of its shape
// function stands for all of them at each kernel.

#include <limits>

#include "test/unit/kernels_cpu/cpu_kernel_runner.h"

namespace tfrt {
namespace {

class CpuKernelErrorsTest : public testing::Test {
 protected:
  // (inputs..., out, chain)
  std::string Error(std::string_view kernel, Values operands, const Attributes& attributes = {}) {
    operands.push_back(ChainValue());
    return runner_.Error(kernel, operands, attributes);
  }
  RCReference<AsyncValue> F(TensorShape shape) { return runner_.Floats(shape); }
  RCReference<AsyncValue> I(TensorShape shape) { return runner_.Ints(shape); }
  CpuKernelRunner runner_;
};

TEST_F(CpuKernelErrorsTest, OutputsHaveTheShapeOfTheShapeFunction) {
  auto wrong = F({7});
  auto in = F({2, 3});
  auto image = F({1, 4, 4, 2});
  auto v3 = F({3});
  Attributes none, pool{I64s({2, 2}), Text("same"), I64s({2, 2})}, axis{I64(0)};
  Attributes reduce{I64s({1}), Bool(true)};
  struct {
    const char* op;
    const char* suffix;
    Values inputs;
    Attributes attributes;
    const char* expected;
  } cases[] = {
      {"relu", ".f32", {in}, none, "[2, 3]"},
      {"relu", ".i32", {I({2, 3})}, none, "[2, 3]"},
      {"gelu", ".f32", {in}, {Bool(false)}, "[2, 3]"},
      {"tanh", ".f32", {in}, none, "[2, 3]"},
      {"sigmoid", ".f32", {in}, none, "[2, 3]"},
      {"exp", ".f32", {in}, none, "[2, 3]"},
      {"sqrt", ".f32", {in}, none, "[2, 3]"},
      {"rsqrt", ".f32", {in}, none, "[2, 3]"},
      {"log", ".f32", {in}, none, "[2, 3]"},
      {"cast", ".f32_to_i32", {in}, none, "[2, 3]"},
      {"add", ".f32", {in, v3}, none, "[2, 3]"},
      {"sub", ".f32", {in, v3}, none, "[2, 3]"},
      {"mul", ".i32", {I({2, 3}), I({3})}, none, "[2, 3]"},
      {"div", ".f32", {in, v3}, none, "[2, 3]"},
      {"maximum", ".f32", {in, v3}, none, "[2, 3]"},
      {"minimum", ".i32", {I({2, 3}), I({3})}, none, "[2, 3]"},
      {"relu_grad", ".f32", {in, in}, none, "[2, 3]"},
      {"softmax", ".f32", {in}, none, "[2, 3]"},
      {"log_softmax", ".f32", {in}, none, "[2, 3]"},
      {"layer_norm", ".f32", {in, v3, v3}, {F32(0)}, "[2, 3]"},
      {"batch_norm", ".f32", {in, v3, v3, v3, v3}, {F32(0)}, "[2, 3]"},
      {"reduce_sum", ".f32", {in}, reduce, "[2, 1]"},
      {"reduce_mean", ".f32", {in}, reduce, "[2, 1]"},
      {"reduce_max", ".i32", {I({2, 3})}, reduce, "[2, 1]"},
      {"reduce_min", ".f32", {in}, reduce, "[2, 1]"},
      {"argmax", ".f32", {in}, axis, "[3]"},
      {"transpose", ".f32", {in}, {I64s({1, 0})}, "[3, 2]"},
      {"gather", ".f32", {in, I({4})}, axis, "[4, 3]"},
      {"pad", ".f32", {in}, {I64s({0, 1, 0, 0}), F32(0)}, "[3, 3]"},
      {"one_hot", ".f32", {I({2})}, none, "[2, 7]"},
      {"max_pool2d", ".f32", {image}, pool, "[1, 2, 2, 2]"},
      {"avg_pool2d", ".f32", {image}, pool, "[1, 2, 2, 2]"},
      {"global_average_pool", ".f32", {image}, none, "[1, 2]"},
      {"max_pool2d_grad", ".f32", {image, F({1, 2, 2, 2}), F({1, 2, 2, 2})}, pool, "[1, 4, 4, 2]"},
      {"softmax_cross_entropy", ".f32", {in, I({2})}, none, "[2]"},
      {"softmax_cross_entropy_grad", ".f32", {in, I({2}), F({2})}, none, "[2, 3]"},
      {"sgd_update", ".f32", {in, F({1})}, none, "[2, 3]"},
  };
  for (auto& each : cases) {
    Values operands = each.inputs;
    operands.push_back(wrong);
    EXPECT_EQ(Error(std::string("tfrt_cpu.") + each.op + each.suffix, operands, each.attributes),
              std::string(each.op) + ": the output has the shape [7], expected " + each.expected);
  }
  EXPECT_EQ(runner_.Error("tfrt_cpu.concat.f32", {wrong, ChainValue(), in, in}, {I64(0)}),
            "concat: the output has the shape [7], expected [4, 3]");
}

TEST_F(CpuKernelErrorsTest, DTypesAreChecked) {
  EXPECT_EQ(Error("tfrt_cpu.exp.f32", {I({2}), F({2})}),
            "the input is a tensor of i32, expected f32");
  EXPECT_EQ(Error("tfrt_cpu.exp.f32", {F({2}), I({2})}),
            "the output is a tensor of i32, expected f32");
  EXPECT_EQ(Error("tfrt_cpu.add.i32", {F({2}), I({2}), I({2})}),
            "the first input is a tensor of f32, expected i32");
  EXPECT_EQ(Error("tfrt_cpu.add.f32", {F({2}), I({2}), F({2})}),
            "the second input is a tensor of i32, expected f32");
  EXPECT_EQ(Error("tfrt_cpu.cast.f32_to_i32", {I({1}), I({1})}),
            "the input is a tensor of i32, expected f32");
  EXPECT_EQ(Error("tfrt_cpu.transpose.f32", {I({1}), F({1})}, {I64s({0})}),
            "the input is a tensor of i32, expected f32");
  EXPECT_EQ(Error("tfrt_cpu.transpose.f32", {F({1}), I({1})}, {I64s({0})}),
            "the output is a tensor of i32, expected f32");
  EXPECT_EQ(Error("tfrt_cpu.gather.f32", {F({1}), I({1}), I({1})}, {I64(0)}),
            "the output is a tensor of i32, expected f32");
  EXPECT_EQ(Error("tfrt_cpu.gather.f32", {F({1}), F({1}), F({1})}, {I64(0)}),
            "the indices is a tensor of f32, expected i32");
  EXPECT_EQ(runner_.Error("tfrt_cpu.concat.f32", {F({2}), ChainValue(), F({1}), I({1})}, {I64(0)}),
            "input 1 is a tensor of i32, expected f32");
  EXPECT_EQ(Error("tfrt_cpu.softmax_cross_entropy.f32", {F({1, 2}), F({1}), F({1})}),
            "the labels is a tensor of f32, expected i32");
  EXPECT_EQ(Error("tfrt_cpu.argmax.f32", {F({2}), F({})}, {I64(0)}),
            "the output is a tensor of f32, expected i32");
}

TEST_F(CpuKernelErrorsTest, OutputsOverlapNoInput) {
  auto memory = F({8});
  auto a = View(memory, {DType::kF32, {2, 2}}, 0);
  auto b = View(memory, {DType::kF32, {2, 2}}, 4);
  auto same = View(memory, {DType::kF32, {2, 2}}, 0);
  EXPECT_EQ(Error("tfrt_cpu.exp.f32", {a, same}), "(no error)");
  EXPECT_EQ(Error("tfrt_cpu.exp.f32", {a, b}), "exp: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.add.f32", {a, F({2, 2}), same}), "(no error)");
  EXPECT_EQ(Error("tfrt_cpu.add.f32", {F({2, 2}), View(memory, {DType::kF32, {2}}, 0), same}),
            "add: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.softmax.f32", {a, same}), "(no error)");
  EXPECT_EQ(Error("tfrt_cpu.layer_norm.f32",
                  {F({2, 2}), View(memory, {DType::kF32, {2}}, 0), F({2}), same}, {F32(0)}),
            "layer_norm: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.batch_norm.f32",
                  {F({2, 2}), F({2}), F({2}), F({2}), View(memory, {DType::kF32, {2}}, 0), same},
                  {F32(0)}),
            "batch_norm: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.transpose.f32", {a, same}, {I64s({1, 0})}),
            "transpose: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.reduce_sum.f32", {a, View(memory, {DType::kF32, {2}}, 0)},
                  {I64s({0}), Bool(false)}),
            "reduce_sum: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.argmax.f32", {a, View(memory, {DType::kI32, {2}}, 0)}, {I64(0)}),
            "argmax: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.gather.f32", {a, I({2}), same}, {I64(0)}),
            "gather: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.pad.f32", {a, same}, {I64s({0, 0, 0, 0}), F32(0)}),
            "pad: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.one_hot.f32", {View(memory, {DType::kI32, {2}}, 0), same}),
            "one_hot: the output overlaps an input");
  EXPECT_EQ(runner_.Error("tfrt_cpu.concat.f32", {same, ChainValue(), a}, {I64(0)}),
            "concat: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.cast.i32_to_ui8",
                  {View(memory, {DType::kI32, {4}}, 0), View(memory, {DType::kUI8, {4}}, 0)}),
            "cast: the output overlaps an input");
  Attributes pool{I64s({1, 1}), Text("same"), I64s({1, 1})};
  auto image = View(memory, {DType::kF32, {1, 2, 2, 1}}, 0);
  EXPECT_EQ(Error("tfrt_cpu.max_pool2d.f32", {image, image}, pool),
            "max_pool2d: the output overlaps an input");
  EXPECT_EQ(
      Error("tfrt_cpu.max_pool2d_grad.f32", {F({1, 2, 2, 1}), F({1, 2, 2, 1}), image, image}, pool),
      "max_pool2d_grad: the output overlaps an input");
  EXPECT_EQ(
      Error("tfrt_cpu.global_average_pool.f32", {image, View(memory, {DType::kF32, {1, 1}}, 0)}),
      "global_average_pool: the output overlaps an input");
  EXPECT_EQ(
      Error("tfrt_cpu.softmax_cross_entropy.f32", {a, I({2}), View(memory, {DType::kF32, {2}}, 0)}),
      "softmax_cross_entropy: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.softmax_cross_entropy_grad.f32",
                  {a, I({2}), View(memory, {DType::kF32, {2}}, 0), same}),
            "softmax_cross_entropy_grad: the output overlaps an input");
  EXPECT_EQ(Error("tfrt_cpu.sgd_update.f32", {b, F({1}), a}),
            "sgd_update: the output overlaps an input");
}

TEST_F(CpuKernelErrorsTest, ValuesThatDoNotFit) {
  auto index = [&](int32_t i) { return runner_.Tensor<int32_t>({2}, {0, i}); };
  EXPECT_EQ(Error("tfrt_cpu.gather.f32", {F({5, 3}), index(5), F({2, 3})}, {I64(0)}),
            "gather: index 5 is out of range for axis 0 of the shape [5, 3]");
  EXPECT_EQ(Error("tfrt_cpu.gather.f32", {F({5, 3}), index(-1), F({5, 2})}, {I64(-1)}),
            "gather: index -1 is out of range for axis 1 of the shape [5, 3]");
  EXPECT_EQ(Error("tfrt_cpu.softmax_cross_entropy.f32", {F({2, 3}), index(3), F({2})}),
            "softmax_cross_entropy: label 3 is out of range for 3 classes");
  EXPECT_EQ(
      Error("tfrt_cpu.softmax_cross_entropy_grad.f32", {F({2, 3}), index(-7), F({2}), F({2, 3})}),
      "softmax_cross_entropy_grad: label -7 is out of range for 3 classes");
  EXPECT_EQ(
      Error("tfrt_cpu.softmax_cross_entropy_grad.f32", {F({2, 3}), index(0), F({3}), F({2, 3})}),
      "Tensor shapes do not match: loss gradient shape is [3] and loss shape is [2]");
  EXPECT_EQ(Error("tfrt_cpu.sgd_update.f32", {F({2}), F({2}), F({2})}),
            "sgd_update: the learning rate has the shape [2], expected one element");
  EXPECT_EQ(Error("tfrt_cpu.reduce_max.f32", {F({2, 0}), F({2})}, {I64s({1}), Bool(false)}),
            "reduce_max: no elements to choose from in the shape [2, 0]");
  EXPECT_EQ(Error("tfrt_cpu.reduce_min.i32", {I({0}), I({})}, {I64s({}), Bool(false)}),
            "reduce_min: no elements to choose from in the shape [0]");
  EXPECT_EQ(Error("tfrt_cpu.argmax.f32", {F({2, 0}), I({2})}, {I64(1)}),
            "argmax: axis 1 of the shape [2, 0] has no index of i32");
  EXPECT_EQ(Error("tfrt_cpu.softmax.f32", {F({}), F({})}),
            "softmax: a tensor of rank 0 has no last axis");
  EXPECT_EQ(Error("tfrt_cpu.layer_norm.f32", {F({2, 3}), F({2}), F({3}), F({2, 3})}, {F32(0)}),
            "layer_norm: the scale has the shape [2], expected [3]");
  EXPECT_EQ(Error("tfrt_cpu.batch_norm.f32",
                  {F({2, 3}), F({3}), F({3}), F({3}), F({3, 1}), F({2, 3})}, {F32(0)}),
            "batch_norm: the variance has the shape [3, 1], expected [3]");
  Attributes pool{I64s({2, 2}), Text("same"), I64s({2, 2})};
  EXPECT_EQ(Error("tfrt_cpu.max_pool2d_grad.f32",
                  {F({1, 4, 4, 2}), F({1, 2, 2, 2}), F({1, 2, 2, 1}), F({1, 4, 4, 2})}, pool),
            "Tensor shapes do not match: output gradient shape is [1, 2, 2, 1] and output shape is "
            "[1, 2, 2, 2]");
  EXPECT_EQ(Error("tfrt_cpu.max_pool2d.f32", {F({1, 4, 4, 2}), F({1})},
                  {I64s({2, 2}), Text("explicit"), I64s({2, 2})}),
            "For explicit padding, padding values must be defined");
}

TEST_F(CpuKernelErrorsTest, ReshapeKeepsTheNumberOfElements) {
  EXPECT_EQ(Error("tfrt_cpu.reshape.f32", {F({2, 3}), F({4})}),
            "reshape: the shapes [2, 3] and [4] have different numbers of elements");
  auto memory = F({8});
  auto a = View(memory, {DType::kF32, {2, 2}}, 0);
  EXPECT_EQ(Error("tfrt_cpu.reshape.f32", {a, View(memory, {DType::kF32, {4}}, 0)}), "(no error)");
  EXPECT_EQ(Error("tfrt_cpu.reshape.f32", {a, View(memory, {DType::kF32, {4}}, 8)}),
            "reshape: the output overlaps an input");
}

TEST_F(CpuKernelErrorsTest, KernelsAskTheShapeFunctions) {
  EXPECT_EQ(Error("tfrt_cpu.add.f32", {F({2}), F({3}), F({2})}),
            "the shapes [2] and [3] cannot be broadcast together");
  EXPECT_EQ(Error("tfrt_cpu.transpose.f32", {F({2}), F({2})}, {I64s({1})}),
            "transpose: i64 [1] {1} is not a permutation");
  std::vector<int64_t> many(256, 0);
  EXPECT_EQ(Error("tfrt_cpu.transpose.f32", {F({2}), F({2})}, {I64s(many)}),
            "transpose: 256 numbers are not a permutation");
  EXPECT_EQ(Error("tfrt_cpu.gather.f32", {F({2}), I({1}), F({1})}, {I64(1)}),
            "axis 1 is out of range for the shape [2]");
  EXPECT_EQ(runner_.Error("tfrt_cpu.concat.f32", {F({2}), ChainValue()}, {I64(0)}),
            "concat: there is nothing to concatenate");
  EXPECT_EQ(Error("tfrt_cpu.pad.f32", {F({2}), F({2})}, {I64s({1}), F32(0)}),
            "pad: there are 1 numbers for rank 1");
  EXPECT_EQ(Error("tfrt_cpu.reduce_sum.f32", {F({2}), F({})}, {I64s({0, 0}), Bool(false)}),
            "axis 0 is reduced twice");
  EXPECT_EQ(Error("tfrt_cpu.global_average_pool.f32", {F({2}), F({})}),
            "the pooling input has the shape [2], expected rank 4");
}

TEST_F(CpuKernelErrorsTest, ScratchMemoryMayBeMissing) {
  CpuKernelRunner runner("s", CreateFixedSizeAllocator(2048));
  EXPECT_EQ(runner.Error("eigen.conv2d.grad.filter.f32",
                         {runner.Floats({1, 8, 8, 1}), runner.Floats({1, 8, 8, 1}),
                          runner.Floats({3, 3, 1, 1}), ChainValue()},
                         {Text("same"), I64s({1, 1})}),
            "Cannot allocate tensor");
}

TEST_F(CpuKernelErrorsTest, HugeEmptyTensorsTakeNoTime) {
  const int64_t huge = int64_t{1} << 50;
  auto in = F({huge, 0});
  EXPECT_EQ(Error("tfrt_cpu.add.f32", {in, in, F({huge, 0})}), "(no error)");
  EXPECT_EQ(Error("tfrt_cpu.softmax.f32", {in, F({huge, 0})}), "(no error)");
  EXPECT_EQ(Error("tfrt_cpu.transpose.f32", {in, F({0, huge})}, {I64s({1, 0})}), "(no error)");
  EXPECT_EQ(Error("tfrt_cpu.reduce_max.f32", {in, F({0})}, {I64s({0}), Bool(false)}), "(no error)");
  EXPECT_EQ(Error("tfrt_cpu.pad.f32", {in, F({huge, 0})}, {I64s({0, 0, 0, 0}), F32(0)}),
            "(no error)");
  EXPECT_EQ(Error("tfrt_cpu.gather.f32", {in, I({2}), F({2, 0})}, {I64(0)}), "(no error)");
  EXPECT_EQ(Error("tfrt_cpu.max_pool2d.f32", {F({huge, 1, 1, 0}), F({huge, 1, 1, 0})},
                  {I64s({int64_t{1} << 62, 1}), Text("same"), I64s({1, 1})}),
            "(no error)");
}

TEST_F(CpuKernelErrorsTest, ShapeKernels) {
  auto shape = [&](std::string_view op, const Values& inputs, const Attributes& attributes = {}) {
    Values results = runner_.Run("tfrt_cpu." + std::string(op) + "_shape", inputs, attributes);
    return results[0]->IsError() ? std::string(results[0]->GetError().message())
                                 : results[0]->get<TensorShape>().ToString();
  };
  auto in = ShapeValue({2, 3});
  auto image = ShapeValue({1, 4, 4, 2});
  for (const char* op : {"relu", "gelu", "tanh", "sigmoid", "exp", "sqrt", "rsqrt", "log", "cast",
                         "softmax", "log_softmax", "layer_norm", "batch_norm", "max_pool2d_grad",
                         "softmax_cross_entropy_grad"}) {
    EXPECT_EQ(shape(op, {in, in}), "[2, 3]");
  }
  EXPECT_EQ(shape("relu", {}), "a shape function without shapes");
  for (const char* op : {"add", "sub", "mul", "div", "maximum", "minimum", "relu_grad"}) {
    EXPECT_EQ(shape(op, {in, ShapeValue({4, 1, 3})}), "[4, 2, 3]");
  }
  for (const char* op : {"reduce_sum", "reduce_mean", "reduce_max", "reduce_min"}) {
    EXPECT_EQ(shape(op, {in}, {I64s({0}), Bool(true)}), "[1, 3]");
  }
  for (const char* op : {"max_pool2d", "avg_pool2d"}) {
    EXPECT_EQ(shape(op, {image}, {I64s({2, 2}), Text("valid"), I64s({1, 1})}), "[1, 3, 3, 2]");
  }
  EXPECT_EQ(shape("matmul", {in, in}, {Bool(false), Bool(true)}), "[2, 2]");
  EXPECT_EQ(shape("batch_matmul", {in, in}, {F32(1), Bool(true), Bool(false)}), "[3, 3]");
  EXPECT_EQ(shape("conv2d", {image, ShapeValue({2, 2, 2, 3})},
                  {I64s({1, 1}), I64s({0, 0, 0, 0}), I64s({1, 1})}),
            "[1, 3, 3, 3]");
  EXPECT_EQ(shape("transpose", {in}, {I64s({1, 0})}), "[3, 2]");
  EXPECT_EQ(shape("gather", {in, ShapeValue({5})}, {I64(0)}), "[5, 3]");
  EXPECT_EQ(shape("concat", {in, in}, {I64(1)}), "[2, 6]");
  EXPECT_EQ(shape("pad", {in}, {I64s({0, 1, 0, 0}), F32(0)}), "[3, 3]");
  EXPECT_EQ(shape("argmax", {in}, {I64(1)}), "[2]");
  EXPECT_EQ(shape("global_average_pool", {image}), "[1, 2]");
  EXPECT_EQ(shape("one_hot", {in}, {I64(4)}), "[2, 3, 4]");
  EXPECT_EQ(shape("softmax_cross_entropy", {in, ShapeValue({2})}), "[2]");
}

}  // namespace
}  // namespace tfrt
