// Rows 1 to 10 of what functions do: values, traces, effects, control flow, static arguments.

#include <cmath>

#include "test/unit/function/function_fixture.h"

namespace tfrt::function {
namespace {

using namespace eager;  // NOLINT: the ops

TEST_F(FunctionTest, Row01TracedValuesAreThoseOfEagerCallsBitForBit) {
  auto body = [](Tensor x, Tensor y) {
    Tensor a = Tanh(x * y) + Exp(x - y);
    Tensor b = MatMul(a, y, {.transpose_b = true});
    return Softmax(Sigmoid(b) / (Sqrt(y) + 1.0f));
  };
  Function traced("traced", body, {.exact = true});
  std::vector<float> numbers(16);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.13f * static_cast<float>(i + 1);
  Tensor x = Floats({4, 4}, numbers);
  Tensor y = Floats({4, 4}, {numbers.rbegin(), numbers.rend()});
  EXPECT_EQ(ValuesOf<float>(traced(x, y)), ValuesOf<float>(body(x, y)));
}

TEST_F(FunctionTest, Row02ATracedTensorHasATypeAndNoElements) {
  std::string type, item, values, text;
  Function f("f", [&](Tensor x) {
    Tensor y = Sum(x, {0});
    type = StrCat(DTypeName(*y.dtype()), " ", (*y.shape()).ToString());
    EXPECT_TRUE(y.is_traced());
    EXPECT_FALSE(y.IsError());
    EXPECT_FALSE(y.IsAvailable());
    item = y.Item<float>().status().message();
    text = y.ToString();
    return y;
  });
  EXPECT_THAT(ValuesOf<float>(f(Floats({2, 3}, {1, 2, 3, 4, 5, 6}))), ElementsAre(5, 7, 9));
  EXPECT_EQ(type, "f32 [3]");
  EXPECT_THAT(item, AllOf(HasSubstr("rows_01_to_10_test.cc:"),
                          HasSubstr(": tf.Sum: the tensor has no elements while the function 'f' "
                                    "is traced; let Cond, WhileLoop or ForRange decide, look at it "
                                    "with Print or HostCall, or return it")));
  EXPECT_THAT(text, HasSubstr("has no elements while the function 'f' is traced"));
}

TEST_F(FunctionTest, Row02AnUnknownSizeIsAnErrorThatSaysHowToComputeIt) {
  std::string shape;
  Function f("f",
             [&](Tensor x) {
               shape = x.shape().status().message();
               return Relu(x);
             },
             {.input_signature = {TensorSpec(DType::kF32, {kUnknown})}});
  EXPECT_THAT(ValuesOf<float>(f(Floats({2}, {-1, 1}))), ElementsAre(0, 1));
  EXPECT_THAT(shape, HasSubstr("is not known before the program runs; Shape(x) computes it there"));
}

TEST_F(FunctionTest, Row03FunctionsInFunctionsAreOneProgram) {
  int inner_traces = 0;
  Function inner("inner", [&](Tensor x) {
    ++inner_traces;
    return x * 2.0f;
  });
  auto plain = [](const Tensor& x) { return x + 1.0f; };
  Function outer("outer", [&](Tensor x) { return inner(inner(plain(x))); });
  EXPECT_THAT(ValuesOf<float>(outer(Floats({2}, {1, 2}))), ElementsAre(8, 12));
  EXPECT_EQ(inner_traces, 1);
  EXPECT_EQ(outer.statistics().traces, 1u);
  EXPECT_EQ(inner.statistics().programs, 0u);
}

TEST_F(FunctionTest, Row03AnInnerFunctionSeesValuesOfItsCaller) {
  Function outer("outer", [](Tensor x) {
    Tensor twice = x * 2.0f;
    Function inner("inner", [&](Tensor y) { return y + twice; });
    return inner(x);
  });
  EXPECT_THAT(ValuesOf<float>(outer(Floats({2}, {1, 2}))), ElementsAre(3, 6));
}

TEST_F(FunctionTest, Row03AFunctionThatCallsItselfForeverIsAnError) {
  std::unique_ptr<Function<Tensor(Tensor)>> f;
  f = std::make_unique<Function<Tensor(Tensor)>>("f", [&](Tensor x) { return (*f)(x); });
  EXPECT_THAT(std::string((*f)(Floats({1}, {1})).status().message()),
              HasSubstr("the function 'f' calls itself with arguments of the same types"));
}

TEST_F(FunctionTest, Row03AStaticArgumentMayCountDown) {
  std::unique_ptr<Function<Tensor(Tensor, Static<int>)>> f;
  f = std::make_unique<Function<Tensor(Tensor, Static<int>)>>(
      "f", [&](Tensor x, Static<int> n) { return n == 0 ? x : (*f)(x * 2.0f, n - 1); });
  EXPECT_THAT(ValuesOf<float>((*f)(Floats({1}, {1}), 3)), ElementsAre(8));
}

TEST_F(FunctionTest, Row04TheFirstCallTracesLaterOnesRun) {
  int host_calls = 0;
  Function f("f", [&](Tensor x) {
    ++host_calls;
    return x + x;
  });
  EXPECT_THAT(ValuesOf<float>(f(Floats({1}, {1}))), ElementsAre(2));
  EXPECT_THAT(ValuesOf<float>(f(Floats({1}, {4}))), ElementsAre(8));
  EXPECT_EQ(host_calls, 1);
  EXPECT_EQ(f.statistics().traces, 1u);
  EXPECT_EQ(f.statistics().calls, 2u);
}

TEST_F(FunctionTest, Row05OpsPrintAtEachCallInOrder) {
  Function f("f", [&](Tensor x) {
    std::fprintf(stderr, "host\n");
    Tensor y = Print(x, {x}, {.message = "one "});
    return Print(y + 1.0f, {y}, {.message = "two "});
  });
  testing::internal::CaptureStderr();
  Tensor x = Tensor::Scalar(1.0f);
  EXPECT_TRUE(f(x).status().ok());
  EXPECT_TRUE(f(x).status().ok());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "host\none [1]\ntwo [1]\none [1]\ntwo [1]\n");
}

TEST_F(FunctionTest, Row06AssertFailsTheCall) {
  Function f("f", [](Tensor x) {
    (void)Assert(Sum(x, {0}) > 0.0f, {x});
    return x * 2.0f;
  });
  EXPECT_THAT(ValuesOf<float>(f(Floats({2}, {1, 2}))), ElementsAre(2, 4));
  for (Stance stance : {Stance::kDefault, Stance::kForceEager}) {
    StanceScope scope(stance);
    EXPECT_THAT(ValuesOf<float>(f(Floats({2}, {1, 2}))), ElementsAre(2, 4));
  }
  EXPECT_THAT(std::string(f(Floats({2}, {-1, -2})).status().message()),
              HasSubstr("assertion failed: [-1 -2]"));
  EXPECT_THAT(std::string(Assert(Tensor::Scalar(false), {Tensor::Scalar(3.0f)}).message()),
              HasSubstr("assertion failed: [3]"));
}

TEST_F(FunctionTest, Row07CondTakesOneBranch) {
  Function f("f", [](Tensor x) {
    return Cond(Sum(x, {0}) > 0.0f, [&] { return x; }, [&] { return x * -1.0f; });
  });
  EXPECT_THAT(ValuesOf<float>(f(Floats({2}, {1, 2}))), ElementsAre(1, 2));
  EXPECT_THAT(ValuesOf<float>(f(Floats({2}, {-1, -2}))), ElementsAre(1, 2));
  EXPECT_EQ(f.statistics().traces, 1u);
}

TEST_F(FunctionTest, Row07LoopsRunAsOftenAsTensorsSay) {
  auto collatz = [](Tensor n) {
    auto [last, steps] = WhileLoop(
        [](Tensor x, Tensor) { return x != 1; },
        [](Tensor x, Tensor count) {
          Tensor half = RealDiv(x, 2);
          Tensor next = Cond(half * 2 == x, [&] { return half; }, [&] { return x * 3 + 1; });
          return std::array{next, count + 1};
        },
        n, Tensor::Scalar(0));
    return steps;
  };
  Function f("collatz", collatz);
  EXPECT_EQ(ItemOf<int32_t>(f(Tensor::Scalar(27))), 111);
  EXPECT_EQ(ItemOf<int32_t>(f(Tensor::Scalar(1))), 0);
  EXPECT_EQ(ItemOf<int32_t>(collatz(Tensor::Scalar(6))), 8);
}

TEST_F(FunctionTest, Row07BranchesThatDifferInDTypeAreAnError) {
  Function f("f", [](Tensor x) {
    return Cond(Sum(x, {0}) > 0.0f, [&] { return x; }, [&] { return Cast(x, DType::kI32); });
  });
  EXPECT_THAT(std::string(f(Floats({2}, {1, 2})).status().message()),
              HasSubstr("Cond: value 0 of the first branch is f32 [2], but that of the second is "
                        "i32 [2]"));
}

TEST_F(FunctionTest, Row07AConditionMustBeOneBool) {
  Function f("f", [](Tensor x) { return Cond(x, [&] { return x; }, [&] { return x; }); });
  EXPECT_THAT(std::string(f(Floats({2}, {1, 2})).status().message()),
              HasSubstr("Cond: the condition is f32 [2], expected one element of i1"));
}

TEST_F(FunctionTest, Row07AValueOfABranchDoesNotLeaveIt) {
  Function f("f", [](Tensor x) {
    Tensor leaked;
    Tensor y = Cond(
        Sum(x, {0}) > 0.0f,
        [&] {
          leaked = x * 2.0f;
          return x;
        },
        [&] { return x; });
    return y + leaked;
  });
  EXPECT_THAT(std::string(f(Floats({1}, {1})).status().message()),
              HasSubstr("the tensor belongs to a branch or to the body of a loop, which is over"));
}

TEST_F(FunctionTest, Row08BothBranchesAreTracedOnce) {
  std::string order;
  Function f("f", [&](Tensor x) {
    order += "f";
    return Cond(
        Sum(x, {0}) > 0.0f,
        [&] {
          order += "t";
          return x;
        },
        [&] {
          order += "e";
          return x + 1.0f;
        });
  });
  EXPECT_TRUE(f(Floats({1}, {1})).status().ok());
  EXPECT_TRUE(f(Floats({1}, {-1})).status().ok());
  EXPECT_EQ(order, "fte");
}

TEST_F(FunctionTest, Row09TensorsShareATraceHostValuesDoNot) {
  Function f(
      "f", [](Tensor x, int n) { return x * static_cast<float>(n); },
      Quiet({.argument_names = {"x", "n"}}));
  Tensor x = Tensor::Scalar(2.0f);
  EXPECT_EQ(ItemOf<float>(f(x, 1)), 2);
  EXPECT_EQ(ItemOf<float>(f(Tensor::Scalar(3.0f), 1)), 3);
  EXPECT_EQ(f.statistics().traces, 1u);
  EXPECT_EQ(ItemOf<float>(f(x, 2)), 4);
  EXPECT_EQ(f.statistics().traces, 2u);
  EXPECT_THAT(warnings_, IsEmpty());
  EXPECT_EQ(ItemOf<float>(f(x, 3)), 6);
  EXPECT_THAT(
      warnings_,
      ElementsAre("the function 'f' has been traced for 3 values of argument n, which is a "
                  "host value: make the parameter a Tensor, or a Static if each value needs "
                  "a trace of its own"));
}

TEST_F(FunctionTest, Row09StaticTextsAndEnumsAreKeys) {
  enum class Kind { kA, kB };
  Function f("f", [](Tensor x, Static<std::string> name, Static<Kind> kind) {
    return x + static_cast<float>(name.get().size()) + (kind.get() == Kind::kB ? 100.0f : 0.0f);
  });
  Tensor x = Tensor::Scalar(1.0f);
  EXPECT_EQ(ItemOf<float>(f(x, std::string("ab"), Kind::kA)), 3);
  EXPECT_EQ(ItemOf<float>(f(x, std::string("abcdefghi"), Kind::kB)), 110);
  EXPECT_EQ(ItemOf<float>(f(x, std::string("ab"), Kind::kA)), 3);
  EXPECT_EQ(f.statistics().traces, 2u);
}

TEST_F(FunctionTest, Row10HostLoopsUnrollTensorLoopsDoNot) {
  Function unrolled(
      "unrolled",
      [](Tensor x, Static<int> n) {
        for (int i = 0; i < n; ++i) x = x * 0.5f + 1.0f;
        return x;
      },
      Quiet());
  Function looped("looped", [](Tensor x, Tensor n) {
    return ForRange(n, [](Tensor, Tensor y) { return y * 0.5f + 1.0f; }, x);
  });
  Tensor x = Tensor::Scalar(1.0f);
  EXPECT_EQ(ItemOf<float>(unrolled(x, 3)), 1.875f);
  EXPECT_EQ(ItemOf<float>(unrolled(x, 4)), 1.9375f);
  EXPECT_EQ(unrolled.statistics().traces, 2u);
  // Two ops and their constants for each run.
  const auto programs = unrolled.Programs();
  EXPECT_EQ(programs[1].Passes().front().ops_before, programs[0].Passes().front().ops_before + 4);
  EXPECT_EQ(ItemOf<float>(looped(x, int64_t{3})), 1.875f);
  EXPECT_EQ(ItemOf<float>(looped(x, int64_t{4})), 1.9375f);
  EXPECT_EQ(looped.statistics().traces, 1u);
  EXPECT_THAT(warnings_, IsEmpty());
  EXPECT_TRUE(unrolled(x, 300).status().ok());
  EXPECT_THAT(warnings_, testing::Contains(HasSubstr("this line has traced 256 calls: a loop of "
                                                     "the program becomes as many ops")));
}

}  // namespace
}  // namespace tfrt::function
