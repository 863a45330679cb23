#include "plain_convolution.h"

#include <type_traits>

#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

using contraction::ConvolutionProblem;

// Where the elements of images and filters lie: strides of channel, depth, row and column.
struct ImageStrides {
  int64_t image, channel, depth, row, column;
  ImageStrides(bool channels_first, int64_t channels, int64_t depths, int64_t rows,
               int64_t columns) {
    const int64_t pixels = depths * rows * columns;
    column = channels_first ? 1 : channels;
    channel = channels_first ? pixels : 1;
    row = columns * column;
    depth = rows * row;
    image = pixels * channels;
  }
};

struct Walk {
  explicit Walk(const ConvolutionProblem& p)
      : p(p),
        in(p.channels_first, p.in_channels, p.in_depth, p.in_height, p.in_width),
        out(p.channels_first, p.out_channels, p.out_depth, p.out_height, p.out_width) {
    const int64_t inputs = p.group_inputs();
    filter_tap = p.filter_first ? 1 : inputs * p.out_channels;
    filter_input = p.filter_first ? p.taps() : p.out_channels;
    filter_output = p.filter_first ? inputs * p.taps() : 1;
  }
  // Calls fn(tap, offset in an input channel) for the taps of an output pixel on the image.
  template <typename F>
  void ForEachTap(int64_t pixel, F fn) const {
    const int64_t x = pixel % p.out_width, y = pixel / p.out_width % p.out_height,
                  z = pixel / p.out_width / p.out_height;
    int64_t tap = 0;
    for (int64_t i = 0; i < p.filter_depth; ++i) {
      const int64_t in_z = z * p.stride_depth - p.pad_front + i * p.dilation_depth;
      for (int64_t j = 0; j < p.filter_height; ++j) {
        const int64_t in_y = y * p.stride_height - p.pad_top + j * p.dilation_height;
        for (int64_t k = 0; k < p.filter_width; ++k, ++tap) {
          const int64_t in_x = x * p.stride_width - p.pad_left + k * p.dilation_width;
          if (in_z < 0 || in_z >= p.in_depth || in_y < 0 || in_y >= p.in_height || in_x < 0 ||
              in_x >= p.in_width) {
            continue;
          }
          fn(tap, in_z * in.depth + in_y * in.row + in_x * in.column);
        }
      }
    }
  }
  int64_t OutOffset(int64_t pixel) const { return pixel * out.column; }

  ConvolutionProblem p;
  ImageStrides in, out;
  int64_t filter_tap, filter_input, filter_output;
};

// In which products of T neither become signed nor overflow.
template <typename T>
using Wide = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 4, uint32_t, T>;

template <typename T>
Completion Convolve(const Walk& walk, const DenseHostTensor& in, const DenseHostTensor& filter,
                    const DenseHostTensor* bias, DenseHostTensor& out,
                    const ExecutionContext& exec_ctx) {
  const ConvolutionProblem& p = walk.p;
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  if (out.num_elements() == 0) return GetReadyChain();
  const auto* x = static_cast<const T*>(in.data());
  const auto* w = static_cast<const T*>(filter.data());
  const auto* b = bias ? static_cast<const T*>(bias->data()) : nullptr;
  auto* y = static_cast<T*>(data);
  // Each item is an output pixel with all its channels.
  auto block = [=](size_t begin, size_t end) {
    const ConvolutionProblem& p = walk.p;
    const int64_t pixels = p.out_pixels(), inputs = p.group_inputs(), outputs = p.group_outputs();
    for (size_t item = begin; item < end; ++item) {
      const int64_t image = static_cast<int64_t>(item) / pixels;
      const int64_t pixel = static_cast<int64_t>(item) % pixels;
      const T* from = x + image * walk.in.image;
      T* to = y + image * walk.out.image + walk.OutOffset(pixel);
      for (int64_t o = 0; o < p.out_channels; ++o) {
        const T* channels = from + o / outputs * inputs * walk.in.channel;
        const T* weights = w + o * walk.filter_output;
        T sum = b ? b[o] : T{0};
        walk.ForEachTap(pixel, [&](int64_t tap, int64_t offset) {
          for (int64_t i = 0; i < inputs; ++i) {
            sum = static_cast<T>(sum + Wide<T>{channels[i * walk.in.channel + offset]} *
                                           weights[tap * walk.filter_tap + i * walk.filter_input]);
          }
        });
        to[o * walk.out.channel] = sum;
      }
    }
  };
  const double cost = double(p.out_channels) * double(p.taps()) * double(p.group_inputs());
  return RunBlocks(
      exec_ctx, static_cast<size_t>(p.batch * p.out_pixels()),
      ItemsPerBlock(cost < double(kBlockCost) ? static_cast<size_t>(cost) : kBlockCost),
      {&in, &filter, bias ? bias : &in, &out}, block);
}

