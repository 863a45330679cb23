// The cache of a function: limits, evictions, files, many threads.

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "test/unit/function/function_fixture.h"

namespace tfrt::function {
namespace {

using namespace eager;  // NOLINT: the ops

Tensor Ones(int64_t n) {
  return Tensor::FromArray(HostArray({n}, std::vector<float>(static_cast<size_t>(n), 1)));
}

TEST_F(FunctionTest, TheCacheEvictsLoudly) {
  Function f(
      "f", [](Tensor x) { return x + x; },
      Quiet({.reduce_retracing = false, .max_traces = 2, .argument_names = {"x"}}));
  (void)f(Ones(1));
  (void)f(Ones(2));
  (void)f(Ones(1));
  EXPECT_THAT(warnings_, IsEmpty());
  EXPECT_EQ(ValuesOf<float>(f(Ones(3))).size(), 3u);
  EXPECT_THAT(warnings_,
              ElementsAre("the function 'f' has 2 traces, as many as max_traces allows, and needs "
                          "another one: argument x is f32 [3], it was f32 [2]; say in "
                          "input_signature, with kUnknown, which sizes differ, or set "
                          "reduce_retracing; f(x: f32 [2]) is dropped"));
  EXPECT_EQ(f.statistics().programs, 2u);
  EXPECT_EQ(f.statistics().evictions, 1u);
  (void)f(Ones(1));
  EXPECT_EQ(f.statistics().traces, 3u);
}

TEST_F(FunctionTest, AFullCacheMayBeAnError) {
  Function f(
      "f", [](Tensor x) { return x + x; },
      Quiet({.reduce_retracing = false, .max_traces = 1, .when_full = WhenFull::kError}));
  (void)f(Ones(1));
  Status error = f(Ones(2)).status();
  EXPECT_EQ(error.code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(error.message()), HasSubstr("as many as max_traces allows"));
}

TEST_F(FunctionTest, AFullCacheMayRunEagerly) {
  Function f(
      "f", [](Tensor x) { return x + x; },
      Quiet({.reduce_retracing = false, .max_traces = 1, .when_full = WhenFull::kRunEagerly}));
  (void)f(Ones(1));
  EXPECT_EQ(ValuesOf<float>(f(Ones(2))).size(), 2u);
  EXPECT_EQ(ValuesOf<float>(f(Ones(2))).size(), 2u);
  EXPECT_EQ(f.statistics().eager_calls, 2u);
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(FunctionTest, AClearedCacheTracesAgain) {
  Function f("f", [](Tensor x) { return x + x; });
  (void)f(Ones(1));
  f.ClearCache();
  EXPECT_EQ(f.statistics().programs, 0u);
  EXPECT_THAT(ValuesOf<float>(f(Ones(1))), ElementsAre(2));
  EXPECT_EQ(f.statistics().traces, 2u);
}

TEST_F(FunctionTest, TheScopeOfTheCallIsPartOfTheKey) {
  Function f("f", [](Tensor x) { return x + x; }, {.argument_names = {"x"}});
  (void)f(Ones(1));
  Scope other(*context_, {.device = "cpu:1"});
  Tensor y = f(Ones(1));
  EXPECT_EQ(y.device(), "cpu:1");
  EXPECT_THAT(ValuesOf<float>(y), ElementsAre(2));
  EXPECT_EQ(f.statistics().traces, 2u);
  EXPECT_THAT(f.Report(), HasSubstr("last trace: the scope names cpu:1, it was no device"));
}

TEST_F(FunctionTest, CompiledProgramsAreKeptInAFolder) {
  const std::string folder = testing::TempDir() + "/function_cache";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  auto body = [](Tensor x) { return x * 3.0f; };
  for (uint64_t hits : {0u, 1u}) {
    Function f("f", body, {.cache_folder = folder});
    EXPECT_EQ(ValuesOf<float>(f(Ones(2))), std::vector<float>(2, 3));
    EXPECT_EQ(f.statistics().disk_hits, hits);
  }
  // Another program is not found.
  Function g("f", [](Tensor x) { return x * 4.0f; }, {.cache_folder = folder});
  EXPECT_EQ(ValuesOf<float>(g(Ones(2))), std::vector<float>(2, 4));
  EXPECT_EQ(g.statistics().disk_hits, 0u);
  // A damaged file is made anew.
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ofstream(file.path(), std::ios::trunc) << "damaged";
  }
  Function h("f", body, Quiet({.cache_folder = folder}));
  EXPECT_EQ(ValuesOf<float>(h(Ones(2))), std::vector<float>(2, 3));
  EXPECT_EQ(h.statistics().disk_hits, 0u);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("a kept program is damaged and is made anew"));
}

// Whatever is in the folder under its name.
TEST_F(FunctionTest, AKeptProgramOfAnotherFunctionIsMadeAnew) {
  const std::string folder = testing::TempDir() + "/function_mixed";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const FunctionOptions options = Quiet({.cache_folder = folder});
  auto files = [&] {
    std::set<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      paths.insert(entry.path());
    }
    return paths;
  };
  Function one("f", [](Tensor x) { return x * 2.0f; }, options);
  EXPECT_EQ(ItemOf<float>(one(3.0f)), 6);
  const auto first = files();
  auto two_results = [](Tensor x) { return std::vector<Tensor>{x + 1.0f, x + 2.0f}; };
  auto call = [&] {
    AnyFunction two(
        "f",
        [&](std::span<const Argument> arguments) -> StatusOr<std::vector<Tensor>> {
          return two_results(arguments[0].AsTensor(Location()));
        },
        options);
    Argument x = Argument::Of(Tensor::Scalar(3.0f));
    std::vector<Tensor> made = two.Call({&x, 1}, std::source_location::current());
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(ItemOf<float>(made[1]), 5);
  };
  call();
  for (const auto& path : files()) {
    if (!first.contains(path)) {
      std::filesystem::copy_file(*first.begin(), path,
                                 std::filesystem::copy_options::overwrite_existing);
    }
  }
  call();
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("takes or makes other values than the function")));
}

