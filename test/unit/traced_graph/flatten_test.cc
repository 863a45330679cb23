#include "lib/format/traced_graph/flatten.h"

#include "function_tracer.h"
#include "gtest/gtest.h"

namespace tfrt::function {
namespace {

using Values = FunctionTracer::Values;

std::string FlatText(const TracedGraph& graph) {
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph).ToString();
  auto flat = Flatten(graph);
  if (!flat.ok()) return flat.status().ToString();
  EXPECT_TRUE(Verify(*flat).ok()) << Verify(*flat).ToString() << ToString(*flat);
  EXPECT_TRUE(ConventionOf(*flat).variables.empty());
  return ToString(*flat);
}

TEST(FlattenTest, VariablesAreArgumentsAndResults) {
  FunctionTracer r;
  const uint32_t w = r.Variable("w", DType::kF32, {2});
  ValueId x = r.Input("x", DType::kF32, {2});
  ValueId sum = r.Call("tf.AddV2", {x, r.Read(w)});
  r.Assign(w, sum);
  r.Return({r.Call("tf.Mul", {x, r.Read(w)})});
  EXPECT_EQ(FlatText(r.graph),
            "traced(%0: f32 [2], %1: f32 [2]):\n"
            "  %2: f32 [2] = tf.AddV2 %0, %1\n"
            "  %3: f32 [2] = tf.Mul %0, %2\n"
            "  return %3, %2\n");
  auto flat = Flatten(r.graph);
  EXPECT_EQ(flat->functions[0].argument_names, (std::vector<std::string>{"x", "variable:w"}));
  EXPECT_EQ(flat->functions[0].result_names, (std::vector<std::string>{"result0", "assigned:w"}));
}

TEST(FlattenTest, BranchesGiveBackWhatTheyAssign) {
  FunctionTracer r;
  const uint32_t w = r.Variable("w", DType::kF32, {2});
  ValueId flag = r.Input("flag", DType::kI1, {});
  r.If(
      flag,
      [&] {
        r.Assign(w, r.Call("tf.Relu", {r.Read(w)}));
        return Values{};
      },
      [&] { return Values{}; });
  r.Return({r.Read(w)});
  EXPECT_EQ(FlatText(r.graph),
            "traced(%0: i1 [], %1: f32 [2]):\n"
            "  %3: f32 [2] = if %0\n"
            "    ():\n"
            "      %2: f32 [2] = tf.Relu %1\n"
            "      return %2\n"
            "    ():\n"
            "      return %1\n"
            "  return %3, %3\n");
}

TEST(FlattenTest, LoopsCarryWhatTheyAssign) {
  FunctionTracer r;
  const uint32_t w = r.Variable("w", DType::kF32, {2});
  ValueId x = r.Input("x", DType::kF32, {3, 2});
  Values stacked = r.For(kLeftOut, {}, {x}, [&](Values v) {
    r.Assign(w, r.Call("tf.AddV2", {r.Read(w), v[1]}));
    return Values{r.Read(w)};
  });
  r.Return(stacked);
  EXPECT_EQ(FlatText(r.graph),
            "traced(%0: f32 [3, 2], %1: f32 [2]):\n"
            "  %7: f32 [2], %6: f32 [?, 2] = for carrying 1 -, %1, %0\n"
            "    (%2: i64 [], %4: f32 [2], %3: f32 [2]):\n"
            "      %5: f32 [2] = tf.AddV2 %4, %3\n"
            "      return %5, %5\n"
            "  return %6, %7\n");
}

TEST(FlattenTest, CallsAreInPlace) {
  FunctionTracer r;
  const uint32_t w = r.Variable("w", DType::kF32, {});
  r.AddFunction("callee");
  ValueId y = r.Input("y", DType::kF32, {});
  r.Assign(w, y);
  r.Return({r.Call("tf.Relu", {y})});
  r.Enter(0);
  ValueId x = r.Input("x", DType::kF32, {});
  ValueId once = r.CallFunction(1, {x})[0];
  r.Return({r.CallFunction(1, {once})[0]});
  EXPECT_EQ(FlatText(r.graph),
            "traced(%0: f32 [], %1: f32 []):\n"
            "  %2: f32 [] = tf.Relu %0\n"
            "  %3: f32 [] = tf.Relu %2\n"
            "  return %3, %2\n");
}

// Each function calls the next one twice: 2^40 calls.
TEST(FlattenTest, CallsOfCallsHaveALimit) {
  TracedGraph graph;
  for (uint32_t i = 0; i < 40; ++i) {
    TracedFunction& function = graph.functions.emplace_back();
    function.name = "f";
    for (int j = 0; j < 2 && i + 1 < 40; ++j) {
      function.body.ops.push_back({.kind = TracedOpKind::kCall, .index = i + 1});
    }
  }
  ASSERT_TRUE(Verify(graph).ok());
  EXPECT_EQ(Flatten(graph).status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(Flatten(graph).status().message(), "calls of calls make more than 1048576 ops");
}

// Each function calls the next one.
TEST(FlattenTest, CallsAreNotTooDeep) {
  TracedGraph graph;
  for (uint32_t i = 0; i < 1000; ++i) {
    TracedFunction& function = graph.functions.emplace_back();
    function.name = "f";
    if (i + 1 < 1000) {
      function.body.ops.push_back({.kind = TracedOpKind::kCall, .index = i + 1});
    }
  }
  ASSERT_TRUE(Verify(graph).ok());
  EXPECT_EQ(Flatten(graph).status().message(),
            "calls and bodies are more than 256 deep in each other");
}

}  // namespace
}  // namespace tfrt::function
