#include "element_places.h"

#include <cassert>

#include "element_size.h"
#include "strided_copy.h"

namespace tfrt::cpu {

ElementPlaces::ElementPlaces(const TensorShape& tensor, const TensorShape& indices, size_t axis)
    : axis_size(tensor.dim(axis)) {
  assert(tensor.rank() == indices.rank());
  std::vector<int64_t> strides = RowMajorStrides(tensor);
  axis_stride = strides[axis];
  strides[axis] = 0;
  const size_t last = indices.rank() - 1;
  for (size_t i = 0; i < last; ++i) outer.dims.push_back({indices.dim(i), {strides[i]}});
  columns = indices.dim(last);
  column_stride = strides[last];
}

template <typename Index>
void GatherElements(const ElementPlaces& places, size_t element_size, const void* in,
                    const Index* indices, void* out, int64_t begin, int64_t end) {
  WithElementOfSize(element_size, [&]<typename T>(std::type_identity<T>) {
    const T* from = static_cast<const T*>(in);
    T* to = static_cast<T*>(out);
    places.ForEach(indices, begin, end,
                   [&](int64_t i, int64_t offset) { to[i] = offset < 0 ? T() : from[offset]; });
  });
}
template void GatherElements(const ElementPlaces&, size_t, const void*, const int32_t*, void*,
                             int64_t, int64_t);
template void GatherElements(const ElementPlaces&, size_t, const void*, const int64_t*, void*,
                             int64_t, int64_t);

}  // namespace tfrt::cpu
