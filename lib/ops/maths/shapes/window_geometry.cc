#include "window_geometry.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// The product of two int64_t fits, and so do the few sums that follow.
using Wide = __int128;
constexpr Wide kMax = std::numeric_limits<int64_t>::max();

char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string Sizes(int64_t input, int64_t filter, int64_t stride, int64_t dilation) {
  return StrCat("(input_size: ", input, ", filter_size: ", filter, ", stride: ", stride,
                ", dilation: ", dilation, ")");
}

Status CheckRank4(const TensorShape& shape, std::string_view name) {
  if (shape.rank() == 4) return OkStatus();
  return InvalidArgumentError(
      StrCat(name, " has the shape ", shape.ToString(), ", expected rank 4"));
}

}  // namespace

StatusOr<Padding> ParsePadding(std::string_view text) {
  auto is = [&](std::string_view name) { return std::ranges::equal(text, name, {}, ToLower); };
  if (is("valid")) return Padding::kValid;
  if (is("same")) return Padding::kSame;
  if (is("explicit")) return Padding::kExplicit;
  return InvalidArgumentError(StrCat("Unknown padding type ", text));
}

StatusOr<WindowDimension> WindowDimension::Create(int64_t input, int64_t filter, int64_t stride,
                                                  int64_t dilation, Padding padding,
                                                  std::optional<ExplicitPadding> explicit_padding) {
  assert(input >= 0);
  if (stride <= 0) {
    return InvalidArgumentError(StrCat("Stride must be > 0, but got ", stride));
  }
  if (dilation <= 0) {
    return InvalidArgumentError(StrCat("Dilation rate must be >= 1, but got ", dilation));
  }
  if (filter <= 0) {
    return InvalidArgumentError(StrCat("Filter size must be > 0, but got ", filter));
  }
  WindowDimension result{input, filter, stride, dilation};
  const Wide extent = Wide(filter - 1) * dilation + 1;
  Wide output = 0;
  Wide before = 0;
  Wide after = 0;
  switch (padding) {
    case Padding::kSame: {
      output = (Wide(input) + stride - 1) / stride;
      Wide needed = std::max<Wide>(0, (output - 1) * stride + extent - input);
      before = needed / 2;
      after = needed - before;
      break;
    }
    case Padding::kExplicit:
      if (!explicit_padding) {
        return InvalidArgumentError("For explicit padding, padding values must be defined");
      }
      before = explicit_padding->before;
      after = explicit_padding->after;
      if (before < 0 || after < 0) {
        return InvalidArgumentError(StrCat("padding must not be negative, but got ",
                                           explicit_padding->before, " and ",
                                           explicit_padding->after));
      }
      [[fallthrough]];
    case Padding::kValid:
      output = (before + input + after - extent + stride) / stride;
      break;
  }
  if (extent > kMax || before + input + after > kMax) {
    return InvalidArgumentError(
        StrCat("Computed window is too large: ", Sizes(input, filter, stride, dilation)));
  }
  if (output < 0) {
    return InvalidArgumentError(
        StrCat("Computed output size would be negative: ", static_cast<int64_t>(output), " ",
               Sizes(input, filter, stride, dilation)));
  }
  result.pad_before = static_cast<int64_t>(before);
  result.pad_after = static_cast<int64_t>(after);
  result.output = static_cast<int64_t>(output);
  return result;
}

StatusOr<Window2d> Window2d::Create(const TensorShape& image, std::span<const int64_t> filter,
                                    std::span<const int64_t> strides, Padding padding,
                                    std::span<const int64_t> dilations,
                                    std::span<const ExplicitPadding> explicit_paddings) {
  assert(image.rank() == 4 && filter.size() == 2 && strides.size() == 2);
  assert(dilations.empty() || dilations.size() == 2);
  assert(explicit_paddings.empty() || explicit_paddings.size() == 2);
  auto dimension = [&](size_t i) {
    std::optional<ExplicitPadding> values;
    if (!explicit_paddings.empty()) values = explicit_paddings[i];
    return WindowDimension::Create(image.dim(1 + i), filter[i], strides[i],
                                   dilations.empty() ? 1 : dilations[i], padding, values);
  };
  Window2d result;
  TFRT_ASSIGN_OR_RETURN(result.rows, dimension(0));
  TFRT_ASSIGN_OR_RETURN(result.columns, dimension(1));
  return result;
}

StatusOr<Conv2dGeometry> Conv2dGeometry::Create(
    const TensorShape& image, const TensorShape& filter, std::span<const int64_t> strides,
    std::string_view padding, std::span<const int64_t> dilations,
    std::span<const ExplicitPadding> explicit_paddings) {
  if (strides.size() != 2) return InvalidArgumentError("strides should have 2 elements");
  TFRT_ASSIGN_OR_RETURN(Padding kind, ParsePadding(padding));
  TFRT_RETURN_IF_ERROR(CheckRank4(image, "the convolution input"));
  TFRT_RETURN_IF_ERROR(CheckRank4(filter, "the convolution filter"));
  if (image.dim(3) != filter.dim(2)) {
    return InvalidArgumentError(StrCat("Dimensions does not match: input channels is ",
                                       image.dim(3), " and kernel depth is ", filter.dim(2)));
  }
  Conv2dGeometry result{image.dim(0), image.dim(3), filter.dim(3), {}};
  const int64_t taps[] = {filter.dim(0), filter.dim(1)};
  TFRT_ASSIGN_OR_RETURN(result.window,
                        Window2d::Create(image, taps, strides, kind, dilations, explicit_paddings));
  return result;
}

StatusOr<TensorShape> Conv2dGeometry::OutputShape() const {
  const int64_t dims[] = {batch, window.rows.output, window.columns.output, output_channels};
  return TensorShape::Create(dims);
}

Status CheckShapesMatch(std::string_view a_name, const TensorShape& a, std::string_view b_name,
                        const TensorShape& b) {
  if (a == b) return OkStatus();
  return InvalidArgumentError(StrCat("Tensor shapes do not match: ", a_name, " is ", a.ToString(),
                                     " and ", b_name, " is ", b.ToString()));
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

StatusOr<Window2d> Pool2dWindow(const TensorShape& in, std::span<const int64_t> ksize,
                                std::string_view padding, std::span<const int64_t> strides) {
  if (in.rank() != 4) {
    return InvalidArgumentError(
        StrCat("the pooling input has the shape ", in.ToString(), ", expected rank 4"));
  }
  if (strides.size() != 2) return InvalidArgumentError("strides should have 2 elements");
  if (ksize.size() != 2) return InvalidArgumentError("ksize should have 2 elements");
  TFRT_ASSIGN_OR_RETURN(Padding kind, ParsePadding(padding));
  return Window2d::Create(in, ksize, strides, kind);
}

}  // namespace tfrt
