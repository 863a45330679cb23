// The steps of a call in the order of op_task.h; execute_op_test.cc and the tests of the C++ API
// have the calls.

#include "lib/ops/op_call/op_task.h"

#include "lib/ops/op_call/op_function_scope.h"
#include "test/unit/handles/eager_test.h"

namespace tfrt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TensorMetadata SameMetadata(const TensorMetadata& x) { return x; }
StatusOr<TensorMetadata> NoMetadata(const TensorMetadata&) {
  return InvalidArgumentError("wrong shape");
}
StatusOr<DenseHostTensor> Share(const DenseHostTensor& x) { return x.ShareBuffer(); }
const OpDefinition kShare = CustomOp{.name = "test.Share",
                                     .results = {"y"},
                                     .metadata = TFRT_OP_METADATA(SameMetadata),
                                     .function = TFRT_OP(Share)};
const OpDefinition kWrong = CustomOp{.name = "test.Wrong",
                                     .results = {"y"},
                                     .metadata = TFRT_OP_METADATA(NoMetadata),
                                     .function = TFRT_OP(Share)};

// What comes of a late result is up to the test.
RCReference<IndirectAsyncValue> late_result;
bool was_in_op_function = false;
const OpDefinition kLate = CustomOp{.name = "test.Late", .function = [](OpCall& call) noexcept {
                                      was_in_op_function = in_op_function;
                                      late_result = MakeIndirectAsyncValue();
                                      call.SetResult(0, late_result);
                                    }};

Status Explain(const OpDefinition& op, Location, OpMetadataArguments arguments,
               const TensorMetadata*, const Status& error) {
  std::string given;
  for (const TensorMetadata* metadata : arguments) {
    given += metadata ? " " + metadata->shape.ToString() : " nothing";
  }
  return Status(error.code(), std::string(op.name) + given + ": " + std::string(error.message()));
}

class TestTask final : public OpTask {
 public:
  TestTask(const OpDefinition& op, const OpPlace& place, const ExecutionContext& exec_ctx,
           AsyncValueRef<Tensor> argument, bool explains)
      : OpTask(op, exec_ctx, /*takes_dense=*/true),
        place_(place),
        argument_(std::move(argument)),
        explains_(explains) {
    results.push_back(MakeIndirectAsyncValue());
  }

  AsyncValueRef<Tensor> conversion;  // null: none
  bool is_published = false;
  std::vector<RCReference<AsyncValue>> values;
  Status error;

 private:
  const OpPlace& place() const override { return place_; }
  PoolVector<AsyncValue*> Arguments() const override { return {argument_.GetAsyncValue()}; }
  OpErrorText explain() const override { return explains_ ? &Explain : nullptr; }
  AsyncValueRef<Tensor> Converted(size_t index, AsyncValue* value) override {
    return conversion ? conversion.CopyRef() : OpTask::Converted(index, value);
  }
  void Publish(Outcome outcome) override {
    is_published = true;
    error = outcome.error;
    values.assign(outcome.values.begin(), outcome.values.end());
    argument_ = nullptr;
    PublishResults(outcome);
  }

  const OpPlace place_;
  AsyncValueRef<Tensor> argument_;
  const bool explains_;
};

class OpTaskTest : public EagerTest {
 protected:
  TestTask MakeTask(const OpDefinition& op, AsyncValueRef<Tensor> argument, bool explains = true) {
    return TestTask(op, place(), exec_ctx(), std::move(argument), explains);
  }
  AsyncValueRef<Tensor> Scalar() { return ScalarHandle(2, {2}).tensor().CopyRef(); }
};

