#include "broadcast.h"

#include <algorithm>

namespace tfrt::cpu {

BroadcastPlan::BroadcastPlan(const TensorShape& a, const TensorShape& b, const TensorShape& out) {
  using Dim = StridedDims<2>::Dim;
  InlineVector<Dim, 6> dims;  // innermost first
  const TensorShape* inputs[] = {&a, &b};
  int64_t strides[] = {1, 1};
  for (size_t i = 0; i < out.rank(); ++i) {
    Dim dim{out.dim(out.rank() - 1 - i), {0, 0}};
    for (size_t t = 0; t < 2; ++t) {
      const TensorShape& input = *inputs[t];
      int64_t size = i < input.rank() ? input.dim(input.rank() - 1 - i) : 1;
      if (size != 1) dim.strides[t] = strides[t];
      strides[t] *= size;
    }
    if (dim.size == 1) continue;
    bool continues = !dims.empty();
    for (size_t t = 0; continues && t < 2; ++t) {
      continues = dim.strides[t] == dims.back().strides[t] * dims.back().size;
    }
    if (continues) {
      dims.back().size *= dim.size;
    } else {
      dims.push_back(dim);
    }
  }
  a_repeats = b_repeats = dims.empty();
  if (!dims.empty()) {
    columns = dims[0].size;
    a_repeats = dims[0].strides[0] == 0;
    b_repeats = dims[0].strides[1] == 0;
  }
  if (dims.size() > 1) {
    rows = dims[1].size;
    a_row_stride = dims[1].strides[0];
    b_row_stride = dims[1].strides[1];
  }
  for (size_t i = dims.size(); i-- > 2;) outer.dims.push_back(dims[i]);
}

template <typename T>
void BroadcastPlan::Run(BinaryOp op, const T* a, const T* b, T* out, int64_t begin,
                        int64_t end) const {
  BinaryRows<T> block{rows, columns, a, a_row_stride, a_repeats, b, b_row_stride, b_repeats, out};
  if (splits_columns()) {
    block.columns = end - begin;
    block.a += a_repeats ? 0 : begin;
    block.b += b_repeats ? 0 : begin;
    block.out += begin;
    return Binary(op, block);
  }
  Odometer<2> odometer(outer, begin / rows);
  while (begin < end) {
    int64_t first_row = begin % rows;
    block.rows = std::min(rows - first_row, end - begin);
    block.a = a + odometer.offset(0) + first_row * a_row_stride;
    block.b = b + odometer.offset(1) + first_row * b_row_stride;
    block.out = out + begin * columns;
    Binary(op, block);
    begin += block.rows;
    odometer.Advance();
  }
}

template void BroadcastPlan::Run(BinaryOp, const float*, const float*, float*, int64_t,
                                 int64_t) const;
template void BroadcastPlan::Run(BinaryOp, const int32_t*, const int32_t*, int32_t*, int64_t,
                                 int64_t) const;

}  // namespace tfrt::cpu
