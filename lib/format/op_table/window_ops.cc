// Convolutions and pools of images with any number of dimensions, which are [N,C,X...] or, with
// channels_last, [N,X...,C]; filters are [O,I,X...] or [X...,I,O].

#include <algorithm>
#include <string>

#include "conv_shapes.h"
#include "op_families.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// Holds the windows' attributes, with a number for each spatial dimension.
struct Windows {
  enum class Padding { kExplicit, kSameUpper, kSameLower };
  bool channels_last = false;
  Padding padding = Padding::kExplicit;
  std::vector<int64_t> strides, dilations, before, after;

  size_t spatial(size_t i) const { return (channels_last ? 1 : 2) + i; }
  size_t channels(size_t rank) const { return channels_last ? rank - 1 : 1; }
};

// An attribute with a number for each dimension, `fill` for all of them if it is empty.
StatusOr<std::vector<int64_t>> NumbersFor(const OpShapeCall& call, std::string_view name,
                                          size_t count, int64_t fill, int64_t least) {
  TFRT_ASSIGN_OR_RETURN(auto numbers, call.Attr<std::vector<int64_t>>(name));
  if (numbers.empty()) numbers.assign(count, fill);
  if (numbers.size() != count) {
    return ShapeError(call, name, " has ", numbers.size(), " numbers, expected ", count);
  }
  for (int64_t number : numbers) {
    if (number < least) return ShapeError(call, name, " has the number ", number);
  }
  return numbers;
}

StatusOr<Windows> ReadWindows(const OpShapeCall& call, size_t num_spatial) {
  Windows windows;
  TFRT_ASSIGN_OR_RETURN(windows.channels_last, call.Attr<bool>("channels_last"));
  TFRT_ASSIGN_OR_RETURN(auto padding, call.Attr<std::string>("padding"));
  if (padding == "same_upper") {
    windows.padding = Windows::Padding::kSameUpper;
  } else if (padding == "same_lower") {
    windows.padding = Windows::Padding::kSameLower;
  } else if (padding != "explicit") {
    return ShapeError(call, "unknown padding '", padding,
                      "', expected explicit, same_upper or same_lower");
  }
  TFRT_ASSIGN_OR_RETURN(windows.strides, NumbersFor(call, "strides", num_spatial, 1, 1));
  TFRT_ASSIGN_OR_RETURN(windows.dilations, NumbersFor(call, "dilations", num_spatial, 1, 1));
  TFRT_ASSIGN_OR_RETURN(auto pads, NumbersFor(call, "pads", 2 * num_spatial, 0, INT64_MIN));
  windows.before.assign(pads.begin(), pads.begin() + static_cast<ptrdiff_t>(num_spatial));
  windows.after.assign(pads.begin() + static_cast<ptrdiff_t>(num_spatial), pads.end());
  return windows;
}

using Wide = __int128;

// From what a division gives, which may not fit.
StatusOr<Dim> SizeOf(const OpShapeCall& call, Wide size, Dim input, size_t i) {
  if (size >= 0 && size <= INT64_MAX) return Dim(static_cast<int64_t>(size));
  return ShapeError(call, "no window fits the size ", input.ToString(), " of spatial dimension ",
                    i);
}

// How many windows of `taps` there are along spatial dimension i.
StatusOr<Dim> NumWindows(const OpShapeCall& call, const Windows& windows, size_t i, Dim input,
                         Dim taps, bool ceil) {
  const int64_t stride = windows.strides[i];
  const bool same = windows.padding != Windows::Padding::kExplicit;
  if (same && stride == 1) return input;
  if (!input.is_known() || (!same && !taps.is_known())) return Dim();
  if (same) return SizeOf(call, (Wide(input.value()) + stride - 1) / stride, input, i);
  const Wide padded = Wide(input.value()) + windows.before[i] + windows.after[i];
  const Wide extent = Wide(taps.value() - 1) * windows.dilations[i] + 1;
  Wide room = padded - extent + (ceil ? stride - 1 : 0);
  Wide count = (room >= 0 ? room / stride : -((stride - 1 - room) / stride)) + 1;
  // The last window begins in the image or before it, not in what is padded behind it.
  if (ceil && (count - 1) * stride >= Wide(input.value()) + windows.before[i]) --count;
  if (count <= 0 && input.is(0)) return Dim(0);
  return SizeOf(call, count > 0 ? count : -1, input, i);
}

// The image, which has a rank; its number of spatial dimensions.
StatusOr<size_t> NumSpatial(const OpShapeCall& call, const SymbolicShape& image) {
  if (image.rank() >= 3) return image.rank() - 2;
  return ShapeError(call, "the input has the shape ", image.ToString(),
                    ", expected rank 3 or more");
}

// That of the input, the filter and the bias.
StatusOr<DType> OneDType(const OpShapeCall& call) {
  DType dtype = call.argument(0).dtype;
  for (size_t i : {1, 2}) {
    if (!call.has_argument(i)) continue;
    TFRT_ASSIGN_OR_RETURN(dtype, UnifyDTypes(call, dtype, call.argument(i).dtype));
  }
  return dtype;
}

