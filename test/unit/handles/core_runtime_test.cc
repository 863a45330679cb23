#include "lib/compat/handles/core_runtime.h"

#include <thread>

#include "eager_test.h"
#include "lib/ops/host_ops/cpu_ops.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/function.h"

namespace tfrt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Values = std::vector<RCReference<AsyncValue>>;

// A C++ function behind the interface of graph functions. Not owned by its references.
struct FunctionTypes {
  std::vector<std::string_view> arguments, results;
};
class TestFunction : private FunctionTypes, public Function {
 public:
  using Body = std::function<Values(std::span<AsyncValue* const>)>;
  TestFunction(std::vector<std::string_view> argument_types,
               std::vector<std::string_view> result_types, Body body)
      : FunctionTypes{std::move(argument_types), std::move(result_types)},
        Function("body", FunctionKind::kAsync, FunctionTypes::arguments, FunctionTypes::results),
        body_(std::move(body)) {}
  void Execute(const ExecutionContext&, std::span<AsyncValue* const> arguments,
               std::span<RCReference<AsyncValue>> results) const override {
    Values values = body_(arguments);
    ASSERT_EQ(values.size(), results.size());
    for (size_t i = 0; i < results.size(); ++i) results[i] = std::move(values[i]);
  }
  void AddRef() const override {}
  void DropRef() const override {}

 private:
  Body body_;
};

constexpr std::string_view kChain = "!tfrt.chain";
constexpr std::string_view kHandle = "!corert.tensorhandle";

class CoreRuntimeTest : public EagerTest {
 protected:
  CoreRuntimeTest() : CoreRuntimeTest("s") {}
  explicit CoreRuntimeTest(const std::string& queue) : EagerTest(queue) {}

  std::vector<TensorHandle> Call(const CoreRuntimeOp& op, std::vector<TensorHandle> arguments,
                                 size_t num_results, AsyncValueRef<Chain>* chain = nullptr) {
    std::vector<TensorHandle> results(num_results);
    ExecutionContext context = exec_ctx();
    op({.exec_ctx = context,
        .arguments = arguments,
        .attrs = {},
        .results = results,
        .chain = chain});
    return results;
  }
  RCReference<AsyncValue> Value(TensorHandle handle) {
    return MakeAvailableAsyncValueRef<TensorHandle>(std::move(handle)).ReleaseRCRef();
  }
};

TEST_F(CoreRuntimeTest, CompositeOpsAreFunctions) {
  TestFunction swap({kChain, kHandle, kHandle}, {kChain, kHandle, kHandle},
                    [](std::span<AsyncValue* const> arguments) {
                      return Values{FormRef(arguments[0]), FormRef(arguments[2]),
                                    FormRef(arguments[1])};
                    });
  auto op = runtime().MakeCompositeOp(&swap);
  ASSERT_TRUE(op.ok());
  auto start = MakeUnconstructedAsyncValueRef<Chain>();
  AsyncValueRef<Chain> chain = start.CopyRef();
  auto results = Call(*op, {Handle({1}), Handle({2})}, 2, &chain);
  EXPECT_THAT(ValuesOf(results[0]), ElementsAre(2));
  EXPECT_THAT(ValuesOf(results[1]), ElementsAre(1));
  EXPECT_EQ(chain.GetAsyncValue(), start.GetAsyncValue());
  start.emplace();
  // Without a chain of its own it starts with a ready one.
  EXPECT_THAT(ValuesOf(Call(*op, {Handle({1}), Handle({2})}, 2)[0]), ElementsAre(2));
}

TEST_F(CoreRuntimeTest, HandlesThatComposedFunctionsReturnLater) {
  auto later = MakeUnconstructedAsyncValueRef<TensorHandle>();
  TestFunction body({kChain}, {kChain, kHandle}, [&](std::span<AsyncValue* const> arguments) {
    return Values{FormRef(arguments[0]), later.CopyRCRef()};
  });
  auto op = runtime().MakeCompositeOp(&body);
  auto results = Call(*op, {}, 1);
  EXPECT_FALSE(results[0].IsDeviceAvailable());
  EXPECT_EQ(results[0].ToString(), "fully future TensorHandle with unresolved metadata");
  later.emplace(Handle({7}));
  EXPECT_THAT(ValuesOf(results[0]), ElementsAre(7));
  EXPECT_EQ(results[0].AvailableDevice(), device());
  EXPECT_EQ(results[0].AvailableMetadata()->shape, TensorShape{1});

  // A handle whose tensor comes later still.
  later = MakeUnconstructedAsyncValueRef<TensorHandle>();
  results = Call(*op, {}, 1);
  Later tensor = MakeLater();
  later.emplace(tensor.handle);
  EXPECT_FALSE(results[0].tensor().IsAvailable());
  tensor.Resolve(FloatValue({8}));
  EXPECT_THAT(ValuesOf(results[0]), ElementsAre(8));

  later = MakeUnconstructedAsyncValueRef<TensorHandle>();
  results = Call(*op, {}, 1);
  later.SetError(InternalError("no handle"));
  EXPECT_EQ(ErrorOf(results[0]), "no handle");
  EXPECT_TRUE(results[0].IsMetadataError());
  EXPECT_THAT(TakeDiagnostics(), IsEmpty());
}

