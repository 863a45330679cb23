// Every message of the eager ops.

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

#include "test/unit/host_ops/attribute_samples.h"
#include "test/unit/host_ops/host_op_runner.h"
#include "test/unit/kernels_cpu/cpu_kernel_runner.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using testing::Test;

class OpErrorsTest : public Test {
 protected:
  // The message with arguments of these dtypes and shapes, all zeros, and attributes.
  std::string Error(std::string_view op, const std::vector<TensorMetadata>& arguments,
                    const std::function<void(OpAttrs&)>& set = {}, size_t num_results = 1) {
    OpAttrs attrs;
    if (set) set(attrs);
    Handles handles;
    for (const TensorMetadata& argument : arguments) {
      handles.push_back(argument.dtype == DType::kString
                            ? runner_.Strings(argument.shape, {})
                            : runner_.Zeros(argument.dtype, argument.shape));
    }
    return runner_.Error(op, std::move(handles), attrs, num_results);
  }
  static void SetI64s(OpAttrs& attrs, std::string_view name, std::vector<int64_t> values) {
    attrs.SetArray<int64_t>(name, values);
  }

  HostOpRunner runner_;
};

constexpr DType kF32 = DType::kF32, kI32 = DType::kI32, kI64 = DType::kI64, kI1 = DType::kI1,
                kF64 = DType::kF64, kC64 = DType::kComplex64;

TEST_F(OpErrorsTest, UnknownOps) {
  EXPECT_EQ(Error("tf.Nothing", {}), "tf.Nothing was not supported by NullOpHandler.");
  for (const char* op :
       {"tf._FusedBatchNormEx", "tfrt_test.test_optional_arg", "tfrt_test.test_variadic_arg"}) {
    EXPECT_EQ(Error(op, {{kF32, {2, 2}}}),
              std::string(op) + " was not supported by NullOpHandler.");
  }
}

TEST_F(OpErrorsTest, Elements) {
  EXPECT_EQ(Error("tf.AddV2", {{kF32, {2}}, {kI32, {2}}}),
            "incompatible dtypes for binary operation");
  EXPECT_EQ(Error("tf.Less", {{kF32, {2, 3}}, {kF32, {4}}}),
            "Dimensions must be equal, but are 3 and 4");
  EXPECT_EQ(Error("tf.Sub", {{kF32, {4}}, {kF32, {2, 3}}}),
            "Dimensions must be equal, but are 4 and 3");
  EXPECT_EQ(Error("tf.Mul", {{kI1, {2}}, {kI1, {2}}}), "tf.Mul: unsupported dtype i1");
  EXPECT_EQ(Error("tf.Less", {{kC64, {2}}, {kC64, {2}}}), "tf.Less: unsupported dtype complex64");
  EXPECT_EQ(Error("tf.ReluGrad", {{kI1, {2}}, {kI1, {2}}}), "tf.ReluGrad: unsupported dtype i1");
  EXPECT_EQ(Error("tf.RealDiv", {{kI32, {2}}, {kI32, {2}}}),
            "tf.RealDiv: integer division by zero");
  const int64_t huge = int64_t{1} << 40;
  EXPECT_THAT(runner_.Error("tf.AddV2", {runner_.Scalar<float>({huge, 1}, 1),
                                         runner_.Scalar<float>({1, huge}, 1)}),
              testing::HasSubstr("1099511627776"));
  EXPECT_EQ(Error("tf.Exp", {{kI32, {2}}}), "tf.Exp: unsupported dtype i32");
  EXPECT_EQ(Error("tf.Log1p", {{kC64, {2}}}), "tf.Log1p: unsupported dtype complex64");
  EXPECT_EQ(Error("tfrt.Gelu", {{kI1, {2}}}), "tfrt.Gelu: unsupported dtype i1");
  EXPECT_EQ(Error("tf.Relu", {{kC64, {2}}}), "tf.Relu: unsupported dtype complex64");
  EXPECT_EQ(Error("tfrt_test.relu", {{kI1, {2}}}), "tfrt_test.relu: unsupported dtype i1");
  EXPECT_EQ(Error("tf.Cast", {{kF32, {2}}}), "'DstT' attribute is not specified for Cast op");
  auto to = [](DType dtype) { return [dtype](OpAttrs& a) { a.SetType("DstT", dtype); }; };
  EXPECT_EQ(Error("tf.Cast", {{kF32, {2}}}, to(DType::kString)),
            "cannot cast a tensor of f32 to str");
  EXPECT_EQ(Error("tf.Cast", {{kC64, {2}}}, to(kF32)), "cannot cast a tensor of complex64 to f32");
}

TEST_F(OpErrorsTest, AttributesAreOfOtherKinds) {
  size_t num_cases = 0;
  for (const OpDefinition& op : runner_.ops().ops()) {
    if (!FindOpSpelling(op.name) || !op.function) continue;
    ForEachWrongAttribute(op, [&](const OpAttrsRef& attrs, const OpAttrSpec& wrong) {
      // However the call fails: shapes may be wrong first.
      const std::vector<TensorMetadata> arguments(op.arguments.size(), {kF32, {2, 2}});
      Handles handles;
      for (const TensorMetadata& each : arguments)
        handles.push_back(runner_.Zeros(kF32, each.shape));
      EXPECT_THAT(runner_.Error(op.name, std::move(handles), attrs, op.results.size()),
                  testing::Not(testing::HasSubstr("(no error)")))
          << op.name << " " << wrong.name;
      const bool is_folded = op.spelling && op.spelling->folded_argument == wrong.name;
      if (is_folded || op.description->name == "constant") return;
      // What the function says, which the row's own is called by.
      std::vector<RCReference<AsyncValue>> results(op.results.size());
      OpCall::Parts parts{.op = &op,
                          .exec_ctx = &runner_.exec_ctx(),
                          .allocator = runner_.host().allocator(),
                          .attrs = &attrs,
                          .results = results};
      OpCall call(parts);
      op.function(call);
      EXPECT_EQ(call.error().message(), StrCat(op.name, ": the attribute '", wrong.name,
                                               "' is not ", OpAttrKindName(wrong.kind)));
      ++num_cases;
    });
  }
  EXPECT_GE(num_cases, 1000);
}

TEST_F(OpErrorsTest, IntegersAreOfOtherDTypes) {
  size_t num_cases = 0;
  for (const OpDefinition& op : runner_.ops().ops()) {
    if (!FindOpSpelling(op.name) || !op.function) continue;
    std::vector<TensorMetadata> arguments(op.arguments.size(), {kI64, {1}});
    for (size_t i = 0; i < op.arguments.size(); ++i) {
      if (!op.arguments[i].is_integer) continue;
      std::vector<TensorMetadata> given = arguments;
      if (!op.arguments[i].last.empty()) given.push_back({kI64, {1}});
      given[i + given.size() - arguments.size()].dtype = kF32;
      const std::string_view name =
          op.arguments[i].last.empty() ? op.arguments[i].name : op.arguments[i].last;
      EXPECT_EQ(Error(op.name, given, {}, op.results.size()),
                StrCat(op.name, ": ", name, " is a tensor of f32, expected i32 or i64"));
      ++num_cases;
    }
  }
  EXPECT_GE(num_cases, 30);
}

