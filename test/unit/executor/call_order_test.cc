// The order of kernels under the single-threaded queue in random programs of several functions,
// against a model of docs/executor.md that is written for clarity only. Most functions have no
// effects: the executor may run these in another order and at another time, but nobody may notice,
// whoever calls them, whatever else waits in the queue, and whether values come late.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <utility>

#include "test/unit/executor/test_kernels.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using bef::BefBuilder;
using bef::FunctionSpec;

enum class StepKind { kQuiet, kVisit, kVisitLate, kCall };

struct Step {
  StepKind kind;
  int32_t id;  // what a visit logs
  uint32_t callee;
  uint32_t stream;
  uint32_t num_results;
  std::vector<uint32_t> operands;
};

struct RandomFunction {
  bool is_quiet;
  uint32_t root_stream;
  uint32_t num_arguments;
  std::vector<Step> steps;
  std::vector<uint32_t> returns;
};

// Function 0 is called by the host; functions call only later ones.
using Functions = std::vector<RandomFunction>;

Functions MakeFunctions(std::mt19937& random) {
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  Functions functions(2 + below(6));
  int32_t next_id = 0;
  for (size_t f = functions.size(); f-- > 0;) {
    RandomFunction& function = functions[f];
    function.is_quiet = f != 0 && below(4) != 0;
    uint32_t num_streams = 1 + below(4);
    function.root_stream = below(num_streams);
    function.num_arguments = f == 0 ? 0 : below(3);
    uint32_t num_registers = function.num_arguments;
    for (uint32_t s = 1 + below(f == 0 ? 16 : 8); s > 0; --s) {
      Step step{.kind = StepKind::kQuiet,
                .id = next_id++,
                .stream = below(num_streams),
                .num_results = 1};
      std::vector<uint32_t> callees;
      for (uint32_t g = static_cast<uint32_t>(f) + 1; g < functions.size(); ++g) {
        if (functions[g].is_quiet || !function.is_quiet) callees.push_back(g);
      }
      uint32_t kind = below(6);
      if (kind < 2 && !callees.empty()) {
        step.kind = StepKind::kCall;
        step.callee = callees[below(static_cast<uint32_t>(callees.size()))];
      } else if (!function.is_quiet && kind != 2) {
        step.kind = kind == 3 ? StepKind::kVisitLate : StepKind::kVisit;
      }
      uint32_t num_operands = below(4) == 0 ? 0 : 1 + below(3);
      if (step.kind == StepKind::kCall) {
        num_operands = functions[step.callee].num_arguments;
        step.num_results = static_cast<uint32_t>(functions[step.callee].returns.size());
      }
      if (num_registers == 0 && step.kind == StepKind::kCall && num_operands != 0) {
        step = {.kind = StepKind::kQuiet, .id = step.id, .stream = step.stream, .num_results = 1};
      }
      if (num_registers != 0 || step.kind == StepKind::kCall) {
        for (; num_operands > 0; --num_operands) {
          // Often the newest, so that calls depend on one another.
          uint32_t back = below(2) == 0 ? 0 : below(num_registers);
          step.operands.push_back(num_registers - 1 - back);
        }
      }
      num_registers += step.num_results;
      function.steps.push_back(std::move(step));
    }
    for (uint32_t n = below(4) == 0 ? 2 : 1; n > 0 && num_registers != 0; --n) {
      function.returns.push_back(num_registers - 1 - (below(2) == 0 ? 0 : below(num_registers)));
    }
  }
  return functions;
}

class Model {
 public:
  explicit Model(const Functions& functions) : functions_(functions) {}

  std::vector<int32_t> Run() {
    Execute(0, {});
    while (!tasks_.empty()) {
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      task();
    }
    return log_;
  }

 private:
  // A value that is, or will be, there.
  struct Value {
    bool is_resolved = false;
    std::vector<std::function<void()>> waiters;

