// Gradients of traced graphs, compiled and run, against finite differences.

#include <cmath>

#include "gradient_cases.h"

namespace tfrt::function {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

using Case = GradientCase;

TEST_P(GradientTest, AsFiniteDifferences) { ExpectFiniteDifferences(GetParam()); }

Case Unary(const char* name, const char* op, float low = -1, float high = 1) {
  return {name,
          {{3}},
          [op](FunctionTracer& r, const Values& v) { return r.Call(op, {v[0]}); },
          low,
          high};
}
Case Binary(const char* name, const char* op, float low = -1, float high = 1) {
  return {name,
          {{2, 3}, {3}},
          [op](FunctionTracer& r, const Values& v) { return r.Call(op, {v[0], v[1]}); },
          low,
          high};
}
// Of elements that are far enough from each other.
Case Extreme(const char* name, const char* op) {
  return {name, {{2, 3}, {3}}, [op](FunctionTracer& r, const Values& v) {
            return r.Call(op, {v[0], r.Call("tf.Mul", {v[1], r.Number(4)})});
          }};
}
Case Product(const char* name, bool ta, bool tb) {
  std::vector<int64_t> a = {2, 3}, b = {3, 4};
  if (ta) std::swap(a[0], a[1]);
  if (tb) std::swap(b[0], b[1]);
  return {name, {a, b}, [ta, tb](FunctionTracer& r, const Values& v) {
            return r.Call("tf.MatMul", {v[0], v[1]}, {{"transpose_a", ta}, {"transpose_b", tb}});
          }};
}
Case Reduction(const char* name, const char* op, bool keep) {
  return {name, {{2, 3, 2}}, [op, keep](FunctionTracer& r, const Values& v) {
            return r.Call(op, {v[0], r.Integers({2, 0})}, {{"keep_dims", keep}});
          }};
}
const TracedAttr kValid = {"padding", std::string("VALID")};
const TracedAttr kSame = {"padding", std::string("SAME")};

const Case kElementwise[] = {
    Unary("Exp", "tf.Exp"),
    Unary("Log", "tf.Log", 0.5, 2),
    Unary("Log1p", "tf.Log1p", 0.5, 2),
    Unary("Sqrt", "tf.Sqrt", 0.5, 2),
    Unary("Rsqrt", "tf.Rsqrt", 0.5, 2),
    Unary("Sigmoid", "tf.Sigmoid"),
    Unary("Tanh", "tf.Tanh"),
    Unary("Relu", "tf.Relu", 0.1f, 1),
    Unary("ReluOfNegative", "tf.Relu", -1, -0.1f),
    Unary("Gelu", "tfrt.Gelu"),
    Unary("Neg", "graph.neg"),
    Unary("Abs", "graph.abs", 0.1f, 1),
    Unary("Sin", "graph.sin"),
    Unary("Cos", "graph.cos"),
    Unary("Erf", "graph.erf"),
    Unary("Softplus", "graph.softplus"),
    Unary("Reciprocal", "graph.reciprocal", 0.5, 2),
    Unary("Identity", "tf.Identity"),
    Binary("Add", "tf.AddV2"),
    Binary("Sub", "tf.Sub"),
    Binary("Mul", "tf.Mul"),
    Binary("Div", "tf.RealDiv", 0.5, 2),
    Extreme("Maximum", "tf.Maximum"),
    Extreme("Minimum", "tf.Minimum"),
    Binary("Pow", "graph.pow", 0.5, 2),
    {"Select",
     {{2, 3}, {3}},
     [](FunctionTracer& r, const Values& v) {
       ValueId larger = r.Call("tf.Greater", {r.Call("tf.Mul", {v[0], r.Number(4)}), v[1]});
       return r.Call("graph.select", {larger, v[0], v[1]});
     }},
    {"ManyUses",
     {{3}},
     [](FunctionTracer& r, const Values& v) {
       ValueId y = r.Call("tf.Mul", {v[0], v[0]});
       return r.Call("tf.AddV2", {r.Call("tf.Mul", {y, v[0]}), y});
     }},
};
const Case kProducts[] = {
    Product("MatMul", false, false),
    Product("MatMulTransposedA", true, false),
    Product("MatMulTransposedB", false, true),
    Product("MatMulTransposedBoth", true, true),
    {"BatchMatMulBroadcast",
     {{2, 2, 3}, {3, 2}},
     [](FunctionTracer& r, const Values& v) { return r.Call("tf.BatchMatMulV2", {v[0], v[1]}); }},
    {"MatMulBias",
     {{2, 3}, {3, 4}, {4}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tfrt.MatMulBias", {v[0], v[1], v[2]}, {{"activation", std::string("tanh")}});
     }},
    {"BiasAdd",
     {{2, 3}, {3}},
     [](FunctionTracer& r, const Values& v) { return r.Call("tf.BiasAdd", {v[0], v[1]}); }},
    {"Conv2D",
     {{1, 4, 4, 2}, {2, 2, 2, 3}},
     [](FunctionTracer& r, const Values& v) { return r.Call("tf.Conv2D", {v[0], v[1]}, {kSame}); }},
    {"MaxPool",
     {{1, 4, 4, 2}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.MaxPool", {v[0]},
                     {{"ksize", std::vector<int64_t>{1, 2, 2, 1}},
                      kValid,
                      {"strides", std::vector<int64_t>{1, 2, 2, 1}}});
     }},
    {"AvgPool",
     {{1, 4, 2, 2}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.AvgPool", {v[0]},
                     {{"ksize", std::vector<int64_t>{1, 2, 2, 1}},
                      kValid,
                      {"strides", std::vector<int64_t>{1, 2, 2, 1}}});
     }},
    {"Softmax",
     {{2, 3}},
     [](FunctionTracer& r, const Values& v) { return r.Call("tf.Softmax", v); }},
    {"LogSoftmax",
     {{2, 3}},
     [](FunctionTracer& r, const Values& v) { return r.Call("tf.LogSoftmax", v); }},
    {"LayerNorm",
     {{2, 4}, {4}, {4}},
     [](FunctionTracer& r, const Values& v) { return r.Call("tfrt.LayerNorm", v); }},
    {"SoftmaxCrossEntropy",
     {{2, 3}},
     [](FunctionTracer& r, const Values& v) {
       ValueId labels = r.Constant<int32_t>(DType::kI32, {2}, {2, 0});
       return r.CallAll("tf.SparseSoftmaxCrossEntropyWithLogits", {v[0], labels})[0];
     }},
};
const Case kMovement[] = {
    Reduction("Sum", "tf.Sum", false),
    Reduction("SumKeptDims", "tf.Sum", true),
    Reduction("Mean", "tf.Mean", false),
    Reduction("Max", "tf.Max", false),
    Reduction("LogSumExp", "graph.reduce_log_sum_exp", false),
    Reduction("Min", "tf.Min", true),
    {"Reshape",
     {{2, 3}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.Reshape", {v[0], r.Integers({3, 2})});
     }},
    {"Transpose",
     {{2, 3, 2}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.Transpose", {v[0], r.Integers({2, 0, 1})});
     }},
    {"Concat",
     {{2, 3}, {2, 1}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.ConcatV2", {v[0], v[1], r.Integer(-1)});
     }},
    {"Slice",
     {{3, 3}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.Slice", {v[0], r.Integers({1, 0}), r.Integers({2, 2})});
     }},
    {"StridedSlice",
     {{3, 4}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.StridedSlice",
                     {v[0], r.Integers({1, 1}), r.Integers({2, -1}), r.Integers({1, 1})},
                     {{"shrink_axis_mask", int64_t{1}}});
     }},
    {"Pad",
     {{2, 2}},
     [](FunctionTracer& r, const Values& v) {
       ValueId paddings = r.Constant<int64_t>(DType::kI64, {2, 2}, {1, 0, 0, 2});
       return r.Call("tf.Pad", {v[0], paddings});
     }},
    {"Gather",
     {{3, 2}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.GatherV2", {v[0], r.Integers({2, 0, 2}), r.Integer(0)});
     }},
    {"BroadcastTo",
     {{3}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("graph.broadcast_to", {v[0], r.Integers({2, 3})});
     }},
    {"CumulativeSum",
     {{4}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("graph.cumulative_sum", {v[0], r.Integer(0)});
     }},
    {"ListWrite",
     {{3, 2}, {2}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tfrt.ListWrite", {v[0], r.Integer(1), v[1]});
     }},
};
const Case kControlFlow[] = {
    // Both branches use what is around them.
    {"If",
     {{3}, {3}},
     [](FunctionTracer& r, const Values& v) {
       ValueId sum = r.Call("tf.Sum", {v[0], r.Integers({0})});
       return r.If(
           r.Call("tf.Less", {sum, r.Number(10)}),
           [&] { return Values{r.Call("tf.Mul", {v[0], v[1]})}; },
           [&] { return Values{r.Call("tf.Exp", {v[1]})}; })[0];
     }},
    {"IfOther",
     {{3}, {3}},
     [](FunctionTracer& r, const Values& v) {
       ValueId sum = r.Call("tf.Sum", {v[0], r.Integers({0})});
       return r.If(
           r.Call("tf.Less", {sum, r.Number(-10)}),
           [&] { return Values{r.Call("tf.Mul", {v[0], v[1]})}; },
           [&] { return Values{r.Call("tf.Exp", {v[1]})}; })[0];
     }},
    {"For",
     {{2}, {2, 2}},
     [](FunctionTracer& r, const Values& v) {
       ValueId row = r.Call("tf.Reshape", {v[0], r.Integers({1, 2})});
       return r.For(r.Integer(3), {row}, {}, [&](Values state) {
         return Values{r.Call("tf.Tanh", {r.Call("tf.MatMul", {state[1], v[1]})})};
       })[0];
     }},
    {"ForZeroRuns",
     {{2}},
     [](FunctionTracer& r, const Values& v) {
       return r.For(r.Integer(0), {v[0]}, {},
                    [&](Values s) { return Values{r.Call("tf.Exp", {s[1]})}; })[0];
     }},
    {"Scan",
     {{2}, {3, 2}},
     [](FunctionTracer& r, const Values& v) {
       Values out = r.For(r.Integer(3), {v[0]}, {v[1]}, [&](Values s) {
         ValueId next =
             r.Call("tf.Tanh", {r.Call("tf.AddV2", {s[1], r.Call("tf.Mul", {s[2], s[2]})})});
         return Values{next, next};
       });
       ValueId stacked = r.Call("tf.Sum", {out[1], r.Integers({0})});
       return r.Call("tf.AddV2", {stacked, out[0]});
     }},
    {"While",
     {{}, {}},
     [](FunctionTracer& r, const Values& v) {
       return r.While(
           {v[0], r.Number(0)},
           [&](Values s) { return Values{r.Call("tf.Less", {s[1], r.Number(2.5f)})}; },
           [&](Values s) {
             return Values{r.Call("tf.Mul", {s[0], r.Call("tf.Exp", {v[1]})}),
                           r.Call("tf.AddV2", {s[1], r.Number(1)})};
           })[0];
     }},
    {"LoopInBranchInLoop",
     {{2}},
     [](FunctionTracer& r, const Values& v) {
       return r.For(r.Integer(2), {v[0]}, {}, [&](Values outer) {
         ValueId first = r.Call("tf.Equal", {outer[0], r.Integer(0)});
         return r.If(
             first,
             [&] {
               return r.For(r.Integer(2), {outer[1]}, {}, [&](Values inner) {
                 return Values{r.Call("tf.Mul", {inner[1], v[0]})};
               });
             },
             [&] { return Values{r.Call("tf.Tanh", {outer[1]})}; });
       })[0];
     }},
};

