#include "tfrt/kernels/cpu/slice.h"

#include <string_view>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::cpu {

StatusOr<Box> BoxOf(const TensorShape& in, std::span<const int64_t> begin,
                    std::span<const int64_t> size) {
  const size_t rank = in.rank();
  for (auto [name, numbers] :
       {std::pair<std::string_view, std::span<const int64_t>>{"begin", begin}, {"size", size}}) {
    if (numbers.size() == rank) continue;
    return InvalidArgumentError(
        StrCat("slice: ", name, " has ", numbers.size(), " numbers, expected ", rank));
  }
  std::vector<int64_t> dims(rank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t from = begin[i], all = in.dim(i);
    if (from >= 0 && from <= all && size[i] >= -1 && size[i] <= all - from) {
      dims[i] = size[i] == -1 ? all - from : size[i];
      continue;
    }
    return InvalidArgumentError(StrCat("slice: ", size[i], " elements from ", from,
                                       " on are not in dimension ", i, " of the shape ",
                                       in.ToString()));
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  return Box{{begin.begin(), begin.end()}, std::move(shape)};
}

size_t NumRows(const Box& box) {
  if (box.shape.num_elements() == 0) return 0;
  const size_t rank = box.shape.rank();
  return rank == 0 ? 1 : box.shape.num_elements() / box.shape.dim(rank - 1);
}

}  // namespace tfrt::cpu
