// Convolutions by Eigen, on the calling thread.

#include <algorithm>

#include "eigen_plans.h"
#include "lib/ops/maths/cpu/isa_clones.h"

namespace tfrt::contraction {
namespace {

// Memory of the thread: windows next to each other, images and filters with channels last.
struct Working {
  AlignedBuffer columns, in, out, filter;
};
thread_local Working working;

bool Reserve(AlignedBuffer& buffer, int64_t floats) {
  return buffer.Reserve(static_cast<size_t>(floats) * sizeof(float));
}
float* Floats(AlignedBuffer& buffer) { return static_cast<float*>(buffer.data()); }

// to [columns, rows] = from [rows, columns]
void Transpose(const float* from, int64_t rows, int64_t columns, float* to) {
  ConstMap source(from, rows, columns, Strided(columns));
  Map(to, columns, rows, Strided(rows)).noalias() = source.transpose();
}

// How one spatial dimension of windows lies.
struct Axis {
  int64_t in, filter, out, stride, dilation, pad;

  int64_t position(int64_t output, int64_t tap) const {
    return output * stride - pad + tap * dilation;
  }
  bool has(int64_t position) const { return position >= 0 && position < in; }
};

// out[c] += in[c] * filter[c]
TFRT_ISA_CLONES
void AddProducts(const float* in, const float* filter, int64_t channels, float* out) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t c = 0; c < channels; ++c) out[c] += in[c] * filter[c];
}

// With channels last everywhere, after or before transposing. Convolution as products: each block
// of output rows is a matrix [pixels, outputs of a group], the product of the group's filter as a
// matrix [taps * inputs of a group, outputs] with the inputs under the pixels' windows, which are
// first copied next to each other (im2col), unless they already lie that way. Groups of one channel
// are multiplied as they are.
class ConvolutionPlan final : public Plan {
 public:
  explicit ConvolutionPlan(const ConvolutionProblem& problem) : p_(problem) {
    axes_[0] = {p_.in_depth,     p_.filter_depth,   p_.out_depth,
                p_.stride_depth, p_.dilation_depth, p_.pad_front};
    axes_[1] = {p_.in_height,     p_.filter_height,   p_.out_height,
                p_.stride_height, p_.dilation_height, p_.pad_top};
    axes_[2] = {p_.in_width,     p_.filter_width,   p_.out_width,
                p_.stride_width, p_.dilation_width, p_.pad_left};
    const int64_t group_inputs = p_.group_inputs();
    inputs_per_pixel_ = p_.taps() * group_inputs;
    by_channel_ = p_.groups > 1 && group_inputs == 1 && p_.group_outputs() == 1;
    reads_in_place_ = p_.groups == 1 && p_.taps() == 1 && p_.in_pixels() == p_.out_pixels() &&
                      std::ranges::all_of(axes_, [](const Axis& axis) {
                        return axis.stride == 1 && axis.pad == 0 && axis.in == axis.out;
                      });
    // A quarter of a common L2 cache; more where each block has to read a large filter anew.
    constexpr int64_t kBlockFloats = 1 << 16, kMaxBlockFloats = 1 << 20;
    const int64_t block =
        std::clamp(inputs_per_pixel_ * p_.group_outputs(), kBlockFloats, kMaxBlockFloats);
    // A single row of windows may be too large for any memory: then the plan cannot run.
    constexpr int64_t kMaxRowFloats = int64_t{1} << 40;
    is_too_large_ = inputs_per_pixel_ > kMaxRowFloats / p_.out_width;
    if (is_too_large_) return;
    rows_per_block_ = std::clamp<int64_t>(block / (inputs_per_pixel_ * p_.out_width), 1, rows());
  }

  bool Run(const Operands& operands) const override {
    const float* filter;
    if (operands.packed) {
      filter = static_cast<const PlainWeights*>(operands.packed)->data();
    } else if (IsArranged()) {
      filter = operands.b;
    } else {
      if (!Reserve(working.filter, num_weights())) return false;
      Arrange(operands.b, Floats(working.filter));
      filter = Floats(working.filter);
    }
    const int64_t in_image = p_.in_pixels() * p_.in_channels;
    const int64_t out_image = p_.out_pixels() * p_.out_stride();
    if (p_.all_outputs != 0) filter += p_.first_output;
    for (int64_t image = 0; image < p_.batch; ++image) {
      const float* in = operands.a + image * in_image;
      float* out = operands.out + image * out_image;
      if (!p_.channels_first) {
        if (!RunImage(in, filter, operands.bias, out)) return false;
        continue;
      }
      if (!Reserve(working.in, in_image) || !Reserve(working.out, out_image)) return false;
      Transpose(in, p_.in_channels, p_.in_pixels(), Floats(working.in));
      if (p_.beta != 0) Transpose(out, p_.out_channels, p_.out_pixels(), Floats(working.out));
      if (!RunImage(Floats(working.in), filter, operands.bias, Floats(working.out))) return false;
      Transpose(Floats(working.out), p_.out_pixels(), p_.out_channels, out);
    }
    return true;
  }

