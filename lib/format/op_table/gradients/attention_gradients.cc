// Attention: its scores are computed again.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gradient_families.h"

namespace tfrt::gradients {
namespace {

using Value = GradientValue;

using Sizes = std::vector<int64_t>;

// Holds the operands of one call. All are [batch, heads of k, queries' heads for each, steps,
// width]. The third size of k and v is one, as they serve all of them; so is the mask's, unless it
// is repeated.
struct AttentionOperands {
  Value q, k, v, g;
  Value mask = kNoGradient;
};

class AttentionGradient {
 public:
  AttentionGradient(GradientCall& call, const AttentionOperands& of) : call_(call), of_(of) {}

  void Compute() {
    const Value p = Shares();
    const Value of_p = Product(of_.g, of_.v, false, true);
    of_scores_ = call_.Call("softmax_grad", {of_p, p});
    const Value scaled = call_.Mul(of_scores_, Scale());
    q = Product(scaled, of_.k, false, false);
    k = call_.SumTo(Product(scaled, of_.q, true, false), of_.k);
    v = call_.SumTo(Product(p, of_.g, true, false), of_.v);
  }
  Value OfMask() { return call_.SumTo(of_scores_, of_.mask); }

  Value q = kNoGradient, k = kNoGradient, v = kNoGradient;

 private:
  Value Product(Value a, Value b, bool transpose_a, bool transpose_b) {
    const GradientAttr attrs[] = {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}};
    return call_.Call("batch_matmul", {a, b}, attrs);
  }
  Value Scale() { return call_.Number(static_cast<double>(call_.Attr<float>("scale"))); }

  // The softmax of the scores.
  Value Shares() {
    const Value never = call_.Number(-std::numeric_limits<double>::infinity());
    Value scores = call_.Mul(Product(of_.q, of_.k, false, true), Scale());
    if (of_.mask != kNoGradient && call_.TypeOf(of_.mask).dtype == DType::kI1) {
      scores = call_.Select(of_.mask, scores, never);
    } else if (of_.mask != kNoGradient) {
      scores = call_.Add(scores, of_.mask);
    }
    if (call_.Attr<bool>("causal")) scores = call_.Select(Past(), scores, never);
    const Value shares = call_.Call("softmax", {scores});
    if (!call_.Attr<bool>("masked_rows_are_zero")) return shares;
    return call_.Select(call_.Call("greater", {scores, never}), shares, call_.Number(0));
  }
  // [queries, keys]: which keys are not later than the query.
  Value Past() {
    const Sizes queries = call_.SizesOf(of_.q), keys = call_.SizesOf(of_.k);
    if (queries.size() != 5 || keys.size() != 5) return kNoGradient;
    const Sizes matrix = {queries[3], keys[3]};
    const Sizes diagonal = {call_.Attr<bool>("causal_at_end") ? keys[3] - queries[3] : 0};
    const Value ones = call_.Call("broadcast_to", {call_.Number(1), call_.Integers(matrix)});
    const Value at = call_.Call("reshape", {call_.Integers(diagonal), call_.Integers({})});
    const GradientAttr attrs[] = {{"upper", false}};
    return call_.Call("greater", {call_.Call("triangle", {ones, at}, attrs), call_.Number(0)});
  }

  GradientCall& call_;
  const AttentionOperands of_;
  Value of_scores_ = kNoGradient;
};

Value Swapped(GradientCall& call, Value value) {
  return call.Call("transpose", {value, call.Integers(Sizes{0, 2, 1, 3})});
}

// [batch, heads, steps, width] with the heads apart; as many as k has.
Value Apart(GradientCall& call, Value value, int64_t kv_heads) {
  Sizes sizes = call.SizesOf(value);
  if (sizes.size() != 4 || kv_heads == 0) return kNoGradient;
  sizes.insert(sizes.begin() + 2, sizes[1] / kv_heads);
  sizes[1] = kv_heads;
  return call.Call("reshape", {value, call.Integers(sizes)});
}

// The mask, of up to four dimensions that are broadcast.
Value MaskApart(GradientCall& call, Value mask, int64_t kv_heads) {
  if (mask == kNoGradient) return mask;
  Sizes sizes = call.SizesOf(mask);
  while (sizes.size() < 4) sizes.insert(sizes.begin(), 1);
  const bool is_one = sizes[1] == 1;
  sizes.insert(sizes.begin() + 2, is_one ? 1 : sizes[1] / kv_heads);
  if (!is_one) sizes[1] = kv_heads;
  return call.Call("reshape", {mask, call.Integers(sizes)});
}

}  // namespace

