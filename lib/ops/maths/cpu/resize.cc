#include "resize.h"

#include <algorithm>
#include <cassert>

#include "isa_clones.h"

namespace tfrt::cpu {
namespace {

// The row times a weight: as the first of a sum, or added to it.
TFRT_ISA_CLONES void StartRow(const float* in, float weight, int64_t size, float* sum) {
  for (int64_t i = 0; i < size; ++i) sum[i] = weight * in[i];
}
TFRT_ISA_CLONES void AddRow(const float* in, float weight, int64_t size, float* sum) {
  for (int64_t i = 0; i < size; ++i) sum[i] += weight * in[i];
}
void StartRow(const double* in, double weight, int64_t size, double* sum) {
  for (int64_t i = 0; i < size; ++i) sum[i] = weight * in[i];
}
void AddRow(const double* in, double weight, int64_t size, double* sum) {
  for (int64_t i = 0; i < size; ++i) sum[i] += weight * in[i];
}

// Describes the weighted sum that gives a row of the output.
template <typename T>
struct WeightedRow {
  int64_t offset;
  T weight;
};

// The rows along all outer dimensions for row `row` of the output; empty: outside.
template <typename T>
void RowsOf(const ResizePlan<T>& plan, int64_t row, std::vector<WeightedRow<T>>& rows,
            std::vector<WeightedRow<T>>& before) {
  rows.assign(1, {0, T(1)});
  for (size_t d = plan.outer.size(); d-- > 0;) {
    const auto& dim = plan.outer[d];
    const int64_t at = row % dim.out_size;
    row /= dim.out_size;
    if (dim.taps.empty()) {
      for (auto& each : rows) each.offset += at * dim.in_stride;
      continue;
    }
    const Taps<T>& taps = dim.taps[0];
    std::swap(rows, before);
    rows.clear();
    for (int64_t i = at * taps.count; i < (at + 1) * taps.count; ++i) {
      const int64_t position = taps.positions[static_cast<size_t>(i)];
      const T weight = taps.weights[static_cast<size_t>(i)];
      if (position < 0) return rows.clear();
      if (weight == 0) continue;
      for (const auto& each : before) {
        rows.push_back({each.offset + position * dim.in_stride, each.weight * weight});
      }
    }
  }
}

// Along the last dimension, single elements apart.
template <typename T>
void ResizeElements(const Taps<T>& taps, int64_t out_size, T extrapolation, const T* in, T* out) {
  const int64_t* position = taps.positions.data();
  const T* weight = taps.weights.data();
  for (int64_t x = 0; x < out_size; ++x, position += taps.count, weight += taps.count) {
    if (position[0] < 0) {
      out[x] = extrapolation;
      continue;
    }
    T sum = weight[0] * in[position[0]] + weight[1] * in[position[1]];
    for (int64_t i = 2; i < taps.count; ++i) sum += weight[i] * in[position[i]];
    out[x] = sum;
  }
}

// The same where `size` elements each stay together.
template <typename T>
void ResizeGroups(const Taps<T>& taps, int64_t out_size, int64_t size, T extrapolation, const T* in,
                  T* out) {
  const int64_t* position = taps.positions.data();
  const T* weight = taps.weights.data();
  for (int64_t x = 0; x < out_size; ++x, position += taps.count, weight += taps.count) {
    T* to = out + x * size;
    if (position[0] < 0) {
      std::fill_n(to, size, extrapolation);
      continue;
    }
    StartRow(in + position[0] * size, weight[0], size, to);
    for (int64_t i = 1; i < taps.count; ++i) {
      if (weight[i] != 0) AddRow(in + position[i] * size, weight[i], size, to);
    }
  }
}

}  // namespace

template <typename T>
ResizePlan<T>::ResizePlan(const std::vector<ResizeDim>& dims, const ResizeOptions& options,
                          T extrapolation)
    : extrapolation(extrapolation) {
  // The dimensions after the last one that changes stay together.
  size_t rank = dims.size();
  int64_t stride = 1;
  while (rank > 0 && dims[rank - 1].is_whole(options)) stride *= dims[--rank].in_size;
  assert(rank > 0);
  for (size_t i = rank; i-- > 0;) {
    const ResizeDim& dim = dims[i];
    const bool changes = !dim.is_whole(options);
    Dim made{dim.in_size, dim.out_size, stride, {}};
    if (changes) made.taps.emplace_back(dim, options);
    stride *= dim.in_size;
    if (i + 1 == rank) {
      last = std::move(made);
      continue;
    }
    num_rows *= dim.out_size;
    const bool joins = !changes && !outer.empty() && outer.back().taps.empty();
    if (joins) {
      outer.back().in_size *= dim.in_size;
      outer.back().out_size *= dim.out_size;
    } else {
      outer.push_back(std::move(made));
    }
  }
  std::ranges::reverse(outer);
}

template <typename T>
void Resize(const ResizePlan<T>& plan, const T* in, T* out, int64_t begin, int64_t end) {
  const int64_t in_size = plan.in_row_size(), out_size = plan.out_row_size();
  const Taps<T>& taps = plan.last.taps[0];
  std::vector<T> sum(static_cast<size_t>(in_size));
  std::vector<WeightedRow<T>> rows, before;
  for (int64_t row = begin; row < end; ++row) {
    T* to = out + (row - begin) * out_size;
    RowsOf(plan, row, rows, before);
    if (rows.empty()) {
      std::fill_n(to, out_size, plan.extrapolation);
      continue;
    }
    const T* from = in + rows[0].offset;
    if (rows.size() > 1 || rows[0].weight != 1) {
      StartRow(from, rows[0].weight, in_size, sum.data());
      for (size_t i = 1; i < rows.size(); ++i) {
        AddRow(in + rows[i].offset, rows[i].weight, in_size, sum.data());
      }
      from = sum.data();
    }
    if (plan.last.in_stride == 1) {
      ResizeElements(taps, plan.last.out_size, plan.extrapolation, from, to);
    } else {
      ResizeGroups(taps, plan.last.out_size, plan.last.in_stride, plan.extrapolation, from, to);
    }
  }
}

#define TFRT_INSTANTIATE(T)      \
  template struct ResizePlan<T>; \
  template void Resize(const ResizePlan<T>&, const T*, T*, int64_t, int64_t);
TFRT_INSTANTIATE(float)
TFRT_INSTANTIATE(double)
#undef TFRT_INSTANTIATE

}  // namespace tfrt::cpu
