// Random programs with late results, errors and cancellation, run by several callers at once on 1 to 8
// threads. What comes out must be what a sequential reading of the program says, and nothing may be left
// over. Meant for the thread sanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "test/unit/executor/random_program.h"
#include "test/unit/executor/test_kernels.h"

namespace tfrt {
namespace {

using bef::BefBuilder;
using bef::FunctionSpec;

// A payload with a count of those alive: a lost or doubly freed value shows under every sanitizer.
class Tracked {
 public:
  explicit Tracked(uint32_t value) : value_(value) { live.fetch_add(1, std::memory_order_relaxed); }
  Tracked(Tracked&& other) noexcept : Tracked(other.value_) {}
  Tracked& operator=(Tracked&&) = delete;
  ~Tracked() { live.fetch_sub(1, std::memory_order_relaxed); }
  uint32_t value() const { return value_; }

  static inline std::atomic<int64_t> live{0};

 private:
  uint32_t value_;
};

uint32_t Combine(uint32_t a, uint32_t b) { return (a ^ b) * 0x9E3779B1u + 1; }

// The value of result `i` of step `id`.
uint32_t MixedValue(int32_t id, const std::vector<uint32_t>& operands, uint32_t i) {
  uint32_t value = Combine(static_cast<uint32_t>(id), i);
  for (uint32_t operand : operands) value = Combine(value, operand);
  return value;
}

std::vector<uint32_t> Values(const RemainingArguments& arguments) {
  std::vector<uint32_t> values;
  for (AsyncValue* argument : arguments.values()) values.push_back(argument->get<Tracked>().value());
  return values;
}

void Mix(Attribute<int32_t> id, RemainingArguments arguments, RemainingResults results) {
  std::vector<uint32_t> operands = Values(arguments);
  for (uint32_t i = 0; i < results.size(); ++i) {
    results.Emplace<Tracked>(i, MixedValue(*id, operands, i));
  }
}

std::string FailureText(int32_t id) { return "step " + std::to_string(id); }

// Results are set, or fail, in tasks of their own. Attributes arrive in the order of their names.
void MixLater(Attribute<bool> fail, Attribute<int32_t> id, RemainingArguments arguments,
              RemainingResults results, const ExecutionContext& exec_ctx) {
  std::vector<uint32_t> operands = Values(arguments);
  for (uint32_t i = 0; i < results.size(); ++i) {
    auto result = MakeUnconstructedAsyncValueRef<Tracked>();
    results.Set(i, result.CopyRCRef());
    EnqueueWork(exec_ctx, [result = std::move(result), id = *id, fail = *fail, operands, i] {
      if (fail) {
        result.SetError(InternalError(FailureText(id)));
      } else {
        result.emplace(MixedValue(id, operands, i));
      }
    });
  }
}

void MixFail(Attribute<int32_t> id, RemainingArguments, RemainingResults results) {
  for (uint32_t i = 0; i < results.size(); ++i) {
    results.Set(i, MakeErrorAsyncValueRef<Tracked>(InternalError(FailureText(*id))).ReleaseRCRef());
  }
}

struct FailingProgram {
  RandomProgram program;
  std::vector<bool> fails;  // by step
};

FailingProgram MakeFailingProgram(std::mt19937& random) {
  FailingProgram result{.program = MakeProgram(random, 1 + random() % 9, true), .fails = {}};
  uint32_t one_in = random() % 2 == 0 ? 1000 : 12;
  for (size_t k = 0; k < result.program.steps.size(); ++k) {
    result.fails.push_back(random() % one_in == 0);
  }
  return result;
}

BefBuilder Build(const FailingProgram& failing) {
  const RandomProgram& program = failing.program;
  FunctionSpec f{.name = "f", .root_stream = program.root_stream};
  f.argument_types.assign(program.num_arguments, "tracked");
  for (size_t k = 0; k < program.steps.size(); ++k) {
    const Step& step = program.steps[k];
    const char* name = step.late ? "t.mix_later" : failing.fails[k] ? "t.mix_fail" : "t.mix";
    bef::KernelSpec kernel =
        Op(name, step.operands, std::vector<std::string>(step.num_results, "tracked"), step.stream);
    kernel.attributes = {{"id", bef::I32Attribute(static_cast<int32_t>(k))}};
    if (step.late) kernel.attributes.emplace_back("fail", bef::BoolAttribute(failing.fails[k]));
    f.AddKernel(std::move(kernel));
  }
  f.returns = program.returns;
  f.result_types.assign(f.returns.size(), "tracked");
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  return builder;
}

// What a register holds in the end: a value, or one of these errors.
struct Expected {
  uint32_t value = 0;
  std::set<std::string> errors = {};
};

std::vector<Expected> ExpectedResults(const FailingProgram& failing) {
  const RandomProgram& program = failing.program;
  std::vector<Expected> registers;
  for (uint32_t a = 0; a < program.num_arguments; ++a) registers.push_back({.value = a});
  for (size_t k = 0; k < program.steps.size(); ++k) {
    const Step& step = program.steps[k];
    std::vector<uint32_t> operands;
    std::set<std::string> errors;
    for (uint32_t r : step.operands) {
      operands.push_back(registers[r].value);
      errors.insert(registers[r].errors.begin(), registers[r].errors.end());
    }
    auto id = static_cast<int32_t>(k);
    if (errors.empty() && failing.fails[k]) errors.insert(FailureText(id));
    for (uint32_t i = 0; i < step.num_results; ++i) {
      registers.push_back({.value = MixedValue(id, operands, i), .errors = errors});
    }
  }
  std::vector<Expected> results;
  for (uint32_t r : program.returns) results.push_back(registers[r]);
  return results;
}

struct Stress {
  const char* name;
  const char* queue;
  int num_callers;
  bool cancel;
};

class StressTest : public testing::TestWithParam<Stress> {};
INSTANTIATE_TEST_SUITE_P(
    Queues, StressTest,
    testing::Values(Stress{"CallerOnly", "s", 1, false}, Stress{"CallerOnlyCancelled", "s", 1, true},
                    Stress{"OneThread", "mstd:1", 2, false},
                    Stress{"TwoThreads", "mstd:2", 1, false},
                    Stress{"TwoThreadsCancelled", "mstd:2", 2, true},
                    Stress{"ThreeThreadsCancelled", "mstd:3", 1, true},
                    Stress{"FourThreads", "mstd:4", 3, false},
                    Stress{"EightThreads", "mstd:8", 2, false},
                    Stress{"EightThreadsCancelled", "mstd:8", 3, true}),
    [](const auto& info) { return info.param.name; });

// One run by one caller. Some runs are cancelled by another thread, sooner or later.
void RunOnce(TestHost& host, const Function& function, std::span<const Expected> expected,
             uint32_t num_arguments, bool cancel, uint32_t seed) {
  ExecutionContext exec_ctx = host.MakeContext();
  std::thread canceller;
  if (cancel) {
    canceller = std::thread([request = exec_ctx.request_ctx(), spins = seed % 3000] {
      for (std::atomic<uint32_t> i = 0; i < spins;) ++i;
      request->Cancel();
    });
  }
  std::vector<AsyncValueRef<Tracked>> arguments;
  std::vector<AsyncValue*> borrowed;
  for (uint32_t a = 0; a < num_arguments; ++a) {
    arguments.push_back(MakeAvailableAsyncValueRef<Tracked>(a));
    borrowed.push_back(arguments.back().GetAsyncValue());
  }
  std::vector<RCReference<AsyncValue>> results(expected.size());
  if (seed % 2 == 0) {
    function.Execute(exec_ctx, borrowed, results);
  } else {
    function.ExecuteAsync(exec_ctx, borrowed, results);
  }
  arguments.clear();
  std::vector<AsyncValue*> raw;
  for (auto& result : results) raw.push_back(result.get());
  host.host().Await(raw);
  if (cancel) canceller.join();
  for (size_t i = 0; i < results.size(); ++i) {
    if (const Status* error = results[i]->GetErrorIfPresent()) {
      bool cancelled = cancel && error->message() == "Cancelled";
      EXPECT_TRUE(cancelled || expected[i].errors.contains(std::string(error->message())))
          << error->ToString();
    } else {
      EXPECT_TRUE(expected[i].errors.empty()) << *expected[i].errors.begin();
      EXPECT_EQ(results[i]->get<Tracked>().value(), expected[i].value);
    }
  }
}

TEST_P(StressTest, ResultsAreAsExpectedAndNothingIsLeft) {
  const Stress& stress = GetParam();
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    FailingProgram failing = MakeFailingProgram(random);
    std::vector<Expected> expected = ExpectedResults(failing);
    {
      TestHost host(stress.queue);
      KernelRegistry& registry = host.host().kernel_registry();
      registry.AddKernel("t.mix", TFRT_KERNEL(Mix));
      registry.AddKernel("t.mix_later", TFRT_KERNEL(MixLater));
      registry.AddKernel("t.mix_fail", TFRT_KERNEL(MixFail));
      auto file = host.Load(Build(failing));
      auto function = file->FindFunction("f");
      ASSERT_TRUE(function.ok()) << function.status().ToString();
      auto call = [&](uint32_t caller) {
        for (uint32_t run = 0; run < 4; ++run) {
          RunOnce(host, **function, expected, failing.program.num_arguments, stress.cancel,
                  seed * 7919 + caller * 104729 + run * 611953);
        }
      };
      std::vector<std::thread> others;
      for (int caller = 1; caller < stress.num_callers; ++caller) {
        others.emplace_back(call, static_cast<uint32_t>(caller));
      }
      call(0);
      for (std::thread& other : others) other.join();
      host.host().Quiesce();
    }
    ASSERT_EQ(Tracked::live.load(), 0);
  }
}

}  // namespace
}  // namespace tfrt
