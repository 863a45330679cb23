#include "sampling_attrs.h"

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// A vector of so many f32, or null.
StatusOr<const float*> NumbersOf(const DenseHostTensor* tensor, std::string_view name,
                                 size_t count) {
  if (!tensor) return nullptr;
  if (tensor->dtype() == DType::kF32 && tensor->num_elements() == static_cast<int64_t>(count)) {
    return static_cast<const float*>(tensor->data());
  }
  return InvalidArgumentError(StrCat("the ", name, " is ", DTypeName(tensor->dtype()), " ",
                                     tensor->shape().ToString(), ", expected ", count, " f32"));
}

// An attribute with a number for each dimension, or none.
StatusOr<int64_t> NumberFor(std::string_view op_name, const OpAttrsRef& attrs,
                            std::string_view name, size_t index, size_t count, int64_t otherwise) {
  const auto numbers = *attrs.GetArray<int64_t>(name);
  if (numbers.empty()) return otherwise;
  if (numbers.size() != count) {
    return InvalidArgumentError(
        StrCat(op_name, ": ", name, " has ", numbers.size(), " numbers, expected ", count));
  }
  constexpr int64_t kMost = 1 << 30;
  if (numbers[index] >= (otherwise == 0 ? 0 : 1) && numbers[index] <= kMost) return numbers[index];
  return InvalidArgumentError(
      StrCat(op_name, ": number ", index, " of ", name, " is ", numbers[index]));
}

// The error with the op's name in front of it.
template <typename T>
StatusOr<T> Named(std::string_view op_name, StatusOr<T> value) {
  if (value.ok()) return value;
  return InvalidArgumentError(StrCat(op_name, ": ", value.status().message()));
}

}  // namespace

StatusOr<cpu::ResizeOptions> ResizeOptionsOf(const OpAttrsRef& attrs) {
  cpu::ResizeOptions options;
  TFRT_ASSIGN_OR_RETURN(options.mode, cpu::ResizeModeOf(*attrs.GetString("mode")));
  TFRT_ASSIGN_OR_RETURN(options.coordinates,
                        cpu::ResizeCoordinatesOf(*attrs.GetString("coordinates")));
  TFRT_ASSIGN_OR_RETURN(options.nearest, cpu::ResizeNearestOf(*attrs.GetString("nearest")));
  options.cubic_coefficient = *attrs.Get<float>("cubic_coefficient");
  options.antialias = *attrs.Get<bool>("antialias");
  options.exclude_outside = *attrs.Get<bool>("exclude_outside");
  return options;
}

StatusOr<std::vector<cpu::ResizeDim>> ResizeDimsOf(const TensorShape& in, const TensorShape& out,
                                                   const DenseHostTensor* scale_tensor,
                                                   const DenseHostTensor* box_tensor) {
  const size_t rank = in.rank();
  TFRT_ASSIGN_OR_RETURN(const float* scales, NumbersOf(scale_tensor, "scale", rank));
  TFRT_ASSIGN_OR_RETURN(const float* box, NumbersOf(box_tensor, "box", 2 * rank));
  std::vector<cpu::ResizeDim> dims(rank);
  for (size_t i = 0; i < rank; ++i) {
    cpu::ResizeDim& dim = dims[i];
    dim = {in.dim(i), out.dim(i), static_cast<double>(out.dim(i)) / static_cast<double>(in.dim(i))};
    if (scales) {
      dim.scale = scales[i];
      dim.is_scaled = true;
      if (!(dim.scale > 0)) return InvalidArgumentError(StrCat("scale ", i, " is not above 0"));
    }
    if (box) dim.begin = box[i], dim.end = box[rank + i];
  }
  return dims;
}

StatusOr<cpu::GridSampleOptions> GridSampleOptionsOf(std::string_view op_name,
                                                     const TensorShape& in, const TensorShape& grid,
                                                     const OpAttrsRef& attrs) {
  cpu::GridSampleOptions options;
  TFRT_ASSIGN_OR_RETURN(options.mode, Named(op_name, cpu::SampleModeOf(*attrs.GetString("mode"))));
  TFRT_ASSIGN_OR_RETURN(options.padding,
                        Named(op_name, cpu::SamplePaddingOf(*attrs.GetString("padding"))));
  options.align_corners = *attrs.Get<bool>("align_corners");
  options.channels = in.dim(1);
  for (size_t i = 2; i < in.rank(); ++i) options.sizes.push_back(in.dim(i));
  options.points = 1;
  for (size_t i = 1; i + 1 < grid.rank(); ++i) options.points *= grid.dim(i);
  return options;
}

StatusOr<cpu::RoiAlignOptions> RoiAlignOptionsOf(std::string_view op_name, const TensorShape& in,
                                                 const OpAttrsRef& attrs) {
  cpu::RoiAlignOptions options{in.dim(0), in.dim(1), in.dim(2), in.dim(3)};
  options.rows = *attrs.Get<int64_t>("height");
  options.columns = *attrs.Get<int64_t>("width");
  options.samples = *attrs.Get<int64_t>("samples");
  options.scale = *attrs.Get<float>("scale");
  options.half_pixel = *attrs.Get<bool>("half_pixel");
  const std::string_view mode = *attrs.GetString("mode");
  if (mode != "avg" && mode != "max") {
    return InvalidArgumentError(StrCat(op_name, ": unknown mode '", mode, "'"));
  }
  options.max = mode == "max";
  return options;
}

StatusOr<std::vector<cpu::BlockDim>> BlockDimsOf(std::string_view op_name, const OpAttrsRef& attrs,
                                                 std::span<const int64_t> image,
                                                 std::span<const int64_t> block,
                                                 int64_t num_blocks) {
  const size_t rank = image.size();
  std::vector<cpu::BlockDim> dims(rank);
  int64_t positions = 1;
  for (size_t i = 0; i < rank; ++i) {
    cpu::BlockDim& dim = dims[i];
    dim.image = image[i];
    dim.block = block[i];
    TFRT_ASSIGN_OR_RETURN(dim.stride, NumberFor(op_name, attrs, "strides", i, rank, 1));
    TFRT_ASSIGN_OR_RETURN(dim.dilation, NumberFor(op_name, attrs, "dilations", i, rank, 1));
    TFRT_ASSIGN_OR_RETURN(dim.before, NumberFor(op_name, attrs, "pads", i, 2 * rank, 0));
    TFRT_ASSIGN_OR_RETURN(int64_t after, NumberFor(op_name, attrs, "pads", rank + i, 2 * rank, 0));
    int64_t reach;
    if (dim.block <= 0 || dim.dilation <= 0 ||
        __builtin_mul_overflow(dim.dilation, dim.block - 1, &reach) || dim.image > (1LL << 60) ||
        reach > dim.image + dim.before + after - 1) {
      return InvalidArgumentError(
          StrCat(op_name, ": no block of ", dim.block, " fits dimension ", i, " of ", dim.image));
    }
    dim.count = (dim.image + dim.before + after - 1 - reach) / dim.stride + 1;
    if (__builtin_mul_overflow(positions, dim.count, &positions)) positions = -1;
  }
  if (positions != num_blocks) {
    return InvalidArgumentError(
        StrCat(op_name, ": there are ", num_blocks, " blocks, expected ", positions));
  }
  return dims;
}

}  // namespace tfrt
