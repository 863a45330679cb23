#include <string>

#include "function_tracer.h"
#include "gtest/gtest.h"
#include "lib/format/traced_graph/traced_graph.h"

namespace tfrt::function {
namespace {

using Values = FunctionTracer::Values;

std::string ErrorOf(const TracedGraph& graph) {
  Status status = Verify(graph);
  EXPECT_TRUE(status.ok() || status.code() == StatusCode::kInvalidArgument);
  return std::string(status.message());
}

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    r.At(7);
    x = r.Input("x", DType::kF32, {2, 4});
    flag = r.Input("flag", DType::kI1, {});
  }
  TracedOp& last() { return r.function().body.ops.back(); }

  FunctionTracer r;
  ValueId x, flag;
};

TEST_F(VerifyTest, NoFunction) { EXPECT_EQ(ErrorOf({}), "the graph has no function"); }

TEST_F(VerifyTest, UnknownOp) {
  r.Call("tf.Relu", {x});
  last().op = "tf.Relux";
  EXPECT_EQ(ErrorOf(r.graph), "step.cc:7:3: there is no op 'tf.Relux'");
}

TEST_F(VerifyTest, CallThatTheTableRefuses) {
  r.Call("tf.MatMul", {x, r.Floats({4, 3}, std::vector<float>(12))});
  last().arguments[1] = x;
  EXPECT_EQ(ErrorOf(r.graph),
            "step.cc:7:3: tf.MatMul: matmul arguments have incompatible shapes: In[0]: [2, 4], "
            "In[1]: [2, 4]. "
            "transpose_a: 0, transpose_b: 0");
}

TEST_F(VerifyTest, ResultOfAnotherType) {
  ValueId y = r.Call("tf.Relu", {x});
  r.function().values[y].dims = {{3, 4}};
  EXPECT_EQ(ErrorOf(r.graph),
            "step.cc:7:3: tf.Relu: the result 'y' is f32 [3, 4], but the op makes f32 "
            "[2, 4]");
}

TEST_F(VerifyTest, Attributes) {
  r.Call("tf.MatMul", {x, r.Floats({4, 3}, std::vector<float>(12))}, {{"transpose_a", false}});
  last().attrs.push_back({"transpose_a", false});
  EXPECT_EQ(ErrorOf(r.graph), "step.cc:7:3: tf.MatMul: the attribute 'transpose_a' twice");
  last().attrs[1].name = "transpose_c";
  EXPECT_EQ(ErrorOf(r.graph), "step.cc:7:3: tf.MatMul has no attribute 'transpose_c'");
  last().attrs[1] = {"transpose_b", ValueType{DType::kI1}};
  EXPECT_EQ(ErrorOf(r.graph),
            "step.cc:7:3: tf.MatMul: the attribute 'transpose_b' is a tensor, which is to be a "
            "constant's");
}

TEST_F(VerifyTest, ValuesAreMadeOnceAndBeforeTheyAreUsed) {
  ValueId y = r.Call("tf.Relu", {x});
  r.Call("tf.Relu", {y});
  last().results = {y};
  EXPECT_EQ(ErrorOf(r.graph), "step.cc:7:3: value 2 is made twice");
  last().results = {3};
  r.function().body.ops[0].arguments = {3};
  EXPECT_EQ(ErrorOf(r.graph), "step.cc:7:3: value 3 is used before it is made");
}

TEST_F(VerifyTest, ValuesOfBodiesStayInside) {
  ValueId inner = 0;
  r.If(flag, [&] { return Values{inner = r.Call("tf.Relu", {x})}; }, [&] { return Values{x}; });
  r.Call("tf.Relu", {x});
  EXPECT_EQ(ErrorOf(r.graph), "");
  last().arguments = {inner};
  EXPECT_EQ(ErrorOf(r.graph), "step.cc:7:3: value 2 is used outside of the body that makes it");
}

TEST_F(VerifyTest, Branches) {
  r.If(flag, [&] { return Values{x}; }, [&] { return Values{x}; });
  last().arguments = {x};
  EXPECT_EQ(ErrorOf(r.graph),
            "step.cc:7:3: the condition of an if is f32 [2, 4], expected one element of i1");
  last().arguments = {flag};
  last().bodies[1].results = {flag};
  EXPECT_EQ(ErrorOf(r.graph), "step.cc:7:3: a branch ends with i1 [], expected f32 [2, 4]");
  last().bodies[1].results = {};
  EXPECT_EQ(ErrorOf(r.graph),
            "step.cc:7:3: a branch has 0 arguments and 0 results, expected 0 and 1");
}

