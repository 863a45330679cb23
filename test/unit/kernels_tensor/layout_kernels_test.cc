#include <limits>

#include "test/unit/kernels_tensor/kernel_runner.h"

namespace tfrt {
namespace {

using Floats = std::vector<float>;

class LayoutKernelsTest : public testing::Test {
 protected:
  RCReference<AsyncValue> Zeros(TensorShape shape) {
    return runner_.Tensor<float>(shape, Floats(shape.num_elements()));
  }
  std::string Error(std::string_view kernel, RCReference<AsyncValue> in,
                    RCReference<AsyncValue> out) {
    return runner_.Error(kernel, {in, out, ChainValue()});
  }
  KernelRunner runner_;
};

TEST_F(LayoutKernelsTest, FlattenKeepsTheOrder) {
  auto in = runner_.Tensor<float>({2, 1, 2, 1}, {1, 2, 3, 4});
  auto out = Zeros({2, 2});
  EXPECT_EQ(Error("tfrt_test.flatten.f32", in, out), "(no error)");
  EXPECT_EQ(Elements<float>(out), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(Error("tfrt_test.flatten.f32", in, Zeros({4, 1})),
            "Flatten output shape [4, 1] does not match the input shape [2, 1, 2, 1]");
}

TEST_F(LayoutKernelsTest, TransposeSwapsRowsAndColumns) {
  auto in = runner_.Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  auto out = Zeros({3, 2});
  EXPECT_EQ(Error("tfrt_test.tensor_transpose.f32", in, out), "(no error)");
  EXPECT_EQ(Elements<float>(out), (Floats{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(Error("tfrt_test.tensor_transpose.f32", in, Zeros({2, 3})),
            "TensorTranspose output shape [2, 3] does not match the input shape [2, 3]");
  EXPECT_EQ(Error("tfrt_test.tensor_transpose.f32", Zeros({3}), out),
            "the input has the shape [3], expected rank 2");
}

TEST_F(LayoutKernelsTest, Broadcast2dRepeatsRowsAtEveryPosition) {
  auto in = runner_.Tensor<float>({2, 2}, {1, 2, 3, 4});
  auto out = Zeros({2, 2, 1, 2});
  EXPECT_EQ(Error("tfrt_test.broadcast_2d.f32", in, out), "(no error)");
  EXPECT_EQ(Elements<float>(out), (Floats{1, 2, 1, 2, 3, 4, 3, 4}));
  for (TensorShape shape : {TensorShape{2, 1, 1, 3}, {1, 1, 1, 2}, {3, 1, 1, 3}}) {
    EXPECT_EQ(
        Error("tfrt_test.broadcast_2d.f32", in, Zeros(shape)),
        "Broadcast2D output shape " + shape.ToString() + " does not match the input shape [2, 2]");
  }
}

TEST_F(LayoutKernelsTest, SliceCopiesThePartThatBeginsThere) {
  auto in = runner_.Tensor<int32_t>({2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  auto out = runner_.Tensor<int32_t>({1, 2, 2}, {0, 0, 0, 0});
  auto slice = [&](std::vector<int64_t> begin) {
    auto begin_tensor = runner_.Tensor<int64_t>({static_cast<int64_t>(begin.size())}, begin);
    return runner_.Error("tfrt_test.slice_inplace.i32.3", {in, begin_tensor, ChainValue(), out});
  };
  EXPECT_EQ(slice({1, 0, 1}), "(no error)");
  EXPECT_EQ(Elements<int32_t>(out), (std::vector<int32_t>{7, 8, 10, 11}));
  EXPECT_EQ(slice({1, 0}), "the size of 'begin_index' should match the input tensor rank");
  EXPECT_EQ(slice({1, 1, 0}),
            "a slice of the shape [1, 2, 2] that begins at [1, 1, 0] is not inside the input shape "
            "[2, 2, 3]");
  EXPECT_NE(slice({-1, 0, 0}), "(no error)");
  EXPECT_NE(slice({std::numeric_limits<int64_t>::max(), 0, 0}), "(no error)");
  for (const char* dtype : {"f32", "i64"}) {
    EXPECT_EQ(runner_.Error("tfrt_test.slice_inplace." + std::string(dtype) + ".3",
                            {in, runner_.Tensor<int64_t>({3}, {0, 0, 0}), ChainValue(), out}),
              "the input is a tensor of i32, expected " + std::string(dtype));
  }
}

}  // namespace
}  // namespace tfrt
