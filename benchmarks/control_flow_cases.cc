// Calls, branches and loops on one thread.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bench_host.h"
#include "case.h"
#include "tfrt/async/async_value_ref.h"

namespace tfrt::bench {
namespace {

using bef::FunctionSpec;
using bef::KernelSpec;

KernelSpec Constant(int32_t value, uint32_t stream = 0) {
  return {.name = "tfrt.constant.i32",
          .result_types = {"i32"},
          .attributes = {{"value", bef::I32Attribute(value)}},
          .stream = stream};
}
KernelSpec Add(uint32_t a, uint32_t b) {
  return {.name = "tfrt.add.i32", .operands = {a, b}, .result_types = {"i32"}};
}

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "benchmarks: wrong result of %s\n", what);
  std::exit(1);
}

// fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2), by tfrt.if and tfrt.call. All on one stream; or on
// the streams that the compiler gives, and called in a task, where effects of other kernels could
// be seen.
bef::BefBuilder FibProgram(int32_t n, bool with_streams) {
  FunctionSpec base{.name = "", .argument_types = {"i32"}};
  base.returns = {0};
  FunctionSpec step{.name = "", .argument_types = {"i32"}};
  {
    uint32_t minus_one = step.AddKernel(Constant(-1, with_streams ? 2 : 0));
    uint32_t n1 = step.AddKernel(Add(0, minus_one));
    uint32_t n2 = step.AddKernel(Add(n1, minus_one));
    KernelSpec call{.name = "tfrt.call", .result_types = {"i32"}, .callees = {"fib"}};
    call.operands = {n1};
    call.stream = with_streams ? 1 : 0;
    uint32_t f1 = step.AddKernel(call);
    call.operands = {n2};
    call.stream = 0;
    uint32_t f2 = step.AddKernel(call);
    step.returns = {step.AddKernel(Add(f1, f2))};
  }
  FunctionSpec fib{.name = "fib", .argument_types = {"i32"}};
  uint32_t one = fib.AddKernel(Constant(1, with_streams ? 1 : 0));
  uint32_t small =
      fib.AddKernel({.name = "tfrt.lessequal.i32", .operands = {0, one}, .result_types = {"i1"}});
  fib.returns = {fib.AddKernel({.name = "tfrt.if",
                                .operands = {small, 0},
                                .result_types = {"i32"},
                                .regions = {std::move(base), std::move(step)}})};
  FunctionSpec main{.name = "main"};
  uint32_t argument = main.AddKernel(Constant(n));
  KernelSpec call{
      .name = "tfrt.call", .operands = {0}, .result_types = {"i32"}, .callees = {"fib"}};
  FunctionSpec task{.name = "", .argument_types = {"i32"}};
  task.returns = {task.AddKernel(call)};
  if (with_streams) {
    call = {.name = "tfrt_test.do.async", .result_types = {"i32"}, .regions = {std::move(task)}};
  }
  call.operands = {argument};
  main.returns = {main.AddKernel(std::move(call))};
  bef::BefBuilder builder;
  builder.AddFunction(std::move(fib));
  builder.AddFunction(std::move(main));
  return builder;
}

// Kernels that a run of fib(n) executes.
double FibKernels(int32_t n) { return n < 2 ? 3 : 3 + 6 + FibKernels(n - 1) + FibKernels(n - 2); }

bef::BefBuilder RepeatProgram(int32_t count) {
  FunctionSpec body{.name = "", .argument_types = {"i32"}};
  uint32_t one = body.AddKernel(Constant(1));
  body.returns = {body.AddKernel(Add(0, one))};
  FunctionSpec main{.name = "main"};
  uint32_t times = main.AddKernel(Constant(count));
  uint32_t zero = main.AddKernel(Constant(0));
  main.returns = {main.AddKernel({.name = "tfrt.repeat.i32",
                                  .operands = {times, zero},
                                  .result_types = {"i32"},
                                  .regions = {std::move(body)}})};
  bef::BefBuilder builder;
  builder.AddFunction(std::move(main));
  return builder;
}

std::function<void()> Prepare(const bef::BefBuilder& builder, int32_t expected, const char* what,
                              const std::string& queue = "s") {
  auto program = std::make_shared<Program>(builder, "main", queue);
  program->Run();
  Require(*program->result() == expected, what);
  return [program] { program->Run(); };
}

// One call from C++ of a function with one kernel.
std::function<void()> PrepareCall() {
  FunctionSpec f{.name = "main", .argument_types = {"i32"}};
  f.returns = {f.AddKernel(Add(0, 0))};
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  auto program = std::make_shared<Program>(builder, "main");
  auto argument = std::make_shared<AsyncValueRef<int32_t>>(MakeAvailableAsyncValueRef<int32_t>(21));
  auto call = [program, argument] {
    AsyncValue* value = argument->GetAsyncValue();
    RCReference<AsyncValue> result;
    program->function().Execute(program->exec_ctx(), {&value, 1}, {&result, 1});
    return result;
  };
  Require(call()->get<int32_t>() == 42, "call");
  return [call] {
    for (int i = 0; i < 1000; ++i) Keep(call().get());
  };
}

}  // namespace

void AddControlFlowCases(Cases* cases) {
  cases->push_back(
      {.name = "control_flow/fib_20", .unit = "kernel", .units = FibKernels(20) + 2, .prepare = [] {
         return Prepare(FibProgram(20, false), 6765, "fib(20)");
       }});
  cases->push_back({.name = "control_flow/fib_20_streams",
                    .unit = "kernel",
                    .units = FibKernels(20) + 3,
                    .prepare = [] { return Prepare(FibProgram(20, true), 6765, "fib(20)"); }});
  for (const std::string queue : {"mstd:1", "mstd:2"}) {
    cases->push_back(
        {.name = "threads/fib_20_streams/" + queue,
         .unit = "kernel",
         .units = FibKernels(20) + 3,
         .floor = "control_flow/fib_20_streams",
         .deterministic = false,
         .prepare = [queue] { return Prepare(FibProgram(20, true), 6765, "fib(20)", queue); }});
  }
  cases->push_back(
      {.name = "control_flow/repeat_100k", .unit = "iteration", .units = 100000, .prepare = [] {
         return Prepare(RepeatProgram(100000), 100000, "repeat");
       }});
  cases->push_back({.name = "control_flow/call",
                    .unit = "call",
                    .units = 1000,
                    .floor = "floor/malloc_free",
                    .prepare = PrepareCall});
}

}  // namespace tfrt::bench
