#include "test/support/stress_program.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "test/support/outside_thread.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt {

StressRun StressRun::Random(std::mt19937& random) {
  StressRun run;
  run.call = static_cast<Call>(random() % 3);
  run.num_sharing = 1 + static_cast<int>(random() % 3) / 2;
  run.late_arguments = random() % 2 == 0;
  run.continued = random() % 4 == 0;
  return run;
}

StressProgram::StressProgram(std::mt19937& random, bool outside_work)
    : program_(MakeProgram(random, 1 + random() % 9, /*with_late_values=*/false)) {
  uint32_t one_fails_in = random() % 2 == 0 ? 1000 : 12;
  for (const Step& step : program_.steps) {
    steps_.push_back(RandomStep(random, step, one_fails_in, outside_work));
  }
}

StressProgram::StressStep StressProgram::RandomStep(std::mt19937& random, const Step& step,
                                                    uint32_t one_fails_in,
                                                    bool outside_work) const {
  using enum StressKernel;
  static constexpr struct {
    StressKernel kernel;
    uint32_t weight;
    bool needs_operands = false;
  } kKernels[] = {{kMix, 36},           {kMixLater, 18},  {kForward, 10, true},
                  {kInPlace, 12, true}, {kPick, 8, true}, {kJoin, 8},
                  {kPartFail, 2},       {kDeepChain, 3},  {kAwait, 3}};
  uint32_t drawn = random() % 100;
  StressKernel kernel = kMix;
  for (const auto& candidate : kKernels) {
    if (drawn < candidate.weight) {
      if (!candidate.needs_operands || !step.operands.empty()) kernel = candidate.kernel;
      break;
    }
    drawn -= candidate.weight;
  }
  bool may_fail = kernel == kMix || HasFailAttribute(kernel);
  // One chain in eight is deeper than what runs nested.
  uint32_t chain_length = random() % 8 == 0 ? 500 + random() % 1500 : 1 + random() % 8;
  return {.kernel = kernel,
          .fails = may_fail && random() % one_fails_in == 0,
          .later = static_cast<Later>(random() % (outside_work ? 3 : 2)),
          .chain_length = static_cast<int32_t>(chain_length)};
}

bef::BefBuilder StressProgram::Build() const {
  bef::FunctionSpec f{.name = "f", .root_stream = program_.root_stream};
  f.argument_types.assign(program_.num_arguments, "tracked");
  for (size_t k = 0; k < program_.steps.size(); ++k) {
    const Step& step = program_.steps[k];
    const auto& [type, fails, later, chain_length] = steps_[k];
    bef::KernelSpec kernel{.name = KernelName(type, fails),
                           .operands = step.operands,
                           .result_types = std::vector<std::string>(step.num_results, "tracked"),
                           .attributes = {{"id", bef::I32Attribute(static_cast<int32_t>(k))}},
                           .stream = step.stream};
    if (HasFailAttribute(type)) kernel.attributes.emplace_back("fail", bef::BoolAttribute(fails));
    if (HasLaterAttribute(type)) {
      kernel.attributes.emplace_back("later", bef::I32Attribute(static_cast<int32_t>(later)));
    }
    if (type == StressKernel::kDeepChain) {
      kernel.attributes.emplace_back("length", bef::I32Attribute(chain_length));
    }
    f.AddKernel(std::move(kernel));
  }
  f.returns = program_.returns;
  f.result_types.assign(f.returns.size(), "tracked");
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  return builder;
}

std::vector<StressProgram::Expected> StressProgram::ExpectedOf(
    size_t k, const std::vector<Expected>& operands) const {
  const auto& [kernel, fails, later, chain_length] = steps_[k];
  auto id = static_cast<int32_t>(k);
  uint32_t num_results = program_.steps[k].num_results;
  if (kernel == StressKernel::kPick) return {num_results, operands[k % operands.size()]};
  std::vector<uint32_t> values;
  std::set<std::string> errors;
  for (const Expected& operand : operands) {
    values.push_back(operand.value);
    errors.insert(operand.errors.begin(), operand.errors.end());
  }
  if (errors.empty() && fails) errors.insert(FailureText(id));
  if (!errors.empty()) return {num_results, {.errors = errors}};
  std::vector<Expected> results;
  for (uint32_t i = 0; i < num_results; ++i) {
    if (kernel == StressKernel::kForward) {
      results.push_back(operands[(k + i) % operands.size()]);
    } else if (kernel == StressKernel::kPartFail && i > 0) {
      results.push_back({.errors = {FailureText(id)}});
    } else {
      results.push_back({.value = MixedValue(id, values, i)});
    }
  }
  return results;
}

