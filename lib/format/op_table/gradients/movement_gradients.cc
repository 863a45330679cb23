// Ops that move elements: their gradients go back the way they came.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "gradient_families.h"

namespace tfrt::gradients {
namespace {

using Value = GradientValue;

// [rank,2], of the elements to add before and after in each dimension.
Value PaddingRows(GradientCall& call, const std::vector<int64_t>& paddings) {
  const int64_t matrix[] = {static_cast<int64_t>(paddings.size() / 2), 2};
  return call.Call("reshape", {call.Integers(paddings), call.Integers(matrix)});
}

// Zeros around a part of a tensor of `sizes`; of an unknown one, -1, the part has all.
Value PadBack(GradientCall& call, Value part, const std::vector<int64_t>& begin,
              const std::vector<int64_t>& part_sizes, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> paddings;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0) {
      paddings.insert(paddings.end(), 2, 0);
      continue;
    }
    paddings.push_back(begin[i]);
    paddings.push_back(sizes[i] - begin[i] - part_sizes[i]);
  }
  return call.Call("pad", {part, PaddingRows(call, paddings)});
}

// How far from one element to the next.
int64_t PaceOf(int64_t step) { return step > 0 ? step : -std::max(step, -INT64_MAX); }

// Describes the elements that a strided slice takes of a dimension.
struct Taken {
  int64_t begin = 0;
  int64_t step = 1;
  int64_t count = -1;  // -1: all of an unknown size
};

// A strided slice by its arguments and masks.
struct StridedEntries {
  std::vector<int64_t> begin, end, strides;
  uint64_t begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0, shrink_mask = 0;

  static bool Has(uint64_t mask, size_t i) { return (mask >> i & 1) != 0; }
  bool IsIndexed(size_t i) const { return !Has(ellipsis_mask, i) && !Has(new_axis_mask, i); }
  size_t count() const { return std::min({begin.size(), end.size(), strides.size()}); }

  // Returns the elements that entry i takes of `size`. An unknown size, -1, is taken whole or not
  // at all.
  std::optional<Taken> Take(size_t i, int64_t size) const {
    const bool open_begin = Has(begin_mask, i), open_end = Has(end_mask, i);
    const int64_t step = strides[i];
    auto place = [&](int64_t at) { return at < 0 ? at + size : at; };
    if (size < 0) {
      if (!open_begin || !open_end || step != 1 || Has(shrink_mask, i)) return std::nullopt;
      return Taken{};
    }
    if (Has(shrink_mask, i)) return Taken{place(begin[i]), 1, 1};
    const int64_t lowest = step > 0 ? 0 : -1, highest = step > 0 ? size : size - 1;
    int64_t first = step > 0 ? lowest : highest, last = step > 0 ? highest : lowest;
    if (!open_begin) first = std::clamp(place(begin[i]), lowest, highest);
    if (!open_end) last = std::clamp(place(end[i]), lowest, highest);
    const int64_t length = step > 0 ? last - first : first - last;
    return Taken{first, step, length > 0 ? 1 + (length - 1) / PaceOf(step) : 0};
  }
};

// The sizes, of which one may be unknown: -1.
std::vector<int64_t> SizesBut1(GradientCall& call, Value value) {
  std::vector<int64_t> sizes;
  size_t unknown = 0;
  const SymbolicShape& shape = call.TypeOf(value).shape;
  for (size_t i = 0, rank = call.RankOf(value); i < rank; ++i) {
    unknown += !shape.dim(i).is_known();
    sizes.push_back(shape.dim(i).is_known() ? shape.dim(i).value() : -1);
  }
  if (unknown > 1) call.Fail("one size of " + call.TypeOf(value).ToString() + " may be unknown");
  return sizes;
}

// Returns the elements taken of each dimension of the argument. Fails where they are unknown.
std::vector<Taken> TakenOf(GradientCall& call, const StridedEntries& entries,
                           const std::vector<int64_t>& sizes) {
  size_t indexed = 0;
  for (size_t i = 0; i < entries.count(); ++i) indexed += entries.IsIndexed(i);
  std::vector<Taken> taken;
  auto take_whole = [&](size_t count) {
    for (; count > 0 && taken.size() < sizes.size(); --count) {
      taken.push_back({.count = sizes[taken.size()]});
    }
  };
  for (size_t i = 0; i < entries.count() && taken.size() < sizes.size(); ++i) {
    if (StridedEntries::Has(entries.ellipsis_mask, i)) {
      take_whole(sizes.size() - std::min(sizes.size(), indexed));
    } else if (entries.IsIndexed(i)) {
      const std::optional<Taken> part = entries.Take(i, sizes[taken.size()]);
      if (!part) call.Fail("a size of which a part is taken must be known");
      taken.push_back(part.value_or(Taken()));
    }
  }
  take_whole(sizes.size());
  return taken;
}

