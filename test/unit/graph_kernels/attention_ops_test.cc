// graph.attention and graph.packed_attention against their definition.

#include <cmath>
#include <limits>

#include "backends.h"
#include "image_reference.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct AttentionCase {
  int64_t b = 1, h = 1, g = 1, s = 1, t = 1, d = 1, e = 1;
  double scale = 1;
  bool causal = false, at_end = false, zero = false;
  // Sizes of the mask, and whether it is of i1.
  Numbers mask = {};
  bool boolean = false;
};

class AttentionOpsTest : public BackendTest {
 protected:
  // All of them [B,H,S,D].
  static Doubles Expected(const AttentionCase& c, const Doubles& q, const Doubles& k,
                          const Doubles& v, const Doubles& mask) {
    Doubles out;
    for (int64_t row = 0; row < c.b * c.h * c.s; ++row) {
      const int64_t i = row % c.s, head = row / c.s % c.h, b = row / c.s / c.h;
      const int64_t kv = b * c.g + head / (c.h / c.g);
      Doubles weights;
      double sum = 0;
      for (int64_t t = 0; t < c.t; ++t) {
        double score = 0;
        for (int64_t d = 0; d < c.d; ++d) score += q[row * c.d + d] * k[(kv * c.t + t) * c.d + d];
        score *= c.scale;
        if (!c.mask.empty()) {
          const Numbers place = {b, head, i, t};
          int64_t at = 0;
          for (size_t n = 0; n < c.mask.size(); ++n) {
            const int64_t size = c.mask[n];
            at = at * size + (size == 1 ? 0 : place[4 - c.mask.size() + n]);
          }
          if (c.boolean) {
            score = mask[at] > 0 ? score : -kInfinity;
          } else {
            score += mask[at];
          }
        }
        if (c.causal && t > i + (c.at_end ? c.t - c.s : 0)) score = -kInfinity;
        weights.push_back(std::exp(score));
        sum += weights.back();
      }
      for (int64_t e = 0; e < c.e; ++e) {
        double value = 0;
        for (int64_t t = 0; t < c.t; ++t) value += weights[t] * v[(kv * c.t + t) * c.e + e];
        out.push_back(sum == 0 && c.zero ? 0 : value / sum);
      }
    }
    return out;
  }
  // [B,H,S,D] as [B,S,H,D], and back.
  static Doubles Swap(const Doubles& from, int64_t b, int64_t h, int64_t s) {
    const int64_t d = static_cast<int64_t>(from.size()) / b / h / s;
    Doubles to(from.size());
    for (int64_t i = 0; i < b * h * s; ++i) {
      const int64_t step = i % s, head = i / s % h, batch = i / s / h;
      for (int64_t j = 0; j < d; ++j) {
        to[((batch * s + step) * h + head) * d + j] = from[i * d + j];
      }
    }
    return to;
  }
  static void SetOptions(const AttentionCase& c, OpAttrs& attrs) {
    attrs.Set("scale", static_cast<float>(c.scale));
    attrs.Set("causal", c.causal);
    attrs.Set("causal_at_end", c.at_end);
    attrs.Set("masked_rows_are_zero", c.zero);
  }
  TensorHandle Mask(const AttentionCase& c, const Doubles& mask) {
    if (c.mask.empty()) return TensorHandle();
    if (!c.boolean) return Make<float>(*TensorShape::Create(c.mask), mask);
    std::vector<uint8_t> bytes;
    for (double each : mask) bytes.push_back(each > 0);
    DenseHostTensor tensor = runner_->Uninitialized({DType::kI1, *TensorShape::Create(c.mask)});
    std::copy(bytes.begin(), bytes.end(), static_cast<uint8_t*>(*tensor.MutableData()));
    return runner_->Handle(std::move(tensor));
  }
  void ExpectClose(const TensorHandle& result, const Doubles& expected) {
    ASSERT_FALSE(result.IsError()) << result.async_tensor()->GetError().message();
    const auto* actual = static_cast<const float*>(DenseOf(result).data());
    ASSERT_EQ(DenseOf(result).num_elements(), static_cast<int64_t>(expected.size()));
    for (size_t i = 0; i < expected.size(); ++i) {
      if (std::isnan(expected[i])) {
        ASSERT_TRUE(std::isnan(actual[i])) << i;
      } else {
        ASSERT_NEAR(actual[i], expected[i], 1e-5) << i;
      }
    }
  }
};

const AttentionCase kAttentionCases[] = {
    {.b = 2, .h = 3, .g = 3, .s = 5, .t = 7, .d = 8, .e = 4, .scale = 0.5},
    // One query, and heads that share keys.
    {.b = 1, .h = 4, .g = 2, .s = 1, .t = 70, .d = 16, .e = 16, .scale = 0.25},
    // Several blocks of queries and of keys.
    {.b = 1, .h = 2, .g = 1, .s = 70, .t = 530, .d = 8, .e = 8, .scale = 0.5},
    {.b = 1, .h = 1, .g = 1, .s = 6, .t = 6, .d = 4, .e = 4, .causal = true},
    {.b = 1, .h = 1, .g = 1, .s = 70, .t = 600, .d = 4, .e = 4, .causal = true, .at_end = true},
    // The first rows see nothing.
    {.b = 1, .h = 2, .g = 2, .s = 6, .t = 4, .d = 4, .e = 4, .causal = true, .at_end = true},
    {.b = 1,
     .h = 2,
     .g = 2,
     .s = 6,
     .t = 4,
     .d = 4,
     .e = 4,
     .causal = true,
     .at_end = true,
     .zero = true},
    {.b = 2, .h = 2, .g = 2, .s = 5, .t = 9, .d = 4, .e = 4, .mask = {5, 9}},
    {.b = 2, .h = 2, .g = 2, .s = 5, .t = 9, .d = 4, .e = 4, .mask = {2, 1, 1, 9}},
    {.b = 2, .h = 2, .g = 2, .s = 5, .t = 9, .d = 4, .e = 4, .mask = {2, 1, 5, 1}},
    {.b = 2, .h = 2, .g = 2, .s = 5, .t = 9, .d = 4, .e = 4, .mask = {2, 2, 5, 9}, .boolean = true},
    {.b = 1,
     .h = 2,
     .g = 2,
     .s = 5,
     .t = 9,
     .d = 4,
     .e = 4,
     .causal = true,
     .mask = {1},
     .boolean = true},
};

