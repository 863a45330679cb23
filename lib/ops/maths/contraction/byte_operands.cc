#include "byte_operands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "lib/format/op_table/product_rules.h"
#include "lib/ops/maths/cpu/isa_clones.h"
#include "lib/ops/maths/cpu/strided_copy.h"
#include "lib/ops/maths/tensor/operand_checks.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

// Zero points as numbers, and the largest difference that an element of the factor has from one.
struct ZeroPoints {
  std::vector<int32_t> shifted;
  int64_t largest_difference = 0;
};

// `signed_after`: whether kernels read the factor as i8.
StatusOr<ZeroPoints> ZeroPointsOf(std::string_view name, DType dtype, bool signed_after,
                                  const DenseHostTensor* zero, std::array<int64_t, 2> counts) {
  const bool is_signed = dtype == DType::kI8;
  if (!is_signed && dtype != DType::kUI8) {
    return InvalidArgumentError(StrCat("a factor is ", DTypeName(dtype), ", expected i8 or u8"));
  }
  if (zero && zero->dtype() != dtype) {
    return InvalidArgumentError(
        StrCat("a zero point of ", DTypeName(dtype), " is ", DTypeName(zero->dtype())));
  }
  const int64_t count = zero ? zero->num_elements() : 1;
  if (count != 1 && count != counts[0] && count != counts[1]) {
    return InvalidArgumentError(StrCat("the zero points of ", name, " have the shape ",
                                       zero->shape().ToString(), ", expected one or ", counts[0]));
  }
  const int32_t low = is_signed ? -128 : 0, high = low + 255;
  const int32_t shift = (signed_after ? -128 : 0) - low;
  ZeroPoints points;
  points.shifted.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    int32_t value = 0;
    if (zero) {
      value = is_signed ? int32_t{static_cast<const int8_t*>(zero->data())[i]}
                        : int32_t{static_cast<const uint8_t*>(zero->data())[i]};
    }
    points.shifted[static_cast<size_t>(i)] = value + shift;
    points.largest_difference =
        std::max<int64_t>(points.largest_difference, std::max(value - low, high - value));
  }
  return points;
}

// Whether sums of products, and a bias of at most this magnitude, surely are numbers of 32 bits.
bool SumsFit(int64_t depth, int64_t a, int64_t b, int64_t bias) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  return bias <= kMost && depth <= (kMost - bias) / std::max<int64_t>(a * b, 1);
}

// Memory for one number of each column.
template <typename T>
StatusOr<T*> ReserveColumns(contraction::AlignedBuffer& buffer, int64_t columns) {
  if (!buffer.Reserve(static_cast<size_t>(columns) * sizeof(T))) {
    return ResourceExhaustedError("no memory for the numbers of columns");
  }
  return static_cast<T*>(buffer.data());
}

StatusOr<std::shared_ptr<ByteJob>> JobOfZeros(const ByteSizes& sizes, const DenseHostTensor* a_zero,
                                              const DenseHostTensor* b_zero, int64_t largest_bias) {
  TFRT_ASSIGN_OR_RETURN(ZeroPoints a, ZeroPointsOf(sizes.a_name, sizes.a_dtype, false, a_zero,
                                                   {sizes.rows, sizes.all_rows}));
  TFRT_ASSIGN_OR_RETURN(ZeroPoints b, ZeroPointsOf(sizes.b_name, sizes.b_dtype, true, b_zero,
                                                   {sizes.outputs, sizes.outputs}));
  auto job = std::make_shared<ByteJob>();
  if (!sizes.is_empty) {
    const int64_t most_a = a.largest_difference, most_b = b.largest_difference;
    if (!SumsFit(sizes.depth, most_a, most_b, 0)) {
      return InvalidArgumentError(StrCat("sums of ", sizes.depth, " products of up to ", most_a,
                                         " * ", most_b, " may leave 32 bits"));
    }
    job->sums_take_bias = SumsFit(sizes.depth, most_a, most_b, largest_bias);
  }
  if (a.shifted.size() == 1) {
    job->a_zero = a.shifted[0];
  } else {
    job->a_zeros = std::move(a.shifted);
  }
  const bool all_zero = std::ranges::all_of(b.shifted, [](int32_t zero) { return zero == 0; });
  if (!all_zero && !sizes.is_empty) {
    TFRT_ASSIGN_OR_RETURN(int32_t* zeros,
                          ReserveColumns<int32_t>(job->b_zero_memory, sizes.outputs));
    if (b.shifted.size() == 1) {
      std::fill_n(zeros, sizes.outputs, b.shifted[0]);
    } else {
      std::ranges::copy(b.shifted, zeros);
    }
  }
  return job;
}

StatusOr<float> PositiveScale(std::string_view name, const DenseHostTensor& scale, int64_t index) {
  const float value = static_cast<const float*>(scale.data())[index];
  if (value > 0 && std::isfinite(value)) return value;
  return InvalidArgumentError(
      StrCat("the scale of ", name, " is ", value, ", expected a positive finite number"));
}

