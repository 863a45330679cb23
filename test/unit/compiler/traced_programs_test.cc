// What the constructs of traced graphs compute.

#include "traced_programs.h"

#include <mutex>

#include "gmock/gmock.h"
#include "tfrt/model/model.h"

namespace tfrt::function {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Values = FunctionTracer::Values;

TEST(RecordedProgramsTest, OpsOfAnySizes) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {-1, 2});
  ValueId w = r.Floats({2, 2}, {1, 2, 3, 4});
  r.Return({r.Call("tf.Relu", {r.Call("tf.MatMul", {x, w})})});
  Program program(r.graph);
  EXPECT_THAT(program.RunForFloats({program.F32({1, 2}, {1, 1})}), ElementsAre(4, 6));
  EXPECT_THAT(program.RunForFloats({program.F32({2, 2}, {1, -1, 0, 1})}), ElementsAre(0, 0, 3, 4));
}

TEST(RecordedProgramsTest, UnknownRank) {
  FunctionTracer r;
  r.function().argument_names.push_back("x");
  ValueId x = r.Value({DType::kF32, std::nullopt});
  r.function().body.arguments.push_back(x);
  r.function().num_inputs = 1;
  r.Return({r.Call("tf.Mul", {x, x})});
  Program program(r.graph);
  EXPECT_THAT(program.RunForFloats({program.F32({2}, {2, 3})}), ElementsAre(4, 9));
  EXPECT_THAT(program.RunForFloats({program.F32({1, 1}, {5})}), ElementsAre(25));
}

// An argument that a spelling has as an attribute.
TEST(RecordedProgramsTest, FoldedArguments) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {2, 2});
  r.Return({r.Call("_tf.Transpose", {x}, {{"perm", std::vector<int64_t>{1, 0}}})});
  Program program(r.graph);
  EXPECT_THAT(program.RunForFloats({program.F32({2, 2}, {1, 2, 3, 4})}), ElementsAre(1, 3, 2, 4));
}

// Rows of the table that only eager programs called before.
TEST(RecordedProgramsTest, OpsOfEagerPrograms) {
  FunctionTracer r;
  ValueId image = r.Input("image", DType::kF32, {1, 4, 4, 1});
  ValueId filter = r.Floats({2, 2, 1, 1}, {1, 1, 1, 1});
  ValueId y = r.Call("tf.Conv2D", {image, filter}, {{"padding", std::string("VALID")}});
  y = r.Call("tf.MaxPool", {y},
             {{"ksize", std::vector<int64_t>{1, 3, 3, 1}}, {"padding", std::string("VALID")}});
  r.Return({y});
  Program program(r.graph);
  Floats pixels(16);
  for (size_t i = 0; i < 16; ++i) pixels[i] = static_cast<float>(i);
  EXPECT_THAT(program.RunForFloats({program.F32({1, 4, 4, 1}, pixels)}),
              ElementsAre(10 + 11 + 14 + 15));
}

TEST(RecordedProgramsTest, If) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {2}), flag = r.Input("flag", DType::kI1, {});
  r.Return(r.If(
      flag, [&] { return Values{r.Call("tf.Mul", {x, r.Number(2)})}; }, [&] { return Values{x}; }));
  Program program(r.graph);
  auto run = [&](bool value) {
    return program.RunForFloats({program.F32({2}, {1, 2}), program.Bool(value)});
  };
  EXPECT_THAT(run(true), ElementsAre(2, 4));
  EXPECT_THAT(run(false), ElementsAre(1, 2));
}

TEST(RecordedProgramsTest, While) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {});
  r.Return(r.While(
      {x}, [&](Values v) { return Values{r.Call("tf.Less", {v[0], r.Number(100)})}; },
      [&](Values v) { return Values{r.Call("tf.Mul", {v[0], r.Number(2)})}; }));
  Program program(r.graph);
  EXPECT_THAT(program.RunForFloats({program.F32({}, {3})}), ElementsAre(192));
  EXPECT_THAT(program.RunForFloats({program.F32({}, {100})}), ElementsAre(100));
}

TEST(RecordedProgramsTest, ForScansAndStacks) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {-1, 2});
  ValueId zero = r.Floats({2}, {0, 0});
  r.Return(r.For(kLeftOut, {zero}, {x}, [&](Values v) {
    ValueId sum = r.Call("tf.AddV2", {v[1], v[2]});
    return Values{sum, sum};
  }));
  Program program(r.graph);
  auto results = program.Run({program.F32({3, 2}, {1, 2, 3, 4, 5, 6})});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_THAT(ElementsOf<float>((*results)[0]), ElementsAre(9, 12));
  EXPECT_THAT(ElementsOf<float>((*results)[1]), ElementsAre(1, 2, 4, 6, 9, 12));
}