TEST_P(AttentionOpsTest, BothLayouts) {
  for (const AttentionCase& c : kAttentionCases) {
    const Doubles q = RandomEighths(c.b * c.h * c.s * c.d, 1);
    const Doubles k = RandomEighths(c.b * c.g * c.t * c.d, 2);
    const Doubles v = RandomEighths(c.b * c.g * c.t * c.e, 3);
    const Doubles mask = RandomEighths(ImageCase::Product(c.mask), 4);
    const Doubles expected = Expected(c, q, k, v, mask);
    for (bool heads_last : {false, true}) {
      SCOPED_TRACE(StrCat(c.s, " x ", c.t, " causal ", int{c.causal}, " mask ", c.mask.size(),
                          " last ", int{heads_last}));
      auto make = [&](const Doubles& values, int64_t h, int64_t s, int64_t d) {
        return heads_last ? Make<float>({c.b, s, h, d}, Swap(values, c.b, h, s))
                          : Make<float>({c.b, h, s, d}, values);
      };
      OpAttrs attrs;
      SetOptions(c, attrs);
      attrs.SetString("layout", heads_last ? "bshd" : "bhsd");
      TensorHandle result = runner_->Run1(
          "graph.attention",
          {make(q, c.h, c.s, c.d), make(k, c.g, c.t, c.d), make(v, c.g, c.t, c.e), Mask(c, mask)},
          attrs);
      ExpectClose(result, heads_last ? Swap(expected, c.b, c.h, c.s) : expected);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(AttentionOpsTest, SideBySide) {
  const AttentionCase c = {.b = 2,
                           .h = 4,
                           .g = 2,
                           .s = 6,
                           .t = 6,
                           .d = 8,
                           .e = 8,
                           .scale = 0.5,
                           .causal = true,
                           .mask = {2, 1, 1, 6}};
  const int64_t row = (c.h + 2 * c.g) * c.d;
  const Doubles qkv = RandomEighths(c.b * c.s * row, 1);
  const Doubles mask = RandomEighths(c.b * c.t, 4);
  Doubles parts[3];
  const int64_t heads[] = {c.h, c.g, c.g};
  int64_t first = 0;
  for (int part = 0; part < 3; first += heads[part++] * c.d) {
    for (int64_t b = 0; b < c.b; ++b) {
      for (int64_t h = 0; h < heads[part]; ++h) {
        for (int64_t i = 0; i < c.s * c.d; ++i) {
          parts[part].push_back(qkv[(b * c.s + i / c.d) * row + first + h * c.d + i % c.d]);
        }
      }
    }
  }
  OpAttrs attrs;
  SetOptions(c, attrs);
  attrs.Set("heads", c.h);
  attrs.Set("kv_heads", c.g);
  TensorHandle result = runner_->Run1("graph.packed_attention",
                                      {Make<float>({c.b, c.s, row}, qkv), Mask(c, mask)}, attrs);
  ExpectClose(result, Swap(Expected(c, parts[0], parts[1], parts[2], mask), c.b, c.h, c.s));
}

TEST_P(AttentionOpsTest, OfHalves) {
  const AttentionCase c = {.b = 1, .h = 1, .g = 1, .s = 5, .t = 7, .d = 4, .e = 4};
  const Doubles q = RandomEighths(20, 1), k = RandomEighths(28, 2), v = RandomEighths(28, 3);
  TensorHandle result = runner_->Run1(
      "graph.attention",
      {Make<Fp16>({1, 1, 5, 4}, q), Make<Fp16>({1, 1, 7, 4}, k), Make<Fp16>({1, 1, 7, 4}, v)});
  ExpectNear<Fp16>(result, Expected(c, q, k, v, {}), 0.002);
}

// A softmax over no keys has no weights, and a sum of no values is 0, also where masked rows are
// not.
TEST_P(AttentionOpsTest, WithoutKeys) {
  for (int64_t queries : {1, 5, 300}) {
    const Doubles q = RandomEighths(2 * queries * 4, 1);
    for (bool causal : {false, true}) {
      OpAttrs attrs;
      SetOptions({.causal = causal, .at_end = true}, attrs);
      TensorHandle result =
          runner_->Run1("graph.attention",
                        {Make<float>({1, 2, queries, 4}, q), Make<float>({1, 2, 0, 4}, {}),
                         Make<float>({1, 2, 0, 3}, {})},
                        attrs);
      ExpectClose(result, Doubles(static_cast<size_t>(2 * queries * 3), 0));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, AttentionOpsTest, AllBackends(), BackendName);

TEST(AttentionOpErrorsTest, Refused) {
  GraphOpRunner runner;
  const TensorShape shape = {1, 1, 2, 2};
  EXPECT_EQ(runner.Error("graph.attention",
                         {runner.Zeros(DType::kF64, shape), runner.Zeros(DType::kF64, shape),
                          runner.Zeros(DType::kF64, shape)}),
            "q is a tensor of f64, expected f32");
}

}  // namespace
}  // namespace tfrt
