// Convolutions of bytes: as products of the pixels under each window with the filter, or, where
// each channel has a filter of its own, by a loop over channels.

#include <algorithm>
#include <utility>
#include <vector>

#include "byte_operands.h"
#include "lib/ops/maths/cpu/isa_clones.h"
#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "plain_convolution.h"
#include "quantized_products.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

using contraction::ByteColumns;
using contraction::ByteProduct;
using contraction::ConvolutionProblem;
using contraction::kOtherSign;
using contraction::MultiplyBytes;
using contraction::PackedBytes;

// Calls fn(tap, offset) for the taps of the window of an output pixel, in order. The offset is that
// of the pixel under the tap in an image of [pixels], -1 outside of it.
template <typename F>
[[gnu::always_inline]] inline void ForEachTap(const ConvolutionProblem& p, int64_t pixel, F fn) {
  const int64_t x = pixel % p.out_width, y = pixel / p.out_width % p.out_height,
                z = pixel / p.out_width / p.out_height;
  int64_t tap = 0;
  for (int64_t i = 0; i < p.filter_depth; ++i) {
    const int64_t in_z = z * p.stride_depth - p.pad_front + i * p.dilation_depth;
    for (int64_t j = 0; j < p.filter_height; ++j) {
      const int64_t in_y = y * p.stride_height - p.pad_top + j * p.dilation_height;
      const bool is_row = in_z >= 0 && in_z < p.in_depth && in_y >= 0 && in_y < p.in_height;
      const int64_t row = (in_z * p.in_height + in_y) * p.in_width;
      for (int64_t k = 0; k < p.filter_width; ++k, ++tap) {
        const int64_t in_x = x * p.stride_width - p.pad_left + k * p.dilation_width;
        fn(tap, is_row && in_x >= 0 && in_x < p.in_width ? row + in_x : int64_t{-1});
      }
    }
  }
}

// The pixels of a group's channels under each window, [tap, channel]. Rows are the pixels of the
// output, image after image.
class WindowRows final : public contraction::ByteRows {
 public:
  WindowRows(const ConvolutionProblem& p, const void* data, bool is_signed, uint8_t padding)
      : p_(p),
        data_(static_cast<const uint8_t*>(data)),
        flip_(is_signed ? kOtherSign : 0),
        padding_(padding) {}
  // Rows from group * all_rows() on are those of that group.
  int64_t all_rows() const { return p_.batch * p_.out_pixels(); }

  void Fill(int64_t row, int64_t count, uint8_t* to, int64_t stride) const override {
    const int64_t channels = p_.group_inputs(), pixels = p_.out_pixels();
    if (channels == 0) return;
    for (int64_t r = row; r < row + count; ++r, to += stride) {
      const int64_t group = r / all_rows(), image = r % all_rows() / pixels, pixel = r % pixels;
      const uint8_t* from = data_ + image * p_.in_pixels() * p_.in_channels +
                            group * channels * (p_.channels_first ? p_.in_pixels() : 1);
      if (p_.channels_first) {
        FillFromPlanes(from, pixel, to);
      } else {
        FillFromPixels(from, pixel, to);
      }
    }
  }

 private:
  // Neighbouring pixels whose channels are all of a row are copied at once.
  void FillFromPixels(const uint8_t* from, int64_t pixel, uint8_t* to) const {
    const int64_t channels = p_.group_inputs();
    const bool are_together = p_.groups == 1 && p_.dilation_width == 1;
    int64_t begin = 0, end = 0;  // taps that wait to be copied
    int64_t first = 0;           // the pixel of the first
    auto copy = [&] {
      if (end > begin) {
        CopyFlipped(from + first * p_.in_channels, (end - begin) * channels, flip_,
                    to + begin * channels);
      }
      begin = end;
    };
    ForEachTap(p_, pixel, [&](int64_t tap, int64_t offset) {
      if (offset < 0) {
        copy();
        std::fill_n(to + tap * channels, channels, padding_);
        begin = end = tap + 1;
        return;
      }
      if (!are_together || end == begin || offset != first + (end - begin)) {
        copy();
        begin = tap;
        first = offset;
      }
      end = tap + 1;
    });
    copy();
  }
  void FillFromPlanes(const uint8_t* from, int64_t pixel, uint8_t* to) const {
    const int64_t channels = p_.group_inputs(), plane = p_.in_pixels();
    ForEachTap(p_, pixel, [&](int64_t tap, int64_t offset) {
      uint8_t* at = to + tap * channels;
      if (offset < 0) {
        std::fill_n(at, channels, padding_);
        return;
      }
      for (int64_t c = 0; c < channels; ++c) {
        at[c] = static_cast<uint8_t>(from[c * plane + offset] ^ flip_);
      }
    });
  }