void Attention(GradientCall& call) {
  const bool swapped = call.Attr<std::string>("layout") == "bshd";
  auto heads_first = [&](Value value) { return swapped ? Swapped(call, value) : value; };
  const Value key = heads_first(call.argument(1));
  const Sizes keys = call.SizesOf(key);
  if (keys.size() != 4 || keys[1] == 0) return call.Fail("k must have heads");
  auto apart = [&](Value value) { return Apart(call, heads_first(value), keys[1]); };
  AttentionGradient gradient(
      call, {apart(call.argument(0)), Apart(call, key, keys[1]), apart(call.argument(2)),
             apart(call.gradient(0)), MaskApart(call, call.argument(3), keys[1])});
  gradient.Compute();
  auto set = [&](size_t i, Value value) {
    const Value like = heads_first(call.argument(i));  // of which the shape is wanted
    call.SetGradient(i, heads_first(call.Reshape(value, like)));
  };
  set(0, gradient.q);
  set(1, gradient.k);
  set(2, gradient.v);
  const Value mask = call.argument(3);
  if (mask == kNoGradient || call.TypeOf(mask).dtype == DType::kI1) return;
  call.SetGradient(3, call.Reshape(gradient.OfMask(), mask));
}

// Queries, keys and values lie side by side in each row.
void PackedAttention(GradientCall& call) {
  const Value qkv = call.argument(0), mask = call.argument(1);
  const int64_t heads = call.Attr<int64_t>("heads"), kv_heads = call.Attr<int64_t>("kv_heads");
  const Sizes sizes = call.SizesOf(qkv);
  const int64_t all = heads + 2 * kv_heads;
  if (sizes.size() != 3 || heads <= 0 || kv_heads <= 0) return call.Fail("there must be heads");
  const int64_t width = sizes[2] / all;
  const Value by_head =
      call.Call("reshape", {qkv, call.Integers(Sizes{sizes[0], sizes[1], all, width})});
  auto part = [&](int64_t first, int64_t count) {
    const Value rows = call.Call("slice", {by_head, call.Integers(Sizes{0, 0, first, 0}),
                                           call.Integers(Sizes{sizes[0], sizes[1], count, width})});
    return Apart(call, Swapped(call, rows), kv_heads);
  };
  const Value g = call.Call(
      "reshape", {call.gradient(0), call.Integers(Sizes{sizes[0], sizes[1], heads, width})});
  AttentionGradient gradient(
      call, {part(0, heads), part(heads, kv_heads), part(heads + kv_heads, kv_heads),
             Apart(call, Swapped(call, g), kv_heads), MaskApart(call, mask, kv_heads)});
  gradient.Compute();
  auto back = [&](Value value, int64_t count) {
    return Swapped(
        call,
        call.Call("reshape", {value, call.Integers(Sizes{sizes[0], count, sizes[1], width})}));
  };
  const Value axis = call.Call("reshape", {call.Integers(Sizes{2}), call.Integers({})});
  const Value joined = call.Call("concat", {back(gradient.q, heads), back(gradient.k, kv_heads),
                                            back(gradient.v, kv_heads), axis});
  call.SetGradient(0, call.Reshape(joined, qkv));
  if (mask == kNoGradient || call.TypeOf(mask).dtype == DType::kI1) return;
  call.SetGradient(1, call.Reshape(gradient.OfMask(), mask));
}

}  // namespace tfrt::gradients