Status CheckScaleTensor(std::string_view name, const DenseHostTensor& scale, int64_t count) {
  if (scale.dtype() != DType::kF32) {
    return InvalidArgumentError(
        StrCat("the scale of ", name, " is ", DTypeName(scale.dtype()), ", expected f32"));
  }
  if (scale.num_elements() == 1 || scale.num_elements() == count) return OkStatus();
  return InvalidArgumentError(StrCat("the scale of ", name, " has the shape ",
                                     scale.shape().ToString(), ", expected one element",
                                     count == 1 ? std::string() : StrCat(" or ", count)));
}

// The scales of the sums of each column.
Status SetScales(const ByteSizes& sizes, const QuantizedNumbers& numbers, ByteJob& job) {
  const DenseHostTensor &a = *numbers.a_scale, &b = *numbers.b_scale;
  TFRT_RETURN_IF_ERROR(CheckScaleTensor(sizes.a_name, a, 1));
  TFRT_RETURN_IF_ERROR(CheckScaleTensor(sizes.b_name, b, sizes.outputs));
  const float a_scale = *static_cast<const float*>(a.data());
  // Floats can be what those scales give which numbers have that are infinite or tiny.
  const bool may_be_any = sizes.any_a_scale || (!numbers.out_scale && !(a_scale < 0));
  if (!may_be_any) TFRT_RETURN_IF_ERROR(PositiveScale(sizes.a_name, a, 0).status());
  float* scales = nullptr;
  if (!sizes.is_empty) {
    TFRT_ASSIGN_OR_RETURN(scales, ReserveColumns<float>(job.scale_memory, sizes.outputs));
  }
  for (int64_t i = 0; i < b.num_elements(); ++i) {
    TFRT_ASSIGN_OR_RETURN(float b_scale, PositiveScale(sizes.b_name, b, i));
    const float scale = a_scale * b_scale;
    if (!may_be_any && !std::isnormal(scale)) {
      return InvalidArgumentError(StrCat("the scales of ", sizes.a_name, " and ", sizes.b_name,
                                         " have the product ", scale,
                                         ", expected a normal finite number"));
    }
    if (!scales) continue;
    if (b.num_elements() == 1) {
      std::fill_n(scales, sizes.outputs, scale);
    } else {
      scales[i] = scale;
    }
  }
  job.tail.scales = scales;
  return OkStatus();
}

// How the result is quantised.
Status SetResult(const QuantizedNumbers& numbers, const DenseHostTensor& out, ByteJob& job) {
  job.tail.dtype = out.dtype();
  const bool is_byte = IsByte(out.dtype());
  if (is_byte != (numbers.out_scale != nullptr) || (!is_byte && out.dtype() != DType::kF32)) {
    return InvalidArgumentError(StrCat("the result is ", DTypeName(out.dtype()), ", expected ",
                                       numbers.out_scale ? "i8 or u8" : "f32"));
  }
  if (!numbers.out_scale) return OkStatus();
  TFRT_RETURN_IF_ERROR(CheckScaleTensor("the result", *numbers.out_scale, 1));
  TFRT_ASSIGN_OR_RETURN(job.tail.out_scale, PositiveScale("the result", *numbers.out_scale, 0));
  TFRT_ASSIGN_OR_RETURN(
      ZeroPoints zero,
      ZeroPointsOf("the result", out.dtype(), out.dtype() == DType::kI8, numbers.out_zero, {1, 1}));
  job.tail.out_zero = static_cast<float>(zero.shifted[0]);
  return OkStatus();
}

// The largest magnitude of a bias that is added to sums.
int64_t LargestOf(const DenseHostTensor* bias) {
  if (!bias || bias->dtype() != DType::kI32) return 0;
  const auto* values = static_cast<const int32_t*>(bias->data());
  int64_t largest = 0;
  for (int64_t i = 0; i < bias->num_elements(); ++i) {
    largest = std::max(largest, std::abs(int64_t{values[i]}));
  }
  return largest;
}

Status SetBias(const ByteSizes& sizes, const DenseHostTensor* bias, ByteJob& job) {
  if (!bias) return OkStatus();
  if (bias->dtype() != DType::kI32) {
    TFRT_ASSIGN_OR_RETURN(job.tail.bias,
                          VectorOf("quantized product", *bias, sizes.outputs, "bias"));
    return OkStatus();
  }
  if (bias->shape() != TensorShape{sizes.outputs}) {
    return InvalidArgumentError(StrCat("the bias has the shape ", bias->shape().ToString(),
                                       ", expected [", sizes.outputs, "]"));
  }
  const auto* values = static_cast<const int32_t*>(bias->data());
  if (job.sums_take_bias) {
    job.bias = values;
    return OkStatus();
  }
  // It is too large for the sums, and added to their numbers.
  TFRT_ASSIGN_OR_RETURN(float* scaled, ReserveColumns<float>(job.bias_memory, sizes.outputs));
  for (int64_t i = 0; i < sizes.outputs; ++i) {
    scaled[i] = static_cast<float>(values[i]) * job.tail.scales[i];
  }
  job.tail.bias = scaled;
  return OkStatus();
}