TEST_F(OpTaskTest, AwaitsWhatIsNotThere) {
  RCReference<IndirectAsyncValue> value = MakeIndirectAsyncValue();
  auto task = MakeTask(kShare, AsyncValueRef<Tensor>(RCReference<AsyncValue>(value)));
  auto chain = MakeUnconstructedAsyncValueRef<Chain>();
  task.chain_in = chain.CopyRef();
  EXPECT_THAT(task.Awaited(), ElementsAre(value.get(), chain.GetAsyncValue()));
  chain.emplace();
  EXPECT_THAT(task.Awaited(), ElementsAre(value.get()));
  value->ForwardTo(FloatValue({1}).ReleaseRCRef());
  EXPECT_THAT(task.Awaited(), IsEmpty());
  RCReference<AsyncValue> result = task.results[0];
  task.Run();
  EXPECT_THAT(ValuesOf(result->get<Tensor>()), ElementsAre(1));
}

TEST_F(OpTaskTest, ConversionsMayComeLater) {
  for (bool fails : {false, true}) {
    auto task = MakeTask(kShare, Scalar());
    RCReference<IndirectAsyncValue> dense = MakeIndirectAsyncValue();
    task.conversion = AsyncValueRef<Tensor>(RCReference<AsyncValue>(dense));
    task.Run();
    EXPECT_FALSE(task.is_published);
    dense->ForwardTo(fails ? MakeErrorAsyncValue(InternalError("no memory"))
                           : FloatValue({3, 4}).ReleaseRCRef());
    ASSERT_TRUE(task.is_published);
    if (fails) {
      EXPECT_EQ(task.error, InternalError("test.Share [2]: no memory"));
      EXPECT_EQ(task.values[0]->GetError(), task.error);
    } else {
      EXPECT_THAT(ValuesOf(task.values[0]->get<Tensor>()), ElementsAre(3, 4));
    }
  }
}

TEST_F(OpTaskTest, ResultsThatComeLaterAreAwaitedToBeExplained) {
  for (bool explains : {true, false}) {
    auto task = MakeTask(kLate, FloatValue({1}), explains);
    task.Run();
    EXPECT_TRUE(was_in_op_function);
    EXPECT_FALSE(in_op_function);
    EXPECT_EQ(task.is_published, !explains);
    late_result->ForwardTo(MakeErrorAsyncValue(InternalError("too late")));
    ASSERT_TRUE(task.is_published);
    EXPECT_EQ(task.values[0]->GetError().message(),
              explains ? "test.Late [1]: too late" : "too late");
  }
  late_result = nullptr;
}

TEST_F(OpTaskTest, TheFirstErrorDecides) {
  auto failed = [] { return AsyncValueRef<Tensor>(InternalError("the argument")); };
  auto broken = MakeTask(kWrong, failed());
  broken.chain_in = AsyncValueRef<Chain>(InternalError("the chain"));
  broken.Run();
  EXPECT_EQ(broken.error, InternalError("the argument"));
  auto chained = MakeTask(kWrong, FloatValue({1}));
  chained.chain_in = AsyncValueRef<Chain>(InternalError("the chain"));
  chained.Run();
  EXPECT_EQ(chained.error, InternalError("the chain"));
  EXPECT_THAT(TakeDiagnostics(), IsEmpty());
  // Reported as the op says it, explained for those who hear of the result.
  auto wrong = MakeTask(kWrong, FloatValue({1}));
  wrong.Run();
  EXPECT_EQ(wrong.error, InvalidArgumentError("test.Wrong [1]: wrong shape"));
  EXPECT_THAT(TakeDiagnostics(), ElementsAre("wrong shape"));
  request()->Cancel();
  auto cancelled = MakeTask(kWrong, FloatValue({1}));
  cancelled.Run();
  EXPECT_EQ(cancelled.error.message(), "Cancelled");
}

TEST_F(OpTaskTest, ErrorsOfTheOpAreThoseOfItsChain) {
  for (bool fails : {false, true}) {
    auto task = MakeTask(kShare, fails ? AsyncValueRef<Tensor>(InternalError("boo")) : Scalar());
    task.chain = MakeIndirectAsyncValue();
    RCReference<AsyncValue> chain = task.chain;
    task.Run();
    ASSERT_TRUE(chain->IsAvailable());
    EXPECT_EQ(chain->IsError(), fails);
  }
}

}  // namespace
}  // namespace tfrt