    void Resolve() {
      is_resolved = true;
      auto last_first = std::exchange(waiters, {});  // they may hold this value
      for (auto waiter = last_first.rbegin(); waiter != last_first.rend(); ++waiter) (*waiter)();
    }
    void AndThen(std::function<void()> waiter) {
      is_resolved ? waiter() : waiters.push_back(std::move(waiter));
    }
  };
  using Values = std::vector<std::shared_ptr<Value>>;
  static std::shared_ptr<Value> Resolved() { return std::make_shared<Value>(Value{true, {}}); }

  struct Run_ {
    const RandomFunction* function;
    std::vector<uint32_t> first_result;
    std::vector<size_t> pending;
    std::vector<std::vector<size_t>> users;
    Values registers;
    Values results;
  };
  using RunPtr = std::shared_ptr<Run_>;
  struct Lists {
    uint32_t stream;
    std::vector<size_t> here = {};
    std::vector<size_t> elsewhere = {};
  };

  Values Execute(uint32_t f, const Values& arguments) {
    auto run = std::make_shared<Run_>();
    run->function = &functions_[f];
    const auto& steps = run->function->steps;
    uint32_t num_registers = run->function->num_arguments;
    for (const Step& step : steps) {
      run->first_result.push_back(num_registers);
      num_registers += step.num_results;
      run->pending.push_back(std::max<size_t>(1, step.operands.size()));
    }
    run->users.resize(num_registers);
    run->registers.resize(num_registers);
    for (size_t k = steps.size(); k-- > 0;) {
      for (size_t a = steps[k].operands.size(); a-- > 0;) {
        run->users[steps[k].operands[a]].push_back(k);
      }
    }
    for (size_t i = 0; i < run->function->returns.size(); ++i) {
      run->results.push_back(std::make_shared<Value>());
    }
    Values results = run->results;
    Lists lists{.stream = run->function->root_stream};
    std::vector<size_t> starters;
    for (size_t k = 0; k < steps.size(); ++k) {
      if (steps[k].operands.empty()) starters.push_back(k);
    }
    Decrement(*run, starters, &lists);
    for (uint32_t r = 0; r < arguments.size(); ++r) Publish(run, r, arguments[r], &lists);
    Loop(run, &lists);
    return results;
  }

  void Store(Run_& run, uint32_t r, const std::shared_ptr<Value>& value) {
    run.registers[r] = value;
    for (size_t p = 0; p < run.results.size(); ++p) {
      if (run.function->returns[p] != r) continue;
      value->AndThen([result = run.results[p]] { result->Resolve(); });
    }
  }

  void Publish(const RunPtr& run, uint32_t r, const std::shared_ptr<Value>& value, Lists* lists) {
    if (value->is_resolved) {
      Store(*run, r, value);
      Decrement(*run, run->users[r], lists);
    } else if (run->users[r].empty()) {
      Store(*run, r, value);
    } else {
      value->AndThen([this, run, r, value, stream = lists->stream] {
        Lists continuation{.stream = stream};
        Store(*run, r, value);
        Decrement(*run, run->users[r], &continuation);
        Loop(run, &continuation);
      });
    }
  }

  static void Decrement(Run_& run, const std::vector<size_t>& kernels, Lists* lists) {
    for (size_t k : kernels) {
      if (--run.pending[k] != 0) continue;
      bool is_here = run.function->steps[k].stream == lists->stream;
      (is_here ? lists->here : lists->elsewhere).push_back(k);
    }
  }

  void Settle(const RunPtr& run, Lists* lists) {
    const auto& steps = run->function->steps;
    auto& waiting = lists->elsewhere;
    if (lists->here.empty() && !waiting.empty()) {
      lists->stream = steps[waiting[0]].stream;
      auto differs = [&](size_t k) { return steps[k].stream != lists->stream; };
      size_t left = 0, right = waiting.size();
      while (true) {
        while (left < right && differs(waiting[left])) ++left;
        while (left < right && !differs(waiting[right - 1])) --right;
        if (left >= right) break;
        std::swap(waiting[left++], waiting[--right]);
      }
      lists->here.assign(waiting.begin() + static_cast<ptrdiff_t>(left), waiting.end());
      waiting.resize(left);
    }
    for (uint32_t stream = 0; stream < 8; ++stream) {
      Lists task{.stream = stream};
      for (size_t k : waiting) {
        if (steps[k].stream == stream) task.here.push_back(k);
      }
      if (!task.here.empty()) tasks_.push_back([this, run, task]() mutable { Loop(run, &task); });
    }
    waiting.clear();
  }