// A list that grows in a loop.
TEST(RecordedProgramsTest, Lists) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {});
  ValueId list = r.Value({DType::kF32, std::vector<int64_t>{-1}});
  r.function().body.arguments.push_back(list);
  r.function().argument_names.push_back("list");
  r.function().num_inputs = 2;
  r.Return(r.For(r.Integer(3), {list}, {},
                 [&](Values v) { return Values{r.Call("tfrt.ListWrite", {v[1], v[0], x})}; }));
  Program program(r.graph);
  EXPECT_THAT(program.RunForFloats({program.F32({}, {7}), program.F32({0}, {})}),
              ElementsAre(7, 7, 7));
  EXPECT_THAT(program.RunForFloats({program.F32({}, {7}), program.F32({4}, {1, 2, 3, 4})}),
              ElementsAre(7, 7, 7, 4));
}

TEST(RecordedProgramsTest, Variables) {
  FunctionTracer r;
  const uint32_t w = r.Variable("w", DType::kF32, {});
  ValueId x = r.Input("x", DType::kF32, {}), flag = r.Input("flag", DType::kI1, {});
  r.If(
      flag,
      [&] {
        r.Assign(w, r.Call("tf.AddV2", {r.Read(w), x}));
        return Values{};
      },
      [&] { return Values{}; });
  r.Return({r.Call("tf.Mul", {r.Read(w), x})});
  Program program(r.graph);
  auto run = [&](bool value) {
    auto results = program.Run({program.F32({}, {2}), program.Bool(value), program.F32({}, {10})});
    EXPECT_TRUE(results.ok()) << results.status().ToString();
    return std::pair(ElementsOf<float>((*results)[0])[0], ElementsOf<float>((*results)[1])[0]);
  };
  EXPECT_EQ(run(true), std::pair(24.0f, 12.0f));
  EXPECT_EQ(run(false), std::pair(20.0f, 10.0f));
}

TEST(RecordedProgramsTest, FunctionsAreInPlace) {
  FunctionTracer r;
  r.AddFunction("square");
  ValueId y = r.Input("y", DType::kF32, {});
  r.Return({r.Call("tf.Mul", {y, y})});
  r.Enter(0);
  ValueId x = r.Input("x", DType::kF32, {});
  r.Return({r.CallFunction(1, {r.CallFunction(1, {x})[0]})[0]});
  Program program(r.graph);
  EXPECT_THAT(program.RunForFloats({program.F32({}, {2})}), ElementsAre(16));
}

// Effects come in the order of the program, in branches and loops, too.
TEST(RecordedProgramsTest, HostCallsInOrder) {
  FunctionTracer r;
  r.graph.callbacks = {"log"};
  ValueId x = r.Input("x", DType::kF32, {}), flag = r.Input("flag", DType::kI1, {});
  auto log = [&](float number) { r.HostCall(0, {r.Number(number)}, {}); };
  log(1);
  r.If(
      flag,
      [&] {
        log(2);
        return Values{};
      },
      [&] { return Values{}; });
  r.For(r.Integer(2), {x}, {}, [&](Values v) {
    log(3);
    r.HostCall(0, {v[1]}, {});
    return Values{r.Call("tf.Mul", {v[1], v[1]})};
  });
  log(4);
  r.Return({});
  Program program(r.graph);
  std::mutex mutex;
  Floats seen;
  program.SetCallbacks({[&](std::span<const DenseHostTensor* const> inputs)
                            -> StatusOr<std::vector<DenseHostTensor>> {
    std::lock_guard lock(mutex);
    seen.push_back(ElementsOf<float>(*inputs[0])[0]);
    return std::vector<DenseHostTensor>();
  }});
  auto results = program.Run({program.F32({}, {5}), program.Bool(true)});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_THAT(seen, ElementsAre(1, 2, 3, 5, 3, 25, 4));
  ASSERT_EQ(results->size(), 1u);
  EXPECT_THAT(ElementsOf<uint8_t>((*results)[0]), ElementsAre(1));
  seen.clear();
  ASSERT_TRUE(program.Run({program.F32({}, {5}), program.Bool(false)}).ok());
  EXPECT_THAT(seen, ElementsAre(1, 3, 5, 3, 25, 4));
}

TEST(RecordedProgramsTest, HostCallsMakeTensors) {
  FunctionTracer r;
  r.graph.callbacks = {"twice", "fails", "none"};
  ValueId x = r.Input("x", DType::kF32, {2});
  const uint32_t which = 0;
  ValueId y = r.HostCall(which, {x}, {{DType::kF32, std::vector<int64_t>{2}}})[0];
  r.Return({r.Call("tf.AddV2", {y, x})});
  Program program(r.graph);
  EXPECT_THAT(program.Run({program.F32({2}, {1, 2})}).status().message(),
              HasSubstr("the callback 'twice' is not there"));
  program.SetCallbacks({[&](std::span<const DenseHostTensor* const> inputs)
                            -> StatusOr<std::vector<DenseHostTensor>> {
    Floats elements = ElementsOf<float>(*inputs[0]);
    for (float& element : elements) element *= 2;
    std::vector<DenseHostTensor> made;
    made.push_back(TensorOf(program.host(), DType::kF32, {2}, elements));
    return made;
  }});
  EXPECT_THAT(program.RunForFloats({program.F32({2}, {1, 2})}), ElementsAre(3, 6));
  program.SetCallbacks({[](auto) -> StatusOr<std::vector<DenseHostTensor>> {
    return InvalidArgumentError("no luck");
  }});
  EXPECT_EQ(program.Run({program.F32({2}, {1, 2})}).status().message(),
            "callback 'twice': no luck");
  program.SetCallbacks({[](auto) -> StatusOr<std::vector<DenseHostTensor>> {
    return std::vector<DenseHostTensor>();
  }});
  EXPECT_EQ(program.Run({program.F32({2}, {1, 2})}).status().message(),
            "callback 'twice' makes 0 tensors, expected 1");
  program.SetCallbacks({});
  EXPECT_EQ(program.Run({program.F32({2}, {1, 2})}).status().message(),
            "callback 0 ('twice') of 0");
}