// Here the problem's input is what is written: each of its images is one item.
template <typename T>
Completion Scatter(const Walk& walk, const DenseHostTensor& in, const DenseHostTensor& filter,
                   const DenseHostTensor* bias, DenseHostTensor& out,
                   const ExecutionContext& exec_ctx) {
  const ConvolutionProblem& p = walk.p;
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  if (out.num_elements() == 0) return GetReadyChain();
  const auto* x = static_cast<const T*>(in.data());
  const auto* w = static_cast<const T*>(filter.data());
  const auto* b = bias ? static_cast<const T*>(bias->data()) : nullptr;
  auto* y = static_cast<T*>(data);
  auto block = [=](size_t begin, size_t end) {
    const ConvolutionProblem& p = walk.p;
    const int64_t inputs = p.group_inputs(), outputs = p.group_outputs();
    for (auto image = static_cast<int64_t>(begin); image < static_cast<int64_t>(end); ++image) {
      T* to = y + image * walk.in.image;
      for (int64_t c = 0; c < p.in_channels; ++c) {
        for (int64_t i = 0; i < p.in_pixels(); ++i) {
          to[c * walk.in.channel + i * walk.in.column] = b ? b[c] : T{0};
        }
      }
      for (int64_t pixel = 0; pixel < p.out_pixels(); ++pixel) {
        const T* from = x + image * walk.out.image + walk.OutOffset(pixel);
        walk.ForEachTap(pixel, [&](int64_t tap, int64_t offset) {
          for (int64_t o = 0; o < p.out_channels; ++o) {
            const T value = from[o * walk.out.channel];
            const T* weights = w + o * walk.filter_output + tap * walk.filter_tap;
            T* channels = to + o / outputs * inputs * walk.in.channel + offset;
            for (int64_t i = 0; i < inputs; ++i) {
              T& sum = channels[i * walk.in.channel];
              sum = static_cast<T>(sum + Wide<T>{value} * weights[i * walk.filter_input]);
            }
          }
        });
      }
    }
  };
  return RunBlocks(exec_ctx, static_cast<size_t>(p.batch), 1,
                   {&in, &filter, bias ? bias : &in, &out}, block);
}

Status CheckDTypes(const DenseHostTensor& in, const DenseHostTensor& filter,
                   const DenseHostTensor* bias, DType dtype) {
  TFRT_RETURN_IF_ERROR(CheckDType(in, dtype, "the convolution input"));
  TFRT_RETURN_IF_ERROR(CheckDType(filter, dtype, "the convolution filter"));
  return bias ? CheckDType(*bias, dtype, "the convolution bias") : OkStatus();
}

// Calls fn(std::type_identity<T>()), T being unsigned for integers: so the sums wrap.
template <typename F>
Completion Dispatch(DType dtype, F fn) {
  switch (dtype) {
    case DType::kF32:
      return fn(std::type_identity<float>());
    case DType::kF64:
      return fn(std::type_identity<double>());
    case DType::kI8:
    case DType::kUI8:
      return fn(std::type_identity<uint8_t>());
    case DType::kI16:
    case DType::kUI16:
      return fn(std::type_identity<uint16_t>());
    case DType::kI32:
    case DType::kUI32:
      return fn(std::type_identity<uint32_t>());
    case DType::kI64:
    case DType::kUI64:
      return fn(std::type_identity<uint64_t>());
    default:
      return InvalidArgumentError(StrCat("no convolution of ", DTypeName(dtype)));
  }
}

}  // namespace

Completion PlainConvolution(const ConvolutionProblem& problem, const DenseHostTensor& in,
                            const DenseHostTensor& filter, const DenseHostTensor* bias,
                            DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDTypes(in, filter, bias, out.dtype()));
  return Dispatch(out.dtype(), [&]<typename T>(std::type_identity<T>) {
    return Convolve<T>(Walk(problem), in, filter, bias, out, exec_ctx);
  });
}

Completion PlainConvTranspose(const ConvolutionProblem& problem, const DenseHostTensor& in,
                              const DenseHostTensor& filter, const DenseHostTensor* bias,
                              DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDTypes(in, filter, bias, out.dtype()));
  return Dispatch(out.dtype(), [&]<typename T>(std::type_identity<T>) {
    return Scatter<T>(Walk(problem), in, filter, bias, out, exec_ctx);
  });
}

}  // namespace tfrt::maths