  ConvolutionProblem p_;
  const uint8_t* data_;
  uint8_t flip_, padding_;
};

// The filter of a group: [tap, channel] times outputs. `data` may be null.
ByteColumns FilterColumns(const void* data, DType dtype, bool filter_first, int64_t taps,
                          int64_t inputs, int64_t outputs, int64_t groups) {
  return {.data = static_cast<const uint8_t*>(data),
          .is_signed = dtype == DType::kI8,
          .depth = taps * inputs,
          .columns = outputs / groups,
          .inner = std::max<int64_t>(inputs, 1),
          .outer_stride = filter_first ? 1 : inputs * outputs,
          .inner_stride = filter_first ? taps : outputs,
          .column_stride = filter_first ? inputs * taps : 1};
}
// From group to group.
int64_t FilterStride(bool filter_first, int64_t taps, int64_t inputs, int64_t group_outputs) {
  return filter_first ? group_outputs * inputs * taps : group_outputs;
}

bool IsDepthwise(const ConvolutionProblem& p) {
  return p.groups > 1 && p.group_inputs() == 1 && p.group_outputs() == 1;
}

// sums[i] += (in[i] - zero) * weights[i]
TFRT_ISA_CLONES
void AddProducts(const uint8_t* in, uint8_t flip, int16_t zero, const int16_t* weights,
                 int64_t count, int32_t* sums) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) {
    const auto x = static_cast<int16_t>((in[i] ^ flip) - zero);
    sums[i] += int32_t{x} * int32_t{weights[i]};
  }
}

// Weights of a depthwise filter without their zero points, [tap, channel].
std::vector<int16_t> DepthwiseWeights(const ConvolutionProblem& p, const DenseHostTensor& filter,
                                      const int32_t* zeros) {
  const auto* from = static_cast<const uint8_t*>(filter.data());
  const uint8_t flip = filter.dtype() == DType::kI8 ? 0 : kOtherSign;
  const int64_t taps = p.taps(), channels = p.in_channels;
  std::vector<int16_t> weights(static_cast<size_t>(taps * channels));
  for (int64_t tap = 0; tap < taps; ++tap) {
    for (int64_t c = 0; c < channels; ++c) {
      const uint8_t byte = from[p.filter_first ? c * taps + tap : tap * channels + c] ^ flip;
      const int32_t zero = zeros ? zeros[c] : 0;
      weights[static_cast<size_t>(tap * channels + c)] =
          static_cast<int16_t>(static_cast<int8_t>(byte) - zero);
    }
  }
  return weights;
}

// sums[i] += (in[i * stride] - zero) * weight
TFRT_ISA_CLONES
void AddScaled(const uint8_t* in, int64_t stride, uint8_t flip, int16_t zero, int16_t weight,
               int64_t count, int32_t* sums) {
  auto add = [=](int64_t i, uint8_t byte) __attribute__((always_inline)) {
    sums[i] += int32_t{static_cast<int16_t>((byte ^ flip) - zero)} * int32_t{weight};
  };
  if (stride == 1) {
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) add(i, in[i]);
    return;
  }
  for (int64_t i = 0; i < count; ++i) add(i, in[i * stride]);
}

// A convolution of each channel with a filter of its own. Thread-safe.
class DepthwiseConvolution {
 public:
  DepthwiseConvolution(const ConvolutionProblem& p, const DenseHostTensor& in,
                       const DenseHostTensor& filter, std::shared_ptr<ByteJob> job)
      : p_(p),
        in_(static_cast<const uint8_t*>(in.data())),
        flip_(in.dtype() == DType::kI8 ? kOtherSign : 0),
        zero_(static_cast<int16_t>(job->a_zero)),
        weights_(DepthwiseWeights(p, filter, job->b_zeros())),
        job_(std::move(job)) {}

