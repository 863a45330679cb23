// Gradients of functions: what they are for, where they are called, what they refuse.
// test/unit/compiler/gradient_programs_test.cc has what rules compute.

#include "tfrt/function/gradients.h"

#include "test/unit/function/function_fixture.h"

namespace tfrt::function {
namespace {

using namespace eager;  // NOLINT: the ops
using GradTest = FunctionTest;

std::string ErrorOf(const Tensor& tensor) { return std::string(tensor.status().message()); }

Tensor Square(Tensor x) { return x * x; }
Tensor SumOfSquares(Tensor x) { return Sum(x * x, {0}); }

TEST_F(GradTest, OfTheFirstArgument) {
  int traces = 0;
  auto gradient = Grad("squares", [&](Tensor x) {
    ++traces;
    return SumOfSquares(x);
  });
  EXPECT_THAT(ValuesOf<float>(gradient(Floats({2}, {1, 3}))[0]), ElementsAre(2, 6));
  EXPECT_THAT(ValuesOf<float>(gradient(Floats({2}, {5, 4}))[0]), ElementsAre(10, 8));
  EXPECT_EQ(traces, 1);
  EXPECT_EQ(gradient.statistics().traces, 1);
}

TEST_F(GradTest, ValuesComeFirst) {
  auto gradient = ValueAndGrad("scaled",
                               [](Tensor x, Tensor scale, std::vector<Tensor> more) {
                                 Tensor scaled = x * scale;
                                 return std::pair(Sum(scaled * more[1], {0}), scaled);
                               },
                               {.arguments = {2, 0}});
  auto [value, gradients] =
      gradient(Floats({2}, {1, 2}), 3.0f, {Floats({2}, {1, 1}), Floats({2}, {5, 7})});
  EXPECT_EQ(ItemOf<float>(value.first), 57);
  EXPECT_THAT(ValuesOf<float>(value.second), ElementsAre(3, 6));
  ASSERT_EQ(gradients.size(), 3u);
  EXPECT_THAT(ValuesOf<float>(gradients[0]), ElementsAre(0, 0));
  EXPECT_THAT(ValuesOf<float>(gradients[1]), ElementsAre(3, 6));
  EXPECT_THAT(ValuesOf<float>(gradients[2]), ElementsAre(15, 21));
}

TEST_F(GradTest, AStepOfTrainingIsOneProgram) {
  Variable weights(Floats({2}, {1, 2})), unused(Tensor::Scalar(4.0f));
  auto gradient =
      ValueAndGrad("loss", [&](Tensor x) { return Sum(Square(x - weights.Read()), {0}); },
                   {.variables = {weights, unused}});
  Function step("step", [&](Tensor x, Tensor rate) {
    auto [loss, gradients] = gradient(x);
    weights.AssignSub(gradients[0] * rate);
    return std::pair(loss, gradients[1]);
  });
  auto [loss, zero] = step(Floats({2}, {0, 0}), 0.25f);
  EXPECT_EQ(ItemOf<float>(loss), 5);
  EXPECT_EQ(ItemOf<float>(zero), 0);
  EXPECT_THAT(ValuesOf<float>(weights.Read()), ElementsAre(0.5, 1));
  EXPECT_EQ(ItemOf<float>(step(Floats({2}, {0, 0}), 0.25f).first), 1.25);
  EXPECT_EQ(step.statistics().traces, 1);
  EXPECT_EQ(gradient.statistics().calls, 0) << "it is part of the step";
}

TEST_F(GradTest, WhatTheLossAssignsIsAssignedOnce) {
  Variable count(Tensor::Scalar(0.0f));
  auto gradient = ValueAndGrad("counts", [&](Tensor x) {
    count.AssignAdd(1.0f);
    return Sum(x * count.Read(), {0});
  });
  for (float calls = 1; calls < 3; ++calls) {
    auto [loss, gradients] = gradient(Floats({1}, {3}));
    EXPECT_EQ(ItemOf<float>(loss), 3 * calls);
    EXPECT_THAT(ValuesOf<float>(gradients[0]), ElementsAre(calls));
    EXPECT_EQ(ItemOf<float>(count.Read()), calls);
  }
}

TEST_F(GradTest, VariablesThatAreArguments) {
  auto gradient = Grad("product", [](Variable v, Variable w) { return v.Read() * w.Read(); },
                       {.arguments = {0, 1}});
  Variable v(Tensor::Scalar(2.0f)), w(Tensor::Scalar(5.0f));
  std::vector<Tensor> made = gradient(v, w);
  EXPECT_EQ(ItemOf<float>(made[0]), 5);
  EXPECT_EQ(ItemOf<float>(made[1]), 2);
  made = gradient(v, v);  // another trace, in which both are one
  EXPECT_EQ(ItemOf<float>(made[0]), 4);
  EXPECT_EQ(ItemOf<float>(made[1]), 4);

  // In the order that was asked for, whatever they are.
  auto mixed = ValueAndGrad("mixed",
                            [](Tensor x, Variable v, Tensor y) {
                              return std::pair(x * v.Read() * y, Cast(y, DType::kI32));
                            },
                            {.arguments = {1, 2, 1, 2, 0}});
  auto [value, gradients] = mixed(3.0f, v, 7.0f);
  EXPECT_EQ(ItemOf<int32_t>(value.second), 7);
  const std::vector<float> expected = {21, 6, 21, 6, 14};
  ASSERT_EQ(gradients.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(ItemOf<float>(gradients[i]), expected[i]);
}

TEST_F(GradTest, OfGradients) {
  Function cube("cube", [](Tensor x) { return x * x * x; });
  auto second = Grad("second", [first = Grad(cube)](Tensor x) { return first(x)[0]; });
  EXPECT_EQ(ItemOf<float>(second(2.0f)[0]), 12);
  auto third = ValueAndGrad("third", [second](Tensor x) { return second(x)[0]; });
  auto [value, gradients] = third(2.0f);
  EXPECT_EQ(ItemOf<float>(value), 12);
  EXPECT_EQ(ItemOf<float>(gradients[0]), 6);
}

TEST_F(GradTest, ThroughFunctionsLoopsAndBranches) {
  Tensor axes = Tensor::Of({0});
  Function half("half", [](Tensor x) { return x * 0.5f; });
  auto gradient = ValueAndGrad("loops", [&](Tensor x, Static<int> depth) {
    for (int i = 0; i < depth; ++i) x = half(x);
    Tensor power = ForRange(3, [&](Tensor, Tensor p) { return p * x; }, Tensor::Of({1.0f, 1.0f}));
    Tensor sum = Sum(power, axes);
    return Cond(sum > 0.0f, [&] { return sum; }, [&] { return sum * 10.0f; });
  });
  auto [loss, gradients] = gradient(Floats({2}, {2, 4}), 1);
  EXPECT_EQ(ItemOf<float>(loss), 9);
  EXPECT_THAT(ValuesOf<float>(gradients[0]), ElementsAre(1.5, 6));
  EXPECT_THAT(ValuesOf<float>(gradient(Floats({2}, {-2, -4}), 1).gradients[0]),
              ElementsAre(15, 60));
  EXPECT_THAT(ValuesOf<float>(gradient(Floats({2}, {2, 2}), 0).gradients[0]), ElementsAre(12, 12));
  EXPECT_EQ(gradient.statistics().traces, 2);
}

TEST_F(GradTest, InTheBodyOfALoop) {
  auto gradient = Grad("squares", SumOfSquares);
  Function descend("descend", [&](Tensor x, Tensor target) {
    // Sees what is around it: the gradient does not go to that.
    auto far = Grad("far", [&](Tensor y) { return Sum(Square(y - target), {0}); });
    return ForRange(2, [&](Tensor, Tensor at) { return at - far(at)[0] * 0.25f; }, x);
  });
  EXPECT_THAT(ValuesOf<float>(descend(Floats({2}, {4, 8}), Floats({2}, {0, 4}))),
              ElementsAre(1, 5));
}

TEST_F(GradTest, UnknownSizes) {
  auto gradient = Grad("mean", [](Tensor x) { return Mean(Square(x), {0}); }, {},
                       {.input_signature = {TensorSpec(DType::kF32, {kUnknown})}});
  EXPECT_THAT(ValuesOf<float>(gradient(Floats({2}, {1, 2}))[0]), ElementsAre(1, 2));
  EXPECT_THAT(ValuesOf<float>(gradient(Floats({4}, {1, 2, 3, 4}))[0]), ElementsAre(0.5, 1, 1.5, 2));
  EXPECT_EQ(gradient.statistics().traces, 1);
}

// As for the last batch of an epoch, which is a smaller one.
TEST_F(GradTest, BatchesOfAnySize) {
  const Tensor filter = Floats({2, 2, 1, 2}, {1, 0, 0, 1, 1, 1, -1, 0}),
               matrix = Floats({8, 2}, {1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, -5, -6, -7, -8});
  auto loss = [](Tensor image, Tensor labels, Tensor filter, Tensor matrix) {
    const Int64List one = {1, 1, 1, 1}, two = {1, 2, 2, 1}, three = {1, 3, 3, 1};
    Tensor x =
        Conv2DBias(image, filter, Floats({2}, {0.5f, -0.5f}), "SAME", {.activation = "relu"});
    x = MaxPool(AvgPool(x, three, "SAME", {.strides = one}), two, "VALID", {.strides = two});
    x = MatMul(Reshape(x, HostArray({2}, {-1, 8})), matrix);
    return Sum(SparseSoftmaxCrossEntropyWithLogits(x, labels)[0], {0});
  };
  auto known = Grad("known", loss, {.arguments = {2, 0}});
  auto any =
      Grad("any", loss, {.arguments = {2, 0}},
           {.input_signature = {
                TensorSpec(DType::kF32, {kUnknown, 4, 4, 1}), TensorSpec(DType::kI32, {kUnknown}),
                TensorSpec(DType::kF32, {2, 2, 1, 2}), TensorSpec(DType::kF32, {8, 2})}});
  for (int64_t batch : {1, 3}) {
    std::vector<float> pixels(static_cast<size_t>(16 * batch));
    for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i * 7 % 11) - 4;
    const std::vector<int32_t> labels = {1, 0, 1};
    const Tensor image = Tensor::FromArray(HostArray({batch, 4, 4, 1}, pixels));
    const Tensor truth =
        Tensor::FromArray(HostArray({batch}, std::span(labels).first(static_cast<size_t>(batch))));
    const std::vector<Tensor> expected = known(image, truth, filter, matrix),
                              found = any(image, truth, filter, matrix);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_THAT(ValuesOf<float>(found[i]),
                  testing::Pointwise(testing::FloatNear(1e-5f), ValuesOf<float>(expected[i])));
    }
  }
  EXPECT_EQ(any.statistics().traces, 1);
}

TEST_F(GradTest, OnADevice) {
  Scope scope(*context_, {.mode = ExecutionMode::kAsync, .device = "sim:0"});
  Variable weights(Floats({2}, {1, 2}));
  auto gradient =
      ValueAndGrad("loss", [&](Tensor x) { return Sum(Square(x - weights.Read()), {0}); },
                   {.variables = {weights}});
  Function step("step", [&](Tensor x) {
    auto [loss, gradients] = gradient(x);
    weights.AssignSub(gradients[0] * 0.25f);
    return loss;
  });
  Tensor loss;
  for (int i = 0; i < 3; ++i) loss = step(Floats({2}, {0, 0}));
  EXPECT_EQ(ItemOf<float>(loss), 5 / 16.0f);
  EXPECT_EQ(weights.device(), "sim:0");
}

TEST_F(GradTest, AreSaved) {
  auto gradient = Grad("squares", SumOfSquares);
  auto program = gradient.Concrete(TensorSpec(DType::kF32, {2}));
  ASSERT_TRUE(program.ok()) << program.status().message();
  const std::string path = testing::TempDir() + "/gradient.bef";
  EXPECT_TRUE(program->Save(path).ok());
  auto made = (*program)(Floats({2}, {1, 3}));
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_THAT(ValuesOf<float>((*made)[0]), ElementsAre(2, 6));
}

TEST_F(GradTest, AreTracedAlsoWhereFunctionsRunEagerly) {
  auto gradient = Grad("squares", SumOfSquares);
  StanceScope eager(Stance::kForceEager);
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(ValuesOf<float>(gradient(Floats({2}, {1, 3}))[0]), ElementsAre(2, 6));
  }
  EXPECT_EQ(gradient.statistics().eager_calls, 2);
}

