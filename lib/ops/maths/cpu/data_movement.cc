#include "data_movement.h"

#include <algorithm>
#include <cstring>

namespace tfrt::cpu {
namespace {

// As many bytes as `kBytes` says; 0: as `bytes` says.
template <size_t kBytes, typename Index>
void GatherRows(const GatherSizes& sizes, const char* in, const Index* indices, char* out,
                int64_t begin, int64_t end) {
  const size_t bytes = kBytes == 0 ? sizes.inner_bytes : kBytes;
  char* to = out + static_cast<size_t>(begin) * bytes;
  while (begin < end) {
    const int64_t block = begin / sizes.num_indices, first = begin % sizes.num_indices;
    const int64_t count = std::min(end - begin, sizes.num_indices - first);
    const Index* which = indices + block / sizes.outer * sizes.num_indices + first;
    const char* from = in + static_cast<size_t>(block * sizes.size) * bytes;
    for (int64_t i = 0; i < count; ++i, to += bytes) {
      int64_t index = which[i];
      if (index < 0) index += sizes.size;
      if (index < 0 || index >= sizes.size) {
        std::memset(to, 0, bytes);
      } else {
        std::memcpy(to, from + static_cast<size_t>(index) * bytes, bytes);
      }
    }
    begin += count;
  }
}

}  // namespace

template <typename Index>
void Gather(const GatherSizes& sizes, const void* in, const Index* indices, void* out,
            int64_t begin, int64_t end) {
  const auto* from = static_cast<const char*>(in);
  auto* to = static_cast<char*>(out);
  switch (sizes.inner_bytes) {
    case 4:
      return GatherRows<4>(sizes, from, indices, to, begin, end);
    case 8:
      return GatherRows<8>(sizes, from, indices, to, begin, end);
    default:
      return GatherRows<0>(sizes, from, indices, to, begin, end);
  }
}

template <typename Index>
int64_t FirstOutside(const Index* indices, int64_t count, int64_t least, int64_t size) {
  int64_t i = 0;
  while (i < count && indices[i] >= least && indices[i] < size) ++i;
  return i;
}

GatherNdPlan::GatherNdPlan(const TensorShape& in, size_t depth, size_t element_size)
    : dims(depth), slice_bytes(element_size) {
  for (size_t i = depth; i < in.rank(); ++i) slice_bytes *= static_cast<size_t>(in.dim(i));
  int64_t stride = 1;
  for (size_t i = depth; i-- > 0;) {
    dims[i] = {in.dim(i), stride};
    stride *= in.dim(i);
  }
}

template <typename Index>
int64_t SliceOf(const GatherNdPlan& plan, const Index* indices, int64_t row) {
  const Index* index = indices + row * static_cast<int64_t>(plan.dims.size());
  int64_t slice = 0;
  for (size_t i = 0; i < plan.dims.size(); ++i) {
    int64_t at = index[i];
    if (at < 0 && plan.from_end) at += plan.dims[i].size;
    if (at < 0 || at >= plan.dims[i].size) return -1;
    slice += at * plan.dims[i].stride;
  }
  return slice;
}

template <typename Index>
int64_t FirstOutside(const GatherNdPlan& plan, const Index* indices, int64_t begin, int64_t end) {
  if (plan.dims.empty()) return end;  // however many rows, none has a number
  while (begin < end && SliceOf(plan, indices, begin) >= 0) ++begin;
  return begin;
}

template <typename Index>
void GatherNd(const GatherNdPlan& plan, const void* in, const Index* indices, void* out,
              int64_t begin, int64_t end) {
  if (plan.slice_bytes == 0) return;  // there may be any number of rows
  for (int64_t row = begin; row < end; ++row) {
    auto* to = static_cast<char*>(out) + static_cast<size_t>(row) * plan.slice_bytes;
    const int64_t slice = SliceOf(plan, indices, row);
    if (slice < 0) {
      std::memset(to, 0, plan.slice_bytes);
      continue;
    }
    auto from = static_cast<size_t>(slice) * plan.slice_bytes;
    std::memcpy(to, static_cast<const char*>(in) + from, plan.slice_bytes);
  }
}

#define TFRT_INSTANTIATE(Index)                                                                 \
  template void Gather(const GatherSizes&, const void*, const Index*, void*, int64_t, int64_t); \
  template int64_t FirstOutside(const Index*, int64_t, int64_t, int64_t);                       \
  template int64_t SliceOf(const GatherNdPlan&, const Index*, int64_t);                         \
  template int64_t FirstOutside(const GatherNdPlan&, const Index*, int64_t, int64_t);           \
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

}  // namespace tfrt::cpu
