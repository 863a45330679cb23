// graph.conv and graph.conv_transpose against their definitions.

#include "backends.h"
#include "image_reference.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

class ConvolutionOpsTest : public BackendTest {
 protected:
  static void SetAttrs(const ImageCase& c, bool last, OpAttrs& attrs) {
    attrs.Set("channels_last", last);
    attrs.Set("groups", c.groups);
    attrs.SetString("padding", c.padding);
    attrs.SetArray("strides", std::span<const int64_t>(c.strides));
    attrs.SetArray("dilations", std::span<const int64_t>(c.dilations));
    attrs.SetArray("pads", std::span<const int64_t>(c.pads));
  }

  template <typename T>
  void CheckConv(const ImageCase& c, double tolerance, bool with_bias = true) {
    const int64_t per_group = c.inputs / c.groups;
    const Doubles image = RandomEighths(c.batch * c.inputs * c.Product(c.in), 1);
    const Doubles filter = RandomEighths(c.outputs * per_group * c.Product(c.kernel), 2);
    const Doubles bias = with_bias ? RandomEighths(c.outputs, 3) : Doubles();
    const Doubles expected = c.Convolve(image, filter, bias);
    for (bool last : {false, true}) {
      SCOPED_TRACE(StrCat(last ? "channels last " : "channels first ", c.batch, " x ", c.inputs,
                          " -> ", c.outputs, " in ", c.groups, ", rows ", c.in[0]));
      Handles arguments = {
          Make<T>(ShapeWith(c.in, c.batch, c.inputs, last),
                  last ? ChannelsLast(image, c.batch, c.inputs) : image),
          Make<T>(last ? FilterShapeLast(c) : ShapeWith(c.kernel, c.outputs, per_group, false),
                  last ? FilterLast(filter, c.outputs, per_group) : filter)};
      if (with_bias) arguments.push_back(Make<T>({c.outputs}, bias));
      OpAttrs attrs;
      SetAttrs(c, last, attrs);
      TensorHandle result = runner_->Run1("graph.conv", arguments, attrs);
      ExpectNear<T>(result, last ? ChannelsLast(expected, c.batch, c.outputs) : expected,
                    tolerance);
      if (HasFatalFailure()) return;
    }
  }
  static TensorShape FilterShapeLast(const ImageCase& c) {
    Numbers dims = c.kernel;
    dims.insert(dims.end(), {c.inputs / c.groups, c.outputs});
    return *TensorShape::Create(dims);
  }

  template <typename T>
  void CheckTransposed(const ImageCase& c, Numbers output_padding, double tolerance) {
    const int64_t per_group = c.inputs / c.groups;
    const Numbers sizes = c.out_sizes();
    const Doubles gradient = RandomEighths(c.batch * c.outputs * c.Product(sizes), 1);
    const Doubles filter = RandomEighths(c.outputs * per_group * c.Product(c.kernel), 2);
    const Doubles bias = RandomEighths(c.inputs, 3);
    const Doubles expected = c.Transposed(gradient, filter, bias);
    for (bool last : {false, true}) {
      SCOPED_TRACE(StrCat(last ? "channels last " : "channels first ", c.in[0]));
      OpAttrs attrs;
      SetAttrs(c, last, attrs);
      attrs.SetArray("output_padding", std::span<const int64_t>(output_padding));
      TensorHandle result = runner_->Run1(
          "graph.conv_transpose",
          {Make<T>(ShapeWith(sizes, c.batch, c.outputs, last),
                   last ? ChannelsLast(gradient, c.batch, c.outputs) : gradient),
           Make<T>(last ? FilterShapeLast(c) : ShapeWith(c.kernel, c.outputs, per_group, false),
                   last ? FilterLast(filter, c.outputs, per_group) : filter),
           Make<T>({c.inputs}, bias)},
          attrs);
      ExpectNear<T>(result, last ? ChannelsLast(expected, c.batch, c.inputs) : expected, tolerance);
      if (HasFatalFailure()) return;
    }
  }
};