TEST_F(GradTest, VariablesOfTheFirstCall) {
  std::vector<Variable> made;
  auto gradient = ValueAndGrad("creates", [&](Tensor x) {
    if (made.empty()) made.emplace_back(Tensor::Scalar(2.0f));
    return Sum(x * made[0].Read(), {0});
  });
  EXPECT_THAT(ValuesOf<float>(gradient(Floats({1}, {3})).gradients[0]), ElementsAre(2));
  made[0].Assign(4.0f);
  EXPECT_THAT(ValuesOf<float>(gradient(Floats({1}, {3})).gradients[0]), ElementsAre(4));
}

TEST_F(GradTest, StopGradient) {
  auto gradient = Grad("stops", [](Tensor x) { return Sum(x * eager::StopGradient(x * x), {0}); });
  EXPECT_THAT(ValuesOf<float>(gradient(Floats({2}, {2, 3}))[0]), ElementsAre(4, 9));
  auto second = Grad("again", [&](Tensor x) { return Sum(gradient(x)[0], {0}); });
  EXPECT_THAT(ValuesOf<float>(second(Floats({2}, {2, 3}))[0]), ElementsAre(0, 0));
}

// --- What is refused

TEST_F(GradTest, ArgumentsWithoutGradients) {
  auto loss = [](Tensor x, Tensor n, Static<int> depth) {
    return Sum(x, {0}) * Cast(n, DType::kF32) * static_cast<float>(depth);
  };
  const Tensor x = Floats({1}, {1});
  auto of = [&](size_t argument) {
    return ErrorOf(Grad("loss", loss, {.arguments = {argument}})(x, 1, 2)[0]);
  };
  EXPECT_THAT(of(1),
              AllOf(HasSubstr("gradients_test.cc"),
                    HasSubstr("the gradient for argument arg1, which is i32 []: only tensors "
                              "and variables of floats have one; leave it out")));
  EXPECT_THAT(of(2), HasSubstr("argument arg2, which is a value of the program, fixed when the "
                               "function is traced"));
  EXPECT_THAT(of(3), HasSubstr("the gradient for argument 3 of a function that has 3"));
  Variable number(Tensor::Scalar(1));
  auto wrong = ValueAndGrad("loss", SumOfSquares, {.arguments = {0}, .variables = {number}});
  auto [value, gradients] = wrong(x);
  ASSERT_EQ(gradients.size(), 2u);
  EXPECT_THAT(ErrorOf(gradients[1]), HasSubstr("the gradient for variable 0, which is i32 []"));
  EXPECT_EQ(ErrorOf(value), ErrorOf(gradients[1]));
  EXPECT_THAT(ErrorOf(Grad("loss", SumOfSquares, {.variables = {Variable()}})(x)[0]),
              HasSubstr("variable 0 is none; has it been moved from?"));
}

