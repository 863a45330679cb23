#include "tfrt/kernel_maths/shape_functions.h"

#include <algorithm>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Status CheckRank(const TensorShape& shape, size_t rank, std::string_view name) {
  if (shape.rank() == rank) return OkStatus();
  return InvalidArgumentError(
      StrCat(name, " has the shape ", shape.ToString(), ", expected rank ", rank));
}

}  // namespace

StatusOr<TensorShape> BroadcastShape(const TensorShape& a, const TensorShape& b) {
  size_t rank = std::max(a.rank(), b.rank());
  std::vector<int64_t> dims(rank);
  for (size_t i = 0; i < rank; ++i) {  // from the end
    int64_t x = i < a.rank() ? a.dim(a.rank() - 1 - i) : 1;
    int64_t y = i < b.rank() ? b.dim(b.rank() - 1 - i) : 1;
    if (x != y && x != 1 && y != 1) {
      return InvalidArgumentError(StrCat("the shapes ", a.ToString(), " and ", b.ToString(),
                                         " cannot be broadcast together"));
    }
    dims[rank - 1 - i] = x == 1 ? y : x;
  }
  return TensorShape::Create(dims);
}

StatusOr<size_t> NormalizeAxis(int64_t axis, const TensorShape& shape) {
  auto rank = static_cast<int64_t>(shape.rank());
  if (axis < -rank || axis >= rank) {
    return InvalidArgumentError(
        StrCat("axis ", axis, " is out of range for the shape ", shape.ToString()));
  }
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

StatusOr<TensorShape> TransposeShape(const TensorShape& in, std::span<const int64_t> permutation) {
  std::vector<bool> seen(in.rank());
  std::vector<int64_t> dims;
  for (int64_t axis : permutation) {
    bool valid = axis >= 0 && static_cast<uint64_t>(axis) < in.rank() && !seen[axis];
    if (!valid) break;
    seen[axis] = true;
    dims.push_back(in.dim(axis));
  }
  if (dims.size() != in.rank() || permutation.size() != in.rank()) {
    return InvalidArgumentError(StrCat(DimsToString(permutation), " is not a permutation of the ",
                                       in.rank(), " dimensions of the shape ", in.ToString()));
  }
  return TensorShape::Create(dims);
}

StatusOr<size_t> NormalizeBatchDims(int64_t batch_dims, const TensorShape& indices) {
  const auto rank = static_cast<int64_t>(indices.rank());
  if (batch_dims < -rank || batch_dims > rank) {
    return InvalidArgumentError(StrCat("batch_dims ", batch_dims,
                                       " is out of range for indices of the shape ",
                                       indices.ToString()));
  }
  return static_cast<size_t>(batch_dims < 0 ? batch_dims + rank : batch_dims);
}

StatusOr<TensorShape> GatherShape(const TensorShape& in, const TensorShape& indices, int64_t axis,
                                  int64_t batch_dims) {
  TFRT_ASSIGN_OR_RETURN(size_t replaced, NormalizeAxis(axis, in));
  TFRT_ASSIGN_OR_RETURN(size_t batch, NormalizeBatchDims(batch_dims, indices));
  if (batch > replaced) {
    return InvalidArgumentError(StrCat("axis ", axis, " of the shape ", in.ToString(),
                                       " is among the ", batch, " batch dimensions"));
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < in.rank(); ++i) {
    if (i < batch && in.dim(i) != indices.dim(i)) {
      return InvalidArgumentError(StrCat("batch dimension ", i, " differs: the shape is ",
                                         in.ToString(), ", that of the indices ",
                                         indices.ToString()));
    }
    if (i != replaced) {
      dims.push_back(in.dim(i));
      continue;
    }
    for (size_t j = batch; j < indices.rank(); ++j) dims.push_back(indices.dim(j));
  }
  return TensorShape::Create(dims);
}

StatusOr<TensorShape> GatherNdShape(const TensorShape& in, const TensorShape& indices) {
  if (indices.rank() == 0) {
    return InvalidArgumentError("indices of the shape [] have no last dimension");
  }
  const size_t last = indices.rank() - 1;
  if (static_cast<uint64_t>(indices.dim(last)) > in.rank()) {
    return InvalidArgumentError(StrCat("indices of the shape ", indices.ToString(),
                                       " are too many for the shape ", in.ToString()));
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < last; ++i) dims.push_back(indices.dim(i));
  for (size_t i = indices.dim(last); i < in.rank(); ++i) dims.push_back(in.dim(i));
  return TensorShape::Create(dims);
}

StatusOr<TensorShape> ConcatShape(std::span<const TensorShape* const> inputs, int64_t axis) {
  if (inputs.empty()) return InvalidArgumentError("there is nothing to concatenate");
  const TensorShape& first = *inputs[0];
  TFRT_ASSIGN_OR_RETURN(size_t along, NormalizeAxis(axis, first));
  std::vector<int64_t> dims(first.rank());
  for (size_t i = 0; i < first.rank(); ++i) dims[i] = first.dim(i);
  for (const TensorShape* input : inputs.subspan(1)) {
    bool fits = input->rank() == first.rank();
    for (size_t i = 0; fits && i < dims.size(); ++i) {
      fits = i == along || input->dim(i) == dims[i];
    }
    if (!fits) {
      return InvalidArgumentError(StrCat("the shapes ", first.ToString(), " and ",
                                         input->ToString(), " cannot be concatenated along axis ",
                                         along));
    }
    if (__builtin_add_overflow(dims[along], input->dim(along), &dims[along])) {
      return InvalidArgumentError(StrCat("the concatenation along axis ", along, " is too long: ",
                                         first.ToString(), " and ", input->ToString()));
    }
  }
  return TensorShape::Create(dims);
}

StatusOr<TensorShape> PadShape(const TensorShape& in, std::span<const int64_t> padding) {
  if (padding.size() != 2 * in.rank()) {
    return InvalidArgumentError(StrCat("padding has ", padding.size(), " elements, expected ",
                                       2 * in.rank(), " for the shape ", in.ToString()));
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < in.rank(); ++i) {
    int64_t before = padding[2 * i];
    int64_t after = padding[2 * i + 1];
    int64_t size;
    if (before < 0 || after < 0 || __builtin_add_overflow(before, after, &size) ||
        __builtin_add_overflow(size, in.dim(i), &size)) {
      return InvalidArgumentError(StrCat("dimension ", i, " of the shape ", in.ToString(),
                                         " cannot be padded by ", before, " and ", after));
    }
    dims.push_back(size);
  }
  return TensorShape::Create(dims);
}

StatusOr<Axes> NormalizeAxes(std::span<const int64_t> axes, const TensorShape& in) {
  Axes result;
  if (axes.empty()) {
    for (size_t i = 0; i < in.rank(); ++i) result.push_back(i);
    return result;
  }
  for (int64_t axis : axes) {
    TFRT_ASSIGN_OR_RETURN(size_t normal, NormalizeAxis(axis, in));
    if (std::ranges::find(result, normal) != result.end()) {
      return InvalidArgumentError(StrCat("axis ", axis, " is reduced twice"));
    }
    result.push_back(normal);
  }
  std::ranges::sort(result);
  return result;
}

StatusOr<TensorShape> ReduceShape(const TensorShape& in, std::span<const int64_t> axes,
                                  bool keep_dims) {
  TFRT_ASSIGN_OR_RETURN(Axes reduced, NormalizeAxes(axes, in));
  return ReducedShape(in, reduced, keep_dims);
}

StatusOr<TensorShape> ReducedShape(const TensorShape& in, std::span<const size_t> axes,
                                   bool keep_dims) {
  InlineVector<int64_t, 8> dims;
  for (size_t i = 0; i < in.rank(); ++i) {
    if (!std::ranges::binary_search(axes, i)) {
      dims.push_back(in.dim(i));
    } else if (keep_dims) {
      dims.push_back(1);
    }
  }
  return TensorShape::Create(dims);
}

StatusOr<TensorShape> MatMulShape(const TensorShape& a, const TensorShape& b, bool transpose_a,
                                  bool transpose_b) {
  TFRT_RETURN_IF_ERROR(CheckRank(a, 2, "the first matmul input"));
  TFRT_RETURN_IF_ERROR(CheckRank(b, 2, "the second matmul input"));
  return BatchMatMulShape(a, b, transpose_a, transpose_b);
}

StatusOr<TensorShape> BatchMatMulShape(const TensorShape& a, const TensorShape& b, bool transpose_a,
                                       bool transpose_b) {
  for (const TensorShape* each : {&a, &b}) {
    if (each->rank() >= 2) continue;
    return InvalidArgumentError(StrCat("the ", each == &a ? "first" : "second",
                                       " matmul input has the shape ", each->ToString(),
                                       ", expected at least rank 2"));
  }
  const size_t rank = std::max(a.rank(), b.rank());
  const size_t a_missing = rank - a.rank(), b_missing = rank - b.rank();
  std::vector<int64_t> dims(rank);
  for (size_t i = 0; i + 2 < rank; ++i) {
    const int64_t x = i < a_missing ? 1 : a.dim(i - a_missing);
    const int64_t y = i < b_missing ? 1 : b.dim(i - b_missing);
    if (x != y && x != 1 && y != 1) {
      return InvalidArgumentError(StrCat("the leading dimensions of a batch matmul do not fit: ",
                                         a.ToString(), " * ", b.ToString()));
    }
    dims[i] = x == 1 ? y : x;
  }
  const size_t a_last = a.rank() - 1, b_last = b.rank() - 1;
  if (a.dim(transpose_a ? a_last - 1 : a_last) != b.dim(transpose_b ? b_last : b_last - 1)) {
    return InvalidArgumentError(StrCat(
        "MatMul input tensors inner dimension mismatch: ", a.ToString(), " vs. ", b.ToString()));
  }
  dims[rank - 2] = a.dim(transpose_a ? a_last : a_last - 1);
  dims[rank - 1] = b.dim(transpose_b ? b_last - 1 : b_last);
  return TensorShape::Create(dims);
}

Status CheckMatMulBias(const TensorShape& bias, int64_t columns) {
  if (bias.rank() != 1) return InvalidArgumentError("Bias tensor must a vector");
  if (bias.dim(0) == columns) return OkStatus();
  return InvalidArgumentError(StrCat("The number of bias elements ", bias.dim(0),
                                     " doesn't match output inner dimension ", columns));
}

StatusOr<Conv2dGeometry> Conv2dGeometryOf(const TensorShape& image, const TensorShape& filter,
                                          std::span<const int64_t> dilations,
                                          std::span<const int64_t> padding,
                                          std::span<const int64_t> strides) {
  if (padding.size() != 4) {
    return InvalidArgumentError(StrCat(
        "padding should have 4 elements (top, bottom, left, right), but has ", padding.size()));
  }
  if (dilations.size() != 2) {
    return InvalidArgumentError(
        StrCat("dilations should have 2 elements, but has ", dilations.size()));
  }
  const ExplicitPadding paddings[] = {{padding[0], padding[1]}, {padding[2], padding[3]}};
  return Conv2dGeometry::Create(image, filter, strides, "explicit", dilations, paddings);
}

StatusOr<TensorShape> Conv2dShape(const TensorShape& image, const TensorShape& filter,
                                  std::span<const int64_t> dilations,
                                  std::span<const int64_t> padding,
                                  std::span<const int64_t> strides) {
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry,
                        Conv2dGeometryOf(image, filter, dilations, padding, strides));
  return geometry.OutputShape();
}

