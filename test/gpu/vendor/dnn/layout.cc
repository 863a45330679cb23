#include "layout.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tfrt::gpu::cudnn_double {

using namespace cudnn;  // NOLINT: the vendor's names

size_t ElementBytes(cudnnDataType_t type) {
  switch (type) {
    case CUDNN_DATA_DOUBLE:
    case CUDNN_DATA_INT64:
      return 8;
    case CUDNN_DATA_FLOAT:
    case CUDNN_DATA_INT32:
      return 4;
    case CUDNN_DATA_HALF:
    case CUDNN_DATA_BFLOAT16:
      return 2;
    case CUDNN_DATA_INT8:
    case CUDNN_DATA_UINT8:
    case CUDNN_DATA_INT8x4:
    case CUDNN_DATA_UINT8x4:
    case CUDNN_DATA_INT8x32:
    case CUDNN_DATA_BOOLEAN:
      return 1;
  }
  return 0;
}

int VectorSize(cudnnDataType_t type) {
  switch (type) {
    case CUDNN_DATA_INT8x4:
    case CUDNN_DATA_UINT8x4:
      return 4;
    case CUDNN_DATA_INT8x32:
      return 32;
    default:
      return 1;
  }
}

int64_t Layout::num_elements() const {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

bool Layout::is_packed() const {
  std::vector<tfrtDoubleRange> ranges;
  AppendRanges(*this, nullptr, 0, &ranges);
  return ranges.size() == 1 &&
         ranges[0].size_bytes == static_cast<uint64_t>(num_elements()) * ElementBytes(type);
}

std::vector<int64_t> RowStrides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= dims[d];
  }
  return strides;
}

std::vector<int64_t> ChannelsLastStrides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size());
  strides[1] = 1;
  int64_t stride = dims[1];
  for (size_t d = dims.size(); d-- > 2;) {
    strides[d] = stride;
    stride *= dims[d];
  }
  strides[0] = stride;
  return strides;
}

void AppendRanges(const Layout& layout, const void* address, int32_t use,
                  std::vector<tfrtDoubleRange>* ranges) {
  struct Dim {
    int64_t size, stride;  // in elements
  };
  std::vector<Dim> dims;
  for (int d = 0; d < layout.rank(); ++d) {
    const int64_t size = d == 1 ? layout.dims[d] / layout.vector_size : layout.dims[d];
    if (size > 1) dims.push_back({size, layout.strides[d] * layout.vector_size});
  }
  std::ranges::sort(dims, {}, &Dim::stride);
  // The dimensions that lie side by side are one run.
  int64_t run = layout.vector_size;
  size_t inner = 0;
  while (inner < dims.size() && dims[inner].stride == run) run *= dims[inner++].size;
  const auto bytes = static_cast<int64_t>(ElementBytes(layout.type));
  const auto base = static_cast<int64_t>(reinterpret_cast<uintptr_t>(address));
  std::vector<int64_t> starts = {base};
  for (size_t d = inner; d < dims.size(); ++d) {
    const size_t num_starts = starts.size();
    for (int64_t i = 1; i < dims[d].size; ++i) {
      for (size_t s = 0; s < num_starts; ++s) {
        starts.push_back(starts[s] + i * dims[d].stride * bytes);
      }
    }
  }
  std::ranges::sort(starts);
  const size_t first = ranges->size();
  for (const int64_t start : starts) {
    const int64_t end = start + run * bytes;
    if (ranges->size() > first) {
      tfrtDoubleRange& last = ranges->back();
      const int64_t last_end = static_cast<int64_t>(last.address + last.size_bytes);
      if (start <= last_end) {
        last.size_bytes += static_cast<uint64_t>(std::max<int64_t>(0, end - last_end));
        continue;
      }
    }
    ranges->push_back({static_cast<uint64_t>(start), static_cast<uint64_t>(run * bytes), use});
  }
}

}  // namespace tfrt::gpu::cudnn_double
