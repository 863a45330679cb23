// graph.fused_conv, graph.fused_batch_matmul and packed weights.

#include <cmath>

#include "backends.h"
#include "image_reference.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

struct NamedFunction {
  const char* name;
  double (*function)(double x, double alpha, double beta);
  float alpha = 0, beta = 0;
};

double Between(double x, double low, double high) { return std::min(std::max(x, low), high); }

const NamedFunction kFunctions[] = {
    {"none", [](double x, double, double) { return x; }},
    {"relu", [](double x, double, double) { return std::max(x, 0.0); }},
    {"leaky_relu", [](double x, double a, double) { return x < 0 ? a * x : x; }, 0.25f},
    {"clip", [](double x, double a, double b) { return Between(x, a, b); }, -0.5f, 1.5f},
    {"gelu", [](double x, double, double) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }},
    {"gelu_tanh",
     [](double x, double, double) {
       return x / 2 * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
     }},
    {"sigmoid", [](double x, double, double) { return 1 / (1 + std::exp(-x)); }},
    {"tanh", [](double x, double, double) { return std::tanh(x); }},
    {"hard_sigmoid", [](double x, double a, double b) { return Between(a * x + b, 0, 1); }, 0.2f,
     0.5f},
    {"hard_swish", [](double x, double, double) { return x * Between(x / 6 + 0.5, 0, 1); }},
    {"swish", [](double x, double a, double) { return x / (1 + std::exp(-a * x)); }, 1.5f},
    {"elu", [](double x, double a, double) { return x < 0 ? a * std::expm1(x) : x; }, 0.75f},
    {"softplus", [](double x, double, double) { return std::log1p(std::exp(x)); }},
    {"mish", [](double x, double, double) { return x * std::tanh(std::log1p(std::exp(x))); }},
};

void SetFunction(const NamedFunction& function, OpAttrs& attrs) {
  attrs.SetString("activation", function.name);
  attrs.Set("alpha", function.alpha);
  attrs.Set("beta", function.beta);
}

class FusedOpsTest : public BackendTest {
 protected:
  static void SetWindows(const ImageCase& c, bool last, OpAttrs& attrs) {
    attrs.Set("channels_last", last);
    attrs.Set("groups", c.groups);
    attrs.SetString("padding", c.padding);
    attrs.SetArray("strides", std::span<const int64_t>(c.strides));
    attrs.SetArray("dilations", std::span<const int64_t>(c.dilations));
    attrs.SetArray("pads", std::span<const int64_t>(c.pads));
  }

  // With plain filters, and with those packed from f32 and from bf16, which holds these numbers.
  void CheckConv(const ImageCase& c, const NamedFunction& function) {
    const int64_t per_group = c.inputs / c.groups, places = c.Product(c.out_sizes());
    const Doubles image = RandomEighths(c.batch * c.inputs * c.Product(c.in), 1);
    const Doubles filter = RandomEighths(c.outputs * per_group * c.Product(c.kernel), 2);
    const Doubles bias = RandomEighths(c.outputs, 3);
    const Doubles addend = RandomEighths(c.batch * c.outputs * places, 4);
    Doubles expected = c.Convolve(image, filter, bias);
    for (size_t i = 0; i < expected.size(); ++i) {
      expected[i] = function.function(expected[i] + addend[i], function.alpha, function.beta);
    }
    for (bool last : {false, true}) {
      for (DType packed_from : {DType::kUnsupported, DType::kF32, DType::kBF16}) {
        SCOPED_TRACE(StrCat(function.name, last ? " last" : " first", " packed from ",
                            DTypeName(packed_from), " ", c.in[0], " ", c.groups));
        Numbers filter_dims = c.kernel;
        filter_dims.insert(last ? filter_dims.end() : filter_dims.begin(),
                           {last ? per_group : c.outputs, last ? c.outputs : per_group});
        const TensorShape filter_shape = *TensorShape::Create(filter_dims);
        const Doubles elements = last ? FilterLast(filter, c.outputs, per_group) : filter;
        const bool is_half = packed_from == DType::kBF16;
        TensorHandle weights =
            is_half ? Make<Bf16>(filter_shape, elements) : Make<float>(filter_shape, elements);
        OpAttrs attrs;
        SetWindows(c, last, attrs);
        if (packed_from != DType::kUnsupported) {
          // The sizes of the images are not known.
          OpAttrs pack_attrs;
          SetWindows(c, last, pack_attrs);
          pack_attrs.Set("widen", is_half);
          weights = runner_->Run1("graph.pack_filter", {weights}, pack_attrs);
          ASSERT_FALSE(weights.IsError()) << weights.async_tensor()->GetError().message();
          ASSERT_EQ(weights.tensor()->tensor_type(), kPackedFilterTensorType);
        }
        SetFunction(function, attrs);
        TensorHandle result =
            runner_->Run1("graph.fused_conv",
                          {Make<float>(ShapeWith(c.in, c.batch, c.inputs, last),
                                       last ? ChannelsLast(image, c.batch, c.inputs) : image),
                           weights, Make<float>({c.outputs}, bias),
                           Make<float>(ShapeWith(c.out_sizes(), c.batch, c.outputs, last),
                                       last ? ChannelsLast(addend, c.batch, c.outputs) : addend)},
                          attrs);
        ExpectNear<float>(result, last ? ChannelsLast(expected, c.batch, c.outputs) : expected,
                          2e-4);
        if (HasFatalFailure()) return;
      }
    }
  }
};

