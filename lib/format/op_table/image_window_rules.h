// Shape rules of ops on the windows of images of four sizes, [N,H,W,C] or [N,C,H,W].
#ifndef TFRT_LIB_FORMAT_OP_TABLE_IMAGE_WINDOW_RULES_H_
#define TFRT_LIB_FORMAT_OP_TABLE_IMAGE_WINDOW_RULES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "shape_inference.h"

namespace tfrt {

// The attributes data_format, padding, explicit_paddings, strides and dilations.
struct ImageWindowAttributes {
  enum class Padding { kValid, kSame, kExplicit };
  bool channels_last = true;
  Padding padding = Padding::kValid;
  // Values for rows and columns.
  int64_t strides[2] = {1, 1};
  int64_t dilations[2] = {1, 1};
  int64_t padded[2] = {0, 0};  // before and after together, if explicit

  // Where rows and columns, and channels, are among four sizes.
  size_t spatial(size_t i) const { return (channels_last ? 1 : 2) + i; }
  size_t channels() const { return channels_last ? 3 : 1; }
};

namespace internal {

// "same", "VALID", "explicit". False for another text.
bool ParseImagePadding(std::string_view text, ImageWindowAttributes::Padding* padding);
// An attribute of four numbers, those of batch and channels being 1: the other two.
Status SpatialNumbers(std::string_view name, std::span<const int64_t> numbers, bool channels_last,
                      int64_t (&values)[2]);
// Eight sizes: the padding before and after each dimension.
Status ExplicitSums(std::span<const int64_t> numbers, ImageWindowAttributes* windows);
// Counts the windows for known sizes; -1 if the filter does not fit.
int64_t CountWindows(const ImageWindowAttributes& windows, size_t i, int64_t input, int64_t filter);
[[gnu::cold]] Status WrongRank(std::string_view name, std::string_view shape);
[[gnu::cold]] Status MustBeEqual(std::string_view what, std::string_view a, std::string_view b);

}  // namespace internal

template <typename Call>
Status ReadSpatial(const Call& call, RuleAttr name, bool channels_last, int64_t (&values)[2]) {
  auto numbers = call.template Attr<std::vector<int64_t>>(name);
  return numbers ? internal::SpatialNumbers(name.canonical, *numbers, channels_last, values)
                 : OkStatus();
}

// Those that are left out have their defaults, but for the padding.
template <typename Call>
Status ReadImageWindows(const Call& call, ImageWindowAttributes* windows) {
  const auto format = call.TextAttr("data_format", "NHWC");
  if (!format || (*format != "NHWC" && *format != "NCHW")) {
    return InvalidArgumentError(StrCat("unknown data format ", format ? *format : "(no text)"));
  }
  windows->channels_last = *format == "NHWC";
  const auto padding = call.TextAttr("padding", "");
  if (!padding || padding->empty()) {
    return InvalidArgumentError("the attribute 'padding' is needed");
  }
  if (!internal::ParseImagePadding(*padding, &windows->padding)) {
    return InvalidArgumentError(StrCat("unknown padding type ", *padding));
  }
  TFRT_RETURN_IF_ERROR(ReadSpatial(call, "strides", windows->channels_last, windows->strides));
  TFRT_RETURN_IF_ERROR(ReadSpatial(call, "dilations", windows->channels_last, windows->dilations));
  if (windows->padding != ImageWindowAttributes::Padding::kExplicit) return OkStatus();
  const auto numbers = call.template Attr<std::vector<int64_t>>("explicit_paddings");
  return internal::ExplicitSums(numbers ? *numbers : std::vector<int64_t>(), windows);
}

// How many windows of `filter` taps there are along dimension i of rows and columns.
template <typename Size>
Status NumImageWindows(const ImageWindowAttributes& windows, size_t i, Size input, Size filter,
                       Size* count) {
  const bool same = windows.padding == ImageWindowAttributes::Padding::kSame;
  *count = Size();
  if (same && windows.strides[i] == 1) {
    *count = input;
  } else if (input.is_known() && (same || filter.is_known())) {
    const int64_t taps = same ? 1 : filter.value();
    const int64_t number = internal::CountWindows(windows, i, input.value(), taps);
    if (number < 0) {
      return InvalidArgumentError(
          StrCat("windows of ", taps, " taps do not fit the size ", input.value()));
    }
    *count = number;
  }
  return OkStatus();
}

template <typename Shape>
Status CheckImageRank(const Shape& shape, size_t rank, std::string_view name) {
  if (!HasRank(shape) || shape.rank() == rank) return OkStatus();
  return internal::WrongRank(name, StrCat(shape.ToString(), ", expected rank ", rank));
}

template <typename Value>
Status UniteDTypes(Value* a, const Value& b) {
  if (Unite(&a->dtype, b.dtype)) return OkStatus();
  return InvalidArgumentError(
      StrCat("incompatible dtypes ", DTypeName(a->dtype), " and ", DTypeName(b.dtype)));
}

// Arguments: the images, the filter [H,W,C,O]; further ones are ignored.
struct Conv2DRule : ShapeRule {
  static constexpr size_t kArguments = 2;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    ImageWindowAttributes windows;
    return InferWith(call, &windows, results);
  }
  template <typename Call>
  static Status InferWith(const Call& call, ImageWindowAttributes* windows,
                          std::span<typename Call::Value> results) {
    using Size = typename Call::Size;
    const auto &in = call.argument(0), &filter = call.argument(1);
    TFRT_RETURN_IF_ERROR(ReadImageWindows(call, windows));
    results[0].dtype = in.dtype;
    TFRT_RETURN_IF_ERROR(UniteDTypes(&results[0], filter));
    TFRT_RETURN_IF_ERROR(CheckImageRank(in.shape, 4, "the input"));
    TFRT_RETURN_IF_ERROR(CheckImageRank(filter.shape, 4, "the filter"));
    Size channels = DimIfRanked(in.shape, windows->channels());
    const Size depth = DimIfRanked(filter.shape, 2);
    if (!Unite(&channels, depth)) {
      return internal::MustBeEqual("sizes", channels.ToString(), depth.ToString());
    }
    Size sizes[4];
    sizes[0] = DimIfRanked(in.shape, 0);
    sizes[windows->channels()] = DimIfRanked(filter.shape, 3);
    for (size_t i = 0; i < 2; ++i) {
      const size_t at = windows->spatial(i);
      TFRT_RETURN_IF_ERROR(NumImageWindows(*windows, i, DimIfRanked(in.shape, at),
                                           DimIfRanked(filter.shape, i), &sizes[at]));
    }
    typename Call::Dims dims;
    for (Size size : sizes) dims.push_back(size);
    return call.MakeShape(std::move(dims), &results[0].shape);
  }
};

