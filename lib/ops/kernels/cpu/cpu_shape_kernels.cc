// tfrt_cpu.<op>_shape: the shapes of the outputs of tfrt_cpu.<op>, with the same attributes.

#include <cstdint>
#include <vector>

#include "kernel_groups.h"
#include "lib/format/op_table/layout_rules.h"
#include "lib/format/op_table/product_rules.h"
#include "lib/format/op_table/row_rules.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/ops/maths/shapes/row_shapes.h"
#include "lib/ops/maths/shapes/window_geometry.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using ShapeResult = StatusOr<TensorShape>;

// Operations whose output has the shape of the first input take the shapes of all inputs.
ShapeResult SameShape(RepeatedArguments<TensorShape> inputs, RemainingAttributes) {
  if (inputs.size() == 0) return InvalidArgumentError("a shape function without shapes");
  return inputs[0];
}

ShapeResult ShapeOfTranspose(const TensorShape& in, ArrayAttribute<int64_t> permutation) {
  return ShapeByRow("transpose", {Known(in), Known(permutation.span())});
}
ShapeResult ShapeOfGather(const TensorShape& in, const TensorShape& indices,
                          Attribute<int64_t> axis) {
  return ShapeByRow("gather", {Known(in), Known(indices), Known(*axis)});
}
ShapeResult ShapeOfConcat(RepeatedArguments<TensorShape> inputs, Attribute<int64_t> axis) {
  std::vector<ValueType> arguments;
  for (size_t i = 0; i < inputs.size(); ++i) arguments.push_back(Known(inputs[i]));
  arguments.push_back(Known(*axis));
  return ShapeByRow("concat", arguments);
}
// The padding value is of no interest.
ShapeResult ShapeOfPad(const TensorShape& in, ArrayAttribute<int64_t> padding,
                       RemainingAttributes) {
  return ShapeByRow("pad", {Known(in), Known(padding.span())});
}
ShapeResult ShapeOfReduce(const TensorShape& in, ArrayAttribute<int64_t> axes,
                          Attribute<bool> keep_dims) {
  TFRT_ASSIGN_OR_RETURN(Axes reduced, NormalizeAxes(axes.span(), in));
  return ReducedShape(in, reduced, *keep_dims);
}
ShapeResult ShapeOfMatMul(const TensorShape& a, const TensorShape& b, Attribute<bool> transpose_a,
                          Attribute<bool> transpose_b) {
  return ShapeByRule<MatMulRule>({&a, &b}, *transpose_a, *transpose_b);
}
// alpha is of no interest.
ShapeResult ShapeOfBatchMatMul(const TensorShape& a, const TensorShape& b, Attribute<float>,
                               Attribute<bool> transpose_a, Attribute<bool> transpose_b) {
  return ShapeByRule<BatchMatMulRule>({&a, &b}, *transpose_a, *transpose_b);
}
ShapeResult ShapeOfConv2d(const TensorShape& image, const TensorShape& filter,
                          ArrayAttribute<int64_t> dilations, ArrayAttribute<int64_t> padding,
                          ArrayAttribute<int64_t> strides) {
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry, Conv2dGeometryOf(image, filter, dilations.span(),
                                                                  padding.span(), strides.span()));
  return geometry.OutputShape();
}
ShapeResult ShapeOfArgmax(const TensorShape& in, Attribute<int64_t> axis) {
  TFRT_ASSIGN_OR_RETURN(size_t reduced, NormalizeAxis(*axis, in));
  return ReducedShape(in, {&reduced, 1}, /*keep_dims=*/false);
}
ShapeResult ShapeOfPool2d(const TensorShape& in, ArrayAttribute<int64_t> ksize,
                          StringAttribute padding, ArrayAttribute<int64_t> strides) {
  TFRT_ASSIGN_OR_RETURN(Window2d window, Pool2dWindow(in, ksize.span(), *padding, strides.span()));
  const int64_t dims[] = {in.dim(0), window.rows.output, window.columns.output, in.dim(3)};
  return TensorShape::Create(dims);
}
ShapeResult ShapeOfOneHot(const TensorShape& indices, Attribute<int64_t> depth) {
  return ShapeByRow("one_hot", {Known(indices), Known(*depth), {}, {}});
}
ShapeResult ShapeOfGlobalAveragePool(const TensorShape& in) {
  return ShapeByRule<GlobalAveragePoolRule>({&in});
}
ShapeResult ShapeOfCrossEntropy(const TensorShape& logits, const TensorShape& labels) {
  return ShapeByRule<CrossEntropyRule>({&logits, &labels});
}

}  // namespace

void RegisterCpuShapeKernels(KernelRegistry* registry) {
  auto add = [&](std::string_view op, AsyncKernelDefinition kernel) {
    registry->AddKernel(StrCat("tfrt_cpu.", op, "_shape"), kernel);
  };
  for (const char* op : {"relu", "gelu", "tanh", "sigmoid", "exp", "sqrt", "rsqrt", "log", "cast",
                         "softmax", "log_softmax", "layer_norm", "batch_norm", "max_pool2d_grad",
                         "softmax_cross_entropy_grad"}) {
    add(op, TFRT_KERNEL(SameShape));
  }
  for (const char* op : {"add", "sub", "mul", "div", "maximum", "minimum", "relu_grad"}) {
    add(op, TFRT_KERNEL(BroadcastShape));
  }
  for (const char* op : {"reduce_sum", "reduce_mean", "reduce_max", "reduce_min"}) {
    add(op, TFRT_KERNEL(ShapeOfReduce));
  }
  for (const char* op : {"max_pool2d", "avg_pool2d"}) add(op, TFRT_KERNEL(ShapeOfPool2d));
  add("matmul", TFRT_KERNEL(ShapeOfMatMul));
  add("batch_matmul", TFRT_KERNEL(ShapeOfBatchMatMul));
  add("conv2d", TFRT_KERNEL(ShapeOfConv2d));
  add("transpose", TFRT_KERNEL(ShapeOfTranspose));
  add("gather", TFRT_KERNEL(ShapeOfGather));
  add("concat", TFRT_KERNEL(ShapeOfConcat));
  add("pad", TFRT_KERNEL(ShapeOfPad));
  add("argmax", TFRT_KERNEL(ShapeOfArgmax));
  add("global_average_pool", TFRT_KERNEL(ShapeOfGlobalAveragePool));
  add("one_hot", TFRT_KERNEL(ShapeOfOneHot));
  add("softmax_cross_entropy", TFRT_KERNEL(ShapeOfCrossEntropy));
}

}  // namespace tfrt