TEST_F(FunctionTest, ABodyMayAskItsFunction) {
  std::function<void()> ask;
  uint64_t traces = 77;
  Function f("f", [&](Tensor x) {
    ask();
    return x + x;
  });
  ask = [&] {
    traces = f.statistics().traces;
    EXPECT_THAT(f.Report(), HasSubstr("function f"));
    f.ClearCache();
  };
  EXPECT_EQ(ItemOf<float>(f(1.0f)), 2);
  EXPECT_EQ(traces, 0u);
}

// Each of them may come to lie where the one before was.
TEST_F(FunctionTest, FunctionsThatAreMadeInATraceAreToldApart) {
  Function f("f", [](Tensor x) {
    for (float factor : {2.0f, 3.0f, 5.0f}) {
      Function g("g", [factor](Tensor y) { return y * factor; });
      x = g(x);
    }
    return x;
  });
  EXPECT_EQ(ItemOf<float>(f(1.0f)), 30);
}

// A body that looks at its sizes cannot be traced for unknown ones, which nobody asked for.
TEST_F(FunctionTest, BodiesThatLookAtSizesAreTracedForEach) {
  AnyFunction f("f", [](std::span<const Argument> arguments) -> StatusOr<std::vector<Tensor>> {
    Tensor x = arguments[0].AsTensor(Location());
    TFRT_ASSIGN_OR_RETURN(TensorShape shape, x.shape());
    return std::vector<Tensor>{x * static_cast<float>(shape.num_elements())};
  });
  for (int64_t n : {1, 2, 3, 4}) {
    Argument ones = Argument::Of(Ones(n));
    std::vector<Tensor> made = f.Call({&ones, 1});
    ASSERT_EQ(made.size(), 1u);
    EXPECT_EQ(ValuesOf<float>(made[0]), std::vector<float>(static_cast<size_t>(n), n));
  }
}

TEST_F(FunctionTest, ACallThatWasMadeIsFoundAgain) {
  Function f("f", [](std::vector<Tensor> xs) { return xs[0] + xs[1]; });
  std::vector<Tensor> xs = {Ones(2), Ones(2)};
  Argument arguments[] = {Argument::List(2), Argument::Of(TensorArgument(xs[0])),
                          Argument::Of(TensorArgument(xs[1]))};
  EXPECT_FALSE(f.IsCached(arguments));
  EXPECT_TRUE(f(xs).status().ok());
  EXPECT_TRUE(f.IsCached(arguments));
  f.ClearCache();
  EXPECT_FALSE(f.IsCached(arguments));
}

