#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/kernel_maths/shape_functions.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Where the rows and columns of an image are among four numbers.
constexpr size_t FirstSpatial(bool channels_last) { return channels_last ? 1 : 2; }
constexpr size_t Channels(bool channels_last) { return channels_last ? 3 : 1; }

// The two numbers for rows and columns; ones without the attribute. The other two must be 1.
Status ReadSpatial(const OpAttrsRef& attrs, std::string_view name, bool channels_last,
                   int64_t (&values)[2]) {
  values[0] = values[1] = 1;
  if (!attrs.Find(name)) return OkStatus();
  auto numbers = attrs.GetArray<int64_t>(name);
  if (!numbers || numbers->size() != 4) {
    return InvalidArgumentError(StrCat(name, " should have 4 elements"));
  }
  if ((*numbers)[0] != 1 || (*numbers)[Channels(channels_last)] != 1) {
    return InvalidArgumentError(StrCat("Expected ", name, " 'NC' elements to be 1"));
  }
  values[0] = (*numbers)[FirstSpatial(channels_last)];
  values[1] = (*numbers)[FirstSpatial(channels_last) + 1];
  return OkStatus();
}

Status CheckDTypes(std::string_view op, const TensorMetadata& a, const TensorMetadata& b) {
  if (a.dtype == b.dtype) return OkStatus();
  return InvalidArgumentError(StrCat("incompatible dtypes for ", op, ": ", DTypeName(a.dtype),
                                     " and ", DTypeName(b.dtype)));
}

}  // namespace

StatusOr<ImageWindows> ParseImageWindows(const OpAttrsRef& attrs) {
  ImageWindows windows;
  if (attrs.Find("data_format")) {
    auto format = attrs.GetString("data_format");
    windows.channels_last = format == "NHWC";
    if (!windows.channels_last && format != "NCHW") {
      return InvalidArgumentError(
          StrCat("Unknown data format ", format.value_or("(not a string)")));
    }
  }
  auto padding = attrs.GetString("padding");
  if (!padding) return InvalidArgumentError("'padding' attribute is not specified");
  TFRT_ASSIGN_OR_RETURN(Padding kind, ParsePadding(*padding));
  windows.padding = *padding;
  TFRT_RETURN_IF_ERROR(ReadSpatial(attrs, "strides", windows.channels_last, windows.strides));
  TFRT_RETURN_IF_ERROR(ReadSpatial(attrs, "dilations", windows.channels_last, windows.dilations));
  if (kind != Padding::kExplicit) return windows;
  auto numbers = attrs.GetArray<int64_t>("explicit_paddings");
  if (!numbers) return InvalidArgumentError("Missing 'explicit_paddings' attribute");
  if (numbers->size() != 8) {
    return InvalidArgumentError("Wrong 'explicit_paddings' attribute length");
  }
  const size_t channels = 2 * Channels(windows.channels_last);
  if ((*numbers)[0] != 0 || (*numbers)[1] != 0 || (*numbers)[channels] != 0 ||
      (*numbers)[channels + 1] != 0) {
    return InvalidArgumentError("Expected explicit_paddings 'NC' elements to be 0");
  }
  windows.is_explicit = true;
  for (size_t i = 0; i < 2; ++i) {
    const size_t at = 2 * (FirstSpatial(windows.channels_last) + i);
    windows.given[i] = {(*numbers)[at], (*numbers)[at + 1]};
  }
  return windows;
}

StatusOr<TensorShape> ToChannelsLast(const TensorShape& image, bool channels_last) {
  if (channels_last || image.rank() != 4) return image;
  const int64_t dims[] = {image.dim(0), image.dim(2), image.dim(3), image.dim(1)};
  return TensorShape::Create(dims);
}

StatusOr<TensorShape> FromChannelsLast(const TensorShape& image, bool channels_last) {
  if (channels_last || image.rank() != 4) return image;
  const int64_t dims[] = {image.dim(0), image.dim(3), image.dim(1), image.dim(2)};
  return TensorShape::Create(dims);
}

StatusOr<Conv2dGeometry> ConvolutionGeometry(const TensorShape& image, const TensorShape& filter,
                                             const ImageWindows& windows) {
  return Conv2dGeometry::Create(image, filter, windows.strides, windows.padding, windows.dilations,
                                windows.explicit_paddings());
}

