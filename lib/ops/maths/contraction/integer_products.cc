#include "integer_products.h"

#include <algorithm>

#include "matmul.h"
#include "plain_convolution.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

// Element i of `tensor` minus zero[i / every % count], in i32.
template <typename T>
void Subtract(const T* from, int64_t size, const T* zero, int64_t every, int64_t count,
              int32_t* to) {
  for (int64_t i = 0; i < size; ++i) {
    to[i] = int32_t{from[i]} - (zero ? int32_t{zero[i / every % count]} : 0);
  }
}

StatusOr<DenseHostTensor> WithoutZero(const DenseHostTensor& tensor, const DenseHostTensor* zero,
                                      int64_t every, int64_t count,
                                      const ExecutionContext& exec_ctx) {
  const bool is_signed = tensor.dtype() == DType::kI8;
  if (!is_signed && tensor.dtype() != DType::kUI8) {
    return InvalidArgumentError(
        StrCat("a factor is ", DTypeName(tensor.dtype()), ", expected i8 or u8"));
  }
  if (zero && zero->dtype() != tensor.dtype()) {
    return InvalidArgumentError(
        StrCat("a zero point of ", DTypeName(tensor.dtype()), " is ", DTypeName(zero->dtype())));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor result,
                        DenseHostTensor::CreateUninitialized({DType::kI32, tensor.shape()},
                                                             exec_ctx.host()->allocator()));
  TFRT_ASSIGN_OR_RETURN(void* data, result.MutableData());
  auto subtract = [&]<typename T>(const T* from) {
    Subtract(from, tensor.num_elements(), zero ? static_cast<const T*>(zero->data()) : nullptr,
             every, count, static_cast<int32_t*>(data));
  };
  if (is_signed) {
    subtract(static_cast<const int8_t*>(tensor.data()));
  } else {
    subtract(static_cast<const uint8_t*>(tensor.data()));
  }
  return result;
}

// How many neighbouring elements share a zero point, of one for all, or of `count`.
StatusOr<int64_t> SharedBy(std::string_view name, const DenseHostTensor* zero, int64_t size,
                           int64_t count, int64_t every) {
  if (!zero || zero->num_elements() == 1) return std::max<int64_t>(size, 1);
  if (zero->num_elements() == count) return std::max<int64_t>(every, 1);
  return InvalidArgumentError(StrCat("the zero points of ", name, " have the shape ",
                                     zero->shape().ToString(), ", expected one or ", count));
}

int64_t CountOf(const DenseHostTensor* zero) {
  return zero ? std::max<int64_t>(zero->num_elements(), 1) : 1;
}

}  // namespace

Completion ConvInteger(const DenseHostTensor& in, const DenseHostTensor& filter,
                       const DenseHostTensor* in_zero, const DenseHostTensor* filter_zero,
                       int64_t groups, const NdWindowAttributes& windows, DenseHostTensor& out,
                       const ExecutionContext& exec_ctx) {
  const bool last = windows.channels_last;
  const int64_t outputs =
      filter.shape().rank() == 0 ? 0 : filter.shape().dim(last ? filter.shape().rank() - 1 : 0);
  TFRT_ASSIGN_OR_RETURN(int64_t in_every, SharedBy("the input", in_zero, in.num_elements(), 1, 1));
  TFRT_ASSIGN_OR_RETURN(int64_t filter_every,
                        SharedBy("the filter", filter_zero, filter.num_elements(), outputs,
                                 last || outputs == 0 ? 1 : filter.num_elements() / outputs));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor x, WithoutZero(in, in_zero, in_every, 1, exec_ctx));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor w, WithoutZero(filter, filter_zero, filter_every,
                                                       CountOf(filter_zero), exec_ctx));
  TFRT_ASSIGN_OR_RETURN(
      contraction::ConvolutionProblem problem,
      MakeConvolutionProblem(x.shape(), w.shape(), !last, groups, windows, out.shape()));
  return PlainConvolution(problem, x, w, nullptr, out, exec_ctx);
}

Completion MatMulInteger(const DenseHostTensor& a, const DenseHostTensor& b,
                         const DenseHostTensor* a_zero, const DenseHostTensor* b_zero,
                         DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  for (const DenseHostTensor* factor : {&a, &b}) {
    if (factor->shape().rank() >= 2) continue;
    return InvalidArgumentError(StrCat("a factor has the shape ", factor->shape().ToString(),
                                       ", expected at least rank 2"));
  }
  const int64_t rows = a.shape().dim(a.shape().rank() - 2),
                depth = a.shape().dim(a.shape().rank() - 1),
                columns = b.shape().dim(b.shape().rank() - 1);
  // Zero points of rows may be those of one matrix, or of all.
  const int64_t all_rows = depth == 0 ? rows : a.num_elements() / depth;
  const bool for_all = a_zero && a_zero->num_elements() == all_rows && all_rows != rows;
  TFRT_ASSIGN_OR_RETURN(int64_t a_every, SharedBy("the rows", a_zero, a.num_elements(),
                                                  for_all ? all_rows : rows, depth));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor x,
                        WithoutZero(a, a_zero, a_every, CountOf(a_zero), exec_ctx));
  TFRT_ASSIGN_OR_RETURN(int64_t b_every,
                        SharedBy("the columns", b_zero, b.num_elements(), columns, 1));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor y,
                        WithoutZero(b, b_zero, b_every, CountOf(b_zero), exec_ctx));
  return MultiplyMatrices(x, y, false, false, {}, out, exec_ctx);
}

}  // namespace tfrt::maths
