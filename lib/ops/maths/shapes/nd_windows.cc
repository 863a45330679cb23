#include "nd_windows.h"

#include <algorithm>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Positions of windows stay far below 2^63.
constexpr int64_t kLargest = int64_t{1} << 31;

Status CheckNumbers(std::string_view name, std::span<const int64_t> numbers, size_t count,
                    int64_t least) {
  if (!numbers.empty() && numbers.size() != count) {
    return InvalidArgumentError(
        StrCat(name, " has ", numbers.size(), " numbers, expected ", count));
  }
  for (int64_t number : numbers) {
    if (number >= least && number <= kLargest) continue;
    return InvalidArgumentError(StrCat(name, " has the number ", number));
  }
  return OkStatus();
}

}  // namespace

StatusOr<NdWindows> NdWindows::Create(const TensorShape& in, const TensorShape& out,
                                      std::span<const int64_t> filter,
                                      const NdWindowAttributes& attributes) {
  if (in.rank() < 3 || in.rank() != out.rank()) {
    return InvalidArgumentError(
        StrCat("windows over the shape ", in.ToString(), " cannot give ", out.ToString()));
  }
  NdWindows windows;
  windows.num_spatial = in.rank() - 2;
  if (windows.num_spatial > kMaxSpatial) {
    return InvalidArgumentError(StrCat("images with ", windows.num_spatial,
                                       " spatial dimensions are not supported, at most ",
                                       kMaxSpatial));
  }
  const std::string_view padding = attributes.padding;
  const bool lower = padding == "same_lower", same = lower || padding == "same_upper";
  if (!same && padding != "explicit") {
    return InvalidArgumentError(
        StrCat("unknown padding '", padding, "', expected explicit, same_upper or same_lower"));
  }
  TFRT_RETURN_IF_ERROR(CheckNumbers("kernel", filter, windows.num_spatial, 0));
  TFRT_RETURN_IF_ERROR(CheckNumbers("strides", attributes.strides, windows.num_spatial, 1));
  TFRT_RETURN_IF_ERROR(CheckNumbers("dilations", attributes.dilations, windows.num_spatial, 1));
  TFRT_RETURN_IF_ERROR(CheckNumbers("pads", attributes.pads, 2 * windows.num_spatial, -kLargest));
  windows.channels_last = attributes.channels_last;
  windows.batch = in.dim(0);
  windows.channels = in.dim(windows.channels_last ? in.rank() - 1 : 1);
  for (size_t i = 0; i < windows.num_spatial; ++i) {
    const size_t at = i + (windows.channels_last ? 1 : 2);
    WindowDimension& dim = windows.dims[kMaxSpatial - windows.num_spatial + i];
    dim.input = in.dim(at);
    dim.output = out.dim(at);
    dim.filter = filter[i];
    if (!attributes.strides.empty()) dim.stride = attributes.strides[i];
    // Dilation does not matter for a single tap.
    if (!attributes.dilations.empty() && dim.filter > 1) dim.dilation = attributes.dilations[i];
    if (same) {
      const int64_t needed =
          (dim.output - 1) * dim.stride + (dim.filter - 1) * dim.dilation + 1 - dim.input;
      const int64_t total = std::max<int64_t>(needed, 0);
      dim.pad_before = lower ? total - total / 2 : total / 2;
      dim.pad_after = total - dim.pad_before;
    } else if (!attributes.pads.empty()) {
      dim.pad_before = attributes.pads[i];
      dim.pad_after = attributes.pads[windows.num_spatial + i];
    }
  }
  for (size_t i = 0; i + windows.num_spatial < kMaxSpatial; ++i) {
    windows.dims[i].input = windows.dims[i].output = 1;
  }
  return windows;
}

int64_t PadBeforeTransposed(int64_t filter, int64_t dilation, int64_t stride,
                            int64_t output_padding, bool lower) {
  const int64_t total = std::max<int64_t>((filter - 1) * dilation + 1 - stride + output_padding, 0);
  return lower ? total - total / 2 : total / 2;
}

}  // namespace tfrt
