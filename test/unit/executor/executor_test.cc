// The executor on hand-built BEF: order, errors, lifetimes, cancellation, depth, non-strict
// kernels.

#include <gtest/gtest.h>

#include <random>

#include "test/unit/executor/test_kernels.h"

namespace tfrt {
namespace {

using bef::BefBuilder;
using bef::FunctionSpec;

class ExecutorTest : public testing::TestWithParam<const char*> {
 protected:
  TestHost host_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Queues, ExecutorTest, testing::Values("s", "mstd:2"),
                         [](const auto& info) {
                           return std::string(info.param) == "s" ? "single" : "multi";
                         });

BefBuilder OneFunction(FunctionSpec function) {
  BefBuilder builder;
  builder.AddFunction(std::move(function));
  return builder;
}

TEST_P(ExecutorTest, ComputesADiamond) {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  uint32_t a = f.AddKernel(Const(1));
  uint32_t b = f.AddKernel(Op("t.inc", {a}, {"i32"}, 1));
  uint32_t c = f.AddKernel(Op("t.inc", {a}, {"i32"}, 2));
  uint32_t d = f.AddKernel(Op("t.add", {b, c}, {"i32"}));
  f.returns = {d};
  auto file = host_.Load(OneFunction(std::move(f)));
  for (int i = 0; i < 50; ++i) EXPECT_EQ(host_.Run(*file, "f")[0]->get<int32_t>(), 4);
}

TEST_P(ExecutorTest, ReusesNoValueThatSomebodyElseHolds) {
  // Additions may put their result where a dead operand was; here these are held otherwise.
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32", "i32", "i32"}};
  uint32_t a = f.AddKernel(Const(5));
  uint32_t alias = f.AddKernel(Op("t.alias", {a}, {"i32"}));
  uint32_t doubled = f.AddKernel(Op("t.add", {a, a}, {"i32"}));
  uint32_t of_argument = f.AddKernel(Op("t.add", {0, doubled}, {"i32"}));
  f.returns = {alias, f.AddKernel(Op("t.inc", {alias}, {"i32"})), of_argument};
  auto file = host_.Load(OneFunction(std::move(f)));
  RCReference<AsyncValue> argument = MakeInt(7);
  auto results = host_.Run(*file, "f", {argument});
  EXPECT_EQ(results[0]->get<int32_t>(), 5);
  EXPECT_EQ(results[1]->get<int32_t>(), 6);
  EXPECT_EQ(results[2]->get<int32_t>(), 17);
  EXPECT_EQ(argument->get<int32_t>(), 7);
}

TEST_P(ExecutorTest, RandomGraphsOfAdditions) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    FunctionSpec f{.name = "f", .argument_types = {"i32"}};
    std::vector<uint32_t> expected = {3};
    size_t size = 2 + random() % 60;
    while (expected.size() < size) {
      uint32_t a = random() % expected.size(), b = random() % expected.size();
      uint32_t stream = random() % 3;
      switch (random() % 8) {
        case 0:
          f.AddKernel(Const(static_cast<int32_t>(round), stream));
          expected.push_back(static_cast<uint32_t>(round));
          break;
        case 1:
          f.AddKernel(Op("t.alias", {a}, {"i32"}, stream));
          expected.push_back(expected[a]);
          break;
        case 2:
          f.AddKernel(Op(round % 4 == 0 ? "t.later" : "t.alias", {a}, {"i32"}, stream));
          expected.push_back(expected[a]);
          break;
        default:
          f.AddKernel(Op("t.add", {a, b}, {"i32"}, stream));
          expected.push_back(expected[a] + expected[b]);
      }
    }
    for (uint32_t i = 0; i < 5; ++i) f.returns.push_back(random() % expected.size());
    std::vector<uint32_t> returns = f.returns;
    f.result_types.assign(returns.size(), "i32");
    auto file = host_.Load(OneFunction(std::move(f)));
    RCReference<AsyncValue> argument = MakeInt(3);
    for (int run = 0; run < 2; ++run) {
      auto results = host_.Run(*file, "f", {argument});
      for (size_t i = 0; i < returns.size(); ++i) {
        ASSERT_EQ(static_cast<uint32_t>(results[i]->get<int32_t>()), expected[returns[i]])
            << "program " << round << ", result " << i;
      }
    }
    EXPECT_EQ(argument->get<int32_t>(), 3);
  }
}

