// What ops do with tensors that are not dense, with memory that they may reuse, and with attributes
// that NumPy's cases do not have.

#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "lib/runtime/tensor/coo_host_tensor.h"
#include "test/unit/host_ops/host_op_runner.h"

namespace tfrt {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(OpTensorsTest, ScalarTensorsStayScalar) {
  HostOpRunner runner;
  TensorHandle two = runner.Scalar<float>({2, 3}, 2), three = runner.Scalar<float>({3}, 3);
  EXPECT_EQ(runner.Text("tf.AddV2", {two, three}),
            "ScalarHostTensor dtype = f32, shape = [2, 3], value = 5.000000e+00");
  EXPECT_EQ(runner.Text("tf.Less", {two, three}),
            "ScalarHostTensor dtype = i1, shape = [2, 3], value = 1");
  EXPECT_EQ(runner.Text("tfrt_test.add", {two, two}),
            "ScalarHostTensor dtype = f32, shape = [2, 3], value = 4.000000e+00");
  EXPECT_EQ(runner.Text("tfrt_test.add.denseonly", {two, two}),
            "DenseHostTensor dtype = f32, shape = [2, 3], values = [4.000000e+00, 4.000000e+00, "
            "4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00]");
  EXPECT_EQ(
      runner.Text("tf.RealDiv", {runner.Scalar<int32_t>({}, 7), runner.Scalar<int32_t>({}, 2)}),
      "ScalarHostTensor dtype = i32, shape = [], value = 3");
  EXPECT_EQ(
      runner.Error("tf.RealDiv", {runner.Scalar<int32_t>({}, 7), runner.Scalar<int32_t>({}, 0)}),
      "tf.RealDiv: integer division by zero");
  for (const char* op : {"tfrt_test.async.noop", "tfrt_test.async.noop_no_md", "tf.Identity"}) {
    EXPECT_THAT(runner.Text(op, {two}), StartsWith("ScalarHostTensor")) << op;
  }
}

TEST(OpTensorsTest, ScalarAndDenseTensorsMix) {
  for (const char* queue : {"s", "mstd:2"}) {
    HostOpRunner runner(queue);
    TensorHandle row = runner.Dense<int64_t>({2}, {1, 2});
    EXPECT_EQ(runner.Text("tf.Sub", {row, runner.Scalar<int64_t>({2, 2}, 5)}),
              "DenseHostTensor dtype = i64, shape = [2, 2], values = [-4, -3, -4, -3]");
    EXPECT_EQ(runner.Text("tf.Sub", {runner.Scalar<int64_t>({}, 5), row}),
              "DenseHostTensor dtype = i64, shape = [2], values = [4, 3]");
    // Several blocks, which must not look for the scalar tensor when it is gone.
    std::vector<float> many(200000, 1);
    TensorHandle sum = runner.Run1(
        "tf.AddV2", {runner.Dense<float>({200000}, many), runner.Scalar<float>({1}, 2)});
    auto* elements = static_cast<const float*>(DenseOf(sum).data());
    EXPECT_EQ(std::count(elements, elements + many.size(), 3.0f), 200000);
  }
}

TEST(OpTensorsTest, ReductionsOfAnyRankAndOverNone) {
  HostOpRunner runner;
  const TensorHandle five = runner.Dense<float>({2, 1, 2, 1, 1}, {1, 3, 5, 7});
  EXPECT_EQ(runner.Text("tf.Mean", {five, runner.Ints({0, 4})}),
            "DenseHostTensor dtype = f32, shape = [1, 2, 1], values = [3.000000e+00, "
            "5.000000e+00]");
  for (const char* op : {"tf.Mean", "tf.Sum", "tf.Max", "tf.Min"}) {
    SCOPED_TRACE(op);
    for (const TensorHandle& x : {five, runner.Dense<float>({}, {2})}) {
      EXPECT_EQ(runner.Run1(op, {x, runner.Ints({})}).ToString(), x.ToString());
    }
  }
}

TEST(OpTensorsTest, SlicesInBlocks) {
  HostOpRunner runner;
  constexpr int64_t kRows = 600, kColumns = 500;
  std::vector<float> elements(kRows * kColumns);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i);
  TensorHandle box = runner.Run1("tf.Slice", {runner.Dense<float>({kRows, kColumns}, elements),
                                              runner.Ints({50, 100}), runner.Ints({-1, 399})});
  ASSERT_EQ(DenseOf(box).shape(), (TensorShape{550, 399}));
  auto* data = static_cast<const float*>(DenseOf(box).data());
  for (int64_t row = 0; row < 550; ++row) {
    for (int64_t column = 0; column < 399; ++column) {
      ASSERT_EQ(data[row * 399 + column], elements[(row + 50) * kColumns + column + 100]);
    }
  }
}

