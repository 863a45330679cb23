#include "batch_broadcast.h"

#include <algorithm>

namespace tfrt {

BatchBroadcast::BatchBroadcast(const TensorShape& a, const TensorShape& b) {
  const size_t rank = std::max(a.rank(), b.rank());
  int64_t a_count = 1, b_count = 1;
  for (size_t back = 2; back < rank; ++back) {  // from the innermost one outwards
    const int64_t x = back < a.rank() ? a.dim(a.rank() - 1 - back) : 1;
    const int64_t y = back < b.rank() ? b.dim(b.rank() - 1 - back) : 1;
    const Dim dim{x == 1 ? y : x, x == 1 ? 0 : a_count, y == 1 ? 0 : b_count};
    a_count *= x;
    b_count *= y;
    if (dim.size == 1) continue;
    if (!dims.empty() && dim.a_stride == dims.back().a_stride * dims.back().size &&
        dim.b_stride == dims.back().b_stride * dims.back().size) {
      dims.back().size *= dim.size;
    } else {
      dims.push_back(dim);
    }
  }
  std::ranges::reverse(dims);
}

int64_t BatchBroadcast::size() const {
  int64_t size = 1;
  for (const Dim& dim : dims) size *= dim.size;
  return size;
}

BatchBroadcast::Pair BatchBroadcast::At(int64_t index) const {
  Pair pair{0, 0};
  for (size_t i = dims.size(); i-- > 0;) {
    const int64_t step = index % dims[i].size;
    index /= dims[i].size;
    pair.a += step * dims[i].a_stride;
    pair.b += step * dims[i].b_stride;
  }
  return pair;
}

}  // namespace tfrt
