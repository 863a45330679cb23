// Ops that make one element of several.

#include <algorithm>
#include <vector>

#include "gradient_families.h"

namespace tfrt::gradients {
namespace {

using Value = GradientValue;

// A result of a reduction as it was before its dimensions went: with a size of 1 for each.
Value WithReducedDims(GradientCall& call, Value reduced) {
  if (call.Attr<bool>("keep_dims")) return reduced;
  std::vector<int64_t> axes = call.ElementsOf(1);
  const auto rank = static_cast<int64_t>(call.RankOf(call.argument(0)));
  for (int64_t& axis : axes) axis += axis < 0 ? rank : 0;
  std::ranges::sort(axes);
  for (int64_t axis : axes) {
    const int64_t one[] = {axis};
    reduced = call.Call("expand_dims", {reduced, call.Integers(one)});
  }
  return reduced;
}

Value CastTo(GradientCall& call, DType dtype, Value value) {
  if (call.TypeOf(value).dtype == dtype) return value;
  const GradientAttr attrs[] = {{"dtype", dtype}};
  return call.Call("cast", {value}, attrs);
}

// How many elements one of the result is of, as `dtype`.
Value CountOf(GradientCall& call, DType dtype) {
  const SymbolicShape &from = call.TypeOf(call.argument(0)).shape,
                      &to = call.TypeOf(call.result(0)).shape;
  if (from.is_known() && to.is_known()) {
    double count = 1;
    for (Dim dim : from.dims()) count *= static_cast<double>(dim.value());
    for (Dim dim : to.dims()) count /= std::max(1.0, static_cast<double>(dim.value()));
    return call.Number(dtype, count);
  }
  const std::vector<int64_t> axes = call.ElementsOf(1);
  const std::vector<int64_t> zero = {0};
  const Value sizes = call.Call(
      "gather", {call.ShapeOf(call.argument(0)), call.Integers(axes), call.Integers(zero)});
  return CastTo(call, dtype, call.Call("reduce_prod", {sizes, call.Integers(zero)}));
}

}  // namespace

void ReduceSum(GradientCall& call) {
  const Value g = WithReducedDims(call, call.gradient(0));
  call.SetGradient(0, call.BroadcastTo(g, call.argument(0)));
}
void ReduceMean(GradientCall& call) {
  const DType dtype = call.TypeOf(call.result(0)).dtype;
  // f16 has no numbers from 65520 on, but may have the quotient.
  const bool is_short = dtype == DType::kF16 || dtype == DType::kBF16;
  const DType wide = is_short ? DType::kF32 : dtype;
  const Value quotient = call.Div(CastTo(call, wide, call.gradient(0)), CountOf(call, wide));
  const Value g = WithReducedDims(call, CastTo(call, dtype, quotient));
  call.SetGradient(0, call.BroadcastTo(g, call.argument(0)));
}

// Shared by all that are as large.
void ReduceExtreme(GradientCall& call) {
  const Value x = call.argument(0);
  const Value y = WithReducedDims(call, call.result(0));
  const GradientAttr dtype[] = {{"dtype", call.TypeOf(x).dtype}};
  const Value is_extreme = call.Call("cast", {call.Call("equal", {x, y})}, dtype);
  const GradientAttr keep[] = {{"keep_dims", true}};
  const Value count = call.Call("reduce_sum", {is_extreme, call.argument(1)}, keep);
  const Value g = WithReducedDims(call, call.gradient(0));
  call.SetGradient(0, call.Mul(is_extreme, call.Div(g, count)));
}
void ReduceSumSquare(GradientCall& call) {
  const Value g = WithReducedDims(call, call.Mul(call.gradient(0), call.Number(2)));
  call.SetGradient(0, call.Mul(call.argument(0), g));
}

// exp(x - y): the softmax.
void ReduceLogSumExp(GradientCall& call) {
  const Value y = WithReducedDims(call, call.result(0));
  const Value share = call.Call("exp", {call.Sub(call.argument(0), y)});
  call.SetGradient(0, call.Mul(share, WithReducedDims(call, call.gradient(0))));
}

// The product of the others: of several zeros nobody has it, of one zero that alone.
void ReduceProd(GradientCall& call) {
  const Value x = call.argument(0), axes = call.argument(1);
  const Value zero = call.Number(0), one = call.Number(1);
  const GradientAttr keep[] = {{"keep_dims", true}};
  const Value is_zero = call.Call("equal", {x, zero});
  const Value others = call.Select(is_zero, one, x);
  const Value product = call.Call("reduce_prod", {others, axes}, keep);
  const Value zeros = call.Call("reduce_sum", {call.Select(is_zero, one, zero), axes}, keep);
  const Value of_others =
      call.Select(call.Call("equal", {zeros, zero}), call.Div(product, others), zero);
  const Value of_zeros = call.Select(call.Call("equal", {zeros, one}), product, zero);
  const Value slope = call.Select(is_zero, of_zeros, of_others);
  call.SetGradient(0, call.Mul(slope, WithReducedDims(call, call.gradient(0))));
}
void ReduceL1(GradientCall& call) {
  const Value sign = call.Call("sign", {call.argument(0)});
  call.SetGradient(0, call.Mul(sign, WithReducedDims(call, call.gradient(0))));
}

// x / y, and nothing where all are zeros.
void ReduceL2(GradientCall& call) {
  const Value y = WithReducedDims(call, call.result(0));
  const Value is_zero = call.Call("equal", {y, call.Number(0)});
  const Value g = WithReducedDims(call, call.gradient(0));
  const Value by_y = call.Div(g, call.Select(is_zero, call.Number(1), y));
  call.SetGradient(0, call.Mul(call.argument(0), by_y));
}

// The sum is exp(y).
void ReduceLogSum(GradientCall& call) {
  const Value sum = call.Call("exp", {call.result(0)});
  const Value g = WithReducedDims(call, call.Div(call.gradient(0), sum));
  call.SetGradient(0, call.BroadcastTo(g, call.argument(0)));
}

// The running sum from the other end.
void CumulativeSum(GradientCall& call) {
  const GradientAttr attrs[] = {{"exclusive", call.Attr<bool>("exclusive")},
                                {"reverse", !call.Attr<bool>("reverse")}};
  call.SetGradient(0, call.Call("cumulative_sum", {call.gradient(0), call.argument(1)}, attrs));
}
// The sum of g times the products that an element is part of, over the element. Where that is 0,
// only products with no further 0 count, without it: the ones behind the first 0.
void CumulativeProduct(GradientCall& call) {
  const Value x = call.argument(0), axis = call.argument(1), zero = call.Number(0);
  const Value one = call.Number(1);
  const bool exclusive = call.Attr<bool>("exclusive"), reverse = call.Attr<bool>("reverse");
  auto along = [&](std::string_view op, Value value, bool is_exclusive, bool is_reverse) {
    const GradientAttr attrs[] = {{"exclusive", is_exclusive}, {"reverse", is_reverse}};
    return call.Call(op, {value, axis}, attrs);
  };
  const Value is_zero = call.Call("equal", {x, zero});
  const Value zeros = call.Select(is_zero, one, call.ZerosLike(x));
  const Value without = call.Select(is_zero, one, x);
  const Value weighted =
      call.Mul(call.gradient(0), along("cumulative_product", without, exclusive, reverse));
  const Value zeros_before = along("cumulative_sum", zeros, exclusive, reverse);
  auto sum_where = [&](Value count) {
    const Value counts = call.Call("equal", {zeros_before, count});
    return along("cumulative_sum", call.Select(counts, weighted, zero), exclusive, !reverse);
  };
  const Value is_first = call.Call("equal", {along("cumulative_sum", zeros, false, reverse), one});
  const Value of_zero = call.Select(is_first, sum_where(one), zero);
  call.SetGradient(0, call.Select(is_zero, of_zero, call.Div(sum_where(zero), without)));
}

}  // namespace tfrt::gradients