TEST(OpTensorsTest, Strings) {
  HostOpRunner runner;
  TensorHandle strings = runner.Strings({2}, {"a", "b"});
  EXPECT_EQ(runner.Text("tf.Tile", {strings, runner.Ints({2})}),
            "StringHostTensor shape = [4], values = [\"a\", \"b\", \"a\", \"b\"]");
  EXPECT_EQ(runner.Text("tf.Slice", {strings, runner.Ints({1}), runner.Ints({-1})}),
            "StringHostTensor shape = [1], values = [\"b\"]");
  EXPECT_EQ(runner.Text("tf.StridedSlice",
                        {strings, runner.Ints({-1}), runner.Ints({-9}), runner.Ints({-1})}),
            "StringHostTensor shape = [2], values = [\"b\", \"a\"]");
  EXPECT_EQ(runner.Text("tf.ExpandDims", {strings, runner.Ints({-1})}),
            "StringHostTensor shape = [2, 1], values = [\"a\", \"b\"]");
  EXPECT_EQ(runner.Text("tf.Reshape", {strings, runner.Ints({1, 2})}),
            "StringHostTensor shape = [1, 2], values = [\"a\", \"b\"]");
  EXPECT_EQ(runner.Text("tf.Squeeze", {runner.Strings({1, 1}, {"a"})}),
            "StringHostTensor shape = [], values = [\"a\"]");
  TensorHandle column = runner.Strings({2, 1}, {"c", "d"}),
               both = runner.Strings({2, 2}, {"e", "f", "g", "h"});
  EXPECT_EQ(runner.Text("tf.ConcatV2", {column, both, runner.Ints({-1})}),
            "StringHostTensor shape = [2, 3], values = [\"c\", \"e\", \"f\", \"d\", \"g\", \"h\"]");
  OpAttrs attrs;
  attrs.SetType("out_type", DType::kI32);
  EXPECT_EQ(runner.Text("tf.Shape", {strings}, attrs),
            "DenseHostTensor dtype = i32, shape = [1], values = [2]");
}

TEST(OpTensorsTest, SparseTensors) {
  HostOpRunner runner;
  OpAttrs attrs;
  const int64_t dims[] = {2, 2};
  attrs.SetArray<int64_t>("shape", dims);
  TensorHandle sparse = runner.Run1(
      "tfrt_test.create_coo_tensor",
      {runner.Dense<int64_t>({2, 2}, {0, 1, 1, 0}), runner.Dense<int32_t>({2}, {5, 6})}, attrs);
  EXPECT_EQ(sparse.ToString(),
            "CooHostTensor dtype = i32, shape = [2, 2], indices = [0, 1, 1, 0], values = [5, 6]\n");
  EXPECT_EQ(runner.Text("tfrt_test.add", {sparse, sparse}),
            "DenseHostTensor dtype = i32, shape = [2, 2], values = [0, 10, 12, 0]");
}

