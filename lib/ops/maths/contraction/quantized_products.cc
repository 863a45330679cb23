#include "quantized_products.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "byte_factor.h"
#include "byte_operands.h"
#include "lib/format/op_table/product_rules.h"
#include "lib/ops/maths/cpu/quantize.h"
#include "lib/ops/maths/shapes/batch_broadcast.h"
#include "lib/ops/maths/shapes/row_shapes.h"
#include "lib/ops/maths/tensor/operand_checks.h"
#include "matmul_checks.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

using contraction::ByteColumns;
using contraction::ByteProduct;
using contraction::MultiplyBytes;
using contraction::PackedBytes;

// Columns of the matrices [K,N], or [N,K] if transposed.
ByteColumns ColumnsOf(const void* data, DType dtype, MatrixSize size, bool transposed) {
  return {.data = static_cast<const uint8_t*>(data),
          .is_signed = dtype == DType::kI8,
          .depth = size.rows,
          .columns = size.columns,
          .inner = std::max<int64_t>(size.rows, 1),
          .inner_stride = transposed ? 1 : size.columns,
          .column_stride = transposed ? size.rows : 1};
}

// A product whose shapes fit.
struct Matrices {
  MatrixSize a, b;
  int64_t all_rows;  // of the first factor
  bool is_empty;     // the result is
};

StatusOr<Matrices> CheckMatrices(const TensorShape& a, const ByteOperand& b, bool transpose_b,
                                 const DenseHostTensor& out) {
  for (const TensorShape* shape : {&a, &b.shape}) {
    if (shape->rank() >= 2) continue;
    return InvalidArgumentError(
        StrCat("a factor has the shape ", shape->ToString(), ", expected at least rank 2"));
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape,
                        ShapeByRule<BatchMatMulRule>({&a, &b.shape}, false, transpose_b));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("matmul", out, shape));
  Matrices sizes{SizeOf(a, false), SizeOf(b.shape, transpose_b), 1, false};
  sizes.is_empty = shape.num_elements() == 0;
  for (size_t i = 0; i + 1 < a.rank(); ++i) sizes.all_rows *= a.dim(i);
  if (!b.packed) return sizes;
  const PackedBytes& packed = *b.packed;
  if (packed.depth() != sizes.b.rows || packed.columns() != sizes.b.columns ||
      packed.factors() != 1 || b.packed_transposed != transpose_b ||
      packed.is_signed() != (b.dtype == DType::kI8)) {
    return InvalidArgumentError(
        StrCat("the packed matrix ", b.shape.ToString(), " is not packed for this product"));
  }
  return sizes;
}

ByteSizes SizesOf(const Matrices& m, DType a_dtype, DType b_dtype) {
  // Zero points of rows may be those of one matrix, or of all.
  return {.a_dtype = a_dtype,
          .b_dtype = b_dtype,
          .depth = m.a.columns,
          .outputs = m.b.columns,
          .rows = m.a.rows,
          .all_rows = m.all_rows,
          .is_empty = m.is_empty,
          .a_name = "the rows",
          .b_name = "the columns"};
}

// Multiplies all matrices; job->rows are those of the first factor. `tensors` are those of the
// result and of the numbers beside the factors.
Completion Multiply(const DenseHostTensor& a_tensor, const ByteOperand& b, bool transpose_b,
                    const Matrices& m, const std::shared_ptr<ByteJob>& job, JobTensors tensors,
                    const ExecutionContext& exec_ctx) {
  if (m.is_empty) return GetReadyChain();
  const int64_t columns = m.b.columns, depth = m.a.columns;
  job->tail.row_stride = columns;
  tensors.push_back(&a_tensor);
  if (b.plain) tensors.push_back(b.plain);
  const ByteColumns b_columns =
      ColumnsOf(b.plain ? b.plain->data() : nullptr, b.dtype, m.b, transpose_b);
  const BatchBroadcast batch(a_tensor.shape(), b.shape);
  const bool zeros_of_all = static_cast<int64_t>(job->a_zeros.size()) == m.all_rows;
  // Matrices below each other times one matrix are one tall matrix.
  const bool is_one =
      batch.dims.empty() || (batch.dims.size() == 1 && batch.dims[0].a_stride == 1 &&
                             batch.dims[0].b_stride == 0 && (job->a_zeros.empty() || zeros_of_all));
  if (is_one) {
    auto product = [job, b_columns, packed = b.packed](int64_t) {
      ByteProduct made = job->Product();
      made.packed = packed.get();
      made.b = b_columns;
      return made;
    };
    const int64_t rows = batch.dims.empty() ? m.a.rows : m.all_rows;
    return MultiplyBytes(exec_ctx, 1, rows, columns, depth, tensors, std::move(product));
  }
  const size_t element = DTypeSize(job->tail.dtype);
  const int64_t b_size = depth * columns;
  auto product = [=, packed = b.packed, rows = m.a.rows](int64_t i) {
    const BatchBroadcast::Pair pair = batch.At(i);
    ByteProduct made = job->Product();
    made.first_row = pair.a * rows;
    made.packed = packed.get();
    made.b = b_columns;
    if (made.b.data) made.b.data += pair.b * b_size;
    if (made.a_zeros && zeros_of_all) made.a_zeros += made.first_row;
    const int64_t at = i * rows * columns;
    made.tail.out = static_cast<char*>(made.tail.out) + at * static_cast<int64_t>(element);
    if (made.tail.addend) made.tail.addend += at;
    return made;
  };
  return MultiplyBytes(exec_ctx, batch.size(), m.a.rows, columns, depth, tensors,
                       std::move(product));
}

}  // namespace

