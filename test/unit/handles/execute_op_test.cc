#include "lib/compat/handles/execute_op.h"

#include <atomic>
#include <thread>

#include "eager_test.h"
#include "lib/runtime/tensor/coo_host_tensor.h"
#include "tfrt/host_context/enqueue.h"

namespace tfrt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TensorMetadata SameMetadata(const TensorMetadata& in) { return in; }
StatusOr<TensorMetadata> PairMetadata(const TensorMetadata& a, const TensorMetadata& b) {
  if (a != b) return InvalidArgumentError("different tensors");
  return a;
}

// Adds 1 to each element, in place if it may.
StatusOr<DenseHostTensor> Increment(const DenseHostTensor& in, const TensorMetadata& result,
                                    OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  auto* to = static_cast<float*>(data);
  auto* from = static_cast<const float*>(in.data());
  for (int64_t i = 0; i < in.num_elements(); ++i) to[i] = from[i] + 1;
  return out;
}
const OpDefinition kIncrement = CustomOp{.name = "test.Increment",
                                         .results = {"y"},
                                         .metadata = TFRT_OP_METADATA(SameMetadata),
                                         .function = TFRT_OP(Increment)};

StatusOr<DenseHostTensor> Share(const DenseHostTensor& in) { return in.ShareBuffer(); }
// The same tensor; nothing is known of the result before.
const OpDefinition kShare =
    CustomOp{.name = "test.Share", .results = {"y"}, .function = TFRT_OP(Share)};

StatusOr<DenseHostTensor> First(const DenseHostTensor& a, const DenseHostTensor&,
                                const TensorMetadata&) {
  return a.ShareBuffer();
}
const OpDefinition kFirst = CustomOp{.name = "test.First",
                                     .results = {"y"},
                                     .metadata = TFRT_OP_METADATA(PairMetadata),
                                     .function = TFRT_OP(First)};

StatusOr<DenseHostTensor> Sum(const DenseHostTensor&, const DenseHostTensor&,
                              const TensorMetadata& result, OpCall& call) {
  return call.AllocateOrReuse(result, {0, 1});
}
const OpDefinition kSum = CustomOp{.name = "test.Sum",
                                   .results = {"y"},
                                   .metadata = TFRT_OP_METADATA(PairMetadata),
                                   .function = TFRT_OP(Sum)};

Status Fail(const Tensor&) { return InternalError("the op failed"); }
const OpDefinition kFail =
    CustomOp{.name = "test.Fail", .results = {"y"}, .function = TFRT_OP(Fail)};
const OpDefinition kFailingEffect = CustomOp{
    .name = "test.FailingEffect", .flags = OpFlags::kSideEffects, .function = TFRT_OP(Fail)};

// An op with side effects, which are counted.
std::atomic<int> effects = 0;
void Effect(const Tensor&) { ++effects; }
const OpDefinition kEffect =
    CustomOp{.name = "test.Effect", .flags = OpFlags::kSideEffects, .function = TFRT_OP(Effect)};

AsyncValueRef<Chain> LaterEffect(const Tensor&, const ExecutionContext& exec_ctx) {
  return EnqueueWork(exec_ctx, [] {
    ++effects;
    return Chain();
  });
}
const OpDefinition kLaterEffect = CustomOp{
    .name = "test.LaterEffect", .flags = OpFlags::kSideEffects, .function = TFRT_OP(LaterEffect)};

// Tells by an error what it sees.
Status SeeKind(const Tensor& tensor) {
  return InvalidArgumentError(std::string(tensor.tensor_type().name()));
}
const OpDefinition kDenseOnly = CustomOp{
    .name = "test.DenseOnly", .flags = OpFlags::kSideEffects, .function = TFRT_OP(SeeKind)};
const OpDefinition kAnyKind = CustomOp{.name = "test.AnyKind",
                                       .flags = OpFlags::kSideEffects | OpFlags::kAllowsScalar |
                                                OpFlags::kAllowsString | OpFlags::kAllowsCoo,
                                       .function = TFRT_OP(SeeKind)};

class ExecuteOpTest : public EagerTest {
 protected:
  ExecuteOpTest() : ExecuteOpTest("s") {}
  explicit ExecuteOpTest(const std::string& queue) : EagerTest(queue) { effects = 0; }

  // What kind of tensor the op gets to see.
  std::string KindSeenBy(const OpDefinition& op, TensorHandle handle) {
    auto chain = GetReadyChain();
    Run(op, {std::move(handle)}, 0, &chain);
    TakeDiagnostics();
    return chain.IsError() ? std::string(chain.GetError().message()) : "(no error)";
  }
};