TEST_F(VerifyTest, Loops) {
  auto next = [&](Values v) { return Values{r.Call("tf.Relu", {v[0]})}; };
  r.While({x}, [&](Values) { return Values{flag}; }, next);
  EXPECT_EQ(ErrorOf(r.graph), "");
  last().bodies[1].results = {flag};
  EXPECT_EQ(ErrorOf(r.graph),
            "step.cc:7:3: carried value 0 of a loop goes on with i1 [], expected f32 [2, 4]");
  last().bodies[0].results = {x};
  EXPECT_EQ(ErrorOf(r.graph),
            "step.cc:7:3: the condition of a while is f32 [2, 4], expected one element of i1");
  last().bodies[0].results = {};
  EXPECT_EQ(
      ErrorOf(r.graph),
      "step.cc:7:3: the condition of a while has 1 arguments and 0 results, expected 1 and 1");
}

TEST_F(VerifyTest, ForNeedsACountOrSomethingToScan) {
  r.For(r.Integer(2), {x}, {}, [&](Values v) { return Values{v[1]}; });
  EXPECT_EQ(ErrorOf(r.graph), "");
  last().arguments[0] = kLeftOut;
  EXPECT_EQ(ErrorOf(r.graph), "step.cc:7:3: a for has neither a count nor anything to scan");
  last().arguments[0] = x;
  EXPECT_EQ(ErrorOf(r.graph),
            "step.cc:7:3: the count of a for is f32 [2, 4], expected one element of i64");
}

TEST_F(VerifyTest, Variables) {
  const uint32_t w = r.Variable("w", DType::kF32, {2, 4});
  r.Assign(w, x);
  EXPECT_EQ(ErrorOf(r.graph), "");
  last().arguments = {flag};
  EXPECT_EQ(ErrorOf(r.graph),
            "step.cc:7:3: variable 'w' is assigned with i1 [], expected f32 [2, 4]");
  last().index = 3;
  EXPECT_EQ(ErrorOf(r.graph), "step.cc:7:3: there is no variable 3");
  r.Variable("w", DType::kF32, {});
  EXPECT_EQ(ErrorOf(r.graph), "two variables are called 'w'");
}

TEST_F(VerifyTest, ConditionsAssignNothing) {
  const uint32_t w = r.Variable("w", DType::kF32, {2, 4});
  r.While(
      {x},
      [&](Values v) {
        r.Assign(w, v[0]);
        return Values{flag};
      },
      [&](Values v) { return v; });
  EXPECT_EQ(ErrorOf(r.graph),
            "step.cc:7:3: the condition of a while assigns variable 'w': assign it in the body");
}

TEST_F(VerifyTest, CallsGoForward) {
  r.Return({x});
  r.AddFunction("callee");
  ValueId y = r.Input("y", DType::kF32, {2, 4});
  r.Return({y});
  r.Enter(0);
  r.CallFunction(1, {x});
  EXPECT_EQ(ErrorOf(r.graph), "");
  last().index = 0;
  EXPECT_EQ(
      ErrorOf(r.graph),
      "step.cc:7:3: function 0 calls function 0, but what is called comes behind its callers");
  last().index = 1;
  last().arguments = {flag};
  EXPECT_EQ(ErrorOf(r.graph), "step.cc:7:3: 'callee' is called with i1 [], expected f32 [2, 4]");
}

TEST_F(VerifyTest, Constants) {
  r.Floats({2}, {1, 2});
  r.graph.constants[0].data = r.graph.constants[0].data.first(4);
  EXPECT_EQ(ErrorOf(r.graph), "a constant is f32 [2], but has 4 bytes");
}

TEST_F(VerifyTest, Convention) {
  r.graph.callbacks = {"log", "other"};
  const uint32_t a = r.Variable("a", DType::kF32, {2, 4});
  r.Variable("unused", DType::kF32, {});
  const uint32_t c = r.Variable("c", DType::kF32, {2, 4});
  r.AddFunction("callee");
  r.If(
      r.Input("go", DType::kI1, {}),
      [&] {
        r.Assign(c, r.Read(a));
        return Values{};
      },
      [&] { return Values{}; });
  r.Return({});
  r.Enter(0);
  r.CallFunction(1, {flag});
  r.At(9);
  r.HostCall(1, {x}, {});
  EXPECT_EQ(ErrorOf(r.graph), "");
  const CallConvention convention = ConventionOf(r.graph);
  EXPECT_EQ(convention.variables, (std::vector<uint32_t>{a, c}));
  EXPECT_EQ(convention.assigned, std::vector<uint32_t>{c});
  EXPECT_EQ(convention.callbacks, std::vector<uint32_t>{1});
  EXPECT_TRUE(convention.has_effects);
  EXPECT_EQ(r.graph.locations[convention.first_callback_location].line, 9u);
}

}  // namespace
}  // namespace tfrt::function
