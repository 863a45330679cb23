// Transposed convolutions: the products of all inputs with all taps, each then added where its
// window lies in the output.

#include <algorithm>

#include "aligned_buffer.h"
#include "contractions.h"
#include "convolution.h"
#include "fallible_blocks.h"
#include "in_floats.h"
#include "lib/ops/maths/tensor/operand_checks.h"
#include "plain_convolution.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

using contraction::ConvolutionProblem;
using contraction::MatMulProblem;
using contraction::Operands;

thread_local contraction::AlignedBuffer products_buffer;

// Products of a block have at most so many floats, if one channel or pixel has not more already.
constexpr int64_t kBlockFloats = 1 << 18;

// Calls fn(tap, output pixel, input columns [begin, end), output column of `begin`) for all that
// row `row` of the input (of all depths) contributes to. Here the output is the problem's `in`.
template <typename F>
void ForEachTap(const ConvolutionProblem& p, int64_t row, F fn) {
  const int64_t y = row % p.out_height, z = row / p.out_height;
  int64_t tap = 0;
  for (int64_t i = 0; i < p.filter_depth; ++i) {
    const int64_t to_z = z * p.stride_depth - p.pad_front + i * p.dilation_depth;
    for (int64_t j = 0; j < p.filter_height; ++j) {
      const int64_t to_y = y * p.stride_height - p.pad_top + j * p.dilation_height;
      for (int64_t k = 0; k < p.filter_width; ++k, ++tap) {
        if (to_z < 0 || to_z >= p.in_depth || to_y < 0 || to_y >= p.in_height) continue;
        const int64_t first = k * p.dilation_width - p.pad_left;
        const int64_t begin =
            first >= 0 ? 0 : std::min((-first - 1) / p.stride_width + 1, p.out_width);
        const int64_t end =
            first >= p.in_width
                ? begin
                : std::min((p.in_width - 1 - first) / p.stride_width + 1, p.out_width);
        if (begin >= end) continue;
        fn(tap, (to_z * p.in_height + to_y) * p.in_width, begin, end,
           first + begin * p.stride_width);
      }
    }
  }
}

class TransposedConvolution {
 public:
  TransposedConvolution(const ConvolutionProblem& problem, const float* in, const float* filter,
                        const float* bias, float* out)
      : p_(problem), in_(in), filter_(filter), bias_(bias), out_(out) {
    const int64_t products = p_.taps() * (p_.channels_first ? p_.out_pixels() : 1);
    channels_per_block_ = p_.channels_first
                              ? std::clamp<int64_t>(kBlockFloats / std::max<int64_t>(products, 1),
                                                    1, p_.group_inputs())
                              : p_.group_inputs();
    blocks_per_group_ = (p_.group_inputs() - 1) / channels_per_block_ + 1;
  }
  size_t num_blocks() const {
    return static_cast<size_t>(p_.batch * p_.groups * blocks_per_group_);
  }

  Status Run(const ExecutionContext& exec_ctx, size_t block) const {
    const auto index = static_cast<int64_t>(block);
    const int64_t first = index % blocks_per_group_ * channels_per_block_;
    const int64_t group = index / blocks_per_group_ % p_.groups;
    const int64_t image = index / blocks_per_group_ / p_.groups;
    const int64_t channels = std::min(channels_per_block_, p_.group_inputs() - first);
    return p_.channels_first ? RunChannels(exec_ctx, image, group, first, channels)
                             : RunPixels(exec_ctx, image, group);
  }

 private:
  Status Multiply(const ExecutionContext& exec_ctx, MatMulProblem problem, const float* a,
                  const float* b) const {
    const auto floats = static_cast<size_t>(problem.m * problem.n);
    if (!products_buffer.Reserve(floats * sizeof(float))) {
      return ResourceExhaustedError("no memory for the products of a transposed convolution");
    }
    problem.out_row_stride = problem.n;
    return contraction::ComputeOnThisThread(
        exec_ctx, problem,
        Operands{.a = a, .b = b, .out = static_cast<float*>(products_buffer.data())});
  }
  const float* products() const { return static_cast<const float*>(products_buffer.data()); }

