#include "window_shapes.h"

#include <algorithm>

namespace tfrt {
namespace {

bool EqualIgnoringCase(std::string_view a, std::string_view lower) {
  return std::ranges::equal(a, lower, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

}  // namespace

Status ReadSpatial(const OpShapeCall& call, std::string_view name, bool channels_last,
                   int64_t (&values)[2]) {
  TFRT_ASSIGN_OR_RETURN(auto numbers, call.Attr<std::vector<int64_t>>(name));
  if (numbers.size() != 4 || numbers[0] != 1 || numbers[channels_last ? 3 : 1] != 1) {
    return ShapeError(call, name, " are not four numbers with 1 for batch and channels");
  }
  for (size_t i = 0; i < 2; ++i) {
    values[i] = numbers[(channels_last ? 1 : 2) + i];
    if (values[i] <= 0) return ShapeError(call, name, " have the element ", values[i]);
  }
  return OkStatus();
}

StatusOr<WindowAttributes> ReadWindowAttributes(const OpShapeCall& call) {
  WindowAttributes windows;
  TFRT_ASSIGN_OR_RETURN(auto format, call.Attr<std::string>("data_format"));
  if (format != "NHWC" && format != "NCHW") {
    return ShapeError(call, "unknown data format ", format);
  }
  windows.channels_last = format == "NHWC";
  TFRT_ASSIGN_OR_RETURN(auto padding, call.Attr<std::string>("padding"));
  using Padding = WindowAttributes::Padding;
  if (EqualIgnoringCase(padding, "same")) {
    windows.padding = Padding::kSame;
  } else if (EqualIgnoringCase(padding, "explicit")) {
    windows.padding = Padding::kExplicit;
  } else if (!EqualIgnoringCase(padding, "valid")) {
    return ShapeError(call, "unknown padding type ", padding);
  }
  TFRT_RETURN_IF_ERROR(ReadSpatial(call, "strides", windows.channels_last, windows.strides));
  TFRT_RETURN_IF_ERROR(ReadSpatial(call, "dilations", windows.channels_last, windows.dilations));
  if (windows.padding != Padding::kExplicit) return windows;
  TFRT_ASSIGN_OR_RETURN(auto numbers, call.Attr<std::vector<int64_t>>("explicit_paddings"));
  bool valid =
      numbers.size() == 8 && std::ranges::all_of(numbers, [](int64_t n) { return n >= 0; });
  for (size_t i = 0; valid && i < 2; ++i) {
    const size_t at = 2 * windows.spatial(i);
    valid = !__builtin_add_overflow(numbers[at], numbers[at + 1], &windows.padded[i]);
  }
  if (!valid) return ShapeError(call, "explicit_paddings are not eight sizes");
  return windows;
}

StatusOr<Dim> NumWindows(const OpShapeCall& call, const WindowAttributes& windows, size_t i,
                         Dim input, Dim filter) {
  const int64_t stride = windows.strides[i];
  const bool same = windows.padding == WindowAttributes::Padding::kSame;
  if (same && stride == 1) return input;
  if (!input.is_known() || (!same && !filter.is_known())) return Dim();
  // The product of two int64_t fits, and so do the few sums that follow.
  using Wide = __int128;
  if (same) return static_cast<int64_t>((Wide(input.value()) + stride - 1) / stride);
  const Wide extent = Wide(filter.value() - 1) * windows.dilations[i] + 1;
  const Wide output = (Wide(input.value()) + windows.padded[i] - extent + stride) / stride;
  if (output < 0 || output > INT64_MAX) {
    return ShapeError(call, "windows of ", filter.value(), " taps do not fit the size ",
                      input.value());
  }
  return static_cast<int64_t>(output);
}

}  // namespace tfrt
