// Eager ops give the bits of the graph kernels of the same operation, with one thread and with two.

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "test/unit/host_ops/host_op_runner.h"
#include "test/unit/kernels_cpu/cpu_kernel_runner.h"
#include "tfrt/maths/compute_backend.h"

namespace tfrt {
namespace {

struct Pair {
  std::string op;
  std::string kernel;
  std::vector<TensorShape> inputs;  // f32
  TensorMetadata result;
  Attributes kernel_attributes = {};
  std::vector<std::pair<std::string, std::vector<int64_t>>> op_arrays = {};
  std::vector<std::pair<std::string, std::string>> op_strings = {};
  std::vector<std::pair<std::string, bool>> op_bools = {};
  std::vector<std::vector<int32_t>> op_ints = {};  // further arguments of the op alone
  bool initial_is_last = false;                    // the kernel finds the last input in its output
};

float Value(size_t i) { return std::sin(static_cast<float>(i) * 0.7f) * 3 + 0.5f; }

std::vector<Pair> Pairs() {
  const DType f32 = DType::kF32;
  std::vector<Pair> pairs;
  // Small ones, and some of several blocks.
  for (TensorShape shape : {TensorShape{3, 5}, TensorShape{70, 1030}}) {
    for (std::string name : {"relu", "tanh", "sigmoid", "exp", "log", "sqrt", "rsqrt", "softmax"}) {
      std::string op = "tf." + name;
      op[3] = static_cast<char>(op[3] - 'a' + 'A');
      pairs.push_back({op, "tfrt_cpu." + name + ".f32", {shape}, {f32, shape}});
    }
    pairs.push_back({"tf.LogSoftmax", "tfrt_cpu.log_softmax.f32", {shape}, {f32, shape}});
    for (bool approximate : {false, true}) {
      pairs.push_back({.op = "tfrt.Gelu",
                       .kernel = "tfrt_cpu.gelu.f32",
                       .inputs = {shape},
                       .result = {f32, shape},
                       .kernel_attributes = {Bool(approximate)},
                       .op_bools = {{"approximate", approximate}}});
    }
    const std::pair<const char*, const char*> kBinary[] = {
        {"tf.AddV2", "add"},   {"tf.Sub", "sub"},         {"tf.Mul", "mul"},
        {"tf.RealDiv", "div"}, {"tf.Maximum", "maximum"}, {"tf.Minimum", "minimum"}};
    const int64_t columns = shape.dim(1);
    for (auto [op, name] : kBinary) {
      for (TensorShape other : {shape, TensorShape{columns}, TensorShape{shape.dim(0), 1}}) {
        pairs.push_back(
            {op, std::string("tfrt_cpu.") + name + ".f32", {shape, other}, {f32, shape}});
      }
    }
    const TensorShape row = {columns};
    pairs.push_back({"tf.BiasAdd", "tfrt_cpu.add.f32", {shape, row}, {f32, shape}});
    pairs.push_back({"tfrt.LayerNorm",
                     "tfrt_cpu.layer_norm.f32",
                     {shape, row, row},
                     {f32, shape},
                     {F32(1e-5f)}});
    for (std::string name : {"Sum", "Mean", "Max", "Min"}) {
      std::string lower = name;
      lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
      pairs.push_back({.op = "tf." + name,
                       .kernel = "tfrt_cpu.reduce_" + lower + ".f32",
                       .inputs = {shape},
                       .result = {f32, {1, columns}},
                       .kernel_attributes = {I64s({0}), Bool(true)},
                       .op_bools = {{"keep_dims", true}},
                       .op_ints = {{0}}});
    }
    pairs.push_back({.op = "tf.BiasAddGrad",
                     .kernel = "tfrt_cpu.reduce_sum.f32",
                     .inputs = {shape},
                     .result = {f32, row},
                     .kernel_attributes = {I64s({0}), Bool(false)}});
    pairs.push_back({.op = "tf.ArgMax",
                     .kernel = "tfrt_cpu.argmax.f32",
                     .inputs = {shape},
                     .result = {DType::kI64, {shape.dim(0)}},
                     .kernel_attributes = {I64(1)},
                     .op_ints = {{1}}});
    const TensorShape turned = {columns, shape.dim(0)};
    pairs.push_back({.op = "tf.Transpose",
                     .kernel = "tfrt_cpu.transpose.f32",
                     .inputs = {shape},
                     .result = {f32, turned},
                     .kernel_attributes = {I64s({1, 0})},
                     .op_ints = {{1, 0}}});
    pairs.push_back({.op = "_tf.Pad",
                     .kernel = "tfrt_cpu.pad.f32",
                     .inputs = {shape},
                     .result = {f32, {shape.dim(0) + 3, columns + 1}},
                     .kernel_attributes = {I64s({1, 2, 0, 1}), F32(0)},
                     .op_arrays = {{"paddings", {1, 2, 0, 1}}}});
    pairs.push_back({.op = "tf.MatMul",
                     .kernel = "tfrt_cpu.matmul.f32",
                     .inputs = {shape, shape},
                     .result = {f32, {shape.dim(0), shape.dim(0)}},
                     .kernel_attributes = {Bool(false), Bool(true)},
                     .op_bools = {{"transpose_a", false}, {"transpose_b", true}}});
    pairs.push_back({.op = "tfrt.MatMulBias",
                     .kernel = "tfrt_cpu.matmul.bias.f32",
                     .inputs = {shape, turned, {shape.dim(0)}},
                     .result = {f32, {shape.dim(0), shape.dim(0)}},
                     .kernel_attributes = {Text("gelu"), Bool(false), Bool(false)},
                     .op_strings = {{"activation", "gelu"}}});
    pairs.push_back({.op = "tf.BatchMatMulV2",
                     .kernel = "tfrt_cpu.batch_matmul.f32",
                     .inputs = {shape, turned},
                     .result = {f32, {shape.dim(0), shape.dim(0)}},
                     .kernel_attributes = {F32(1), Bool(false), Bool(false)}});
  }
  for (int64_t size : {5, 30}) {
    const TensorShape image = {2, size, size, 8}, filter = {3, 3, 8, 16}, bias = {16};
    const TensorShape out = {2, size, size, 16}, pooled = {2, size / 2, size / 2, 8};
    const std::vector<std::pair<std::string, std::string>> same = {{"padding", "SAME"}};
    const Attributes geometry = {I64s({1, 1}), I64s({1, 1, 1, 1}), I64s({1, 1})};
    Attributes with_relu = {Text("relu")};
    with_relu.insert(with_relu.end(), geometry.begin(), geometry.end());
    auto relu = same;
    relu.push_back({"activation", "relu"});
    pairs.push_back({.op = "tf.Conv2D",
                     .kernel = "tfrt_cpu.conv2d.f32",
                     .inputs = {image, filter},
                     .result = {f32, out},
                     .kernel_attributes = geometry,
                     .op_strings = same});
    pairs.push_back({.op = "tfrt.Conv2DBias",
                     .kernel = "tfrt_cpu.conv2d.bias.f32",
                     .inputs = {image, filter, bias},
                     .result = {f32, out},
                     .kernel_attributes = with_relu,
                     .op_strings = relu});
    pairs.push_back({.op = "tfrt.Conv2DBiasAdd",
                     .kernel = "tfrt_cpu.conv2d.bias.add.f32",
                     .inputs = {image, filter, bias, out},
                     .result = {f32, out},
                     .kernel_attributes = with_relu,
                     .op_strings = relu,
                     .initial_is_last = true});
    const std::vector<std::pair<std::string, std::vector<int64_t>>> windows = {
        {"ksize", {1, 2, 2, 1}}, {"strides", {1, 2, 2, 1}}};
    const Attributes pool = {I64s({2, 2}), Text("valid"), I64s({2, 2})};
    const std::vector<std::pair<std::string, std::string>> valid = {{"padding", "VALID"}};
    pairs.push_back({.op = "tf.MaxPool",
                     .kernel = "tfrt_cpu.max_pool2d.f32",
                     .inputs = {image},
                     .result = {f32, pooled},
                     .kernel_attributes = pool,
                     .op_arrays = windows,
                     .op_strings = valid});
    pairs.push_back({.op = "tf.AvgPool",
                     .kernel = "tfrt_cpu.avg_pool2d.f32",
                     .inputs = {image},
                     .result = {f32, pooled},
                     .kernel_attributes = pool,
                     .op_arrays = windows,
                     .op_strings = valid});
    pairs.push_back({.op = "tf.MaxPoolGrad",
                     .kernel = "tfrt_cpu.max_pool2d_grad.f32",
                     .inputs = {image, pooled, pooled},
                     .result = {f32, image},
                     .kernel_attributes = pool,
                     .op_arrays = windows,
                     .op_strings = valid});
    pairs.push_back(
        {"tfrt.GlobalAveragePool", "tfrt_cpu.global_average_pool.f32", {image}, {f32, {2, 8}}});
  }
  return pairs;
}

class KernelEqualityTest : public testing::TestWithParam<std::tuple<const char*, ComputeBackend>> {
};

TEST_P(KernelEqualityTest, SameBits) {
  auto [queue, backend] = GetParam();
  HostOpRunner ops(queue);
  CpuKernelRunner kernels(queue);
  EXPECT_TRUE(SetComputeBackend(&ops.host(), backend).ok());
  EXPECT_TRUE(SetComputeBackend(&kernels.host(), backend).ok());
  for (const Pair& pair : Pairs()) {
    SCOPED_TRACE(pair.op + " of " + pair.inputs[0].ToString());
    Handles arguments;
    Values operands;
    for (size_t i = 0; i < pair.inputs.size(); ++i) {
      std::vector<float> elements(pair.inputs[i].num_elements());
      for (size_t j = 0; j < elements.size(); ++j) elements[j] = Value(j + 17 * i);
      arguments.push_back(ops.Dense<float>(pair.inputs[i], elements));
      if (!pair.initial_is_last || i + 1 < pair.inputs.size()) {
        operands.push_back(kernels.Tensor<float>(pair.inputs[i], elements));
      }
    }
    for (const auto& ints : pair.op_ints) arguments.push_back(ops.Ints(ints));
    OpAttrs attrs;
    for (const auto& [name, values] : pair.op_arrays) attrs.SetArray<int64_t>(name, values);
    for (const auto& [name, value] : pair.op_strings) attrs.SetString(name, value);
    for (const auto& [name, value] : pair.op_bools) attrs.Set(name, value);

    DenseHostTensor out = kernels.Uninitialized(pair.result);
    if (pair.initial_is_last) {
      auto* data = static_cast<float*>(*out.MutableData());
      for (int64_t j = 0; j < out.num_elements(); ++j) {
        data[j] = Value(j + 17 * (pair.inputs.size() - 1));
      }
    }
    auto out_value = MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(out));
    operands.push_back(out_value.CopyRCRef());
    operands.push_back(ChainValue());
    Values done = kernels.Run(pair.kernel, operands, pair.kernel_attributes);
    ASSERT_FALSE(done.empty());
    ASSERT_FALSE(done[0]->IsError()) << done[0]->GetError().message();

    TensorHandle result = ops.Run1(pair.op, std::move(arguments), attrs);
    ASSERT_FALSE(result.IsError()) << result.ToString();
    ASSERT_EQ(result.tensor()->metadata(), pair.result);
    EXPECT_EQ(std::memcmp(DenseOf(result).data(), out_value->data(), out_value->size_bytes()), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Eigen, KernelEqualityTest,
                         testing::Combine(testing::Values("s", "mstd:2"),
                                          testing::Values(ComputeBackend::kEigen)));
#ifdef TFRT_TEST_ONEDNN
INSTANTIATE_TEST_SUITE_P(OneDnn, KernelEqualityTest,
                         testing::Combine(testing::Values("s", "mstd:2"),
                                          testing::Values(ComputeBackend::kOneDnn)));
#endif

}  // namespace
}  // namespace tfrt
