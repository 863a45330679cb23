#include "strided_copy.h"

#include <algorithm>
#include <cstring>

#include "element_size.h"

namespace tfrt::cpu {
namespace {

using FourWords = uint32_t __attribute__((vector_size(16)));

FourWords Load(const uint32_t* from) {
  FourWords words;
  std::memcpy(&words, from, sizeof(words));
  return words;
}
void Store(FourWords words, uint32_t* to) { std::memcpy(to, &words, sizeof(words)); }

// 4 x 4 elements transposed in registers.
void TransposeSquare(const uint32_t* in, int64_t in_stride, uint32_t* out, int64_t out_stride) {
  const FourWords a = Load(in), b = Load(in + in_stride);
  const FourWords c = Load(in + 2 * in_stride), d = Load(in + 3 * in_stride);
  const FourWords ac_low = __builtin_shufflevector(a, c, 0, 4, 1, 5);
  const FourWords ac_high = __builtin_shufflevector(a, c, 2, 6, 3, 7);
  const FourWords bd_low = __builtin_shufflevector(b, d, 0, 4, 1, 5);
  const FourWords bd_high = __builtin_shufflevector(b, d, 2, 6, 3, 7);
  Store(__builtin_shufflevector(ac_low, bd_low, 0, 4, 1, 5), out);
  Store(__builtin_shufflevector(ac_low, bd_low, 2, 6, 3, 7), out + out_stride);
  Store(__builtin_shufflevector(ac_high, bd_high, 0, 4, 1, 5), out + 2 * out_stride);
  Store(__builtin_shufflevector(ac_high, bd_high, 2, 6, 3, 7), out + 3 * out_stride);
}

// Rows [0, rows) of columns [column, end): each row of the output reads across the input's.
template <typename T>
void TransposePart(const CopyPlan& plan, const T* in, T* out, int64_t rows, int64_t column,
                   int64_t end) {
  for (int64_t row = 0; row < rows; ++row) {
    const T* from = in + row * plan.in_row_stride;
    T* to = out + row * plan.row_stride;
    for (int64_t i = column; i < end; ++i) to[i] = from[i * plan.column_stride];
  }
}

// A whole tile, for outputs whose rows fall on the same lines of a cache: each is written once.
void TransposeWholeTile(const CopyPlan& plan, const uint32_t* in, uint32_t* out) {
  constexpr int64_t kTile = CopyPlan::kTile;
  uint32_t tile[kTile * kTile];
  for (int64_t i = 0; i < kTile; i += 4) {
    for (int64_t row = 0; row < kTile; row += 4) {
      TransposeSquare(in + i * plan.column_stride + row, plan.column_stride, tile + row * kTile + i,
                      kTile);
    }
  }
  for (int64_t row = 0; row < kTile; ++row) {
    std::memcpy(out + row * plan.row_stride, tile + row * kTile, kTile * sizeof(uint32_t));
  }
}

template <typename T>
void TransposeTile(const CopyPlan& plan, const T* in, T* out, int64_t rows) {
  for (int64_t column = 0; column < plan.columns; column += CopyPlan::kTile) {
    const int64_t end = std::min(plan.columns, column + CopyPlan::kTile);
    if constexpr (sizeof(T) == sizeof(uint32_t)) {
      if (plan.in_row_stride == 1) {
        constexpr int64_t kSameLines = 4096 / sizeof(uint32_t);
        if (plan.row_stride % kSameLines == 0 && rows == CopyPlan::kTile &&
            end - column == CopyPlan::kTile) {
          TransposeWholeTile(plan, in + column * plan.column_stride, out + column);
          continue;
        }
        int64_t i = column;
        for (; i + 4 <= end; i += 4) {
          const T* from = in + i * plan.column_stride;
          int64_t row = 0;
          for (; row + 4 <= rows; row += 4) {
            TransposeSquare(from + row, plan.column_stride, out + row * plan.row_stride + i,
                            plan.row_stride);
          }
          TransposePart(plan, in + row, out + row * plan.row_stride, rows - row, i, i + 4);
        }
        TransposePart(plan, in, out, rows, i, end);
        continue;
      }
    }
    TransposePart(plan, in, out, rows, column, end);
  }
}

// So many rows of one block, all columns.
template <typename T>
void CopyTile(const CopyPlan& plan, const T* in, T* out, int64_t rows) {
  if (plan.column_stride == 1) {
    for (int64_t row = 0; row < rows; ++row) {
      std::copy_n(in + row * plan.in_row_stride, plan.columns, out + row * plan.row_stride);
    }
  } else if (plan.column_stride == 0) {
    for (int64_t row = 0; row < rows; ++row) {
      std::fill_n(out + row * plan.row_stride, plan.columns, in[row * plan.in_row_stride]);
    }
  } else {
    TransposeTile(plan, in, out, rows);
  }
}

template <typename T>
void CopyUnits(const CopyPlan& plan, const T* in, T* out, int64_t begin, int64_t end) {
  const int64_t tiles = plan.tiles_per_block();
  Odometer<2> odometer(plan.outer, begin / tiles);
  for (int64_t unit = begin; unit < end; ++unit) {
    const int64_t first = unit % tiles * plan.tile_rows;
    CopyTile(plan, in + odometer.offset(0) + first * plan.in_row_stride,
             out + odometer.offset(1) + first * plan.row_stride,
             std::min(plan.rows - first, plan.tile_rows));
    if (unit % tiles == tiles - 1) odometer.Advance();
  }
}

}  // namespace

CopyPlan::CopyPlan(const CopyDims& all) {
  // Innermost first; those that stay together in both are one.
  InlineVector<StridedDims<2>::Dim, 6> dims;
  for (size_t i = all.size(); i-- > 0;) {
    const auto& dim = all[i];
    assert(dim.size > 0);
    if (dim.size == 1) continue;
    if (!dims.empty() && dim.strides[0] == dims.back().strides[0] * dims.back().size &&
        dim.strides[1] == dims.back().strides[1] * dims.back().size) {
      dims.back().size *= dim.size;
    } else {
      dims.push_back(dim);
    }
  }
  if (dims.empty()) return;
  assert(dims[0].strides[1] == 1);
  columns = dims[0].size;
  column_stride = dims[0].strides[0];
  size_t row_dim = 1;
  if (column_stride != 1 && column_stride != 0) {
    auto consecutive = std::ranges::find_if(dims.begin() + 1, dims.end(),
                                            [](const auto& dim) { return dim.strides[0] == 1; });
    if (consecutive != dims.end()) row_dim = static_cast<size_t>(consecutive - dims.begin());
  }
  // Long rows are handed out one by one.
  constexpr int64_t kLongRow = 1024;
  if (column_stride == 0 || column_stride == 1) tile_rows = columns < kLongRow ? kTile : 1;
  for (size_t i = dims.size(); i-- > 1;) {
    if (i == row_dim) {
      rows = dims[i].size;
      in_row_stride = dims[i].strides[0];
      row_stride = dims[i].strides[1];
    } else {
      outer.dims.push_back(dims[i]);
    }
  }
}

void Copy(const CopyPlan& plan, size_t element_size, const void* in, void* out, int64_t begin,
          int64_t end) {
  WithElementOfSize(element_size, [&]<typename T>(std::type_identity<T>) {
    CopyUnits(plan, static_cast<const T*>(in), static_cast<T*>(out), begin, end);
  });
}

std::vector<int64_t> RowMajorStrides(const TensorShape& shape) {
  std::vector<int64_t> strides(shape.rank());
  int64_t stride = 1;
  for (size_t i = strides.size(); i-- > 0; stride *= shape.dim(i)) strides[i] = stride;
  return strides;
}

CopyPlan TransposePlan(const TensorShape& in, std::span<const int64_t> permutation) {
  const std::vector<int64_t> in_strides = RowMajorStrides(in);
  CopyDims dims(permutation.size());
  int64_t out_stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    const auto axis = static_cast<size_t>(permutation[i]);
    dims[i] = {in.dim(axis), {in_strides[axis], out_stride}};
    out_stride *= in.dim(axis);
  }
  return CopyPlan(dims);
}

CopyPlan BroadcastToPlan(const TensorShape& in, const TensorShape& out) {
  const std::vector<int64_t> in_strides = RowMajorStrides(in), out_strides = RowMajorStrides(out);
  const size_t missing = out.rank() - in.rank();
  CopyDims dims(out.rank());
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool repeats = i < missing || in.dim(i - missing) != out.dim(i);
    dims[i] = {out.dim(i), {repeats ? 0 : in_strides[i - missing], out_strides[i]}};
  }
  return CopyPlan(dims);
}

CopyPlan TilePlan(const TensorShape& in, std::span<const int64_t> multiples) {
  const std::vector<int64_t> in_strides = RowMajorStrides(in);
  CopyDims dims(2 * in.rank());
  int64_t out_stride = 1;
  for (size_t i = in.rank(); i-- > 0;) {
    dims[2 * i + 1] = {in.dim(i), {in_strides[i], out_stride}};
    out_stride *= in.dim(i);
    dims[2 * i] = {multiples[i], {0, out_stride}};
    out_stride *= multiples[i];
  }
  return CopyPlan(dims);
}

}  // namespace tfrt::cpu
