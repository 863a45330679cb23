#include "tfrt/kernel_maths/cpu/data_movement.h"

#include <algorithm>
#include <cstring>

namespace tfrt::cpu {
namespace {

struct Bytes16 {
  uint64_t words[2];
};

// Rows [first, last) of one block of a transposition, all columns.
template <typename T>
void TransposeTile(const TransposePlan& plan, const T* in, T* out, int64_t first, int64_t last) {
  if (plan.column_stride == 1) {
    std::copy_n(in, plan.columns, out);
    return;
  }
  for (int64_t column = 0; column < plan.columns; column += TransposePlan::kTile) {
    int64_t end = std::min(plan.columns, column + TransposePlan::kTile);
    for (int64_t row = first; row < last; ++row) {
      const T* from = in + row;
      T* to = out + row * plan.row_stride;
      for (int64_t i = column; i < end; ++i) to[i] = from[i * plan.column_stride];
    }
  }
}

template <typename T>
void TransposeUnits(const TransposePlan& plan, const T* in, T* out, int64_t begin, int64_t end) {
  const int64_t tiles = plan.tiles_per_block();
  Odometer<2> odometer(plan.outer, begin / tiles);
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t first = unit % tiles * TransposePlan::kTile;
    int64_t last = std::min(plan.rows, first + TransposePlan::kTile);
    TransposeTile(plan, in + odometer.offset(0), out + odometer.offset(1), first, last);
    if (unit % tiles == tiles - 1) odometer.Advance();
  }
}

}  // namespace

TransposePlan::TransposePlan(const TensorShape& in, std::span<const int64_t> permutation) {
  std::vector<int64_t> in_strides(in.rank());
  int64_t stride = 1;
  for (size_t i = in.rank(); i-- > 0;) {
    in_strides[i] = stride;
    stride *= in.dim(i);
  }
  // Dimensions of the output, innermost first; those that stay together are one.
  std::vector<StridedDims<2>::Dim> dims;
  int64_t out_stride = 1;
  for (size_t i = permutation.size(); i-- > 0;) {
    auto axis = static_cast<size_t>(permutation[i]);
    int64_t size = in.dim(axis);
    if (size == 1) continue;
    if (!dims.empty() && in_strides[axis] == dims.back().strides[0] * dims.back().size) {
      dims.back().size *= size;
    } else {
      dims.push_back({size, {in_strides[axis], out_stride}});
    }
    out_stride *= size;
  }
  if (dims.empty()) return;
  columns = dims[0].size;
  column_stride = dims[0].strides[0];
  for (size_t i = dims.size(); i-- > 1;) {
    if (column_stride != 1 && dims[i].strides[0] == 1) {
      rows = dims[i].size;
      row_stride = dims[i].strides[1];
    } else {
      outer.dims.push_back(dims[i]);
    }
  }
}

void Transpose(const TransposePlan& plan, size_t element_size, const void* in, void* out,
               int64_t begin, int64_t end) {
  auto run = [&]<typename T>(T*) {
    TransposeUnits(plan, static_cast<const T*>(in), static_cast<T*>(out), begin, end);
  };
  switch (element_size) {
    case 1:
      return run(static_cast<uint8_t*>(nullptr));
    case 2:
      return run(static_cast<uint16_t*>(nullptr));
    case 4:
      return run(static_cast<uint32_t*>(nullptr));
    case 8:
      return run(static_cast<uint64_t*>(nullptr));
    case 16:
      return run(static_cast<Bytes16*>(nullptr));
    default:
      assert(false && "no such element size");
  }
}

template <typename Index>
void Gather(const GatherSizes& sizes, const void* in, const Index* indices, void* out,
            int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    auto* to = static_cast<char*>(out) + static_cast<size_t>(row) * sizes.inner_bytes;
    const int64_t block = row / sizes.num_indices, batch = block / sizes.outer;
    const int64_t index = indices[batch * sizes.num_indices + row % sizes.num_indices];
    if (index < 0 || index >= sizes.size) {
      std::memset(to, 0, sizes.inner_bytes);
      continue;
    }
    auto from = static_cast<size_t>(block * sizes.size + index) * sizes.inner_bytes;
    std::memcpy(to, static_cast<const char*>(in) + from, sizes.inner_bytes);
  }
}
template void Gather(const GatherSizes&, const void*, const int32_t*, void*, int64_t, int64_t);
template void Gather(const GatherSizes&, const void*, const int64_t*, void*, int64_t, int64_t);

GatherNdPlan::GatherNdPlan(const TensorShape& in, size_t depth, size_t element_size)
    : dims(depth), slice_bytes(element_size) {
  for (size_t i = depth; i < in.rank(); ++i) slice_bytes *= static_cast<size_t>(in.dim(i));
  int64_t stride = 1;
  for (size_t i = depth; i-- > 0;) {
    dims[i] = {in.dim(i), stride};
    stride *= in.dim(i);
  }
}