// Zeros between the elements along a dimension, `step - 1` of them. `sizes` become the new ones.
Value Stretch(GradientCall& call, Value part, size_t dim, int64_t step,
              std::vector<int64_t>& sizes) {
  const auto at = static_cast<std::ptrdiff_t>(dim);
  std::vector<int64_t> split = sizes;
  split.insert(split.begin() + at + 1, 1);
  std::vector<int64_t> wide = split, none(split.size());
  wide[dim + 1] = step;
  part = PadBack(call, call.Call("reshape", {part, call.Integers(split)}), none, split, wide);
  sizes[dim] *= step;
  part = call.Call("reshape", {part, call.Integers(sizes)});
  sizes[dim] -= step - 1;
  std::vector<int64_t> all(sizes.size(), -1);
  all[dim] = sizes[dim];
  const std::vector<int64_t> start(sizes.size());
  return call.Call("slice", {part, call.Integers(start), call.Integers(all)});
}

template <bool to_depth>
void Blocks(GradientCall& call) {
  call.SetGradient(0, call.Call(to_depth ? "depth_to_space" : "space_to_depth", {call.gradient(0)},
                                call.SameAttrs({"block", "channels_last", "columns_first"})));
}

}  // namespace

void Reshape(GradientCall& call) {
  call.SetGradient(0, call.Reshape(call.gradient(0), call.argument(0)));
}
void Transpose(GradientCall& call) {
  const std::vector<int64_t> order = call.ElementsOf(1);
  std::vector<int64_t> back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const int64_t axis = order[i] < 0 ? order[i] + static_cast<int64_t>(order.size()) : order[i];
    if (axis < 0 || axis >= static_cast<int64_t>(order.size())) return call.Fail("a wrong axis");
    back[static_cast<size_t>(axis)] = static_cast<int64_t>(i);
  }
  call.SetGradient(0, call.Call("transpose", {call.gradient(0), call.Integers(back)}));
}

// The parts of the result, one after the other.
void Concat(GradientCall& call) {
  const size_t count = call.num_arguments() - 1;
  const std::vector<int64_t> axes = call.ElementsOf(count);
  const size_t rank = call.RankOf(call.result(0));
  if (axes.size() != 1 || rank == 0) return call.Fail("the axis must be one number");
  const auto axis =
      static_cast<size_t>(axes[0] < 0 ? axes[0] + static_cast<int64_t>(rank) : axes[0]);
  std::vector<int64_t> begin(rank);
  for (size_t i = 0; i < count; ++i) {
    call.SetGradient(i, call.Call("slice", {call.gradient(0), call.Integers(begin),
                                            call.ShapeOf(call.argument(i))}));
    if (i + 1 == count) break;
    const SymbolicShape& shape = call.TypeOf(call.argument(i)).shape;
    if (!shape.has_rank() || axis >= shape.rank() || !shape.dim(axis).is_known()) {
      return call.Fail("the sizes along the axis must be known");
    }
    begin[axis] += shape.dim(axis).value();
  }
}
void Slice(GradientCall& call) {
  const std::vector<int64_t> begin = call.ElementsOf(1), sizes = call.SizesOf(call.argument(0)),
                             part = call.SizesOf(call.result(0));
  if (begin.size() != sizes.size() || part.size() != sizes.size()) return;
  call.SetGradient(0, PadBack(call, call.gradient(0), begin, part, sizes));
}
void StridedSlice(GradientCall& call) {
  auto mask = [&](std::string_view name) {
    return static_cast<uint64_t>(call.Attr<int64_t>(name));
  };
  const StridedEntries entries = {
      call.ElementsOf(1), call.ElementsOf(2),    call.ElementsOf(3),    mask("begin_mask"),
      mask("end_mask"),   mask("ellipsis_mask"), mask("new_axis_mask"), mask("shrink_axis_mask")};
  const std::vector<int64_t> sizes = SizesBut1(call, call.argument(0));
  const std::vector<Taken> taken = TakenOf(call, entries, sizes);
  std::vector<int64_t> begin, counts, backwards(sizes.size(), 1);
  for (size_t i = 0; i < taken.size(); ++i) {
    const Taken& part = taken[i];
    if (part.count == 0) return call.SetGradient(0, call.ZerosLike(call.argument(0)));
    begin.push_back(part.step > 0 ? part.begin : part.begin + part.step * (part.count - 1));
    counts.push_back(part.count);
    if (part.step < 0) backwards[i] = -1;
  }
  Value part = call.Call("reshape", {call.gradient(0), call.Integers(counts)});
  if (std::ranges::count(backwards, -1) > 0) {
    const int64_t all = (int64_t{1} << sizes.size()) - 1;
    const GradientAttr attrs[] = {{"begin_mask", all}, {"end_mask", all}};
    const Value open = call.Integers(std::vector<int64_t>(sizes.size()));
    part = call.Call("strided_slice", {part, open, open, call.Integers(backwards)}, attrs);
  }
  for (size_t i = 0; i < taken.size(); ++i) {
    const int64_t pace = PaceOf(taken[i].step);
    if (pace > 1 && counts[i] > 1) part = Stretch(call, part, i, pace, counts);
  }
  call.SetGradient(0, PadBack(call, part, begin, counts, sizes));
}