TEST_F(OpErrorsTest, WrongCountsAndTensorTypes) {
  EXPECT_THAT(Error("tf.AddV2", {{kF32, {2}}}), testing::HasSubstr("2 arguments, but there are 1"));
  EXPECT_THAT(Error("tf.FusedBatchNormV3", {{kF32, {2}}}),
              testing::HasSubstr("the op takes at least 5 arguments, but there are 1"));
  EXPECT_EQ(Error("tf.Exp", {{DType::kString, {0}}}),
            "Cannot implictly convert StringHost to DenseHost");
  EXPECT_EQ(Error("tf.ConcatV2", {{DType::kString, {0}}, {DType::kString, {0}}}),
            "tf.ConcatV2: axis is a tensor of str, expected i32 or i64");
}

TEST_F(OpErrorsTest, BiasAdd) {
  EXPECT_EQ(Error("tf.BiasAdd", {{kF32, {2, 2}}, {kI32, {2}}}),
            "incompatible dtypes for tf.BiasAdd");
  EXPECT_EQ(Error("tf.BiasAdd", {{kF32, {2, 2}}, {kF32, {2}}},
                  [](OpAttrs& a) { a.SetString("data_format", "NCHW"); }),
            "invalid data format. Currently only support NHWC");
  EXPECT_EQ(Error("tf.BiasAdd", {{kF32, {2, 2}}, {kF32, {2, 1}}}), "bias must be 1-D");
  EXPECT_EQ(Error("tf.BiasAdd", {{kF32, {2, 2}}, {kF32, {3}}}),
            "bias must has the size of the last dimension of value");
  EXPECT_EQ(Error("tf.BiasAdd", {{kF32, {2}}, {kF32, {2}}}),
            "tf.BiasAdd takes values of rank 2 to 5, but the shape is [2]");
  EXPECT_EQ(Error("tf.BiasAdd", {{kI1, {2, 2}}, {kI1, {2}}}), "tf.BiasAdd: unsupported dtype i1");
  EXPECT_EQ(Error("tf.BiasAddGrad", {{kF32, {2}}}),
            "tf.BiasAddGrad takes gradients of rank 2 or more, but the shape is [2]");
  EXPECT_EQ(Error("tf.BiasAddGrad", {{kC64, {2, 2}}}),
            "tf.BiasAddGrad: unsupported dtype complex64");
}

TEST_F(OpErrorsTest, MatrixProducts) {
  auto both = [](OpAttrs& a) {
    a.Set("transpose_a", false);
    a.Set("transpose_b", true);
  };
  EXPECT_EQ(Error("tf.MatMul", {{kF32, {2, 2}}, {kI32, {2, 2}}}, both),
            "incompatible dtypes for MatMul: In[0]: f32, In[1]: i32");
  EXPECT_EQ(Error("tf.MatMul", {{kF32, {2, 2, 1}}, {kF32, {2, 2}}}, both),
            "argument 0 of matmul op is not a rank-2 tensor. Actual rank is 3");
  EXPECT_EQ(Error("tf.MatMul", {{kF32, {2, 2}}, {kF32, {2}}}, both),
            "argument 1 of matmul op is not a rank-2 tensor. Actual rank is 1");
  EXPECT_EQ(Error("tf.MatMul", {{kF32, {2, 2}}, {kF32, {2, 2}}}),
            "'transpose_a' attribute is not specified for MatMul op");
  EXPECT_EQ(Error("tf.MatMul", {{kF32, {2, 2}}, {kF32, {2, 2}}},
                  [](OpAttrs& a) { a.Set("transpose_a", false); }),
            "'transpose_b' attribute is not specified for MatMul op");
  EXPECT_EQ(Error("tf.MatMul", {{kF32, {2, 3}}, {kF32, {3, 2}}}, both),
            "matmul arguments have incompatible shapes: In[0]: [2, 3], In[1]: [3, 2]. "
            "transpose_a: 0, transpose_b: 1");
  EXPECT_EQ(Error("tf.MatMul", {{DType::kI8, {2, 2}}, {DType::kI8, {2, 2}}}, both),
            "tf.MatMul: no matrix product of i8");
  EXPECT_EQ(Error("tfrt_test.matmul", {{kF32, {2, 2}}, {kI32, {2, 2}}}, both),
            "incompatible dtypes for MatMul: In[0]: f32, In[1]: i32");
  EXPECT_EQ(Error("tfrt_test.matmul", {{DType::kI8, {2, 2}}, {DType::kI8, {2, 2}}}, both),
            "tfrt_test.matmul: no matrix product of i8");
  const int64_t huge = int64_t{1} << 40;
  EXPECT_THAT(
      runner_.Error("tf.MatMul", {runner_.Zeros(kF32, {huge, 0}), runner_.Zeros(kF32, {huge, 0})},
                    [&] {
                      static OpAttrs attrs;
                      both(attrs);
                      return OpAttrsRef(attrs);
                    }()),
      testing::HasSubstr("1099511627776"));

  AttributeBytes fused(std::string_view(), 0);
  EXPECT_EQ(Error("tf._FusedMatMul", {{kF32, {2, 2}}, {kF32, {2, 2}}, {kF32, {2}}}, both),
            "FusedMatMul must specify fused operations");
  EXPECT_EQ(Error("tfrt.MatMulBias", {{kF32, {2, 2}}, {kF32, {2, 2}}, {kF32, {2, 2}}}),
            "Bias tensor must a vector");
  EXPECT_EQ(Error("tfrt.MatMulBias", {{kF32, {2, 2}}, {kF32, {2, 3}}, {kF32, {2}}}),
            "The number of bias elements 2 doesn't match output inner dimension 3");
  EXPECT_EQ(Error("tfrt.MatMulBias", {{kF32, {2, 2}}, {kF32, {2, 3}}, {kF64, {3}}}),
            "incompatible dtypes for MatMul: In[0]: f32, bias: f64");
  EXPECT_EQ(Error("tfrt.MatMulBias", {{kF64, {2, 2}}, {kF64, {2, 3}}, {kF64, {3}}}),
            "the first matmul input is a tensor of f64, expected f32");
  auto activation = [](OpAttrs& a) { a.SetString("activation", "cube"); };
  EXPECT_THAT(Error("tfrt.MatMulBias", {{kF32, {2, 2}}, {kF32, {2, 3}}, {kF32, {3}}}, activation),
              testing::HasSubstr("unknown activation 'cube'"));
  auto number = [](OpAttrs& a) { a.Set("activation", 1.0f); };
  EXPECT_EQ(Error("tfrt.MatMulBias", {{kF32, {2, 2}}, {kF32, {2, 3}}, {kF32, {3}}}, number),
            "tfrt.MatMulBias: the attribute 'activation' is not a string");

  EXPECT_EQ(Error("tf.BatchMatMulV2", {{kF32, {2, 2}}, {kI32, {2, 2}}}),
            "incompatible dtypes for BatchMatMul: In[0]: f32, In[1]: i32");
  EXPECT_EQ(Error("tf.BatchMatMulV2", {{kF32, {2, 2, 2}}, {kF32, {3, 2, 2}}}),
            "the leading dimensions of a batch matmul do not fit: [2, 2, 2] * [3, 2, 2]");
  EXPECT_EQ(Error("tf.BatchMatMulV2", {{kC64, {2, 2}}, {kC64, {2, 2}}},
                  [](OpAttrs& a) { a.Set("adj_x", true); }),
            "tf.BatchMatMulV2: no matrix product of complex64");
  EXPECT_EQ(Error("tf.BatchMatMulV2", {{DType::kI8, {2, 2}}, {DType::kI8, {2, 2}}}),
            "tf.BatchMatMulV2: no matrix product of i8");
}