  int64_t num_items() const { return p_.batch * (p_.channels_first ? p_.in_channels : rows()); }
  void Run(int64_t item) const { p_.channels_first ? RunPlane(item) : RunRow(item); }

 private:
  static constexpr int64_t kRows = 16, kColumns = contraction::kTailColumns;
  int64_t rows() const { return p_.out_depth * p_.out_height; }

  // Images [N,X...,C]; the item is a row of the output's pixels.
  void RunRow(int64_t item) const {
    int32_t sums[kRows * kColumns];
    const int64_t channels = p_.in_channels;
    const uint8_t* image = in_ + item / rows() * p_.in_pixels() * channels;
    for (int64_t begin = 0; begin < p_.out_width; begin += kRows) {
      const int64_t pixels = std::min(kRows, p_.out_width - begin);
      for (int64_t first = 0; first < channels; first += kColumns) {
        const int64_t count = std::min(kColumns, channels - first);
        for (int64_t i = 0; i < pixels; ++i) {
          int32_t* sum = sums + i * kColumns;
          if (job_->bias) {
            std::copy_n(job_->bias + first, count, sum);
          } else {
            std::fill_n(sum, count, 0);
          }
          ForEachTap(p_, item % rows() * p_.out_width + begin + i,
                     [&](int64_t tap, int64_t offset) {
                       if (offset < 0) return;
                       AddProducts(image + offset * channels + first, flip_, zero_,
                                   weights_.data() + tap * channels + first, count, sum);
                     });
        }
        FinishSums(job_->tail, {}, sums, kColumns, item * p_.out_width + begin, pixels, first,
                   count);
      }
    }
  }

  // Images [N,C,X...]; the item is a channel of an image. To the tail, pixels beside each other are
  // columns, which all have the numbers of the channel.
  void RunPlane(int64_t item) const {
    const int64_t channel = item % p_.in_channels, at = item * p_.out_pixels();
    contraction::ByteTail tail = job_->tail;
    float scales[kColumns], biases[kColumns];
    auto repeat = [channel](const float*& numbers, float* to) {
      if (!numbers) return;
      std::fill_n(to, kColumns, numbers[channel]);
      numbers = to;
    };
    repeat(tail.scales, scales);
    repeat(tail.bias, biases);
    tail.row_stride = p_.out_width;
    tail.column_stride = 1;
    int32_t sums[kRows * kColumns];
    for (int64_t begin = 0; begin < p_.out_width; begin += kColumns) {
      const int64_t count = std::min(kColumns, p_.out_width - begin);
      tail.out = static_cast<char*>(job_->tail.out) +
                 (at + begin) * static_cast<int64_t>(DTypeSize(tail.dtype));
      if (tail.addend) tail.addend = job_->tail.addend + at + begin;
      for (int64_t row = 0; row < rows(); row += kRows) {
        const int64_t together = std::min(kRows, rows() - row);
        std::fill_n(sums, together * kColumns, job_->bias ? job_->bias[channel] : 0);
        for (int64_t i = 0; i < together; ++i) {
          AddTaps(in_ + item * p_.in_pixels(), channel, row + i, begin, count, sums + i * kColumns);
        }
        FinishSums(tail, {}, sums, kColumns, row, together, 0, count);
      }
    }
  }

  // Adds what the taps give to pixels [begin, begin + count) of a row of a plane.
  void AddTaps(const uint8_t* plane, int64_t channel, int64_t row, int64_t begin, int64_t count,
               int32_t* sums) const {
    const int64_t step = p_.stride_width;
    for (int64_t tap = 0; tap < p_.taps(); ++tap) {
      const int64_t k = tap % p_.filter_width, j = tap / p_.filter_width % p_.filter_height,
                    i = tap / p_.filter_width / p_.filter_height;
      const int64_t z =
          row / p_.out_height * p_.stride_depth - p_.pad_front + i * p_.dilation_depth;
      const int64_t y =
          row % p_.out_height * p_.stride_height - p_.pad_top + j * p_.dilation_height;
      if (z < 0 || z >= p_.in_depth || y < 0 || y >= p_.in_height) continue;
      // Pixel x is under x * step + shift.
      const int64_t shift = k * p_.dilation_width - p_.pad_left;
      const int64_t first = std::max(begin, shift < 0 ? (step - 1 - shift) / step : 0);
      const int64_t end =
          std::min(begin + count, shift < p_.in_width ? (p_.in_width - 1 - shift) / step + 1 : 0);
      if (first >= end) continue;
      AddScaled(plane + (z * p_.in_height + y) * p_.in_width + first * step + shift, step, flip_,
                zero_, weights_[static_cast<size_t>(tap * p_.in_channels + channel)], end - first,
                sums + first - begin);
    }
  }

