// What is checked and arranged before a function's body runs. Arity and the depth of recursion are
// also in executor_test.cc.
#include "lib/runtime/executor/bef_function.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include "test/unit/executor/test_kernels.h"

namespace tfrt {
namespace {

using bef::BefBuilder;
using bef::FunctionKind;
using bef::FunctionSpec;

class BefFunctionTest : public testing::Test {
 protected:
  RCReference<BefFile> Load(FunctionSpec function) {
    BefBuilder builder;
    builder.AddFunction(std::move(function));
    return host_.Load(builder);
  }

  TestHost host_;
};

FunctionSpec Increment() {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.inc", {0}, {"i32"}))};
  return f;
}

FunctionSpec Unbindable(FunctionKind kind) {
  FunctionSpec f{.name = "f", .kind = kind, .argument_types = {"i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op(kind == FunctionKind::kSync ? "t.sync_add" : "t.inc", {}, {"i32"}))};
  return f;
}

TEST_F(BefFunctionTest, ABindErrorStays) {
  auto file = Load(Unbindable(FunctionKind::kAsync));
  const char* message = "kernel 't.inc' takes 1 argument, but the program gives 0";
  for (int i = 1; i <= 2; ++i) {
    EXPECT_EQ(file->FindFunction("f").status().message(), message);
    RCReference<AsyncValue> argument = MakeInt(1), result;
    AsyncValue* borrowed = argument.get();
    file->functions()[0]->Execute(host_.MakeContext(), {&borrowed, 1}, {&result, 1});
    EXPECT_EQ(result->GetError().message(), message);
    EXPECT_EQ(host_.diagnostics().size(), static_cast<size_t>(i)) << "each run reports it";
  }
}

TEST_F(BefFunctionTest, ABindErrorOfASyncFunctionIsReturned) {
  auto file = Load(Unbindable(FunctionKind::kSync));
  Value argument = Value::Make<int32_t>(1), result;
  Value* borrowed = &argument;
  Status status =
      file->functions()[0]->ExecuteSync(host_.MakeContext(), {&borrowed, 1}, {&result, 1});
  EXPECT_EQ(status.message(), "kernel 't.sync_add' takes 2 arguments, but the program gives 0");
  EXPECT_FALSE(result.has_value());
  EXPECT_EQ(host_.diagnostics().size(), 1u);
}

TEST_F(BefFunctionTest, SyncFunctionsHaveTheDepthLimitToo) {
  FunctionSpec f{.name = "f", .kind = FunctionKind::kSync, .argument_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.sync_add", {0, 0}, {"i32"}))};
  auto file = Load(std::move(f));
  Value argument = Value::Make<int32_t>(1), result;
  Value* borrowed = &argument;
  EXPECT_EQ(file->functions()[0]
                ->ExecuteSync(host_.MakeContext(0), {&borrowed, 1}, {&result, 1})
                .message(),
            "call depth limit of 0 exceeded in 'f'");
  EXPECT_FALSE(result.has_value());
  EXPECT_TRUE(
      file->functions()[0]->ExecuteSync(host_.MakeContext(1), {&borrowed, 1}, {&result, 1}).ok());
}

TEST_F(BefFunctionTest, ARunThatMayNotStartTakesArgumentsGivenByValue) {
  FunctionSpec sync{.name = "f", .kind = FunctionKind::kSync, .argument_types = {"i32"}};
  sync.returns = {sync.AddKernel(Op("t.sync_add", {0, 0}, {"i32"}))};
  struct Case {
    FunctionSpec function;
    uint32_t max_depth;
    size_t num_results;
    const char* message;
  };
  const Case cases[] = {
      {Increment(), 0, 1, "call depth limit of 0 exceeded in 'f'"},
      {Increment(), 10, 2, "function 'f' has 1 results, but room for 2 was given"},
      {Unbindable(FunctionKind::kAsync), 10, 1,
       "kernel 't.inc' takes 1 argument, but the program gives 0"},
      {sync, 10, 1, "function 'f' is a sync function and has no AsyncValues"},
  };
  for (const Case& wrong : cases) {
    auto file = Load(wrong.function);
    RCReference<AsyncValue> kept = MakeInt(1), given = kept;
    std::vector<RCReference<AsyncValue>> results(wrong.num_results);
    file->functions()[0]->ExecuteByValue(host_.MakeContext(wrong.max_depth), {&given, 1}, results);
    for (const auto& result : results) EXPECT_EQ(result->GetError().message(), wrong.message);
    EXPECT_FALSE(given);
    EXPECT_EQ(kept->NumRef(), 1u) << wrong.message;
  }
}

TEST_F(BefFunctionTest, AReferenceToAFunctionKeepsItsFileAlive) {
  RCReference<const Function> function;
  {
    auto file = Load(Increment());
    function = FormRef(*file->FindFunction("f"));
  }
  RCReference<AsyncValue> argument = MakeInt(1), result;
  AsyncValue* borrowed = argument.get();
  function->Execute(host_.MakeContext(), {&borrowed, 1}, {&result, 1});
  EXPECT_EQ(result->get<int32_t>(), 2);
}

// f0 calls f1 calls f2 ..., and the last one returns its argument.
BefBuilder ChainOfCalls(int length) {
  BefBuilder builder;
  for (int i = 0; i < length; ++i) {
    FunctionSpec f{
        .name = "f" + std::to_string(i), .argument_types = {"i32"}, .result_types = {"i32"}};
    if (i + 1 == length) {
      f.returns = {0};
    } else {
      bef::KernelSpec call = Op("t.call", {0}, {"i32"});
      call.callees = {"f" + std::to_string(i + 1)};
      f.returns = {f.AddKernel(call)};
    }
    builder.AddFunction(std::move(f));
  }
  return builder;
}

TEST(BefFunctionStackTest, CallsThatTheStackCannotHoldGoThroughTheQueue) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer takes stack of its own";
#endif
  for (const char* queue : {"s", "mstd:2"}) {
    TestHost host(queue);
    auto file = host.Load(ChainOfCalls(5000));
    struct Call {
      TestHost* host;
      const BefFile* file;
      int32_t result;
    } call{&host, file.get(), 0};
    pthread_attr_t attributes;
    ASSERT_EQ(pthread_attr_init(&attributes), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, 512 * 1024), 0);
    pthread_t thread;
    auto run = [](void* argument) -> void* {
      auto* call = static_cast<Call*>(argument);
      call->result = call->host->Run(*call->file, "f0", {MakeInt(7)})[0]->get<int32_t>();
      return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, &attributes, run, &call), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    EXPECT_EQ(call.result, 7) << queue;
  }
}

// --- native functions ---

class NativeFunctionTest : public BefFunctionTest {
 protected:
  NativeFunctionTest() {
    host_.host().kernel_registry().AddNativeFunction(
        "add", [](const ExecutionContext&, std::span<AsyncValue* const> arguments,
                  std::span<RCReference<AsyncValue>> results) {
          if (arguments[0]->IsError()) {
            results[0] = FormRef(arguments[0]);
            return;
          }
          if (arguments[0]->get<int32_t>() < 0) return;  // forgets its result
          results[0] = MakeInt(arguments[0]->get<int32_t>() + arguments[1]->get<int32_t>());
        });
  }
  RCReference<BefFile> LoadAdd() {
    return Load({.name = "add",
                 .kind = FunctionKind::kNative,
                 .argument_types = {"i32", "i32"},
                 .result_types = {"i32"}});
  }
};

TEST_F(NativeFunctionTest, WaitsForArgumentsAndKeepsWhatItNeeds) {
  auto late = MakeUnconstructedAsyncValueRef<int32_t>();
  RCReference<AsyncValue> result;
  {
    auto file = LoadAdd();
    RCReference<AsyncValue> two = MakeInt(2);
    AsyncValue* arguments[] = {late.GetAsyncValue(), two.get()};
    (*file->FindFunction("add"))->Execute(host_.MakeContext(), arguments, {&result, 1});
  }  // file and argument are the waiting call's alone
  EXPECT_FALSE(result->IsAvailable());
  late.emplace(40);
  EXPECT_EQ(result->get<int32_t>(), 42);
}

TEST_F(NativeFunctionTest, LateErrorsAndForgottenResults) {
  auto file = LoadAdd();
  RCReference<AsyncValue> two = MakeInt(2);
  for (bool is_error : {true, false}) {
    auto late = MakeUnconstructedAsyncValueRef<int32_t>();
    AsyncValue* arguments[] = {late.GetAsyncValue(), two.get()};
    RCReference<AsyncValue> result;
    (*file->FindFunction("add"))->Execute(host_.MakeContext(), arguments, {&result, 1});
    if (is_error) {
      late.SetError(InternalError("lost"));
    } else {
      late.emplace(-1);
    }
    EXPECT_EQ(result->GetError().message(),
              is_error ? "lost" : "native function 'add' did not set all results");
  }
}

TEST_F(NativeFunctionTest, HasNoValuesForASyncCall) {
  auto file = LoadAdd();
  Value a = Value::Make<int32_t>(1), b = Value::Make<int32_t>(1), result;
  Value* arguments[] = {&a, &b};
  EXPECT_EQ(
      file->functions()[0]->ExecuteSync(host_.MakeContext(), arguments, {&result, 1}).message(),
      "function 'add' is not a sync function");
}

}  // namespace
}  // namespace tfrt