TEST_F(OpErrorsTest, Windows) {
  const std::vector<TensorMetadata> image_and_filter = {{kF32, {1, 4, 4, 2}}, {kF32, {3, 3, 2, 1}}};
  auto conv = [&](std::function<void(OpAttrs&)> set) {
    return Error("tf.Conv2D", image_and_filter, set);
  };
  auto valid = [](OpAttrs& a) { a.SetString("padding", "VALID"); };
  auto valid_with = [&](std::string_view name, std::vector<int64_t> values) {
    return [=](OpAttrs& a) {
      valid(a);
      SetI64s(a, name, values);
    };
  };
  EXPECT_EQ(Error("tf.Conv2D", {{kF32, {4, 4, 2}}, {kF32, {3, 3, 2, 1}}}, valid),
            "the input has the shape [4, 4, 2], expected rank 4");
  EXPECT_EQ(Error("tf.Conv2D", {{kF32, {4, 4, 2}}, {kF32, {3, 3, 2}}}, valid),
            "the input has the shape [4, 4, 2], expected rank 4");
  EXPECT_EQ(Error("tf.Conv2D", {{kF32, {1, 4, 4, 2}}, {kI32, {3, 3, 2, 1}}}, valid),
            "incompatible dtypes f32 and i32");
  EXPECT_EQ(conv({}), "the attribute 'padding' is needed");
  EXPECT_EQ(conv([](OpAttrs& a) { a.SetString("padding", "HALF"); }), "unknown padding type HALF");
  EXPECT_EQ(conv([](OpAttrs& a) { a.SetString("padding", "EXPLICIT"); }),
            "explicit_paddings are not eight sizes");
  auto paddings = [](std::vector<int64_t> values) {
    return [=](OpAttrs& a) {
      a.SetString("padding", "EXPLICIT");
      SetI64s(a, "explicit_paddings", values);
    };
  };
  EXPECT_EQ(conv(paddings({0, 0, 1, 1})), "explicit_paddings are not eight sizes");
  EXPECT_EQ(conv(paddings({0, 0, 1, 1, 1, 1, 0, 1})),
            "Expected explicit_paddings 'NC' elements to be 0");
  EXPECT_EQ(conv(paddings({0, 0, -1, 1, 1, 1, 0, 0})), "explicit_paddings are not eight sizes");
  EXPECT_EQ(conv(valid_with("strides", {1, 1})),
            "strides are not four numbers with 1 for batch and channels");
  EXPECT_EQ(conv(valid_with("strides", {2, 1, 1, 1})),
            "strides are not four numbers with 1 for batch and channels");
  EXPECT_EQ(conv(valid_with("strides", {1, 0, 1, 1})), "strides have the element 0");
  EXPECT_EQ(conv(valid_with("dilations", {1, 1})),
            "dilations are not four numbers with 1 for batch and channels");
  EXPECT_EQ(conv(valid_with("dilations", {1, 9, 1, 1})), "windows of 3 taps do not fit the size 4");
  EXPECT_EQ(Error("tf.Conv2D", {{kF32, {1, 4, 4, 2}}, {kF32, {3, 3, 3, 1}}}, valid),
            "sizes that must be equal are 2 and 3");
  auto format = [&](std::string_view name) {
    return [=](OpAttrs& a) {
      valid(a);
      a.SetString("data_format", name);
    };
  };
  EXPECT_EQ(conv(format("NDHWC")), "unknown data format NDHWC");
  EXPECT_EQ(Error("tf.Conv2D", {{kF32, {1, 2, 4, 4}}, {kF32, {3, 3, 2, 1}}}, format("NCHW")),
            "only channel last order is supported");
  EXPECT_EQ(Error("tf.Conv2D", {{kF64, {1, 4, 4, 2}}, {kF64, {3, 3, 2, 1}}}, valid),
            "unsupported dtype for TfConv2DOp");
  EXPECT_EQ(
      Error("tfrt.Conv2DBias", {{kF32, {1, 4, 4, 2}}, {kF32, {3, 3, 2, 1}}, {kF32, {2}}}, valid),
      "sizes that must be equal are 1 and 2");
  EXPECT_EQ(
      Error("tfrt.Conv2DBiasAdd",
            {{kF32, {1, 4, 4, 2}}, {kF32, {3, 3, 2, 1}}, {kF32, {1}}, {kF32, {1, 2, 2, 2}}}, valid),
      "shapes that must be equal are [1, 2, 2, 1] and [1, 2, 2, 2]");
  EXPECT_EQ(Error("tfrt.Conv2DBias", {{kF32, {1, 4, 4, 2}}, {kF32, {3, 3, 2, 1}}, {kF32, {1}}},
                  [&](OpAttrs& a) {
                    valid(a);
                    a.Set<int64_t>("activation", 1);
                  }),
            "tfrt.Conv2DBias: the attribute 'activation' is not a string");

  auto pool = [&](std::function<void(OpAttrs&)> set) {
    return Error("tf.MaxPool", {{kF32, {1, 4, 4, 2}}}, set);
  };
  EXPECT_EQ(pool(valid), "the attribute 'ksize' is needed");
  EXPECT_EQ(pool(valid_with("ksize", {2, 2})),
            "ksize are not four numbers with 1 for batch and channels");
  EXPECT_EQ(pool(valid_with("ksize", {1, 2, 2, 2})),
            "ksize are not four numbers with 1 for batch and channels");
  auto kernel = valid_with("ksize", {1, 2, 2, 1});
  EXPECT_EQ(Error("tf.MaxPool", {{kF32, {4, 4, 2}}}, kernel),
            "the input has the shape [4, 4, 2], expected rank 4");
  EXPECT_EQ(Error("tf.MaxPool", {{kI32, {1, 4, 4, 2}}}, kernel),
            "unsupported dtype for TfMaxPoolOp");
  EXPECT_EQ(Error("tf.AvgPool", {{kI32, {1, 4, 4, 2}}}, kernel),
            "unsupported dtype for TfAvgPoolOp");
  EXPECT_EQ(Error("tf.MaxPool", {{kF32, {1, 2, 4, 4}}},
                  [](OpAttrs& a) {
                    a.SetString("padding", "SAME");
                    a.SetString("data_format", "NCHW");
                    SetI64s(a, "ksize", {1, 1, 2, 2});
                  }),
            "only channel last order is supported");
  EXPECT_EQ(Error("tf.MaxPoolGrad",
                  {{kF32, {1, 4, 4, 2}}, {kF32, {1, 3, 3, 1}}, {kF32, {1, 3, 3, 2}}}, kernel),
            "shapes that must be equal are [1, 3, 3, 2] and [1, 3, 3, 1]");
  EXPECT_EQ(Error("tf.MaxPoolGrad", {{kF32, {1, 4, 4, 2}}, {kF32, {1, 3, 3, 2}}, {kF32, {1, 3, 3}}},
                  kernel),
            "shapes that must be equal are [1, 3, 3, 2] and [1, 3, 3]");
  EXPECT_EQ(Error("tf.MaxPoolGrad",
                  {{kI32, {1, 4, 4, 2}}, {kI32, {1, 3, 3, 2}}, {kI32, {1, 3, 3, 2}}}, kernel),
            "unsupported dtype for TfMaxPoolGradOp");
  EXPECT_EQ(Error("tfrt.GlobalAveragePool", {{kF32, {1, 4, 4}}}),
            "the pooling input has the shape [1, 4, 4], expected rank 4");
  EXPECT_EQ(Error("tfrt.GlobalAveragePool", {{kF64, {1, 4, 4, 1}}}),
            "the input is a tensor of f64, expected f32");
}

