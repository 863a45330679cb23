// The code that docs/functions.md prints. test/docs/check_quotes.py checks that it is found here.

#include <cstdio>

#include "test/unit/function/function_fixture.h"
#include "tfrt/function/gradients.h"

namespace tfrt::function {
namespace {

using namespace eager;  // NOLINT: the ops

TEST_F(FunctionTest, GuideFirstFunction) {
  Tensor w = Floats({2, 2}, {1, 0, 0, 1});
  Tensor x = Floats({1, 2}, {-1, 2});
  Function step("step", [&](Tensor x, Static<int> depth) {
    for (int i = 0; i < depth; ++i) x = Relu(MatMul(x, w));
    return x;
  });
  Tensor y = step(x, 3);
  EXPECT_THAT(ValuesOf<float>(y), ElementsAre(0, 2));
  (void)step(x, 4);
  testing::internal::CaptureStdout();
  std::puts(step.Report().c_str());
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              HasSubstr("last trace: argument arg1 is the host value 4, it was 3; it took "));
}

TEST_F(FunctionTest, GuideTraces) {
  int traces = 0;
  Function twice("twice", [&](Tensor x) {
    ++traces;
    return x + x;
  });
  twice(1);
  twice(2);  // traces is 1
  EXPECT_EQ(traces, 1);
}

TEST_F(FunctionTest, GuideSignatureAndFile) {
  Tensor w = Floats({2, 2}, {1, 0, 0, 1});
  Function scores(
      "scores", [&](Tensor x) { return Softmax(MatMul(x, w)); },
      {.input_signature = {TensorSpec(DType::kF32, {kUnknown, 2})}, .argument_names = {"x"}});
  EXPECT_THAT(ValuesOf<float>(scores(Floats({1, 2}, {1, 1}))), ElementsAre(0.5, 0.5));
  StanceScope strict(Stance::kFailOnRetrace);
  EXPECT_TRUE(scores(Floats({2, 2}, {1, 1, 1, 1})).status().ok());
  StatusOr<ConcreteFunction> program = scores.Concrete(TensorSpec(DType::kF32, {kUnknown, 2}));
  ASSERT_TRUE(program.ok()) << program.status().message();
  const std::string path = testing::TempDir() + "/function_scores.bef";
  Status saved = program->Save(path);
  EXPECT_TRUE(saved.ok()) << saved.message();
}

TEST_F(FunctionTest, GuideControlFlow) {
  Function absolute("absolute", [](Tensor x) {
    return Cond(Sum(x, {0}) > 0.0f, [&] { return x; }, [&] { return x * -1.0f; });
  });
  EXPECT_THAT(ValuesOf<float>(absolute(Floats({1}, {-2}))), ElementsAre(2));
  Function halvings("halvings", [](Tensor x) {
    auto [rest, count] =
        WhileLoop([](Tensor rest, Tensor) { return rest > 1.0f; },
                  [](Tensor rest, Tensor count) { return std::array{rest * 0.5f, count + 1}; }, x,
                  Tensor::Scalar(0));
    return count;
  });
  EXPECT_EQ(ItemOf<int32_t>(halvings(100.0f)), 7);
}

TEST_F(FunctionTest, GuideVariables) {
  Tensor gradient = Tensor::Of({1.0f, 1.0f});
  Variable weights(Tensor::Of({0.5f, 0.25f}));
  Function train("train", [&](Tensor gradient) {
    weights.AssignSub(gradient * 0.1f);
    return weights.Read();
  });
  Tensor now = train(gradient);
  EXPECT_EQ(ValuesOf<float>(now), ValuesOf<float>(weights.Read()));
  EXPECT_THAT(ValuesOf<float>(now), ElementsAre(testing::_, testing::FloatNear(0.15f, 1e-6f)));
}

TEST_F(FunctionTest, GuideGradients) {
  Variable weights(Floats({2, 1}, {0, 0}));
  Variable bias(Tensor::Scalar(0.0f));
  auto gradient = ValueAndGrad("loss",
                               [&](Tensor x, Tensor y) {
                                 Tensor error = MatMul(x, weights) + bias.Read() - y;
                                 return Mean(error * error, {0, 1});
                               },
                               {.variables = {weights, bias}});
  Function step("step", [&](Tensor x, Tensor y) {
    auto [loss, gradients] = gradient(x, y);
    weights.AssignSub(gradients[0] * 0.1f);
    bias.AssignSub(gradients[1] * 0.1f);
    return loss;
  });
  const Tensor x = Floats({3, 2}, {1, 0, 0, 1, 1, 1}), y = Floats({3, 1}, {2, 3, 5});
  const float first = ItemOf<float>(step(x, y));
  for (int i = 0; i < 50; ++i) (void)step(x, y);
  EXPECT_LT(ItemOf<float>(step(x, y)), 0.01f * first);

  auto slope = Grad("cube", [](Tensor x) { return x * x * x; });
  auto curvature = Grad("slope", [&](Tensor x) { return slope(x)[0]; });
  Tensor twelve = curvature(2.0f)[0];
  EXPECT_EQ(ItemOf<float>(twelve), 12);
}

}  // namespace
}  // namespace tfrt::function
