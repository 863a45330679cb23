#include "slice.h"

#include <bit>
#include <string_view>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::cpu {
namespace {

// The longest begin, end and strides: as many as a mask of TensorFlow has bits.
constexpr size_t kMaxEntries = 32;

// Dimensions taken whole at the end become one with what is before them: longer rows.
void JoinWholeDims(std::vector<Box::Dim>& dims) {
  while (dims.size() > 1) {
    const Box::Dim last = dims.back();
    Box::Dim& before = dims[dims.size() - 2];
    if (last.size != last.in_size || last.stride != 1 || before.stride != 1) return;
    before = {before.in_size * last.in_size, before.begin * last.in_size, 1,
              before.size * last.in_size};
    dims.pop_back();
  }
}

bool HasBit(int64_t mask, size_t i) { return (static_cast<uint64_t>(mask) >> i & 1) != 0; }

// One end of in[begin:end:stride], counted from the first element on; numbers past an end of the
// dimension stop there.
int64_t Bound(int64_t number, int64_t size, int64_t low, int64_t high) {
  return std::clamp(number < 0 ? number + size : number, low, high);
}

// Returns the range that in[begin:end:stride] takes of a dimension that is neither shrunk nor new.
Box::Dim Range(int64_t in_size, int64_t begin, int64_t end, int64_t stride, bool open_begin,
               bool open_end) {
  // Where the walk may begin and end, both ways.
  const int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? in_size : in_size - 1;
  const int64_t from = open_begin ? (stride > 0 ? low : high) : Bound(begin, in_size, low, high);
  const int64_t to = open_end ? (stride > 0 ? high : low) : Bound(end, in_size, low, high);
  const int64_t length = to - from;
  if (length == 0 || (length < 0) != (stride < 0)) return {in_size, 0, 1, 0};
  const int64_t size = length / stride + (length % stride != 0);
  // One element has no next one, whatever the stride.
  return {in_size, from, size == 1 ? 1 : stride, size};
}

}  // namespace

StatusOr<Box> BoxOf(const TensorShape& in, std::span<const int64_t> begin,
                    std::span<const int64_t> size) {
  const size_t rank = in.rank();
  for (auto [name, numbers] :
       {std::pair<std::string_view, std::span<const int64_t>>{"begin", begin}, {"size", size}}) {
    if (numbers.size() == rank) continue;
    return InvalidArgumentError(
        StrCat("slice: ", name, " has ", numbers.size(), " numbers, expected ", rank));
  }
  std::vector<int64_t> sizes(rank);
  std::vector<Box::Dim> dims(rank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t from = begin[i], all = in.dim(i);
    if (from >= 0 && from <= all && size[i] >= -1 && size[i] <= all - from) {
      sizes[i] = size[i] == -1 ? all - from : size[i];
      dims[i] = {all, from, 1, sizes[i]};
      continue;
    }
    return InvalidArgumentError(StrCat("slice: ", size[i], " elements from ", from,
                                       " on are not in dimension ", i, " of the shape ",
                                       in.ToString()));
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(sizes));
  JoinWholeDims(dims);
  return Box{std::move(dims), std::move(shape)};
}

StatusOr<Box> StridedBoxOf(const TensorShape& in, std::span<const int64_t> begin,
                           std::span<const int64_t> end, std::span<const int64_t> strides,
                           const SliceMasks& masks) {
  const size_t entries = begin.size();
  if (end.size() != entries || strides.size() != entries || entries > kMaxEntries) {
    return InvalidArgumentError(StrCat(
        "strided_slice: begin, end and strides have ", begin.size(), ", ", end.size(), " and ",
        strides.size(), " numbers, expected as many of each, ", kMaxEntries, " at most"));
  }
  const uint64_t ellipsis = static_cast<uint64_t>(masks.ellipsis) & ((uint64_t{1} << entries) - 1);
  if (std::popcount(ellipsis) > 1) {
    return InvalidArgumentError(
        StrCat("strided_slice: the ellipsis mask ", masks.ellipsis, " has more than one bit"));
  }
  size_t indexed = 0;
  for (size_t i = 0; i < entries; ++i) {
    indexed += !HasBit(ellipsis, i) && !HasBit(masks.new_axis, i);
  }
  if (indexed > in.rank()) {
    return InvalidArgumentError(StrCat("strided_slice: ", indexed,
                                       " dimensions are indexed, but the shape ", in.ToString(),
                                       " has ", in.rank()));
  }
  std::vector<Box::Dim> dims;
  std::vector<int64_t> sizes;
  auto take_whole = [&](size_t count) {
    for (; count > 0; --count) {
      const int64_t size = in.dim(dims.size());
      dims.push_back({size, 0, 1, size});
      sizes.push_back(size);
    }
  };
  for (size_t i = 0; i < entries; ++i) {
    if (HasBit(ellipsis, i)) {
      take_whole(in.rank() - indexed);
      continue;
    }
    if (HasBit(masks.new_axis, i)) {
      sizes.push_back(1);
      continue;
    }
    const size_t d = dims.size();
    const int64_t size = in.dim(d);
    if (strides[i] == 0) {
      return InvalidArgumentError(StrCat("strided_slice: the stride of dimension ", d, " is 0"));
    }
    if (!HasBit(masks.shrink_axis, i)) {
      dims.push_back(
          Range(size, begin[i], end[i], strides[i], HasBit(masks.begin, i), HasBit(masks.end, i)));
      sizes.push_back(dims.back().size);
      continue;
    }
    if (strides[i] < 0) {
      return InvalidArgumentError(StrCat("strided_slice: the stride of dimension ", d,
                                         ", which is shrunk, is ", strides[i],
                                         ", expected 1 or more"));
    }
    const int64_t index = begin[i] < 0 ? begin[i] + size : begin[i];
    if (index < 0 || index >= size) {
      return InvalidArgumentError(StrCat("strided_slice: index ", begin[i],
                                         " is out of range for dimension ", d, " of the shape ",
                                         in.ToString()));
    }
    dims.push_back({size, index, 1, 1});
  }
  take_whole(in.rank() - dims.size());
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(sizes));
  JoinWholeDims(dims);
  return Box{std::move(dims), std::move(shape)};
}

size_t NumRows(const Box& box) {
  if (box.shape.num_elements() == 0) return 0;
  return box.shape.num_elements() / static_cast<int64_t>(RowSize(box));
}

CopyPlan BoxPlan(const Box& box, int64_t* first) {
  CopyDims dims(box.dims.size());
  int64_t in_stride = 1, out_stride = 1;
  *first = 0;
  for (size_t i = dims.size(); i-- > 0;) {
    const Box::Dim& dim = box.dims[i];
    *first += dim.begin * in_stride;
    dims[i] = {dim.size, {dim.stride * in_stride, out_stride}};
    in_stride *= dim.in_size;
    out_stride *= dim.size;
  }
  return CopyPlan(dims);
}

}  // namespace tfrt::cpu
