#include <algorithm>
#include <array>

#include "plain_convolution.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

using contraction::ConvolutionProblem;

StatusOr<NdWindows> ConvWindows(const TensorShape& in, const TensorShape& out,
                                const TensorShape& filter, bool filter_first,
                                const NdWindowAttributes& attributes) {
  std::array<int64_t, NdWindows::kMaxSpatial> sizes;
  const size_t num_spatial = filter.rank() < 2 ? 0 : filter.rank() - 2;
  for (size_t i = 0; i < std::min(num_spatial, sizes.size()); ++i) {
    sizes[i] = filter.dim(filter_first ? 2 + i : i);
  }
  return NdWindows::Create(in, out, std::span(sizes).first(std::min(num_spatial, sizes.size())),
                           attributes);
}

}  // namespace

StatusOr<ConvolutionProblem> MakeConvolutionProblem(const TensorShape& in,
                                                    const TensorShape& filter, bool filter_first,
                                                    int64_t groups,
                                                    const NdWindowAttributes& attributes,
                                                    const TensorShape& out) {
  TFRT_ASSIGN_OR_RETURN(NdWindows windows, ConvWindows(in, out, filter, filter_first, attributes));
  const int64_t outputs = out.dim(windows.channels_last ? out.rank() - 1 : 1);
  const int64_t filter_inputs = filter.dim(filter_first ? 1 : filter.rank() - 2);
  const int64_t filter_outputs = filter.dim(filter_first ? 0 : filter.rank() - 1);
  if (groups < 1 || outputs % groups != 0 || windows.channels != groups * filter_inputs ||
      outputs != filter_outputs) {
    return InvalidArgumentError(StrCat("a convolution of ", in.ToString(), " with the filter ",
                                       filter.ToString(), " in ", groups, " groups cannot give ",
                                       out.ToString()));
  }
  return ProblemOf(windows, filter_first, groups, outputs);
}

ConvolutionProblem ProblemOf(const NdWindows& windows, bool filter_first, int64_t groups,
                             int64_t outputs) {
  ConvolutionProblem p;
  p.batch = windows.batch;
  p.groups = groups;
  p.channels_first = !windows.channels_last;
  p.filter_first = filter_first;
  p.in_channels = windows.channels;
  p.out_channels = outputs;
  const auto& [depth, rows, columns] = windows.dims;
  // Elements that the last window leaves over are not padding.
  auto pad_after = [](const WindowDimension& dim) {
    const int64_t end = (dim.output - 1) * dim.stride + (dim.filter - 1) * dim.dilation + 1;
    return std::max<int64_t>(end - dim.pad_before - dim.input, 0);
  };
  p.in_depth = depth.input, p.in_height = rows.input, p.in_width = columns.input;
  p.filter_depth = depth.filter, p.filter_height = rows.filter, p.filter_width = columns.filter;
  p.out_depth = depth.output, p.out_height = rows.output, p.out_width = columns.output;
  p.stride_depth = depth.stride, p.stride_height = rows.stride, p.stride_width = columns.stride;
  p.dilation_depth = depth.dilation;
  p.dilation_height = rows.dilation;
  p.dilation_width = columns.dilation;
  p.pad_front = depth.pad_before, p.pad_back = pad_after(depth);
  p.pad_top = rows.pad_before, p.pad_bottom = pad_after(rows);
  p.pad_left = columns.pad_before, p.pad_right = pad_after(columns);
  // One pixel wide and high, both orders are the same; the other one has more ways.
  if (p.channels_first && p.in_pixels() == 1 && p.out_pixels() == 1) p.channels_first = false;
  return p;
}

}  // namespace tfrt::maths
