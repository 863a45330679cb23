// Ops that move elements: their gradients go back the way they came.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gradient_families.h"

namespace tfrt {
namespace {

using Value = GradientValue;

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

// Zeros around a part of a tensor of `sizes`.
Value PadBack(GradientCall& call, Value part, const std::vector<int64_t>& begin,
              const std::vector<int64_t>& part_sizes, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> paddings;
  for (size_t i = 0; i < sizes.size(); ++i) {
    paddings.push_back(begin[i]);
    paddings.push_back(sizes[i] - begin[i] - part_sizes[i]);
  }
  const int64_t matrix[] = {static_cast<int64_t>(sizes.size()), 2};
  const Value rows = call.Call("reshape", {call.Integers(paddings), call.Integers(matrix)});
  return call.Call("pad", {part, rows});
}

void Slice(GradientCall& call) {
  const std::vector<int64_t> begin = call.ElementsOf(1), sizes = call.SizesOf(call.argument(0)),
                             part = call.SizesOf(call.result(0));
  if (begin.size() != sizes.size() || part.size() != sizes.size()) return;
  call.SetGradient(0, PadBack(call, call.gradient(0), begin, part, sizes));
}

// What one entry of a strided slice takes of a dimension.
struct Taken {
  int64_t begin = 0;
  int64_t size = 0;
};

void StridedSlice(GradientCall& call) {
  const std::vector<int64_t> begin = call.ElementsOf(1), end = call.ElementsOf(2),
                             strides = call.ElementsOf(3), sizes = call.SizesOf(call.argument(0));
  auto mask = [&](std::string_view name) {
    return static_cast<uint64_t>(call.Attr<int64_t>(name));
  };
  const uint64_t begin_mask = mask("begin_mask"), end_mask = mask("end_mask"),
                 shrink = mask("shrink_axis_mask");
  if ((mask("ellipsis_mask") | mask("new_axis_mask")) != 0) {
    return call.Fail("there is no rule for '...' and new axes");
  }
  std::vector<int64_t> first, taken;
  for (size_t i = 0; i < sizes.size(); ++i) {
    Taken part{0, sizes[i]};
    if (i < strides.size() && i < begin.size() && i < end.size()) {
      const bool is_one = (shrink >> i & 1) != 0;
      if (strides[i] != 1 && !is_one) return call.Fail("steps must be 1");
      auto place = [&](int64_t at) { return at < 0 ? at + sizes[i] : at; };
      if ((begin_mask >> i & 1) == 0 || is_one) {
        part.begin = std::clamp<int64_t>(place(begin[i]), 0, sizes[i]);
      }
      int64_t last = sizes[i];
      if ((end_mask >> i & 1) == 0) last = std::clamp<int64_t>(place(end[i]), 0, sizes[i]);
      part.size = is_one ? 1 : std::max<int64_t>(last - part.begin, 0);
    }
    first.push_back(part.begin);
    taken.push_back(part.size);
  }
  const Value part = call.Call("reshape", {call.gradient(0), call.Integers(taken)});
  call.SetGradient(0, PadBack(call, part, first, taken, sizes));
}

void Pad(GradientCall& call) {
  const std::vector<int64_t> paddings = call.ElementsOf(1);
  std::vector<int64_t> begin;
  for (size_t i = 0; i < paddings.size(); i += 2) begin.push_back(paddings[i]);
  call.SetGradient(0, call.Call("slice", {call.gradient(0), call.Integers(begin),
                                          call.ShapeOf(call.argument(0))}));
}

// Rows that are taken several times get all of their gradients.
void Gather(GradientCall& call) {
  const std::vector<int64_t> axis = call.ElementsOf(2);
  if (axis.size() != 1 || axis[0] != 0 || call.Attr<int64_t>("batch_dims") != 0) {
    return call.Fail("there is a rule for axis 0 only");
  }
  const Value indices = call.argument(1), params = call.argument(0);
  const int64_t last[] = {-1};
  const Value places = call.Call("expand_dims", {indices, call.Integers(last)});
  const GradientAttr attrs[] = {{"reduction", std::string("add")}};
  call.SetGradient(
      0, call.Call("scatter_nd", {call.ZerosLike(params), places, call.gradient(0)}, attrs));
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

constexpr NamedGradientRule kRules[] = {
    {"broadcast_to", BroadcastTo},
    {"concat", Concat},
    {"expand_dims", Reshape},
    {"fill", Fill},
    {"gather", Gather},
    {"list_write", ListWrite},
    {"pad", Pad},
    {"reshape", Reshape},
    {"slice", Slice},
    {"squeeze", Reshape},
    {"strided_slice", StridedSlice},
    {"sum_to", SumTo},
    {"transpose", Transpose},
};

}  // namespace

std::span<const NamedGradientRule> MovementGradients() { return kRules; }

}  // namespace tfrt