TEST_F(OpErrorsTest, ConvolutionGradients) {
  auto valid = [](OpAttrs& a) { a.SetString("padding", "VALID"); };
  auto run = [&](DType dtype, DType size_dtype, int64_t sizes, std::function<void(OpAttrs&)> set) {
    return Error("tf.Conv2DBackpropInput",
                 {{size_dtype, {sizes}}, {dtype, {3, 3, 2, 1}}, {dtype, {1, 2, 2, 1}}}, set);
  };
  EXPECT_EQ(run(kF32, kF32, 4, valid),
            "tf.Conv2DBackpropInput: input_sizes is a tensor of f32, expected i32 or i64");
  EXPECT_EQ(run(kF32, kI32, 2, valid),
            "tf.Conv2DBackpropInput: the sizes are not those of a tensor of rank 4");
  EXPECT_EQ(run(kF64, kI32, 4, valid), "unsupported dtype for TfConv2DOp");
  EXPECT_EQ(run(kF32, kI32, 4,
                [&](OpAttrs& a) {
                  valid(a);
                  SetI64s(a, "dilations", {1, 2, 1, 1});
                }),
            "tf.Conv2DBackpropInput does not support dilations, but got 2 and 1");
  EXPECT_EQ(run(kF32, kI32, 4,
                [](OpAttrs& a) {
                  a.SetString("padding", "EXPLICIT");
                  SetI64s(a, "explicit_paddings", {0, 0, 0, 0, 0, 0, 0, 0});
                }),
            "tf.Conv2DBackpropInput does not support explicit padding");
  EXPECT_THAT(run(kF32, kI32, 4, valid),
              testing::HasSubstr("Dimensions does not match: input channels is 0 and kernel depth "
                                 "is 2"));
}

TEST_F(OpErrorsTest, Normalization) {
  EXPECT_EQ(Error("tf.Softmax", {{kF32, {}}}), "softmax: a tensor of rank 0 has no last axis");
  EXPECT_EQ(Error("tf.LogSoftmax", {{kI32, {2}}}), "tf.LogSoftmax: unsupported dtype i32");
  auto batch_norm = [&](std::vector<TensorMetadata> arguments, std::function<void(OpAttrs&)> set,
                        size_t results = 6) {
    return Error("tf.FusedBatchNormV3", arguments, set, results);
  };
  const TensorMetadata x{kF32, {1, 2, 2, 3}}, c{kF32, {3}};
  auto epsilon = [](OpAttrs& a) { a.Set("epsilon", 1e-3f); };
  auto training = [](OpAttrs& a) {
    a.Set("epsilon", 1e-3f);
    a.Set("is_training", true);
  };
  const TensorMetadata nothing{kF32, {0}}, two{kF32, {2}};
  EXPECT_EQ(batch_norm({x, two, two, two, two}, training),
            "tf.FusedBatchNormV3: scale is f32 [2], expected f32 [3]");
  EXPECT_EQ(batch_norm({{kF32, {}}, c, c, c, c}, training),
            "tf.FusedBatchNormV3: x is f32 [], expected f32 [...,C]");
  EXPECT_EQ(batch_norm({x, c, c, nothing, nothing},
                       [&](OpAttrs& a) {
                         training(a);
                         a.Set("exponential_avg_factor", 0.5f);
                       }),
            "Mean, variance, bias, and scale are expected to have the same shape");
  EXPECT_EQ(batch_norm({x, c, nothing, c, c}, training),
            "Mean, variance, bias, and scale are expected to have the same shape");
  EXPECT_EQ(batch_norm({x, c, c, nothing, nothing}, epsilon),
            "Mean, variance, bias, and scale are expected to have the same shape");
  EXPECT_EQ(batch_norm({{kF64, {1, 2, 2, 3}}, c, c, c, c}, training),
            "unsupported dtype for TfFusedBatchNormV3Op");
  auto gradient = [&](std::vector<TensorMetadata> arguments,
                      std::function<void(OpAttrs&)> set = {}) {
    return Error("tf.FusedBatchNormGradV3", arguments, set, 5);
  };
  EXPECT_EQ(gradient({{kF32, {2, 3}}, x, c, c, c, nothing}),
            "y_backprop is f32 [2, 3], but x is f32 [1, 2, 2, 3]");
  EXPECT_EQ(gradient({{kF64, {2, 3}}, {kF64, {2, 3}}, c, c, c, nothing}),
            "tf.FusedBatchNormGradV3: x is f64 [2, 3], expected f32 [...,C]");
  EXPECT_EQ(gradient({x, x, {kF64, {3}}, c, c, nothing}),
            "tf.FusedBatchNormGradV3: scale is f64 [3], expected f32 [3]");
  EXPECT_EQ(gradient({x, x, c, two, c, nothing}),
            "tf.FusedBatchNormGradV3: reserve_space_1 is f32 [2], expected f32 [3]");
  EXPECT_EQ(gradient({x, x, c, c, nothing, nothing}),
            "tf.FusedBatchNormGradV3: reserve_space_2 is f32 [0], expected f32 [3]");
  EXPECT_EQ(
      gradient({x, x, c, c, c, nothing}, [](OpAttrs& a) { a.SetString("data_format", "NCHW"); }),
      "only channel last order is supported");
  EXPECT_EQ(batch_norm({x, c, c, {kF32, {2}}, c}, epsilon),
            "Mean, variance, bias, and scale are expected to have the same shape");
  EXPECT_EQ(batch_norm({x, c, c, c, c}, epsilon, 2),
            "TfFusedBatchNormV3Op only supports one valid output");
  EXPECT_EQ(batch_norm({x, c, c, c, c},
                       [&](OpAttrs& a) {
                         epsilon(a);
                         a.SetString("data_format", "NCHW");
                       }),
            "only channel last order is supported");
  EXPECT_EQ(batch_norm({{kF64, {1, 2, 2, 3}}, c, c, c, c}, epsilon),
            "unsupported dtype for TfFusedBatchNormV3Op");
  EXPECT_EQ(Error("tfrt.LayerNorm", {{kF32, {}}, c, c}),
            "layer_norm: a tensor of rank 0 has no last axis");
  EXPECT_EQ(Error("tfrt.LayerNorm", {x, {kF32, {2}}, c}),
            "layer_norm: the scale is f32 [2], expected f32 [3]");
  EXPECT_EQ(Error("tfrt.LayerNorm", {x, c, {kF64, {3}}}),
            "layer_norm: the offset is f64 [3], expected f32 [3]");
  EXPECT_EQ(Error("tfrt.LayerNorm", {{kI32, {3}}, {kI32, {3}}, {kI32, {3}}}),
            "tfrt.LayerNorm: unsupported dtype i32");
}

