// What gradients of traced graphs look like; test/unit/compiler/gradient_programs_test.cc has
// what they compute.

#include "lib/format/traced_graph/gradients/gradients.h"

#include "function_tracer.h"
#include "gtest/gtest.h"

namespace tfrt::function {
namespace {

using Values = FunctionTracer::Values;

std::string ErrorOf(const TracedGraph& graph, const GradientOptions& options) {
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph).ToString();
  auto gradient = GradientOf(graph, options);
  return gradient.ok() ? "" : std::string(gradient.status().message());
}

TEST(GradientsTest, ResultsAndNames) {
  FunctionTracer r;
  const uint32_t w = r.Variable("w", DType::kF32, {});
  ValueId x = r.Input("x", DType::kF32, {});
  ValueId y = r.Call("tf.Mul", {x, r.Read(w)});
  r.Assign(w, y);
  r.Return({y});
  auto gradient = GradientOf(r.graph, {.arguments = {0}, .variables = {w}});
  ASSERT_TRUE(gradient.ok()) << gradient.status().ToString();
  EXPECT_TRUE(Verify(*gradient).ok()) << Verify(*gradient).ToString();
  EXPECT_EQ(
      gradient->functions[0].result_names,
      (std::vector<std::string>{"result0", "gradient:x", "gradient:variable:w", "assigned:w"}));
  EXPECT_EQ(ToString(*gradient),
            "gradient of traced(%0: f32 [], %1: f32 []):\n"
            "  %2: f32 [] = graph.mul %0, %1\n"
            "  %3: f32 [] = constant 0\n"
            "  %4: f32 [] = graph.mul %3, %1\n"
            "  %5: f32 [] = graph.mul %3, %0\n"
            "  return %2, %4, %5, %2\n");
  auto alone = GradientOf(r.graph, {.arguments = {0}, .with_results = false});
  EXPECT_EQ(alone->functions[0].result_names,
            (std::vector<std::string>{"gradient:x", "assigned:w"}));
}

TEST(GradientsTest, OfWhatTheLossDoesNotDependOnAreZeros) {
  FunctionTracer r;
  r.Input("x", DType::kF32, {2, -1});
  r.Return({r.Number(1)});
  auto gradient = GradientOf(r.graph, {.arguments = {0}});
  ASSERT_TRUE(gradient.ok()) << gradient.status().ToString();
  EXPECT_TRUE(Verify(*gradient).ok());
  EXPECT_NE(ToString(*gradient).find("graph.broadcast_to"), std::string::npos);
}

TEST(GradientsTest, EffectsAreNotRepeated) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {});
  ValueId flag = r.Input("flag", DType::kI1, {});
  r.Return(r.If(
      flag, [&] { return Values{r.Call("tf.Print", {r.Call("tf.Exp", {x}), x})}; },
      [&] { return Values{x}; }));
  auto gradient = GradientOf(r.graph, {.arguments = {0}});
  ASSERT_TRUE(gradient.ok()) << gradient.status().ToString();
  EXPECT_TRUE(Verify(*gradient).ok()) << Verify(*gradient).ToString();
  const std::string text = ToString(*gradient);
  const size_t first = text.find("tf.Print");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("tf.Print", first + 1), std::string::npos);
}

TEST(GradientsTest, Messages) {
  FunctionTracer r("step");
  r.graph.callbacks = {"log"};
  ValueId x = r.Input("x", DType::kF32, {2, 2});
  ValueId n = r.Input("n", DType::kI32, {});
  r.At(7);
  ValueId sum = r.Call("tf.Sum", {x, r.Integers({0, 1})});
  r.At(8);
  ValueId back = r.HostCall(0, {sum}, {{DType::kF32, std::vector<int64_t>()}})[0];
  r.At(9);
  ValueId normed = r.Call("graph.lrn", {x}, {{"size", int64_t{1}}});
  ValueId other = r.Call("tf.Sum", {normed, r.Integers({0, 1})});
  r.Return({sum, back, n, x, other});
  EXPECT_EQ(ErrorOf(r.graph, {.arguments = {2}}),
            "the gradient for argument 2 of 'step', which has 2");
  EXPECT_EQ(ErrorOf(r.graph, {.arguments = {1}}),
            "the gradient for 'n', which is i32 []: only floats have one");
  EXPECT_EQ(ErrorOf(r.graph, {.variables = {0}}),
            "the gradient for variable 0, which 'step' does not use");
  EXPECT_EQ(ErrorOf(r.graph, {.loss = 5}), "the gradient of result 5 of 'step', which has 5");
  EXPECT_EQ(ErrorOf(r.graph, {.loss = 3}),
            "the gradient of a result of 'step' that is f32 [2, 2]: it must be a float of one "
            "element");
  EXPECT_EQ(ErrorOf(r.graph, {.arguments = {0}, .loss = 1}),
            "step.cc:8:3: a callback has no gradient: call StopGradient where none is wanted");
  EXPECT_EQ(ErrorOf(r.graph, {.arguments = {0}, .loss = 4}),
            "step.cc:9:3: graph.lrn has no gradient (no rule is written for it): call StopGradient "
            "where none is wanted");
  EXPECT_EQ(ErrorOf(r.graph, {.arguments = {0}}), "");
}

TEST(GradientsTest, CallbacksInLoops) {
  auto loop = [](std::vector<TracedType> results) {
    FunctionTracer r("step");
    r.graph.callbacks = {"log"};
    ValueId x = r.Input("x", DType::kF32, {});
    r.At(7);
    r.Return(r.For(r.Integer(2), {x}, {}, [&](Values v) {
      r.HostCall(0, {v[1]}, results);
      return Values{r.Call("tf.Exp", {v[1]})};
    }));
    return r.graph;
  };
  EXPECT_EQ(ErrorOf(loop({{DType::kF32, std::vector<int64_t>()}}), {.arguments = {0}}),
            "step.cc:7:3: a callback in a branch or a loop has no gradient: it would have to be "
            "called again");
  // One that makes nothing is not.
  auto gradient = GradientOf(loop({}), {.arguments = {0}});
  ASSERT_TRUE(gradient.ok()) << gradient.status().ToString();
  const std::string text = ToString(*gradient);
  const size_t first = text.find("log");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("log", first + 1), std::string::npos) << text;
}

}  // namespace
}  // namespace tfrt::function
