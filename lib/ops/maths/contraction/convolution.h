// Convolutions of images [N,H,W,C] with filters [H,W,C,O], all f32. Thread-safe; tensors are
// borrowed for the time of the call, their memory until the completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_CONVOLUTION_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_CONVOLUTION_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "activation.h"
#include "lib/ops/maths/completion.h"
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

  const DenseHostTensor* plain = nullptr;
  const PackedFilter* packed = nullptr;
};

// Where the windows lie. Borrowed.
struct Conv2dWindows {
  std::span<const int64_t> dilations;  // of rows, columns
  std::span<const int64_t> padding;    // top, bottom, left, right
  std::span<const int64_t> strides;    // of rows, columns
};

// Says how the sums of products are completed: out = activation(conv + bias [O] + what out held).
struct Conv2dTail {
  const DenseHostTensor* bias = nullptr;
  bool add_to_output = false;
  Activation activation = Activation::kNone;
};

// The output shares no memory with the inputs.
Completion Conv2d(const DenseHostTensor& in, const FilterOperand& filter,
                  const Conv2dWindows& windows, const Conv2dTail& tail, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx);

// With `padding` "valid" or "same" in any letter case. The bias may be null.
Completion Conv2d(const DenseHostTensor& in, const DenseHostTensor& filter,
                  const DenseHostTensor* bias, std::string_view padding,
                  std::span<const int64_t> strides, DenseHostTensor& out,
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
Completion Conv2d(const DenseHostTensor& in, const DenseHostTensor& filter,
                  const Conv2dBatchNorm& norm, std::string_view padding,
                  std::span<const int64_t> strides, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx);

// The filter in the layout that convolutions of images of shape `in` with these windows read
// fastest. Other convolutions with the same filter sizes may use it as well.
StatusOr<PackedFilter> PackFilter(const DenseHostTensor& filter, const TensorShape& in,
                                  const Conv2dWindows& windows, const ExecutionContext& exec_ctx);

}  // namespace maths
}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_CONVOLUTION_H_