INSTANTIATE_TEST_SUITE_P(Elementwise, GradientTest, testing::ValuesIn(kElementwise), NameOf);
INSTANTIATE_TEST_SUITE_P(Products, GradientTest, testing::ValuesIn(kProducts), NameOf);
INSTANTIATE_TEST_SUITE_P(Movement, GradientTest, testing::ValuesIn(kMovement), NameOf);
INSTANTIATE_TEST_SUITE_P(ControlFlow, GradientTest, testing::ValuesIn(kControlFlow), NameOf);

// Sizes that are known when it runs.
TEST(GradientProgramsTest, UnknownSizes) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {-1, 2}), b = r.Input("b", DType::kF32, {2});
  ValueId y = r.Call("tf.Mul", {r.Call("tf.AddV2", {x, b}), x});
  r.Return({r.Call("tf.Mean", {y, r.Integers({0, 1})})});
  auto gradient = GradientOf(r.graph, {.arguments = {0, 1}});
  ASSERT_TRUE(gradient.ok()) << gradient.status().ToString();
  Program program(*gradient);
  auto results = program.Run({program.F32({2, 2}, {1, 2, 3, 4}), program.F32({2}, {1, 0})});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  // (2 x + b) / 4, and the sums of x / 4 over the rows.
  EXPECT_THAT(ElementsOf<float>((*results)[1]), ElementsAre(0.75, 1, 1.75, 2));
  EXPECT_THAT(ElementsOf<float>((*results)[2]), ElementsAre(1, 1.5));
}