  // Products [channels, taps, pixels].
  Status RunChannels(const ExecutionContext& exec_ctx, int64_t image, int64_t group, int64_t first,
                     int64_t channels) const {
    const int64_t taps = p_.taps(), pixels = p_.out_pixels(), inputs = p_.group_outputs();
    MatMulProblem problem;
    problem.transpose_a = true;
    problem.m = channels * taps;
    problem.k = inputs;
    problem.n = pixels;
    problem.a_row_stride = p_.group_inputs() * taps;
    problem.b_row_stride = pixels;
    TFRT_RETURN_IF_ERROR(Multiply(exec_ctx, problem,
                                  filter_ + (group * inputs * p_.group_inputs() + first) * taps,
                                  in_ + (image * p_.out_channels + group * inputs) * pixels));
    const float* from = products();
    for (int64_t c = 0; c < channels; ++c, from += taps * pixels) {
      const int64_t channel = group * p_.group_inputs() + first + c;
      float* plane = out_ + (image * p_.in_channels + channel) * p_.in_pixels();
      std::fill_n(plane, p_.in_pixels(), bias_ ? bias_[channel] : 0.0f);
      for (int64_t row = 0; row < p_.out_depth * p_.out_height; ++row) {
        ForEachTap(p_, row, [&](int64_t tap, int64_t to, int64_t begin, int64_t end, int64_t x) {
          const float* line = from + tap * pixels + row * p_.out_width;
          for (int64_t i = begin; i < end; ++i, x += p_.stride_width) plane[to + x] += line[i];
        });
      }
    }
    return OkStatus();
  }

  // Products [pixels, taps, channels], for some rows of the input at a time.
  Status RunPixels(const ExecutionContext& exec_ctx, int64_t image, int64_t group) const {
    const int64_t taps = p_.taps(), channels = p_.group_inputs(), inputs = p_.group_outputs();
    float* out = out_ + image * p_.in_pixels() * p_.in_channels + group * channels;
    for (int64_t i = 0; i < p_.in_pixels(); ++i) {
      float* pixel = out + i * p_.in_channels;
      if (bias_) {
        std::copy_n(bias_ + group * channels, channels, pixel);
      } else {
        std::fill_n(pixel, channels, 0.0f);
      }
    }
    const int64_t rows = p_.out_depth * p_.out_height, row_floats = p_.out_width * taps * channels;
    const int64_t rows_per_block =
        std::clamp<int64_t>(kBlockFloats / std::max<int64_t>(row_floats, 1), 1, rows);
    MatMulProblem problem;
    problem.transpose_b = true;
    problem.n = taps * channels;
    problem.k = inputs;
    problem.a_row_stride = problem.b_row_stride = p_.out_channels;
    for (int64_t first = 0; first < rows; first += rows_per_block) {
      const int64_t count = std::min(rows_per_block, rows - first);
      problem.m = count * p_.out_width;
      const int64_t pixel = image * p_.out_pixels() + first * p_.out_width;
      TFRT_RETURN_IF_ERROR(Multiply(exec_ctx, problem,
                                    in_ + pixel * p_.out_channels + group * inputs,
                                    filter_ + group * inputs));
      const float* from = products();
      for (int64_t row = 0; row < count; ++row, from += row_floats) {
        ForEachTap(p_, first + row,
                   [&](int64_t tap, int64_t to, int64_t begin, int64_t end, int64_t x) {
                     for (int64_t i = begin; i < end; ++i, x += p_.stride_width) {
                       const float* line = from + (i * taps + tap) * channels;
                       float* sums = out + (to + x) * p_.in_channels;
                       for (int64_t c = 0; c < channels; ++c) sums[c] += line[c];
                     }
                   });
      }
    }
    return OkStatus();
  }

