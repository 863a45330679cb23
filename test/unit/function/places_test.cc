// Where functions run: ASYNC scopes, other devices, and what is refused.

#include <memory>
#include <optional>

#include "test/unit/function/function_fixture.h"
#include "test/unit/sim/unlike_host.h"
#include "tfrt/function/function.h"

namespace tfrt::function {
namespace {

using namespace eager;  // NOLINT: the ops

TEST_F(AsyncFunctionTest, CallsFollowEachOtherWithoutWaiting) {
  Function f("f", [](Tensor x) { return x * 0.5f + 1.0f; });
  Tensor x = Floats({2}, {0, 8});
  for (int i = 0; i < 20; ++i) x = f(x);
  EXPECT_EQ((*x.shape()).ToString(), "[2]");
  EXPECT_NEAR(ValuesOf<float>(x)[1], 2, 1e-4);
  EXPECT_EQ(f.statistics().traces, 1u);
}

TEST_F(AsyncFunctionTest, AFunctionMayGoWhileItsCallsAreUnderWay) {
  std::vector<Tensor> results;
  for (int i = 0; i < 8; ++i) {
    Function f("f", [i](Tensor x) { return x + static_cast<float>(i); });
    results.push_back(f(Floats({2}, {1, 2})));
  }
  for (int i = 0; i < 8; ++i) {
    EXPECT_THAT(ValuesOf<float>(results[i]), ElementsAre(1.0f + i, 2.0f + i));
  }
}

TEST_F(AsyncFunctionTest, UpdatesKeepTheirOrder) {
  Variable v(Tensor::Scalar(1.0f));
  Function f("f", [&](Tensor x) { return v.Update([&](const Tensor& old) { return old * x; }); });
  std::vector<Tensor> seen;
  for (int i = 0; i < 10; ++i) seen.push_back(f(2.0f));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(ItemOf<float>(seen[i]), static_cast<float>(2 << i));
  }
}

TEST_F(FunctionTest, OnSimTheProgramIsOneOperationOfTheStream) {
  Function f("f", [](Tensor x, Tensor y) { return std::array{Relu(MatMul(x, y)), Sum(x, {0})}; });
  Tensor x = Floats({2, 2}, {1, -2, 3, 4}), y = Floats({2, 2}, {1, 0, 0, 1});
  auto [cpu, cpu_sum] = f(x, y);
  Scope on_sim(*context_, {.device = "sim:0"});
  auto [sim, sim_sum] = f(x, y);
  EXPECT_EQ(sim.device(), "sim:0");
  EXPECT_EQ(ValuesOf<float>(sim), ValuesOf<float>(cpu));
  EXPECT_EQ(ValuesOf<float>(sim_sum), ValuesOf<float>(cpu_sum));
  auto [again, again_sum] = f(sim, y);
  EXPECT_EQ(again.device(), "sim:0");
  EXPECT_EQ(ValuesOf<float>(again).size(), 4u);
}

TEST_F(FunctionTest, OnSimVariablesAndLoopsWork) {
  Scope on_sim(*context_, {.device = "sim:0"});
  Variable w(Floats({2}, {1, 2}));
  Function f("f", [&](Tensor n) {
    Tensor sum = ForRange(n, [&](Tensor, Tensor x) { return x + w.Read(); }, Floats({2}, {0, 0}));
    (void)w.Assign(sum);
    return sum;
  });
  EXPECT_THAT(ValuesOf<float>(f(int64_t{3})), ElementsAre(3, 6));
  EXPECT_THAT(ValuesOf<float>(f(int64_t{2})), ElementsAre(6, 12));
  EXPECT_EQ(w.device(), "sim:0");
}

TEST_F(FunctionTest, OnADeviceWithoutFunctionsOfTheHostTheProgramRunsOnTheHost) {
  sim::UnlikeHostCounts counts;
  auto context = *Context::Create(
      {.devices = {"cpu:0", "sim:0"}, .register_devices = [&](HostContext& host) {
         return sim::RegisterSimDevices(host, {},
                                        std::make_unique<sim::UnlikeHostRunner>(
                                            &counts, std::vector<std::string_view>{"function.f"}));
       }});
  Variable v;
  for (ExecutionMode mode : {ExecutionMode::kSync, ExecutionMode::kAsync}) {
    Scope scope(*context, {.mode = mode, .device = "sim:0"});
    v = Variable(Floats({2}, {1, 2}));
    Function f("f", [&](Tensor x) {
      Tensor sum = x + v.Read();
      (void)v.Assign(sum);
      return Relu(sum);
    });
    Tensor y = f(f(Floats({2}, {1, -9})));
    EXPECT_EQ(y.device(), "sim:0");
    EXPECT_THAT(ValuesOf<float>(y), ElementsAre(4, 0));
    EXPECT_THAT(ValuesOf<float>(v.Read()), ElementsAre(4, -7));
    EXPECT_FALSE(f(Floats({3}, {1, 2, 3})).status().ok());
  }
  v = Variable();
}

TEST_F(FunctionTest, AFunctionMayOutliveItsContext) {
  auto f = std::make_unique<Function<Tensor(Tensor)>>(
      "f", [](Tensor x) { return MatMul(x, Floats({2, 2}, {1, 2, 3, 4})); });
  std::optional<ConcreteFunction> kept;
  for (int i = 0; i < 2; ++i) {
    auto context = *Context::Create({.devices = {"cpu:0", "cpu:1"}});
    Scope scope(*context, {.mode = ExecutionMode::kAsync, .device = i == 0 ? "cpu:0" : "cpu:1"});
    EXPECT_THAT(ValuesOf<float>((*f)(Floats({1, 2}, {1, 1}))), ElementsAre(4, 6));
    kept = f->Programs()[0];
  }
  EXPECT_EQ(f->statistics().programs, 2u);
  f.reset();
  EXPECT_FALSE(kept->Bef().empty());
}

TEST_F(FunctionTest, AFunctionHasOneDevice) {
  Function f("f", [&](Tensor x) {
    Scope other(*context_, {.device = "cpu:1"});
    return x + x;
  });
  EXPECT_THAT(std::string(f(1.0f).status().message()),
              HasSubstr("the function 'f' runs on cpu:0, but the scope of this call names cpu:1; a "
                        "traced function has one device"));
}

TEST_F(FunctionTest, WithoutAScopeCallsFail) {
  Function f("f", [](Tensor x) { return x; });
  Tensor x = Floats({1}, {1});
  scope_.reset();
  EXPECT_THAT(std::string(f(x).status().message()),
              HasSubstr("function 'f': this thread has no tfrt::eager::Scope"));
  scope_ = std::make_unique<Scope>(*context_);
}

TEST_F(FunctionTest, WrongArgumentsAreErrors) {
  Function f("f", [](Tensor x) { return x; });
  EXPECT_THAT(std::string(f(Tensor()).status().message()),
              HasSubstr("argument 0 is not a tensor; has it been moved from?"));
  Tensor failed = MatMul(Floats({2}, {1, 2}), 1.0f);
  EXPECT_EQ(f(failed).status().message(), failed.status().message());
  auto other = *Context::Create();
  Tensor foreign;
  {
    Scope scope(*other);
    foreign = Floats({1}, {1});
  }
  EXPECT_THAT(std::string(f(foreign).status().message()),
              HasSubstr("argument 0 belongs to another context"));
  foreign = Tensor();
}

TEST_F(FunctionTest, ErrorsOfTheTraceNameTheLineOfTheOp) {
  Function f("f", [](Tensor x) { return MatMul(x, x); });
  EXPECT_THAT(std::string(f(Floats({2, 3}, {1, 2, 3, 4, 5, 6})).status().message()),
              AllOf(HasSubstr("places_test.cc:"), HasSubstr("tf.MatMul")));
}

TEST_F(FunctionTest, ErrorsOfTheFunctionAreThoseOfTheCall) {
  Function f("f",
             [](Tensor x) -> StatusOr<Tensor> { return InvalidArgumentError("this will not do"); });
  EXPECT_THAT(std::string(f(1.0f).status().message()), HasSubstr("function 'f': this will not do"));
}

TEST_F(FunctionTest, AnOpOfTheProgramsOwnIsRefused) {
  CustomOp op{.name = "test.Twice", .arguments = {{"x"}}, .results = {"y"}};
  op.closure = MakeOpClosure([](const DenseHostTensor& x) { return x.ShareBuffer(); });
  ASSERT_TRUE(context_->RegisterOp(std::move(op)).ok());
  Function f("f", [](Tensor x) {
    TensorArgument arguments[] = {x};
    Tensor y;
    (void)Execute("test.Twice", arguments, OpAttrs(), {&y, 1});
    return y;
  });
  EXPECT_THAT(
      std::string(f(1.0f).status().message()),
      HasSubstr("'test.Twice' is an op of this program's own, which traced functions cannot "
                "have; call it in a HostCall, or set run_eagerly for the function 'f'"));
}

TEST_F(FunctionTest, FunctionsWithoutResultsReturnTheirError) {
  Variable v(Tensor::Scalar(1.0f));
  Function f("f", [&](Tensor x) { (void)v.Assign(x); });
  EXPECT_TRUE(f(2.0f).ok());
  EXPECT_EQ(ItemOf<float>(v.Read()), 2);
  EXPECT_THAT(std::string(f(Floats({2}, {1, 2})).message()),
              HasSubstr("Variable: the variable is f32 [], but its new value f32 [2]"));
}

TEST_F(FunctionTest, ListsAndSeveralResults) {
  Function f("f", [](std::vector<Tensor> xs, std::array<Tensor, 2> ys) {
    std::vector<Tensor> sums;
    for (const Tensor& x : xs) sums.push_back(x + ys[0] * ys[1]);
    return sums;
  });
  Tensor one = Tensor::Scalar(1.0f), two = Tensor::Scalar(2.0f), three = Tensor::Scalar(3.0f);
  std::vector<Tensor> sums = f({one, two}, {two, three});
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(ItemOf<float>(sums[1]), 8);
  EXPECT_EQ(f({one, two, three}, {two, three}).size(), 3u);
  EXPECT_EQ(f.statistics().traces, 2u);
}

}  // namespace
}  // namespace tfrt::function