const ImageCase kSmall = {
    .in = {6, 7}, .kernel = {3, 3}, .inputs = 5, .outputs = 7, .pads = {1, 1, 1, 1}};
const ImageCase kLarge = {
    .in = {22, 22}, .kernel = {3, 3}, .inputs = 16, .outputs = 32, .pads = {1, 1, 1, 1}};

TEST_P(FusedOpsTest, ConvolutionsWithEveryActivation) {
  for (const NamedFunction& function : kFunctions) {
    CheckConv(kSmall, function);
    if (HasFatalFailure()) return;
  }
  CheckConv(kLarge, kFunctions[1]);
  CheckConv(kLarge, kFunctions[8]);
}

TEST_P(FusedOpsTest, ConvolutionsOfEveryKind) {
  const ImageCase cases[] = {
      {.in = {20}, .kernel = {3}, .batch = 2, .inputs = 16, .outputs = 16, .strides = {2}},
      {.in = {12, 12},
       .kernel = {3, 3},
       .inputs = 32,
       .outputs = 32,
       .groups = 32,
       .padding = "same_upper"},
      {.in = {12, 12}, .kernel = {3, 3}, .inputs = 32, .outputs = 64, .groups = 4},
      {.in = {9, 9}, .kernel = {1, 1}, .inputs = 48, .outputs = 24},
      {.in = {4, 9, 9}, .kernel = {2, 2, 2}, .inputs = 8, .outputs = 16},
      // One layer deep, which is not known when the filter is packed.
      {.in = {1, 9, 9}, .kernel = {1, 2, 2}, .inputs = 8, .outputs = 16},
      {.in = {1, 5, 4},
       .kernel = {1, 2, 1},
       .batch = 2,
       .inputs = 9,
       .outputs = 6,
       .groups = 3,
       .dilations = {1, 2, 2}},
      // Windows that see nothing of the image; of the last, that depends on the image.
      {.in = {4, 4}, .kernel = {1, 3}, .inputs = 1, .outputs = 1, .pads = {1, 1, 1, 1}},
      {.in = {4, 4}, .kernel = {3, 1}, .inputs = 8, .outputs = 16, .pads = {0, 1, 0, 2}},
      {.in = {3, 5},
       .kernel = {2, 2},
       .inputs = 4,
       .outputs = 4,
       .groups = 2,
       .pads = {4, 0, 3, 0}},
      {.in = {2, 6},
       .kernel = {2, 2},
       .inputs = 8,
       .outputs = 16,
       .dilations = {3, 1},
       .pads = {1, 0, 1, 0}},
      // Windows that begin inside of the image, which oneDNN does not know.
      {.in = {9, 9}, .kernel = {3, 3}, .inputs = 8, .outputs = 16, .pads = {-1, 0, 1, 0}},
      // Large enough to be cut by output channels, and by pixels.
      {.in = {5, 7}, .kernel = {3, 3}, .inputs = 64, .outputs = 192, .pads = {1, 1, 1, 1}},
      {.in = {13, 13}, .kernel = {1, 1}, .inputs = 128, .outputs = 128},
  };
  for (const ImageCase& c : cases) {
    CheckConv(c, kFunctions[9]);
    if (HasFatalFailure()) return;
  }
}