TEST(OpTensorsTest, MemoryIsReusedOnlyIfGivenAway) {
  HostOpRunner runner;
  for (const char* op : {"tf.AddV2", "tf.Exp", "tf.Relu", "tfrt_test.relu", "tf.Softmax"}) {
    SCOPED_TRACE(op);
    Handles arguments = {runner.Floats({2, 3})};
    if (op == std::string("tf.AddV2")) arguments.push_back(runner.Floats({2, 3}));
    const void* memory = DenseOf(arguments[0]).data();
    TensorHandle kept = runner.Run1(op, arguments);
    EXPECT_NE(DenseOf(kept).data(), memory);
    EXPECT_EQ(DenseOf(runner.Run1(op, std::move(arguments))).data(), memory);
  }
  // One tensor twice is not given away by either argument.
  TensorHandle x = runner.Dense<float>({2}, {1, 2});
  const void* memory = DenseOf(x).data();
  Handles twice = {x, std::move(x)};
  TensorHandle sum = runner.Run1("tf.AddV2", std::move(twice));
  EXPECT_NE(DenseOf(sum).data(), memory);
  // The second argument has the shape of the result.
  Handles pair = {runner.Dense<float>({1}, {1}), runner.Dense<float>({2}, {1, 2})};
  memory = DenseOf(pair[1]).data();
  EXPECT_EQ(DenseOf(runner.Run1("tf.Sub", std::move(pair))).data(), memory);
  // Updates go into the variable.
  Handles update = {runner.Dense<float>({2}, {1, 2}), runner.Dense<float>({2}, {4, 4}),
                    runner.Dense<float>({}, {0.5f})};
  memory = DenseOf(update[0]).data();
  TensorHandle updated = runner.Run1("tfrt.SgdUpdate", std::move(update));
  EXPECT_EQ(DenseOf(updated).data(), memory);
  EXPECT_THAT(updated.ToString(), HasSubstr("values = [-1.000000e+00, 0.000000e+00]"));
}

TEST(OpTensorsTest, ReshapesShareMemory) {
  HostOpRunner runner;
  TensorHandle x = runner.Dense<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const char* op : {"tf.Reshape", "tf.ExpandDims", "tf.Squeeze", "tfrt_test.identity",
                         "tfrt_test.identity_dense_only"}) {
    Handles arguments = {x};
    if (op == std::string("tf.Reshape")) arguments.push_back(runner.Ints({6}));
    if (op == std::string("tf.ExpandDims")) arguments.push_back(runner.Ints({0}));
    EXPECT_EQ(DenseOf(runner.Run1(op, std::move(arguments))).data(), DenseOf(x).data()) << op;
  }
}

TEST(OpTensorsTest, Constants) {
  HostOpRunner runner;
  const int64_t dims[] = {2};
  const float values[] = {1, 2};
  OpAttrs attrs;
  attrs.SetDense("value", DType::kF32, dims, {reinterpret_cast<const uint8_t*>(values), 8});
  constexpr const char* kText =
      "DenseHostTensor dtype = f32, shape = [2], values = [1.000000e+00, 2.000000e+00]";
  EXPECT_EQ(runner.Text("tf.Const", {}, attrs), kText);
  TensorHandle constant;
  {
    OpAttrsRef frozen = attrs.Freeze();
    constant = runner.Run1("tf.Const", {}, frozen);
    EXPECT_EQ(DenseOf(constant).data(), frozen.GetDense("value")->bytes().data());
  }
  // The tensor keeps the attributes alive; nobody writes into them.
  EXPECT_EQ(constant.ToString(), kText);
  Handles given = {std::move(constant), runner.Dense<float>({2}, {1, 1})};
  const void* second = DenseOf(given[1]).data();
  EXPECT_EQ(DenseOf(runner.Run1("tf.AddV2", std::move(given))).data(), second);

  OpAttrs zeros;
  zeros.SetType("T", DType::kI32);
  EXPECT_EQ(runner.Text("tf.ZerosLike", {runner.Floats({3})}, zeros),
            "DenseHostTensor dtype = i32, shape = [3], values = [0, 0, 0]");
  EXPECT_EQ(runner.Text("tf.Fill", {runner.Ints({2, 2}), runner.Dense<float>({}, {1.5f})}),
            "DenseHostTensor dtype = f32, shape = [2, 2], values = [1.500000e+00, 1.500000e+00, "
            "1.500000e+00, 1.500000e+00]");
}