TEST_P(ExecutorTest, PassesArgumentsThrough) {
  FunctionSpec f{
      .name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32", "i32", "i32"}};
  uint32_t sum = f.AddKernel(Op("t.add", {0, 1}, {"i32"}));
  f.returns = {1, sum, 1};
  auto file = host_.Load(OneFunction(std::move(f)));
  auto results = host_.Run(*file, "f", {MakeInt(2), MakeInt(3)});
  EXPECT_EQ(results[0]->get<int32_t>(), 3);
  EXPECT_EQ(results[1]->get<int32_t>(), 5);
  EXPECT_EQ(results[2]->get<int32_t>(), 3);
}

TEST_P(ExecutorTest, ContinuesWhenAsyncKernelsFinish) {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  uint32_t a = f.AddKernel(Const(1));
  for (int i = 0; i < 300; ++i) a = f.AddKernel(Op(i % 2 ? "t.later" : "t.inc", {a}, {"i32"}));
  f.returns = {a};
  auto file = host_.Load(OneFunction(std::move(f)));
  EXPECT_EQ(host_.Run(*file, "f")[0]->get<int32_t>(), 151);
}

TEST_P(ExecutorTest, AsyncFanOutJoins) {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  uint32_t a = f.AddKernel(Const(1));
  uint32_t sum = f.AddKernel(Const(0));
  for (uint32_t i = 0; i < 200; ++i) {
    uint32_t later = f.AddKernel(Op("t.later", {a}, {"i32"}, i));
    sum = f.AddKernel(Op("t.add", {sum, later}, {"i32"}, i % 3));
  }
  f.returns = {sum};
  auto file = host_.Load(OneFunction(std::move(f)));
  EXPECT_EQ(host_.Run(*file, "f")[0]->get<int32_t>(), 200);
}

TEST_P(ExecutorTest, ErrorsReachOnlyWhatDependsOnThem) {
  FunctionSpec f{.name = "f", .result_types = {"i32", "i32"}};
  uint32_t bad = f.AddKernel(Op("t.fail", {}, {"i32"}));
  uint32_t good = f.AddKernel(Const(5));
  uint32_t worse = f.AddKernel(Op("t.inc", {bad}, {"i32"}));
  f.returns = {worse, good};
  auto file = host_.Load(OneFunction(std::move(f)));
  auto results = host_.Run(*file, "f");
  EXPECT_EQ(results[0]->GetError().message(), "failed");
  EXPECT_EQ(results[1]->get<int32_t>(), 5);
  EXPECT_EQ(host_.diagnostics(), std::vector<std::string>{"failed"});
}

TEST_P(ExecutorTest, AnOperandOfAnotherTypeIsAnErrorWhereverItComesFrom) {
  // The file says i32 of all of them; a kernel would read other bytes as a number.
  struct Source {
    const char* name;
    const char* after;  // what stands between it and the kernel
  };
  for (Source source :
       {Source{"the caller", nullptr}, Source{"a kernel", "t.copy_text"},
        Source{"a kernel of any type", "t.first"}, Source{"a function", "t.call"}}) {
    SCOPED_TRACE(source.name);
    BefBuilder builder;
    FunctionSpec same{.name = "same", .argument_types = {"i32"}, .result_types = {"i32"}};
    same.returns = {0};
    builder.AddFunction(std::move(same));
    FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32", "i32", "i32"}};
    uint32_t number = 0;
    if (source.after) {
      bef::KernelSpec between = Op(source.after, {0}, {"i32"});
      if (std::string(source.after) == "t.call") between.callees = {"same"};
      number = f.AddKernel(std::move(between));
    }
    uint32_t wrong = f.AddKernel(Op("t.inc", {number}, {"i32"}));
    // Its result is an error, which no kernel behind it reads, checked or not.
    uint32_t behind = f.AddKernel(Op("t.add", {wrong, wrong}, {"i32"}));
    uint32_t late = f.AddKernel(Op("t.later", {number}, {"i32"}));
    f.returns = {wrong, behind, late};
    builder.AddFunction(std::move(f));
    auto file = host_.Load(builder);
    auto results = host_.Run(
        *file, "f", {MakeAvailableAsyncValueRef<std::string>("not a number").ReleaseRCRef()});
    for (const auto& result : results) {
      ASSERT_TRUE(result->IsError());
      EXPECT_TRUE(result->GetError().message().starts_with("argument 0 has type 'std::"))
          << result->GetError().message();
      EXPECT_TRUE(result->GetError().message().ends_with("', but the kernel takes 'int'"));
    }
  }
}

TEST_P(ExecutorTest, UncheckedKernelsRunOnceTheirOperandsAreThere) {
  // The operands' types are proven; the values come late, as errors, or not at all.
  FunctionSpec f{.name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32", "i32"}};
  uint32_t a = f.AddKernel(Op("t.inc", {0}, {"i32"}));
  uint32_t b = f.AddKernel(Op("t.inc", {1}, {"i32"}));
  f.returns = {f.AddKernel(Op("t.add", {a, b}, {"i32"})), f.AddKernel(Op("t.inc", {b}, {"i32"}))};
  auto file = host_.Load(OneFunction(std::move(f)));
  for (bool fails : {false, true}) {
    auto late = MakeUnconstructedAsyncValueRef<int32_t>();
    RCReference<AsyncValue> one = MakeInt(1);
    AsyncValue* arguments[] = {one.get(), late.GetAsyncValue()};
    std::vector<RCReference<AsyncValue>> results(2);
    (*file->FindFunction("f"))->Execute(host_.MakeContext(), arguments, results);
    host_.host().Quiesce();
    for (const auto& result : results) EXPECT_FALSE(result->IsAvailable());
    if (fails) {
      late.SetError(InternalError("late"));
    } else {
      late.emplace(10);
    }
    host_.host().Quiesce();
    for (const auto& result : results) ASSERT_EQ(result->IsError(), fails);
    if (fails) continue;
    EXPECT_EQ(results[0]->get<int32_t>(), 13);
    EXPECT_EQ(results[1]->get<int32_t>(), 12);
  }
}

TEST_P(ExecutorTest, TheLastErroneousOperandWins) {
  FunctionSpec f{.name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.add", {0, 1}, {"i32"}))};
  auto file = host_.Load(OneFunction(std::move(f)));
  auto results = host_.Run(
      *file, "f",
      {MakeErrorAsyncValue(InternalError("one")), MakeErrorAsyncValue(InternalError("two"))});
  EXPECT_EQ(results[0]->GetError().message(), "two");
}

TEST_P(ExecutorTest, AForgottenResultIsAnError) {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.forget", {}, {"i32"}))};
  auto file = host_.Load(OneFunction(std::move(f)));
  EXPECT_EQ(host_.Run(*file, "f")[0]->GetError().message(),
            "kernel 't.forget' did not set result 0");
}

TEST_P(ExecutorTest, CancellationStopsTheKernelsThatFollow) {
  FunctionSpec f{.name = "f", .result_types = {"i32", "i32"}};
  uint32_t a = f.AddKernel(Const(1));
  uint32_t b = f.AddKernel(Op("t.cancel", {a}, {"i32"}));
  uint32_t c = f.AddKernel(Op("t.inc", {b}, {"i32"}));
  f.returns = {b, c};
  auto file = host_.Load(OneFunction(std::move(f)));
  auto results = host_.Run(*file, "f");
  EXPECT_EQ(results[0]->get<int32_t>(), 1);
  EXPECT_EQ(results[1]->GetError().code(), StatusCode::kCancelled);
  EXPECT_TRUE(host_.diagnostics().empty());
}

TEST_P(ExecutorTest, UniquenessIsAskedOfTheFrame) {
  FunctionSpec f{.name = "f",
                 .argument_types = {"i32"},
                 .result_types = {"i1", "i1", "i1", "i1", "i1", "i32"}};
  uint32_t once = f.AddKernel(Const(1));
  uint32_t twice = f.AddKernel(Const(2));
  uint32_t returned = f.AddKernel(Const(3));
  uint32_t flags = f.AddKernel(
      Op("t.unique", {once, twice, twice, returned, 0}, {"i1", "i1", "i1", "i1", "i1"}));
  f.returns = {flags, flags + 1, flags + 2, flags + 3, flags + 4, returned};
  auto file = host_.Load(OneFunction(std::move(f)));
  auto results = host_.Run(*file, "f", {MakeInt(9)});
  EXPECT_TRUE(results[0]->get<bool>());
  EXPECT_FALSE(results[1]->get<bool>()) << "passed twice";
  EXPECT_FALSE(results[2]->get<bool>()) << "passed twice";
  EXPECT_FALSE(results[3]->get<bool>()) << "returned";
  EXPECT_FALSE(results[4]->get<bool>()) << "the caller holds the argument";
}

TEST_P(ExecutorTest, ArgumentsGivenByValueMayBeUnique) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i1"}};
  f.returns = {f.AddKernel(Op("t.unique", {0}, {"i1"}))};
  auto file = host_.Load(OneFunction(std::move(f)));
  const Function* function = *file->FindFunction("f");
  RCReference<AsyncValue> argument = MakeInt(1);
  RCReference<AsyncValue> result;
  function->ExecuteByValue(host_.MakeContext(), {&argument, 1}, {&result, 1});
  host_.host().Quiesce();
  EXPECT_FALSE(argument);
  EXPECT_TRUE(result->get<bool>());
}

TEST_P(ExecutorTest, ExecuteAsyncReturnsPlaceholders) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.inc", {0}, {"i32"}))};
  auto file = host_.Load(OneFunction(std::move(f)));
  RCReference<AsyncValue> argument = MakeInt(1);
  AsyncValue* raw = argument.get();
  RCReference<AsyncValue> result;
  (*file->FindFunction("f"))->ExecuteAsync(host_.MakeContext(), {&raw, 1}, {&result, 1});
  argument.reset();
  EXPECT_TRUE(result->IsIndirect());
  AsyncValue* wait = result.get();
  host_.host().Await({&wait, 1});
  EXPECT_EQ(result->get<int32_t>(), 2);
}

TEST_P(ExecutorTest, WrongArityIsAnErrorOfEveryResult) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  f.returns = {0};
  auto file = host_.Load(OneFunction(std::move(f)));
  EXPECT_EQ(host_.Run(*file, "f")[0]->GetError().message(),
            "function 'f' takes 1 arguments, but 0 were given");

  RCReference<AsyncValue> results[2];
  RCReference<AsyncValue> argument = MakeInt(1);
  AsyncValue* raw = argument.get();
  (*file->FindFunction("f"))->Execute(host_.MakeContext(), {&raw, 1}, results);
  for (const auto& result : results) {
    EXPECT_EQ(result->GetError().message(), "function 'f' has 1 results, but room for 2 was given");
  }
}