const ImageCase kConvolutionCases[] = {
    {.in = {9}, .kernel = {3}, .batch = 2, .inputs = 3, .outputs = 5},
    {.in = {7, 6}, .kernel = {3, 2}, .inputs = 3, .outputs = 4, .pads = {1, 0, 2, 1}},
    {.in = {12, 11},
     .kernel = {3, 3},
     .inputs = 32,
     .outputs = 48,
     .strides = {2, 1},
     .pads = {1, 1, 1, 1}},
    {.in = {10, 13}, .kernel = {3, 3}, .inputs = 4, .outputs = 6, .dilations = {2, 3}},
    // Depthwise, of few and of many channels, with two outputs for each.
    {.in = {8, 9}, .kernel = {3, 3}, .inputs = 5, .outputs = 5, .groups = 5, .pads = {1, 1, 1, 1}},
    {.in = {14, 14},
     .kernel = {3, 3},
     .batch = 2,
     .inputs = 40,
     .outputs = 40,
     .groups = 40,
     .strides = {2, 2},
     .padding = "same_upper"},
    {.in = {6, 6}, .kernel = {3, 3}, .inputs = 4, .outputs = 8, .groups = 4},
    {.in = {6, 7},
     .kernel = {3, 3},
     .inputs = 12,
     .outputs = 6,
     .groups = 3,
     .strides = {2, 2},
     .padding = "same_lower"},
    {.in = {8, 8}, .kernel = {1, 1}, .inputs = 20, .outputs = 24},
    {.in = {8, 8}, .kernel = {1, 1}, .inputs = 16, .outputs = 17, .strides = {2, 2}},
    {.in = {1, 1}, .kernel = {1, 1}, .batch = 3, .inputs = 16, .outputs = 17},
    {.in = {4, 5, 6},
     .kernel = {2, 3, 2},
     .batch = 2,
     .inputs = 3,
     .outputs = 4,
     .strides = {1, 2, 1},
     .pads = {1, 0, 0, 0, 1, 1}},
    {.in = {5, 5, 5},
     .kernel = {3, 3, 3},
     .inputs = 16,
     .outputs = 16,
     .groups = 2,
     .padding = "same_upper"},
    // Cut off at the edges, and left over at the end.
    {.in = {9, 9},
     .kernel = {3, 3},
     .inputs = 3,
     .outputs = 4,
     .strides = {4, 4},
     .pads = {-1, 0, 0, -2}},
    // Large enough for several threads.
    {.in = {22, 22}, .kernel = {3, 3}, .inputs = 16, .outputs = 32, .pads = {1, 1, 1, 1}},
    {.in = {24, 24}, .kernel = {3, 3}, .inputs = 32, .outputs = 32, .groups = 2},
    {.in = {5, 18, 18}, .kernel = {3, 3, 3}, .inputs = 8, .outputs = 16},
    // Dilated, with padding that is wider than what fast code takes.
    {.in = {75},
     .kernel = {5},
     .batch = 2,
     .inputs = 32,
     .outputs = 32,
     .dilations = {2},
     .pads = {4, 4}},
    {.in = {130},
     .kernel = {7},
     .batch = 2,
     .inputs = 32,
     .outputs = 64,
     .dilations = {12},
     .pads = {36, 36}},
    {.in = {30, 28},
     .kernel = {3, 3},
     .batch = 2,
     .inputs = 16,
     .outputs = 32,
     .dilations = {6, 4},
     .pads = {6, 4, 6, 4}},
};