TEST(OpTensorsTest, TensorsOfAttributes) {
  HostOpRunner runner;
  const int64_t dims[] = {2, 2};
  {
    OpAttrs attrs;
    const int32_t values[] = {1, 2, 3, 4};
    attrs.SetArray<int64_t>("shape", dims);
    attrs.SetArray<int32_t>("values", values);
    EXPECT_EQ(runner.Text("tfrt_test.create_dense_tensor", {}, attrs),
              "DenseHostTensor dtype = i32, shape = [2, 2], values = [1, 2, 3, 4]");
  }
  {
    OpAttrs attrs;
    const double value[] = {0.5};
    attrs.SetArray<int64_t>("shape", std::span(dims, 1));
    attrs.SetArray<double>("values", value);
    EXPECT_EQ(runner.Text("tfrt_test.create_dense_tensor", {}, attrs),
              "DenseHostTensor dtype = f64, shape = [2], values = [5.000000e-01, 5.000000e-01]");
  }
  OpAttrs attrs;
  attrs.SetArray<int64_t>("shape", dims);
  attrs.Set<int64_t>("value", -7);
  EXPECT_EQ(runner.Text("tfrt_test.create_from_scalar", {}, attrs),
            "ScalarHostTensor dtype = i64, shape = [2, 2], value = -7");
}

TEST(OpTensorsTest, Prints) {
  HostOpRunner runner;
  testing::internal::CaptureStdout();
  runner.Run("tfrt_test.print", {runner.Ints({1, 2})}, {}, 0);
  runner.Run("tfrt_test.print", {runner.Strings({1}, {"x"})}, {}, 0);
  runner.Run("tfrt_test.print_address", {runner.Strings({1}, {"x"})}, {}, 0);
  runner.Run("tfrt_test.print_address", {runner.Ints({1})}, {}, 0);
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              StartsWith("DenseHostTensor dtype = i32, shape = [2], values = [1, 2]\n"
                         "StringHostTensor shape = [1], values = [\"x\"]\n"
                         "Unsupported tensor type\n"
                         "DenseHostTensor: buffer=0x"));
}