// Gradients of gradients.
TEST(GradientProgramsTest, Twice) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {});
  r.Return({r.Call("tf.Mul", {r.Call("tf.Mul", {x, x}), x})});
  auto once = GradientOf(r.graph, {.arguments = {0}, .with_results = false});
  ASSERT_TRUE(once.ok()) << once.status().ToString();
  auto twice = GradientOf(*once, {.arguments = {0}});
  ASSERT_TRUE(twice.ok()) << twice.status().ToString();
  Program program(*twice);
  auto results = program.Run({program.F32({}, {2})});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_FLOAT_EQ(ElementsOf<float>((*results)[0])[0], 12);  // 3 x^2
  EXPECT_FLOAT_EQ(ElementsOf<float>((*results)[1])[0], 12);  // 6 x
}

// A perceptron with two layers, against the same computed in doubles.
TEST(GradientProgramsTest, Trains) {
  FunctionTracer r;
  const uint32_t w1 = r.Variable("w1", DType::kF32, {2, 4}),
                 w2 = r.Variable("w2", DType::kF32, {4, 1});
  ValueId x = r.Input("x", DType::kF32, {4, 2}), y = r.Input("y", DType::kF32, {4, 1});
  ValueId hidden = r.Call("tf.Tanh", {r.Call("tf.MatMul", {x, r.Read(w1)})});
  ValueId error = r.Call("tf.Sub", {r.Call("tf.MatMul", {hidden, r.Read(w2)}), y});
  r.Return({r.Call("tf.Mean", {r.Call("tf.Mul", {error, error}), r.Integers({0, 1})})});
  auto gradient = GradientOf(r.graph, {.variables = {w1, w2}});
  ASSERT_TRUE(gradient.ok()) << gradient.status().ToString();
  Program program(*gradient);
  const Floats inputs = {0, 0, 0, 1, 1, 0, 1, 1}, wanted = {0, 1, 1, 0};
  Floats a = {0.5f, -0.4f, 0.3f, 0.8f, -0.6f, 0.7f, 0.2f, -0.9f}, b = {0.4f, 0.9f, -0.3f, 0.6f};
  // The same in doubles, by hand.
  std::vector<double> da(a.begin(), a.end()), db(b.begin(), b.end());
  for (int step = 0; step < 20; ++step) {
    auto results = program.Run({program.F32({4, 2}, inputs), program.F32({4, 1}, wanted),
                                program.F32({2, 4}, a), program.F32({4, 1}, b)});
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    double loss = 0;
    std::vector<double> ga(8), gb(4);
    for (int n = 0; n < 4; ++n) {
      double h[4], out = 0;
      for (int j = 0; j < 4; ++j) {
        h[j] = std::tanh(inputs[2 * n] * da[j] + inputs[2 * n + 1] * da[4 + j]);
        out += h[j] * db[j];
      }
      const double difference = out - wanted[n];
      loss += difference * difference / 4;
      for (int j = 0; j < 4; ++j) {
        gb[j] += difference / 2 * h[j];
        const double slope = difference / 2 * db[j] * (1 - h[j] * h[j]);
        ga[j] += slope * inputs[2 * n];
        ga[4 + j] += slope * inputs[2 * n + 1];
      }
    }
    EXPECT_NEAR(ElementsOf<float>((*results)[0])[0], loss, 1e-5) << step;
    const Floats fa = ElementsOf<float>((*results)[1]), fb = ElementsOf<float>((*results)[2]);
    for (size_t i = 0; i < 8; ++i) {
      a[i] -= 0.5f * fa[i];
      da[i] -= 0.5 * ga[i];
    }
    for (size_t i = 0; i < 4; ++i) {
      b[i] -= 0.5f * fb[i];
      db[i] -= 0.5 * gb[i];
    }
  }
}

}  // namespace
}  // namespace tfrt::function