TEST_F(OpErrorsTest, Gradients) {
  EXPECT_EQ(Error("tfrt.GeluGrad", {{kF32, {2}}, {kF32, {3}}}),
            "gradients is f32 [2], but features is f32 [3]");
  EXPECT_EQ(Error("tfrt.GeluGrad", {{kF32, {2}}, {kF64, {2}}}),
            "gradients is f32 [2], but features is f64 [2]");
  EXPECT_EQ(Error("tfrt.GeluGrad", {{kI32, {2}}, {kI32, {2}}}),
            "tfrt.GeluGrad: gradients is i32 [2], an unsupported dtype");
  for (const char* op : {"tfrt.SoftmaxGrad", "tfrt.LogSoftmaxGrad"}) {
    EXPECT_EQ(Error(op, {{kF32, {2}}, {kF32, {1, 2}}}),
              "gradients is f32 [2], but the result is f32 [1, 2]");
    EXPECT_EQ(Error(op, {{kF32, {}}, {kF32, {}}}), "softmax: a tensor of rank 0 has no last axis");
    EXPECT_EQ(Error(op, {{kI1, {2}}, {kI1, {2}}}),
              StrCat(op, ": gradients is i1 [2], an unsupported dtype"));
  }
  auto layer_norm = [&](std::vector<TensorMetadata> arguments) {
    return Error("tfrt.LayerNormGrad", arguments, {}, 3);
  };
  EXPECT_EQ(layer_norm({{kF32, {2, 3}}, {kF32, {3, 2}}, {kF32, {2}}}),
            "gradients is f32 [2, 3], but x is f32 [3, 2]");
  EXPECT_EQ(layer_norm({{kF32, {}}, {kF32, {}}, {kF32, {1}}}),
            "layer_norm: a tensor of rank 0 has no last axis");
  EXPECT_EQ(layer_norm({{kF32, {2, 3}}, {kF32, {2, 3}}, {kF32, {2}}}),
            "layer_norm: the scale is f32 [2], expected f32 [3]");
  EXPECT_EQ(layer_norm({{kF64, {2, 3}}, {kF64, {2, 3}}, {kF64, {3}}}),
            "tfrt.LayerNormGrad: gradients is f64 [2, 3], an unsupported dtype");
}

TEST_F(OpErrorsTest, Reductions) {
  auto mean = [&](TensorMetadata in, std::vector<int32_t> axes) {
    return runner_.Error("tf.Mean", {runner_.Zeros(in.dtype, in.shape), runner_.Ints(axes)});
  };
  EXPECT_EQ(mean({kF32, {2, 3}}, {2}), "tf.Mean: axis 2 is out of range for rank 2");
  EXPECT_EQ(mean({kF32, {2, 3}}, {1, -1}), "tf.Mean: axis -1 is reduced twice");
  EXPECT_EQ(mean({kI1, {2, 3}}, {1}), "tf.Mean: unsupported dtype i1");
  EXPECT_EQ(mean({kI64, {2, 0}}, {1}), "tf.Mean: no elements in the shape [2, 0]");
  EXPECT_EQ(Error("tf.Sum", {{kF32, {2}}, {kF32, {1}}}),
            "tf.Sum: reduction_indices is a tensor of f32, expected i32 or i64");
  EXPECT_EQ(Error("tf.Sum", {{kC64, {2}}, {kI32, {1}}}), "tf.Sum: unsupported dtype complex64");
  EXPECT_EQ(runner_.Error("tf.Min", {runner_.Floats({2}), runner_.Ints({1})}),
            "tf.Min: axis 1 is out of range for rank 1");
  EXPECT_EQ(runner_.Error("tf.Max", {runner_.Floats({2}), runner_.Ints({0, 0})}),
            "tf.Max: axis 0 is reduced twice");
  EXPECT_EQ(Error("_tf.Mean", {{kF32, {2}}}),
            "'reduction_indices' attribute is not specified for Mean op");
  EXPECT_EQ(
      Error("_tf.Mean", {{kC64, {2}}}, [](OpAttrs& a) { SetI64s(a, "reduction_indices", {0}); }),
      "_tf.Mean: unsupported dtype complex64");
  EXPECT_EQ(Error("tf.ArgMax", {{kF32, {2}}, {kI32, {2}}}),
            "tf.ArgMax: the dimension has 2 elements, expected one");
  EXPECT_EQ(Error("tf.ArgMax", {{kF32, {0, 2}}, {kI32, {}}}),
            "argmax: axis 0 of the shape [0, 2] has no index of i64");
  EXPECT_EQ(Error("tf.ArgMax", {{kC64, {2}}, {kI32, {}}}),
            "tf.ArgMax: unsupported dtype complex64");
  EXPECT_EQ(Error("tf.ArgMax", {{kF32, {2}}, {kI32, {}}},
                  [](OpAttrs& a) { a.SetType("output_type", DType::kF32); }),
            "tf.ArgMax: no places of f32, only i32 and i64");
}