TEST(OpTensorsTest, FusedMatMul) {
  for (const char* queue : {"s", "mstd:2"}) {
    HostOpRunner runner(queue);
    auto run = [&](std::vector<std::string_view> fused, Handles arguments) {
      OpAttrs attrs;
      attrs.Set("transpose_a", false);
      attrs.Set("transpose_b", false);
      attrs.SetStringArray("fused_ops", fused);
      return runner.Text("tf._FusedMatMul", std::move(arguments), attrs);
    };
    Handles floats = {runner.Dense<float>({1, 1}, {2}), runner.Dense<float>({1, 3}, {1, -1, 4}),
                      runner.Dense<float>({3}, {0, 1, 0})};
    auto values = [](const char* text) { return HasSubstr(std::string("values = [") + text); };
    EXPECT_THAT(run({"BiasAdd"}, floats), values("2.000000e+00, -1.000000e+00, 8.000000e+00]"));
    EXPECT_THAT(run({"BiasAdd", "Relu"}, floats),
                values("2.000000e+00, 0.000000e+00, 8.000000e+00]"));
    EXPECT_THAT(run({"BiasAdd", "Relu6"}, floats),
                values("2.000000e+00, 0.000000e+00, 6.000000e+00]"));
    EXPECT_THAT(run({"BiasAdd", "Elu"}, floats), values("2.000000e+00, -6.32120"));
    Handles ints = {runner.Dense<int32_t>({1, 1}, {2}), runner.Dense<int32_t>({1, 3}, {1, -1, 4}),
                    runner.Dense<int32_t>({3}, {0, 1, 0})};
    EXPECT_THAT(run({"BiasAdd"}, ints), values("2, -1, 8]"));
    EXPECT_THAT(run({"BiasAdd", "Relu"}, ints), values("2, 0, 8]"));
    EXPECT_THAT(run({"BiasAdd", "Relu6"}, ints), values("2, 0, 6]"));

    EXPECT_EQ(run({"BiasAdd", "Elu"}, ints), "tf._FusedMatMul: no matrix product of i32");
    EXPECT_EQ(run({}, floats), "FusedMatMul must specify fused operations");
    EXPECT_EQ(run({"Relu"}, floats), "Unsupported fusion type");
    EXPECT_EQ(run({"BiasAdd", "Tanh"}, floats), "Unsupported fusion type");
    EXPECT_EQ(run({"BiasAdd"}, {floats[0], floats[1]}),
              "FusedMatMul with BiasAdd takes a bias, but has 2 arguments");
    EXPECT_EQ(run({"BiasAdd"}, {floats[0], floats[1], floats[2], floats[2]}),
              "FusedMatMul with BiasAdd takes 3 arguments, but there are 4");
    EXPECT_EQ(run({"BiasAdd"}, {floats[0], floats[1], floats[0]}), "Bias tensor must a vector");
    EXPECT_EQ(run({"BiasAdd"}, {floats[0], floats[1], runner.Floats({2})}),
              "The number of bias elements 2 doesn't match output inner dimension 3");

    // Large enough for several tasks: the activation comes after all of them.
    const int64_t m = 300, k = 200, n = 300;
    std::vector<float> a(m * k, 1), b(k * n, 0.05f), bias(n, 1);
    TensorHandle result;
    {
      OpAttrs attrs;
      attrs.Set("transpose_a", false);
      attrs.Set("transpose_b", false);
      attrs.SetStringArray("fused_ops", std::array<std::string_view, 2>{"BiasAdd", "Relu6"});
      result = runner.Run1("tf._FusedMatMul",
                           {runner.Dense<float>({m, k}, a), runner.Dense<float>({k, n}, b),
                            runner.Dense<float>({n}, bias)},
                           attrs);
    }
    auto* elements = static_cast<const float*>(DenseOf(result).data());
    EXPECT_EQ(std::count(elements, elements + m * n, 6.0f), m * n);
  }
}

TEST(OpTensorsTest, MetadataOfOpsThatTheHostLacks) {
  HostOpRunner runner;
  const TensorMetadata a{DType::kF32, {2, 3}}, b{DType::kI32, {4}};
  auto metadata = [&](const char* op, std::vector<const TensorMetadata*> arguments) {
    TensorMetadata result;
    EXPECT_TRUE(runner.ops().Find(op)->metadata(arguments, {}, {&result, 1}).ok());
    return result;
  };
  EXPECT_EQ(metadata("tfrt_test.test_optional_arg", {&a}), a);
  EXPECT_EQ(metadata("tfrt_test.test_optional_arg", {&a, &b}), b);
  EXPECT_EQ(metadata("tfrt_test.test_variadic_arg", {&b, &a}), b);
  TensorMetadata result;
  EXPECT_EQ(
      runner.ops().Find("tfrt_test.test_variadic_arg")->metadata({}, {}, {&result, 1}).message(),
      "tfrt_test.test_variadic_arg takes an argument");
}

// What wrappers and the reference are made from.
TEST(OpTensorsTest, DefinitionsAreComplete) {
  HostOpRunner runner;
  EXPECT_TRUE(runner.ops().first_error().ok());
  for (const OpDefinition& op : runner.ops().ops()) {
    SCOPED_TRACE(op.name);
    EXPECT_FALSE(op.summary.empty());
    EXPECT_EQ(op.summary.back(), '.');
    EXPECT_TRUE(op.metadata || op.function);
    EXPECT_TRUE(op.has_side_effects() || !op.results.empty());
    for (size_t i = 1; i < op.attrs.size(); ++i) EXPECT_LT(op.attrs[i - 1].name, op.attrs[i].name);
    for (size_t i = 0; i < op.arguments.size(); ++i) {
      EXPECT_FALSE(op.arguments[i].name.empty());
      EXPECT_TRUE(op.arguments[i].kind != OpArgumentSpec::Kind::kVariadic ||
                  i + 1 == op.arguments.size());
    }
  }
}

}  // namespace
}  // namespace tfrt