// Then the bias, which has one element for each channel of the result.
struct Conv2DBiasRule : ShapeRule {
  static constexpr size_t kArguments = 3;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    ImageWindowAttributes windows;
    TFRT_RETURN_IF_ERROR(Conv2DRule::InferWith(call, &windows, results));
    const auto& bias = call.argument(2);
    TFRT_RETURN_IF_ERROR(UniteDTypes(&results[0], bias));
    TFRT_RETURN_IF_ERROR(CheckImageRank(bias.shape, 1, "the bias"));
    auto size = DimIfRanked(bias.shape, 0);
    if (Unite(&results[0].shape, windows.channels(), &size)) return OkStatus();
    return internal::MustBeEqual("sizes", DimOf(results[0].shape, windows.channels()).ToString(),
                                 size.ToString());
  }
};

// Then a summand, which is like the result.
struct Conv2DBiasAddRule : ShapeRule {
  static constexpr size_t kArguments = 4;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    TFRT_RETURN_IF_ERROR(Conv2DBiasRule::Infer(call, results));
    const auto& summand = call.argument(3);
    TFRT_RETURN_IF_ERROR(UniteDTypes(&results[0], summand));
    if (Unite(&results[0].shape, summand.shape)) return OkStatus();
    return internal::MustBeEqual("shapes", results[0].shape.ToString(), summand.shape.ToString());
  }
};

// The attribute ksize has the windows.
struct Pool2DRule : ShapeRule {
  static constexpr size_t kArguments = 1;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    using Size = typename Call::Size;
    const auto& in = call.argument(0);
    ImageWindowAttributes windows;
    TFRT_RETURN_IF_ERROR(ReadImageWindows(call, &windows));
    const auto kernel = call.template Attr<std::vector<int64_t>>("ksize");
    if (!kernel) return InvalidArgumentError("the attribute 'ksize' is needed");
    int64_t ksize[2];
    TFRT_RETURN_IF_ERROR(internal::SpatialNumbers("ksize", *kernel, windows.channels_last, ksize));
    TFRT_RETURN_IF_ERROR(CheckImageRank(in.shape, 4, "the input"));
    Size sizes[4];
    for (size_t i = 0; i < 4; ++i) sizes[i] = DimIfRanked(in.shape, i);
    for (size_t i = 0; i < 2; ++i) {
      Size& size = sizes[windows.spatial(i)];
      TFRT_RETURN_IF_ERROR(NumImageWindows(windows, i, Size(size), Size(ksize[i]), &size));
    }
    results[0].dtype = in.dtype;
    typename Call::Dims dims;
    for (Size size : sizes) dims.push_back(size);
    return call.MakeShape(std::move(dims), &results[0].shape);
  }
};

// Arguments: the pooling's input, its output, the output's gradient.
struct Pool2DGradRule : ShapeRule {
  static constexpr size_t kArguments = 3;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    TFRT_RETURN_IF_ERROR(Pool2DRule::Infer(call, results));
    for (size_t i : {1, 2}) {
      const auto& pooled = call.argument(i);
      TFRT_RETURN_IF_ERROR(UniteDTypes(&results[0], pooled));
      if (!Unite(&results[0].shape, pooled.shape)) {
        return internal::MustBeEqual("shapes", results[0].shape.ToString(),
                                     pooled.shape.ToString());
      }
    }
    typename Call::Dims dims;
    for (size_t i = 0; i < 4; ++i) dims.push_back(DimIfRanked(call.argument(0).shape, i));
    return call.MakeShape(std::move(dims), &results[0].shape);
  }
};

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_IMAGE_WINDOW_RULES_H_