TEST_F(OpErrorsTest, Constants) {
  EXPECT_EQ(Error("tf.Const", {}), "tf.Const needs a `value` dense attribute");
  auto value = [](OpAttrs& a) {
    const int64_t dims[] = {1};
    const uint8_t bytes[4] = {};
    a.SetDense("value", DType::kF32, dims, bytes);
    a.SetType("dtype", DType::kI32);
  };
  EXPECT_EQ(Error("tf.Const", {}, value), "dtype attribute mismatch with expected tensor dtype");
  EXPECT_EQ(Error("tf.Const", {},
                  [](OpAttrs& a) {
                    const int64_t dims[] = {3};
                    const uint8_t bytes[4] = {};
                    a.SetDense("value", DType::kF32, dims, bytes);
                  }),
            "tf.Const: the `value` attribute has 4 bytes, but its shape needs 12");
  EXPECT_EQ(Error("tf.Const", {},
                  [](OpAttrs& a) {
                    const int64_t dims[] = {2};
                    const uint8_t bytes[2] = {1, 7};
                    a.SetDense("value", DType::kI1, dims, bytes);
                  }),
            "tf.Const: element 1 of the i1 `value` is 7");
  EXPECT_EQ(Error("tf.ZerosLike", {{kF32, {2}}}),
            "'T' attribute is not specified for ZerosLike op");
  EXPECT_EQ(
      Error("tf.ZerosLike", {{kF32, {2}}}, [](OpAttrs& a) { a.SetType("T", DType::kString); }),
      "a dense tensor cannot hold elements of type str");
  EXPECT_EQ(Error("tf.Shape", {{kF32, {2}}}), "'out_type' attribute is not specified for Shape op");
  auto out_type = [](DType dtype) { return [dtype](OpAttrs& a) { a.SetType("out_type", dtype); }; };
  EXPECT_EQ(Error("tf.Shape", {{kF32, {2}}}, out_type(DType::kF32)),
            "Unsupported `out_type` value: f32");
  EXPECT_EQ(Error("tf.Shape", {{kF32, {0, int64_t{1} << 32}}}, out_type(DType::kI32)),
            "tf.Shape: dimension 1 of the shape [0, 4294967296] does not fit i32");
  EXPECT_EQ(Error("tf.Fill", {{kI32, {1}}, {kF32, {2}}}),
            "tf.Fill: the value has 2 elements, expected one");
  EXPECT_EQ(Error("tf.Fill", {{kF32, {1}}, {kF32, {}}}),
            "tf.Fill: dims is a tensor of f32, expected i32 or i64");
}

TEST_F(OpErrorsTest, Shapes) {
  EXPECT_EQ(Error("tf.ExpandDims", {{kF32, {2}}, {kI32, {2}}}),
            "tf.ExpandDims: the axis has 2 elements, expected one");
  EXPECT_EQ(Error("tf.ExpandDims", {{kF32, {2}}, {kF32, {}}}),
            "tf.ExpandDims: axis is a tensor of f32, expected i32 or i64");
  EXPECT_EQ(runner_.Error("tf.ExpandDims", {runner_.Floats({2}), runner_.Ints({2})}),
            "tf.ExpandDims: axis 2 is out of range for rank 2");
  EXPECT_EQ(runner_.Error("tf.Reshape", {runner_.Floats({2, 3}), runner_.Ints({4, -1})}),
            "tf.Reshape: [2, 3] cannot become i32 [2] {4, -1}");
  EXPECT_EQ(runner_.Error("tf.Reshape", {runner_.Floats({2, 3}), runner_.Ints({5})}),
            "tf.Reshape: [2, 3] cannot become [5]");
  EXPECT_EQ(runner_.Error("tf.Reshape", {runner_.Floats({0}), runner_.Ints({0, -1})}),
            "tf.Reshape: [0] cannot become i32 [2] {0, -1}");
  EXPECT_THAT(runner_.Error("tf.Reshape", {runner_.Floats({2}), runner_.Ints({-1, -1})}),
              testing::HasSubstr("-1"));
  EXPECT_EQ(
      Error("tf.Squeeze", {{kF32, {2, 1}}}, [](OpAttrs& a) { SetI64s(a, "squeeze_dims", {0}); }),
      "tf.Squeeze cannot remove dimension 0 of the shape [2, 1]: its size is 2");
  EXPECT_EQ(Error("_tf.Transpose", {{kF32, {2, 1}}}),
            "'perm' attribute is not specified for Transpose op");
  EXPECT_EQ(runner_.Error("tf.Transpose", {runner_.Floats({2, 1}), runner_.Ints({1, 1})}),
            "tf.Transpose: i32 [2] {1, 1} is not a permutation");
  // More numbers than a tensor can have dimensions, of which the first are a permutation.
  std::vector<int64_t> many(256, 0);
  many[0] = 1;
  EXPECT_EQ(Error("_tf.Transpose", {{kF32, {2, 3}}}, [&](OpAttrs& a) { SetI64s(a, "perm", many); }),
            "_tf.Transpose: 256 numbers are not a permutation");
  EXPECT_EQ(runner_.Error("tf.Transpose", {runner_.Floats({}), runner_.Zeros(kI32, {256})}),
            "tf.Transpose: 256 numbers are not a permutation");
}

TEST_F(OpErrorsTest, Movement) {
  EXPECT_EQ(Error("tf.ConcatV2", {{kI32, {}}}), "tf.ConcatV2: there is nothing to concatenate");
  EXPECT_EQ(Error("tf.ConcatV2", {{kF32, {2}}, {kI32, {2}}, {kI32, {}}}),
            "tf.ConcatV2: incompatible dtypes f32 and i32");
  EXPECT_EQ(Error("tf.ConcatV2", {{kF32, {2, 2}}, {kF32, {2, 3}}, {kI32, {}}}),
            "tf.ConcatV2: sizes that must be equal are 2 and 3");
  EXPECT_EQ(Error("tf.Tile", {{kF32, {2}}, {kF32, {1}}}),
            "tf.Tile: multiples is a tensor of f32, expected i32 or i64");
  EXPECT_EQ(Error("tf.Tile", {{kF32, {2}}, {kI32, {2}}}),
            "tf.Tile: there are 2 numbers for rank 1");
  EXPECT_EQ(runner_.Error("tf.Tile", {runner_.Floats({2}), runner_.Ints({-1})}),
            "tf.Tile: a dimension cannot be repeated -1 times");
  EXPECT_EQ(
      runner_.Error("tf.Slice", {runner_.Floats({4, 2}), runner_.Ints({2}), runner_.Ints({1, 1})}),
      "tf.Slice: sizes that must be equal are 1 and 2");
  EXPECT_EQ(runner_.Error("tf.Slice", {runner_.Floats({4}), runner_.Ints({2}), runner_.Ints({})}),
            "tf.Slice: sizes that must be equal are 1 and 0");
  for (auto [begin, size] : {std::pair{2, 3}, {-1, 1}, {5, 0}, {0, -2}}) {
    EXPECT_EQ(
        runner_.Error("tf.Slice",
                      {runner_.Floats({4}), runner_.Ints({begin}), runner_.Ints({size})}),
        StrCat("tf.Slice: nothing of size ", size, " from ", begin, " lies in dimension 0 of [4]"));
  }
  EXPECT_EQ(Error("tf.Slice", {{kF32, {4}}, {kF32, {1}}, {kI32, {1}}}),
            "tf.Slice: begin is a tensor of f32, expected i32 or i64");
  EXPECT_EQ(runner_.Error("tf.GatherV2",
                          {runner_.Floats({2, 3}), runner_.Ints({0, 3}), runner_.Ints({1})}),
            "tf.GatherV2: index 3 is out of range for axis 1 of the shape [2, 3]");
  EXPECT_EQ(Error("tf.GatherV2", {{kF32, {2}}, {kF32, {1}}, {kI32, {}}}),
            "tf.GatherV2: indices is a tensor of f32, expected i32 or i64");
  auto batch_dims = [](int64_t n) { return [n](OpAttrs& a) { a.Set("batch_dims", n); }; };
  EXPECT_EQ(Error("tf.GatherV2", {{kF32, {2, 2}}, {kI32, {2}}, {kI32, {}}}, batch_dims(1)),
            "tf.GatherV2: axis 0 is a batch dimension");
  for (int64_t n : {2, -2}) {
    EXPECT_EQ(Error("tf.GatherV2", {{kF32, {2}}, {kI32, {1}}, {kI32, {}}}, batch_dims(n)),
              StrCat("tf.GatherV2: batch_dims ", n, " is out of range for rank 1"));
  }
  EXPECT_EQ(runner_.Error("tf.GatherV2",
                          {runner_.Floats({2, 3}), runner_.Zeros(kI32, {3, 1}), runner_.Ints({1})},
                          [&] {
                            static OpAttrs attrs;
                            batch_dims(1)(attrs);
                            return OpAttrsRef(attrs);
                          }()),
            "tf.GatherV2: sizes that must be equal are 2 and 3");
  EXPECT_EQ(Error("tf.GatherNd", {{kF32, {2}}, {kF32, {1}}}),
            "tf.GatherNd: indices is a tensor of f32, expected i32 or i64");
  EXPECT_EQ(Error("tf.GatherNd", {{kF32, {2}}, {kI32, {}}}),
            "indices of the shape [] have no last dimension");
  EXPECT_EQ(Error("tf.GatherNd", {{kF32, {5, 5}}, {kI32, {2, 3}}}),
            "indices of the shape [2, 3] are too many for the shape [5, 5]");
  EXPECT_EQ(Error("tf.GatherNd", {{kF32, {0, 5}}, {kI32, {2, 2}}}),
            "tf.GatherNd: row 0 of the indices, [0, 0], is not in the shape [0, 5]");
  auto one_hot = [&](DType indices, int32_t depth, TensorMetadata off, int64_t axis) {
    OpAttrs attrs;
    attrs.Set("axis", axis);
    return runner_.Error("tf.OneHot",
                         {runner_.Zeros(indices, {2}), runner_.Ints({depth}), runner_.Floats({}),
                          runner_.Zeros(off.dtype, off.shape)},
                         attrs);
  };
  EXPECT_EQ(one_hot(kI32, -1, {kF32, {}}, 0), "tf.OneHot: the depth is -1");
  EXPECT_EQ(one_hot(kI32, 2, {kI32, {}}, 0), "tf.OneHot: incompatible dtypes f32 and i32");
  EXPECT_EQ(one_hot(kI32, 2, {kF32, {}}, 2),
            "tf.OneHot: axis 2 is out of range for indices of rank 1");
  EXPECT_EQ(one_hot(kI1, 2, {kF32, {}}, -1),
            "tf.OneHot: the indices are a tensor of i1, expected real numbers");
}