TEST_F(GradTest, LossesThatAreNone) {
  const Tensor x = Floats({2}, {1, 2});
  auto squares = Grad("loss", [](Tensor x) { return x * x; });
  const int line = __LINE__ - 1;
  EXPECT_THAT(ErrorOf(squares(x)[0]),
              AllOf(HasSubstr("gradients_test.cc:" + std::to_string(line) + ": tf.Mul: "),
                    HasSubstr("the loss of 'loss' is f32 [2], but must be one float: reduce it "
                              "with Mean or Sum")));
  // It may have one element, or not.
  EXPECT_THAT(ErrorOf(Grad("loss", [](Tensor x) { return x; }, {},
                           {.input_signature = {TensorSpec(DType::kF32, {kUnknown})}})(x)[0]),
              HasSubstr("], but must be one float: reduce it with Mean or Sum"));
  EXPECT_THAT(ErrorOf(Grad("loss", [](Tensor x) { return ArgMax(x, 0); })(x)[0]),
              HasSubstr("must be one float: Cast what it is made of"));
  EXPECT_THAT(ErrorOf(Grad("loss", [](Tensor) { return std::vector<Tensor>(); })(x)[0]),
              HasSubstr("it returns nothing: the loss is its first result"));
  EXPECT_THAT(ErrorOf(Grad("loss",
                           [](Tensor) -> StatusOr<Tensor> {
                             return InternalError("no such weather");
                           })(x)[0]),
              HasSubstr("no such weather"));
}