TEST_P(ConvolutionOpsTest, OfFloats) {
  for (const ImageCase& c : kConvolutionCases) {
    CheckConv<float>(c, 2e-4);
    CheckConv<float>(c, 2e-4, /*with_bias=*/false);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ConvolutionOpsTest, OfOtherNumbers) {
  for (const ImageCase& c : std::span(kConvolutionCases).first(8)) {
    CheckConv<double>(c, 1e-12);
    CheckConv<Fp16>(c, 0.05);
    CheckConv<Bf16>(c, 0.5);
  }
}

const ImageCase kTransposed[] = {
    {.in = {9}, .kernel = {3}, .batch = 2, .inputs = 3, .outputs = 5},
    {.in = {9, 10},
     .kernel = {3, 3},
     .inputs = 4,
     .outputs = 16,
     .strides = {2, 2},
     .pads = {1, 1, 1, 1}},
    {.in = {8, 8}, .kernel = {2, 2}, .inputs = 24, .outputs = 12, .strides = {2, 2}},
    {.in = {9, 9},
     .kernel = {3, 2},
     .inputs = 6,
     .outputs = 9,
     .groups = 3,
     .dilations = {2, 1},
     .pads = {1, 0, 0, 1}},
    {.in = {5, 6, 7}, .kernel = {2, 3, 3}, .inputs = 2, .outputs = 3, .strides = {1, 2, 2}},
    {.in = {3, 3}, .kernel = {3, 3}, .inputs = 5, .outputs = 8},
    {.in = {8, 8},
     .kernel = {3, 3},
     .inputs = 1,
     .outputs = 2,
     .strides = {2, 2},
     .padding = "same_upper"},
    {.in = {8, 9},
     .kernel = {4, 4},
     .inputs = 8,
     .outputs = 8,
     .strides = {2, 3},
     .padding = "same_lower"},
};

TEST_P(ConvolutionOpsTest, Transposed) {
  for (const ImageCase& c : kTransposed) {
    Numbers output_padding(c.rank());
    for (size_t i = 0; c.padding == "explicit" && i < c.rank(); ++i) {
      output_padding[i] =
          c.in[i] + c.before(i) + c.after(i) - ((c.out(i) - 1) * c.stride(i) + c.extent(i));
    }
    CheckTransposed<float>(c, output_padding, 1e-4);
    CheckTransposed<double>(c, output_padding, 1e-12);
    CheckTransposed<Fp16>(c, output_padding, 0.05);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, ConvolutionOpsTest, AllBackends(), BackendName);

TEST(ConvolutionOpErrorsTest, Refused) {
  GraphOpRunner runner;
  OpAttrs attrs;
  EXPECT_EQ(runner.Error("graph.conv", {runner.Floats({1, 3, 4, 4}), runner.Floats({2, 2, 3, 3})}),
            "conv: the input has 3 channels, but the filter is for 1 groups of 2");
  EXPECT_EQ(runner.Error("graph.conv",
                         {runner.Floats({1, 1, 2, 2, 2, 2}), runner.Floats({1, 1, 1, 1, 1, 1})}),
            "images with 4 spatial dimensions are not supported, at most 3");
  EXPECT_EQ(runner.Error("graph.conv", {runner.Zeros(DType::kComplex64, {1, 1, 2}),
                                        runner.Zeros(DType::kComplex64, {1, 1, 1})}),
            "no convolution of complex64");
  const int64_t far[] = {int64_t{1} << 40, 1};
  attrs.SetArray("dilations", std::span<const int64_t>(far));
  attrs.SetString("padding", "same_upper");
  EXPECT_EQ(
      runner.Error("graph.conv", {runner.Floats({1, 1, 4, 4}), runner.Floats({1, 1, 3, 3})}, attrs),
      "dilations has the number 1099511627776");
}

// Whatever the dtype: no kernel reads numbers of a bias that are not there.
TEST(ConvolutionOpErrorsTest, TheBiasHasANumberForEachOutput) {
  GraphOpRunner runner;
  for (DType dtype : {DType::kF64, DType::kF32, DType::kF16, DType::kBF16}) {
    const TensorHandle image = runner.Zeros(dtype, {1, 1, 4, 4}),
                       filter = runner.Zeros(dtype, {1, 64, 3, 3}), bias = runner.Zeros(dtype, {1});
    EXPECT_EQ(runner.Error("graph.conv_transpose", {image, filter, bias}),
              "conv_transpose: sizes that must be equal are 64 and 1");
  }
}

TEST(ConvolutionOpErrorsTest, EmptyImagesGiveTheBias) {
  GraphOpRunner runner;
  OpAttrs attrs;
  const int64_t pads[] = {1, 1, 1, 1};
  attrs.SetArray("pads", std::span<const int64_t>(pads));
  EXPECT_EQ(runner.Text("graph.conv",
                        {runner.Floats({1, 0, 1, 1}), runner.Floats({2, 0, 3, 3}),
                         runner.Dense<float>({2}, {1, 2})},
                        attrs),
            "DenseHostTensor dtype = f32, shape = [1, 2, 1, 1], values = [1.000000e+00, "
            "2.000000e+00]");
}

}  // namespace
}  // namespace tfrt