  void Loop(const RunPtr& run, Lists* lists) {
    Settle(run, lists);
    while (!lists->here.empty()) {
      size_t k = lists->here.back();
      lists->here.pop_back();
      ExecuteKernel(run, k, lists);
      Settle(run, lists);
    }
  }

  void ExecuteKernel(const RunPtr& run, size_t k, Lists* lists) {
    const Step& step = run->function->steps[k];
    Values results;
    if (step.kind == StepKind::kCall) {
      Values arguments;
      for (uint32_t r : step.operands) arguments.push_back(run->registers[r]);
      results = Execute(step.callee, arguments);
    } else {
      if (step.kind != StepKind::kQuiet) log_.push_back(step.id);
      bool late = step.kind == StepKind::kVisitLate;
      for (uint32_t i = 0; i < step.num_results; ++i) {
        results.push_back(late ? std::make_shared<Value>() : Resolved());
      }
      if (late) {
        tasks_.push_back([results] {
          for (const auto& result : results) result->Resolve();
        });
      }
    }
    for (uint32_t i = 0; i < step.num_results; ++i) {
      Publish(run, run->first_result[k] + i, results[i], lists);
    }
  }

  const Functions& functions_;
  std::deque<std::function<void()>> tasks_;
  std::vector<int32_t> log_;
};

BefBuilder Build(const Functions& functions) {
  BefBuilder builder;
  for (size_t f = 0; f < functions.size(); ++f) {
    const RandomFunction& function = functions[f];
    FunctionSpec spec{.name = StrCat("f", f), .root_stream = function.root_stream};
    spec.argument_types.assign(function.num_arguments, "i32");
    for (const Step& step : function.steps) {
      static constexpr const char* kNames[] = {"t.quiet", "t.visit", "t.visit_late", "t.call"};
      bef::KernelSpec kernel = Op(kNames[static_cast<int>(step.kind)], step.operands,
                                  std::vector<std::string>(step.num_results, "i32"), step.stream);
      if (step.kind == StepKind::kCall) {
        kernel.callees = {StrCat("f", step.callee)};
      } else if (step.kind != StepKind::kQuiet) {
        kernel.attributes = {{"id", bef::I32Attribute(step.id)}};
      }
      spec.AddKernel(std::move(kernel));
    }
    spec.returns = function.returns;
    spec.result_types.assign(spec.returns.size(), "i32");
    builder.AddFunction(std::move(spec));
  }
  return builder;
}

std::vector<int32_t> Visited(const Functions& functions, const char* queue) {
  TestHost host(queue);
  auto file = host.Load(Build(functions));
  for (auto& result : host.Run(*file, "f0")) EXPECT_EQ(result->get<int32_t>(), 0);
  return TestLog::Get().entries();
}

TEST(CallOrderTest, SingleThreadedOrderIsTheModels) {
  size_t num_visits = 0;
  for (uint32_t seed = 0; seed < 4000; ++seed) {
    std::mt19937 random(seed);
    Functions functions = MakeFunctions(random);
    std::vector<int32_t> expected = Model(functions).Run();
    num_visits += expected.size();
    ASSERT_EQ(Visited(functions, "s"), expected) << "seed " << seed;
  }
  EXPECT_GT(num_visits, 20'000u);
}

TEST(CallOrderTest, SeveralThreadsVisitTheSame) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Functions functions = MakeFunctions(random);
    std::vector<int32_t> expected = Model(functions).Run();
    std::vector<int32_t> visited = Visited(functions, "mstd:2");
    std::ranges::sort(expected);
    std::ranges::sort(visited);
    ASSERT_EQ(visited, expected) << "seed " << seed;
  }
}

