#include <cmath>

#include "test/unit/kernels_contraction/contraction_runner.h"

namespace tfrt {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

EncodedAttribute Text(const std::string& text) {
  return EncodedAttribute::Array(std::vector<char>(text.begin(), text.end()));
}

// A convolution and what it should give, from the definition.
struct Convolution {
  int64_t n = 1, h = 1, w = 1, c = 1, kh = 1, kw = 1, o = 1;
  Ints strides = {1, 1}, dilations = {1, 1}, padding = {0, 0, 0, 0};  // top, bottom, left, right
  Floats in, filter, bias;
  Floats before;  // what the output holds, added if not empty

  void Fill() {
    in = RandomFloats(n * h * w * c, 6);
    filter = RandomFloats(kh * kw * c * o, 7);
  }
  static int64_t Out(int64_t in, int64_t pad, int64_t k, int64_t dilation, int64_t stride) {
    return (in + pad - ((k - 1) * dilation + 1)) / stride + 1;
  }
  int64_t oh() const { return Out(h, padding[0] + padding[1], kh, dilations[0], strides[0]); }
  int64_t ow() const { return Out(w, padding[2] + padding[3], kw, dilations[1], strides[1]); }
  TensorShape InShape() const { return {n, h, w, c}; }
  TensorShape FilterShape() const { return {kh, kw, c, o}; }
  TensorShape OutShape() const { return {n, oh(), ow(), o}; }
  std::string Name() const {
    return StrCat(InShape().ToString(), FilterShape().ToString(), " strides ", strides[0], ",",
                  strides[1], " dilations ", dilations[0], " padding ", padding[0], ",",
                  padding[1]);
  }

  Floats Expected(bool relu = false) const {
    Floats out;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t y = 0; y < oh(); ++y) {
        for (int64_t x = 0; x < ow(); ++x) {
          for (int64_t f = 0; f < o; ++f) {
            double sum = At(i, y, x, f) + (bias.empty() ? 0 : bias[f]);
            if (!before.empty()) sum += before[out.size()];
            out.push_back(static_cast<float>(relu && sum < 0 ? 0 : sum));
          }
        }
      }
    }
    return out;
  }
  double At(int64_t i, int64_t y, int64_t x, int64_t f) const {
    double sum = 0;
    const int64_t top = y * strides[0] - padding[0], left = x * strides[1] - padding[2];
    const int64_t row_step = dilations[0], column_step = dilations[1];
    for (int64_t a = 0; a < kh; ++a) {
      for (int64_t b = 0; b < kw; ++b) {
        const int64_t row = top + a * row_step, column = left + b * column_step;
        if (row < 0 || row >= h || column < 0 || column >= w) continue;
        // Pointers, as the test is not optimised.
        const float* pixel = in.data() + ((i * h + row) * w + column) * c;
        const float* weight = filter.data() + (a * kw + b) * c * o + f;
        for (int64_t l = 0; l < c; ++l) sum += double{pixel[l]} * double{weight[l * o]};
      }
    }
    return sum;
  }
};