// Their windows overlap, or do not begin at the image's edge, where the sizes say that they do not.
TEST_F(GradTest, PoolsWithoutARule) {
  const Tensor image = Floats({1, 4, 4, 1}, std::vector<float>(16, 1));
  const Int64List two = {1, 2, 2, 1};
  auto sum = [](const Tensor& x) { return Sum(x * x, {0, 1, 2, 3}); };
  auto dilated = Grad("dilated", [&](Tensor x) {
    return sum(AvgPool(x, two, "SAME", {.dilations = two, .strides = two}));
  });
  auto padded = Grad("padded", [&](Tensor x) {
    const Int64List top = {0, 0, 1, 0, 1, 0, 0, 0};
    return sum(AvgPool(x, two, "EXPLICIT", {.explicit_paddings = top, .strides = two}));
  });
  for (auto& gradient : {dilated, padded}) {
    EXPECT_THAT(ErrorOf(gradient(image)[0]),
                AllOf(HasSubstr("gradients_test.cc:"), HasSubstr("the gradient of avg_pool2d"),
                      HasSubstr("without dilations and explicit padding")));
  }
  auto first = Grad("first", [&](Tensor x) {
    return sum(MaxPool(x, two, "VALID", {.dilations = two, .strides = two}));
  });
  EXPECT_THAT(ValuesOf<float>(first(image)[0]),
              ElementsAre(2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  auto second = Grad("second", [&](Tensor x) { return sum(first(x)[0]); });
  EXPECT_THAT(ErrorOf(second(image)[0]),
              HasSubstr("max_pool2d_grad: there is a rule for windows side by side"));
}

TEST_F(GradTest, WhatIsOnTheWay) {
  const Tensor x = Floats({2}, {1, 2});
  auto host = Grad("loss", [](Tensor x) {
    Tensor doubled = HostCall(
        "double", [](std::span<const Tensor> in) { return std::vector{in[0] + in[0]}; }, {x},
        TensorSpec(DType::kF32, {2}));
    return Sum(doubled, {0});
  });
  EXPECT_THAT(ErrorOf(host(x)[0]),
              AllOf(HasSubstr("gradients_test.cc:"), HasSubstr("a callback has no gradient")));
  Function step("step", [&](Tensor x) { return host(x)[0]; });
  EXPECT_THAT(ErrorOf(step(x)),
              AllOf(HasSubstr("gradients_test.cc:"), HasSubstr("a callback has no gradient")));
  auto late = Grad("loss", [](Tensor x) {
    Variable late(Tensor::Scalar(1.0f));
    return Sum(x * late.Read(), {0});
  });
  EXPECT_THAT(ErrorOf(late(x)[0]), AllOf(HasSubstr("gradients_test.cc:"),
                                         HasSubstr("creates a variable on a call that is not its "
                                                   "first")));
}

}  // namespace
}  // namespace tfrt::function
