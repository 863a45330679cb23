// tfrt_cpu.<op>_shape: the shapes of the outputs of tfrt_cpu.<op>, with the same attributes.

#include <cstdint>
#include <string>
#include <vector>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernel_maths/shape_functions.h"
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
  return TransposeShape(in, permutation.span());
}
ShapeResult ShapeOfGather(const TensorShape& in, const TensorShape& indices,
                          Attribute<int64_t> axis) {
  return GatherShape(in, indices, *axis);
}
ShapeResult ShapeOfConcat(RepeatedArguments<TensorShape> inputs, Attribute<int64_t> axis) {
  std::vector<const TensorShape*> shapes;
  for (size_t i = 0; i < inputs.size(); ++i) shapes.push_back(&inputs[i]);
  return ConcatShape(shapes, *axis);
}
// The padding value is of no interest.
ShapeResult ShapeOfPad(const TensorShape& in, ArrayAttribute<int64_t> padding,
                       RemainingAttributes) {
  return PadShape(in, padding.span());
}
ShapeResult ShapeOfReduce(const TensorShape& in, ArrayAttribute<int64_t> axes,
                          Attribute<bool> keep_dims) {
  return ReduceShape(in, axes.span(), *keep_dims);
}
ShapeResult ShapeOfMatMul(const TensorShape& a, const TensorShape& b, Attribute<bool> transpose_a,
                          Attribute<bool> transpose_b) {
  return MatMulShape(a, b, *transpose_a, *transpose_b);
}
// alpha is of no interest.
ShapeResult ShapeOfBatchMatMul(const TensorShape& a, const TensorShape& b, Attribute<float>,
                               Attribute<bool> transpose_a, Attribute<bool> transpose_b) {
  return BatchMatMulShape(a, b, *transpose_a, *transpose_b);
}
ShapeResult ShapeOfConv2d(const TensorShape& image, const TensorShape& filter,
                          ArrayAttribute<int64_t> dilations, ArrayAttribute<int64_t> padding,
                          ArrayAttribute<int64_t> strides) {
  return Conv2dShape(image, filter, dilations.span(), padding.span(), strides.span());
}
ShapeResult ShapeOfArgmax(const TensorShape& in, Attribute<int64_t> axis) {
  return ArgmaxShape(in, *axis);
}
ShapeResult ShapeOfPool2d(const TensorShape& in, ArrayAttribute<int64_t> ksize,
                          StringAttribute padding, ArrayAttribute<int64_t> strides) {
  return Pool2dShape(in, ksize.span(), *padding, strides.span());
}
ShapeResult ShapeOfOneHot(const TensorShape& indices, Attribute<int64_t> depth) {
  return OneHotShape(indices, *depth);
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
  add("global_average_pool", TFRT_KERNEL(GlobalAveragePoolShape));
  add("one_hot", TFRT_KERNEL(ShapeOfOneHot));
  add("softmax_cross_entropy", TFRT_KERNEL(SoftmaxCrossEntropyShape));
}

}  // namespace tfrt