TEST_F(ExecuteOpTest, AtOnce) {
  auto results = Run(kIncrement, {Handle({1, 2})});
  EXPECT_THAT(ValuesOf(results[0]), ElementsAre(2, 3));
  EXPECT_EQ(results[0].AvailableDevice(), device());
}

TEST_F(ExecuteOpTest, MemoryOfTheLastHandleIsReused) {
  TensorHandle handle = Handle({1});
  const void* data = static_cast<DenseHostTensor&>(*handle.tensor()).data();
  std::vector<TensorHandle> arguments;
  arguments.push_back(std::move(handle));
  std::vector<TensorHandle> results(1);
  ExecutionContext context = exec_ctx();
  ExecuteOp(kIncrement, place(),
            {.exec_ctx = context, .arguments = arguments, .attrs = {}, .results = results});
  EXPECT_EQ(static_cast<DenseHostTensor&>(*results[0].tensor()).data(), data);
  EXPECT_THAT(ValuesOf(results[0]), ElementsAre(2));
}

TEST_F(ExecuteOpTest, MemoryThatOthersSeeIsNot) {
  // Another handle.
  TensorHandle handle = Handle({1});
  auto results = Run(kIncrement, {handle});
  EXPECT_THAT(ValuesOf(handle), ElementsAre(1));
  EXPECT_THAT(ValuesOf(results[0]), ElementsAre(2));
  // Another tensor over the same bytes.
  DenseHostTensor tensor = Floats({1}, {5});
  TensorHandle shares(
      device(),
      AsyncValueRef<Tensor>(MakeAvailableAsyncValueRef<DenseHostTensor>(tensor.ShareBuffer())));
  std::vector<TensorHandle> arguments;
  arguments.push_back(std::move(shares));
  ExecutionContext context = exec_ctx();
  ExecuteOp(kIncrement, place(),
            {.exec_ctx = context, .arguments = arguments, .attrs = {}, .results = results});
  EXPECT_THAT(ValuesOf(tensor), ElementsAre(5));
  EXPECT_THAT(ValuesOf(results[0]), ElementsAre(6));
  // The same tensor twice in one call.
  TensorHandle twice = Handle({1});
  arguments.assign(2, twice);
  twice = TensorHandle();
  const void* data = static_cast<DenseHostTensor&>(*arguments[0].tensor()).data();
  ExecuteOp(kSum, place(),
            {.exec_ctx = context, .arguments = arguments, .attrs = {}, .results = results});
  EXPECT_NE(static_cast<DenseHostTensor&>(*results[0].tensor()).data(), data);
}

TEST_F(ExecuteOpTest, MetadataFirst) {
  Later later = MakeLater({DType::kF32, {2}});
  auto results = Run(kIncrement, {later.handle});
  EXPECT_EQ(results[0].ToString(), "future TensorHandle with metadata f32 [2]");
  later.Resolve(FloatValue({1, 2}));
  EXPECT_THAT(ValuesOf(results[0]), ElementsAre(2, 3));
}

TEST_F(ExecuteOpTest, MetadataLater) {
  Later later = MakeLater();
  auto results = Run(kIncrement, {later.handle});
  EXPECT_EQ(results[0].ToString(), "fully future TensorHandle with unresolved metadata");
  later.Resolve(FloatValue({1, 2}));
  EXPECT_THAT(ValuesOf(results[0]), ElementsAre(2, 3));
}

TEST_F(ExecuteOpTest, MetadataBetween) {
  auto metadata = MakeUnconstructedAsyncValueRef<TensorMetadata>();
  RCReference<IndirectAsyncValue> tensor = MakeIndirectAsyncValue();
  auto results =
      Run(kIncrement, {TensorHandle(device(), metadata.CopyRef(),
                                    AsyncValueRef<Tensor>(RCReference<AsyncValue>(tensor)))});
  auto more = Run(kIncrement, {results[0]});
  metadata.emplace(TensorMetadata{DType::kF32, {1}});
  EXPECT_EQ(more[0].ToString(), "future TensorHandle with metadata f32 [1]");
  tensor->ForwardTo(FloatValue({1}).ReleaseRCRef());
  EXPECT_THAT(ValuesOf(more[0]), ElementsAre(3));
}

TEST_F(ExecuteOpTest, ResultsWithoutMetadataFunction) {
  EXPECT_THAT(ValuesOf(Run(kShare, {Handle({1})})[0]), ElementsAre(1));
  Later later = MakeLater({DType::kF32, {1}});
  auto results = Run(kShare, {later.handle});
  EXPECT_FALSE(results[0].IsMetadataAvailable());
  later.Resolve(FloatValue({1}));
  EXPECT_TRUE(results[0].IsMetadataAvailable());
}

