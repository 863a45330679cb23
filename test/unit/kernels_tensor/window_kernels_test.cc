#include <cmath>
#include <limits>
#include <numeric>

#include "test/unit/kernels_tensor/kernel_runner.h"

namespace tfrt {
namespace {

using Floats = std::vector<float>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class WindowKernelsTest : public testing::Test {
 protected:
  RCReference<AsyncValue> Images(TensorShape shape) {
    return runner_.Tensor<float>(shape, Floats(shape.num_elements()));
  }
  // Pools in -> out with the attributes of one of the two families of kernels.
  template <typename Int>
  std::string Pool(std::string_view kernel, RCReference<AsyncValue> in, RCReference<AsyncValue> out,
                   std::string_view padding, std::vector<Int> size, std::vector<Int> strides) {
    auto padding_attribute = EncodedAttribute::String(padding);
    auto size_attribute = EncodedAttribute::Array<Int>(size);
    auto strides_attribute = EncodedAttribute::Array<Int>(strides);
    return runner_.Error(
        kernel, {in, out, ChainValue()},
        {padding_attribute.bytes(), size_attribute.bytes(), strides_attribute.bytes()});
  }
  std::string TestPool(RCReference<AsyncValue> in, RCReference<AsyncValue> out,
                       std::string_view padding, std::vector<int32_t> size = {2, 2},
                       std::vector<int32_t> strides = {1, 1}) {
    return Pool<int32_t>("tfrt_test.max_pooling_2d.f32", in, out, padding, size, strides);
  }
  std::string EigenPool(RCReference<AsyncValue> in, RCReference<AsyncValue> out,
                        std::string_view padding, std::vector<int64_t> size = {2, 2},
                        std::vector<int64_t> strides = {1, 1}) {
    return Pool<int64_t>("eigen.max_pooling_2d.f32", in, out, padding, size, strides);
  }
  template <typename Int>
  std::string Pad(std::string_view kernel, RCReference<AsyncValue> in, RCReference<AsyncValue> out,
                  std::vector<Int> padding) {
    auto attribute = EncodedAttribute::Array<Int>(padding);
    return runner_.Error(kernel, {in, out, ChainValue()}, {attribute.bytes()});
  }
  KernelRunner runner_;
};

TEST_F(WindowKernelsTest, MaxPoolingTakesTheLargestElementOfEachWindow) {
  auto in = runner_.Tensor<float>({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  auto valid = Images({1, 2, 2, 1});
  EXPECT_EQ(TestPool(in, valid, "valid"), "(no error)");
  EXPECT_EQ(Elements<float>(valid), (Floats{5, 6, 8, 9}));
  auto same = Images({1, 2, 2, 1});
  EXPECT_EQ(EigenPool(in, same, "SAME", {2, 2}, {2, 2}), "(no error)");
  EXPECT_EQ(Elements<float>(same), (Floats{5, 6, 8, 9}));
}

TEST_F(WindowKernelsTest, MaxPoolingKnowsNegativeNumbersAndNan) {
  auto in = runner_.Tensor<float>(
      {1, 2, 2, 2}, {-1, -kInfinity, -2, -kInfinity, -3, -kInfinity, std::nanf(""), -kInfinity});
  auto out = Images({1, 1, 1, 2});
  EXPECT_EQ(TestPool(in, out, "valid"), "(no error)");
  EXPECT_TRUE(std::isnan(Elements<float>(out)[0]));
  EXPECT_EQ(Elements<float>(out)[1], -kInfinity);
  auto negative = runner_.Tensor<float>({1, 2, 2, 1}, {-1, -2, -3, -4});
  auto largest = Images({1, 1, 1, 1});
  EXPECT_EQ(TestPool(negative, largest, "valid"), "(no error)");
  EXPECT_EQ(Elements<float>(largest), (Floats{-1}));
}

TEST_F(WindowKernelsTest, MaxPoolingReportsWhatDoesNotFit) {
  auto in = Images({1, 4, 4, 2});
  auto out = Images({1, 3, 3, 2});
  EXPECT_EQ(TestPool(in, out, "valid", {2}), "MaxPool2D expects pool_size to have 2 elements");
  EXPECT_EQ(TestPool(in, out, "valid", {2, 2}, {1, 1, 1}),
            "MaxPool2D expects strides to have 2 elements");
  EXPECT_EQ(TestPool(in, out, "VALID"), "MaxPool2D padding 'VALID' is not recognized");
  EXPECT_EQ(TestPool(in, out, "same"),
            "MaxPool2D output shape [1, 3, 3, 2] does not match the expected output shape "
            "[1, 4, 4, 2]");
  EXPECT_EQ(TestPool(Images({2, 2}), out, "same"),
            "the input has the shape [2, 2], expected rank 4");
  EXPECT_EQ(TestPool(in, Images({2, 2}), "same"),
            "the output has the shape [2, 2], expected rank 4");
  EXPECT_EQ(TestPool(in, out, "valid", {2, 2}, {1, 0}), "Stride must be > 0, but got 0");
  auto ints = runner_.Tensor<int32_t>({1, 1, 1, 1}, {1});
  EXPECT_EQ(TestPool(ints, Images({1, 1, 1, 1}), "same"),
            "the input is a tensor of i32, expected f32");
  EXPECT_EQ(EigenPool(in, out, "valid", {2, 2}, {1}), "strides should have 2 elements");
  EXPECT_EQ(EigenPool(in, out, "valid", {2}), "ksize should have 2 elements");
  EXPECT_EQ(EigenPool(in, out, "explicit"), "padding type is not supported");
  EXPECT_EQ(EigenPool(in, out, "some"), "padding type is not supported");
  EXPECT_EQ(EigenPool(in, out, "same"), "output tensor has the wrong shape");
}

TEST_F(WindowKernelsTest, HugeEmptyImagesTakeNoTime) {
  auto in = Images({int64_t{1} << 40, 1, 1, 0});
  EXPECT_EQ(TestPool(in, Images({int64_t{1} << 40, 1, 1, 0}), "same"), "(no error)");
  EXPECT_EQ(
      Pad<int32_t>("tfrt_test.zero_padding.f32", in, Images({int64_t{1} << 40, 3, 3, 0}), {1, 1}),
      "(no error)");
  EXPECT_EQ(runner_.Error("tfrt_test.global_average_pooling.f32",
                          {in, Images({int64_t{1} << 40, 0}), ChainValue()}),
            "(no error)");
}

TEST_F(WindowKernelsTest, GlobalAveragePoolingAveragesThePositions) {
  auto in = runner_.Tensor<float>({2, 2, 1, 2}, {1, 10, 3, 20, 5, 30, 6, 50});
  auto out = Images({2, 2});
  runner_.Run("tfrt_test.global_average_pooling.f32", {in, out, ChainValue()});
  EXPECT_EQ(Elements<float>(out), (Floats{2, 15, 5.5, 40}));
  EXPECT_EQ(
      runner_.Error("tfrt_test.global_average_pooling.f32", {in, Images({2, 3}), ChainValue()}),
      "GlobalAveragePooling output shape [2, 3] does not match the input shape [2, 2, 1, 2]");
}

TEST_F(WindowKernelsTest, ZeroPaddingFramesTheImage) {
  auto in = runner_.Tensor<float>({1, 1, 2, 1}, {1, 2});
  auto out = runner_.Tensor<float>({1, 3, 2, 1}, {9, 9, 9, 9, 9, 9});
  EXPECT_EQ(Pad<int32_t>("tfrt_test.zero_padding.f32", in, out, {1, 0}), "(no error)");
  EXPECT_EQ(Elements<float>(out), (Floats{0, 0, 1, 2, 0, 0}));
  auto wide = Images({1, 1, 4, 1});
  EXPECT_EQ(Pad<int64_t>("eigen.zero_padding.f32", in, wide, {0, 1}), "(no error)");
  EXPECT_EQ(Elements<float>(wide), (Floats{0, 1, 2, 0}));
}

TEST_F(WindowKernelsTest, ZeroPaddingReportsWhatDoesNotFit) {
  auto in = Images({1, 1, 2, 1});
  EXPECT_EQ(Pad<int32_t>("tfrt_test.zero_padding.f32", in, in, {1}),
            "ZeroPadding expects padding of length 2");
  EXPECT_EQ(Pad<int64_t>("eigen.zero_padding.f32", in, in, {1, 1, 1}),
            "ZeroPadding expects padding of length 2");
  EXPECT_EQ(Pad<int64_t>("eigen.zero_padding.f32", in, in, {1, 0}),
            "ZeroPadding output shape [1, 1, 2, 1] does not match the expected output shape "
            "[1, 3, 2, 1]");
  EXPECT_EQ(Pad<int32_t>("tfrt_test.zero_padding.f32", in, in, {0, -1}),
            "ZeroPadding cannot pad the input shape [1, 1, 2, 1] by -1");
  EXPECT_EQ(
      Pad<int64_t>("eigen.zero_padding.f32", in, in, {std::numeric_limits<int64_t>::max(), 0}),
      "ZeroPadding cannot pad the input shape [1, 1, 2, 1] by 9223372036854775807");
}

}  // namespace
}  // namespace tfrt
