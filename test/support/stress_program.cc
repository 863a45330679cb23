#include "test/support/stress_program.h"

#include <thread>

#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

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

void MixFail(Attribute<int32_t> id, RemainingArguments, RemainingResults results) {
  for (uint32_t i = 0; i < results.size(); ++i) {
    results.Set(i, MakeErrorAsyncValueRef<Tracked>(InternalError(FailureText(*id))).ReleaseRCRef());
  }
}

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

}  // namespace

StressProgram::StressProgram(std::mt19937& random)
    : program_(MakeProgram(random, 1 + random() % 9, /*with_late_values=*/true)) {
  uint32_t one_in = random() % 2 == 0 ? 1000 : 12;
  for (size_t k = 0; k < program_.steps.size(); ++k) fails_.push_back(random() % one_in == 0);
  expected_ = ExpectedResults();
}

void StressProgram::RegisterKernels(KernelRegistry& registry) {
  registry.AddKernel("t.mix", TFRT_KERNEL(Mix));
  registry.AddKernel("t.mix_fail", TFRT_KERNEL(MixFail));
  registry.AddKernel("t.mix_later", TFRT_KERNEL(MixLater));
}

bef::BefBuilder StressProgram::Build() const {
  bef::FunctionSpec f{.name = "f", .root_stream = program_.root_stream};
  f.argument_types.assign(program_.num_arguments, "tracked");
  for (size_t k = 0; k < program_.steps.size(); ++k) {
    const Step& step = program_.steps[k];
    bef::KernelSpec kernel{.name = step.late ? "t.mix_later" : fails_[k] ? "t.mix_fail" : "t.mix",
                           .operands = step.operands,
                           .result_types = std::vector<std::string>(step.num_results, "tracked"),
                           .attributes = {{"id", bef::I32Attribute(static_cast<int32_t>(k))}},
                           .stream = step.stream};
    if (step.late) kernel.attributes.emplace_back("fail", bef::BoolAttribute(fails_[k]));
    f.AddKernel(std::move(kernel));
  }
  f.returns = program_.returns;
  f.result_types.assign(f.returns.size(), "tracked");
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  return builder;
}

std::vector<StressProgram::Expected> StressProgram::ExpectedResults() const {
  std::vector<Expected> registers;
  for (uint32_t a = 0; a < program_.num_arguments; ++a) registers.push_back({.value = a});
  for (size_t k = 0; k < program_.steps.size(); ++k) {
    const Step& step = program_.steps[k];
    std::vector<uint32_t> operands;
    std::set<std::string> errors;
    for (uint32_t r : step.operands) {
      operands.push_back(registers[r].value);
      errors.insert(registers[r].errors.begin(), registers[r].errors.end());
    }
    auto id = static_cast<int32_t>(k);
    if (errors.empty() && fails_[k]) errors.insert(FailureText(id));
    for (uint32_t i = 0; i < step.num_results; ++i) {
      registers.push_back({.value = MixedValue(id, operands, i), .errors = errors});
    }
  }
  std::vector<Expected> results;
  for (uint32_t r : program_.returns) results.push_back(registers[r]);
  return results;
}

std::string StressProgram::RunAndCheck(const Function& function, ExecutionContext exec_ctx,
                                       HostContext& host, bool as_task,
                                       const uint32_t* cancel_after) const {
  std::thread canceller;
  if (cancel_after != nullptr) {
    canceller = std::thread([request = exec_ctx.request_ctx(), spins = *cancel_after] {
      for (std::atomic<uint32_t> i = 0; i < spins;) ++i;
      request->Cancel();
    });
  }
  std::vector<AsyncValueRef<Tracked>> arguments;
  std::vector<AsyncValue*> borrowed;
  for (uint32_t a = 0; a < program_.num_arguments; ++a) {
    arguments.push_back(MakeAvailableAsyncValueRef<Tracked>(a));
    borrowed.push_back(arguments.back().GetAsyncValue());
  }
  std::vector<RCReference<AsyncValue>> results(expected_.size());
  if (as_task) {
    function.ExecuteAsync(exec_ctx, borrowed, results);
  } else {
    function.Execute(exec_ctx, borrowed, results);
  }
  arguments.clear();
  std::vector<AsyncValue*> raw;
  for (auto& result : results) raw.push_back(result.get());
  host.Await(raw);
  if (canceller.joinable()) canceller.join();

  for (size_t i = 0; i < results.size(); ++i) {
    const Expected& expected = expected_[i];
    std::string where = "result " + std::to_string(i) + ": ";
    if (const Status* error = results[i]->GetErrorIfPresent()) {
      bool cancelled = cancel_after != nullptr && error->message() == "Cancelled";
      if (!cancelled && !expected.errors.contains(std::string(error->message()))) {
        return where + "unexpected error " + error->ToString();
      }
    } else if (!expected.errors.empty()) {
      return where + "no error, expected that of " + *expected.errors.begin();
    } else if (uint32_t value = results[i]->get<Tracked>().value(); value != expected.value) {
      return where + std::to_string(value) + ", expected " + std::to_string(expected.value);
    }
  }
  return "";
}

}  // namespace tfrt