TEST_P(ExecutorTest, SyncFunctionsHaveNoAsyncValues) {
  FunctionSpec f{.name = "f", .kind = bef::FunctionKind::kSync, .argument_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.sync_add", {0, 0}, {"i32"}))};
  auto file = host_.Load(OneFunction(std::move(f)));
  EXPECT_EQ(host_.Run(*file, "f", {MakeInt(1)})[0]->GetError().message(),
            "function 'f' is a sync function and has no AsyncValues");
}

TEST_P(ExecutorTest, NativeFunctionsMustSetTheirResults) {
  host_.host().kernel_registry().AddNativeFunction(
      "n", [](const ExecutionContext&, std::span<AsyncValue* const> arguments,
              std::span<RCReference<AsyncValue>> results) { results[0] = FormRef(arguments[0]); });
  BefBuilder builder;
  builder.AddFunction({.name = "n",
                       .kind = bef::FunctionKind::kNative,
                       .argument_types = {"i32"},
                       .result_types = {"i32", "i32"}});
  auto results = host_.Run(*host_.Load(builder), "n", {MakeInt(6)});
  EXPECT_EQ(results[0]->get<int32_t>(), 6);
  EXPECT_EQ(results[1]->GetError().message(), "native function 'n' did not set all results");
}

BefBuilder Recursive() {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  bef::KernelSpec call = Op("t.call", {0}, {"i32"});
  call.callees = {"f"};
  f.returns = {f.AddKernel(call)};
  return OneFunction(std::move(f));
}

TEST_P(ExecutorTest, RecursionWithoutEndHitsTheDepthLimit) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "takes the thread sanitizer 20 s";
#endif
  auto file = host_.Load(Recursive());
  auto results = host_.Run(*file, "f", {MakeInt(1)});
  EXPECT_EQ(results[0]->GetError().message(), "call depth limit of 100000 exceeded in 'f'");
}