Status SetAddend(const DenseHostTensor* addend, const DenseHostTensor& out, ByteJob& job,
                 const ExecutionContext& exec_ctx) {
  if (!addend || out.num_elements() == 0) return OkStatus();
  if (addend->dtype() != DType::kF32) {
    return InvalidArgumentError(
        StrCat("the addend is ", DTypeName(addend->dtype()), ", expected f32"));
  }
  if (addend->shape() == out.shape()) {
    job.addend = addend->ShareBuffer();
  } else {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor all,
                          DenseHostTensor::CreateUninitialized({DType::kF32, out.shape()},
                                                               exec_ctx.host()->allocator()));
    TFRT_ASSIGN_OR_RETURN(void* data, all.MutableData());
    const cpu::CopyPlan plan = cpu::BroadcastToPlan(addend->shape(), out.shape());
    cpu::Copy(plan, sizeof(float), addend->data(), data, 0, plan.num_units());
    job.addend = std::move(all);
  }
  job.tail.addend = static_cast<const float*>(job.addend->data());
  return OkStatus();
}

}  // namespace

TFRT_ISA_CLONES
void CopyFlipped(const uint8_t* from, int64_t count, uint8_t flip, uint8_t* to) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) to[i] = from[i] ^ flip;
}

void MatrixRows::Fill(int64_t row, int64_t count, uint8_t* to, int64_t stride) const {
  for (int64_t i = 0; i < count; ++i) {
    CopyFlipped(data_ + (row + i) * depth_, depth_, flip_, to + i * stride);
  }
}

contraction::ByteProduct ByteJob::Product() const {
  contraction::ByteProduct product;
  product.a = rows.get();
  product.a_zero = a_zero;
  if (!a_zeros.empty()) product.a_zeros = a_zeros.data();
  product.b_zeros = b_zeros();
  product.bias = bias;
  product.tail = tail;
  return product;
}

StatusOr<std::shared_ptr<ByteJob>> JobOfSums(const ByteSizes& sizes, const DenseHostTensor* a_zero,
                                             const DenseHostTensor* b_zero, DenseHostTensor& out) {
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<ByteJob> job, JobOfZeros(sizes, a_zero, b_zero, 0));
  if (out.dtype() != DType::kI32) {
    return InvalidArgumentError(StrCat("the result is ", DTypeName(out.dtype()), ", expected i32"));
  }
  TFRT_ASSIGN_OR_RETURN(job->tail.out, out.MutableData());
  return job;
}

JobTensors TensorsOf(const QuantizedNumbers& numbers, const DenseHostTensor& out) {
  JobTensors tensors = {&out};
  if (numbers.bias) tensors.push_back(numbers.bias);
  return tensors;
}

StatusOr<std::shared_ptr<ByteJob>> JobOf(const ByteSizes& sizes, const QuantizedNumbers& numbers,
                                         DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<ByteJob> job,
                        JobOfZeros(sizes, numbers.a_zero, numbers.b_zero, LargestOf(numbers.bias)));
  TFRT_RETURN_IF_ERROR(SetScales(sizes, numbers, *job));
  TFRT_RETURN_IF_ERROR(SetResult(numbers, out, *job));
  TFRT_RETURN_IF_ERROR(SetBias(sizes, numbers.bias, *job));
  TFRT_RETURN_IF_ERROR(SetAddend(numbers.addend, out, *job, exec_ctx));
  TFRT_ASSIGN_OR_RETURN(job->tail.out, out.MutableData());
  job->tail.activation = numbers.activation;
  return job;
}

std::string PackedBytesTensor::ToString() const {
  return StrCat(kPackedMatrixTensorType.name(), " tensor dtype = ", DTypeName(dtype()),
                ", shape = ", shape().ToString());
}

StatusOr<ByteOperand> ByteOperandOf(const Tensor& tensor) {
  ByteOperand operand{.shape = tensor.shape(), .dtype = tensor.dtype(), .packed = {}};
  if (tensor.tensor_type() == kDenseHostTensorType) {
    operand.plain = static_cast<const DenseHostTensor*>(&tensor);
    return operand;
  }
  // Packed matrices of f32 are of another class.
  if (tensor.tensor_type() == kPackedMatrixTensorType && tensor.dtype() != DType::kF32) {
    const auto& packed = static_cast<const PackedBytesTensor&>(tensor);
    operand.packed = packed.packed();
    operand.packed_transposed = packed.transposed();
    return operand;
  }
  return InvalidArgumentError(StrCat("the second factor is a ", tensor.tensor_type().name(),
                                     " tensor of ", DTypeName(tensor.dtype()),
                                     ", expected a dense one or packed bytes"));
}

}  // namespace tfrt::maths
