// Ops that read and write at places: what is read at a place several times gets all of its
// gradients.

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "gradient_families.h"

namespace tfrt::gradients {
namespace {

using Value = GradientValue;

Value AddAtPlaces(GradientCall& call, Value like, Value places, Value values) {
  const GradientAttr attrs[] = {{"reduction", std::string("add")}};
  return call.Call("scatter_nd", {call.ZerosLike(like), places, values}, attrs);
}

Value AddAlongAxis(GradientCall& call, Value like, Value indices, Value values, int64_t axis) {
  const GradientAttr attrs[] = {{"axis", axis}, {"reduction", std::string("add")}};
  return call.Call("scatter_elements", {call.ZerosLike(like), indices, values}, attrs);
}

std::vector<int64_t> From(size_t begin, size_t end) {
  std::vector<int64_t> axes(end - begin);
  std::iota(axes.begin(), axes.end(), static_cast<int64_t>(begin));
  return axes;
}
void Append(std::vector<int64_t>& to, const std::vector<int64_t>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Value Transposed(GradientCall& call, Value value, const std::vector<int64_t>& order) {
  if (std::ranges::is_sorted(order)) return value;
  return call.Call("transpose", {value, call.Integers(order)});
}

// Returns the gradient of gathered parameters whose axis comes first: `g` is added at the rows that
// the indices name.
Value GatherRows(GradientCall& call, Value params, Value indices, Value g) {
  const int64_t last[] = {-1};
  return AddAtPlaces(call, params, call.Call("expand_dims", {indices, call.Integers(last)}), g);
}

// The gradient and the parameters with the axis in front, and back.
void GatherAlong(GradientCall& call, size_t axis) {
  const Value params = call.argument(0), indices = call.argument(1), g = call.gradient(0);
  const size_t rank = call.RankOf(params), taken = call.RankOf(indices);
  if (axis >= rank) return;
  std::vector<int64_t> g_order = From(axis, axis + taken), order = {static_cast<int64_t>(axis)};
  Append(g_order, From(0, axis));
  Append(g_order, From(axis + taken, rank - 1 + taken));
  Append(order, From(0, axis));
  Append(order, From(axis + 1, rank));
  std::vector<int64_t> back(rank);
  for (size_t i = 0; i < rank; ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  const Value rows =
      GatherRows(call, Transposed(call, params, order), indices, Transposed(call, g, g_order));
  call.SetGradient(0, Transposed(call, rows, back));
}

// With batches: element by element, the indices repeated for all that one of them names.
void GatherInBatches(GradientCall& call, size_t axis, size_t batch) {
  const Value params = call.argument(0), indices = call.argument(1);
  const std::vector<int64_t> sizes = call.SizesOf(params), places = call.SizesOf(indices);
  if (sizes.size() <= axis || places.size() < batch || axis < batch) return;
  int64_t count = 1;
  for (size_t i = batch; i < places.size(); ++i) count *= places[i];
  std::vector<int64_t> all = sizes, narrow(sizes.size(), 1);
  all[axis] = narrow[axis] = count;
  for (size_t i = 0; i < batch; ++i) narrow[i] = places[i];
  const Value repeated = call.Call(
      "broadcast_to", {call.Call("reshape", {indices, call.Integers(narrow)}), call.Integers(all)});
  const Value g = call.Call("reshape", {call.gradient(0), call.Integers(all)});
  call.SetGradient(0, AddAlongAxis(call, params, repeated, g, static_cast<int64_t>(axis)));
}

// An element that is set has the gradient of its place, in which the input has none. Two updates at
// one place both have it.
void Scatter(GradientCall& call, std::string_view scatter, std::string_view gather,
             std::vector<GradientAttr> axis) {
  const std::string reduction = call.Attr<std::string>("reduction");
  if (reduction != "none" && reduction != "add") {
    return call.Fail("there is a rule for updates that are set or added");
  }
  const Value g = call.gradient(0), indices = call.argument(1), updates = call.argument(2);
  call.SetGradient(2, call.Call(gather, {g, indices}, axis));
  if (reduction == "add") return call.SetGradient(0, g);
  axis.push_back({"reduction", std::string("none")});
  call.SetGradient(0, call.Call(scatter, {g, indices, call.ZerosLike(updates)}, axis));
}

}  // namespace

void Gather(GradientCall& call) {
  const std::vector<int64_t> axes = call.ElementsOf(2);
  const auto rank = static_cast<int64_t>(call.RankOf(call.argument(0)));
  int64_t batch = call.Attr<int64_t>("batch_dims");
  if (batch < 0) batch += static_cast<int64_t>(call.RankOf(call.argument(1)));
  if (axes.size() != 1 || batch < 0) return call.Fail("the axis must be one number");
  const int64_t axis = axes[0] < 0 ? axes[0] + rank : axes[0];
  if (axis < 0 || axis >= rank) return call.Fail("a wrong axis");
  if (batch > 0) {
    GatherInBatches(call, static_cast<size_t>(axis), static_cast<size_t>(batch));
  } else {
    GatherAlong(call, static_cast<size_t>(axis));
  }
}
void GatherNd(GradientCall& call) {
  call.SetGradient(0, AddAtPlaces(call, call.argument(0), call.argument(1), call.gradient(0)));
}
void GatherElements(GradientCall& call) {
  call.SetGradient(0, AddAlongAxis(call, call.argument(0), call.argument(1), call.gradient(0),
                                   call.Attr<int64_t>("axis")));
}
void ScatterElements(GradientCall& call) {
  Scatter(call, "scatter_elements", "gather_elements", call.SameAttrs({"axis"}));
}
void ScatterNd(GradientCall& call) { Scatter(call, "scatter_nd", "gather_nd", {}); }

// Where the index is, and elsewhere.
void OneHot(GradientCall& call) {
  const Value g = call.gradient(0), one = call.Number(1), zero = call.Number(0);
  for (size_t i : {size_t{2}, size_t{3}}) {
    const Value is_there = call.Call(
        "one_hot", {call.argument(0), call.argument(1), i == 2 ? one : zero, i == 2 ? zero : one},
        call.SameAttrs({"axis"}));
    call.SetGradient(i, call.SumTo(call.Mul(g, is_there), call.argument(i)));
  }
}
void Sort(GradientCall& call) {
  const Value places =
      call.Call("argsort", {call.argument(0)}, call.SameAttrs({"axis", "descending"}));
  call.SetGradient(0, AddAlongAxis(call, call.argument(0), places, call.gradient(0),
                                   call.Attr<int64_t>("axis")));
}
void TopK(GradientCall& call) {
  call.SetGradient(0, AddAlongAxis(call, call.argument(0), call.result(1), call.gradient(0),
                                   call.Attr<int64_t>("axis")));
}

}  // namespace tfrt::gradients