void ExpectNear(const Floats& result, const Floats& expected, float tolerance) {
  ASSERT_EQ(result.size(), expected.size());
  for (size_t i = 0; i < result.size(); ++i) {
    ASSERT_NEAR(result[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << "element " << i;
  }
}

class ConvolutionKernelsTest : public ContractionTest {
 protected:
  RCReference<AsyncValue> Pack(const Convolution& conv) {
    auto dilations = EncodedAttribute::Array(conv.dilations);
    auto padding = EncodedAttribute::Array(conv.padding);
    auto strides = EncodedAttribute::Array(conv.strides);
    Values packed = runner_->Run(
        "tfrt_cpu.pack_filter.f32",
        {runner_->Tensor<float>(conv.FilterShape(), conv.filter), Shape(conv.InShape())}, 1,
        {dilations.bytes(), padding.bytes(), strides.bytes()});
    EXPECT_FALSE(packed[0]->IsError()) << packed[0]->GetErrorIfPresent();
    return packed[0];
  }
  RCReference<AsyncValue> Output(const Convolution& conv) {
    Floats values = conv.before;
    if (values.empty()) values.assign(conv.OutShape().num_elements(), NAN);
    return runner_->Tensor<float>(conv.OutShape(), values);
  }
  // tfrt_cpu.conv2d.f32, or with a bias .bias.f32, or with what the output holds .bias.add.f32.
  Floats Run(const Convolution& conv, const std::string& activation = "none",
             RCReference<AsyncValue> filter = {}) {
    auto name = Text(activation);
    auto dilations = EncodedAttribute::Array(conv.dilations);
    auto padding = EncodedAttribute::Array(conv.padding);
    auto strides = EncodedAttribute::Array(conv.strides);
    if (!filter) filter = runner_->Tensor<float>(conv.FilterShape(), conv.filter);
    Values arguments = {runner_->Tensor<float>(conv.InShape(), conv.in), std::move(filter)};
    std::vector<const uint8_t*> attributes = {dilations.bytes(), padding.bytes(), strides.bytes()};
    std::string kernel = "tfrt_cpu.conv2d";
    if (!conv.bias.empty()) {
      arguments.push_back(runner_->Tensor<float>({conv.o}, conv.bias));
      attributes.insert(attributes.begin(), name.bytes());
      kernel += ".bias";
    }
    if (!conv.before.empty()) kernel += ".add";
    auto out = Output(conv);
    arguments.push_back(out);
    arguments.push_back(ChainValue());
    Values results = runner_->Run(kernel + ".f32", arguments, 1, attributes);
    EXPECT_FALSE(results[0]->IsError()) << results[0]->GetErrorIfPresent();
    return Elements<float>(out);
  }
};
INSTANTIATE_TEST_SUITE_P(Settings, ConvolutionKernelsTest, AllSettings(), SettingName);

TEST_P(ConvolutionKernelsTest, AgreesWithTheDefinitionOverAGrid) {
  for (int64_t size : {1, 4, 9}) {
    for (int64_t k : {1, 2, 3, 5}) {
      for (int64_t stride : {1, 2, 3}) {
        for (int64_t dilation : {1, 2}) {
          for (const Ints& padding : {Ints{0, 0, 0, 0}, Ints{1, 1, 1, 1}, Ints{0, 1, 2, 3}}) {
            for (auto [c, o] : {std::pair<int64_t, int64_t>{1, 6}, {3, 1}, {16, 17}}) {
              Convolution conv{2, size, size + 1, c, k, k == 5 ? 1 : k, o};
              conv.strides = {stride, stride == 3 ? 1 : stride};
              conv.dilations = {dilation, dilation};
              conv.padding = padding;
              if (size + padding[0] + padding[1] < (k - 1) * dilation + 1) continue;
              if (size + 1 + padding[2] + padding[3] < (conv.kw - 1) * dilation + 1) continue;
              conv.Fill();
              SCOPED_TRACE(conv.Name());
              ASSERT_NO_FATAL_FAILURE(ExpectNear(Run(conv), conv.Expected(), 1e-6));
            }
          }
        }
      }
    }
  }
}

TEST_P(ConvolutionKernelsTest, LargeConvolutionsAgreeAlthoughTheyAreSplit) {
  struct Size {
    int64_t n, h, w, c, k, o, stride;
  };
  for (const Size& size : {Size{1, 26, 25, 16, 3, 24, 1},
                           {1, 30, 29, 16, 7, 24, 2},
                           {3, 26, 25, 16, 3, 24, 1},
                           {3, 34, 31, 24, 1, 40, 1}}) {
    Convolution conv{size.n, size.h, size.w, size.c, size.k, size.k, size.o};
    conv.strides = {size.stride, size.stride};
    conv.padding = {size.k / 2, size.k / 2, size.k / 2, size.k / 2};
    conv.bias = RandomFloats(static_cast<size_t>(size.o), 8);
    conv.Fill();
    SCOPED_TRACE(conv.Name());
    ASSERT_NO_FATAL_FAILURE(ExpectNear(Run(conv, "relu"), conv.Expected(true), 1e-5));
  }
}

TEST_P(ConvolutionKernelsTest, AddsWhatTheOutputHolds) {
  Convolution conv{1, 6, 6, 8, 3, 3, 8};
  conv.bias = RandomFloats(8, 9);
  conv.before = RandomFloats(conv.OutShape().num_elements(), 10);
  conv.Fill();
  ExpectNear(Run(conv, "relu"), conv.Expected(true), 1e-6);
}

// Windows that see nothing of the image give these and the bias alone.
TEST_P(ConvolutionKernelsTest, AddsBesideTheImageToo) {
  struct Size {
    int64_t k, dilation, before, after, c, o;
  };
  for (const Size& size : {Size{1, 1, 1, 1, 1, 1},
                           {1, 1, 1, 1, 8, 8},
                           {2, 1, 2, 0, 16, 16},
                           {2, 1, 2, 0, 3, 5},
                           {3, 1, 0, 5, 2, 1},
                           {2, 7, 6, 4, 1, 8},
                           {2, 7, 6, 4, 8, 1}}) {
    for (bool is_row : {false, true}) {
      Convolution conv{2, 4, 4, size.c, size.k, 3, size.o};
      conv.dilations = {size.dilation, 1};
      conv.padding = {size.before, size.after, 0, 0};
      if (is_row) {
        std::swap(conv.kh, conv.kw);
        conv.dilations = {1, size.dilation};
        conv.padding = {0, 0, size.before, size.after};
      }
      conv.bias = RandomFloats(size.o, 9);
      conv.before = RandomFloats(conv.OutShape().num_elements(), 10);
      conv.Fill();
      SCOPED_TRACE(conv.Name());
      ExpectNear(Run(conv, "relu"), conv.Expected(true), 1e-6);
      ExpectNear(Run(conv, "relu", Pack(conv)), conv.Expected(true), 1e-6);
      conv.before.clear();
      ExpectNear(Run(conv, "relu"), conv.Expected(true), 1e-6);
    }
  }
}

TEST_P(ConvolutionKernelsTest, ImagesWithoutElementsGiveTheBias) {
  Convolution conv{1, 0, 2, 3, 1, 1, 2};
  conv.padding = {1, 0, 0, 0};
  conv.bias = {1, 2};
  conv.Fill();
  EXPECT_EQ(Run(conv), (Floats{1, 2, 1, 2}));
  Convolution none{0, 4, 4, 3, 3, 3, 2};
  none.Fill();
  EXPECT_EQ(Run(none), Floats());
}

TEST_P(ConvolutionKernelsTest, NotANumberAndInfinityGoThrough) {
  Convolution conv{1, 1, 3, 1, 1, 1, 1};
  conv.in = {NAN, INFINITY, 2};
  conv.filter = {-1};
  Floats out = Run(conv);
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(out[1], -INFINITY);
  EXPECT_EQ(out[2], -2);
}

TEST_P(ConvolutionKernelsTest, PackedFiltersGiveTheSame) {
  for (auto [size, k, c, o] :
       {std::array<int64_t, 4>{9, 3, 5, 6}, {14, 5, 1, 6}, {24, 3, 16, 33}}) {
    Convolution conv{1, size, size, c, k, k, o};
    conv.bias = RandomFloats(o, 11);
    conv.Fill();
    auto packed = Pack(conv);
    ExpectNear(Run(conv, "relu", packed), conv.Expected(true), 1e-5);
    // Another image size and batch with the same filter.
    conv.n = 2;
    conv.h += 3;
    conv.in = RandomFloats(conv.InShape().num_elements(), 12);
    ExpectNear(Run(conv, "relu", packed), conv.Expected(true), 1e-5);
  }
}

// One pixel wide, they are computed as lines; the same filter serves wider ones.
TEST_P(ConvolutionKernelsTest, ImagesThatAreColumns) {
  for (int64_t stride : {1, 2}) {
    Convolution column{2, 130, 1, 16, 5, 1, 48};
    column.strides = {stride, 1};
    column.dilations = {2, 1};
    column.padding = {3, 1, 0, 0};
    column.bias = RandomFloats(48, 13);
    column.Fill();
    Convolution wide = column;
    wide.w = 7;
    wide.in = RandomFloats(wide.InShape().num_elements(), 14);
    const Floats expected = column.Expected(true), expected_of_wide = wide.Expected(true);
    ExpectNear(Run(column, "relu"), expected, 1e-5);
    for (const Convolution& packed_for : {column, wide}) {
      auto packed = Pack(packed_for);
      ExpectNear(Run(column, "relu", packed), expected, 1e-5);
      ExpectNear(Run(wide, "relu", packed), expected_of_wide, 1e-5);
    }
  }
}

TEST_P(ConvolutionKernelsTest, PackedFiltersOfLayersThatAreSplit) {
  for (auto [h, w, c, o] : {std::array<int64_t, 4>{14, 14, 64, 256}, {7, 7, 256, 192}}) {
    Convolution conv{1, h, w, c, 1, 1, o};
    conv.bias = RandomFloats(o, 15);
    conv.Fill();
    ExpectNear(Run(conv, "relu", Pack(conv)), conv.Expected(true), 1e-5);
  }
}

TEST_P(ConvolutionKernelsTest, EigenKernelsPadAsTheirNamesSay) {
  for (std::string padding : {"same", "VALID"}) {
    Convolution conv{2, 7, 8, 3, 3, 2, 4};
    conv.strides = {2, 1};
    if (padding == "same") conv.padding = {1, 1, 0, 1};
    conv.bias = RandomFloats(4, 13);
    conv.Fill();
    auto kind = Text(padding);
    auto strides = EncodedAttribute::Array(conv.strides);
    std::vector<const uint8_t*> attributes = {kind.bytes(), strides.bytes()};
    auto in = runner_->Tensor<float>(conv.InShape(), conv.in);
    auto filter = runner_->Tensor<float>(conv.FilterShape(), conv.filter);
    auto out = Output(conv);
    runner_->Run("eigen.conv2d.bias.f32",
                 {in, filter, runner_->Tensor<float>({4}, conv.bias), out, ChainValue()}, 1,
                 attributes);
    ExpectNear(Elements<float>(out), conv.Expected(), 1e-6);
    conv.bias.clear();
    runner_->Run("eigen.conv2d.f32", {in, filter, out, ChainValue()}, 1, attributes);
    ExpectNear(Elements<float>(out), conv.Expected(), 1e-6);
  }
}

TEST_P(ConvolutionKernelsTest, NormalisesBatches) {
  for (int64_t size : {6, 40}) {
    Convolution conv{1, size, size, 8, 3, 3, 12};
    conv.Fill();
    Floats scale = RandomFloats(12, 14), offset = RandomFloats(12, 15), mean = RandomFloats(12, 16);
    Floats variance(12);
    for (size_t i = 0; i < 12; ++i) variance[i] = 0.25f + i;
    constexpr float kEpsilon = 0.001f;
    auto epsilon = EncodedAttribute::Scalar<float>(kEpsilon);
    auto kind = Text("valid");
    auto strides = EncodedAttribute::Array(conv.strides);
    auto vector = [&](const Floats& values) { return runner_->Tensor<float>({12}, values); };
    for (bool relu : {false, true}) {
      auto out = Output(conv);
      Values results =
          runner_->Run(relu ? "eigen.conv2d.batch_norm.relu.f32" : "eigen.conv2d.batch_norm.f32",
                       {runner_->Tensor<float>(conv.InShape(), conv.in),
                        runner_->Tensor<float>(conv.FilterShape(), conv.filter), vector(scale),
                        vector(offset), vector(mean), vector(variance), out, ChainValue()},
                       1, {epsilon.bytes(), kind.bytes(), strides.bytes()});
      ASSERT_FALSE(results[0]->IsError());
      Floats expected = conv.Expected();
      for (size_t i = 0; i < expected.size(); ++i) {
        size_t f = i % 12;
        expected[i] =
            (expected[i] - mean[f]) / std::sqrt(variance[f] + kEpsilon) * scale[f] + offset[f];
        if (relu && expected[i] < 0) expected[i] = 0;
      }
      ExpectNear(Elements<float>(out), expected, 1e-5);
    }
  }
}

// In loops of ours; oneDNN may make 0 of it (docs/cpu_kernels.md).
TEST_P(ConvolutionKernelsTest, NotANumberStaysThroughRelu) {
  for (auto [c, o] : {std::pair<int64_t, int64_t>{1, 4}, {32, 48}}) {
    if (c > 1 && GetParam().backend != ComputeBackend::kEigen) continue;
    Convolution conv{1, 4, 4, c, 1, 1, o};
    conv.bias = Floats(static_cast<size_t>(o));
    conv.Fill();
    conv.in[0] = NAN;
    Floats out = Run(conv, "relu");
    for (int64_t i = 0; i < o; ++i) EXPECT_TRUE(std::isnan(out[static_cast<size_t>(i)])) << i;
    EXPECT_FALSE(std::isnan(out[static_cast<size_t>(o)]));
  }
}

// Sizes beyond 32 bits, which a library must not cut off.
TEST_P(ConvolutionKernelsTest, HugeDilationsAndPaddings) {
  Convolution conv{1, 4, 4, 32, 2, 1, 32};
  conv.dilations = {(int64_t{1} << 32) + 1, 1};
  conv.padding = {int64_t{1} << 32, 0, 0, 0};
  conv.Fill();
  ExpectNear(Run(conv), conv.Expected(), 1e-6);
}

TEST_P(ConvolutionKernelsTest, FewerImagesThanThreads) {
  Convolution conv{3, 40, 40, 16, 3, 3, 24};
  conv.Fill();
  ExpectNear(Run(conv), conv.Expected(), 1e-5);
}

class ConvolutionErrorTest : public testing::Test {
 protected:
  std::string Eigen(TensorShape in, TensorShape filter, TensorShape out,
                    const std::string& padding = "valid", const Ints& strides = {1, 1}) {
    auto kind = Text(padding);
    auto encoded = EncodedAttribute::Array(strides);
    return runner_.Error("eigen.conv2d.f32", {Zeros(in), Zeros(filter), Zeros(out), ChainValue()},
                         {kind.bytes(), encoded.bytes()});
  }
  std::string Cpu(RCReference<AsyncValue> in, RCReference<AsyncValue> filter,
                  RCReference<AsyncValue> out, const Ints& padding = {0, 0, 0, 0},
                  const Ints& dilations = {1, 1}) {
    auto d = EncodedAttribute::Array(dilations);
    auto p = EncodedAttribute::Array(padding);
    auto s = EncodedAttribute::Array(Ints{1, 1});
    return runner_.Error("tfrt_cpu.conv2d.f32", {in, filter, out, ChainValue()},
                         {d.bytes(), p.bytes(), s.bytes()});
  }
  RCReference<AsyncValue> Zeros(TensorShape shape) {
    Floats zeros(shape.num_elements());
    return runner_.Tensor<float>(std::move(shape), zeros);
  }
  ContractionRunner runner_;
};

TEST_F(ConvolutionErrorTest, EigenKernels) {
  EXPECT_EQ(Eigen({1, 3, 3, 2}, {1, 1, 3, 1}, {1, 3, 3, 1}),
            "Dimensions does not match: input channels is 2 and kernel depth is 3");
  EXPECT_EQ(Eigen({1, 3, 3, 2}, {1, 1, 2, 1}, {1, 3, 4, 1}),
            "Tensor shapes do not match: output tensor shape is [1, 3, 4, 1] and computed output "
            "shape is [1, 3, 3, 1]");
  EXPECT_EQ(Eigen({1, 3, 3, 2}, {1, 1, 2, 1}, {1, 3, 3, 1}, "valid", {1}),
            "strides should have 2 elements");
  EXPECT_EQ(Eigen({1, 3, 3, 2}, {1, 1, 2, 1}, {1, 3, 3, 1}, "odd"), "Unknown padding type odd");
  EXPECT_EQ(Eigen({1, 3, 3, 2}, {1, 1, 2, 1}, {1, 3, 3, 1}, "explicit"),
            "For explicit padding, padding values must be defined");
  EXPECT_EQ(Eigen({1, 3, 3, 2}, {1, 1, 2, 1}, {1, 3, 3, 1}, "valid", {0, 1}),
            "Stride must be > 0, but got 0");
  EXPECT_EQ(Eigen({3, 3, 2}, {1, 1, 2, 1}, {1, 3, 3, 1}),
            "the convolution input has the shape [3, 3, 2], expected rank 4");
}

TEST_F(ConvolutionErrorTest, EigenBias) {
  auto kind = Text("valid");
  auto strides = EncodedAttribute::Array(Ints{1, 1});
  EXPECT_EQ(runner_.Error("eigen.conv2d.bias.f32",
                          {Zeros({1, 3, 3, 2}), Zeros({1, 1, 2, 4}), Zeros({3}),
                           Zeros({1, 3, 3, 4}), ChainValue()},
                          {kind.bytes(), strides.bytes()}),
            "Dimensions does not match: bias shape is 3 and output channels size is 4");
}

TEST_F(ConvolutionErrorTest, CpuKernels) {
  auto in = Zeros({1, 3, 3, 2}), filter = Zeros({1, 1, 2, 2}), out = Zeros({1, 3, 3, 2});
  EXPECT_EQ(Cpu(in, filter, in), "the convolution output shares memory with an input");
  auto row = Zeros({1, 1, 20, 20}), square = Zeros({1, 1, 20, 20});
  EXPECT_EQ(Cpu(row, square, square), "the convolution output shares memory with an input");
  EXPECT_EQ(Cpu(in, filter, out, {0, 0}),
            "padding should have 4 elements (top, bottom, left, right), but has 2");
  EXPECT_EQ(Cpu(in, filter, out, {0, 0, 0, 0}, {1}), "dilations should have 2 elements, but has 1");
  EXPECT_EQ(Cpu(in, Scalar<float>(1), out),
            "the convolution filter is a float, expected a dense tensor or a filter of "
            "tfrt_cpu.pack_filter.f32");
  EXPECT_EQ(Cpu(runner_.Tensor<int32_t>({1, 1, 1, 1}, {1}), filter, out),
            "the convolution input is a tensor of i32, expected f32");
  auto four = EncodedAttribute::Array(Ints{0, 0, 0, 0});
  auto two = EncodedAttribute::Array(Ints{1, 1});
  EXPECT_EQ(runner_.Error("tfrt_cpu.pack_filter.f32", {filter, Shape({0, 3, 3, 2})},
                          {two.bytes(), four.bytes(), two.bytes()}),
            "a convolution of an image [0, 3, 3, 2] with a filter [1, 1, 2, 2] has no elements to "
            "pack the filter for");
}

}  // namespace
}  // namespace tfrt
