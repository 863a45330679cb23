// Convolutions of images with up to three spatial dimensions, groups of channels, and both orders
// of channels. Thread-safe; tensors are borrowed for the time of the call, their memory until the
// completion (completion.h). The output shares no memory with the inputs.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_CONVOLUTION_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_CONVOLUTION_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "activation.h"
#include "lib/ops/maths/completion.h"
#include "lib/ops/maths/shapes/nd_windows.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/shape.h"

namespace tfrt {

namespace contraction {
struct ConvolutionProblem;
template <typename Problem>
class Packed;
}  // namespace contraction

namespace maths {

// A filter in the layout that convolutions read fastest. A value; copies share it. Not null but
// after a move. Thread-safe.
struct PackedFilter {
  static constexpr std::string_view kProgramTypeName = "packed filter";
  std::shared_ptr<const contraction::Packed<contraction::ConvolutionProblem>> state;
};

// A filter as it comes, or packed. Borrowed.
struct FilterOperand {
  FilterOperand(const DenseHostTensor& plain) : plain(&plain) {}  // NOLINT: implicit by design
  FilterOperand(const PackedFilter& packed) : packed(&packed) {}  // NOLINT: implicit by design

  // That of a packed filter is for images of so many spatial dimensions.
  TensorShape Shape(size_t num_spatial) const;

  const DenseHostTensor* plain = nullptr;
  const PackedFilter* packed = nullptr;
};

// Says how the sums of products are completed: activation(conv + bias [O] + what the output held).
struct ConvTail {
  const DenseHostTensor* bias = nullptr;
  bool add_to_output = false;
  ActivationWithParameters activation = {};
};

// The shapes are as the op table's `conv` says. All are f32; f64, f16, bf16 and the integers, whose
// sums wrap, only without activation, and without adding to the output.
Completion Conv(const DenseHostTensor& in, const FilterOperand& filter, int64_t groups,
                const NdWindowAttributes& windows, const ConvTail& tail, DenseHostTensor& out,
                const ExecutionContext& exec_ctx);

// Computes a transposed convolution of real numbers. The shapes are those of the op table's
// `conv_transpose`; the bias may be null.
Completion ConvTranspose(const DenseHostTensor& in, const DenseHostTensor& filter, int64_t groups,
                         const NdWindowAttributes& windows, std::span<const int64_t> output_padding,
                         const DenseHostTensor* bias, DenseHostTensor& out,
                         const ExecutionContext& exec_ctx);

// Returns the filter in the layout that convolutions of images of this shape read fastest.
// Convolutions of other images may use it as well, with the same groups. `input_shape` is empty, or
// has -1, where a size is not known.
StatusOr<PackedFilter> PackConvFilter(const DenseHostTensor& filter, int64_t groups,
                                      std::span<const int64_t> input_shape,
                                      const NdWindowAttributes& windows,
                                      const ExecutionContext& exec_ctx);

// The convolution of images [N,H,W,C] with filters [H,W,C,O] that `geometry` describes, all f32.
// InvalidArgument with the messages of the eigen.conv2d kernels.
Completion Conv2d(const Conv2dGeometry& geometry, const DenseHostTensor& in,
                  const FilterOperand& filter, const ConvTail& tail, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx);

// Batch normalisation of the channels, vectors [O], after the convolution above without bias.
// Computes (conv - mean) / sqrt(variance + epsilon) * scale + offset, then max(out, 0) if `relu`.
struct Conv2dBatchNorm {
  const DenseHostTensor& scale;
  const DenseHostTensor& offset;
  const DenseHostTensor& mean;
  const DenseHostTensor& variance;
  float epsilon;
  bool relu;
};
Completion Conv2d(const Conv2dGeometry& geometry, const DenseHostTensor& in,
                  const DenseHostTensor& filter, const Conv2dBatchNorm& norm, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx);

// The filter in the layout that the convolution of the geometry reads fastest. Other convolutions
// with the same filter sizes may use it as well.
StatusOr<PackedFilter> PackConv2dFilter(const Conv2dGeometry& geometry,
                                        const DenseHostTensor& filter,
                                        const ExecutionContext& exec_ctx);

}  // namespace maths
}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_CONVOLUTION_H_