// Sizes that no rule can follow, and tensors of other kinds, reach the functions of ops.
TEST_F(OpErrorsTest, SizesThatAreNoIntegers) {
  std::vector<std::string> six(6, std::string(40, 'x'));
  EXPECT_EQ(runner_.Error("tf.Reshape", {runner_.Strings({6}, six), runner_.Floats({0})}),
            "tf.Reshape: shape is a tensor of f32, expected i32 or i64");
  EXPECT_EQ(Error("tf.Reshape", {{kF32, {1}}, {kF32, {0}}}),
            "tf.Reshape: shape is a tensor of f32, expected i32 or i64");
}

TEST_F(OpErrorsTest, Padding) {
  EXPECT_EQ(Error("tf.Pad", {{kF32, {2}}, {kI32, {2, 2}}}),
            "tf.Pad: there are 4 numbers for rank 1");
  EXPECT_EQ(Error("tf.Pad", {{kF32, {2}}, {kF32, {1, 2}}}),
            "tf.Pad: paddings is a tensor of f32, expected i32 or i64");
  EXPECT_EQ(Error("tf.PadV2", {{kF32, {2}}, {kI32, {1, 2}}, {kF64, {2}}}),
            "tf.PadV2: the constant has 2 elements, expected one");
  EXPECT_EQ(Error("_tf.Pad", {{kF32, {2}}}), "'paddings' attribute is not specified for Pad op");
}

TEST_F(OpErrorsTest, Training) {
  EXPECT_EQ(Error("tf.SparseSoftmaxCrossEntropyWithLogits", {{kF32, {2, 3}}, {kI32, {3}}}, {}, 2),
            "the labels have the shape [3], but the logits [2, 3]");
  EXPECT_EQ(Error("tf.SparseSoftmaxCrossEntropyWithLogits", {{kF64, {2, 3}}, {kI32, {2}}}, {}, 2),
            "tf.SparseSoftmaxCrossEntropyWithLogits: unsupported dtype f64");
  for (const char* dtype : {"i32", "i64"}) {
    TensorHandle labels = dtype == std::string("i32") ? runner_.Dense<int32_t>({1}, {3})
                                                      : runner_.Dense<int64_t>({1}, {3});
    EXPECT_EQ(runner_.Error("tf.SparseSoftmaxCrossEntropyWithLogits",
                            {runner_.Floats({1, 3}), labels}, {}, 2),
              "softmax_cross_entropy: label 3 is out of range for 3 classes");
  }
  EXPECT_EQ(Error("tfrt.SgdUpdate", {{kF32, {2}}, {kF32, {3}}, {kF32, {}}}),
            "sgd_update: the gradient has the shape [3], expected [2]");
  EXPECT_EQ(Error("tfrt.SgdUpdate", {{kF32, {2}}, {kF32, {2}}, {kF32, {2}}}),
            "sgd_update: the learning rate has the shape [2], expected one element");
  EXPECT_EQ(Error("tfrt.SgdUpdate", {{kF64, {2}}, {kF64, {2}}, {kF64, {1}}}),
            "unsupported dtype for SgdUpdate");
}