  const ConvolutionProblem p_;
  const uint8_t* const in_;
  const uint8_t flip_;
  const int16_t zero_;
  const std::vector<int16_t> weights_;
  const std::shared_ptr<ByteJob> job_;
};

Completion Depthwise(const ConvolutionProblem& p, const DenseHostTensor& in,
                     const DenseHostTensor& filter, const std::shared_ptr<ByteJob>& job,
                     const JobTensors& tensors, const ExecutionContext& exec_ctx) {
  auto work = std::make_shared<const DepthwiseConvolution>(p, in, filter, job);
  const double all =
      2.0 * double(p.batch) * double(p.out_pixels()) * double(p.in_channels) * double(p.taps());
  const double cost = all / double(work->num_items());
  return RunBlocks(
      exec_ctx, static_cast<size_t>(work->num_items()),
      ItemsPerBlock(cost < double(kBlockCost) ? static_cast<size_t>(cost) : kBlockCost), tensors,
      [work](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) work->Run(static_cast<int64_t>(i));
      });
}

StatusOr<ConvolutionProblem> ProblemFor(const DenseHostTensor& in, const ByteOperand& filter,
                                        int64_t groups, const NdWindowAttributes& windows,
                                        const DenseHostTensor& out) {
  TFRT_ASSIGN_OR_RETURN(ConvolutionProblem p,
                        MakeConvolutionProblem(in.shape(), filter.shape, !windows.channels_last,
                                               groups, windows, out.shape()));
  if (!filter.packed) return p;
  const PackedBytes& packed = *filter.packed;
  if (packed.depth() != p.taps() * p.group_inputs() || packed.columns() != p.group_outputs() ||
      packed.factors() != groups || filter.packed_transposed != p.filter_first ||
      packed.is_signed() != (filter.dtype == DType::kI8)) {
    return InvalidArgumentError(
        StrCat("the filter ", filter.shape.ToString(), " is not packed for this convolution"));
  }
  return p;
}

ByteSizes SizesOf(const ConvolutionProblem& p, DType in, DType filter, bool is_empty) {
  return {.a_dtype = in,
          .b_dtype = filter,
          .depth = p.taps() * p.group_inputs(),
          .outputs = p.out_channels,
          .is_empty = is_empty,
          .a_name = "the input",
          .b_name = "the filter"};
}

