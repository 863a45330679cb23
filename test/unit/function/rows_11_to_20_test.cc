// Rows 11 to 20 of what functions do: loops over tensors, lists, caches, signatures.

#include "test/unit/function/function_fixture.h"

namespace tfrt::function {
namespace {

using namespace eager;  // NOLINT: the ops

TEST_F(FunctionTest, Row11ForRangeIsOneLoop) {
  Function f("f", [](Tensor n) {
    return ForRange(n, [](Tensor i, Tensor sum) { return sum + i; }, Tensor::Scalar(int64_t{0}));
  });
  EXPECT_EQ(ItemOf<int64_t>(f(int64_t{5})), 10);
  EXPECT_EQ(ItemOf<int64_t>(f(int64_t{0})), 0);
  EXPECT_EQ(f.statistics().traces, 1u);
}

TEST_F(FunctionTest, Row12ForEachTakesRowsWhateverTheirNumber) {
  auto body = [](Tensor rows) {
    return ForEach(
        rows, [](Tensor x, Tensor row) { return x * 0.5f + row; }, Tensor::Of({0.0f, 0.0f}));
  };
  Function f("f", body, {.input_signature = {TensorSpec(DType::kF32, {kUnknown, 2})}});
  Tensor three = Floats({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(ValuesOf<float>(f(three)), ValuesOf<float>(body(three)));
  EXPECT_THAT(ValuesOf<float>(f(Floats({1, 2}, {7, 8}))), ElementsAre(7, 8));
  EXPECT_EQ(f.statistics().traces, 1u);
}

TEST_F(FunctionTest, Row12ALoopIsAsLargeForManyRowsAsForFew) {
  Function f("f",
             [](Tensor rows) {
               return ForEach(
                   rows, [](Tensor x, Tensor row) { return x * 0.5f + row; },
                   Tensor::Of({0.0f, 0.0f}));
             },
             {.reduce_retracing = false});
  auto few = f.Concrete(TensorSpec(DType::kF32, {3, 2}));
  auto many = f.Concrete(TensorSpec(DType::kF32, {3000, 2}));
  ASSERT_TRUE(few.ok() && many.ok());
  EXPECT_EQ(many->Passes().front().ops_before, few->Passes().front().ops_before);
  EXPECT_EQ(many->Passes().back().ops_after, few->Passes().back().ops_after);
  EXPECT_LE(many->Bef().size(), few->Bef().size() + 64);
}

TEST_F(FunctionTest, Row12ScanStacksWhatItMakes) {
  auto body = [](Tensor rows) {
    auto [last, sums] = Scan(
        [](Tensor sum, Tensor row) {
          Tensor next = sum + row;
          return std::array{next, next * 10.0f};
        },
        Tensor::Scalar(0.0f), rows);
    return std::array{last, sums};
  };
  Function f("f", body);
  auto [last, sums] = f(Tensor::Of({1.0f, 2.0f, 3.0f}));
  EXPECT_EQ(ItemOf<float>(last), 6);
  EXPECT_THAT(ValuesOf<float>(sums), ElementsAre(10, 30, 60));
  auto eager = body(Tensor::Of({1.0f, 2.0f, 3.0f}));
  EXPECT_EQ(ValuesOf<float>(eager[1]), ValuesOf<float>(sums));
}

TEST_F(FunctionTest, Row13ATensorThatLeavesItsTraceIsAnError) {
  std::vector<Tensor> leaked;
  Function f("f", [&](Tensor x) {
    leaked.push_back(x * 3.0f);
    return x;
  });
  EXPECT_TRUE(f(Tensor::Scalar(1.0f)).status().ok());
  ASSERT_EQ(leaked.size(), 1u);
  EXPECT_THAT(std::string(leaked[0].status().message()),
              AllOf(HasSubstr("rows_11_to_20_test.cc:"),
                    HasSubstr(": tf.Mul: the tensor belongs to a trace of the function 'f', which "
                              "is over; return it from the function, or assign it to a Variable")));
  EXPECT_THAT(std::string((leaked[0] + 1.0f).status().message()), HasSubstr("which is over"));
  Function g("g", [&](Tensor x) { return x + leaked[0]; });
  EXPECT_THAT(std::string(g(Tensor::Scalar(1.0f)).status().message()),
              HasSubstr("a trace of the function 'f', which is over"));
}

TEST_F(FunctionTest, Row14ListsGrowInLoops) {
  auto rnn = [](Tensor inputs) {
    Tensor start = TensorArray(TensorSpec(DType::kF32, {2})).tensor();
    auto [rows, state] = ForRange(
        int64_t{5},
        [&](Tensor i, Tensor list, Tensor state) {
          Tensor next = Tanh(state * 0.5f + GatherV2(inputs, i, 0));
          TensorArray written(list);
          written.Write(i, next);
          return std::array{written.tensor(), next};
        },
        start, Tensor::Of({0.0f, 0.0f}));
    return std::array{rows, state};
  };
  Function f("rnn", rnn);
  std::vector<float> numbers(10);
  for (size_t i = 0; i < 10; ++i) numbers[i] = 0.1f * static_cast<float>(i);
  Tensor inputs = Floats({5, 2}, numbers);
  auto traced = f(inputs), eager = rnn(inputs);
  EXPECT_EQ(ValuesOf<float>(traced[0]).size(), 10u);
  EXPECT_EQ(ValuesOf<float>(traced[0]), ValuesOf<float>(eager[0]));
  EXPECT_EQ(ValuesOf<float>(traced[1]), ValuesOf<float>(eager[1]));
}

TEST_F(FunctionTest, Row15EachDTypeAndShapeHasATrace) {
  Function f("f", [](Tensor x) { return x + x; }, {.reduce_retracing = false});
  EXPECT_EQ(ValuesOf<float>(f(Floats({2}, {1, 2}))).size(), 2u);
  EXPECT_EQ(ValuesOf<float>(f(Floats({1, 2}, {1, 2}))).size(), 2u);
  EXPECT_EQ(ValuesOf<int32_t>(f(Tensor::Of({1, 2}))).size(), 2u);
  EXPECT_EQ(f.statistics().traces, 3u);
  EXPECT_EQ(f.statistics().programs, 3u);
}

TEST_F(FunctionTest, Row15TheMostSpecificTraceServes) {
  Function f("f", [](Tensor x) { return x * 2.0f; });
  auto vector = f.Concrete(TensorSpec(DType::kF32, {kUnknown}));
  auto any = f.Concrete(TensorSpec::Unranked(DType::kF32));
  ASSERT_TRUE(any.ok() && vector.ok()) << any.status().message() << vector.status().message();
  EXPECT_FALSE(*any == *vector);
  EXPECT_TRUE(f(Floats({3}, {1, 2, 3})).status().ok());
  EXPECT_TRUE(f(Floats({1, 1}, {1})).status().ok());
  EXPECT_EQ(f.statistics().programs, 2u);
  EXPECT_THAT(f.Report(), AllOf(HasSubstr("f(arg0: f32 [?]): 1 calls"),
                                HasSubstr("f(arg0: f32 [*]): 1 calls")));
}

TEST_F(FunctionTest, Row15OfTracesThatSayAsMuchTheFirstServes) {
  Function f("f", [](Tensor x) { return x * 2.0f; });
  ASSERT_TRUE(f.Concrete(TensorSpec(DType::kF32, {kUnknown, 2})).ok());
  ASSERT_TRUE(f.Concrete(TensorSpec(DType::kF32, {2, kUnknown})).ok());
  EXPECT_TRUE(f(Floats({2, 2}, {1, 2, 3, 4})).status().ok());
  EXPECT_TRUE(f(Floats({2, 1}, {1, 2})).status().ok());
  EXPECT_EQ(f.statistics().programs, 2u);
  EXPECT_THAT(f.Report(), AllOf(HasSubstr("f(arg0: f32 [?,2]): 1 calls"),
                                HasSubstr("f(arg0: f32 [2,?]): 1 calls")));
}

TEST_F(FunctionTest, Row16ConcreteIsOneForEqualKeys) {
  Function f("f", [](Tensor x, Static<int> n) { return x * static_cast<float>(n); },
             {.argument_names = {"x", "n"}});
  auto a = f.Concrete(TensorSpec(DType::kF32, {2}), 3);
  auto b = f.Concrete(Floats({2}, {1, 2}), 3);
  ASSERT_TRUE(a.ok()) << a.status().message();
  ASSERT_TRUE(b.ok()) << b.status().message();
  EXPECT_TRUE(*a == *b);
  EXPECT_EQ(f.statistics().traces, 1u);
  EXPECT_EQ(a->signature(), "f(x: f32 [2], n: 3)");
  ASSERT_EQ(a->inputs().size(), 1u);
  EXPECT_EQ(a->inputs()[0].name, "x");
  EXPECT_FALSE(a->Bef().empty());
  EXPECT_THAT(*a->Mlir(), HasSubstr("graph.mul"));
  auto results = (*a)(Floats({2}, {1, 2}));
  EXPECT_THAT(std::string(results.status().message()), HasSubstr("was called with (f32 [2])"));
  Argument arguments[] = {Argument::Of(TensorArgument(Floats({2}, {1, 2}))), Argument::OfNumber(3)};
  auto made = a->Call(arguments);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_THAT(ValuesOf<float>((*made)[0]), ElementsAre(3, 6));
}

TEST_F(FunctionTest, Row17TheInputSignatureIsForEveryCall) {
  Function f(
      "f", [](Tensor x) { return x * 2.0f; },
      {.input_signature = {TensorSpec(DType::kF32, {kUnknown, 2})}, .argument_names = {"x"}});
  EXPECT_THAT(ValuesOf<float>(f(Floats({1, 2}, {1, 2}))), ElementsAre(2, 4));
  EXPECT_THAT(ValuesOf<float>(f(Floats({2, 2}, {1, 2, 3, 4}))), ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(f.statistics().traces, 1u);
  EXPECT_THAT(std::string(f(Floats({1, 3}, {1, 2, 3})).status().message()),
              AllOf(HasSubstr("rows_11_to_20_test.cc:"),
                    HasSubstr("function 'f': argument x is f32 [1,3], but the input signature says "
                              "f32 [?,2]")));
  EXPECT_THAT(std::string(f(Tensor::Of({{1, 2}})).status().message()),
              HasSubstr("argument x is i32 [1,2], but the input signature says f32 [?,2]"));
  EXPECT_EQ(f.statistics().traces, 1u);
}

TEST_F(FunctionTest, Row17OfAnyRank) {
  Function f("f", [](Tensor x) { return Relu(x); },
             {.input_signature = {TensorSpec::Unranked(DType::kF32)}});
  EXPECT_THAT(ValuesOf<float>(f(Floats({2}, {-1, 2}))), ElementsAre(0, 2));
  EXPECT_THAT(ValuesOf<float>(f(Floats({1, 2}, {-1, 2}))), ElementsAre(0, 2));
  EXPECT_EQ(f.statistics().traces, 1u);
}

TEST_F(FunctionTest, Row17TheSignatureNamesAllTensors) {
  Function f("f", [](Tensor x, Tensor y) { return x + y; },
             {.input_signature = {TensorSpec(DType::kF32, {2})}});
  EXPECT_THAT(std::string(f(Floats({2}, {1, 2}), Floats({2}, {1, 2})).status().message()),
              HasSubstr("the call has 2 tensors, but the input signature has 1"));
}

uint64_t TracesOfShapes(std::optional<bool> reduce, size_t shapes) {
  Function f("f", [](Tensor x) { return x + x; }, {.reduce_retracing = reduce});
  for (size_t n = 1; n <= shapes; ++n) {
    Tensor y = f(Tensor::FromArray(HostArray({static_cast<int64_t>(n)}, std::vector<float>(n, 1))));
    EXPECT_EQ(ValuesOf<float>(y), std::vector<float>(n, 2));
  }
  return f.statistics().traces;
}

TEST_F(FunctionTest, Row18RelaxedShapesSaveTraces) {
  EXPECT_EQ(TracesOfShapes(true, 3), 2u);
  EXPECT_EQ(TracesOfShapes(false, 3), 3u);
  EXPECT_EQ(TracesOfShapes(std::nullopt, 3), 3u);
  EXPECT_EQ(TracesOfShapes(std::nullopt, 4), 3u);
}

TEST_F(FunctionTest, Row19TheReportSaysWhatAHostValueCosts) {
  Function f(
      "f", [](Tensor x, int step) { return x + static_cast<float>(step); },
      Quiet({.argument_names = {"x", "step"}}));
  Tensor x = Tensor::Scalar(0.0f);
  (void)f(x, 1);
  EXPECT_THAT(f.Report(), HasSubstr("last trace: the first call; it took "));
  (void)f(x, 2);
  EXPECT_THAT(f.Report(),
              AllOf(HasSubstr("last trace: argument step is the host value 2, it was 1; "
                              "it took "),
                    HasSubstr("to avoid it: make the parameter a Tensor")));
}

TEST_F(FunctionTest, Row20ATensorParameterTakesNumbers) {
  Function f("f", [](Tensor x) { return x * 2; });
  EXPECT_EQ(ItemOf<int32_t>(f(1)), 2);
  EXPECT_EQ(ItemOf<int32_t>(f(2)), 4);
  EXPECT_EQ(f.statistics().traces, 1u);
}

}  // namespace
}  // namespace tfrt::function
