#include "lib/ops/maths/shapes/row_shapes.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "lib/format/op_table/layout_rules.h"
#include "lib/format/op_table/product_rules.h"
#include "lib/format/op_table/row_rules.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/ops/maths/shapes/window_geometry.h"

namespace tfrt {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
using Dims = std::vector<int64_t>;

// The shape as text, or the message.
std::string Text(const StatusOr<TensorShape>& shape) {
  return shape.ok() ? shape->ToString() : std::string(shape.status().message());
}

TEST(RowShapesTest, Broadcast) {
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

TEST(RowShapesTest, Transpose) {
  EXPECT_EQ(Text(ShapeByRow("transpose", {Known(TensorShape{2, 3, 4}), Known(Dims{2, 0, 1})})),
            "[4, 2, 3]");
  EXPECT_EQ(Text(ShapeByRow("transpose", {Known(TensorShape()), Known(Dims{})})), "[]");
  EXPECT_EQ(Text(ShapeByRow("transpose", {Known(TensorShape{2, 3}), Known(Dims{0, 0})})),
            "transpose: i64 [2] {0, 0} is not a permutation");
  EXPECT_EQ(Text(ShapeByRow("transpose", {Known(TensorShape{2, 3}), Known(Dims{1})})),
            "transpose: sizes that must be equal are 1 and 2");
  EXPECT_EQ(Text(ShapeByRow("transpose", {Known(TensorShape{2, 3}), Known(Dims{1, 0, 2})})),
            "transpose: sizes that must be equal are 3 and 2");
  EXPECT_EQ(Text(ShapeByRow("transpose", {Known(TensorShape{2}), Known(Dims{-1})})),
            "transpose: i64 [1] {-1} is not a permutation");
  EXPECT_TRUE(CheckPermutation(Dims{1, 0, 2}, 3).ok());
  EXPECT_EQ(CheckPermutation(Dims{1, 1, 2}, 3).message(),
            "3 numbers are not a permutation of 3 dimensions");
  EXPECT_EQ(CheckPermutation(Dims{0, 1}, 3).message(),
            "2 numbers are not a permutation of 3 dimensions");
}

TEST(RowShapesTest, Gather) {
  EXPECT_EQ(Text(ShapeByRow(
                "gather", {Known(TensorShape{5, 3}), Known(TensorShape{2, 2}), Known(int64_t{0})})),
            "[2, 2, 3]");
  EXPECT_EQ(Text(ShapeByRow("gather",
                            {Known(TensorShape{5, 3}), Known(TensorShape()), Known(int64_t{-1})})),
            "[5]");
  EXPECT_EQ(Text(ShapeByRow("gather",
                            {Known(TensorShape{5, 3}), Known(TensorShape{1}), Known(int64_t{2})})),
            "gather: axis 2 is out of range for rank 2");
  EXPECT_EQ(
      Text(ShapeByRow("gather", {Known(TensorShape()), Known(TensorShape{1}), Known(int64_t{0})})),
      "gather: there is no dimension to gather from");
}

TEST(RowShapesTest, Concat) {
  TensorShape a{2, 3}, b{2, 4}, c{3, 3}, d{3}, e{kMax - 1, 1}, f{2, 1};
  auto concat = [](std::vector<const TensorShape*> shapes, int64_t axis) {
    std::vector<ValueType> arguments;
    for (const TensorShape* shape : shapes) arguments.push_back(Known(*shape));
    arguments.push_back(Known(axis));
    return Text(ShapeByRow("concat", arguments));
  };
  EXPECT_EQ(concat({&a, &b, &a}, 1), "[2, 10]");
  EXPECT_EQ(concat({&a, &c}, -2), "[5, 3]");
  EXPECT_EQ(concat({}, 0), "concat: there is nothing to concatenate");
  EXPECT_EQ(concat({&a, &b}, 0), "concat: sizes that must be equal are 3 and 4");
  EXPECT_EQ(concat({&a, &d}, 0), "concat: tensors of rank 2 and 1 cannot be concatenated");
  EXPECT_EQ(concat({&e, &f}, 0), "concat: a size of the result does not fit 64 bits");
}

TEST(RowShapesTest, Pad) {
  EXPECT_EQ(Text(ShapeByRow("pad", {Known(TensorShape{2, 3}), Known(Dims{1, 0, 2, 3})})), "[3, 8]");
  EXPECT_EQ(Text(ShapeByRow("pad", {Known(TensorShape{2, 3}), Known(Dims{1, 0})})),
            "pad: there are 2 numbers for rank 2");
  EXPECT_EQ(Text(ShapeByRow("pad", {Known(TensorShape{2}), Known(Dims{-1, 0})})), "[1]");
  EXPECT_EQ(Text(ShapeByRow("pad", {Known(TensorShape{2}), Known(Dims{kMax, 1})})),
            "pad: a size of the result does not fit 64 bits");
}

StatusOr<TensorShape> ReduceShape(const TensorShape& in, const Dims& axes, bool keep_dims) {
  TFRT_ASSIGN_OR_RETURN(Axes reduced, NormalizeAxes(axes, in));
  return ReducedShape(in, reduced, keep_dims);
}

TEST(RowShapesTest, Reduce) {
  EXPECT_EQ(Text(ReduceShape({2, 3, 4}, Dims{-1, 0}, false)), "[3]");
  EXPECT_EQ(Text(ReduceShape({2, 3, 4}, Dims{1}, true)), "[2, 1, 4]");
  EXPECT_EQ(Text(ReduceShape({2, 3, 4}, Dims{}, false)), "[]");
  EXPECT_EQ(Text(ReduceShape(*TensorShape::CreateOfAnySize(Dims{2, kMax, kMax}), Dims{0}, false)),
            Text(TensorShape::Create(Dims{kMax, kMax})));
  EXPECT_EQ(Text(ReduceShape({2, 3}, Dims{1, -1}, false)), "axis -1 is reduced twice");
  EXPECT_EQ(Text(ReduceShape({2, 3}, Dims{-3}, false)),
            "axis -3 is out of range for the shape [2, 3]");
  EXPECT_EQ(Text(ShapeByRow("one_hot", {Known(TensorShape{2, 3}), Known(int64_t{7}), {}, {}})),
            "[2, 3, 7]");
  EXPECT_EQ(Text(ShapeByRow("one_hot", {Known(TensorShape{2}), Known(int64_t{-7}), {}, {}})),
            "one_hot: the depth is -7");
}

StatusOr<TensorShape> MatMulShape(const TensorShape& a, const TensorShape& b, bool transpose_a,
                                  bool transpose_b) {
  return ShapeByRule<MatMulRule>({&a, &b}, transpose_a, transpose_b);
}
StatusOr<TensorShape> BatchMatMulShape(const TensorShape& a, const TensorShape& b, bool transpose_a,
                                       bool transpose_b) {
  return ShapeByRule<BatchMatMulRule>({&a, &b}, transpose_a, transpose_b);
}

TEST(RowShapesTest, MatMul) {
  EXPECT_EQ(Text(MatMulShape({2, 3}, {3, 4}, false, false)), "[2, 4]");
  EXPECT_EQ(Text(MatMulShape({3, 2}, {4, 3}, true, true)), "[2, 4]");
  EXPECT_EQ(Text(BatchMatMulShape({5, 6, 2, 3}, {5, 6, 4, 3}, false, true)), "[5, 6, 2, 4]");
  EXPECT_EQ(Text(BatchMatMulShape({5, 1, 2, 3}, {6, 3, 4}, false, false)), "[5, 6, 2, 4]");
  EXPECT_EQ(Text(BatchMatMulShape({2, 3}, {7, 4, 3}, false, true)), "[7, 2, 4]");
  EXPECT_EQ(Text(BatchMatMulShape({2, 3}, {0, 3, 4}, false, false)), "[0, 2, 4]");
  EXPECT_EQ(Text(MatMulShape({2, 3}, {2, 4}, false, false)),
            "matmul arguments have incompatible shapes: In[0]: [2, 3], In[1]: [2, 4]. transpose_a: "
            "0, transpose_b: 0");
  EXPECT_EQ(Text(MatMulShape({1, 2, 3}, {3, 4}, false, false)),
            "argument 0 of matmul op is not a rank-2 tensor. Actual rank is 3");
  EXPECT_EQ(Text(MatMulShape({2, 3}, {3}, false, false)),
            "argument 1 of matmul op is not a rank-2 tensor. Actual rank is 1");
  EXPECT_EQ(Text(BatchMatMulShape({3}, {3}, false, false)),
            "the first matmul input has the shape [3], expected at least rank 2");
  EXPECT_EQ(Text(BatchMatMulShape({3, 3}, {3}, false, false)),
            "the second matmul input has the shape [3], expected at least rank 2");
  EXPECT_EQ(Text(BatchMatMulShape({5, 2, 3}, {6, 3, 4}, false, false)),
            "the leading dimensions of a batch matmul do not fit: [5, 2, 3] * [6, 3, 4]");
}

StatusOr<TensorShape> Conv2dShape(const TensorShape& image, const TensorShape& filter,
                                  const Dims& dilations, const Dims& padding, const Dims& strides) {
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry,
                        Conv2dGeometryOf(image, filter, dilations, padding, strides));
  return geometry.OutputShape();
}

TEST(RowShapesTest, Conv2d) {
  EXPECT_EQ(Text(Conv2dShape({1, 5, 6, 2}, {3, 3, 2, 4}, Dims{1, 1}, Dims{1, 0, 0, 1}, Dims{1, 2})),
            "[1, 4, 3, 4]");
  EXPECT_EQ(Text(Conv2dShape({1, 5, 6, 2}, {3, 3, 2, 4}, Dims{1, 1}, Dims{1}, Dims{1, 1})),
            "padding should have 4 elements (top, bottom, left, right), but has 1");
  EXPECT_EQ(Text(Conv2dShape({1, 5, 6, 2}, {3, 3, 2, 4}, Dims{}, Dims{0, 0, 0, 0}, Dims{1, 1})),
            "dilations should have 2 elements, but has 0");
}

std::string PoolError(const TensorShape& in, const Dims& ksize, const Dims& strides) {
  return std::string(Pool2dWindow(in, ksize, "same", strides).status().message());
}

TEST(RowShapesTest, Pooling) {
  StatusOr<Window2d> window = Pool2dWindow({2, 7, 6, 3}, Dims{2, 2}, "same", Dims{2, 2});
  ASSERT_TRUE(window.ok());
  EXPECT_EQ(window->rows.output, 4);
  EXPECT_EQ(window->columns.output, 3);
  EXPECT_EQ(PoolError({2, 7, 6}, {2, 2}, {2, 2}),
            "the pooling input has the shape [2, 7, 6], expected rank 4");
  EXPECT_EQ(PoolError({2, 7, 6, 3}, {2}, {2, 2}), "ksize should have 2 elements");
  EXPECT_EQ(PoolError({2, 7, 6, 3}, {2, 2}, {2}), "strides should have 2 elements");
  const TensorShape images{2, 7, 6, 3}, vector{2};
  EXPECT_EQ(Text(ShapeByRule<GlobalAveragePoolRule>({&images})), "[2, 3]");
  EXPECT_EQ(Text(ShapeByRule<GlobalAveragePoolRule>({&vector})),
            "the pooling input has the shape [2], expected rank 4");
}

StatusOr<TensorShape> SoftmaxCrossEntropyShape(const TensorShape& logits,
                                               const TensorShape& labels) {
  return ShapeByRule<CrossEntropyRule>({&logits, &labels});
}

TEST(RowShapesTest, SoftmaxCrossEntropy) {
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
