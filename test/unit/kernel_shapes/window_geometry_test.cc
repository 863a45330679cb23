#include "lib/ops/maths/shapes/window_geometry.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace tfrt {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

std::string ErrorOf(const StatusOr<WindowDimension>& result) {
  return result.ok() ? "(no error)" : std::string(result.status().message());
}

TEST(WindowGeometryTest, ParsesPaddingInAnyLetterCase) {
  EXPECT_EQ(*ParsePadding("same"), Padding::kSame);
  EXPECT_EQ(*ParsePadding("VALID"), Padding::kValid);
  EXPECT_EQ(*ParsePadding("Explicit"), Padding::kExplicit);
  EXPECT_EQ(ParsePadding("sam").status().message(), "Unknown padding type sam");
  EXPECT_EQ(ParsePadding("").status().message(), "Unknown padding type ");
}

// Every window of small geometries, against positions counted one by one.
TEST(WindowGeometryTest, TapsAreThosePositionsThatExist) {
  int checked = 0;
  for (int64_t input = 0; input <= 7; ++input) {
    for (int64_t filter = 1; filter <= 4; ++filter) {
      for (int64_t stride = 1; stride <= 3; ++stride) {
        for (int64_t dilation = 1; dilation <= 3; ++dilation) {
          for (Padding padding : {Padding::kValid, Padding::kSame, Padding::kExplicit}) {
            auto window = WindowDimension::Create(input, filter, stride, dilation, padding,
                                                  ExplicitPadding{2, 1});
            if (!window.ok()) continue;
            if (padding == Padding::kSame) {
              EXPECT_EQ(window->output, (input + stride - 1) / stride);
              EXPECT_LE(window->pad_after - window->pad_before, 1);
              EXPECT_GE(window->pad_after, window->pad_before);
            }
            for (int64_t o = 0; o < window->output; ++o) {
              auto taps = window->TapsOf(o);
              for (int64_t k = 0; k < filter; ++k) {
                int64_t position = o * stride - window->pad_before + k * dilation;
                bool exists = position >= 0 && position < input;
                EXPECT_EQ(exists, k >= taps.begin && k < taps.end);
                EXPECT_EQ(position, taps.first_position + k * dilation);
                ++checked;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(WindowGeometryTest, ValidSizesDivideLikeC) {
  EXPECT_EQ(WindowDimension::Create(28, 5, 1, 1, Padding::kValid)->output, 24);
  EXPECT_EQ(WindowDimension::Create(7, 3, 2, 1, Padding::kValid)->output, 3);
  EXPECT_EQ(WindowDimension::Create(2, 4, 3, 1, Padding::kValid)->output, 0);
  EXPECT_EQ(WindowDimension::Create(5, 3, 1, 2, Padding::kValid)->output, 1);
}

TEST(WindowGeometryTest, ReportsNumbersThatMakeNoWindow) {
  EXPECT_EQ(ErrorOf(WindowDimension::Create(4, 2, 0, 1, Padding::kSame)),
            "Stride must be > 0, but got 0");
  EXPECT_EQ(ErrorOf(WindowDimension::Create(4, 2, 1, -1, Padding::kSame)),
            "Dilation rate must be >= 1, but got -1");
  EXPECT_EQ(ErrorOf(WindowDimension::Create(4, 0, 1, 1, Padding::kSame)),
            "Filter size must be > 0, but got 0");
  EXPECT_EQ(ErrorOf(WindowDimension::Create(4, 2, 1, 1, Padding::kExplicit)),
            "For explicit padding, padding values must be defined");
  EXPECT_EQ(
      ErrorOf(WindowDimension::Create(4, 2, 1, 1, Padding::kExplicit, ExplicitPadding{-1, 3})),
      "padding must not be negative, but got -1 and 3");
  EXPECT_EQ(ErrorOf(WindowDimension::Create(2, 5, 1, 1, Padding::kValid)),
            "Computed output size would be negative: -2 (input_size: 2, filter_size: 5, stride: 1, "
            "dilation: 1)");
}

TEST(WindowGeometryTest, HugeNumbersAreErrors) {
  EXPECT_EQ(ErrorOf(WindowDimension::Create(4, kMax, 1, kMax, Padding::kSame)),
            "Computed window is too large: (input_size: 4, filter_size: 9223372036854775807, "
            "stride: 1, dilation: 9223372036854775807)");
  EXPECT_FALSE(WindowDimension::Create(kMax, kMax, 1, 1, Padding::kSame).ok());
  EXPECT_FALSE(
      WindowDimension::Create(4, 1, 1, 1, Padding::kExplicit, ExplicitPadding{kMax, kMax}).ok());
  auto strided = WindowDimension::Create(4, 1, kMax, 1, Padding::kSame);
  ASSERT_TRUE(strided.ok());
  EXPECT_EQ(strided->output, 1);
  auto wide = WindowDimension::Create(kMax, 1, kMax, 1, Padding::kValid);
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(wide->output, 1);
}

TEST(WindowGeometryTest, ConvolutionsHaveAnOutputShapeOrAnError) {
  const std::vector<int64_t> strides = {2, 1};
  auto geometry = Conv2dGeometry::Create({3, 7, 8, 2}, {3, 3, 2, 5}, strides, "SAME");
  ASSERT_TRUE(geometry.ok());
  EXPECT_EQ(*geometry->OutputShape(), (TensorShape{3, 4, 8, 5}));
  auto error = [&](TensorShape image, TensorShape filter, std::vector<int64_t> strides,
                   std::string_view padding) {
    return std::string(Conv2dGeometry::Create(image, filter, strides, padding).status().message());
  };
  EXPECT_EQ(error({1, 4, 4, 1}, {1, 1, 1, 1}, {1}, "same"), "strides should have 2 elements");
  EXPECT_EQ(error({1, 4, 4, 1}, {1, 1, 1, 1}, {1, 1}, "none"), "Unknown padding type none");
  EXPECT_EQ(error({1, 4, 4}, {1, 1, 1, 1}, {1, 1}, "same"),
            "the convolution input has the shape [1, 4, 4], expected rank 4");
  EXPECT_EQ(error({1, 4, 4, 1}, {1, 1}, {1, 1}, "same"),
            "the convolution filter has the shape [1, 1], expected rank 4");
  EXPECT_EQ(error({1, 4, 4, 3}, {1, 1, 2, 1}, {1, 1}, "same"),
            "Dimensions does not match: input channels is 3 and kernel depth is 2");
  EXPECT_EQ(error({1, 4, 4, 2}, {1, 1, 2, 1}, {1, -3}, "same"), "Stride must be > 0, but got -3");
  EXPECT_EQ(error({1, 4, 4, 2}, {1, 1, 2, 1}, {1, 1}, "explicit"),
            "For explicit padding, padding values must be defined");
}

TEST(WindowGeometryTest, NamesTheShapesThatDoNotMatch) {
  EXPECT_TRUE(CheckShapesMatch("a", {1, 2}, "b", {1, 2}).ok());
  EXPECT_EQ(CheckShapesMatch("output tensor shape", {1, 2}, "computed output shape", {2}).message(),
            "Tensor shapes do not match: output tensor shape is [1, 2] and computed output shape "
            "is [2]");
}

}  // namespace
}  // namespace tfrt