StatusOr<RCReference<AsyncValue>> PackByteMatrix(const DenseHostTensor& matrix, bool transpose_b) {
  if (matrix.shape().rank() != 2) {
    return InvalidArgumentError(StrCat("the matrix to pack has the shape ",
                                       matrix.shape().ToString(), ", expected rank 2"));
  }
  if (matrix.num_elements() == 0 || SizeOf(matrix.shape(), transpose_b).rows > kMostDepth) {
    return RCReference<AsyncValue>();
  }
  PackedBytesRef packed = PackedBytes::Create(
      contraction::BestByteKernel(),
      ColumnsOf(matrix.data(), matrix.dtype(), SizeOf(matrix.shape(), transpose_b), transpose_b), 1,
      0);
  if (!packed) return ResourceExhaustedError("no memory for a packed matrix");
  return MakeAvailableAsyncValueRef<PackedBytesTensor>(matrix.metadata(), std::move(packed),
                                                       transpose_b)
      .ReleaseRCRef();
}

Completion MatMulInteger(const DenseHostTensor& a, const ByteOperand& b,
                         const DenseHostTensor* a_zero, const DenseHostTensor* b_zero,
                         DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(Matrices m, CheckMatrices(a.shape(), b, false, out));
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<ByteJob> job,
                        JobOfSums(SizesOf(m, a.dtype(), b.dtype), a_zero, b_zero, out));
  job->rows = std::make_unique<MatrixRows>(a.data(), a.dtype() == DType::kI8, m.a.columns);
  return Multiply(a, b, false, m, job, {&out}, exec_ctx);
}

Completion QuantizedMatMul(const DenseHostTensor& a, const ByteOperand& b, bool transpose_b,
                           const QuantizedNumbers& numbers, DenseHostTensor& out,
                           const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(Matrices m, CheckMatrices(a.shape(), b, transpose_b, out));
  ByteSizes sizes = SizesOf(m, a.dtype(), b.dtype);
  sizes.rows = sizes.all_rows = 1;
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<ByteJob> job, JobOf(sizes, numbers, out, exec_ctx));
  job->rows = std::make_unique<MatrixRows>(a.data(), a.dtype() == DType::kI8, m.a.columns);
  return Multiply(a, b, transpose_b, m, job, TensorsOf(numbers, out), exec_ctx);
}

Completion DynamicQuantizedMatMul(const DenseHostTensor& x, const ByteOperand& b, bool transpose_b,
                                  const QuantizedNumbers& numbers, DenseHostTensor& out,
                                  const ExecutionContext& exec_ctx) {
  if (x.dtype() != DType::kF32) {
    return InvalidArgumentError(
        StrCat("the first factor is ", DTypeName(x.dtype()), ", expected f32"));
  }
  TFRT_ASSIGN_OR_RETURN(Matrices m, CheckMatrices(x.shape(), b, transpose_b, out));
  const cpu::Quantization fit =
      cpu::FitQuantization(cpu::RangeOf(static_cast<const float*>(x.data()), x.num_elements()));
  HostAllocator* allocator = exec_ctx.host()->allocator();
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor scale,
                        DenseHostTensor::CreateUninitialized({DType::kF32, {}}, allocator));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor zero,
                        DenseHostTensor::CreateUninitialized({DType::kUI8, {}}, allocator));
  TFRT_ASSIGN_OR_RETURN(void* scale_data, scale.MutableData());
  TFRT_ASSIGN_OR_RETURN(void* zero_data, zero.MutableData());
  *static_cast<float*>(scale_data) = fit.scale;
  *static_cast<uint8_t*>(zero_data) = fit.zero;
  QuantizedNumbers all = numbers;
  all.a_scale = &scale;
  all.a_zero = &zero;
  ByteSizes sizes = SizesOf(m, DType::kUI8, b.dtype);
  sizes.rows = sizes.all_rows = 1;
  sizes.any_a_scale = true;
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<ByteJob> job, JobOf(sizes, all, out, exec_ctx));
  job->rows =
      std::make_unique<QuantizedRows>(static_cast<const float*>(x.data()), m.a.columns, fit);
  return Multiply(x, b, transpose_b, m, job, TensorsOf(all, out), exec_ctx);
}

}  // namespace tfrt::maths