// Cuts off what was added, and adds zeros where elements were cut off.
void Pad(GradientCall& call) {
  std::vector<int64_t> paddings = call.ElementsOf(1);
  for (int64_t& padding : paddings) padding = -std::max(padding, -INT64_MAX);
  call.SetGradient(0, call.Call("pad", {call.gradient(0), PaddingRows(call, paddings)}));
}

// The constant has what is left.
void PadWith(GradientCall& call) {
  Pad(call);
  std::vector<int64_t> all(call.RankOf(call.result(0)));
  std::iota(all.begin(), all.end(), 0);
  const Value axes = call.Integers(all), inside = call.argument_gradients()[0];
  const Value rest = call.Sub(call.Call("reduce_sum", {call.gradient(0), axes}),
                              call.Call("reduce_sum", {inside, axes}));
  call.SetGradient(2, call.Reshape(rest, call.argument(2)));
}

// The sum over the repetitions.
void Tile(GradientCall& call) {
  const std::vector<int64_t> multiples = call.ElementsOf(1),
                             sizes = SizesBut1(call, call.argument(0));
  if (multiples.size() != sizes.size()) return;
  std::vector<int64_t> split, axes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    axes.push_back(static_cast<int64_t>(split.size()));
    split.push_back(multiples[i]);
    split.push_back(sizes[i]);
  }
  const Value parts = call.Call("reshape", {call.gradient(0), call.Integers(split)});
  call.SetGradient(0, call.Call("reduce_sum", {parts, call.Integers(axes)}));
}
void Triangle(GradientCall& call) {
  call.SetGradient(
      0, call.Call("triangle", {call.gradient(0), call.argument(1)}, call.SameAttrs({"upper"})));
}
void ReverseSequence(GradientCall& call) {
  call.SetGradient(0, call.Call("reverse_sequence", {call.gradient(0), call.argument(1)},
                                call.SameAttrs({"batch_axis", "time_axis"})));
}
void BroadcastTo(GradientCall& call) {
  call.SetGradient(0, call.SumTo(call.gradient(0), call.argument(0)));
}

// Each element of the argument is part of one sum.
void SumTo(GradientCall& call) {
  call.SetGradient(0, call.BroadcastTo(call.gradient(0), call.argument(0)));
}
void Fill(GradientCall& call) {
  call.SetGradient(1, call.SumTo(call.gradient(0), call.argument(1)));
}

// The row that is written does not come from the list.
void ListWrite(GradientCall& call) {
  const Value list = call.argument(0), index = call.argument(1), value = call.argument(2);
  const Value g = call.gradient(0);
  const Value others = call.Call("list_write", {g, index, call.ZerosLike(value)});
  const std::vector<int64_t> start(call.RankOf(list));
  call.SetGradient(0, call.Call("slice", {others, call.Integers(start), call.ShapeOf(list)}));
  const Value zero = call.Reshape(call.Integers(std::vector<int64_t>{0}), index);
  const Value row = call.Call("gather", {g, index, zero});
  call.SetGradient(2, call.Reshape(row, value));
}
void DepthToSpace(GradientCall& call) { Blocks<false>(call); }
void SpaceToDepth(GradientCall& call) { Blocks<true>(call); }

}  // namespace tfrt::gradients
