#include "tfrt/kernel_maths/shape_functions.h"

#include <gtest/gtest.h>

#include <limits>

namespace tfrt {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
using Dims = std::vector<int64_t>;

// The shape as text, or the message.
std::string Text(const StatusOr<TensorShape>& shape) {
  return shape.ok() ? shape->ToString() : std::string(shape.status().message());
}

TEST(ShapeFunctionsTest, Broadcast) {
  EXPECT_EQ(Text(BroadcastShape({2, 3}, {3})), "[2, 3]");
  EXPECT_EQ(Text(BroadcastShape({4, 1, 3}, {5, 1})), "[4, 5, 3]");
  EXPECT_EQ(Text(BroadcastShape({}, {2})), "[2]");
  EXPECT_EQ(Text(BroadcastShape({1}, {0})), "[0]");
  EXPECT_EQ(Text(BroadcastShape({2, 3}, {4})),
            "the shapes [2, 3] and [4] cannot be broadcast together");
  EXPECT_EQ(Text(BroadcastShape({0}, {2})), "the shapes [0] and [2] cannot be broadcast together");
  EXPECT_EQ(Text(BroadcastShape({kMax, 1}, {1, 2})),
            "shape [9223372036854775807, 2] has more than 9223372036854775807 elements");
}

TEST(ShapeFunctionsTest, Transpose) {
  EXPECT_EQ(Text(TransposeShape({2, 3, 4}, Dims{2, 0, 1})), "[4, 2, 3]");
  EXPECT_EQ(Text(TransposeShape({}, Dims{})), "[]");
  EXPECT_EQ(Text(TransposeShape({2, 3}, Dims{0, 0})),
            "[0, 0] is not a permutation of the 2 dimensions of the shape [2, 3]");
  EXPECT_EQ(Text(TransposeShape({2, 3}, Dims{1})),
            "[1] is not a permutation of the 2 dimensions of the shape [2, 3]");
  EXPECT_EQ(Text(TransposeShape({2, 3}, Dims{1, 0, 2})),
            "[1, 0, 2] is not a permutation of the 2 dimensions of the shape [2, 3]");
  EXPECT_EQ(Text(TransposeShape({2}, Dims{-1})),
            "[-1] is not a permutation of the 1 dimensions of the shape [2]");
}

TEST(ShapeFunctionsTest, Gather) {
  EXPECT_EQ(Text(GatherShape({5, 3}, {2, 2}, 0)), "[2, 2, 3]");
  EXPECT_EQ(Text(GatherShape({5, 3}, {}, -1)), "[5]");
  EXPECT_EQ(Text(GatherShape({5, 3}, {1}, 2)), "axis 2 is out of range for the shape [5, 3]");
  EXPECT_EQ(Text(GatherShape({}, {1}, 0)), "axis 0 is out of range for the shape []");
}

TEST(ShapeFunctionsTest, Concat) {
  TensorShape a{2, 3}, b{2, 4}, c{3, 3}, d{3}, e{kMax - 1, 1}, f{2, 1};
  auto concat = [](std::vector<const TensorShape*> shapes, int64_t axis) {
    return Text(ConcatShape(shapes, axis));
  };
  EXPECT_EQ(concat({&a, &b, &a}, 1), "[2, 10]");
  EXPECT_EQ(concat({&a, &c}, -2), "[5, 3]");
  EXPECT_EQ(concat({}, 0), "there is nothing to concatenate");
  EXPECT_EQ(concat({&a, &b}, 0),
            "the shapes [2, 3] and [2, 4] cannot be concatenated along axis 0");
  EXPECT_EQ(concat({&a, &d}, 0), "the shapes [2, 3] and [3] cannot be concatenated along axis 0");
  EXPECT_EQ(concat({&e, &f}, 0),
            "the concatenation along axis 0 is too long: [9223372036854775806, 1] and [2, 1]");
}

TEST(ShapeFunctionsTest, Pad) {
  EXPECT_EQ(Text(PadShape({2, 3}, Dims{1, 0, 2, 3})), "[3, 8]");
  EXPECT_EQ(Text(PadShape({2, 3}, Dims{1, 0})),
            "padding has 2 elements, expected 4 for the shape [2, 3]");
  EXPECT_EQ(Text(PadShape({2}, Dims{-1, 0})),
            "dimension 0 of the shape [2] cannot be padded by -1 and 0");
  EXPECT_EQ(Text(PadShape({2}, Dims{kMax, 1})),
            "dimension 0 of the shape [2] cannot be padded by 9223372036854775807 and 1");
}

TEST(ShapeFunctionsTest, Reduce) {
  EXPECT_EQ(Text(ReduceShape({2, 3, 4}, Dims{-1, 0}, false)), "[3]");
  EXPECT_EQ(Text(ReduceShape({2, 3, 4}, Dims{1}, true)), "[2, 1, 4]");
  EXPECT_EQ(Text(ReduceShape({2, 3, 4}, Dims{}, false)), "[]");
  EXPECT_EQ(Text(ReduceShape(*TensorShape::CreateOfAnySize(Dims{2, kMax, kMax}), Dims{0}, false)),
            Text(TensorShape::Create(Dims{kMax, kMax})));
  EXPECT_EQ(Text(ReduceShape({2, 3}, Dims{1, -1}, false)), "axis -1 is reduced twice");
  EXPECT_EQ(Text(ReduceShape({2, 3}, Dims{-3}, false)),
            "axis -3 is out of range for the shape [2, 3]");
  EXPECT_EQ(Text(ArgmaxShape({2, 3}, 1)), "[2]");
  EXPECT_EQ(Text(OneHotShape({2, 3}, 7)), "[2, 3, 7]");
  EXPECT_EQ(Text(OneHotShape({2}, -7)), "shape [2, -7] has the negative dimension -7");
}

TEST(ShapeFunctionsTest, MatMul) {
  EXPECT_EQ(Text(MatMulShape({2, 3}, {3, 4}, false, false)), "[2, 4]");
  EXPECT_EQ(Text(MatMulShape({3, 2}, {4, 3}, true, true)), "[2, 4]");
  EXPECT_EQ(Text(BatchMatMulShape({5, 6, 2, 3}, {5, 6, 4, 3}, false, true)), "[5, 6, 2, 4]");
  EXPECT_EQ(Text(BatchMatMulShape({5, 1, 2, 3}, {6, 3, 4}, false, false)), "[5, 6, 2, 4]");
  EXPECT_EQ(Text(BatchMatMulShape({2, 3}, {7, 4, 3}, false, true)), "[7, 2, 4]");
  EXPECT_EQ(Text(BatchMatMulShape({2, 3}, {0, 3, 4}, false, false)), "[0, 2, 4]");
  EXPECT_EQ(Text(MatMulShape({2, 3}, {2, 4}, false, false)),
            "MatMul input tensors inner dimension mismatch: [2, 3] vs. [2, 4]");
  EXPECT_EQ(Text(MatMulShape({1, 2, 3}, {3, 4}, false, false)),
            "the first matmul input has the shape [1, 2, 3], expected rank 2");
  EXPECT_EQ(Text(MatMulShape({2, 3}, {3}, false, false)),
            "the second matmul input has the shape [3], expected rank 2");
  EXPECT_EQ(Text(BatchMatMulShape({3}, {3}, false, false)),
            "the first matmul input has the shape [3], expected at least rank 2");
  EXPECT_EQ(Text(BatchMatMulShape({3, 3}, {3}, false, false)),
            "the second matmul input has the shape [3], expected at least rank 2");
  EXPECT_EQ(Text(BatchMatMulShape({5, 2, 3}, {6, 3, 4}, false, false)),
            "the leading dimensions of a batch matmul do not fit: [5, 2, 3] * [6, 3, 4]");
  EXPECT_TRUE(CheckMatMulBias({4}, 4).ok());
  EXPECT_EQ(CheckMatMulBias({1, 4}, 4), InvalidArgumentError("Bias tensor must a vector"));
  EXPECT_EQ(
      CheckMatMulBias({3}, 4),
      InvalidArgumentError("The number of bias elements 3 doesn't match output inner dimension 4"));
}

TEST(ShapeFunctionsTest, Conv2d) {
  EXPECT_EQ(Text(Conv2dShape({1, 5, 6, 2}, {3, 3, 2, 4}, Dims{1, 1}, Dims{1, 0, 0, 1}, Dims{1, 2})),
            "[1, 4, 3, 4]");
  EXPECT_EQ(Text(Conv2dShape({1, 5, 6, 2}, {3, 3, 2, 4}, Dims{1, 1}, Dims{1}, Dims{1, 1})),
            "padding should have 4 elements (top, bottom, left, right), but has 1");
  EXPECT_EQ(Text(Conv2dShape({1, 5, 6, 2}, {3, 3, 2, 4}, Dims{}, Dims{0, 0, 0, 0}, Dims{1, 1})),
            "dilations should have 2 elements, but has 0");
}

TEST(ShapeFunctionsTest, Pooling) {
  EXPECT_EQ(Text(Pool2dShape({2, 7, 6, 3}, Dims{2, 2}, "same", Dims{2, 2})), "[2, 4, 3, 3]");
  EXPECT_EQ(Text(Pool2dShape({2, 7, 6}, Dims{2, 2}, "same", Dims{2, 2})),
            "the pooling input has the shape [2, 7, 6], expected rank 4");
  EXPECT_EQ(Text(Pool2dShape({2, 7, 6, 3}, Dims{2}, "same", Dims{2, 2})),
            "ksize should have 2 elements");
  EXPECT_EQ(Text(Pool2dShape({2, 7, 6, 3}, Dims{2, 2}, "same", Dims{2})),
            "strides should have 2 elements");
  EXPECT_EQ(Text(GlobalAveragePoolShape({2, 7, 6, 3})), "[2, 3]");
  EXPECT_EQ(Text(GlobalAveragePoolShape({2})),
            "the pooling input has the shape [2], expected rank 4");
}

TEST(ShapeFunctionsTest, SoftmaxCrossEntropy) {
  EXPECT_EQ(Text(SoftmaxCrossEntropyShape({4, 3}, {4})), "[4]");
  EXPECT_EQ(Text(SoftmaxCrossEntropyShape({4, 3}, {3})),
            "the labels have the shape [3], but the logits [4, 3]");
  EXPECT_EQ(Text(SoftmaxCrossEntropyShape({4}, {4})),
            "the matrix of logits has the shape [4], expected rank 2");
  EXPECT_EQ(Text(SoftmaxCrossEntropyShape({4, 3}, {4, 3})),
            "the vector of labels has the shape [4, 3], expected rank 1");
}

}  // namespace
}  // namespace tfrt