TEST_F(OpErrorsTest, TestOps) {
  auto shape = [](std::vector<int64_t> dims) {
    return [=](OpAttrs& a) { SetI64s(a, "shape", dims); };
  };
  constexpr std::string_view kDense = "tfrt_test.create_dense_tensor";
  EXPECT_EQ(Error(kDense, {}), "missing 'shape' attribute");
  EXPECT_EQ(Error(kDense, {}, shape({2})), "missing 'values' attribute");
  auto values = [&](auto set) {
    return [=](OpAttrs& a) {
      SetI64s(a, "shape", {2});
      set(a);
    };
  };
  EXPECT_EQ(Error(kDense, {}, values([](OpAttrs& a) { a.Set("values", 1.0f); })),
            "'values' attribute should be an array of values");
  EXPECT_EQ(Error(kDense, {}, values([](OpAttrs& a) { SetI64s(a, "values", {1, 2, 3}); })),
            "size of 'values' must either be 1 or match num of elements.");
  EXPECT_EQ(Error(kDense, {}, values([](OpAttrs& a) {
                    const bool bits[] = {true};
                    a.SetArray<bool>("values", bits);
                  })),
            "tfrt_test.create_dense_tensor unsupported dtype");
  constexpr std::string_view kScalar = "tfrt_test.create_from_scalar";
  EXPECT_EQ(Error(kScalar, {}), "tfrt_test.create_from_scalar must have 'shape' attribute");
  EXPECT_EQ(Error(kScalar, {}, shape({2})),
            "tfrt_test.create_from_scalar must have 'value' attribute");
  EXPECT_EQ(Error(kScalar, {}, values([](OpAttrs& a) { a.SetString("value", "x"); })),
            "tfrt_test.create_from_scalar unsupported dtype");
  constexpr std::string_view kCoo = "tfrt_test.create_coo_tensor";
  EXPECT_EQ(Error(kCoo, {{kI64, {2}}, {kF32, {2}}}, shape({2})),
            "tfrt_test.create_coo_tensor indices input must be rank 2");
  EXPECT_EQ(Error(kCoo, {{kI64, {2, 1}}, {kF32, {2, 1}}}, shape({2})),
            "tfrt_test.create_coo_tensor values input must be rank 1");
  EXPECT_EQ(Error(kCoo, {{kI64, {2, 1}}, {kF32, {2}}}),
            "tfrt_test.create_coo_tensor must have 'shape' attribute");
  EXPECT_EQ(Error(kCoo, {{kI64, {2, 1}}, {kF32, {2}}}, shape({2, 2})),
            "each test.create_coo_tensor index must have the same size as shape attribute");
  EXPECT_EQ(Error("tfrt_test.add", {{kF32, {2}}, {kI32, {2}}}), "incompatible dtypes for test.add");
  EXPECT_EQ(Error("tfrt_test.add.denseonly3", {{kF32, {2}}, {kF32, {3}}}),
            "arguments of test.add must have same shape");
  EXPECT_EQ(Error("tfrt_test.add", {{kI1, {2}}, {kI1, {2}}}), "unsupported dtype for test.add: i1");
  EXPECT_EQ(Error("tfrt_test.odd_collector", {{kI32, {2, 2}}}), "expected a 1D tensor input");
  EXPECT_EQ(Error("tfrt_test.odd_collector", {{kI64, {2}}}), "expected a i32 element type");
  EXPECT_EQ(Error("tfrt_test.error.tensor", {{kI64, {2}}}),
            "error from test.error.tensor implementation");
  EXPECT_EQ(Error("tfrt_test.equal", {{kF32, {2}}, {kI32, {2}}}),
            "incompatible dtypes for element-wise op");
  EXPECT_EQ(Error("tfrt_test.equal", {{kF32, {2}}, {kF32, {3}}}),
            "arguments to element-wise op must have identical shapes");
  EXPECT_EQ(Error("tfrt_test.equal", {{kC64, {2}}, {kC64, {2}}}), "unsupported dtype for equal");
  EXPECT_EQ(Error("tfrt_test.cast", {{kF32, {2}}}), "missing 'type' attribute");
  auto type = [](std::string_view name) { return [=](OpAttrs& a) { a.SetString("type", name); }; };
  EXPECT_EQ(Error("tfrt_test.cast", {{kF32, {2}}}, type("i32")),
            "only casting to f32/f16 is supported");
  EXPECT_EQ(Error("tfrt_test.cast", {{kC64, {2}}}, type("f32")), "unsupported dtype for cast");
  EXPECT_EQ(Error("tfrt_test.broadcast", {{kF32, {2}}}), "missing 'shape' attribute");
  EXPECT_EQ(Error("tfrt_test.broadcast", {{kF32, {2}}}, shape({2})),
            "result shape must be 2 dimensional (for now)");
  EXPECT_EQ(Error("tfrt_test.broadcast", {{kF32, {2}}}, shape({2, 3})),
            "input dimension and target shape mismatch");
  EXPECT_EQ(Error("tfrt_test.broadcast", {{kC64, {2}}}, shape({2, 2})),
            "unsupported dtype for broadcast");
  auto axis = [](int32_t number) { return [=](OpAttrs& a) { a.Set("axis", number); }; };
  for (const char* op : {"tfrt_test.argmax", "tfrt_test.reduce_mean"}) {
    EXPECT_EQ(Error(op, {{kF32, {2, 2}}}), "missing 'axis' attribute");
    EXPECT_EQ(Error(op, {{kF32, {2, 2}}}, axis(2)), "axis must less than input rank");
    EXPECT_EQ(Error(op, {{kF32, {2, 2}}}, axis(-1)), "axis must less than input rank");
  }
  EXPECT_EQ(Error("tfrt_test.argmax", {{kF32, {2, 2}}}, axis(0)), "unsupported axis for argmax");
  EXPECT_EQ(Error("tfrt_test.argmax", {{kC64, {2, 2}}}, axis(1)), "unsupported dtype for argmax");
  EXPECT_EQ(Error("tfrt_test.argmax", {{kF32, {2, 0}}}, axis(1)),
            "argmax: axis 1 of the shape [2, 0] has no index of i32");
  EXPECT_EQ(Error("tfrt_test.reduce_mean", {{kF32, {2, 2}}}, axis(1)),
            "unsupported axis for reduce_mean");
  EXPECT_EQ(Error("tfrt_test.reduce_mean", {{kC64, {2, 2}}}, axis(0)),
            "unsupported dtype for reduce_mean");
  EXPECT_EQ(Error("tfrt_test.reduce_mean", {{kF32, {0, 2}}}, axis(0)),
            "reduce_mean: no elements in the shape [0, 2]");
}

// Gives no memory once it is told so.
class FailingAllocator : public HostAllocator {
 public:
  explicit FailingAllocator(const bool* fail) : fail_(fail), inner_(CreateMallocAllocator()) {}
  void* AllocateBytes(size_t size, size_t alignment) override {
    return *fail_ ? nullptr : inner_->AllocateBytes(size, alignment);
  }
  void DeallocateBytes(void* data, size_t size) override { inner_->DeallocateBytes(data, size); }

 private:
  const bool* fail_;
  std::unique_ptr<HostAllocator> inner_;
};

TEST(OpMemoryTest, NoMemory) {
  bool fail = false;
  HostOpRunner runner("s", std::make_unique<FailingAllocator>(&fail));
  Handles two = {runner.Floats({2}), runner.Floats({2})};
  TensorHandle ints = runner.Ints({1, 2});
  TensorHandle matrix = runner.Dense<int32_t>({1, 2}, {1, 2});
  OpAttrs transposed;
  transposed.Set("transpose_a", true);
  transposed.Set("transpose_b", false);
  fail = true;
  EXPECT_EQ(runner.Error("tf.AddV2", two), "Cannot allocate tensor");
  EXPECT_EQ(runner.Error("tf.MatMul", {matrix, matrix}, transposed), "Cannot allocate tensor");
  EXPECT_EQ(runner.Error("tfrt_test.matmul", {matrix, matrix}, transposed),
            "Cannot allocate tensor");
  EXPECT_EQ(runner.Error("tfrt_test.equal", two), "out of memory allocating result");
  EXPECT_EQ(runner.Error("tfrt_test.async.noop", {two[0]}), "out of memory allocating result");
  EXPECT_EQ(runner.Error("tfrt_test.odd_collector", {ints}), "cannot allocate tensor");
}

}  // namespace
}  // namespace tfrt