StatusOr<TensorMetadata> Conv2DOpMetadata(const TensorMetadata& in, const TensorMetadata& filter,
                                          const OpAttrsRef& attrs) {
  TFRT_RETURN_IF_ERROR(CheckDTypes("Conv2D", in, filter));
  if (in.shape.rank() != filter.shape.rank()) {
    return InvalidArgumentError("Input and filter must have same rank.");
  }
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseImageWindows(attrs));
  TFRT_ASSIGN_OR_RETURN(TensorShape image, ToChannelsLast(in.shape, windows.channels_last));
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry, ConvolutionGeometry(image, filter.shape, windows));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, geometry.OutputShape());
  TFRT_ASSIGN_OR_RETURN(shape, FromChannelsLast(shape, windows.channels_last));
  return TensorMetadata{in.dtype, std::move(shape)};
}

StatusOr<TensorMetadata> Conv2DBiasOpMetadata(const TensorMetadata& in,
                                              const TensorMetadata& filter,
                                              const TensorMetadata& bias, const OpAttrsRef& attrs) {
  TFRT_RETURN_IF_ERROR(CheckDTypes("Conv2D", in, bias));
  TFRT_ASSIGN_OR_RETURN(TensorMetadata result, Conv2DOpMetadata(in, filter, attrs));
  const int64_t channels = filter.shape.dim(3);
  if (bias.shape.rank() != 1 || bias.shape.dim(0) != channels) {
    return InvalidArgumentError(StrCat("the convolution bias has the shape ", bias.shape.ToString(),
                                       ", expected [", channels, "]"));
  }
  return result;
}

StatusOr<TensorMetadata> Conv2DBiasAddOpMetadata(const TensorMetadata& in,
                                                 const TensorMetadata& filter,
                                                 const TensorMetadata& bias,
                                                 const TensorMetadata& summand,
                                                 const OpAttrsRef& attrs) {
  TFRT_RETURN_IF_ERROR(CheckDTypes("Conv2D", in, summand));
  TFRT_ASSIGN_OR_RETURN(TensorMetadata result, Conv2DBiasOpMetadata(in, filter, bias, attrs));
  TFRT_RETURN_IF_ERROR(
      CheckShapesMatch("summand shape", summand.shape, "computed output shape", result.shape));
  return result;
}

StatusOr<Window2d> PoolingWindow(const TensorShape& in, const ImageWindows& windows,
                                 const OpAttrsRef& attrs) {
  if (in.rank() != 4) {
    return InvalidArgumentError(
        StrCat("the pooling input has the shape ", in.ToString(), ", expected rank 4"));
  }
  int64_t ksize[2];
  if (!attrs.Find("ksize")) return InvalidArgumentError("ksize should have 4 elements");
  TFRT_RETURN_IF_ERROR(ReadSpatial(attrs, "ksize", windows.channels_last, ksize));
  TFRT_ASSIGN_OR_RETURN(Padding kind, ParsePadding(windows.padding));
  return Window2d::Create(in, ksize, windows.strides, kind, windows.dilations,
                          windows.explicit_paddings());
}

StatusOr<TensorMetadata> PoolOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseImageWindows(attrs));
  TFRT_ASSIGN_OR_RETURN(TensorShape image, ToChannelsLast(in.shape, windows.channels_last));
  TFRT_ASSIGN_OR_RETURN(Window2d window, PoolingWindow(image, windows, attrs));
  const int64_t dims[] = {image.dim(0), window.rows.output, window.columns.output, image.dim(3)};
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  TFRT_ASSIGN_OR_RETURN(shape, FromChannelsLast(shape, windows.channels_last));
  return TensorMetadata{in.dtype, std::move(shape)};
}

StatusOr<TensorMetadata> MaxPoolGradOpMetadata(const TensorMetadata& in, const TensorMetadata& out,
                                               const TensorMetadata& gradient,
                                               const OpAttrsRef& attrs) {
  TFRT_RETURN_IF_ERROR(CheckDTypes("MaxPoolGrad", in, out));
  TFRT_RETURN_IF_ERROR(CheckDTypes("MaxPoolGrad", in, gradient));
  TFRT_ASSIGN_OR_RETURN(TensorMetadata pooled, PoolOpMetadata(in, attrs));
  TFRT_RETURN_IF_ERROR(
      CheckShapesMatch("output shape", out.shape, "computed output shape", pooled.shape));
  TFRT_RETURN_IF_ERROR(CheckShapesMatch("output gradient shape", gradient.shape,
                                        "computed output shape", pooled.shape));
  return in;
}

}  // namespace tfrt