TEST_P(FusedOpsTest, ProductsWithEverything) {
  struct Case {
    int64_t batch, m, k, n;
    float scale;
    bool transpose_b, has_bias;
    Numbers addend;
  };
  const Case cases[] = {
      {1, 5, 7, 9, 1, false, true, {}},
      {3, 5, 7, 9, 0.5f, false, true, {5, 1}},
      {2, 16, 32, 24, 1, true, false, {2, 16, 24}},
      {2, 16, 32, 24, 2, true, true, {2, 16, 24}},
      {1, 1, 64, 200, 1, false, true, {}},
      {2, 80, 128, 160, 1, false, true, {2, 80, 160}},
  };
  for (const Case& c : cases) {
    const Doubles a = RandomEighths(c.batch * c.m * c.k, 1), b = RandomEighths(c.k * c.n, 2);
    const Doubles bias = RandomEighths(c.n, 3);
    Doubles addend;
    if (!c.addend.empty()) addend = RandomEighths(ImageCase::Product(c.addend), 4);
    const NamedFunction& function = kFunctions[c.m % 2 == 0 ? 10 : 1];
    Doubles expected;
    for (int64_t i = 0; i < c.batch * c.m; ++i) {
      for (int64_t j = 0; j < c.n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < c.k; ++l) sum += a[i * c.k + l] * b[l * c.n + j];
        sum = sum * c.scale + (c.has_bias ? bias[j] : 0);
        if (addend.size() == static_cast<size_t>(c.batch * c.m * c.n)) {
          sum += addend[i * c.n + j];
        } else if (!addend.empty()) {
          sum += addend[i % c.m];
        }
        expected.push_back(function.function(sum, function.alpha, function.beta));
      }
    }
    // As it is, or packed from f32, or from 16 bits, which hold these numbers, for few rows or
    // many.
    constexpr std::pair<DType, int64_t> kPackings[] = {
        {DType::kUnsupported, 0}, {DType::kF32, 0},    {DType::kF16, 1},
        {DType::kBF16, 1},        {DType::kBF16, 100}, {DType::kF16, 100}};
    for (auto [dtype, rows] : kPackings) {
      SCOPED_TRACE(StrCat(c.batch, "x", c.m, "x", c.k, "x", c.n, " packed from ", DTypeName(dtype),
                          " for ", rows, " rows"));
      const TensorShape shape = c.transpose_b ? TensorShape{c.n, c.k} : TensorShape{c.k, c.n};
      const Doubles elements = c.transpose_b ? ChannelsLast(b, 1, c.k) : b;
      TensorHandle matrix = dtype == DType::kF16    ? Make<Fp16>(shape, elements)
                            : dtype == DType::kBF16 ? Make<Bf16>(shape, elements)
                                                    : Make<float>(shape, elements);
      OpAttrs attrs;
      attrs.Set("transpose_b", c.transpose_b);
      if (dtype != DType::kUnsupported) {
        OpAttrs pack_attrs;
        pack_attrs.Set("transpose_b", c.transpose_b);
        pack_attrs.Set("rows", rows);
        pack_attrs.Set("widen", dtype != DType::kF32);
        matrix = runner_->Run1("graph.pack_matrix", {matrix}, pack_attrs);
        ASSERT_FALSE(matrix.IsError()) << matrix.async_tensor()->GetError().message();
        ASSERT_EQ(matrix.tensor()->tensor_type(), kPackedMatrixTensorType);
      }
      attrs.Set("scale", c.scale);
      SetFunction(function, attrs);
      Handles arguments = {Make<float>({c.batch, c.m, c.k}, a), matrix};
      arguments.push_back(c.has_bias ? Make<float>({c.n}, bias) : TensorHandle());
      if (!addend.empty()) {
        arguments.push_back(Make<float>(*TensorShape::Create(c.addend), addend));
      }
      ExpectNear<float>(runner_->Run1("graph.fused_batch_matmul", arguments, attrs), expected,
                        2e-4);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(FusedOpsTest, BatchesOfMatrices) {
  // [2,1,4,5] times [3,5,6], with a sum for all of them.
  const Doubles a = RandomEighths(2 * 4 * 5, 1), b = RandomEighths(3 * 5 * 6, 2);
  const Doubles addend = RandomEighths(4 * 6, 3);
  Doubles expected;
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t row = 0; row < 4; ++row) {
      for (int64_t column = 0; column < 6; ++column) {
        double sum = addend[row * 6 + column];
        for (int64_t l = 0; l < 5; ++l) {
          sum += 0.5 * a[(i / 3 * 4 + row) * 5 + l] * b[(i % 3 * 5 + l) * 6 + column];
        }
        expected.push_back(sum);
      }
    }
  }
  OpAttrs attrs;
  attrs.Set("scale", 0.5f);
  ExpectNear<float>(runner_->Run1("graph.fused_batch_matmul",
                                  {Make<float>({2, 1, 4, 5}, a), Make<float>({3, 5, 6}, b),
                                   TensorHandle(), Make<float>({4, 6}, addend)},
                                  attrs),
                    expected, 1e-5);
  ExpectNear<Fp16>(runner_->Run1("graph.fused_batch_matmul",
                                 {Make<Fp16>({2, 1, 4, 5}, a), Make<Fp16>({3, 5, 6}, b),
                                  TensorHandle(), Make<Fp16>({4, 6}, addend)},
                                 attrs),
                   expected, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Backends, FusedOpsTest, AllBackends(), BackendName);

TEST(FusedOpErrorsTest, Refused) {
  GraphOpRunner runner;
  OpAttrs attrs;
  attrs.SetString("activation", "cube");
  EXPECT_EQ(runner.Error("graph.fused_conv",
                         {runner.Floats({1, 1, 2, 2}), runner.Floats({1, 1, 1, 1})}, attrs),
            "unknown activation 'cube'; there are none, relu, gelu, gelu_tanh, tanh, sigmoid, "
            "leaky_relu, clip, hard_sigmoid, hard_swish, swish, elu, softplus, mish");
  TensorHandle packed = runner.Run1("graph.pack_filter", {runner.Floats({4, 2, 3, 3})});
  OpAttrs groups;
  groups.Set("groups", int64_t{2});
  EXPECT_EQ(runner.Error("graph.fused_conv", {runner.Floats({1, 4, 5, 5}), packed}, groups),
            "the filter is packed for 1 groups, but the convolution has 2");
  EXPECT_EQ(runner.Error("graph.fused_batch_matmul",
                         {runner.Floats({2, 2}),
                          runner.Run1("graph.pack_filter", {runner.Floats({2, 2, 1})})}),
            "the second factor is a PackedFilter tensor, expected a dense one or a packed matrix");
  TensorHandle matrix = runner.Run1("graph.pack_matrix", {runner.Floats({3, 4})});
  OpAttrs transposed;
  transposed.Set("transpose_b", true);
  EXPECT_EQ(runner.Error("graph.fused_batch_matmul", {runner.Floats({2, 4}), matrix}, transposed),
            "the packed matrix and the matmul differ in transpose_b");
  EXPECT_EQ(
      runner.Error("graph.fused_conv", {runner.Zeros(DType::kF64, {1, 1, 2, 2}),
                                        runner.Zeros(DType::kF64, {1, 1, 1, 1}), TensorHandle(),
                                        runner.Zeros(DType::kF64, {1, 1, 2, 2})}),
      "packed filters, addends and activations of convolutions are not supported for f64");
  EXPECT_EQ(runner.Error("graph.abs", {packed}),
            "Cannot implictly convert PackedFilter to DenseHost");
}

TEST(FusedOpsMemoryTest, ADeadAddendIsTheResult) {
  GraphOpRunner runner;
  Handles arguments = {runner.Floats({1, 1, 2, 2}), runner.Floats({1, 1, 1, 1}), TensorHandle(),
                       runner.Floats({1, 1, 2, 2})};
  const void* memory = DenseOf(arguments[3]).data();
  TensorHandle result = runner.Run1("graph.fused_conv", std::move(arguments));
  EXPECT_EQ(DenseOf(result).data(), memory);
}

}  // namespace
}  // namespace tfrt
