// Convolutions by oneDNN.

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "onednn_describe.h"
#include "onednn_plan.h"

namespace tfrt::contraction {
namespace {

// oneDNN names dimensions N, C, D, H, W, the strides say how they lie. Problems of images have no
// D: the others would go slower ways.
Layout ImageLayout(const ConvolutionProblem& p, bool has_depth, int64_t channels, int64_t stride,
                   int64_t depth, int64_t height, int64_t width) {
  const int64_t pixels = depth * height * width;
  const int64_t step = p.channels_first ? 1 : stride;  // from one pixel to the next
  Layout layout;
  layout.Add(p.batch, stride * pixels);
  layout.Add(channels, p.channels_first ? pixels : 1);
  if (has_depth) layout.Add(depth, height * width * step);
  layout.Add(height, width * step);
  layout.Add(width, step);
  return layout;
}

// G, if there are groups, then O, I, D, H, W.
Layout FilterLayout(const ConvolutionProblem& p, bool has_depth) {
  const int64_t inputs = p.group_inputs(), outputs = p.group_outputs();
  const int64_t output = p.filter_first ? inputs * p.taps() : 1;
  const int64_t step = p.filter_first ? 1 : inputs * p.out_channels;
  Layout layout{.type = FactorType(p.in_bf16)};
  if (p.groups > 1) layout.Add(p.groups, outputs * output);
  layout.Add(outputs, output);
  layout.Add(inputs, p.filter_first ? p.taps() : p.out_channels);
  if (has_depth) layout.Add(p.filter_depth, p.filter_height * p.filter_width * step);
  layout.Add(p.filter_height, p.filter_width * step);
  layout.Add(p.filter_width, step);
  return layout;
}

bool CanDescribe(const ConvolutionProblem& p) {
  return FitsInt({p.batch,           p.in_depth,       p.in_height,     p.in_width,
                  p.in_channels,     p.filter_depth,   p.filter_height, p.filter_width,
                  p.out_depth,       p.out_height,     p.out_width,     p.out_channels,
                  p.stride_depth,    p.stride_height,  p.stride_width,  p.dilation_depth,
                  p.dilation_height, p.dilation_width, p.pad_front,     p.pad_back,
                  p.pad_top,         p.pad_bottom,     p.pad_left,      p.pad_right}) &&
         FitsInt({p.filter_depth * p.dilation_depth, p.filter_height * p.dilation_height,
                  p.filter_width * p.dilation_width, p.in_height * p.in_width,
                  p.in_width * p.in_channels, p.out_width * p.out_channels, p.in_pixels(),
                  p.out_pixels()});
}

// True if the convolution in the layout that oneDNN likes, with the filter reordered at every run,
// is faster than with the filter as it is: the other way copies the windows, which a filter of one
// element without strides does not have, and the reordering is shared by all output pixels.
bool ReorderPays(const ConvolutionProblem& p) {
  constexpr int64_t kPixels = 128, kPixelsForOneTap = 512;
  if (p.groups > 1 || p.filter_first || p.channels_first) return true;
  const int64_t pixels = p.batch * p.out_pixels();
  if (p.taps() > 1) return pixels >= kPixels;
  return (p.stride_height > 1 || p.stride_width > 1) && pixels >= kPixelsForOneTap;
}

// Images that are one pixel wide, as a line of such pixels: the fast code computes several pixels
// of a line at once. All lies the same way in memory.
ConvolutionProblem AsLine(ConvolutionProblem p) {
  const bool is_column = p.in_width == 1 && p.out_width == 1 && p.filter_width == 1 &&
                         p.pad_left == 0 && p.pad_right == 0 && p.out_height > 1;
  if (!is_column) return p;
  std::swap(p.in_height, p.in_width);
  std::swap(p.out_height, p.out_width);
  std::swap(p.filter_height, p.filter_width);
  std::swap(p.stride_height, p.stride_width);
  std::swap(p.dilation_height, p.dilation_width);
  std::swap(p.pad_top, p.pad_left);
  std::swap(p.pad_bottom, p.pad_right);
  return p;
}

// Packed filters have a depth or none, whatever the images that they are used for.
bool HasDepth(const ConvolutionProblem& p, const OneDnnWeights* packed) {
  if (packed) return packed->layout().ndims == (p.groups > 1 ? 6 : 5);
  return p.in_depth != 1 || p.filter_depth != 1 || p.out_depth != 1;
}

// The layout of packed weights for a filter of these sizes; they may have been packed for lines, or
// for columns.
bool DescribePacked(dnnl_memory_desc_t* weights, const OneDnnWeights& packed,
                    const Layout& filter) {
  *weights = packed.layout();
  const size_t last = filter.dims.size() - 1;
  if (packed.layout().dims[last] == filter.dims[last]) return true;
  std::vector<int> axes(filter.dims.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::swap(axes[last], axes[last - 1]);
  return dnnl_memory_desc_permute_axes(weights, &packed.layout(), axes.data()) == dnnl_success;
}

// True for code that copies all windows first.
bool CopiesWindows(const PrimitiveDesc& desc) {
  const char* name = nullptr;
  return dnnl_primitive_desc_query(desc.get(), dnnl_query_impl_info_str, 0, &name) ==
             dnnl_success &&
         std::string_view(name).find("gemm") != std::string_view::npos;
}

// The image may be copied into one of this size.
bool MayBecome(const ConvolutionProblem& p, int64_t pixels) {
  return !p.channels_first && p.groups == 1 && p.in_depth == 1 && p.out_depth == 1 &&
         std::min({p.pad_top, p.pad_bottom, p.pad_left, p.pad_right}) >= 0 &&
         pixels <= 2 * p.in_pixels();
}

// The same convolution of an image that has its padding.
std::optional<ConvolutionProblem> WithoutPadding(ConvolutionProblem p) {
  const int64_t height = p.in_height + p.pad_top + p.pad_bottom;
  const int64_t width = p.in_width + p.pad_left + p.pad_right;
  if (height * width == p.in_pixels() || !MayBecome(p, height * width)) return std::nullopt;
  p.in_height = height, p.in_width = width;
  p.pad_top = p.pad_bottom = p.pad_left = p.pad_right = 0;
  return p;
}

// A line whose filter is dilated, as rows that are as long as from tap to tap: taps are neighbours
// in a column. The last row of the result may be longer than the line.
std::optional<ConvolutionProblem> AsRows(ConvolutionProblem p) {
  const int64_t width = p.dilation_width, rows = (p.out_width + width - 1) / width;
  const int64_t in_rows = rows + p.filter_width - 1;
  if (p.in_height != 1 || p.out_height != 1 || p.filter_height != 1 || p.stride_width != 1 ||
      p.pad_top != 0 || p.pad_bottom != 0 || width == 1 || p.all_outputs != 0 ||
      !MayBecome(p, in_rows * width)) {
    return std::nullopt;
  }
  p.in_height = in_rows, p.out_height = rows, p.filter_height = p.filter_width;
  p.in_width = p.out_width = width;
  p.filter_width = p.dilation_width = 1;
  p.stride_height = p.dilation_height = 1;  // of a line they mean nothing
  p.pad_left = p.pad_right = 0;
  return p;
}

thread_local AlignedBuffer copied_image, copied_result;

float* Reserve(AlignedBuffer& buffer, int64_t size) {
  if (!buffer.Reserve(static_cast<size_t>(size) * sizeof(float))) return nullptr;
  return static_cast<float*>(buffer.data());
}

// Copies the image into one that has its padding: the fast code refuses wide padding, as dilated
// filters have it, and copying all windows takes longer.
class CopyingPlan final : public Plan {
 public:
  CopyingPlan(const ConvolutionProblem& problem, const ConvolutionProblem& copied,
              std::unique_ptr<Plan> plan)
      : p_(problem), copied_(copied), plan_(std::move(plan)) {}

  bool Run(const Operands& operands) const override {
    Operands copied = operands;
    float* image = CopyImage(operands.a);
    const int64_t size = p_.out_pixels() * p_.out_channels;
    const int64_t copied_size = copied_.out_pixels() * p_.out_channels;
    const bool is_longer = size != copied_size;
    if (is_longer) copied.out = Reserve(copied_result, p_.batch * copied_size);
    if (!image || !copied.out) return false;
    copied.a = image;
    for (int64_t i = 0; is_longer && p_.beta != 0 && i < p_.batch; ++i) {
      float* to = copied.out + i * copied_size;
      std::copy_n(operands.out + i * size, size, to);
      std::fill(to + size, to + copied_size, 0.0f);
    }
    if (!plan_->Run(copied)) return false;
    for (int64_t i = 0; is_longer && i < p_.batch; ++i) {
      std::copy_n(copied.out + i * copied_size, size, operands.out + i * size);
    }
    return true;
  }
  std::unique_ptr<PackedWeights> Pack(const void* weights) const override {
    return plan_->Pack(weights);
  }

 private:
  // Null without memory.
  float* CopyImage(const float* from) const {
    const int64_t channels = p_.in_channels, row = p_.in_width * channels;
    const int64_t padded_row = row + (p_.pad_left + p_.pad_right) * channels;
    const int64_t each = copied_.in_pixels() * channels, size = p_.batch * each;
    float* to = Reserve(copied_image, size);
    if (!to) return nullptr;
    float* end = to;
    for (int64_t i = 0; i < p_.batch * p_.in_height; ++i) {
      const int64_t y = i % p_.in_height + p_.pad_top;
      float* begin = to + i / p_.in_height * each + y * padded_row + p_.pad_left * channels;
      std::fill(end, begin, 0.0f);
      end = std::copy_n(from + i * row, row, begin);
    }
    std::fill(end, to + size, 0.0f);
    return to;
  }

  const ConvolutionProblem p_, copied_;
  const std::unique_ptr<Plan> plan_;
};

// As PrepareConvolution; null also for code that copies all windows, if `only_direct`.
std::unique_ptr<Plan> PrepareAs(const ConvolutionProblem& problem, const PackedWeights* weights,
                                dnnl_engine_t engine, bool accept_reference, bool only_direct) {
  // Its fast code crashes, or leaves out the bias, where a window sees nothing of the image.
  if (!CanDescribe(problem) || problem.may_miss_input()) return nullptr;
  if (problem.in_bf16 && !HasFastBf16()) return nullptr;
  const ConvolutionProblem p = AsLine(problem);
  OneOpenMpThread one_thread;
  const bool has_depth = HasDepth(p, static_cast<const OneDnnWeights*>(weights));
  if (!has_depth && (p.in_depth != 1 || p.out_depth != 1)) return nullptr;
  const bool is_part = p.all_outputs != 0;
  if (is_part && !weights) return nullptr;
  const Layout in =
      ImageLayout(p, has_depth, p.in_channels, p.in_channels, p.in_depth, p.in_height, p.in_width);
  const Layout out = ImageLayout(p, has_depth, p.out_channels, p.out_channels, p.out_depth,
                                 p.out_height, p.out_width);
  const Layout wanted = ImageLayout(p, has_depth, p.out_channels, p.out_stride(), p.out_depth,
                                    p.out_height, p.out_width);
  const Layout filter = FilterLayout(p, has_depth);
  Layout factor = in;  // of the same places as the input
  factor.type = FactorType(p.in_bf16);
  dnnl_memory_desc_t source, weights_like, bias = {}, destination;
  OneDnnPlan::Operands plain{.beta = p.beta};
  if (!Describe(&plain.source, in) || !Describe(&plain.destination, wanted) ||
      (p.has_bias && !Describe(&bias, {p.out_channels}, {1}))) {
    return nullptr;
  }
  if (p.packed_filter && weights) {
    if (!DescribePacked(&plain.weights, *static_cast<const OneDnnWeights*>(weights), filter)) {
      return nullptr;
    }
  } else if (!Describe(&plain.weights, filter)) {
    return nullptr;
  }
  weights_like = plain.weights;
  // oneDNN's fast code writes whole pixels: parts of them are copied to their places.
  if (!Describe(&source, factor) || !Describe(&destination, out)) return nullptr;
  if (p.channels_first && (!DescribeAny(&source, factor) || !DescribeAny(&destination, out))) {
    return nullptr;
  }
  const bool reorders = p.packed_filter ? !weights || is_part : ReorderPays(p);
  if (reorders && !DescribeAny(&weights_like, filter)) return nullptr;

  // Depth first, where there is one.
  const int skipped = has_depth ? 0 : 1;
  const int64_t strides[] = {p.stride_depth, p.stride_height, p.stride_width};
  const int64_t dilations[] = {p.dilation_depth - 1, p.dilation_height - 1, p.dilation_width - 1};
  const int64_t pad_begin[] = {p.pad_front, p.pad_top, p.pad_left};
  const int64_t pad_end[] = {p.pad_back, p.pad_bottom, p.pad_right};
  const Attributes attributes = MakeAttributes(1, p.beta, p.function());
  const bool packed_for_another = p.packed_filter && weights;
  auto best = [&]() -> PrimitiveDesc {
    dnnl_convolution_desc_t operation;
    if (!attributes ||
        dnnl_dilated_convolution_forward_desc_init(
            &operation, dnnl_forward_inference, dnnl_convolution_direct, &source, &weights_like,
            p.has_bias ? &bias : nullptr, &destination, strides + skipped, dilations + skipped,
            pad_begin + skipped, pad_end + skipped) != dnnl_success) {
      return nullptr;
    }
    return Best(&operation, attributes, engine, false);
  };
  PrimitiveDesc desc = best();
  auto is_direct = [&] { return desc && !CopiesWindows(desc); };
  if (only_direct) {
    // Filters that were packed for other code are reordered, if the image is larger.
    const int64_t filter_size = p.taps() * p.in_channels * p.out_channels;
    const bool is_small = filter_size <= p.batch * p.in_pixels() * p.in_channels;
    if (!is_direct() && !reorders && is_small && DescribeAny(&weights_like, filter)) desc = best();
    if (!is_direct()) return nullptr;
  } else if (!is_direct()) {
    for (const auto& copied : {WithoutPadding(p), AsRows(p)}) {
      auto plan = copied ? PrepareAs(*copied, weights, engine, false, true) : nullptr;
      if (plan) return std::make_unique<CopyingPlan>(p, *copied, std::move(plan));
    }
  }
  if (is_part) {
    const bool fits = desc && TakePart(desc, filter.dims, /*dim=*/0, p.first_output, &plain.weights,
                                       &plain.weights_offset_bytes);
    return fits ? OneDnnPlan::Create(engine, std::move(desc), plain) : nullptr;
  }
  // A layout that was made for another problem, or that nothing is made for: any other is better
  // than a reference, even with the reordering at each run. Problems that others can take the place
  // of, as pieces of a larger one, have no such plan.
  if (!desc && packed_for_another && !accept_reference) return nullptr;
  if (!desc && !reorders && DescribeAny(&weights_like, filter)) desc = best();
  if (!desc && !p.channels_first && DescribeAny(&source, factor) &&
      DescribeAny(&destination, out)) {
    desc = best();
  }
  if (!desc && accept_reference) {
    dnnl_convolution_desc_t operation;
    if (attributes && Describe(&source, factor) &&
        dnnl_dilated_convolution_forward_desc_init(
            &operation, dnnl_forward_inference, dnnl_convolution_direct, &source, &plain.weights,
            p.has_bias ? &bias : nullptr, &plain.destination, strides + skipped,
            dilations + skipped, pad_begin + skipped, pad_end + skipped) == dnnl_success) {
      desc = Best(&operation, attributes, engine, true);
    }
  }
  return desc ? OneDnnPlan::Create(engine, std::move(desc), plain) : nullptr;
}

}  // namespace

std::unique_ptr<Plan> PrepareConvolution(const ConvolutionProblem& problem,
                                         const PackedWeights* weights, dnnl_engine_t engine,
                                         bool accept_reference) {
  return PrepareAs(problem, weights, engine, accept_reference, false);
}

bool UnpackFilter(const ConvolutionProblem& problem, const PackedWeights& weights,
                  dnnl_engine_t engine, float* filter) {
  OneOpenMpThread one_thread;
  const auto& packed = static_cast<const OneDnnWeights&>(weights);
  const ConvolutionProblem p = AsLine(problem);
  Layout lies = FilterLayout(p, HasDepth(p, &packed));
  lies.type = dnnl_f32;
  dnnl_memory_desc_t from, to;
  return DescribePacked(&from, packed, lies) && Describe(&to, lies) &&
         Reorder(engine, from, packed.data(), to, filter);
}

}  // namespace tfrt::contraction