Completion Convolve(const ConvolutionProblem& p, const DenseHostTensor& in,
                    const ByteOperand& filter, const std::shared_ptr<ByteJob>& job,
                    JobTensors tensors, const ExecutionContext& exec_ctx) {
  if (tensors[0]->num_elements() == 0) return GetReadyChain();
  const int64_t taps = p.taps(), pixels = p.out_pixels(), outputs = p.group_outputs();
  job->tail.row_stride = p.channels_first ? 1 : p.out_channels;
  job->tail.column_stride = p.channels_first ? pixels : 1;
  tensors.push_back(&in);
  if (filter.plain) tensors.push_back(filter.plain);
  if (IsDepthwise(p) && filter.plain) {
    return Depthwise(p, in, *filter.plain, job, tensors, exec_ctx);
  }
  const bool is_signed = in.dtype() == DType::kI8;
  job->rows =
      std::make_unique<WindowRows>(p, in.data(), is_signed, static_cast<uint8_t>(job->a_zero));
  const ByteColumns columns =
      FilterColumns(filter.plain ? filter.plain->data() : nullptr, filter.dtype, p.filter_first,
                    taps, p.group_inputs(), p.out_channels, p.groups);
  const int64_t filter_stride = FilterStride(p.filter_first, taps, p.group_inputs(), outputs);
  // With channels last, all images are one product.
  const int64_t images = p.channels_first ? p.batch : 1;
  const int64_t rows = p.channels_first ? pixels : p.batch * pixels;
  const auto element = static_cast<int64_t>(DTypeSize(job->tail.dtype));
  auto product = [=, packed = filter.packed](int64_t i) {
    const int64_t group = i % p.groups, image = i / p.groups;
    ByteProduct made = job->Product();
    made.first_row = group * p.batch * pixels + image * rows;
    made.packed = packed.get();
    made.factor = group;
    made.b = columns;
    if (made.b.data) made.b.data += group * filter_stride;
    const int64_t first = group * outputs;
    const int64_t at = image * pixels * p.out_channels + first * job->tail.column_stride;
    made.tail.out = static_cast<char*>(made.tail.out) + at * element;
    if (made.tail.addend) made.tail.addend += at;
    if (made.tail.scales) made.tail.scales += first;
    if (made.tail.bias) made.tail.bias += first;
    if (made.bias) made.bias += first;
    if (made.b_zeros) made.b_zeros += first;
    return made;
  };
  return MultiplyBytes(exec_ctx, p.groups * images, rows, outputs, taps * p.group_inputs(), tensors,
                       std::move(product));
}

}  // namespace

StatusOr<RCReference<AsyncValue>> PackByteFilter(const DenseHostTensor& filter, int64_t groups,
                                                 bool channels_last) {
  const TensorShape& shape = filter.shape();
  const size_t rank = shape.rank();
  if (rank < 2) {
    return InvalidArgumentError(StrCat("the filter to pack has the shape ", shape.ToString(),
                                       ", expected at least rank 2"));
  }
  const int64_t outputs = shape.dim(channels_last ? rank - 1 : 0);
  const int64_t inputs = shape.dim(channels_last ? rank - 2 : 1);
  if (groups < 1 || outputs % groups != 0) {
    return InvalidArgumentError(
        StrCat("a filter of ", outputs, " outputs cannot be in ", groups, " groups"));
  }
  if (filter.num_elements() == 0 || (groups > 1 && inputs == 1 && outputs == groups)) {
    return RCReference<AsyncValue>();
  }
  const int64_t taps = filter.num_elements() / outputs / inputs;
  if (taps * inputs > kMostDepth) return RCReference<AsyncValue>();
  PackedBytesRef packed = PackedBytes::Create(
      contraction::BestByteKernel(),
      FilterColumns(filter.data(), filter.dtype(), !channels_last, taps, inputs, outputs, groups),
      groups, FilterStride(!channels_last, taps, inputs, outputs / groups));
  if (!packed) return ResourceExhaustedError("no memory for a packed filter");
  return MakeAvailableAsyncValueRef<PackedBytesTensor>(filter.metadata(), std::move(packed),
                                                       !channels_last)
      .ReleaseRCRef();
}

Completion ConvInteger(const DenseHostTensor& in, const ByteOperand& filter,
                       const DenseHostTensor* in_zero, const DenseHostTensor* filter_zero,
                       int64_t groups, const NdWindowAttributes& windows, DenseHostTensor& out,
                       const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(ConvolutionProblem p, ProblemFor(in, filter, groups, windows, out));
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<ByteJob> job,
                        JobOfSums(SizesOf(p, in.dtype(), filter.dtype, out.num_elements() == 0),
                                  in_zero, filter_zero, out));
  return Convolve(p, in, filter, job, {&out}, exec_ctx);
}

Completion QuantizedConv(const DenseHostTensor& in, const ByteOperand& filter, int64_t groups,
                         const NdWindowAttributes& windows, const QuantizedNumbers& numbers,
                         DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(ConvolutionProblem p, ProblemFor(in, filter, groups, windows, out));
  TFRT_ASSIGN_OR_RETURN(
      std::shared_ptr<ByteJob> job,
      JobOf(SizesOf(p, in.dtype(), filter.dtype, out.num_elements() == 0), numbers, out, exec_ctx));
  return Convolve(p, in, filter, job, TensorsOf(numbers, out), exec_ctx);
}

}  // namespace tfrt::maths