StatusOr<Window2d> Pool2dWindow(const TensorShape& in, std::span<const int64_t> ksize,
                                std::string_view padding, std::span<const int64_t> strides) {
  TFRT_RETURN_IF_ERROR(CheckRank(in, 4, "the pooling input"));
  if (strides.size() != 2) return InvalidArgumentError("strides should have 2 elements");
  if (ksize.size() != 2) return InvalidArgumentError("ksize should have 2 elements");
  TFRT_ASSIGN_OR_RETURN(Padding kind, ParsePadding(padding));
  return Window2d::Create(in, ksize, strides, kind);
}

StatusOr<TensorShape> Pool2dShape(const TensorShape& in, std::span<const int64_t> ksize,
                                  std::string_view padding, std::span<const int64_t> strides) {
  TFRT_ASSIGN_OR_RETURN(Window2d window, Pool2dWindow(in, ksize, padding, strides));
  const int64_t dims[] = {in.dim(0), window.rows.output, window.columns.output, in.dim(3)};
  return TensorShape::Create(dims);
}

StatusOr<TensorShape> GlobalAveragePoolShape(const TensorShape& in) {
  TFRT_RETURN_IF_ERROR(CheckRank(in, 4, "the pooling input"));
  const int64_t dims[] = {in.dim(0), in.dim(3)};
  return TensorShape::Create(dims);
}

StatusOr<TensorShape> ArgmaxShape(const TensorShape& in, int64_t axis) {
  const int64_t axes[] = {axis};
  return ReduceShape(in, axes, /*keep_dims=*/false);
}

StatusOr<TensorShape> OneHotShape(const TensorShape& indices, int64_t depth) {
  std::vector<int64_t> dims;
  for (size_t i = 0; i < indices.rank(); ++i) dims.push_back(indices.dim(i));
  dims.push_back(depth);
  return TensorShape::Create(dims);
}

StatusOr<TensorShape> SoftmaxCrossEntropyShape(const TensorShape& logits,
                                               const TensorShape& labels) {
  TFRT_RETURN_IF_ERROR(CheckRank(logits, 2, "the matrix of logits"));
  TFRT_RETURN_IF_ERROR(CheckRank(labels, 1, "the vector of labels"));
  if (logits.dim(0) != labels.dim(0)) {
    return InvalidArgumentError(StrCat("the labels have the shape ", labels.ToString(),
                                       ", but the logits ", logits.ToString()));
  }
  return labels;
}

}  // namespace tfrt