namespace {

// The number of the slice that `index`, of plan.dims.size() numbers, names; -1: none.
template <typename Index>
int64_t SliceAt(const GatherNdPlan& plan, const Index* index) {
  int64_t slice = 0;
  for (size_t i = 0; i < plan.dims.size(); ++i) {
    const int64_t at = index[i];
    if (at < 0 || at >= plan.dims[i].size) return -1;
    slice += at * plan.dims[i].stride;
  }
  return slice;
}

}  // namespace

template <typename Index>
int64_t FirstOutside(const GatherNdPlan& plan, const Index* indices, int64_t begin, int64_t end) {
  const auto depth = static_cast<int64_t>(plan.dims.size());
  if (depth == 0) return end;  // however many rows, none has a number
  while (begin < end && SliceAt(plan, indices + begin * depth) >= 0) ++begin;
  return begin;
}

template <typename Index>
void GatherNd(const GatherNdPlan& plan, const void* in, const Index* indices, void* out,
              int64_t begin, int64_t end) {
  const auto depth = static_cast<int64_t>(plan.dims.size());
  for (int64_t row = begin; row < end; ++row) {
    auto* to = static_cast<char*>(out) + static_cast<size_t>(row) * plan.slice_bytes;
    const int64_t slice = SliceAt(plan, indices + row * depth);
    if (slice < 0) {
      std::memset(to, 0, plan.slice_bytes);
      continue;
    }
    auto from = static_cast<size_t>(slice) * plan.slice_bytes;
    std::memcpy(to, static_cast<const char*>(in) + from, plan.slice_bytes);
  }
}
#define TFRT_INSTANTIATE(Index)                                                       \
  template int64_t FirstOutside(const GatherNdPlan&, const Index*, int64_t, int64_t); \
  template void GatherNd(const GatherNdPlan&, const void*, const Index*, void*, int64_t, int64_t);
TFRT_INSTANTIATE(int32_t)
TFRT_INSTANTIATE(int64_t)
#undef TFRT_INSTANTIATE

void CopyRows(size_t row_bytes, const void* in, void* out, size_t out_stride, int64_t begin,
              int64_t end) {
  auto* from = static_cast<const char*>(in) + static_cast<size_t>(begin) * row_bytes;
  auto* to = static_cast<char*>(out) + static_cast<size_t>(begin) * out_stride;
  for (int64_t row = begin; row < end; ++row, from += row_bytes, to += out_stride) {
    std::memcpy(to, from, row_bytes);
  }
}

PadPlan::PadPlan(const TensorShape& in, std::span<const int64_t> padding) {
  int64_t stride = 1;
  for (size_t i = in.rank(); i-- > 0;) {
    int64_t before = padding[2 * i];
    Dim dim{in.dim(i), before + in.dim(i) + padding[2 * i + 1], before, stride};
    stride *= in.dim(i);
    bool is_padded = dim.in_size != dim.out_size;
    if (i + 1 == in.rank()) {
      row = dim;
    } else if (outer.empty() && row.in_size == row.out_size) {
      // Rows without padding are part of longer ones.
      row = {row.in_size * dim.in_size, row.out_size * dim.out_size, row.out_size * dim.before, 1};
    } else if (!outer.empty() && !is_padded && outer.back().in_size == outer.back().out_size) {
      outer.back().in_size *= dim.in_size;
      outer.back().out_size *= dim.out_size;
    } else {
      outer.push_back(dim);
    }
  }
  std::ranges::reverse(outer);
  for (const Dim& dim : outer) num_rows *= dim.out_size;
}

void Pad(const PadPlan& plan, float value, const float* in, float* out, int64_t begin,
         int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    float* to = out + i * plan.row.out_size;
    int64_t rest = i;
    int64_t offset = 0;
    bool inside = true;
    for (size_t d = plan.outer.size(); d-- > 0;) {
      const PadPlan::Dim& dim = plan.outer[d];
      int64_t position = rest % dim.out_size - dim.before;
      rest /= dim.out_size;
      inside = inside && position >= 0 && position < dim.in_size;
      offset += position * dim.in_stride;
    }
    if (!inside || plan.row.in_size == 0) {
      std::fill_n(to, plan.row.out_size, value);
      continue;
    }
    std::fill_n(to, plan.row.before, value);
    std::copy_n(in + offset, plan.row.in_size, to + plan.row.before);
    int64_t covered = plan.row.before + plan.row.in_size;
    std::fill_n(to + covered, plan.row.out_size - covered, value);
  }
}

}  // namespace tfrt::cpu