TEST_F(ExecuteOpTest, ArgumentErrorsAreThoseOfTheResults) {
  auto results = Run(kFirst, {Handle({1}), TensorHandle::CreateError(InternalError("boo"))});
  EXPECT_EQ(ErrorOf(results[0]), "boo");
  Later later = MakeLater({DType::kF32, {1}});
  results = Run(kFirst, {Handle({1}), later.handle});
  later.Fail("too late");
  EXPECT_EQ(ErrorOf(results[0]), "too late");
  Later unknown = MakeLater();
  results = Run(kFirst, {Handle({1}), unknown.handle});
  unknown.Fail("never");
  EXPECT_EQ(ErrorOf(results[0]), "never");
  EXPECT_TRUE(results[0].IsMetadataError());
  EXPECT_THAT(TakeDiagnostics(), IsEmpty());
}

TEST_F(ExecuteOpTest, MetadataErrorsAreReportedOnce) {
  auto chain = GetReadyChain();
  auto results = Run(kFirst, {Handle({1}), Handle({1, 2})}, 1, &chain);
  EXPECT_EQ(ErrorOf(results[0]), "different tensors");
  EXPECT_TRUE(chain.IsError());
  EXPECT_THAT(TakeDiagnostics(), ElementsAre("different tensors"));

  Later later = MakeLater();
  results = Run(kFirst, {Handle({1}), later.handle});
  later.Resolve(FloatValue({1, 2}));
  EXPECT_EQ(ErrorOf(results[0]), "different tensors");
  EXPECT_TRUE(results[0].IsMetadataError());
  EXPECT_THAT(TakeDiagnostics(), ElementsAre("different tensors"));
}

Status NoPair(const TensorMetadata& a, const TensorMetadata& b) {
  return a == b ? OkStatus() : InvalidArgumentError("different tensors");
}
void CountEffect(const Tensor&, const Tensor&) { ++effects; }

TEST_F(ExecuteOpTest, MetadataOfOpsWithoutResultsAreChecked) {
  const OpDefinition op = CustomOp{.name = "test.NoResults",
                                   .flags = OpFlags::kSideEffects,
                                   .metadata = TFRT_OP_METADATA(NoPair),
                                   .function = TFRT_OP(CountEffect)};
  Later later = MakeLater();
  auto chain = GetReadyChain();
  Run(op, {Handle({1}), later.handle}, 0, &chain);
  later.Resolve(FloatValue({1, 2}));
  EXPECT_EQ(effects, 0);
  ASSERT_TRUE(chain.IsError());
  EXPECT_EQ(chain.GetError().message(), "different tensors");
}

TEST_F(ExecuteOpTest, OpErrorsAreReportedOnce) {
  auto chain = GetReadyChain();
  auto results = Run(kFail, {Handle({1})}, 1, &chain);
  EXPECT_EQ(ErrorOf(results[0]), "the op failed");
  EXPECT_TRUE(chain.IsConcrete());  // the op has no side effects
  EXPECT_THAT(TakeDiagnostics(), ElementsAre("the op failed"));
  Later later = MakeLater();
  results = Run(kFail, {later.handle}, 1, &chain);
  later.Resolve(FloatValue({1}));
  EXPECT_EQ(ErrorOf(results[0]), "the op failed");
  EXPECT_TRUE(chain.IsConcrete());
  EXPECT_THAT(TakeDiagnostics(), ElementsAre("the op failed"));
}

TEST_F(ExecuteOpTest, ErrorsOfSideEffectsAreThoseOfTheChain) {
  auto chain = GetReadyChain();
  Run(kFailingEffect, {Handle({1})}, 0, &chain);
  ASSERT_TRUE(chain.IsError());
  EXPECT_EQ(chain.GetError().message(), "the op failed");
  chain = GetReadyChain();
  Later later = MakeLater();
  Run(kFailingEffect, {later.handle}, 0, &chain);
  later.Resolve(FloatValue({1}));
  ASSERT_TRUE(chain.IsError());
  EXPECT_EQ(chain.GetError().message(), "the op failed");
}