  std::unique_ptr<PackedWeights> Pack(const void* weights) const override {
    const auto* filter = static_cast<const float*>(weights);
    if (IsArranged()) return PlainWeights::Copy(filter, static_cast<size_t>(num_weights()));
    std::unique_ptr<PlainWeights> packed = PlainWeights::Create(static_cast<size_t>(num_weights()));
    if (packed) Arrange(filter, packed->data());
    return packed;
  }

 private:
  int64_t rows() const { return p_.out_depth * p_.out_height; }
  int64_t num_weights() const { return inputs_per_pixel_ * p_.out_channels; }

  // The filter as the loops read it is [groups, taps, inputs of a group, outputs of a group], and
  // [taps, channels] where groups have one channel.
  bool IsArranged() const { return !p_.filter_first && (p_.groups == 1 || by_channel_); }
  void Arrange(const float* from, float* to) const {
    if (by_channel_) return Transpose(from, p_.out_channels, p_.taps(), to);
    const int64_t taps = p_.taps(), inputs = p_.group_inputs(), outputs = p_.group_outputs();
    for (int64_t group = 0; group < p_.groups; ++group) {
      for (int64_t tap = 0; tap < taps; ++tap) {
        for (int64_t i = 0; i < inputs; ++i) {
          for (int64_t o = 0; o < outputs; ++o) {
            const int64_t output = group * outputs + o;
            *to++ = p_.filter_first ? from[(output * inputs + i) * taps + tap]
                                    : from[(tap * inputs + i) * p_.out_channels + output];
          }
        }
      }
    }
  }

  bool RunImage(const float* in, const float* filter, const float* bias, float* out) const {
    if (by_channel_) {
      RunByChannel(in, filter, bias, out);
      return true;
    }
    if (reads_in_place_) {
      Product(in, p_.out_pixels(), filter, bias, out);
      return true;
    }
    const int64_t row_floats = p_.out_width * inputs_per_pixel_;
    if (is_too_large_ || !Reserve(working.columns, rows_per_block_ * row_floats)) return false;
    float* columns = Floats(working.columns);
    const int64_t inputs = p_.group_inputs(), outputs = p_.group_outputs();
    for (int64_t group = 0; group < p_.groups; ++group) {
      for (int64_t row = 0; row < rows(); row += rows_per_block_) {
        const int64_t count = std::min(rows_per_block_, rows() - row);
        for (int64_t i = 0; i < count; ++i) {
          CopyRow(in + group * inputs, row + i, columns + i * row_floats);
        }
        Product(columns, count * p_.out_width, filter + group * inputs_per_pixel_ * outputs,
                bias ? bias + group * outputs : nullptr,
                out + row * p_.out_width * p_.out_stride() + group * outputs);
      }
    }
    return true;
  }

  void Product(const float* inputs, int64_t pixels, const float* filter, const float* bias,
               float* out) const {
    const int64_t outputs = p_.group_outputs();
    ConstMap a(inputs, pixels, inputs_per_pixel_, Strided(inputs_per_pixel_));
    ConstMap b(filter, inputs_per_pixel_, outputs,
               Strided(p_.groups == 1 ? p_.out_stride() : outputs));
    Map result(out, pixels, outputs, Strided(p_.out_stride()));
    Multiply(a, b, 1, p_.beta, bias, result);
    cpu::ActivateRows(p_.function(), out, pixels, outputs, p_.out_stride());
  }

