#include "byte_factor.h"

#include <algorithm>
#include <cstring>

#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

// Row `index` of [count] or [count,columns].
StatusOr<DenseHostTensor> NumbersOf(std::string_view what, std::string_view name,
                                    const DenseHostTensor& all, const TensorShape& matrices,
                                    int64_t index, HostAllocator* allocator) {
  const int64_t count = matrices.dim(0), columns = matrices.dim(2);
  if (all.shape() != TensorShape{count} && all.shape() != TensorShape{count, columns}) {
    return InvalidArgumentError(StrCat("the ", what, " of ", name, " have the shape ",
                                       all.shape().ToString(), ", expected [", count, "] or [",
                                       count, ", ", columns, "]"));
  }
  const int64_t size = all.shape().rank() == 1 ? 1 : columns;
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor row, DenseHostTensor::CreateUninitialized(
                                                 {all.dtype(), TensorShape{size}}, allocator));
  TFRT_ASSIGN_OR_RETURN(void* data, row.MutableData());
  const size_t bytes = static_cast<size_t>(size) * DTypeSize(all.dtype());
  if (bytes > 0) {
    std::memcpy(data, static_cast<const char*>(all.data()) + static_cast<size_t>(index) * bytes,
                bytes);
  }
  return row;
}

}  // namespace

void QuantizedRows::Fill(int64_t row, int64_t count, uint8_t* to, int64_t stride) const {
  static const cpu::QuantizeFunction quantize = cpu::FindQuantize(DType::kF32, DType::kUI8);
  cpu::ScaleLayout layout;
  layout.inner = depth_;
  for (int64_t i = 0; i < count; ++i) {
    quantize(layout, data_ + (row + i) * depth_, &fit_.scale, &fit_.zero, to + i * stride, 0, 1);
  }
}

StatusOr<ByteFactor> ByteFactor::Create(std::string_view name, const DenseHostTensor& matrices,
                                        const DenseHostTensor& scale, const DenseHostTensor& zero,
                                        int64_t index, const ExecutionContext& exec_ctx) {
  const TensorShape& shape = matrices.shape();
  HostAllocator* allocator = exec_ctx.host()->allocator();
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor b_scale,
                        NumbersOf("scales", name, scale, shape, index, allocator));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor b_zero,
                        NumbersOf("zero points", name, zero, shape, index, allocator));
  // Each product has a scale of x of its own.
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor one,
                        DenseHostTensor::CreateUninitialized({DType::kF32, {}}, allocator));
  TFRT_ASSIGN_OR_RETURN(void* one_data, one.MutableData());
  *static_cast<float*>(one_data) = 1;
  const ByteSizes sizes{.a_dtype = DType::kUI8,
                        .b_dtype = matrices.dtype(),
                        .depth = shape.dim(1),
                        .outputs = shape.dim(2),
                        .b_name = name,
                        .any_a_scale = true};
  ByteFactor factor;
  TFRT_ASSIGN_OR_RETURN(
      factor.numbers_,
      JobOf(sizes, {.a_scale = &one, .b_scale = &b_scale, .b_zero = &b_zero}, one, exec_ctx));
  factor.bytes_ = {
      .data = static_cast<const uint8_t*>(matrices.data()) + index * shape.dim(1) * shape.dim(2),
      .is_signed = matrices.dtype() == DType::kI8,
      .depth = shape.dim(1),
      .columns = shape.dim(2),
      .inner = std::max<int64_t>(shape.dim(1), 1),
      .inner_stride = shape.dim(2),
      .column_stride = 1};
  factor.scales_.resize(static_cast<size_t>(shape.dim(2)));
  return factor;
}

Status ByteFactor::Pack() {
  if (bytes_.columns == 0) return OkStatus();
  packed_ = contraction::PackedBytes::Create(contraction::BestByteKernel(), bytes_, 1, 0);
  return packed_ ? OkStatus() : ResourceExhaustedError("no memory for a packed matrix");
}

Status ByteFactor::Multiply(const float* x, int64_t rows, const cpu::FloatRange& range,
                            const float* bias, float* out) {
  const cpu::Quantization fit = cpu::FitQuantization(range);
  const QuantizedRows quantized(x, bytes_.depth, fit);
  for (size_t i = 0; i < scales_.size(); ++i) scales_[i] = fit.scale * numbers_->tail.scales[i];
  contraction::ByteProduct product = numbers_->Product();
  product.a = &quantized;
  product.a_zero = fit.zero;
  product.packed = packed_.get();
  product.b = bytes_;
  product.tail.scales = scales_.data();
  product.tail.bias = bias;
  product.tail.out = out;
  product.tail.row_stride = bytes_.columns;
  return contraction::MultiplyBytesOnThisThread(product, rows, bytes_.columns, bytes_.depth);
}

}  // namespace tfrt::maths
