// Eager tensors and ops, as a C++ program uses them: the same results in all modes.

#include "test/unit/eager/eager_fixture.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;
using EagerTest = EagerModesTest;

TEST_P(EagerTest, MultipliesMatrices) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f});
  Tensor y = MatMul(x, x, {.transpose_b = true});
  Tensor z = Relu(std::move(y));
  EXPECT_THAT(ValuesOf<float>(z), ElementsAre(5, 11, 11, 25));
  EXPECT_EQ(z.ToString(),
            "DenseHostTensor dtype = f32, shape = [2, 2], values = [5.000000e+00, 1.100000e+01, "
            "1.100000e+01, 2.500000e+01]");
  EXPECT_EQ(z.dtype().value(), DType::kF32);
  EXPECT_EQ(z.shape().value(), (TensorShape{2, 2}));
}

TEST_P(EagerTest, TakesArraysAsArguments) {
  Scope scope(*context_, {.mode = mode()});
  HostArray x({2, 2}, {1.0f, -2.0f, 3.0f, 4.0f});
  EXPECT_THAT(ValuesOf<float>(Relu(x)), ElementsAre(1, 0, 3, 4));
  EXPECT_THAT(ValuesOf<float>(MatMul(x, Tensor::FromArray(x))), ElementsAre(-5, -10, 15, 10));
}

TEST_P(EagerTest, KnowsMetadataOfWhatIsStillToCome) {
  Scope scope(*context_, {.mode = ExecutionMode::kAsync});
  Tensor x = CallOp("test.Gate", {Make({1, 3}, {1.0f, 2.0f, 3.0f})});
  EXPECT_FALSE(x.IsAvailable());
  EXPECT_EQ(x.dtype().value(), DType::kF32);
  Tensor y = MatMul(x, x, {.transpose_b = true});
  EXPECT_EQ(y.shape().value(), (TensorShape{1, 1}));
  EXPECT_FALSE(y.IsAvailable());
  TestOps(*context_).OpenGate();
  EXPECT_THAT(ValuesOf<float>(y), ElementsAre(14));
}

TEST_P(EagerTest, WaitsForMetadataThatNobodyKnows) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = CallOp("test.Same", {Make({2}, {1, 2})});
  Tensor y = Add(x, x);
  EXPECT_EQ(y.shape().value(), (TensorShape{2}));
  EXPECT_THAT(ValuesOf<int32_t>(y), ElementsAre(2, 4));
}

TEST_P(EagerTest, ReadsScalarAndSparseTensorsAsDense) {
  for (const char* device : {"cpu:0", "cpu:1"}) {
    Scope scope(*context_, On(device));
    Tensor scalar = CallOp("test.Scalar", {});
    EXPECT_EQ(scalar.device(), device);
    EXPECT_THAT(ValuesOf<int32_t>(scalar), ElementsAre(7, 7, 7, 7));
    Tensor sparse = CallOp("test.Sparse", {});
    EXPECT_THAT(ValuesOf<int32_t>(sparse), ElementsAre(0, 0, 7, 0));
    // As arguments of ops that want dense ones, and again as they are.
    EXPECT_THAT(ValuesOf<int32_t>(Add(scalar, sparse)), ElementsAre(7, 7, 14, 7));
    EXPECT_EQ(scalar.Values<int32_t>()->data(), scalar.Values<int32_t>()->data());
  }
}

TEST_P(EagerTest, OptionalAndVariadicArguments) {
  Scope scope(*context_, {.mode = mode()});
  Tensor a = Make({1}, {1}), b = Make({1}, {2});
  EXPECT_EQ(CallOp("test.Optional", {a}).Item<int32_t>().value(), 1);
  EXPECT_EQ(CallOp("test.Optional", {a, TensorArgument()}).Item<int32_t>().value(), 1);
  EXPECT_EQ(CallOp("test.Optional", {a, b}).Item<int32_t>().value(), 2);
  EXPECT_EQ(CallOp("test.Variadic", {b, a, a, a, a, a, a}).Item<int32_t>().value(), 2);
  std::vector<TensorArgument> many(100, TensorArgument(b));
  EXPECT_EQ(CallOp("test.Variadic", many).Item<int32_t>().value(), 2);
}