TEST_F(ExecuteOpTest, ConversionsByFlag) {
  AsyncValueRef<Tensor> coo = MakeAvailableAsyncValueRef<CooHostTensor>(
      *SparseFromDense(Floats({1, 2}, {0, 3}), CooIndexOrder::kRowMajor, host()->allocator()));
  TensorHandle coo_handle(device(), coo.CopyRef());
  EXPECT_EQ(KindSeenBy(kDenseOnly, Handle({1})), "DenseHost");
  EXPECT_EQ(KindSeenBy(kDenseOnly, ScalarHandle(1)), "DenseHost");
  EXPECT_EQ(KindSeenBy(kDenseOnly, coo_handle), "DenseHost");
  EXPECT_EQ(KindSeenBy(kDenseOnly, StringHandle("s")),
            "Cannot implictly convert StringHost to DenseHost");
  EXPECT_EQ(KindSeenBy(kAnyKind, Handle({1})), "DenseHost");
  EXPECT_EQ(KindSeenBy(kAnyKind, ScalarHandle(1)), "ScalarHost");
  EXPECT_EQ(KindSeenBy(kAnyKind, coo_handle), "CooHost");
  EXPECT_EQ(KindSeenBy(kAnyKind, StringHandle("s")), "StringHost");
  // What comes later is converted as well.
  Later later = MakeLater({DType::kF32, {2}});
  auto results = Run(kIncrement, {later.handle});
  later.Resolve(ScalarHandle(1, {2}).tensor().CopyRef());
  EXPECT_THAT(ValuesOf(results[0]), ElementsAre(2, 2));
  // A conversion's error is one of the call.
  Later string = MakeLater({DType::kString, {1}});
  results = Run(kIncrement, {string.handle});
  string.Resolve(StringHandle("s").tensor().CopyRef());
  EXPECT_EQ(ErrorOf(results[0]), "Cannot implictly convert StringHost to DenseHost");
  EXPECT_THAT(TakeDiagnostics(), ElementsAre("Cannot implictly convert StringHost to DenseHost"));
}

TEST_F(ExecuteOpTest, SideEffectsWaitForTheChain) {
  auto start = MakeUnconstructedAsyncValueRef<Chain>();
  auto chain = start.CopyRef();
  Run(kEffect, {Handle({1})}, 0, &chain);
  EXPECT_EQ(effects, 0);
  EXPECT_FALSE(chain.IsAvailable());
  auto second = chain.CopyRef();
  Run(kEffect, {Handle({1})}, 0, &second);
  start.emplace();
  EXPECT_EQ(effects, 2);
  EXPECT_TRUE(chain.IsConcrete());
  EXPECT_TRUE(second.IsConcrete());
  // Without a chain there is nothing to wait for.
  Run(kEffect, {Handle({1})}, 0);
  EXPECT_EQ(effects, 3);
}

TEST_F(ExecuteOpTest, SideEffectsThatEndLater) {
  auto chain = GetReadyChain();
  Run(kLaterEffect, {Handle({1})}, 0, &chain);
  EXPECT_FALSE(chain.IsAvailable());
  Await(chain.GetAsyncValue());
  EXPECT_EQ(effects, 1);
  Later later = MakeLater();
  Run(kLaterEffect, {later.handle}, 0, &chain);
  later.Resolve(FloatValue({1}));
  host()->Quiesce();
  EXPECT_EQ(effects, 2);
  EXPECT_TRUE(chain.IsConcrete());
}

TEST_F(ExecuteOpTest, ErrorsOfTheChain) {
  AsyncValueRef<Chain> chain(InternalError("broken chain"));
  auto results = Run(kIncrement, {Handle({1})}, 1, &chain);
  EXPECT_EQ(ErrorOf(results[0]), "broken chain");
  auto later = MakeUnconstructedAsyncValueRef<Chain>();
  chain = later.CopyRef();
  Run(kEffect, {Handle({1})}, 0, &chain);
  later.SetError(InternalError("broken later"));
  ASSERT_TRUE(chain.IsError());
  EXPECT_EQ(chain.GetError().message(), "broken later");
  EXPECT_EQ(effects, 0);
}

TEST_F(ExecuteOpTest, Cancellation) {
  Later later = MakeLater({DType::kF32, {1}});
  auto pending = Run(kIncrement, {later.handle});
  request()->Cancel();
  auto results = Run(kIncrement, {Handle({1})});
  EXPECT_EQ(ErrorOf(results[0]), "Cancelled");
  later.Resolve(FloatValue({1}));
  EXPECT_EQ(ErrorOf(pending[0]), "Cancelled");
  EXPECT_THAT(TakeDiagnostics(), IsEmpty());
}

TEST_F(ExecuteOpTest, HandlesWithoutTensor) {
  auto results = Run(kIncrement, {TensorHandle()});
  EXPECT_EQ(ErrorOf(results[0]),
            "test.Increment: argument 0 is a handle without a tensor; it may have been moved from");
}

