// Shape functions: the shape of an operation's output from the shapes of its inputs and its
// attributes, or InvalidArgument if there is none. The operations of the same name are the kernels
// tfrt_cpu.*. An axis may be negative: it counts from the end then.
#ifndef TFRT_KERNEL_MATHS_SHAPE_FUNCTIONS_H_
#define TFRT_KERNEL_MATHS_SHAPE_FUNCTIONS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/kernel_maths/window_geometry.h"
#include "tfrt/support/inline_vector.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/shape.h"

namespace tfrt {

// The number of elements of the dimensions [begin, end).
inline int64_t SizeOfDims(const TensorShape& shape, size_t begin, size_t end) {
  int64_t size = 1;
  for (size_t i = begin; i < end; ++i) size *= shape.dim(i);
  return size;
}

// NumPy's rule: aligned at the end, a dimension of 1 is repeated.
// "the shapes [2, 3] and [4] cannot be broadcast together"
StatusOr<TensorShape> BroadcastShape(const TensorShape& a, const TensorShape& b);

// -rank <= axis < rank -> 0 <= axis < rank. "axis 2 is out of range for the shape [2, 3]"
StatusOr<size_t> NormalizeAxis(int64_t axis, const TensorShape& shape);

// Dimension i of the output is dimension permutation[i] of the input.
// "[0, 0] is not a permutation of the 2 dimensions of the shape [2, 3]"
StatusOr<TensorShape> TransposeShape(const TensorShape& in, std::span<const int64_t> permutation);

// The input with its dimension `axis` replaced by those of the indices but for the first
// `batch_dims`, which both begin with. A negative `batch_dims` counts from the rank of the indices.
// "batch_dims 2 is out of range for indices of the shape [3]"
StatusOr<TensorShape> GatherShape(const TensorShape& in, const TensorShape& indices, int64_t axis,
                                  int64_t batch_dims = 0);
// -rank <= batch_dims <= rank of the indices -> 0 <= batch_dims <= rank
StatusOr<size_t> NormalizeBatchDims(int64_t batch_dims, const TensorShape& indices);

// The last dimension of the indices, [...,D], goes along the first D dimensions of the input: the
// others of the indices, then the others of the input.
// "indices of the shape [2, 3] are too many for the shape [5, 5]"
StatusOr<TensorShape> GatherNdShape(const TensorShape& in, const TensorShape& indices);

// Inputs that agree in all dimensions but `axis`, one after the other.
StatusOr<TensorShape> ConcatShape(std::span<const TensorShape* const> inputs, int64_t axis);

// `padding` holds elements to add before and after, for each dimension.
StatusOr<TensorShape> PadShape(const TensorShape& in, std::span<const int64_t> padding);

// The axes that are reduced, in ascending order; no axes means all.
// "axis 1 is reduced twice"
using Axes = InlineVector<size_t, 8>;
StatusOr<Axes> NormalizeAxes(std::span<const int64_t> axes, const TensorShape& in);
StatusOr<TensorShape> ReduceShape(const TensorShape& in, std::span<const int64_t> axes,
                                  bool keep_dims);
// The same of axes from NormalizeAxes.
StatusOr<TensorShape> ReducedShape(const TensorShape& in, std::span<const size_t> axes,
                                   bool keep_dims);

// a [...,M,K] * b [...,K,N] -> [...,M,N]; the last two dimensions of an input that is transposed
// lie the other way round. The ones before them, of which a matmul has none, are broadcast by
// NumPy's rule (BatchBroadcast in batch_broadcast.h).
StatusOr<TensorShape> MatMulShape(const TensorShape& a, const TensorShape& b, bool transpose_a,
                                  bool transpose_b);
StatusOr<TensorShape> BatchMatMulShape(const TensorShape& a, const TensorShape& b, bool transpose_a,
                                       bool transpose_b);

// What is added to each row of a product: "Bias tensor must a vector", "The number of bias elements
// 2 doesn't match output inner dimension 3".
Status CheckMatMulBias(const TensorShape& bias, int64_t columns);

// image [N,H,W,C], filter [H,W,C,O]; `padding` is top, bottom, left, right.
StatusOr<TensorShape> Conv2dShape(const TensorShape& image, const TensorShape& filter,
                                  std::span<const int64_t> dilations,
                                  std::span<const int64_t> padding,
                                  std::span<const int64_t> strides);
// The geometry behind it.
StatusOr<Conv2dGeometry> Conv2dGeometryOf(const TensorShape& image, const TensorShape& filter,
                                          std::span<const int64_t> dilations,
                                          std::span<const int64_t> padding,
                                          std::span<const int64_t> strides);

// in [N,H,W,C]
StatusOr<TensorShape> Pool2dShape(const TensorShape& in, std::span<const int64_t> ksize,
                                  std::string_view padding, std::span<const int64_t> strides);
// The windows behind it.
StatusOr<Window2d> Pool2dWindow(const TensorShape& in, std::span<const int64_t> ksize,
                                std::string_view padding, std::span<const int64_t> strides);
// [N,H,W,C] -> [N,C]
StatusOr<TensorShape> GlobalAveragePoolShape(const TensorShape& in);

// The input without `axis`.
StatusOr<TensorShape> ArgmaxShape(const TensorShape& in, int64_t axis);
// The indices' shape with one more dimension, `depth`, at the end.
StatusOr<TensorShape> OneHotShape(const TensorShape& indices, int64_t depth);

// logits [N,C], labels [N] -> [N]
StatusOr<TensorShape> SoftmaxCrossEntropyShape(const TensorShape& logits,
                                               const TensorShape& labels);

}  // namespace tfrt

#endif  // TFRT_KERNEL_MATHS_SHAPE_FUNCTIONS_H_