// Nothing behind a failed assertion happens; what does not depend on it is there.
TEST(RecordedProgramsTest, AssertionsStopEffects) {
  FunctionTracer r;
  r.graph.callbacks = {"log"};
  ValueId flag = r.Input("flag", DType::kI1, {}), x = r.Input("x", DType::kF32, {});
  r.At(7);
  r.CallAll("tf.Assert", {flag, x});
  r.At(8);
  r.HostCall(0, {x}, {});
  r.Return({});
  Program program(r.graph);
  int calls = 0;
  program.SetCallbacks({[&](auto) -> StatusOr<std::vector<DenseHostTensor>> {
    ++calls;
    return std::vector<DenseHostTensor>();
  }});
  EXPECT_TRUE(program.Run({program.Bool(true), program.F32({}, {3})}).ok());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(program.Run({program.Bool(false), program.F32({}, {3})}).status().message(),
            "assertion failed: [3]");
  EXPECT_EQ(calls, 1);
}

// What depends on constants alone is computed by @load: @main has one kernel.
TEST(RecordedProgramsTest, ConstantsAreHoisted) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {2});
  ValueId c = r.Call("tf.Exp", {r.Floats({2}, {0, 0})});
  r.Return({r.Call("tf.Mul", {x, c})});
  Answer answer = Compile(r.graph, TFRT_OUTPUT_KERNELS);
  ASSERT_EQ(answer->code, 0u) << answer->message;
  const std::string text = TextOf(*answer);
  const size_t main = text.find("@main");
  EXPECT_LT(text.find("graph.exp"), main);
  EXPECT_GT(text.find("graph.mul"), main);
  EXPECT_EQ(text.find("graph.exp", main), std::string::npos);
}

// A compiled function is a model file.
TEST(RecordedProgramsTest, RunsAsAModel) {
  FunctionTracer r;
  const uint32_t w = r.Variable("w", DType::kF32, {2});
  ValueId x = r.Input("x", DType::kF32, {-1, 2});
  r.Assign(w, r.Floats({2}, {1, 1}));
  r.Return({r.Call("tf.Mul", {x, r.Read(w)})});
  Program program(r.graph);
  auto model = Model::FromBytes(
      FileBytes::Borrow({program.answer().output, program.answer().output_size}), program.host());
  ASSERT_TRUE(model.ok()) << model.status().ToString();
  ASSERT_EQ(model->inputs().size(), 2u);
  EXPECT_EQ(model->inputs()[0].name, "x");
  EXPECT_EQ(model->inputs()[1].name, "variable:w");
  EXPECT_EQ(model->outputs()[0].name, "result0");
  EXPECT_EQ(model->outputs()[1].name, "assigned:w");
  auto session = Session::Create(*model);
  ASSERT_TRUE(session.ok()) << session.status().ToString();
  Input image = program.F32({1, 2}, {3, 4}), value = program.F32({2}, {0, 0});
  auto results = session->Run({{"x", *image}, {"variable:w", *value}});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_THAT(ElementsOf<float>((*results)[0]), ElementsAre(3, 4));
}

// The bits of a program do not depend on what is fused if numerics are exact.
TEST(RecordedProgramsTest, ExactOrAsSeparateOps) {
  FunctionTracer r;
  ValueId x = r.Input("x", DType::kF32, {8});
  ValueId y = x;
  for (int i = 0; i < 4; ++i) {
    y = r.Call("tf.Tanh", {r.Call("tf.AddV2", {r.Call("tf.Mul", {y, r.Number(1.1f)}), x})});
  }
  r.Return({y});
  Program exact(r.graph, TFRT_COMPILE_EXACT);
  Program separate(r.graph, TFRT_COMPILE_EXACT | TFRT_COMPILE_NO_FUSE);
  const Floats in = {0.1f, -0.7f, 0.3f, 0.9f, -0.2f, 0.5f, 0.6f, -0.4f};
  EXPECT_EQ(exact.RunForFloats({exact.F32({8}, in)}),
            separate.RunForFloats({separate.F32({8}, in)}));
  auto ops = [](const Program& program) {
    return program.answer().passes[program.answer().num_passes - 1].ops_after;
  };
  EXPECT_LT(ops(exact), ops(separate));
}

}  // namespace
}  // namespace tfrt::function