std::vector<StressProgram::Expected> StressProgram::ExpectedResults(
    const std::vector<Expected>& arguments) const {
  std::vector<Expected> registers = arguments;
  for (size_t k = 0; k < program_.steps.size(); ++k) {
    std::vector<Expected> operands;
    for (uint32_t r : program_.steps[k].operands) operands.push_back(registers[r]);
    for (Expected& result : ExpectedOf(k, operands)) registers.push_back(std::move(result));
  }
  std::vector<Expected> results;
  for (uint32_t r : program_.returns) results.push_back(registers[r]);
  return results;
}

StressProgram::Values StressProgram::Start(StressRun::Call call, const Function& function,
                                           const ExecutionContext& exec_ctx,
                                           const Values& arguments) {
  Values results(function.num_results());
  if (call == StressRun::Call::kByValue) {
    Values given = arguments;
    function.ExecuteByValue(exec_ctx, given, results);
    return results;
  }
  std::vector<AsyncValue*> borrowed;
  for (const auto& argument : arguments) borrowed.push_back(argument.get());
  if (call == StressRun::Call::kAsync) {
    function.ExecuteAsync(exec_ctx, borrowed, results);
  } else {
    function.Execute(exec_ctx, borrowed, results);
  }
  return results;
}

std::string StressProgram::Compare(const Values& results, const std::vector<Expected>& expected,
                                   bool may_be_cancelled) {
  for (size_t i = 0; i < results.size(); ++i) {
    std::string where = "result " + std::to_string(i) + ": ";
    if (const Status* error = results[i]->GetErrorIfPresent()) {
      bool cancelled = may_be_cancelled && error->message() == "Cancelled";
      if (!cancelled && !expected[i].errors.contains(std::string(error->message()))) {
        return where + "unexpected error " + error->ToString();
      }
    } else if (!expected[i].errors.empty()) {
      return where + "no error, expected that of " + *expected[i].errors.begin();
    } else if (uint32_t value = results[i]->get<Tracked>().value(); value != expected[i].value) {
      return where + std::to_string(value) + ", expected " + std::to_string(expected[i].value);
    }
  }
  return "";
}

std::string StressProgram::RunAndCheck(const StressRun& run, const Function& function,
                                       ExecutionContext exec_ctx, HostContext& host) const {
  std::thread canceller;
  if (run.cancel_after >= 0) {
    canceller = std::thread([request = exec_ctx.request_ctx(), spins = run.cancel_after] {
      for (std::atomic<int64_t> i = 0; i < spins;) ++i;
      request->Cancel();
    });
  }
  Values arguments;
  std::vector<AsyncValueRef<Tracked>> promises;
  std::vector<Expected> expected_arguments;
  for (uint32_t a = 0; a < program_.num_arguments; ++a) {
    auto argument = MakeUnconstructedAsyncValueRef<Tracked>();
    arguments.push_back(argument.CopyRCRef());
    promises.push_back(std::move(argument));
    expected_arguments.push_back({.value = a});
  }
  auto resolve = [&] {
    for (uint32_t a = 0; a < promises.size(); ++a) {
      if (!run.late_arguments) {
        promises[a].emplace(a);
      } else {
        OutsideThread::Get().Add([promise = std::move(promises[a]), a] { promise.emplace(a); });
      }
    }
    promises.clear();
  };
  if (!run.late_arguments) resolve();

  std::vector<Values> results;
  std::vector<std::vector<Expected>> expected;
  for (int n = 0; n < run.num_sharing; ++n) {
    results.push_back(Start(run.call, function, exec_ctx, arguments));
    expected.push_back(ExpectedResults(expected_arguments));
  }
  if (run.continued) {
    for (uint32_t a = 0; a < program_.num_arguments; ++a) {
      arguments[a] = results[0][a % results[0].size()];
      expected_arguments[a] = expected[0][a % expected[0].size()];
    }
    results.push_back(Start(run.call, function, exec_ctx, arguments));
    expected.push_back(ExpectedResults(expected_arguments));
  }
  arguments.clear();
  if (run.late_arguments) resolve();

  std::vector<AsyncValue*> raw;
  for (const Values& values : results) {
    for (const auto& value : values) raw.push_back(value.get());
  }
  host.Await(raw);
  if (canceller.joinable()) canceller.join();
  for (size_t n = 0; n < results.size(); ++n) {
    std::string wrong = Compare(results[n], expected[n], run.cancel_after >= 0);
    if (!wrong.empty()) return "run " + std::to_string(n) + ": " + wrong;
  }
  return "";
}

void StressProgram::StartAndForget(const Function& function,
                                   const ExecutionContext& exec_ctx) const {
  Values arguments;
  for (uint32_t a = 0; a < program_.num_arguments; ++a) {
    arguments.push_back(MakeAvailableAsyncValueRef<Tracked>(a).ReleaseRCRef());
  }
  Start(StressRun::Call::kExecute, function, exec_ctx, arguments);
}

}  // namespace tfrt