TEST_F(FunctionTest, ManyThreadsCallAndEvict) {
  Function f("f", [](Tensor x) { return x + x; },
             {.reduce_retracing = false, .max_traces = 3, .on_warning = [](std::string_view) {}});
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Scope scope(*context_);
      for (int i = 0; i < 200; ++i) {
        // Mostly three shapes; now and then one that drops another.
        const int64_t n = 1 + (i % 50 == 49 ? 3 + t % 2 : (i + t) % 3);
        StatusOr<std::span<const float>> values = std::span<const float>();
        Tensor y = f(Ones(n));
        values = y.Values<float>();
        wrong += !values.ok() || values->size() != static_cast<size_t>(n) || (*values)[0] != 2;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_LE(f.statistics().programs, 3u);
}

TEST_F(FunctionTest, ThreadsThatAssignVariablesTakeTurns) {
  Variable a(Tensor::Scalar(0)), b(Tensor::Scalar(0));
  // Reads one variable, assigns the other: two orders that could wait for each other.
  Function f("f", [&](Tensor x) {
    Tensor seen = a.Read();
    (void)b.AssignAdd(x);
    (void)a.AssignAdd(x);
    return seen;
  });
  Function g("g", [&](Tensor x) {
    Tensor seen = b.Read();
    (void)a.AssignAdd(x);
    return seen;
  });
  (void)f(1);
  (void)g(1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Scope scope(*context_, {.mode = t % 2 ? ExecutionMode::kSync : ExecutionMode::kAsync});
      for (int i = 0; i < 50; ++i) t / 2 ? (void)f(1) : (void)g(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  context_->Wait();
  EXPECT_EQ(ItemOf<int32_t>(a.Read()), 202);
  EXPECT_EQ(ItemOf<int32_t>(b.Read()), 101);
}

TEST_F(FunctionTest, NotesLiveAsLongAsTheirTraces) {
  int bodies = 0;
  AnyFunction inner("inner",
                    [&](std::span<const Argument> arguments) -> StatusOr<std::vector<Tensor>> {
                      AnyFunction::LeaveNote(std::make_shared<const int>(++bodies));
                      return std::vector<Tensor>{arguments[0].AsTensor(Location())};
                    });
  auto call = [](const AnyFunction& function, float x) {
    Argument arguments[] = {Argument::Of(TensorArgument(Floats({1}, {x})))};
    AnyFunction::CallResult made = function.CallForAll(arguments);
    EXPECT_EQ(made.tensors.size(), 1u);
    return std::static_pointer_cast<const int>(std::move(made.note));
  };
  for (float x : {1.0f, 2.0f}) EXPECT_EQ(*call(inner, x), 1);
  AnyFunction::LeaveNote(std::make_shared<const int>(-1));  // this thread runs no body
  EXPECT_EQ(*call(inner, 1), 1);
  {
    StanceScope eager(Stance::kForceEager);
    EXPECT_EQ(*call(inner, 1), 2);
  }
  // In another function's trace: of the call that traces, and of one of what is traced.
  std::vector<int> seen;
  AnyFunction outer("outer",
                    [&](std::span<const Argument> arguments) -> StatusOr<std::vector<Tensor>> {
                      for (int i = 0; i < 2; ++i) {
                        std::vector<Argument> same(arguments.begin(), arguments.end());
                        AnyFunction::CallResult made = inner.CallForAll(same);
                        EXPECT_EQ(made.tensors.size(), 1u);
                        seen.push_back(*static_cast<const int*>(made.note.get()));
                      }
                      return std::vector<Tensor>{arguments[0].AsTensor(Location())};
                    });
  EXPECT_EQ(call(outer, 1), nullptr) << "its own body leaves none";
  EXPECT_THAT(seen, ElementsAre(3, 3));
  std::weak_ptr<const int> note = call(inner, 1);
  EXPECT_FALSE(note.expired());
  inner.ClearCache();
  EXPECT_TRUE(note.expired());
}

// Results are read while the function that made them and its context end.
TEST(FunctionReadTest, FunctionsAndContextsMayEndWhileOthersRead) {
  setenv("TFRT_MODULE_PATH", TFRT_COMPILER_FOLDER, 1);
  if (!std::filesystem::exists(TFRT_COMPILER_FOLDER "/libtfrt_compiler.so")) {
    GTEST_SKIP() << "no compiler in " TFRT_COMPILER_FOLDER;
  }
  constexpr int kReaders = 3;
  for (const char* queue : {"s", "mstd:1", "mstd:2"}) {
    for (int round = 0; round < 12; ++round) {
      auto context = *Context::Create({.work_queue = queue});
      Tensor made;
      std::atomic<int> begun{0};
      std::vector<std::thread> readers;
      {
        Scope scope(*context, {.mode = ExecutionMode::kAsync});
        Function f("f", [](Tensor x) {
          for (int i = 0; i < 4; ++i) x = Relu(x + x);
          return x;
        });
        made = f(Ones(1000));
        for (int i = 0; i < kReaders; ++i) {
          readers.emplace_back([made, &begun] {
            begun.fetch_add(1);
            EXPECT_THAT(ValuesOf<float>(made), AllOf(testing::SizeIs(1000), testing::Each(16)));
          });
        }
        while (begun.load() < (round % 2 == 0 ? kReaders : 1)) std::this_thread::yield();
      }
      context.reset();
      for (std::thread& reader : readers) reader.join();
    }
  }
}

}  // namespace
}  // namespace tfrt::function