  // The inputs of the output pixels of row `out_row` of one group, [out_width, taps, inputs], zeros
  // where a window leaves the image.
  void CopyRow(const float* image, int64_t out_row, float* to) const {
    const int64_t inputs = p_.group_inputs(), tap_row_floats = p_.filter_width * inputs;
    const int64_t out_z = out_row / p_.out_height, out_y = out_row % p_.out_height;
    for (int64_t x = 0; x < p_.out_width; ++x) {
      for (int64_t i = 0; i < p_.filter_depth; ++i) {
        const int64_t z = axes_[0].position(out_z, i);
        for (int64_t j = 0; j < p_.filter_height; ++j, to += tap_row_floats) {
          const int64_t y = axes_[1].position(out_y, j);
          if (!axes_[0].has(z) || !axes_[1].has(y)) {
            std::fill_n(to, tap_row_floats, 0.0f);
          } else {
            CopyTapRow(image + (z * p_.in_height + y) * p_.in_width * p_.in_channels, x, to);
          }
        }
      }
    }
  }
  void CopyTapRow(const float* row, int64_t out_x, float* to) const {
    const int64_t inputs = p_.group_inputs(), first = axes_[2].position(out_x, 0);
    if (p_.dilation_width == 1 && p_.groups == 1 && first >= 0 &&
        first + p_.filter_width <= p_.in_width) {
      std::copy_n(row + first * p_.in_channels, p_.filter_width * p_.in_channels, to);
      return;
    }
    for (int64_t k = 0; k < p_.filter_width; ++k, to += inputs) {
      const int64_t x = axes_[2].position(out_x, k);
      if (!axes_[2].has(x)) {
        std::fill_n(to, inputs, 0.0f);
      } else {
        std::copy_n(row + x * p_.in_channels, inputs, to);
      }
    }
  }

  void RunByChannel(const float* in, const float* filter, const float* bias, float* out) const {
    const int64_t channels = p_.out_channels;
    for (int64_t row = 0; row < rows(); ++row) {
      const int64_t out_z = row / p_.out_height, out_y = row % p_.out_height;
      for (int64_t out_x = 0; out_x < p_.out_width; ++out_x, out += channels) {
        Begin(bias, channels, out);
        const float* weights = filter;
        for (int64_t i = 0; i < p_.filter_depth; ++i) {
          const int64_t z = axes_[0].position(out_z, i);
          for (int64_t j = 0; j < p_.filter_height; ++j) {
            const int64_t y = axes_[1].position(out_y, j);
            for (int64_t k = 0; k < p_.filter_width; ++k, weights += channels) {
              const int64_t x = axes_[2].position(out_x, k);
              if (!axes_[0].has(z) || !axes_[1].has(y) || !axes_[2].has(x)) continue;
              AddProducts(in + ((z * p_.in_height + y) * p_.in_width + x) * channels, weights,
                          channels, out);
            }
          }
        }
        cpu::Activate(p_.function(), out, channels);
      }
    }
  }
  // out = bias + beta * out
  void Begin(const float* bias, int64_t channels, float* out) const {
    if (p_.beta == 0) {
      if (bias) {
        std::copy_n(bias, channels, out);
      } else {
        std::fill_n(out, channels, 0.0f);
      }
      return;
    }
    for (int64_t c = 0; c < channels; ++c) out[c] = p_.beta * out[c] + (bias ? bias[c] : 0.0f);
  }

  ConvolutionProblem p_;
  Axis axes_[3];
  int64_t inputs_per_pixel_;
  int64_t rows_per_block_ = 1;
  bool by_channel_;
  bool reads_in_place_;
  bool is_too_large_ = false;
};

// The output of a convolution without inputs, channels first: each row is a channel.
class NoInputsPlan final : public Plan {
 public:
  explicit NoInputsPlan(const ConvolutionProblem& problem) : p_(problem) {}
  bool Run(const Operands& operands) const override {
    const int64_t pixels = p_.out_pixels();
    float* out = operands.out;
    for (int64_t row = 0; row < p_.batch * p_.out_channels; ++row, out += pixels) {
      const float bias = operands.bias ? operands.bias[row % p_.out_channels] : 0;
      for (int64_t i = 0; i < pixels; ++i) {
        out[i] = bias + (p_.beta == 0 ? 0 : p_.beta * out[i]);
      }
    }
    cpu::Activate(p_.function(), operands.out, p_.batch * p_.out_channels * pixels);
    return true;
  }
  std::unique_ptr<PackedWeights> Pack(const void*) const override {
    return PlainWeights::Create(0);
  }

 private:
  ConvolutionProblem p_;
};

}  // namespace

std::unique_ptr<Plan> PrepareEigenConvolution(const ConvolutionProblem& problem) {
  const auto& p = problem;
  if (p.has_products()) return std::make_unique<ConvolutionPlan>(p);
  if (p.channels_first) return std::make_unique<NoInputsPlan>(p);
  return MakeNoProductsPlan(p.batch * p.out_pixels(), p.out_channels, p.out_channels, p.beta,
                            p.function());
}

}  // namespace tfrt::contraction