// Of two results of a call one is there at once, and what follows it then runs in the caller's
// call.
TEST(CallOrderTest, ACallMayGiveSomeResultsAtOnce) {
  Functions functions(3);
  RandomFunction& visits = functions[0];
  visits.steps.push_back({StepKind::kVisit, 6, 0, 0, 1, {}});
  visits.steps.push_back({StepKind::kCall, 7, 1, 0, 1, {}});
  visits.steps.push_back({StepKind::kVisit, 8, 0, 0, 1, {1}});
  visits.returns = {2};
  RandomFunction& calls = functions[1];
  calls.steps.push_back({StepKind::kCall, 3, 2, 0, 2, {}});
  calls.steps.push_back({StepKind::kQuiet, 4, 0, 0, 1, {0}});
  calls.steps.push_back({StepKind::kQuiet, 5, 0, 1, 1, {1}});
  calls.returns = {3};
  RandomFunction& gives_two = functions[2];
  gives_two.steps.push_back({StepKind::kQuiet, 1, 0, 1, 1, {}});
  gives_two.steps.push_back({StepKind::kQuiet, 2, 0, 0, 1, {}});
  gives_two.returns = {0, 1};
  EXPECT_EQ(Visited(functions, "s"), Model(functions).Run());
  EXPECT_EQ(Visited(functions, "s"), (std::vector<int32_t>{8, 6}));
}

// A function without effects that the host calls while tasks wait takes its turn behind them.
TEST(CallOrderTest, TheHostSeesTheOrderToo) {
  Functions functions(2);
  RandomFunction& visits = functions[0];
  visits.steps.push_back({StepKind::kVisit, 1, 0, 1, 1, {}});
  visits.steps.push_back({StepKind::kVisit, 2, 0, 0, 1, {}});
  visits.returns = {0};
  RandomFunction& quiet = functions[1];
  quiet.steps.push_back({StepKind::kQuiet, 3, 0, 1, 1, {}});
  quiet.steps.push_back({StepKind::kQuiet, 4, 0, 0, 1, {}});
  quiet.returns = {0};
  TestHost host("s");
  auto file = host.Load(Build(functions));
  std::vector<RCReference<AsyncValue>> first(1), second(1);
  (*file->FindFunction("f0"))->Execute(host.MakeContext(), {}, first);
  (*file->FindFunction("f1"))->Execute(host.MakeContext(), {}, second);
  second[0]->AndThen([] { TestLog::Get().Add(9); });
  host.host().Quiesce();
  EXPECT_EQ(TestLog::Get().entries(), (std::vector<int32_t>{2, 1, 9}));
}

// A call that waits for its turn keeps nothing whose end could be seen.
TEST(CallOrderTest, AnUnusedArgumentIsReleasedByTheCall) {
  for (uint32_t stream : {0, 1}) {
    FunctionSpec ignores{.name = "ignores", .argument_types = {"string"}, .result_types = {"i32"}};
    uint32_t result = ignores.AddKernel(Op("t.quiet", {}, {"i32"}, stream));
    ignores.AddKernel(Op("t.quiet", {}, {"i32"}, 0));
    ignores.returns = {result};
    FunctionSpec main{.name = "main", .argument_types = {"string"}, .result_types = {"i1"}};
    uint32_t text = main.AddKernel(Op("t.copy_text", {0}, {"string"}));
    bef::KernelSpec call = Op("t.call", {text}, {"i32"});
    call.callees = {"ignores"};
    main.AddKernel(std::move(call));
    uint32_t unique = main.AddKernel(Op("t.unique", {text}, {"i1"}));
    main.AddKernel(bef::KernelSpec{.name = "t.visit",
                                   .operands = {unique},
                                   .result_types = {"i32"},
                                   .attributes = {{"id", bef::I32Attribute(1)}}});
    main.returns = {unique};
    BefBuilder builder;
    builder.AddFunction(std::move(main));
    builder.AddFunction(std::move(ignores));
    TestHost host("s");
    auto file = host.Load(builder);
    auto argument = MakeAvailableAsyncValueRef<std::string>("text").ReleaseRCRef();
    EXPECT_TRUE(host.Run(*file, "main", {argument})[0]->get<bool>()) << "stream " << stream;
  }
}

}  // namespace
}  // namespace tfrt