  ConvolutionProblem p_;
  const float* in_;
  const float* filter_;
  const float* bias_;
  float* out_;
  int64_t channels_per_block_, blocks_per_group_;
};

Completion TransposeOfFloats(const ConvolutionProblem& problem, const DenseHostTensor& in,
                             const DenseHostTensor& filter, const DenseHostTensor* bias,
                             DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  // Without products, or with so few that a library's preparation costs more.
  constexpr int64_t kFewOutputs = 4;
  if (problem.out_pixels() == 0 || problem.out_channels == 0 ||
      (problem.group_inputs() * problem.taps() < kFewOutputs && problem.group_outputs() < 8)) {
    return PlainConvTranspose(problem, in, filter, bias, out, exec_ctx);
  }
  TFRT_RETURN_IF_ERROR(CheckDType(in, DType::kF32, "the convolution input"));
  TFRT_RETURN_IF_ERROR(CheckDType(filter, DType::kF32, "the convolution filter"));
  const float* bias_data = nullptr;
  if (bias) {
    TFRT_ASSIGN_OR_RETURN(bias_data,
                          VectorOf("conv_transpose", *bias, problem.in_channels, "bias"));
  }
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  if (out.num_elements() == 0) return GetReadyChain();
  const TransposedConvolution transposed(problem, static_cast<const float*>(in.data()),
                                         static_cast<const float*>(filter.data()), bias_data,
                                         static_cast<float*>(data));
  const DenseHostTensor* operands[] = {&in, &filter, bias ? bias : &in, &out};
  return RunFallibleBlocks(
      exec_ctx, transposed.num_blocks(), 1, "a transposed convolution", operands,
      [transposed, exec_ctx](size_t block) { return transposed.Run(exec_ctx, block); });
}

void AddOutputPadding(std::span<const int64_t> output_padding, bool lower, ConvolutionProblem& p) {
  struct Axis {
    int64_t filter, dilation, stride;
    int64_t* pad;
  };
  const Axis axes[] = {{p.filter_depth, p.dilation_depth, p.stride_depth, &p.pad_front},
                       {p.filter_height, p.dilation_height, p.stride_height, &p.pad_top},
                       {p.filter_width, p.dilation_width, p.stride_width, &p.pad_left}};
  const size_t skipped = std::size(axes) - std::min(std::size(axes), output_padding.size());
  for (size_t i = skipped; i < std::size(axes); ++i) {
    const Axis& axis = axes[i];
    *axis.pad = PadBeforeTransposed(axis.filter, axis.dilation, axis.stride,
                                    output_padding[i - skipped], lower);
  }
}

}  // namespace

Completion ConvTranspose(const DenseHostTensor& in, const DenseHostTensor& filter, int64_t groups,
                         const NdWindowAttributes& windows, std::span<const int64_t> output_padding,
                         const DenseHostTensor* bias, DenseHostTensor& out,
                         const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(ConvolutionProblem problem,
                        MakeConvolutionProblem(out.shape(), filter.shape(), !windows.channels_last,
                                               groups, windows, in.shape()));
  problem.channels_first = !windows.channels_last;  // as the filter, of single pixels, too
  if (windows.padding != "explicit" && !output_padding.empty()) {
    AddOutputPadding(output_padding, windows.padding == "same_lower", problem);
  }
  TFRT_RETURN_IF_ERROR(CheckApart("conv_transpose", out, {&in, &filter}));
  if (IsHalf(out.dtype())) {
    return ComputeInFloats(
        {&in, &filter, bias}, out, false, exec_ctx,
        [&](std::span<const DenseHostTensor* const> inputs, DenseHostTensor& floats) {
          return TransposeOfFloats(problem, *inputs[0], *inputs[1], inputs[2], floats, exec_ctx);
        });
  }
  if (out.dtype() == DType::kF32) {
    return TransposeOfFloats(problem, in, filter, bias, out, exec_ctx);
  }
  return PlainConvTranspose(problem, in, filter, bias, out, exec_ctx);
}

}  // namespace tfrt::maths