Status InferConv(const OpShapeCall& call, bool has_bias, std::span<ValueType> results) {
  const ValueType &in = call.argument(0), &weights = call.argument(1);
  TFRT_ASSIGN_OR_RETURN(int64_t groups, call.Attr<int64_t>("groups"));
  if (groups < 1) return ShapeError(call, "groups is ", groups);
  if (!in.shape.has_rank() && !weights.shape.has_rank()) return OkStatus();
  const size_t rank = in.shape.has_rank() ? in.shape.rank() : weights.shape.rank();
  TFRT_ASSIGN_OR_RETURN(SymbolicShape image, OfRank(call, in.shape, rank, "the input"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape filter, OfRank(call, weights.shape, rank, "the filter"));
  TFRT_ASSIGN_OR_RETURN(size_t num_spatial, NumSpatial(call, image));
  TFRT_ASSIGN_OR_RETURN(Windows windows, ReadWindows(call, num_spatial));
  const bool last = windows.channels_last;
  Dim outputs = filter.dim(last ? rank - 1 : 0), inputs = filter.dim(last ? rank - 2 : 1);
  if (outputs.is_known() && outputs.value() % groups != 0) {
    return ShapeError(call, outputs.value(), " output channels are not in ", groups, " groups");
  }
  const Dim channels = image.dim(windows.channels(rank));
  if (channels.Contradicts(Product(inputs, groups)) && inputs.is_known()) {
    return ShapeError(call, "the input has ", channels.value(), " channels, but the filter is for ",
                      groups, " groups of ", inputs.value());
  }
  if (has_bias) {
    TFRT_ASSIGN_OR_RETURN(SymbolicShape bias, OfRank(call, call.argument(2).shape, 1, "the bias"));
    TFRT_ASSIGN_OR_RETURN(outputs, UnifyDims(call, outputs, bias.dim(0)));
  }
  std::vector<Dim> dims(rank);
  dims[0] = image.dim(0);
  dims[windows.channels(rank)] = outputs;
  for (size_t i = 0; i < num_spatial; ++i) {
    TFRT_ASSIGN_OR_RETURN(dims[windows.spatial(i)],
                          NumWindows(call, windows, i, image.dim(windows.spatial(i)),
                                     filter.dim(last ? i : 2 + i), false));
  }
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

// The filter is that of the convolution which this turns round: [I,O,X...] or [X...,O,I].
Status ConvTransposeShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &in = call.argument(0), &weights = call.argument(1);
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, OneDType(call));
  TFRT_ASSIGN_OR_RETURN(int64_t groups, call.Attr<int64_t>("groups"));
  if (groups < 1) return ShapeError(call, "groups is ", groups);
  if (!in.shape.has_rank() && !weights.shape.has_rank()) return OkStatus();
  const size_t rank = in.shape.has_rank() ? in.shape.rank() : weights.shape.rank();
  TFRT_ASSIGN_OR_RETURN(SymbolicShape image, OfRank(call, in.shape, rank, "the input"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape filter, OfRank(call, weights.shape, rank, "the filter"));
  TFRT_ASSIGN_OR_RETURN(size_t num_spatial, NumSpatial(call, image));
  TFRT_ASSIGN_OR_RETURN(Windows windows, ReadWindows(call, num_spatial));
  TFRT_ASSIGN_OR_RETURN(auto extra, NumbersFor(call, "output_padding", num_spatial, 0, 0));
  const bool last = windows.channels_last;
  TFRT_RETURN_IF_ERROR(
      UnifyDims(call, image.dim(windows.channels(rank)), filter.dim(last ? rank - 1 : 0)).status());
  Dim outputs = Product(filter.dim(last ? rank - 2 : 1), groups);
  if (call.has_argument(2)) {
    TFRT_ASSIGN_OR_RETURN(SymbolicShape bias, OfRank(call, call.argument(2).shape, 1, "the bias"));
    TFRT_ASSIGN_OR_RETURN(outputs, UnifyDims(call, outputs, bias.dim(0)));
  }
  std::vector<Dim> dims(rank);
  dims[0] = image.dim(0);
  dims[windows.channels(rank)] = outputs;
  for (size_t i = 0; i < num_spatial; ++i) {
    Dim input = image.dim(windows.spatial(i)), taps = filter.dim(last ? i : 2 + i);
    Dim& size = dims[windows.spatial(i)];
    if (windows.padding != Windows::Padding::kExplicit) {
      size = Product(input, windows.strides[i]);
    } else if (input.is_known() && taps.is_known()) {
      TFRT_ASSIGN_OR_RETURN(size, SizeOf(call,
                                         Wide(input.value() - 1) * windows.strides[i] + extra[i] +
                                             Wide(taps.value() - 1) * windows.dilations[i] + 1 -
                                             windows.before[i] - windows.after[i],
                                         input, i));
    }
  }
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

// All results but the first are places of the elements that were taken.
Status PoolShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& in = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(auto kernel, call.Attr<std::vector<int64_t>>("kernel"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape image,
                        OfRank(call, in.shape, kernel.size() + 2, "the input"));
  TFRT_ASSIGN_OR_RETURN(size_t num_spatial, NumSpatial(call, image));
  TFRT_RETURN_IF_ERROR(NumbersFor(call, "kernel", num_spatial, 1, 1).status());
  TFRT_ASSIGN_OR_RETURN(Windows windows, ReadWindows(call, num_spatial));
  TFRT_ASSIGN_OR_RETURN(bool ceil, call.Attr<bool>("ceil"));
  std::vector<Dim> dims(image.dims().begin(), image.dims().end());
  for (size_t i = 0; i < num_spatial; ++i) {
    Dim& size = dims[windows.spatial(i)];
    TFRT_ASSIGN_OR_RETURN(size, NumWindows(call, windows, i, size, kernel[i], ceil));
  }
  results[0] = {in.dtype, SymbolicShape(std::move(dims))};
  for (ValueType& places : results.subspan(1)) places = {DType::kI64, results[0].shape};
  return OkStatus();
}

constexpr OpArgumentSpec kConv[] = {
    {"input"}, {"filter"}, {"bias", OpArgumentSpec::Kind::kOptional}};
constexpr OpArgumentSpec kPool[] = {{"input"}};
constexpr std::string_view kOutputAndPlaces[] = {"output", "places"};
constexpr OpAttrSpec kCeil = {"ceil", AttrKind::kBool, "false"};
constexpr OpAttrSpec kKernel = {"kernel", AttrKind::kI64Array};

constexpr OpAttrSpec kConvTransposeAttrs[] = {
    kChannelsLast, kDilations, kGroups, {"output_padding", AttrKind::kI64Array, "{}"},
    kPadding,      kPads,      kStrides};
constexpr OpAttrSpec kMaxPoolAttrs[] = {kCeil,    kChannelsLast, kDilations, kKernel,
                                        kPadding, kPads,         kStrides};
constexpr OpAttrSpec kAveragePoolAttrs[] = {
    kCeil,      kChannelsLast, {"count_padding", AttrKind::kBool, "false"},
    kDilations, kKernel,       kPadding,
    kPads,      kStrides};
constexpr OpAttrSpec kLpPoolAttrs[] = {
    kCeil,    kChannelsLast, kDilations, kKernel, {"p", AttrKind::kI64, "2"},
    kPadding, kPads,         kStrides};

constexpr OpDescription Pool(std::string_view name, std::string_view summary,
                             std::span<const OpAttrSpec> attrs,
                             std::span<const std::string_view> results = kOutput) {
  return {.name = name,
          .summary = summary,
          .arguments = kPool,
          .attrs = attrs,
          .results = results,
          .cost = UnknownCost("windows may overlap the padding"),
          .shape = PoolShape,
          .gradient = kNoRuleYet};
}

constexpr OpDescription kWindowOps[] = {
    {.name = "conv",
     .summary = "The convolution of images with filters, in groups of channels; pads are those "
                "before each spatial dimension, then those behind each.",
     .arguments = kConv,
     .attrs = kConvAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsPacked,
     .cost = PerFilterTap(1, OpCostFormula::kResult),
     .shape = ConvShape,
     .gradient = kNoRuleYet},
    {.name = "conv_transpose",
     .summary = "The gradient of `conv` with respect to its images, of `input`; filters are those "
                "of that convolution.",
     .arguments = kConv,
     .attrs = kConvTransposeAttrs,
     .results = kOutput,
     .cost = PerFilterTap(1, 0),
     .shape = ConvTransposeShape,
     .gradient = kNoRuleYet},
    Pool("max_pool", "The largest element of each window.", kMaxPoolAttrs),
    Pool("max_pool_with_places",
         "The largest element of each window, and where in the whole input, row-major, it is.",
         kMaxPoolAttrs, kOutputAndPlaces),
    Pool("average_pool",
         "The mean of each window, of the elements that are there or, with `count_padding`, of all "
         "taps.",
         kAveragePoolAttrs),
    Pool("lp_pool", "The p-norm of each window.", kLpPoolAttrs),
};

}  // namespace

Status ConvShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, OneDType(call));
  return InferConv(call, call.has_argument(2), results);
}

Status ConvSizes(const OpShapeCall& call, std::span<ValueType> results) {
  return InferConv(call, /*has_bias=*/false, results);
}

// tf.MaxPool is that of images with the channels last.
static constexpr OpSpelling kWindowSpellings[] = {{"tfrt.MaxPoolNd", "max_pool"}};

OpFamily WindowOps() { return {kWindowOps, kWindowSpellings}; }

}  // namespace tfrt