TEST_F(ExecuteOpTest, OpsOfWhichOnlyMetadataAreKnown) {
  const OpDefinition op =
      CustomOp{.name = "test.Shape", .metadata = TFRT_OP_METADATA(SameMetadata)};
  EXPECT_EQ(ErrorOf(Run(op, {Handle({1})})[0]), "test.Shape was not supported by NullOpHandler.");
}

TensorMetadata OneFloat(const TensorMetadata&) { return {DType::kF32, TensorShape{1}}; }

TEST_F(ExecuteOpTest, ResultsAreWhatWasPromised) {
  const OpDefinition now = CustomOp{.name = "test.Promise",
                                    .results = {"y"},
                                    .metadata = TFRT_OP_METADATA(OneFloat),
                                    .function = TFRT_OP(Share)};
  EXPECT_THAT(ValuesOf(Run(now, {Handle({1})})[0]), ElementsAre(1));
  const char* message =
      "test.Promise: result 0 is f32 [2], but its metadata function promised f32 [1]";
  EXPECT_EQ(ErrorOf(Run(now, {Handle({1, 2})})[0]), message);
  EXPECT_EQ(TakeDiagnostics().size(), 1u);
  // In a call that waits for its argument, and for a result that comes later.
  Later later = MakeLater({DType::kF32, {2}});
  auto pending = Run(now, {later.handle});
  later.Resolve(FloatValue({1, 2}));
  EXPECT_EQ(ErrorOf(pending[0]), message);
  OpDefinition forward = now;
  forward.function = [](OpCall& call) noexcept {
    RCReference<IndirectAsyncValue> result = MakeIndirectAsyncValue();
    call.SetResult(0, result);
    EnqueueWork(call.exec_ctx(),
                [result, value = FormRef(call.argument(0))] { result->ForwardTo(value); });
  };
  auto right = Run(forward, {Handle({1})});
  auto late = Run(forward, {Handle({1, 2})});
  AsyncValue* values[] = {right[0].async_tensor(), late[0].async_tensor()};
  host()->Await(values);
  EXPECT_THAT(ValuesOf(right[0]), ElementsAre(1));
  EXPECT_EQ(ErrorOf(late[0]), message);
  EXPECT_EQ(TakeDiagnostics().size(), 2u);
}

TEST_F(ExecuteOpTest, ManyArgumentsAndResults) {
  const OpDefinition op = CustomOp{.name = "test.Many", .function = [](OpCall& call) noexcept {
                                     for (size_t i = 0; i < call.num_results(); ++i) {
                                       call.SetResult(i, FormRef(call.argument(i)));
                                     }
                                   }};
  std::vector<TensorHandle> arguments;
  for (int i = 0; i < 70; ++i) arguments.push_back(Handle({float(i)}));
  auto results = Run(op, arguments, 70);
  for (int i = 0; i < 70; ++i) EXPECT_THAT(ValuesOf(results[i]), ElementsAre(i));
}

class ExecuteOpThreadsTest : public ExecuteOpTest {
 protected:
  ExecuteOpThreadsTest() : ExecuteOpTest("mstd:4") {}
};

TEST_F(ExecuteOpThreadsTest, OneOpInManyThreads) {
  constexpr int kThreads = 4, kCalls = 200;
  TensorHandle shared = Handle({1});
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      TensorHandle mine = shared;
      for (int i = 0; i < kCalls; ++i) {
        std::vector<TensorHandle> arguments, results(1);
        arguments.push_back(std::move(mine));
        ExecutionContext context = exec_ctx();
        ExecuteOp(kIncrement, place(),
                  {.exec_ctx = context, .arguments = arguments, .attrs = {}, .results = results});
        mine = std::move(results[0]);
      }
      EXPECT_THAT(ValuesOf(mine), ElementsAre(1 + kCalls));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(ValuesOf(shared), ElementsAre(1));
}

// Calls are chained before their first argument comes, from another thread.
TEST_F(ExecuteOpThreadsTest, PendingCallsRunWhereTheirArgumentsCome) {
  constexpr int kCalls = 50;
  for (int round = 0; round < 20; ++round) {
    Later later = round % 2 ? MakeLater() : MakeLater({DType::kF32, {1}});
    TensorHandle handle = std::move(later.handle);
    EnqueueWork(exec_ctx(), [&] { later.Resolve(FloatValue({1})); });
    for (int i = 0; i < kCalls; ++i) handle = std::move(Run(kIncrement, {std::move(handle)})[0]);
    Await(handle.async_tensor());
    EXPECT_THAT(ValuesOf(handle), ElementsAre(1 + kCalls));
    host()->Quiesce();
  }
}

}  // namespace
}  // namespace tfrt