TEST_P(EagerTest, ResultsMayReplaceArguments) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({2}, {1, 2});
  for (int i = 0; i < 3; ++i) {
    TensorArgument arguments[] = {x, x};
    ASSERT_TRUE(Execute("test.Add", arguments, {}, {&x, 1}).ok());
  }
  EXPECT_THAT(ValuesOf<int32_t>(x), ElementsAre(8, 16));
}

TEST_P(EagerTest, ScopesNest) {
  auto other = MakeContext({.devices = {"cpu:0"}});
  Scope scope(*context_, On("cpu:1"));
  EXPECT_EQ(Make({1}, {1.0f}).device(), "cpu:1");
  {
    Scope inner(*context_, On("cpu:0"));
    EXPECT_EQ(Make({1}, {1.0f}).device(), "cpu:0");
    Scope of_other(*other, {.mode = mode()});
    EXPECT_EQ(Make({1}, {1.0f}).device(), "cpu:0");
  }
  EXPECT_EQ(Make({1}, {1.0f}).device(), "cpu:1");
}

TEST_P(EagerTest, ManyOpsInARow) {
  Scope scope(*context_, {.mode = mode()});
  Tensor one = Make({1}, {1});
  Tensor sum = Make({1}, {0});
  for (int i = 0; i < 2000; ++i) sum = Add(std::move(sum), one);
  EXPECT_EQ(sum.Item<int32_t>().value(), 2000);
}

TEST_P(EagerTest, AnOpWhoseResultsComeOneByOne) {
  Scope scope(*context_, {.mode = ExecutionMode::kAsync});
  Tensor x = Make({1}, {3});
  TensorArgument argument(x);
  Tensor results[2];
  ASSERT_TRUE(Execute("test.TwoResults", {&argument, 1}, {}, results).ok());
  TestOps(*context_).OpenGate();
  EXPECT_EQ(results[0].Item<int32_t>().value(), 3);
  EXPECT_EQ(results[1].Item<int32_t>().value(), 3);
}

TEST_P(EagerTest, SideEffectsKeepTheirOrder) {
  Scope scope(*context_, {.mode = mode()});
  std::vector<std::string> expected;
  for (int i = 0; i < 50; ++i) {
    Tensor x = Make({1}, {i});
    // What the effect needs may be late.
    if (i % 3 == 0) x = Add(x, Make({1}, {0}));
    ASSERT_TRUE(CallEffect("test.Effect", x).ok());
    expected.push_back(std::to_string(i));
  }
  context_->Wait();
  EXPECT_EQ(TestOps(*context_).TakeLog(), expected);
}

TEST_P(EagerTest, AFailedEffectDoesNotStopLaterOnes) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {4});
  (void)CallEffect("test.FailingEffect", x);
  ASSERT_TRUE(CallEffect("test.Effect", x).ok());
  context_->Wait();
  EXPECT_THAT(TestOps(*context_).TakeLog(), ElementsAre("4"));
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerTest, testing::ValuesIn(kAllModes), ModeName);

TEST(EagerContextTest, DescribesItself) {
  auto context = MakeContext({.devices = {"cpu:0", "cpu:1", "cpu:2"}});
  EXPECT_THAT(context->devices(), ElementsAre("cpu:0", "cpu:1", "cpu:2"));
  EXPECT_NE(context->FindOp("tf.MatMul"), nullptr);
  EXPECT_NE(context->FindOp("test.Add"), nullptr);
  EXPECT_EQ(context->FindOp("test.None"), nullptr);
  EXPECT_EQ(context->queue_depth(), 0u);
}

TEST(EagerContextTest, OwnOpsBelongToTheirContext) {
  auto with = MakeContext();
  auto without = Context::Create();
  ASSERT_TRUE(without.ok());
  EXPECT_EQ((*without)->FindOp("test.Add"), nullptr);
}

TEST(EagerContextTest, TensorsOfThreadsWithoutAScopeAreErrors) {
  Tensor x = Make({1}, {1});
  EXPECT_EQ(x.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(x.device(), "");
  EXPECT_EQ(TFRT_MESSAGE_AT(x.status(), __LINE__ - 3),
            "Const: this thread has no tfrt::eager::Scope");
  Tensor y = Relu(x);
  EXPECT_EQ(TFRT_MESSAGE_AT(y.status(), __LINE__ - 1),
            "tf.Relu: this thread has no tfrt::eager::Scope");
  // In a scope it is the error that it is.
  auto context = MakeContext();
  Scope scope(*context);
  EXPECT_EQ(Relu(x).status(), x.status());
}

}  // namespace
}  // namespace tfrt::eager