TEST_P(ExecutorTest, TheDepthLimitIsTheRequests) {
  auto file = host_.Load(Recursive());
  RCReference<AsyncValue> argument = MakeInt(1);
  AsyncValue* raw = argument.get();
  RCReference<AsyncValue> result;
  (*file->FindFunction("f"))->Execute(host_.MakeContext(7), {&raw, 1}, {&result, 1});
  EXPECT_EQ(result->GetError().message(), "call depth limit of 7 exceeded in 'f'");
}

TEST_P(ExecutorTest, NonStrictKernelStartsWithOneOperand) {
  // The first operand never comes, the second is there: t.first runs and forwards a placeholder.
  FunctionSpec f{.name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.first", {0, 1}, {"i32"}))};
  auto file = host_.Load(OneFunction(std::move(f)));
  auto late = MakeUnconstructedAsyncValueRef<int32_t>();
  RCReference<AsyncValue> here = MakeInt(2);
  AsyncValue* arguments[] = {late.GetAsyncValue(), here.get()};
  RCReference<AsyncValue> result;
  (*file->FindFunction("f"))->Execute(host_.MakeContext(), arguments, {&result, 1});
  host_.host().Quiesce();
  EXPECT_FALSE(result->IsAvailable());
  late.emplace(41);
  EXPECT_EQ(result->get<int32_t>(), 41);
}

TEST_P(ExecutorTest, NonStrictKernelIsNotSkippedByAnError) {
  FunctionSpec f{.name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.first", {0, 1}, {"i32"}))};
  auto file = host_.Load(OneFunction(std::move(f)));
  auto results = host_.Run(*file, "f", {MakeInt(4), MakeErrorAsyncValue(InternalError("unused"))});
  EXPECT_EQ(results[0]->get<int32_t>(), 4);
}

TEST_P(ExecutorTest, NonStrictMarksOfTheFileCount) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i1"}};
  bef::KernelSpec unique = Op("t.unique", {0}, {"i1"});
  unique.nonstrict = true;
  f.returns = {f.AddKernel(unique)};
  auto file = host_.Load(OneFunction(std::move(f)));
  auto results = host_.Run(*file, "f", {MakeErrorAsyncValue(InternalError("x"))});
  EXPECT_FALSE(results[0]->get<bool>());
}

TEST_P(ExecutorTest, NonStrictKernelsTakeUnresolvedOperandsUntyped) {
  FunctionSpec f{.name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32"}};
  bef::KernelSpec add = Op("t.add", {0, 1}, {"i32"});
  add.nonstrict = true;
  f.returns = {f.AddKernel(add)};
  auto file = host_.Load(OneFunction(std::move(f)));
  auto late = MakeUnconstructedAsyncValueRef<int32_t>();
  auto results = host_.Run(*file, "f", {MakeInt(4), late.CopyRCRef()});
  EXPECT_EQ(results[0]->GetError().message(),
            "argument 1 is not available; a non-strict kernel must take it as an AsyncValue");
  late.emplace(1);
}

TEST_P(ExecutorTest, NothingLeaksWhenAValueNeverComes) {
  int64_t before = NumLiveAsyncValues();
  {
    FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
    uint32_t a = f.AddKernel(Const(1));
    f.returns = {f.AddKernel(Op("t.add", {0, a}, {"i32"}))};
    auto file = host_.Load(OneFunction(std::move(f)));
    auto late = MakeUnconstructedAsyncValueRef<int32_t>();
    AsyncValue* raw = late.GetAsyncValue();
    RCReference<AsyncValue> result;
    (*file->FindFunction("f"))->Execute(host_.MakeContext(), {&raw, 1}, {&result, 1});
    result.reset();
    late.emplace(1);  // the run goes on by itself and cleans up
    host_.host().Quiesce();
  }
  EXPECT_EQ(NumLiveAsyncValues(), before);
}

TEST_P(ExecutorTest, ManyRequestsShareOneFunction) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  uint32_t a = f.AddKernel(Op("t.later", {0}, {"i32"}, 1));
  uint32_t b = f.AddKernel(Op("t.later", {0}, {"i32"}, 2));
  f.returns = {f.AddKernel(Op("t.add", {a, b}, {"i32"}))};
  auto file = host_.Load(OneFunction(std::move(f)));
  const Function* function = *file->FindFunction("f");
  std::vector<RCReference<AsyncValue>> results(100);
  for (int32_t i = 0; i < 100; ++i) {
    RCReference<AsyncValue> argument = MakeInt(i);
    AsyncValue* raw = argument.get();
    function->Execute(host_.MakeContext(), {&raw, 1}, {&results[i], 1});
  }
  host_.host().Quiesce();
  for (int32_t i = 0; i < 100; ++i) EXPECT_EQ(results[i]->get<int32_t>(), 2 * i);
}

// --- order under the single-threaded queue ---

TEST(ExecutorOrderTest, ConsumersOfOneValueRunInProgramOrder) {
  TestHost host("s");
  FunctionSpec f{.name = "f"};
  uint32_t a = f.AddKernel(Const(1));
  uint32_t b = f.AddKernel(Op("t.inc", {a}, {"i32"}));
  f.AddKernel(Op("t.log", {a}, {"!tfrt.chain"}));
  f.AddKernel(Op("t.log", {b}, {"!tfrt.chain"}));
  f.AddKernel(Op("t.log", {a}, {"!tfrt.chain"}));
  auto file = host.Load(OneFunction(std::move(f)));
  host.Run(*file, "f");
  EXPECT_EQ(TestLog::Get().entries(), (std::vector<int32_t>{2, 1, 1}));
}

TEST(ExecutorOrderTest, StartersOfOneStreamRunLastFirst) {
  TestHost host("s");
  FunctionSpec f{.name = "f"};
  for (int32_t i = 0; i < 3; ++i) {
    uint32_t a = f.AddKernel(Const(i));
    f.AddKernel(Op("t.log", {a}, {"!tfrt.chain"}));
  }
  auto file = host.Load(OneFunction(std::move(f)));
  host.Run(*file, "f");
  EXPECT_EQ(TestLog::Get().entries(), (std::vector<int32_t>{2, 1, 0}));
}

TEST(ExecutorOrderTest, OtherStreamsBecomeTasksInAscendingOrder) {
  TestHost host("s");
  FunctionSpec f{.name = "f"};
  for (uint32_t stream : {3, 1, 2, 0}) {
    uint32_t a = f.AddKernel(Const(static_cast<int32_t>(stream), stream));
    f.AddKernel(Op("t.log", {a}, {"!tfrt.chain"}, stream));
  }
  auto file = host.Load(OneFunction(std::move(f)));
  host.Run(*file, "f");
  EXPECT_EQ(TestLog::Get().entries(), (std::vector<int32_t>{0, 1, 2, 3}));
}

TEST(ExecutorOrderTest, AStaticRunThatMeetsAnUnavailableValueKeepsTheOrder) {
  TestHost host("s");
  FunctionSpec f{.name = "f"};
  uint32_t a = f.AddKernel(Const(1));
  uint32_t later = f.AddKernel(Op("t.later", {a}, {"i32"}));
  f.AddKernel(Op("t.log", {a}, {"!tfrt.chain"}));
  uint32_t inc = f.AddKernel(Op("t.inc", {later}, {"i32"}));
  f.AddKernel(Op("t.log", {inc}, {"!tfrt.chain"}));
  f.AddKernel(Op("t.log", {later}, {"!tfrt.chain"}));
  auto file = host.Load(OneFunction(std::move(f)));
  host.Run(*file, "f");
  EXPECT_EQ(TestLog::Get().entries(), (std::vector<int32_t>{1, 2, 1}));
}

TEST_P(ExecutorTest, AKernelThatDoesNotClearItsResultsFindsThemNull) {
  // More registers than lie in place, so that the second run finds what the first one left; and the
  // same in a run that goes on as a live one.
  for (bool late : {false, true}) {
    FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32", "i32", "i32"}};
    uint32_t last = 0;
    for (int i = 0; i < 10; ++i) last = f.AddKernel(Op("t.inc", {last}, {"i32"}));
    if (late) last = f.AddKernel(Op("t.later", {last}, {"i32"}));
    uint32_t unset = f.AddKernel(Op("t.forget_by_hand", {last}, {"i32", "i32"}));
    f.returns = {unset, unset + 1, f.AddKernel(Op("t.inc", {last}, {"i32"}))};
    auto file = host_.Load(OneFunction(std::move(f)));
    for (int run = 0; run < 2; ++run) {
      auto results = host_.Run(*file, "f", {MakeInt(0)});
      for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(results[i]->IsError());
        EXPECT_EQ(results[i]->GetError().message(),
                  "kernel 't.forget_by_hand' did not set result 0");
      }
      EXPECT_EQ(results[2]->get<int32_t>(), 11);
    }
  }
}

TEST_P(ExecutorTest, AResultThatIsNotSetAfterAnErrorSkipsNoKernel) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32", "i32", "i32"}};
  uint32_t argument = 0;
  uint32_t poisoned = f.AddKernel(Op("t.inc", {argument}, {"i32"}));
  uint32_t seven = f.AddKernel(Const(7));
  uint32_t unset = f.AddKernel(Op("t.forget", {}, {"i32"}));
  uint32_t eight = f.AddKernel(Op("t.inc", {seven}, {"i32"}));
  uint32_t nine = f.AddKernel(Op("t.inc", {eight}, {"i32"}));
  f.returns = {poisoned, unset, nine};
  auto file = host_.Load(OneFunction(std::move(f)));
  auto results = host_.Run(*file, "f", {MakeErrorAsyncValue(InternalError("x"))});
  ASSERT_TRUE(results[1]->IsError());
  ASSERT_FALSE(results[2]->IsError());
  EXPECT_EQ(results[2]->get<int32_t>(), 9);
}

}  // namespace
}  // namespace tfrt