TEST_F(CoreRuntimeTest, ComposedFunctionsMustReturnHandles) {
  auto later = MakeUnconstructedAsyncValueRef<int32_t>();
  TestFunction body(
      {kChain}, {kChain, kHandle, kHandle, kHandle}, [&](std::span<AsyncValue* const> arguments) {
        return Values{FormRef(arguments[0]), MakeAvailableAsyncValueRef<int32_t>(1).ReleaseRCRef(),
                      later.CopyRCRef(), MakeErrorAsyncValue(InternalError("boo"))};
      });
  auto op = runtime().MakeCompositeOp(&body);
  auto results = Call(*op, {}, 3);
  later.emplace(2);
  const char* error = "the composite op body returned a 'int' as a tensor handle";
  EXPECT_EQ(ErrorOf(results[0]), error);
  EXPECT_EQ(ErrorOf(results[1]), error);
  EXPECT_EQ(ErrorOf(results[2]), "boo");
  EXPECT_THAT(TakeDiagnostics(), ElementsAre(error, error));
}

TEST_F(CoreRuntimeTest, CompositeOpsCheckTheirCalls) {
  TestFunction body({kChain, kHandle}, {kChain, kHandle},
                    [](std::span<AsyncValue* const>) { return Values(); });
  auto op = runtime().MakeCompositeOp(&body);
  const char* error =
      "the composite op body takes 1 tensors and has 1 results, but is called with 2 and 1";
  EXPECT_EQ(ErrorOf(Call(*op, {Handle({1}), Handle({1})}, 1)[0]), error);
  EXPECT_THAT(TakeDiagnostics(), ElementsAre(error));
}

TEST_F(CoreRuntimeTest, NativeCompositeOps) {
  // What the function does with the call is its own affair.
  CoreRuntimeOp op = runtime().MakeNativeCompositeOp([](const OpInvocation& call) {
    if (call.arguments.size() != 1) return call.ReportError(InvalidArgumentError("one, please"));
    call.results[0] = call.arguments[0];
    call.results[1] = std::move(call.arguments[0]);
  });
  EXPECT_TRUE(op);
  auto results = Call(op, {Handle({1})}, 2);
  EXPECT_EQ(results[0].async_tensor(), results[1].async_tensor());
  Later later = MakeLater();
  results = Call(op, {later.handle}, 2);
  EXPECT_FALSE(results[1].tensor().IsAvailable());
  later.Resolve(FloatValue({2}));
  EXPECT_THAT(ValuesOf(results[1]), ElementsAre(2));
  auto chain = GetReadyChain();
  EXPECT_EQ(ErrorOf(Call(op, {}, 1, &chain)[0]), "one, please");
  EXPECT_TRUE(chain.IsError());
  EXPECT_FALSE(CoreRuntimeOp());
}

class CoreRuntimeThreadsTest : public CoreRuntimeTest {
 protected:
  CoreRuntimeThreadsTest() : CoreRuntimeTest("mstd:4") {}
};

TEST_F(CoreRuntimeThreadsTest, ManyThreadsFindOneOp) {
  OpHandler* cpu = runtime().TakeOpHandler(
      CreateCpuOpHandler(host(), host()->GetOrCreateSharedContext<CpuOps>().ops(), device(),
                         runtime().TakeOpHandler(CreateNullOpHandler())));
  constexpr int kThreads = 4;
  std::vector<const CoreRuntimeOp*> found(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        auto op = runtime().FindOp("tf.Relu", cpu);
        ASSERT_TRUE(op.ok());
        EXPECT_THAT(ValuesOf(Call(**op, {Handle({-1, 1})}, 1)[0]), ElementsAre(0, 1));
        EXPECT_FALSE(runtime().FindOp("test.Unknown", cpu).ok());
        found[t] = *op;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const CoreRuntimeOp* op : found) EXPECT_EQ(op, found[0]);
}

}  // namespace
}  // namespace tfrt
