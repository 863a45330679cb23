// Ops whose results are not what their metadata functions said.

#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "test/support/outside_thread.h"
#include "test/unit/eager/eager_fixture.h"

namespace tfrt::eager {
namespace {

TensorMetadata TwoFloats(const TensorMetadata&) { return {DType::kF32, TensorShape{2}}; }
std::tuple<TensorMetadata, TensorMetadata> TwiceTheSame(const TensorMetadata& x) { return {x, x}; }

// As large as `x`.
StatusOr<DenseHostTensor> Same(const DenseHostTensor& x) { return x.ShareBuffer(); }

std::pair<AsyncValueRef<DenseHostTensor>, AsyncValueRef<DenseHostTensor>> SecondIsFlat(
    OpArgument<DenseHostTensor> x) {
  return {MakeAvailableAsyncValueRef<DenseHostTensor>(x->ShareBuffer()),
          MakeAvailableAsyncValueRef<DenseHostTensor>(x->Flatten())};
}

AsyncValueRef<DenseHostTensor> SameLater(OpArgument<DenseHostTensor> x, OpCall& call) {
  auto result = MakeUnconstructedAsyncValueRef<DenseHostTensor>();
  call.exec_ctx().work_queue().AddTask([result = result.CopyRef(), x = x.ValueRef()] {
    result.AsPtr().emplace(x->get<DenseHostTensor>().ShareBuffer());
  });
  return result;
}

class EagerPromisesTest : public EagerModesTest {
 protected:
  void SetUp() override {
    const CustomOp ops[] = {
        {.name = "test.TwoFloats",
         .summary = "",
         .arguments = {{"x"}},
         .results = {"y"},
         .metadata = TFRT_OP_METADATA(TwoFloats),
         .function = TFRT_OP(Same)},
        {.name = "test.TwoFloatsLater",
         .summary = "",
         .arguments = {{"x"}},
         .results = {"y"},
         .metadata = TFRT_OP_METADATA(TwoFloats),
         .function = TFRT_OP(SameLater)},
        {.name = "test.SecondIsFlat",
         .summary = "",
         .arguments = {{"x"}},
         .results = {"y", "z"},
         .metadata = TFRT_OP_METADATA(TwiceTheSame),
         .function = TFRT_OP(SecondIsFlat)},
    };
    for (const CustomOp& op : ops) ASSERT_TRUE(context_->RegisterOp(op).ok());
  }
};

TEST_P(EagerPromisesTest, WrongShapesAndTypesAreErrors) {
  for (const char* name : {"test.TwoFloats", "test.TwoFloatsLater"}) {
    std::string prefix = std::string(name) + ": result 0 is ";
    std::string suffix = ", but its metadata function promised f32 [2]";
    Scope scope(*context_, On("cpu:0"));
    // Twice: the second call finds the first one's preparations.
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(ValuesOf<float>(CallOp(name, {Make({2}, {1.0f, 2.0f})})).size(), 2u);
      Status shape = CallOp(name, {Make({3}, {1.0f, 2.0f, 3.0f})}).status();
      EXPECT_EQ(shape.code(), StatusCode::kInternal);
      EXPECT_EQ(TFRT_MESSAGE_AT(shape, __LINE__ - 2), prefix + "f32 [3]" + suffix);
      Status dtype = CallOp(name, {Make({2}, {1, 2})}).status();
      EXPECT_EQ(TFRT_MESSAGE_AT(dtype, __LINE__ - 1), prefix + "i32 [2]" + suffix);
      // Nor does another op see such a tensor.
      Tensor wrong = CallOp(name, {Make({1}, {1.0f})});
      Status next = Relu(Add(wrong, wrong)).status();
      EXPECT_EQ(TFRT_MESSAGE_AT(next, __LINE__ - 2), prefix + "f32 [1]" + suffix);
      EXPECT_FALSE(wrong.shape().ok());
    }
  }
}

TEST_P(EagerPromisesTest, EachResultIsChecked) {
  Scope scope(*context_, On("cpu:1"));
  TensorArgument flat[] = {Make({4}, {1.0f, 2.0f, 3.0f, 4.0f})};
  Tensor results[2];
  (void)Execute("test.SecondIsFlat", flat, {}, results);
  EXPECT_TRUE(results[0].status().ok());
  EXPECT_TRUE(results[1].status().ok());
  TensorArgument square[] = {Make({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f})};
  (void)Execute("test.SecondIsFlat", square, {}, results);
  for (const Tensor& result : results) {
    EXPECT_EQ(TFRT_MESSAGE_AT(result.status(), __LINE__ - 2),
              "test.SecondIsFlat: result 1 is f32 [4], but its metadata function promised f32 [2, "
              "2]");
  }
}

// The effect of an op that has failed may still go on: what comes behind it waits all the same.
TEST_P(EagerPromisesTest, EffectsOfAFailedOpAreAwaited) {
  auto is_over = std::make_shared<std::atomic<bool>>(false);
  auto others_saw = std::make_shared<std::atomic<int>>(0);
  ASSERT_TRUE(context_
                  ->RegisterOp({.name = "test.LongEffect",
                                .arguments = {{"x"}},
                                .results = {"y"},
                                .flags = OpFlags::kSideEffects,
                                .metadata = TFRT_OP_METADATA(TwoFloats),
                                .closure = MakeOpClosure(
                                    [is_over](OpArgument<DenseHostTensor> x, OpCall& call) {
                                      auto over = MakeUnconstructedAsyncValueRef<Chain>();
                                      call.SetChain(over.CopyRef());
                                      OutsideThread::Get().Add([is_over, over = std::move(over)] {
                                        // Long enough for others to begin meanwhile, if they may.
                                        for (int i = 0; i < 200; ++i) std::this_thread::yield();
                                        is_over->store(true);
                                        over.AsPtr().emplace();
                                      });
                                      return x.get().ShareBuffer();
                                    })})
                  .ok());
  ASSERT_TRUE(context_
                  ->RegisterOp({.name = "test.Look",
                                .flags = OpFlags::kSideEffects,
                                .closure = MakeOpClosure([is_over, others_saw](OpCall&) {
                                  *others_saw += is_over->load() ? 1 : 100;
                                  return OkStatus();
                                })})
                  .ok());
  {
    Scope scope(*context_, On("cpu:0"));
    EXPECT_EQ(CallOp("test.LongEffect", {Make({3}, {1.0f, 2.0f, 3.0f})}).status().code(),
              StatusCode::kInternal);
    EXPECT_TRUE(Execute("test.Look", {}, {}, {}).ok());
    context_->Wait();
  }
  EXPECT_EQ(others_saw->load(), 1);
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerPromisesTest, testing::ValuesIn(kAllModes), ModeName);

}  // namespace
}  // namespace tfrt::eager
