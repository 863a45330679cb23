#include "byte_tail.h"

#include <algorithm>
#include <cassert>

#include "lib/ops/maths/cpu/activate.h"
#include "lib/ops/maths/cpu/isa_clones.h"
#include "lib/ops/maths/cpu/quantize.h"

namespace tfrt::contraction {
namespace {

TFRT_ISA_CLONES
void AddTerms(const SumTerms& terms, int32_t* sums, int64_t stride, int64_t first_row, int64_t rows,
              int64_t columns) {
  for (int64_t i = 0; i < rows; ++i) {
    auto* sum = reinterpret_cast<uint32_t*>(sums + i * stride);
    auto add = [&](uint32_t factor, const int32_t* of_columns) __attribute__((always_inline)) {
      const auto* term = reinterpret_cast<const uint32_t*>(of_columns);
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t j = 0; j < columns; ++j) sum[j] += factor * term[j];
    };
    const int64_t row = first_row + i;
    if (terms.a_zeros) add(static_cast<uint32_t>(terms.a_zeros[row]), terms.a_zero_terms);
    if (terms.b_zeros) add(0 - static_cast<uint32_t>(terms.row_sums[row]), terms.b_zeros);
    if (terms.terms) add(1, terms.terms);
  }
}

TFRT_ISA_CLONES
void ScaleSums(const ByteTail& tail, const int32_t* sums, int64_t stride, int64_t rows,
               int64_t first, int64_t columns, float* values) {
  const float* scales = tail.scales + first;
  for (int64_t i = 0; i < rows; ++i) {
    const int32_t* sum = sums + i * stride;
    float* value = values + i * kTailColumns;
    if (tail.bias) {
      const float* bias = tail.bias + first;
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t j = 0; j < columns; ++j) {
        value[j] = static_cast<float>(sum[j]) * scales[j] + bias[j];
      }
    } else {
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t j = 0; j < columns; ++j) value[j] = static_cast<float>(sum[j]) * scales[j];
    }
  }
}

TFRT_ISA_CLONES
void AddRows(const float* addend, int64_t row_stride, int64_t column_stride, int64_t rows,
             int64_t columns, float* values) {
  for (int64_t i = 0; i < rows; ++i) {
    const float* from = addend + i * row_stride;
    float* value = values + i * kTailColumns;
    if (column_stride == 1) {
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t j = 0; j < columns; ++j) value[j] += from[j];
    } else {
      for (int64_t j = 0; j < columns; ++j) value[j] += from[j * column_stride];
    }
  }
}

// Bytes as quantize gives them: NaN becomes the zero point.
TFRT_ISA_CLONES
void QuantizeValues(float* values, int64_t rows, int64_t columns, float scale, float zero,
                    float low, float high, int32_t* bytes) {
  for (int64_t i = 0; i < rows; ++i) {
    const float* value = values + i * kTailColumns;
    int32_t* to = bytes + i * kTailColumns;
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t j = 0; j < columns; ++j) {
      const float y = cpu::WholeQuotient(value[j], scale, low - zero, high - zero);
      to[j] = static_cast<int32_t>(y + zero);
    }
  }
}

template <typename To, typename From>
[[gnu::always_inline]] inline void StoreRows(const From* from, int64_t stride, int64_t rows,
                                             int64_t columns, To* out, int64_t row_stride,
                                             int64_t column_stride) {
  for (int64_t i = 0; i < rows; ++i) {
    To* to = out + i * row_stride;
    const From* row = from + i * stride;
    if (column_stride == 1) {
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t j = 0; j < columns; ++j) to[j] = static_cast<To>(row[j]);
    } else {
      for (int64_t j = 0; j < columns; ++j) to[j * column_stride] = static_cast<To>(row[j]);
    }
  }
}
TFRT_ISA_CLONES
void StoreBytes(const int32_t* bytes, int64_t rows, int64_t columns, uint8_t* out,
                int64_t row_stride, int64_t column_stride) {
  StoreRows(bytes, kTailColumns, rows, columns, out, row_stride, column_stride);
}

}  // namespace

void FinishSums(const ByteTail& tail, const SumTerms& terms, int32_t* sums, int64_t stride,
                int64_t first_row, int64_t rows, int64_t first_column, int64_t columns) {
  assert(columns <= kTailColumns);
  constexpr int64_t kRowsTogether = 16;
  float values[kRowsTogether * kTailColumns];
  int32_t bytes[kRowsTogether * kTailColumns];
  for (int64_t row = 0; row < rows; row += kRowsTogether) {
    const int64_t count = std::min(kRowsTogether, rows - row);
    int32_t* part = sums + row * stride;
    AddTerms(terms, part, stride, row, count, columns);
    const int64_t at = (first_row + row) * tail.row_stride + first_column * tail.column_stride;
    if (!tail.scales) {
      StoreRows(part, stride, count, columns, static_cast<int32_t*>(tail.out) + at, tail.row_stride,
                tail.column_stride);
      continue;
    }
    ScaleSums(tail, part, stride, count, first_column, columns, values);
    if (tail.addend) {
      AddRows(tail.addend + at, tail.row_stride, tail.column_stride, count, columns, values);
    }
    if (tail.activation.kind != maths::Activation::kNone) {
      cpu::ActivateRows(tail.activation, values, count, columns, kTailColumns);
    }
    if (tail.dtype == DType::kF32) {
      StoreRows(values, kTailColumns, count, columns, static_cast<float*>(tail.out) + at,
                tail.row_stride, tail.column_stride);
      continue;
    }
    const bool is_signed = tail.dtype == DType::kI8;
    QuantizeValues(values, count, columns, tail.out_scale, tail.out_zero, is_signed ? -128 : 0,
                   is_signed ? 127 : 255, bytes);
    StoreBytes(bytes, count, columns, static_cast<uint8_t*>(tail.out) + at, tail.row_stride,
               tail.column_stride);
  }
}

}  // namespace tfrt::contraction
