#include "image_windows.h"

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

StatusOr<ImageWindows> ParseChannelsLast(const OpAttrsRef& attrs) {
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseImageWindows(attrs));
  if (!windows.channels_last) return InvalidArgumentError("only channel last order is supported");
  return windows;
}

StatusOr<Conv2dGeometry> ConvolutionGeometry(const TensorShape& image, const TensorShape& filter,
                                             const ImageWindows& windows) {
  return Conv2dGeometry::Create(image, filter, windows.strides, windows.padding, windows.dilations,
                                windows.explicit_paddings());
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

}  // namespace tfrt
